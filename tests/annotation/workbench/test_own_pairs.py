"""The holder's own pairs in columns: which are shown, in which order, on which page."""

from types import SimpleNamespace

import pytest

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.workbench.bench import Bench, Place, PlaceState
from annotation.workbench.cache import Step
from annotation.workbench.own_pairs import (
    ROWS_ON_A_PAGE,
    Column,
    Filters,
    OwnPair,
    columns,
    own_pairs,
)
from datasets.models import Document
from tests.annotation.workbench.terms import GRADES, options_in_words, scale_of, terms_of
from tests.factories.studies import assign_all, make_member, make_study, ordered_pairs

EVERY_PAIR = Filters()


def pair(number, column="similar", title="", *, is_flagged=False, facet="", **fields):
    step = Step(
        position=100 - number,
        number=number,
        group=1,
        starts_group=False,
        pair_id=number,
        topic_id=1,
        document_id=number,
        facet=facet,
    )
    state = PlaceState.RATED if column else PlaceState.OPEN
    place = Place(step, f"/{number}/", state, is_flagged)
    return OwnPair(place, title or f"Paper {number}", facet, column=column, **fields)


def shown(pairs, filters=EVERY_PAIR, terms=None):
    """{name of a column: the numbers of its pairs}, without columns that have none."""
    bench = SimpleNamespace(terms=terms or terms_of())
    return {
        column.name: [row.place.number for row in column.shown]
        for column in columns(bench, pairs, filters)
        if column.pairs
    }


def numbers(pairs, **filters):
    return [number for some in shown(pairs, Filters(**filters)).values() for number in some]


class TestReading:
    """Of the seat's pairs and the holder's own answers, whatever others did."""

    def rows(self, study, name="alice"):
        return [
            (row.place.number, row.column, row.note, row.reason, row.seconds, row.version)
            for row in own_pairs(Bench(study.seat(name)))
        ]

    def test_each_pair_of_the_seat_comes_with_the_holders_own_answer(self, db):
        study = make_study(candidates=3)
        first, second, _ = ordered_pairs(study.seat("alice"))
        study.rate("alice", first, 1, active_seconds=4)
        study.rate("alice", first, 2, based_on=1, note="Same task.", active_seconds=9)
        study.rate("alice", second, None)
        study.rate_all("bob", 3)

        assert self.rows(study) == [
            (1, "similar", "Same task.", "", 9.0, 2),
            (2, "cannot-judge", "", "garbled text", 0.0, 1),
            (3, "", "", "", 0, 0),
        ]

    def test_a_successor_has_none_of_what_the_predecessor_answered(self, db):
        study = make_study(candidates=3)
        study.rate("alice", ordered_pairs(study.seat("alice"))[0], 3)
        dora = study.members["dora"] = make_member(study.collection, "Dora", "annotator")
        assign_seat(seat=study.seat("alice"), member=dora, by=study.lena, reason="Away.")

        assert [row[1] for row in self.rows(study, "dora")] == ["", ""]

    def test_a_paper_without_a_title_is_called_by_its_beginning(self, db):
        study = make_study(candidates=2, assign=False)
        untitled, titled = Document.objects.filter(pk__in=study.topics[0].pairs.values("document"))
        Document.objects.filter(pk=untitled.pk).update(title="")
        batches = make_batches(collection=study.collection, by=study.lena)
        assign_all(study, batches, ["alice", "bob"])

        titles = {row.title for row in own_pairs(Bench(study.seat("alice")))}

        [called] = titles - {titled.title}
        assert called.startswith(f"“{untitled.sentences[0]['text']}")


