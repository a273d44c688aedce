"""Two sources against each other, over a few units whose values can be counted on paper."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from agreement.statistics import Reason
from datasets.models import Level
from evaluation.against.figures import MOST_VALUES, Against
from evaluation.against.lists import cell_named
from evaluation.against.tables import _coefficients, _values
from evaluation.sources.source import GOLD, Kind, Source

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
