"""Two sources against each other, over a few units whose values can be counted on paper."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from agreement.statistics import Reason
from agreement.study.selection import selection_of
from annotation.models import Pair
from datasets.models import Level
from datasets.runs.judgments import add_judgments
from evaluation.against.figures import (
    MOST_VALUES,
    Against,
    NotComparable,
    chosen_sources,
    compare,
)
from evaluation.against.lists import cell_named
from evaluation.against.tables import _coefficients, _values
from evaluation.sources.choices import source_named
from evaluation.sources.source import GOLD, Kind, Source
from tests.factories.runs import judgments_of
from tests.factories.studies import make_aspect_query, make_aspect_study, make_study
from tests.shelf import shelved

pytestmark = pytest.mark.once

SCALE = (0.0, 1.0, 2.0, 3.0)
NIST = Source(Kind.JUDGMENTS, "nist")


def against(ours, theirs, *, group=0, level=Level.TOPICS, is_ordinal=True, pairs=None, scale=SCALE):
    """Units whose pairs are 1, 2, 3 and so on."""
    size = len(ours)
    return Against(
        GOLD,
        NIST,
        level,
        is_ordinal,
        scale,
        np.array(np.broadcast_to(group, size)),
        np.array(ours, dtype=float),
        np.array(theirs, dtype=float),
        np.arange(1, size + 1)[:, np.newaxis] if pairs is None else pairs,
        left_out=0,
    )


def rows_of(compared):
    return {row.name: row for row in compared.rows}


# --- counts --------------------------------------------------------------------------------------


def test_first_source_is_in_rows_over_the_whole_scale():
    compared = against([2, 0, 1, 2], [3, 0, 1, 3])

    assert compared.values == (list(SCALE), list(SCALE))
    assert compared.counts == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]]
    assert compared.behind(2, 3) == [1, 4]
    assert compared.behind(3, 3) == []


def test_values_off_the_scale_stand_as_they_occur():
    compared = against([2, 0, 1], [0.95, 0.1, 0.1])

    assert not compared.on_one_scale
    assert compared.values == ([0, 1, 2], [0.1, 0.95])
    assert compared.counts == [[1, 0], [1, 0], [0, 1]]


def test_median_between_two_values_of_the_scale_has_a_row_of_its_own():
    compared = against([0.5, 1, 2.5], [1, 1, 3])

    assert compared.values == ([0, 0.5, 1, 2, 2.5, 3], list(SCALE))
    assert [row[1] for row in compared.counts] == [0, 1, 1, 0, 0, 0]
    assert compared.behind(0.5, 1) == [1]


def test_sums_over_aspects_stand_as_they_occur_though_they_are_on_the_scale():
    compared = against([2, 3], [1, 3], level=Level.QUERIES, pairs=[[1, 2], [3, 4]])

    assert compared.values == ([2, 3], [1, 3])
    assert compared.behind(3, 3) == [3, 4]


def test_every_cell_counts_the_pairs_that_it_opens():
    random = np.random.default_rng(8)
    compared = against(random.integers(0, 4, 60), random.integers(0, 4, 60))

    behind = [[len(compared.behind(x, y)) for y in SCALE] for x in SCALE]

    assert behind == compared.counts
    assert sum(map(sum, compared.counts)) == compared.size == 60


@pytest.mark.parametrize(("different", "has_table"), [(MOST_VALUES, True), (17, False)])
def test_table_of_too_many_values_is_not_shown(different, has_table):
    theirs = [number / 100 for number in range(different)]

    assert against([0] * different, theirs).has_table == has_table
    assert against(theirs, [0.5] * different, level=Level.QUERIES).has_table == has_table


def test_value_of_many_digits_opens_its_pairs():
    """A third has no end; two that are alike in six digits are two columns of a file."""
    thirds = [0.3333333333, 0.3333334, 2 / 3, 2 / 3]
    compared = against([0, 0, 1, 1], thirds)

    table = _values(compared)

    keys = [column.key for column in table.columns[1:]]
    assert len(set(keys)) == 3
    for row, beside in zip(table.rows, table.beside, strict=True):
        for key, count in zip(keys, row[1:], strict=True):
            *_, ours, theirs = beside.links[key].cell.split(" ")
            assert len(compared.behind(float(ours), float(theirs))) == count


def test_cell_is_named_by_its_sources_and_values():
    assert cell_named("gold", "judgments:nist", 2.0, 0.5) == "gold judgments:nist 2 0.5"
    assert cell_named("gold", "seat:1", -1.0, 1 / 3) == "gold seat:1 -1 0.3333333333333333"


# --- measures ------------------------------------------------------------------------------------


def test_mean_is_over_the_topics_that_have_a_value_and_pooled_over_all_units():
    compared = against([0, 1, 2, 0, 1], [0, 1, 2, 1, 1], group=[0, 0, 0, 1, 1])

    percent, rho = rows_of(compared)["percent"], rows_of(compared)["rho"]
    assert (percent.pooled.value, percent.mean.value, percent.topics) == (80, 75, 2)
    # In the second topic the second list is constant.
    assert (rho.mean.value, rho.topics) == (1, 1)
    assert rho.pooled.value == pytest.approx(spearmanr([0, 1, 2, 0, 1], [0, 1, 2, 1, 1]).statistic)


def test_units_of_a_topic_need_not_stand_together():
    apart = against([0, 2, 1, 0], [0, 1, 1, 0], group=[0, 1, 0, 1])
    together = against([0, 1, 2, 0], [0, 1, 1, 0], group=[0, 0, 1, 1])

    assert rows_of(apart) == rows_of(together)
    assert rows_of(apart)["percent"].mean.value == 75  # the whole of the first, half of the second


def test_measures_of_order_are_those_of_scipy():
    random = np.random.default_rng(5)
    ours, theirs = random.integers(0, 4, 40), random.integers(0, 4, 40) / 3

    rows = rows_of(against(ours, theirs))

    assert rows["rho"].pooled.value == pytest.approx(spearmanr(ours, theirs).statistic)
    assert rows["tau_b"].pooled.value == pytest.approx(kendalltau(ours, theirs).statistic)


def test_values_on_another_scale_have_measures_of_order_alone():
    rows = rows_of(against([0, 1, 2], [0.1, 0.5, 0.95]))

    undefined = {name for name, row in rows.items() if row.pooled.value is None}
    assert undefined == {"percent", "kappa", "alpha", "mean_signed_difference"}
    for name in undefined:
        row = rows[name]
        assert (row.pooled.reason, row.mean.reason, row.topics) == (
            Reason.OTHER_SCALE,
            Reason.OTHER_SCALE,
            0,
        )


def test_sums_over_aspects_are_compared_by_every_measure():
    rows = rows_of(against([2, 4, 6], [2.5, 4, 6], level=Level.QUERIES, pairs=[[1], [2], [3]]))

    assert rows["percent"].pooled.value == pytest.approx(200 / 3)
    assert rows["mean_signed_difference"].pooled.value == pytest.approx(-0.5 / 3)


def test_first_above_second_is_a_difference_above_0():
    rows = rows_of(against([3, 2], [1, 2]))

    assert rows["mean_signed_difference"].pooled.value == 1


def test_labels_have_measures_of_equality_alone():
    rows = rows_of(against([0, 1, 1], [0, 1, 2], is_ordinal=False))

    assert list(rows) == ["percent", "kappa"]
    # Two of three alike; by chance 1/3 x 1/3 + 2/3 x 1/3 = 1/3.
    assert rows["kappa"].pooled.value == pytest.approx(0.5)


def test_of_nothing_every_figure_is_undefined():
    compared = against([], [])

    assert compared.size == 0
    assert all(row.pooled.value is None and row.topics == 0 for row in compared.rows)
    assert all(row.mean.reason == Reason.NO_FIGURES for row in compared.rows)
    assert sum(map(sum, compared.counts)) == 0


def test_titles_keep_the_letters_of_a_name():
    machine = Source(Kind.MACHINE, "1", "machine run GPT-4o, Run 2")
    compared = replace(against([0, 1], [0, 1]), first=machine)

    coefficients, values = _coefficients(None, compared), _values(compared)

    assert coefficients.title.startswith("Machine run GPT-4o, Run 2 against")
    assert values.columns[0].title == "Machine run GPT-4o, Run 2"


def test_file_says_why_a_coefficient_is_missing():
    table = _coefficients(None, against([0, 1], [0.5, 0.5]))

    percent, *_, tau = zip(table.rows, table.beside, strict=True)
    assert percent[0][1:] == (None, None, 0)
    assert percent[1].missing == {"pooled": "the values are on another scale"}
    assert tau[1].missing == {"pooled": "one list holds a single value"}
    assert table.title == "Gold against judgments:nist"
    assert table.notes == ("2 compared; 0 left out, with a value from only one of the two.",)


# --- what is compared ----------------------------------------------------------------------------


@shelved
def study():
    """Three pairs of gold 2, 0 and 1, and a second topic of which Bob is not done."""
    study = make_study(facets=("method", "result"))
    study.finish(alice=[2, 0, 1], bob=[2, 0, 1])
    study.rate_all("alice", 1, study.topics[1].pairs.first().batch)
    return study


@shelved
def aspects():
    """A query of four aspects over three documents, all rated 1."""
    study = make_aspect_study()
    for batch in study.collection.batches.all():
        study.finish(batch, alice=1, bob=1, erin=1)
    return study


def judge(study, grades, **options):
    add_judgments(
        collection=study.collection, judgments=judgments_of(grades), by=study.lena, **options
    )


def compared(study, first="gold", second="judgments:nist", **filters):
    selection = selection_of(study.members["lena"], study.lena, filters)
    named = [source_named(study.collection, address) for address in (first, second)]
    return compare(selection, *named)


@pytest.mark.django_db
def test_units_that_one_of_the_two_alone_has_are_left_out_and_counted(study):
    judge(study, {"q1_method": {"q1c1": "2", "q1c3": "0"}, "q1_result": {"q1c1": "1"}})

    result = compared(study)

    # Gold has no judgment of one pair, and has not spoken of the second topic.
    assert (result.ours.tolist(), result.theirs.tolist(), result.left_out) == ([2, 1], [2, 0], 2)
    assert (result.level, result.is_ordinal, result.scale) == (Level.TOPICS, True, SCALE)


@pytest.mark.django_db
def test_seat_stands_against_another_once_all_seats_are_handed_in(study):
    result = compared(study, "seat:1", "seat:2")

    assert (result.size, result.left_out) == (3, 0)


@pytest.mark.parametrize(("rule", "ours"), [("lowest", [2, 0, 0]), ("drop", [2, 0])])
@pytest.mark.django_db
def test_cannot_judge_is_the_lowest_grade_or_no_value(rule, ours):
    study = make_study()
    study.finish(alice=[2, 0, None], bob=[2, 0, 1])

    result = compared(study, "seat:1", "seat:2", **{"cannot-judge": rule})

    assert (result.ours.tolist(), result.left_out) == (ours, 3 - len(ours))


@pytest.mark.django_db
def test_filters_choose_what_is_compared(study):
    judge(study, {"q1_method": {"q1c1": "2"}})

    assert compared(study, facet="method").size == 1
    assert compared(study, facet="result").size == 0


@pytest.mark.django_db
def test_gold_is_first_and_judgments_second_where_nothing_is_named(study):
    selection = selection_of(study.members["lena"], study.lena, {})
    assert chosen_sources(selection, {}) == (GOLD, None)

    judge(study, {"q1_method": {"q1c1": "2"}})

    first, second = chosen_sources(selection, {})
    assert (first.address, second.address) == ("gold", "judgments:nist")
    named = chosen_sources(selection, {"a": "seat:2", "b": "seat:1"})
    assert [source.address for source in named] == ["seat:2", "seat:1"]
    with pytest.raises(ValueError, match="no source 'seat:9'"):
        chosen_sources(selection, {"a": "seat:9"})


@pytest.mark.django_db
def test_judgments_stand_second(study):
    judge(study, {"q1_method": {"q1c1": "2"}})

    with pytest.raises(NotComparable, match="Judgments made elsewhere stand second"):
        compared(study, "judgments:nist", "gold")


@pytest.mark.django_db
def test_document_is_summed_where_each_aspect_has_a_value(aspects):
    judge(aspects, {"0": {"d1": "3", "d2": "4", "d9": "1"}}, level=Level.QUERIES)

    result = compared(aspects)

    # Four aspects of 1 each; "d9" is in no pool.
    assert (result.ours.tolist(), result.theirs.tolist(), result.left_out) == ([4, 4], [3, 4], 1)
    assert [len(pairs) for pairs in result.pairs] == [4, 4]
    behind = Pair.objects.filter(pk__in=result.behind(4, 3))
    assert {pair.document.external_id for pair in behind} == {"d1"}
    assert (result.level, result.group.tolist()) == (Level.QUERIES, [0, 0])


@pytest.mark.django_db
def test_query_with_an_aspect_that_is_not_done_is_left_out(aspects):
    make_aspect_query(aspects.collection, query_id="1", tree={"0": ["9"]})
    judge(aspects, {"1": {"d1": "2", "d2": "2"}, "0": {"d3": "4"}}, level=Level.QUERIES)

    result = compared(aspects)

    assert (result.size, result.left_out) == (1, 2)


@pytest.mark.django_db
def test_judgments_of_sub_queries_have_no_value_here(aspects):
    judge(aspects, {"0_0+3": {"d1": "2"}}, level=Level.SUB_QUERIES)

    with pytest.raises(NotComparable, match="are of sub-queries"):
        compared(aspects)


@pytest.mark.django_db
def test_judgments_of_whole_queries_name_no_facet(study):
    judge(study, {"q1": {"q1c1": "1"}}, level=Level.QUERIES)

    with pytest.raises(NotComparable, match="They do not name a facet"):
        compared(study)
