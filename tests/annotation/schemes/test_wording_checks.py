"""A wording is complete: everything that people read has a name, and every grade a key."""

import copy
from decimal import Decimal
from types import SimpleNamespace

import pytest

from annotation.schemes.wording_checks import check_wording
from audit.refusals import Invalid

SCALE = SimpleNamespace(
    facet="",
    offered=[
        SimpleNamespace(key="no", value=Decimal("0.000")),
        SimpleNamespace(key="yes", value=Decimal("1.000")),
    ],
)
OPTIONS = {"no": {"name": "No", "shortcut": "0"}, "yes": {"name": "Yes", "shortcut": "t"}}
JUDGED = {"name": "Method", "definitions": {"no": "Nothing of it", "yes": "Some of it"}}


def scheme(*facets, shares_a_scale=True):
    return SimpleNamespace(
        facets=SimpleNamespace(all=lambda: [SimpleNamespace(key=facet) for facet in facets]),
        scale_of=lambda facet: SCALE,
        shares_a_scale=shares_a_scale,
        current=SimpleNamespace(judges_aspects=not facets),
    )


SHARED = {"options": OPTIONS, "facets": {"method": JUDGED}}
OF_ASPECTS = {"options": OPTIONS, "aspects": JUDGED}
OWN = {"facets": {"method": JUDGED | {"options": OPTIONS}}}


def changed(wording, *path, to):
    """The wording with another text at a path."""
    wording = copy.deepcopy(wording)
    part = wording
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = to
    return wording


@pytest.mark.parametrize(
    ("judged", "wording"),
    [
        (scheme("method"), SHARED),
        (scheme(), OF_ASPECTS),
        (scheme("method", shares_a_scale=False), OWN),
    ],
)
def test_a_complete_wording_is_taken(judged, wording):
    check_wording(judged, wording)


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_text_is_refused_with_its_place(blank):
    method, aspects = scheme("method"), scheme()
    with_scale = scheme("method", shares_a_scale=False)
    of_facet, of_options = ("facets", "method"), ("facets", "method", "options")
    for judged, wording, sentence in [
        (
            method,
            changed(SHARED, *of_facet, "name", to=blank),
            "The facet method needs a name.",
        ),
        (
            method,
            changed(SHARED, *of_facet, "definitions", "yes", to=blank),
            "Method: the option yes needs a definition.",
        ),
        (
            method,
            changed(SHARED, "options", "no", "name", to=blank),
            "The option no needs a name.",
        ),
        (
            aspects,
            changed(OF_ASPECTS, "aspects", "name", to=blank),
            "What an aspect is called needs a name.",
        ),
        (
            aspects,
            changed(OF_ASPECTS, "aspects", "definitions", to={"yes": "Some of it"}),
            "Method: the option no needs a definition.",
        ),
        (
            with_scale,
            changed(OWN, *of_options, "yes", "name", to=blank),
            "The option yes needs a name.",
        ),
    ]:
        with pytest.raises(Invalid) as refused:
            check_wording(judged, wording)
        assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("judged", "wording", "path"),
    [
        (scheme("method"), SHARED, ("options",)),
        (scheme(), OF_ASPECTS, ("options",)),
        (scheme("method", shares_a_scale=False), OWN, ("facets", "method", "options")),
    ],
)
def test_a_key_of_the_workbench_or_of_another_grade_is_refused(judged, wording, path):
    for key, sentence in [("0", "Yes: No has the key “0”."), ("u", "Yes: The key “u” goes back")]:
        with pytest.raises(Invalid) as refused:
            check_wording(judged, changed(wording, *path, "yes", "shortcut", to=key))
        assert str(refused.value).startswith(sentence)