class TestColumns:
    def test_there_is_one_for_each_option_in_the_order_of_the_scale_and_one_for_cannot_judge(self):
        all_columns = columns(SimpleNamespace(terms=terms_of()), [pair(1)], EVERY_PAIR)
        assert [(column.name, column.cap) for column in all_columns] == [
            ("Irrelevant", "0"),
            ("Related", "1"),
            ("Similar", "2"),
            ("Identical", "3"),
            ("Cannot judge", ""),
        ]

    def test_what_has_no_answer_yet_stands_first(self):
        pairs = [pair(1, "similar"), pair(2, ""), pair(3, "cannot-judge"), pair(4, "irrelevant")]
        assert list(shown(pairs).items()) == [
            ("No answer yet", [2]),
            ("Irrelevant", [4]),
            ("Similar", [1]),
            ("Cannot judge", [3]),
        ]

    def test_facets_that_share_a_scale_share_its_columns(self):
        terms = terms_of(facets={"method": {}, "result": {}})
        pairs = [pair(1, facet="method"), pair(2, facet="result")]
        assert shown(pairs, terms=terms) == {"Similar": [1, 2]}

    def test_facets_with_scales_of_their_own_have_columns_of_their_own(self):
        tone = {"angry": 0, "calm": 1}
        terms = terms_of(
            scale_of(GRADES, facet="method"),
            scale_of(tone, facet="tone"),
            facets={"method": {}, "tone": {"options": options_in_words(tone)}},
        )
        pairs = [pair(1, "calm", facet="tone"), pair(2, "related", facet="method")]
        assert shown(pairs, terms=terms) == {"Calm": [1], "Related": [2]}

    def test_an_option_without_a_key_to_press_has_its_value_on_its_square(self):
        words = {key: {"name": key.capitalize()} for key in GRADES}
        terms = terms_of(options=words)
        by_option = columns(SimpleNamespace(terms=terms), [pair(1)], EVERY_PAIR)
        assert [column.cap for column in by_option] == ["0", "1", "2", "3", ""]
        assert shown([pair(1)], terms=terms) == {"Similar": [1]}

    def test_an_option_that_nobody_can_choose_stands_with_what_cannot_be_judged(self):
        assert shown([pair(1, "of an import")]) == {"Cannot judge": [1]}

    def test_a_column_says_how_many_a_filter_holds_back(self):
        pairs = [pair(1, note="Why?"), pair(2), pair(3)]
        bench = SimpleNamespace(terms=terms_of())
        similar = columns(bench, pairs, Filters(has_note=True))[2]
        assert similar.count == "1 of 3"
        assert columns(bench, pairs, EVERY_PAIR)[2].count == "3"


class TestFilters:
    def test_every_word_must_stand_in_title_topic_note_or_reason(self):
        pairs = [
            pair(1, title="Bird song at night"),
            pair(2, title="Bird flight", note="Night only."),
            pair(3, title="Bird flight"),
            pair(4, topic="Songs of the night", title="A bird"),
            pair(5, "cannot-judge", "BIRD", reason="Written at NIGHT"),
        ]
        assert set(numbers(pairs, words="night BIRD")) == {1, 2, 4, 5}

    def test_flagged_and_noted_pairs_can_be_asked_for_alone_or_both(self):
        pairs = [
            pair(1, is_flagged=True),
            pair(2, note="Why?"),
            pair(3, is_flagged=True, note="Why?"),
            pair(4),
        ]
        assert numbers(pairs, is_flagged=True) == [1, 3]
        assert numbers(pairs, has_note=True) == [2, 3]
        assert numbers(pairs, is_flagged=True, has_note=True) == [3]

    @pytest.mark.parametrize(
        ("query", "filters"),
        [
            ({}, Filters()),
            ({"words": "  bird  "}, Filters(words="bird")),
            ({"words": "b" * 300}, Filters(words="b" * 200)),
            ({"flagged": "on", "noted": "on"}, Filters(is_flagged=True, has_note=True)),
            ({"order": "title"}, Filters(order="title")),
            ({"order": "best"}, Filters(order="marked")),
            ({"page": "3"}, Filters(page=3)),
            ({"page": "0"}, Filters(page=1)),
            ({"page": "-1"}, Filters(page=1)),
            ({"page": "two"}, Filters(page=1)),
        ],
    )
    def test_an_address_says_them_and_what_it_cannot_say_is_the_usual(self, query, filters):
        assert Filters.of(query) == filters


class TestOrder:
    PAIRS = (
        pair(1, title="beta", seconds=10),
        pair(2, title="Alpha", seconds=0),
        pair(3, title="gamma", seconds=30, note="Why?"),
        pair(4, title="Alpha", seconds=30, is_flagged=True),
    )

    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            ("marked", [3, 4, 1, 2]),
            ("rated", [1, 2, 3, 4]),
            ("title", [2, 4, 1, 3]),
            ("time", [3, 4, 1, 2]),
        ],
    )
    def test_equal_ones_stand_as_they_are_walked_through(self, order, expected):
        assert numbers(reversed(self.PAIRS), order=order) == expected


class TestPages:
    def column(self, count, page=1):
        column = Column("similar", "Similar", page=page)
        column.pairs = [pair(number) for number in range(1, count + 1)]
        column.total = count
        return column

    @pytest.mark.parametrize(
        ("count", "pages"),
        [(0, 0), (1, 1), (ROWS_ON_A_PAGE, 1), (ROWS_ON_A_PAGE + 1, 2)],
    )
    def test_a_column_has_as_many_as_its_pairs_need(self, count, pages):
        assert self.column(count).page_count == pages

    def test_a_page_begins_where_the_last_one_ended(self):
        first, second = (self.column(ROWS_ON_A_PAGE + 3, page) for page in (1, 2))
        assert len(first.shown) == ROWS_ON_A_PAGE
        assert [row.place.number for row in second.shown] == [
            ROWS_ON_A_PAGE + number for number in (1, 2, 3)
        ]

    def test_a_large_column_counts_by_thousands(self):
        column = self.column(3)
        column.total = 1_200
        assert column.count == "3 of 1,200"
