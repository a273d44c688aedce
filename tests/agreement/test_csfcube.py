"""The statistics on real ratings: against a slow independent computation, and the figures that
come with the data where they do."""

import json

import numpy as np
import pytest

from agreement.statistics import (
    MEASURES,
    CannotJudge,
    between_raters,
    counted_pairs,
    counted_ratings,
    mean,
    median,
    overruling,
    with_gold,
)
from tests.agreement.csfcube import FACETS, read_ratings
from tests.agreement.expected import compare
from tests.agreement.statistics import reference

TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data / "csfcube-half"


def computed(folder, rule):
    """Per query: facet, key, measures before and after, overruling; by the product's functions."""
    for facet, paper, first, second, gold in read_ratings(folder):
        ratings = np.array([first, second], dtype=float)
        ratings[ratings == -1] = np.nan
        kept = counted_pairs(ratings, rule)
        counted = counted_ratings(ratings, rule, lowest=0)
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
        shares = [query.overruled / len(query.gold) for query in chosen]
        result[facet, "overruling"] = reference.summarise(shares, "mean")
    return result


@pytest.mark.parametrize("rule", list(CannotJudge))
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


def slow_lookup(folder):
    """The slow figures by what a file of expected figures may say of each; KeyError if nothing."""
    by_rule = {
        rule: {
            f"{paper}_{facet}": reference.Query(facet, first, second, gold, rule)
            for facet, paper, first, second, gold in read_ratings(folder)
        }
        for rule in ("drop", "lowest")
    }

    def look_up(group, said):
        rule, facet = said["rule"] or "lowest", said["facet"] or "all"
        queries = by_rule[rule]
        if group == "per_query":
            query = queries[f"{said['paper']}_{facet}"]
            if said["when"] is None:
                return getattr(query, required(said["count"]))
            return getattr(query, said["when"])(required(said["measure"]))
        chosen = [query for query in queries.values() if facet in ("all", query.facet)]
        if group == "table2":
            table = reference.table(chosen, rule, said["how"] or "median")
            return table[required(said["when"])][required(said["measure"])]
        if said["count"]:
            return sum(getattr(query, said["count"]) for query in chosen)
        share = reference.summarise([query.overruled / query.pairs for query in chosen], "mean")
        return 100 * share if said["measure"] == "percent" else share

    return look_up


def required(word):
    if word is None:
        raise KeyError("The file does not say which figure this is.")
    return word


def test_every_figure_equals_those_that_come_with_the_sample(folder):
    path = folder / "expected-figures.json"
    if not path.exists():
        pytest.skip(f"not run: {path.name} is not in the sample, so there is nothing to compare")

    result = compare(json.loads(path.read_text(encoding="utf-8")), slow_lookup(folder))

    assert result.differing == []
    assert set(result.matched) == {"table2", "overruling", "per_query"}, result.unrecognised


def test_comparison_names_the_number_that_differs_whatever_the_nesting(folder):
    look_up = slow_lookup(folder)
    said = {"rule": None, "facet": "method", "when": "after", "measure": "kappa", "how": None}
    kappa = look_up("table2", said)
    nested = {"table2_missing_as_zero": {"method": {"post": {"rho": 0.1, "kappa": kappa}}}}
    rows = {
        "per_query": [{"query": "1791179_method", "pre": {"kappa": 0.5}, "specter": {"kappa": 1}}],
        "overruling": {"method": {"share": 2.0}},
    }

    assert [line.split(":")[0] for line in compare(nested, look_up).differing] == [
        "table2_missing_as_zero.method.post.rho"
    ]
    assert compare(nested, look_up).matched == {"table2": 2}
    assert compare(rows, look_up).matched == {"per_query": 1, "overruling": 1}
    assert len(compare(rows, look_up).differing) == 2
