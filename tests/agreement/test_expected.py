"""Every figure of the file that comes with the real half, computed by the product.

The file's figures were made by libraries and again in exact fractions, none of them here. What is
built below has the shape of the file, so that a figure that is missing on either side fails too.
Its measures of a ranking (`more_specter`) are about systems, not about raters.
"""

import json
from statistics import fmean, median

import numpy as np
import pytest

from agreement.statistics import CannotJudge, Comparing, SummaryKind, by_topic, summarised
from agreement.statistics.measures import MEASURES
from agreement.statistics.two_raters import cohen_kappa, spearman_rho
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
    leaves = {}
    for key, value in inner:
        place = (*path, key)
        if isinstance(value, dict | list):
            leaves |= _leaves(value, place)
        elif isinstance(value, str):
            leaves[*place, value] = 0
        else:
            leaves[place] = value
    return leaves


def _part(report, name):
    return (
        report.whole if name == "all" else next(part for part in report.facets if part.key == name)
    )


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
    by_part = {}
    for name in PARTS:
        part = _part(reports[rule, SummaryKind.MEDIAN], name)
        by_part[name] = {
            "mean_percent": 100 * part.overruling_share.figure.value,
            "pairs": part.overruling.pairs,
            **_counts(part.overruling),
        }
    return by_part


def _of_topics(reports, rule):
    return {topic.topic.key: topic for topic in reports[rule, SummaryKind.MEDIAN].topics}


def _per_query(reports):
    by_query = {}
    for key, topic in _of_topics(reports, CannotJudge.LOWEST).items():
        by_query[key] = {"pairs": topic.topic.pairs}
        for name, rule in RULES.items():
            under_rule = _of_topics(reports, rule)[key]
            by_query[key][name] = {
                "pre": _values(under_rule.before.measures, TABLE),
                "post": _values(under_rule.after.measures, TABLE),
                **_counts(under_rule.after.overruling),
            }
    return by_query


def _more_statistics(reports):
    return {
        "by_query": _more_by_query(reports),
        "by_facet": {name: _more_by_facet(reports, rule) for name, rule in RULES.items()},
        "pairs_counted_by_query": {
            key: {name: _of_topics(reports, rule)[key].before.pairs for name, rule in RULES.items()}
            for key in _of_topics(reports, CannotJudge.LOWEST)
        },
        "disagreements_by_query": {
            key: _disagreement(topic)
            for key, topic in _of_topics(reports, CannotJudge.LOWEST).items()
        },
        "disagreements_by_facet": _disagreements_by_facet(reports),
    }


def _more_by_query(reports):
    by_query = {key: {} for key in _of_topics(reports, CannotJudge.LOWEST)}
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
        for number, topic in enumerate(report.topics):

            def of_topic(figures, names, number=number):
                return _values({key: figures[key][number] for key in names.values()}, names)

            by_query[topic.topic.key][name] = {
                "pre": of_topic(before, MORE),
                "post": of_topic(after, MORE),
                "ann1_vs_adju": of_topic(halves[0], TABLE | MORE),
                "ann2_vs_adju": of_topic(halves[1], TABLE | MORE),
            }
    return by_query


def _more_by_facet(reports, rule):
    by_facet = {}
    for name in PARTS:
        part = _part(reports[rule, SummaryKind.MEDIAN], name)
        by_facet[name] = {
            when: {
                kind.value: _values(summarised(topics, MORE, kind=kind, comparing=comparing), MORE)
                for kind in SummaryKind
            }
            for when, topics, comparing in (
                ("pre", part.rated, Comparing.BETWEEN_RATERS),
                ("post", part.decided, Comparing.WITH_LAST),
            )
        }
        by_facet[name] |= {"n": part.before.pairs, "confusion_first_second": part.confusion}
    return by_facet


def _disagreement(topic):
    counts = topic.after.overruling
    return {
        "disagreements": topic.before.disagreement.differing,
        "missing": topic.topic.cannot_judge,
        "between_on_disagreement": counts.overruled - counts.outside_range,
    }


def _disagreements_by_facet(reports):
    topics = _of_topics(reports, CannotJudge.LOWEST).values()
    by_facet = {}
    for name in PARTS:
        topics_of_part = [topic for topic in topics if name in ("all", topic.topic.facet)]
        counts = [_disagreement(topic) for topic in topics_of_part]
        of_gold = [topic.after.overruling for topic in topics_of_part]
        by_facet[name] = {
            **{key: sum(topic_counts[key] for topic_counts in counts) for key in counts[0]},
            "median_pct_neither": median(100 * overruling.share.value for overruling in of_gold),
            "mean_pct_outside_range": fmean(
                100 * overruling.outside_range / overruling.pairs for overruling in of_gold
            ),
        }
    return by_facet


def _table1(selection):
    report = pool_of(selection, {})
    whole = report.columns[-1]
    rows = {row.words: row.cells[-1] for row in report.table}
    ratings = selection.everything
    queries = {query for topic in ratings.topics for query in topic.queries}
    documents = selection.collection.documents.in_bulk(
        set(ratings.document.tolist()), field_name="pk"
    )
    candidates = {document.external_id for document in documents.values()}
    return {
        "query_facet_pairs": rows["Pools"],
        "unique_query_abstracts": rows["Queries"],
        "per_facet": {column.key: column.topics for column in report.columns if column.key},
        "papers_with_two_facets": whole.topics - whole.queries,
        "query_candidate_pairs": rows["Judged pairs"].total,
        "mean_pool": whole.pool.average,
        "min_pool": whole.pool.least,
        "max_pool": whole.pool.most,
        "pools_over_200": sum(progress.pairs > 200 for progress in selection.progress),
        "distinct_candidate_papers": len(candidates),
        "distinct_papers_with_queries": len(candidates | queries),
        "rated_1_or_more": _spread(rows["Grade 1 or more"]),
        "rated_exactly_1": _spread(rows["Grade 1"]),
        "rated_2_or_3": _spread(rows["Grade 2 or more"]),
        "adjudicated_counts": _grades(whole),
        "adjudicated_counts_by_facet": {
            column.key: _grades(column) for column in report.columns if column.key
        },
        "missing_ratings": sum(progress.cannot_judge for progress in selection.progress),
    }


def _spread(cell):
    return {"min": cell.least, "max": cell.most, "avg": cell.average}


def _grades(column):
    return {str(grade): count.total for grade, count in enumerate(column.grades)}


def _figure2(selection):
    report = facets_of(selection, {})
    by_facets = {}
    for crossed_facets in report.together:
        papers = sorted(
            crossing.query
            for crossing in report.crossed
            if crossing.names == (crossed_facets.first, crossed_facets.second)
        )
        counts = crossed_facets.crossed.counts
        first, second = (np.repeat(grades.ravel(), counts.ravel()) for grades in np.indices((4, 4)))
        either, both = crossed_facets.crossed.either, crossed_facets.crossed.both.count
        by_facets[f"{crossed_facets.first} x {crossed_facets.second}".lower()] = {
            "papers": papers,
            "matrix_rows_first_cols_second": counts.tolist(),
            "pairs": crossed_facets.crossed.shared,
            "relevant_first": both + crossed_facets.crossed.first_alone.count,
            "relevant_second": either - crossed_facets.crossed.first_alone.count,
            "relevant_both": both,
            "spearman": spearman_rho(first, second).value,
            "kappa": cohen_kappa(first, second).value,
        }
    return by_facets
