"""The outcomes of pairs whose raters differ."""

import uuid
from collections import Counter

import pytest

from adjudication.actions import decide
from agreement.study.selection import selection_of
from agreement.subjects.disagreements.figures import Outcome, disagreements_of
from agreement.subjects.overview.report import report_of
from agreement.subjects.registry import tables_of
from tests.agreement.csfcube import read_ratings
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]

CAUSES = {"granularity": "Granularity", "context_missed": "Context missed"}


def disagreements(collection, *, facet="", **parameters):
    member = collection.memberships.get(name="Lena")
    selection = selection_of(member, member.user, parameters)
    report = report_of(collection, selection.everything, selection.filters)
    parts = [(row.key, row.name, row.disagreement) for row in report.rows]
    return disagreements_of(report.before, parts, facet=facet, causes=CAUSES)


def counted(outcomes):
    return {outcome.value: count for outcome, count in outcomes.counts.items() if count}


def became(first, second, gold):
    """Independent of the product: from the files, -1 is a grade of 0."""
    low, high = sorted((max(first, 0), max(second, 0)))
    if low == high:
        return None
    if gold in (low, high):
        return "lower" if gold == low else "higher"
    return "between" if low < gold < high else "neither"


def test_shares_of_the_sample_are_those_of_its_files(half, shared_data):
    expected = Counter()
    splits = Counter()
    for facet, _, first, second, gold in read_ratings(shared_data / "csfcube-half"):
        for first_grade, second_grade, final in zip(first, second, gold, strict=True):
            if outcome := became(first_grade, second_grade, final):
                expected[facet, outcome] += 1
                expected["", outcome] += 1
                splits[tuple(sorted((max(first_grade, 0), max(second_grade, 0))))] += 1

    report = disagreements(half)

    assert {
        (part.key, outcome): count
        for part in report.parts
        for outcome, count in counted(part.outcomes).items()
    } == expected
    assert {split.name: split.pairs for split in report.splits} == {
        f"{low} and {high}": count for (low, high), count in splits.items()
    }
    whole = report.parts[-1].outcomes
    assert sum(share for _, _, share, _ in whole.shares) == pytest.approx(1)
    assert report.confusion.sum() == 3071


@shelved
def study():
    """Six pairs of which five differ; four are decided, one is excluded, the last is open."""
    study = make_study(candidates=7)
    study.finish(alice=[0, 0, 0, 1, 0, 2, 3], bob=[2, 2, 2, 2, 1, 2, 1])
    decisions = [(0, "granularity"), (2, "granularity"), (1, "context_missed"), (3, ""), None]
    for pair, decision in zip(study.batch.pairs.disputed()[:5], decisions, strict=True):
        chosen = {"exclusion_reason": "not a paper"}
        if decision:
            value, cause = decision
            chosen = {"option": study.option(value), "cause": cause, "rationale": "neither saw it"}
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), **chosen)
    return study


def test_every_outcome_is_reported(study):
    report = disagreements(study.collection)

    assert counted(report.parts[-1].outcomes) == {
        "lower": 1,
        "higher": 1,
        "between": 1,
        "neither": 1,
        "excluded": 1,
        "to decide": 1,
    }
    assert report.parts[-1].outcomes.decided == 4
    assert [split.name for split in report.splits] == ["0 and 2", "0 and 1", "1 and 2", "1 and 3"]
    assert [share for _, _, share, _ in report.parts[-1].outcomes.shares] == [0.25] * 4


def test_causes_come_by_their_names_and_those_without_last(study):
    report = disagreements(study.collection)

    assert [(cause.name, cause.pairs) for cause in report.causes] == [
        ("Granularity", 2),
        ("Context missed", 1),
        ("no cause recorded", 2),
    ]


def test_cannot_judge_makes_a_difference_only_as_the_lowest_value():
    study = make_study(candidates=2)
    study.finish(alice=[None, 1], bob=[1, 1])

    lowest = disagreements(study.collection)
    dropped = disagreements(study.collection, **{"cannot-judge": "drop"})

    assert counted(lowest.parts[-1].outcomes) == {"to decide": 1}
    assert counted(dropped.parts[-1].outcomes) == {}


def test_differences_that_the_majority_settled_are_no_decisions(three):
    report = disagreements(three.collection)

    whole = report.parts[-1].outcomes
    assert whole.counts[Outcome.RULE] == 2
    assert whole.decided == 0
    assert {share for _, _, share, _ in whole.shares} == {None}
    # Every two of three seats, over four pairs.
    assert report.confusion.sum() == 12


# --- the tables ----------------------------------------------------------------------------------


def tables(study, **parameters):
    selection = selection_of(study.members["lena"], study.lena, parameters)
    return {table.key: table for table in tables_of(selection, "disagreements", {})}


def row_of(table, number=-1):
    return dict(zip([column.key for column in table.columns], table.rows[number], strict=True))


def test_row_has_each_way_of_a_decision_with_its_share_and_beside_it_what_is_no_decision(study):
    table = tables(study)["adjudicator"]

    row, beside = row_of(table), table.beside[-1]
    assert (row["of"], row["pairs"], row["decided"]) == ("All", 6, 4)
    ways = ("lower", "higher", "between", "neither")
    assert [(row[f"{way}_count"], row[way]) for way in ways] == [(1, 0.25)] * 4
    assert [(count.number, count.words) for count in beside.counts["pairs"]] == [
        (1, "excluded"),
        (1, "to decide"),
    ]
    assert beside.links["lower_count"].cell == "lower"
    assert [series.column for series in table.picture.series] == [f"{way}_count" for way in ways]


def test_values_and_causes_open_the_lists_of_their_own_pairs(study):
    shown = tables(study)
    values, causes = shown["values"], shown["causes"]

    assert values.columns[0].title == "Lowest and highest rating"
    assert values.rows[0][:2] == ("0 and 2", 3)
    assert values.beside[0].links["pairs"].cell == "0,2"
    assert values.beside[0].links["decided"].cell == "0,2,decided"
    assert causes.rows[-1][0] == "no cause recorded"
    assert causes.beside[0].links["lower_count"].cell == "granularity,lower"


def test_distances_are_of_all_pairs_and_each_opens_its_own(study):
    table = tables(study)["distances"]

    row, beside = row_of(table), table.beside[-1]
    assert {key: row[key] for key in row if key != "facet"} == {
        "apart_0": 1,
        "apart_1": 2,
        "apart_2": 4,
    }
    assert [column.title for column in table.columns[1:]] == ["Same", "1 apart", "2 apart"]
    assert (beside.links["apart_2"].cell, beside.below["apart_2"]) == ("2", "57.1%")


def test_confusion_counts_the_first_rating_against_the_second(study):
    table = tables(study)["confusion"]

    assert [row[0] for row in table.rows] == ["0", "1", "2", "3"]
    # Of the first rating 0: once the second was 1, three times 2.
    assert list(table.rows[0][1:]) == [0, 1, 3, 0]
    assert sum(sum(row[1:]) for row in table.rows) == 7
    assert (table.picture.rows, table.picture.columns) == ("first rating", "second rating")
    assert table.beside[0].links["value_2"].cell == "0,2"
