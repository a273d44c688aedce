"""The builder's form: what its fields say, and what its buttons change."""

import pytest

from annotation.schemes.draft import ASPECTS, FACETS, PLAIN, Draft
from annotation.schemes.draft_form import draft_of, press
from annotation.schemes.draft_parts import DraftFacet, DraftOption, DraftScale
from formats.records import PLAIN_FACET

FIELDS = {
    "kind": "facets",
    "key": "ours",
    "title": " Ours ",
    "description": "How we judge.",
    "rule": "difference_of_at_least",
    "overlap": "3",
    "hides_ratings": "on",
    "side_text": "on",
    "own_scales": "1",
    "reasons": "No text\n\nNo text\n In another language ",
    "causes": "A slip",
    "guidelines": " # Ours\r\n\r\nAs we do. ",
    "scales": "2",
    "scale-0-order": "ordinal",
    "scale-0-distance": "2",
    "scale-0-options": "2",
    "scale-0-option-0-key": "no",
    "scale-0-option-0-named": "No",
    "scale-0-option-0-name": "No",
    "scale-0-option-0-value": "0,0",
    "scale-0-option-0-shortcut": "N",
    "scale-0-option-1-key": "yes",
    "scale-0-option-1-named": "Yes",
    "scale-0-option-1-name": "Surely",
    "scale-0-option-1-value": "high",
    "scale-0-option-1-import": "on",
    "scale-1-order": "nominal",
    "scale-1-options": "0",
    "facets": "2",
    "facet-0-key": "tone",
    "facet-0-name": "Tone",
    "facet-0-question": "How does it sound?",
    "facet-0-labels": "method_label, result_label",
    "facet-0-definition-0": "It is not.\r\nAt all.",
    "facet-0-definition-1": "It is.",
    "facet-1-name": "Quality",
}
KEYS = {"A slip": "slip"}


def names(rows):
    return [row.name for row in rows]


# --- fields --------------------------------------------------------------------------------------


def test_draft_is_what_the_fields_say():
    draft = draft_of(FIELDS, KEYS)

    assert draft == Draft(
        kind=FACETS,
        key="ours",
        title="Ours",
        description="How we judge.",
        rule="difference_of_at_least",
        overlap="3",
        hides_ratings=True,
        side_text=True,
        is_shared=False,
        facets=[
            DraftFacet(
                key="tone",
                name="Tone",
                question="How does it sound?",
                labels="method_label, result_label",
                definitions=["It is not.\nAt all.", "It is."],
            ),
            DraftFacet(key="quality", name="Quality", definitions=[]),
        ],
        scales=[
            DraftScale(
                distance="2",
                options=[
                    DraftOption("no", "0", "No", "n"),
                    # A value that is no number stays as it was typed; a new name has a new key.
                    DraftOption("surely", "high", "Surely", "", is_import_only=True),
                ],
            ),
            DraftScale(is_ordinal=False),
        ],
        reasons=[
            {"key": "no_text", "name": "No text"},
            {"key": "in_another_language", "name": "In another language"},
        ],
        causes=[{"key": "slip", "name": "A slip"}],
        guidelines=" # Ours\n\nAs we do. ",
    )


def test_form_without_fields_is_a_draft_to_begin_with():
    draft = draft_of({}, {})

    assert (draft.kind, names(draft.facets), draft.scales) == (FACETS, ["First"], [DraftScale()])
    assert (draft.is_shared, draft.hides_ratings, draft.side_text) == (True, False, False)


@pytest.mark.parametrize(("kind", "key"), [(PLAIN, PLAIN_FACET), (ASPECTS, "")])
def test_scheme_of_one_question_keeps_the_first_facet_and_its_scale(kind, key):
    draft = draft_of(FIELDS | {"kind": kind}, {})

    assert [(facet.key, facet.name) for facet in draft.facets] == [(key, "Tone")]
    assert (draft.is_shared, len(draft.scales), len(draft.scales[0].options)) == (True, 1, 2)


def test_facet_of_a_scheme_that_was_plain_gets_a_key_of_its_own():
    plain = FIELDS | {"facet-0-key": PLAIN_FACET, "facets": "1"}

    assert [facet.key for facet in draft_of(plain, {}).facets] == ["tone"]


