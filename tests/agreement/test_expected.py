"""Every figure of the file that comes with the real half, computed by the product.

The file's figures were made by libraries and again in exact fractions, none of them here. What is
built below has the shape of the file, so that a figure that is missing on either side fails too.
Its measures of a ranking (`more_specter`) are about systems, not about raters.
"""

import json
from statistics import fmean, median

import numpy as np
import pytest

from agreement.statistics import (
    MEASURES,
    CannotJudge,
    Comparing,
    SummaryKind,
    by_topic,
    cohen_kappa,
    spearman_rho,
    summarised,
)
from agreement.study.filters import Filters
from agreement.study.ratings import read_ratings_of
from agreement.study.selection import selection_of
from agreement.subjects.facets.figures import facets_of
from agreement.subjects.overview.report import report_of
from agreement.subjects.pool.figures import pool_of
from tests.agreement.csfcube import FACETS

pytestmark = pytest.mark.django_db

TOLERANCE = 1e-12
OTHER = {"about", "more_specter"}
RULES = {"missing_as_0": CannotJudge.LOWEST, "missing_dropped": CannotJudge.DROP}
PARTS = (*FACETS, "all")
# The names of measures, in the file and here.
TABLE = {"rho": "rho", "alpha_ordinal": "alpha", "kappa": "kappa", "percent": "percent"}
MORE = {
    name: name for name in ("alpha_nominal", "alpha_interval", "kappa_linear", "kappa_quadratic")
}


@pytest.fixture
def reports(half):
    """{(rule, summary): report} of the real half."""
    ratings = read_ratings_of(half)
    return {
        (rule, kind): report_of(half, ratings, Filters(cannot_judge=rule, summary=kind))
        for rule in RULES.values()
        for kind in SummaryKind
    }


def test_product_has_every_figure_of_the_file(half, shared_data, reports):
    path = shared_data / "csfcube-half" / "expected-figures.json"
    expected = json.loads(path.read_text(encoding="utf-8"))
    member = half.memberships.get(name="Lena")
    selection = selection_of(member, member.user, {})

    figures = {
        **{f"table2_{name}": _table2(reports, rule) for name, rule in RULES.items()},
        **{f"overruling_{name}": _overruling(reports, rule) for name, rule in RULES.items()},
        "per_query": _per_query(reports),
        "more_statistics": _more_statistics(reports),
        "more_table1": _table1(selection),
        "more_figure2": _figure2(selection),
    }

    compared = _leaves({name: part for name, part in expected.items() if name not in OTHER})
    assert set(compared) == set(_leaves(figures))
    assert _leaves(figures) == pytest.approx(compared, abs=TOLERANCE, rel=0)
    # None of its figures is undefined.
    assert len(compared) == 2593
    assert None not in compared.values()


def _leaves(node, path=()):
    """{path: number} of everything nested; the words among the leaves must be the same too."""
    inner = enumerate(node) if isinstance(node, list) else node.items()
    found = {}
    for key, value in inner:
        own = (*path, key)
        if isinstance(value, dict | list):
            found |= _leaves(value, own)
        elif isinstance(value, str):
            found[*own, value] = 0
        else:
            found[own] = value
    return found


def _part(report, name):
    return report.whole if name == "all" else next(one for one in report.facets if one.key == name)


def _values(measures, names):
    return {name: measures[key].figure.value for name, key in names.items()}


def _table2(reports, rule):
    return {
        part: {
            when: {
                kind.value: _values(
                    getattr(_part(reports[rule, kind], part), attribute).measures, TABLE
                )
                for kind in SummaryKind
            }
            for when, attribute in (("pre", "before"), ("post", "after"))
        }
        for part in PARTS
    }


def _counts(counts):
    return {
        "overruled": counts.overruled,
        "outside_range": counts.outside_range,
        "against_agreed_rating": counts.against_agreement,
    }


def _overruling(reports, rule):
    found = {}
    for name in PARTS:
        part = _part(reports[rule, SummaryKind.MEDIAN], name)
        found[name] = {
            "mean_percent": 100 * part.overruling_share.figure.value,
            "pairs": part.overruling.pairs,
            **_counts(part.overruling),
        }
    return found


def _of_topics(reports, rule):
    return {one.topic.key: one for one in reports[rule, SummaryKind.MEDIAN].topics}


def _per_query(reports):
    found = {}
    for key, one in _of_topics(reports, CannotJudge.LOWEST).items():
        found[key] = {"pairs": one.topic.pairs}
        for name, rule in RULES.items():
            own = _of_topics(reports, rule)[key]
            found[key][name] = {
                "pre": _values(own.before.measures, TABLE),
                "post": _values(own.after.measures, TABLE),
                **_counts(own.after.overruling),
            }
    return found


def _more_statistics(reports):
    return {
        "by_query": _more_by_query(reports),
        "by_facet": {name: _more_by_facet(reports, rule) for name, rule in RULES.items()},
        "pairs_counted_by_query": {
            key: {name: _of_topics(reports, rule)[key].before.pairs for name, rule in RULES.items()}
            for key in _of_topics(reports, CannotJudge.LOWEST)
        },
        "disagreements_by_query": {
            key: _disagreement(one) for key, one in _of_topics(reports, CannotJudge.LOWEST).items()
        },
        "disagreements_by_facet": _disagreements_by_facet(reports),
    }


