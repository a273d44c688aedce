"""What comes with Facetwise can be used as it is, and fits the screens that show it."""

import pytest

from annotation.schemes.actions import create_scheme, load_definition, shipped_schemes
from annotation.schemes.guidelines import render
from annotation.schemes.wording_checks import check_wording
from datasets.models import Collection

# Characters in two lines of an option's card at 1440 pixels.
LONGEST_DEFINITION = 2 * 42
EVERY_SCHEME = pytest.mark.parametrize("key", shipped_schemes())


@EVERY_SCHEME
@pytest.mark.django_db
def test_shipped_scheme_has_words_and_keys_for_everything(key):
    collection = Collection.objects.create(slug="study", name="Study")

    scheme = create_scheme(collection=collection, definition=load_definition(key), by=None)

    check_wording(scheme, scheme.current.wording)
    assert scheme.current.guidelines


@EVERY_SCHEME
def test_shipped_definitions_fit_their_cards(key):
    definition = load_definition(key)
    judged = [*definition.get("definitions", {}).values()]
    judged += [definition["aspects"]["definitions"]] if "aspects" in definition else []

    assert judged
    for definitions in judged:
        for text in definitions.values():
            assert len(text) <= LONGEST_DEFINITION, text


@EVERY_SCHEME
def test_shipped_guidelines_have_a_part_for_every_facet(key):
    definition = load_definition(key)
    html = render(definition["guidelines"])

    for facet in definition["facets"]:
        assert f'<h3 dir="auto">{facet["name"]}</h3>' in html


def test_csfcube_highlights_objective_as_background():
    labels = {
        facet["key"]: facet["sentence_labels"] for facet in load_definition("csfcube")["facets"]
    }

    assert labels == {
        "background": ["background_label", "objective_label"],
        "method": ["method_label"],
        "result": ["result_label"],
    }