def test_two_of_one_name_have_two_keys():
    draft = draft_of(FIELDS | {"facet-0-key": "", "facet-1-name": "Tone"}, {})

    assert [facet.key for facet in draft.facets] == ["tone", "tone-2"]


def test_facet_that_is_named_all_has_not_the_key_of_all_together():
    draft = draft_of(FIELDS | {"facet-0-key": "", "facet-0-name": "All"}, {})

    assert [facet.key for facet in draft.facets] == ["all-1", "quality"]
    assert not [problem for problem in draft.problems() if problem.field == "facet-0-key"]


def test_name_without_letters_has_a_key_all_the_same():
    draft = draft_of(FIELDS | {"facet-1-name": "很好"}, {})

    assert draft.facets[1].key == "facet-2"


# --- buttons -------------------------------------------------------------------------------------


def two_facets(*, shares):
    scales = [
        DraftScale(options=[DraftOption(f"{facet}{n}", str(n), f"{facet}{n}") for n in range(3)])
        for facet in "ab"
    ]
    facets = [
        DraftFacet(facet, facet.upper(), definitions=[f"{facet} is {n}" for n in range(3)])
        for facet in "ab"
    ]
    return Draft(is_shared=shares, facets=facets, scales=scales[:1] if shares else scales)


def test_facet_that_is_added_to_others_with_scales_has_a_scale_of_two_options():
    draft, sharing = two_facets(shares=False), two_facets(shares=True)

    press(draft, "add-facet")
    press(sharing, "add-facet")

    assert names(draft.facets) == names(sharing.facets) == ["A", "B", ""]
    assert draft.scales[2] == DraftScale(options=[DraftOption(), DraftOption()])
    assert draft.facets[2].definitions == ["", ""]
    assert (len(sharing.scales), sharing.facets[2].definitions) == (1, ["", "", ""])


@pytest.mark.parametrize(
    ("button", "facets", "first_options"),
    [
        ("facet-0-down", ["B", "A"], ["b0", "a0"]),
        ("facet-1-up", ["B", "A"], ["b0", "a0"]),
        ("facet-0-up", ["A", "B"], ["a0", "b0"]),
        ("facet-1-down", ["A", "B"], ["a0", "b0"]),
        ("facet-0-remove", ["B"], ["b0"]),
        ("facet-7-remove", ["A", "B"], ["a0", "b0"]),
    ],
)
def test_facet_takes_its_scale_along(button, facets, first_options):
    draft = two_facets(shares=False)

    press(draft, button)

    assert names(draft.facets) == facets
    assert [scale.options[0].name for scale in draft.scales] == first_options


def test_scale_that_facets_share_stays_where_one_of_them_goes():
    draft = two_facets(shares=True)

    press(draft, "facet-0-remove")

    assert (names(draft.facets), names(draft.scales[0].options)) == (["B"], ["a0", "a1", "a2"])


@pytest.mark.parametrize(
    ("button", "order"),
    [
        ("scale-0-option-1-up", [1, 0, 2]),
        ("scale-0-option-1-down", [0, 2, 1]),
        ("scale-0-option-0-up", [0, 1, 2]),
        ("scale-0-option-2-down", [0, 1, 2]),
        ("scale-0-option-0-remove", [1, 2]),
        ("scale-0-option-3-remove", [0, 1, 2]),
    ],
)
def test_option_takes_its_definitions_along(button, order):
    draft = two_facets(shares=True)

    press(draft, button)

    assert names(draft.scales[0].options) == [f"a{number}" for number in order]
    assert [facet.definitions for facet in draft.facets] == [
        [f"{facet} is {number}" for number in order] for facet in "ab"
    ]


def test_scales_are_taken_apart_and_put_together():
    draft = two_facets(shares=True)

    press(draft, "own")
    draft.scales[1].options[0].name = "None"
    apart = [names(scale.options) for scale in draft.scales]
    press(draft, "scale-1-share")

    assert apart == [["a0", "a1", "a2"], ["None", "a1", "a2"]]
    assert (draft.is_shared, [names(scale.options) for scale in draft.scales]) == (
        True,
        [["None", "a1", "a2"]],
    )
