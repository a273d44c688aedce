"""The lists to choose from above every page."""

import pytest
from lxml import html

from agreement.pages.forms import LongSelect
from agreement.pages.frame import Control

OPTIONS = [("", "all"), ('a"b', "<i>one</i> & more"), ("q2", "Two")]


def options_of(text):
    """[(value, words, whether it is chosen)]"""
    options = html.fromstring(f"<div>{text}</div>").xpath("//option")
    return [(part.get("value"), part.text, part.get("selected") is not None) for part in options]


def test_names_of_a_collection_are_text_in_its_lists_and_the_chosen_one_is_selected():
    control = Control("query", "Query", OPTIONS, "q2")

    assert options_of(control.as_html) == [
        ("", "all", False),
        ('a"b', "<i>one</i> & more", False),
        ("q2", "Two", True),
    ]


@pytest.mark.parametrize("letter", ["x", "é"])
def test_words_of_an_option_are_cut_at_sixty_letters(letter):
    fits, cut = letter * 60, letter * 61

    words = [
        words
        for _, words, _ in options_of(Control("a", "A", [(fits, fits), (cut, cut)], "").as_html)
    ]

    assert words == [fits, letter * 59 + "…"]


@pytest.mark.parametrize("value", [None, ""])
def test_list_of_a_form_has_the_name_and_id_of_its_field(value):
    text = LongSelect(choices=OPTIONS).render("limits", value, attrs={"id": "id_limits"})

    [select] = html.fromstring(f"<div>{text}</div>").xpath("select")
    assert (select.get("name"), select.get("id")) == ("limits", "id_limits")
    assert [is_chosen for _, _, is_chosen in options_of(text)] == [True, False, False]
