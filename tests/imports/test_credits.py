"""Licence and source of a collection from the texts beside its data."""

import pytest

from formats.credits import TextBeside
from imports.credits import credits_of


def attribution(text):
    return [TextBeside("attribution", "ATTRIBUTION.txt", text)]


@pytest.mark.parametrize(
    "heading", ["Licence:", "License : ", "LICENCE\t", "Licence  ", "Licence \t  ", "licence:\t"]
)
def test_a_heading_ends_with_a_colon_or_with_white_space_of_some_width(heading):
    assert credits_of(attribution(f"{heading}CC BY 4.0\n")) == {"licence": "CC BY 4.0"}


@pytest.mark.parametrize("text", ["Licence CC BY", "Licence:\n", "A Licence: MIT"])
def test_a_word_in_a_sentence_is_no_heading(text):
    assert credits_of(attribution(text)) == {}


def test_a_long_blank_after_a_heading_is_passed_in_one_go():
    # Three parts of the pattern once shared it in all ways: this took days.
    assert credits_of(attribution("Licence" + " " * 200_000 + "\n")) == {}
