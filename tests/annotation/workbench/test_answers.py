"""Answers in words: as they are stored, and as they stand in a form."""

from types import SimpleNamespace

import pytest

from annotation.models import Rating
from annotation.workbench.answers import Answer, Components, answer_of_form, answer_of_rating
from annotation.workbench.forms import RatingForm
from tests.annotation.workbench.terms import GRADES, options_in_words, scale_of, terms_of

SIMILAR = 102  # the number of the option in `terms_of()`


def stored(**fields):
    return Rating(**{"option_id": SIMILAR, "note": "", "components": [], **fields})


def typed(terms, facet="", **fields):
    return answer_of_form(RatingForm(fields, terms=terms, facet=facet))


def test_a_pair_without_rating_has_an_empty_answer():
    assert answer_of_rating(terms_of(), "", None) == Answer()


def test_a_stored_grade_is_said_by_value_and_name():
    components = [{"text": "Sound", "met": "met"}]
    rating = stored(note="Same task.", is_flagged=True, components=components)
    assert answer_of_rating(terms_of(), "", rating) == Answer(
        choice="similar",
        note="Same task.",
        is_flagged=True,
        components=components,
        words="2 · Similar",
    )


@pytest.mark.parametrize(
    ("shortcut", "is_ordinal", "shows"),
    [("s", True, True), ("2", True, False), ("s", False, False)],
    ids=["another key", "the value is the key", "no order"],
)
def test_a_value_stands_beside_its_option_where_the_key_is_another(shortcut, is_ordinal, shows):
    words = {key: {"name": key, "shortcut": shortcut} for key in GRADES}
    terms = terms_of(scale_of(GRADES, is_ordinal=is_ordinal), options=words)
    assert terms.choices_of("")[2].shows_value == shows


def test_a_label_without_an_order_is_said_by_its_name_alone():
    terms = terms_of(scale_of(GRADES, is_ordinal=False))
    assert answer_of_rating(terms, "", stored()).words == "Similar"


def test_a_negative_grade_is_said_with_a_minus_sign():
    values = {"harmful": -1, "useless": 0}
    terms = terms_of(scale_of(values), options=options_in_words(values))
    assert answer_of_rating(terms, "", stored(option_id=100)).words == "\u22121 · Harmful"


def test_a_facet_with_a_scale_of_its_own_has_its_own_names():
    tone = {"angry": 0, "calm": 1}
    terms = terms_of(
        scale_of(GRADES, facet="method"),
        scale_of(tone, facet="tone"),
        facets={
            "method": {"options": options_in_words(GRADES)},
            "tone": {"options": options_in_words(tone)},
        },
    )
    assert answer_of_rating(terms, "tone", stored(option_id=101)).words == "1 · Calm"
    assert answer_of_rating(terms, "method", stored(option_id=101)).words == "1 · Related"


def test_an_option_that_only_imports_have_is_no_choice_of_the_form():
    terms = terms_of(scale_of(GRADES, hidden={"similar"}))
    answer = answer_of_rating(terms, "", stored())
    assert (answer.choice, answer.words) == ("", "No grade of the scale")


@pytest.mark.parametrize(
    ("reason", "choice", "own_reason", "words"),
    [
        ("Text cut off", "cannot-judge:cut", "", "Cannot judge: Text cut off"),
        ("It is a poem", "cannot-judge:own", "It is a poem", "Cannot judge: It is a poem"),
    ],
    ids=["of the scheme", "in own words, or of an earlier wording"],
)
def test_a_stored_reason_is_the_schemes_or_an_own_one(reason, choice, own_reason, words):
    answer = answer_of_rating(terms_of(), "", stored(option_id=None, cannot_judge=reason))
    assert (answer.choice, answer.own_reason, answer.words) == (choice, own_reason, words)


def test_a_form_keeps_what_was_typed_though_it_is_not_valid():
    row = {"component-1": "Sound", "met-1": "half"}
    sent = {"answer": "similar", "note": "n" * 6_000, "is_flagged": "on", "own_reason": "Blurred"}
    assert typed(terms_of(), **sent, **row) == Answer(
        choice="similar",
        own_reason="Blurred",
        note="n" * 6_000,
        is_flagged=True,
        components=[{"text": "Sound", "met": "half"}],
        words="2 · Similar",
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "No grade of the scale"),
        ({"answer": "superb"}, "No grade of the scale"),
        ({"answer": "cannot-judge:language"}, "Cannot judge: Not in English"),
        ({"answer": "cannot-judge:own", "own_reason": "Blurred"}, "Cannot judge: Blurred"),
        ({"answer": "cannot-judge:gone"}, "Cannot judge: "),
    ],
)
def test_what_was_chosen_in_a_form_is_said_in_words(fields, words):
    assert typed(terms_of(), **fields).words == words


class TestPanelOfComponents:
    SUGGESTIONS = [
        {"option": "identical", "at_least": "1"},
        {"option": "similar", "above": "0.5"},
        {"option": "related", "above": "0"},
        {"option": "irrelevant", "at_least": "0"},
    ]

    def panel(self, *components, remembered=(), is_read_only=False):
        terms = terms_of(
            aspects={},
            key_components={
                "is_asked": True,
                "question": "Is it met?",
                "suggestions": self.SUGGESTIONS,
            },
        )
        bench = SimpleNamespace(version=terms.version, is_read_only=is_read_only)
        rows = [{"text": text, "met": met} for text, met in components]
        return Components(bench, Answer(components=rows), remembered)

    def texts(self, panel):
        return [row["text"] for row in panel.rows]

    def test_there_are_four_rows_to_fill_in_at_least(self):
        assert self.texts(self.panel()) == ["", "", "", ""]

    def test_one_empty_row_follows_those_that_are_filled(self):
        filled = [(f"Part {number}", "met") for number in range(5)]
        assert self.texts(self.panel(*filled)) == [text for text, _ in filled] + [""]

    def test_no_row_is_offered_beyond_the_most_that_are_kept(self):
        filled = [(f"Part {number}", "met") for number in range(Components.limit)]
        assert len(self.panel(*filled).rows) == Components.limit

    def test_a_seat_that_is_handed_in_shows_what_is_filled_alone(self):
        assert self.texts(self.panel(("Sound", "met"), is_read_only=True)) == ["Sound"]
        assert self.texts(self.panel(is_read_only=True)) == []

    def test_the_split_of_an_earlier_document_is_offered_without_marks(self):
        panel = self.panel(remembered=["Sound", "Overlap"])
        assert panel.rows[:2] == [{"text": "Sound", "met": ""}, {"text": "Overlap", "met": ""}]
        assert not panel.is_held

    def test_the_own_split_comes_before_that_of_an_earlier_document(self):
        panel = self.panel(("Sound", "not"), remembered=["Overlap"])
        assert self.texts(panel)[:2] == ["Sound", ""]
        assert panel.is_held

    @pytest.mark.parametrize(
        ("marks", "name"),
        [
            (["met", "met"], "Identical"),
            (["met", "partly"], "Similar"),
            (["met", "not"], "Related"),
            (["not", "not"], "Irrelevant"),
            (["met", ""], ""),
            ([], ""),
        ],
    )
    def test_a_grade_is_suggested_once_every_part_is_marked(self, marks, name):
        parts = [(f"Part {number}", met) for number, met in enumerate(marks)]
        assert self.panel(*parts).suggested == name
