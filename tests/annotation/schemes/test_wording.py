"""A version's wording, parsed: stored words are read as they are, and missing ones have a
default."""

import pytest

from annotation.schemes.actions import SHIPPED, load_definition
from annotation.schemes.definitions import wording_in
from annotation.schemes.wording import JudgedWords, KeyComponents, OptionWords, Wording

WORDING = {
    "facets": {
        "method": {
            "name": "Method",
            "question": "Same method?",
            "definitions": {"same": "It is."},
            "options": {"same": {"name": "Same", "shortcut": "s"}},
        },
        "result": {"name": "Result"},
    },
    "options": {"near": {"name": "Near", "shortcut": "2"}},
    "cannot_judge_reasons": [{"key": "language", "name": "Not in English"}],
    "causes": [{"key": "slip", "name": "A slip"}],
}


def test_a_facet_with_a_scale_of_its_own_does_not_read_the_shared_options():
    words = Wording.of(WORDING)

    assert words.options_for("method") == {"same": OptionWords("Same", "s")}
    assert words.options_for("result") == {"near": OptionWords("Near", "2")}


def test_words_without_a_name_are_called_by_their_key():
    words = Wording.of(WORDING)

    assert words.facet_name("method") == "Method"
    assert words.facet_name("background") == "background"
    assert words.cause_name("slip") == "A slip"
    assert words.cause_name("gone") == "gone"
    assert words.option_name("result", "far", unnamed="far") == "far"


def test_plain_relevance_and_aspects_have_no_name_that_pages_show():
    words = Wording.of(WORDING | {"facets": {"relevance": {"name": "Relevance"}}})

    assert [words.shown_name(key) for key in ("", "relevance")] == ["", ""]


def test_key_components_are_asked_for_only_where_the_scheme_says_so():
    words = Wording.of(WORDING | {"key_components": {"question": "Of what is it made?"}})

    assert words.key_components == KeyComponents(False, "Of what is it made?", [])


def test_a_scheme_of_facets_has_no_aspects_and_no_key_components():
    words = Wording.of(WORDING)

    assert (words.aspects, words.key_components) == (None, None)
    assert words.judged("") == JudgedWords()


@pytest.mark.parametrize("name", sorted(path.stem for path in SHIPPED.glob("*.json")))
def test_every_shipped_scheme_is_read_whole(name):
    data = wording_in(load_definition(name))

    words = Wording.of(data)

    assert {key: facet.definitions for key, facet in words.facets.items()} == {
        key: facet["definitions"] for key, facet in data["facets"].items()
    }
    assert [cause.key for cause in words.causes] == [row["key"] for row in data["causes"]]
    assert (words.aspects is not None) == ("aspects" in data)
    if "key_components" in data:
        assert vars(words.key_components) == data["key_components"]