def _more_by_query(reports):
    found = {key: {} for key in _of_topics(reports, CannotJudge.LOWEST)}
    for name, rule in RULES.items():
        report = reports[rule, SummaryKind.MEDIAN]
        topics, with_gold = report.before.topics, report.after.topics
        before = by_topic(topics, MORE)
        after = by_topic(with_gold, MORE, comparing=Comparing.WITH_LAST)
        halves = [
            by_topic(
                with_gold.of_raters([seat, 2]), [*MEASURES, *MORE], comparing=Comparing.WITH_LAST
            )
            for seat in (0, 1)
        ]
        for number, one in enumerate(report.topics):

            def of_topic(figures, names, number=number):
                return _values({key: figures[key][number] for key in names.values()}, names)

            found[one.topic.key][name] = {
                "pre": of_topic(before, MORE),
                "post": of_topic(after, MORE),
                "ann1_vs_adju": of_topic(halves[0], TABLE | MORE),
                "ann2_vs_adju": of_topic(halves[1], TABLE | MORE),
            }
    return found


def _more_by_facet(reports, rule):
    found = {}
    for name in PARTS:
        part = _part(reports[rule, SummaryKind.MEDIAN], name)
        found[name] = {
            when: {
                kind.value: _values(summarised(topics, MORE, kind=kind, comparing=comparing), MORE)
                for kind in SummaryKind
            }
            for when, topics, comparing in (
                ("pre", part.rated, Comparing.BETWEEN_RATERS),
                ("post", part.decided, Comparing.WITH_LAST),
            )
        }
        found[name] |= {"n": part.before.pairs, "confusion_first_second": part.confusion}
    return found


def _disagreement(one):
    counts = one.after.overruling
    return {
        "disagreements": one.before.disagreement.differing,
        "missing": one.topic.cannot_judge,
        "between_on_disagreement": counts.overruled - counts.outside_range,
    }


def _disagreements_by_facet(reports):
    topics = _of_topics(reports, CannotJudge.LOWEST).values()
    found = {}
    for name in PARTS:
        own = [one for one in topics if name in ("all", one.topic.facet)]
        counts = [_disagreement(one) for one in own]
        of_gold = [one.after.overruling for one in own]
        found[name] = {
            **{key: sum(one[key] for one in counts) for key in counts[0]},
            "median_pct_neither": median(100 * one.share.value for one in of_gold),
            "mean_pct_outside_range": fmean(100 * one.outside_range / one.pairs for one in of_gold),
        }
    return found


def _table1(selection):
    report = pool_of(selection, {})
    whole = report.columns[-1]
    rows = {row.words: row.cells[-1] for row in report.table}
    ratings = selection.everything
    queries = {query for topic in ratings.topics for query in topic.queries}
    documents = selection.collection.documents.in_bulk(
        set(ratings.document.tolist()), field_name="pk"
    )
    candidates = {one.external_id for one in documents.values()}
    return {
        "query_facet_pairs": rows["Pools"],
        "unique_query_abstracts": rows["Queries"],
        "per_facet": {one.key: one.topics for one in report.columns if one.key},
        "papers_with_two_facets": whole.topics - whole.queries,
        "query_candidate_pairs": rows["Judged pairs"].total,
        "mean_pool": whole.pool.average,
        "min_pool": whole.pool.least,
        "max_pool": whole.pool.most,
        "pools_over_200": sum(one.pairs > 200 for one in selection.progress),
        "distinct_candidate_papers": len(candidates),
        "distinct_papers_with_queries": len(candidates | queries),
        "rated_1_or_more": _spread(rows["Grade 1 or more"]),
        "rated_exactly_1": _spread(rows["Grade 1"]),
        "rated_2_or_3": _spread(rows["Grade 2 or more"]),
        "adjudicated_counts": _grades(whole),
        "adjudicated_counts_by_facet": {one.key: _grades(one) for one in report.columns if one.key},
        "missing_ratings": sum(one.cannot_judge for one in selection.progress),
    }


def _spread(cell):
    return {"min": cell.least, "max": cell.most, "avg": cell.average}


def _grades(column):
    return {str(grade): one.total for grade, one in enumerate(column.grades)}


def _figure2(selection):
    report = facets_of(selection, {})
    found = {}
    for one in report.together:
        papers = sorted(
            crossing.query
            for crossing in report.crossed
            if crossing.names == (one.first, one.second)
        )
        counts = one.crossed.counts
        first, second = (np.repeat(grades.ravel(), counts.ravel()) for grades in np.indices((4, 4)))
        either, both = one.crossed.either, one.crossed.both.count
        found[f"{one.first} x {one.second}".lower()] = {
            "papers": papers,
            "matrix_rows_first_cols_second": counts.tolist(),
            "pairs": one.crossed.shared,
            "relevant_first": both + one.crossed.first_alone.count,
            "relevant_second": either - one.crossed.first_alone.count,
            "relevant_both": both,
            "spearman": spearman_rho(first, second).value,
            "kappa": cohen_kappa(first, second).value,
        }
    return found
