"""What a save brings, and what is wrong with it."""

import uuid
from decimal import Decimal

import pytest

from annotation.access import get_seat
from annotation.schemes.actions import edit_wording
from annotation.workbench.cache import terms
from annotation.workbench.forms import RatingForm
from tests.annotation.workbench.terms import GRADES, scale_of, terms_of
from tests.factories.studies import make_study

SAVE_ID = "6f1f6b5e-3c65-4a36-9f0b-5d2a4f1e7c11"


def form(facet="", terms=None, **fields):
    sent = {"save_id": SAVE_ID, "based_on": "0", "scheme_version": "2", "answer": "similar"}
    sent |= {
        name.replace("_", "-") if name[-1].isdigit() else name: fields[name] for name in fields
    }
    return RatingForm(sent, terms=terms or terms_of(), facet=facet)


def parts(*rows):
    """The fields of key components: their texts and marks."""
    fields = {}
    for number, (text, met) in enumerate(rows, start=1):
        fields |= {f"component-{number}": text, f"met-{number}": met}
    return fields


def test_a_save_brings_the_option_and_all_that_was_typed():
    sent = form(note="Same task.\r\nOther data.", is_flagged="on", active_seconds="12.5")
    assert sent.is_valid()
    assert sent.rating == {
        "save_id": uuid.UUID(SAVE_ID),
        "based_on": 0,
        "scheme_version": sent.terms.version,
        "option": sent.terms.options_of("")[2],
        "cannot_judge": "",
        "note": "Same task.\nOther data.",
        "is_flagged": True,
        "active_seconds": Decimal("12.5"),
        "components": [],
    }


def test_a_save_without_a_time_took_none():
    sent = form(active_seconds="")
    assert sent.is_valid()
    assert sent.rating["active_seconds"] == 0


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"answer": "cannot-judge:cut"}, "Text cut off"),
        ({"answer": "cannot-judge:own", "own_reason": " Blurred "}, "Blurred"),
        ({"answer": "cannot-judge:cut", "own_reason": "Blurred"}, "Text cut off"),
    ],
    ids=["of the scheme", "in own words", "own words beside one of the scheme"],
)
def test_who_cannot_judge_says_why_and_chooses_no_option(fields, reason):
    sent = form(**fields)
    assert sent.is_valid()
    assert (sent.rating["option"], sent.rating["cannot_judge"]) == (None, reason)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"answer": ""}, "Choose a grade, or say why you cannot judge the pair."),
        ({"answer": "superb"}, "This grade is not part of the scheme."),
        ({"answer": "cannot-judge:gone"}, "This grade is not part of the scheme."),
        ({"answer": "cannot-judge:own"}, "Say in your own words why you cannot judge the pair."),
        (
            {"answer": "cannot-judge:own", "own_reason": "x" * 201},
            "The reason is longer than 200 characters.",
        ),
        ({"note": "x" * 5_001}, "The note is longer than 5,000 characters."),
        ({"based_on": "-1"}, "based_on: Ensure this value is greater than or equal to 0."),
        ({"save_id": "1"}, "save_id: Enter a valid UUID."),
        (
            {"active_seconds": "86401"},
            "active_seconds: Ensure this value is less than or equal to 86400.",
        ),
        (
            {"active_seconds": "0.25"},
            "active_seconds: Ensure that there are no more than 1 decimal place.",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_and_names_fields_that_no_person_fills_in(fields, sentence):
    sent = form(**fields)
    assert not sent.is_valid()
    assert sent.sentence == sentence


def test_all_that_is_wrong_is_said_at_once():
    sent = form(answer="superb", note="x" * 5_001)
    assert not sent.is_valid()
    assert sent.sentence == (
        "The note is longer than 5,000 characters. This grade is not part of the scheme."
    )


def test_an_option_of_another_facets_scale_is_not_part_of_the_scheme():
    terms = terms_of(
        scale_of(GRADES, facet="method"), scale_of({"angry": 0, "calm": 1}, facet="tone")
    )
    assert form("tone", terms, answer="calm").is_valid()
    assert not form("tone", terms, answer="similar").is_valid()


def test_an_option_for_imports_alone_is_not_part_of_the_scheme():
    assert not form(terms=terms_of(scale_of(GRADES, hidden={"similar"}))).is_valid()


@pytest.mark.parametrize(("number", "is_known"), [("1", True), ("2", True), ("3", False)])
def test_a_page_opened_under_an_earlier_wording_saves_under_it(db, number, is_known):
    study = make_study()
    new = {"wording": study.scheme.current.wording, "guidelines": "Read twice."}
    edit_wording(scheme=study.scheme, **new, change_note="", by=study.lena)
    sent = form(
        "method", terms(get_seat(study.alice, study.seat("alice").public_id)), scheme_version=number
    )

    assert sent.is_valid() == is_known
    if is_known:
        assert sent.rating["scheme_version"].number == int(number)
    else:
        assert sent.sentence == "scheme_version: This version of the scheme does not exist."


class TestKeyComponents:
    def test_those_that_are_all_marked_are_part_of_the_answer(self):
        sent = form(**parts(("Sound ", "met"), ("Overlap", "not")))
        assert sent.is_valid()
        assert sent.rating["components"] == [
            {"text": "Sound", "met": "met"},
            {"text": "Overlap", "met": "not"},
        ]

    def test_a_row_without_a_text_is_none_even_if_it_is_marked(self):
        sent = form(**parts(("Sound", "met"), ("  ", "not")))
        assert sent.is_valid()
        assert sent.rating["components"] == [{"text": "Sound", "met": "met"}]

    def test_those_of_which_none_is_marked_are_no_part_of_the_answer(self):
        sent = form(**parts(("Sound", ""), ("Overlap", "")))
        assert sent.is_valid()
        assert sent.rating["components"] == []
        assert len(sent.components_typed) == 2

    @pytest.mark.parametrize("mark", ["", "half"])
    def test_a_part_of_them_marked_or_an_unknown_mark_is_refused(self, mark):
        sent = form(**parts(("Sound", "met"), ("Overlap", mark)))
        assert not sent.is_valid()
        assert sent.sentence.startswith("Mark every key component as met, partly met or not met")

    def test_one_that_is_too_long_is_refused(self):
        sent = form(**parts(("x" * 301, "met")))
        assert not sent.is_valid()
        assert sent.sentence == "A key component is longer than 300 characters."

    def test_one_more_than_are_kept_is_read_so_that_it_is_refused_later(self):
        sent = form(**parts(*[(f"Part {number}", "met") for number in range(20)]))
        assert len(sent.components_typed) == 13
