"""A scheme as a file: what docs/formats.md shows of it can be used as it stands, and is all."""

import json
import re
from pathlib import Path

import pytest

from annotation.schemes.actions import load_definition, shipped_schemes
from annotation.schemes.files import (
    FIELDS,
    OF_ASPECTS,
    OF_COMPONENTS,
    OF_FACET,
    OF_OPTION,
    OF_SUGGESTION,
    read_definition,
    read_draft,
)
from audit.refusals import Invalid

FORMATS = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
SCHEME = FORMATS.partition("## In: a scheme")[2].partition("\n## ")[0]
EXAMPLE = re.search(r"^```json\n(.*?)^```", SCHEME, re.MULTILINE | re.DOTALL)[1]


def test_the_scheme_of_the_documents_is_one():
    definition = read_definition(EXAMPLE.encode())

    assert definition["rule"] == {"name": "difference_of_at_least", "distance": "2"}
    assert [option["name"] for option in definition["options"]] == [
        option["name"] for option in json.loads(EXAMPLE)["options"]
    ]


def test_the_documents_know_every_name_of_a_scheme():
    named = set(re.findall(r"[`\"](\w+)[`\"]", SCHEME))

    of_parts = {*OF_FACET, *OF_OPTION, *OF_ASPECTS, *OF_COMPONENTS, *OF_SUGGESTION}
    assert {*FIELDS, *of_parts} - named == set()


@pytest.mark.parametrize("key", shipped_schemes())
def test_a_shipped_scheme_is_read_as_it_is(key):
    definition = load_definition(key)

    read = read_definition(json.dumps(definition).encode())

    assert {name: read[name] for name in definition} == definition


ASPECTS = load_definition("doris-mae")
FACETS = json.loads(EXAMPLE)
SCALE = {"options": FACETS["options"]}


def refusal(definition, **changes):
    with pytest.raises(Invalid) as refused:
        read_draft(json.dumps(definition | changes).encode(), "own.json")
    return str(refused.value)


def components(**changes):
    return ASPECTS["key_components"] | changes


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (None, "key_components is not an object in braces."),
        (components(sugestions=[]), "key_components has 'sugestions'; it may have is_asked, "),
        (components(is_asked="yes"), "key_components.is_asked is neither true nor false."),
        (components(suggestions={}), "key_components.suggestions is not a list of at most 100."),
    ],
)
def test_key_components_that_nobody_would_read_are_refused(sent, sentence):
    assert f"own.json: {sentence}" in refusal(ASPECTS, key_components=sent)


@pytest.mark.parametrize(
    "row",
    [
        {"option": "concur"},
        {"option": "concur", "at_least": 0.5},
        {"option": "concur", "at_least": "half"},
        {"option": "concur", "at_least": "1", "above": "1/0"},
        {"option": "consent", "at_least": "1"},
        {"option": "level-2", "at_least": "1"},
        {"at_least": "1"},
    ],
)
def test_a_suggestion_without_an_option_and_a_share_is_refused(row):
    rows = [*ASPECTS["key_components"]["suggestions"], row]

    assert "own.json: key_components.suggestions[4] is not the key of an option" in refusal(
        ASPECTS, key_components=components(suggestions=rows)
    )


def test_a_suggestion_of_another_shape_is_refused():
    for row, words in [("concur", "is not an object"), ({"atleast": "1"}, "has 'atleast'")]:
        sent = components(suggestions=[row])

        assert f"key_components.suggestions[0] {words}" in refusal(ASPECTS, key_components=sent)


def test_parts_that_exclude_each_other_are_refused_instead_of_one_being_dropped():
    facet = FACETS["facets"][0]

    assert refusal(FACETS, key_components=components()) == (
        "own.json: key_components are parts of `aspects`; it has none."
    )
    assert refusal(ASPECTS, facets=[facet]) == (
        "own.json: it judges `facets` or `aspects`, not both."
    )
    assert refusal(FACETS, facets=[facet | {"scale": SCALE}]) == (
        "own.json: give `options` for all, or each facet a `scale`."
    )


def test_a_misspelt_name_of_aspects_is_refused():
    aspects = ASPECTS["aspects"] | {"defintions": {}}

    assert "own.json: aspects has 'defintions'; it may have name, question, definitions." in (
        refusal(ASPECTS, aspects=aspects)
    )


@pytest.mark.parametrize("label", [1, None, "", "two words", "a,b", " padded"])
def test_a_label_of_sentences_is_one_word(label):
    facets = [FACETS["facets"][0] | {"sentence_labels": ["method_label", label]}]

    assert refusal(FACETS, facets=facets) == (
        "own.json: facets[0].sentence_labels[1] is not one word."
    )
