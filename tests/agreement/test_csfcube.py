"""The statistics on real ratings, against a slow independent computation."""

import numpy as np
import pytest

from agreement.statistics import CannotJudge, counted_pairs, counted_values, mean
from agreement.statistics.figures import median
from agreement.statistics.measures import MEASURES
from tests.agreement.csfcube import FACETS, read_ratings
from tests.agreement.statistics import reference
from tests.agreement.statistics.plain import between_raters, overruling, with_gold

TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data / "csfcube-half"


def computed(folder, rule):
    """Per query: facet, key, measures before and after, overruling; by the product's functions."""
    for facet, paper, first, second, gold in read_ratings(folder):
        ratings = np.array([first, second], dtype=float)
        ratings[ratings == -1] = np.nan
        skipped = np.isnan(ratings)
        kept = counted_pairs(skipped, rule)
        counted = counted_values(ratings, skipped, rule, lowest=0)[:, kept]
        final = np.array(gold, dtype=float)[kept]
        yield (
            facet,
            f"{paper}_{facet}",
            between_raters(counted),
            with_gold((counted, final)),
            overruling(counted, final),
        )


def figures(queries):
    """Medians and means over the queries, by product and by facet, as {(where, ...): number}."""
    result = {}
    for facet in (*FACETS, "all"):
        chosen = [query for query in queries if facet in ("all", query[0])]
        for name in MEASURES:
            for when, position in (("before", 2), ("after", 3)):
                of_queries = [query[position][name].figure for query in chosen]
                result[facet, when, name, "median"] = median(of_queries).figure.value
                result[facet, when, name, "mean"] = mean(of_queries).figure.value
        result[facet, "overruling"] = mean(query[4].share for query in chosen).figure.value
    return result


def slow_figures(queries, rule):
    result = {}
    for facet in (*FACETS, "all"):
        chosen = [query for query in queries if facet in ("all", query.facet)]
        for how in ("median", "mean"):
            for when, row in reference.table(chosen, rule, how).items():
                for name, value in row.items():
                    result[facet, when, name, how] = value
        shares = [query.overruled / len(query.given) for query in chosen]
        result[facet, "overruling"] = reference.summarise(shares, "mean")
    return result


@pytest.mark.parametrize("rule", [CannotJudge.LOWEST, CannotJudge.DROP])
def test_every_figure_of_the_sample_equals_the_slow_computation(folder, rule):
    queries = list(computed(folder, rule))
    slow = [
        reference.Query(facet, first, second, gold, rule.value)
        for facet, _, first, second, gold in read_ratings(folder)
    ]

    assert len(queries) == 25
    assert figures(queries) == pytest.approx(slow_figures(slow, rule.value), abs=TOLERANCE)
    for (_, _, before, after, counts), expected in zip(queries, slow, strict=True):
        for name in MEASURES:
            assert before[name].figure.value == pytest.approx(expected.before(name), abs=TOLERANCE)
            assert after[name].figure.value == pytest.approx(expected.after(name), abs=TOLERANCE)
        assert counts.overruled == expected.overruled
        assert counts.outside_range == expected.outside_range
        assert counts.against_agreement == expected.against_agreement == 0


def test_the_two_rules_differ_only_where_a_rating_is_missing(folder):
    dropped, lowest = (
        {key: before["percent"].figure.value for _, key, before, _, _ in computed(folder, rule)}
        for rule in (CannotJudge.DROP, CannotJudge.LOWEST)
    )
    missing = {
        f"{paper}_{facet}"
        for facet, paper, first, second, _ in read_ratings(folder)
        if -1 in first + second
    }

    assert len(missing) == 9
    assert {key for key in dropped if dropped[key] != lowest[key]} <= missing
    assert dropped != lowest
