"""Published and independently computed values of real rankings, to 1e-9."""

import json

import numpy as np
import pytest

from evaluation.measures import Grades, parse
from evaluation.protocols import shipped
from evaluation.results import Judged, Together, means, measure_runs
from evaluation.results.summaries import bootstrap_mean
from tests.evaluation import csfcube

TOLERANCE = 1e-9
SOURCES = {
    "first": lambda by_seat, adjudicated: by_seat[0],
    "second": lambda by_seat, adjudicated: by_seat[1],
    "adjudicated": csfcube.by_gold,
    "mean": lambda by_seat, adjudicated: by_seat.mean(axis=0),
}
# What the file of figures calls SPECTER's measures; "release" is the published script.
SPECTER = {
    "r_precision_release": "CSFCube RP",
    "r_precision_standard": "Rprec(rel=2)",
    "precision@20": "P(rel=2)@20",
    "recall@20": "CSFCube R@20",
    "average_precision": "AP(rel=2)",
    "reciprocal_rank": "RR(rel=2)",
    "ndcg%100_release": "CSFCube NDCG%100",
    "ndcg%20_release": "CSFCube NDCG%20",
}


@pytest.mark.parametrize("source", SOURCES)
def test_eleven_runs_of_the_half_have_the_expected_means(shared_data, source):
    expected = csfcube.expected(shared_data)["sources"][source]
    protocol = shipped()["csfcube-topics"]
    measures = [parse(name) for name in expected["specter"]]

    measured = measure_runs(
        csfcube.topics(shared_data, SOURCES[source]),
        csfcube.rankings(shared_data, expected),
        protocol,
        measures,
    )

    values = means(measured.counted(protocol))
    by_run = {
        run: {measure.name: values[row, column] for row, measure in enumerate(measures)}
        for column, run in enumerate(measured.runs)
    }
    assert by_run == {run: pytest.approx(of_run, abs=TOLERANCE) for run, of_run in expected.items()}


def test_the_protocol_of_csfcube_has_every_expected_measure(shared_data):
    expected = csfcube.expected(shared_data)["sources"]["adjudicated"]["specter"]

    assert expected.keys() <= {measure.name for measure in shipped()["csfcube"].parsed}


def specter(folder):
    pools = folder / "csfcube-half" / "eval_scripts" / "sample_ranked_pools"
    ranked_pools = {}
    for facet in csfcube.FACETS:
        path = pools / f"test-pid2pool-csfcube-specter-{facet}-ranked.json"
        for paper, ranked in json.loads(path.read_text(encoding="utf-8")).items():
            ranked_pools[f"{paper}_{facet}"] = [document for document, _ in ranked]
    return ranked_pools


def test_specters_published_ranking_has_the_expected_values_by_topic_and_by_fold(shared_data):
    """The file leaves the query paper out of the judgments, as the published ranking does."""
    protocol = shipped()["csfcube"]
    protocol = type(protocol).read(protocol.data | {"query_paper_counts": False})
    topics = csfcube.topics(shared_data, csfcube.by_gold)
    figures = json.loads((shared_data / "csfcube-half" / "expected-figures.json").read_text())
    folds = json.loads((shared_data / "csfcube-half" / "evaluation_splits.json").read_text())

    measured = measure_runs(
        topics,
        {"specter": specter(shared_data)},
        protocol,
        [protocol.measure(name) for name in SPECTER.values()],
    )

    values = measured.counted(protocol)[:, 0]
    for column, topic in enumerate(topics):
        of_topic = figures["more_specter"]["by_query"][topic.id]
        assert values[:, column] == pytest.approx([of_topic[key] for key in SPECTER], abs=TOLERANCE)
    for facet in (*csfcube.FACETS, "all"):
        of_facet = [number for number, topic in enumerate(topics) if facet in ("all", topic.facet)]
        tests = {key: ids for key, ids in folds[facet].items() if key.endswith("_test")}
        together = Together.of(
            protocol.summary, [topics[number].id for number in of_facet], {facet: tests}, facet
        )
        two_fold = figures["more_specter"]["by_facet"][facet]["two_fold"]
        assert together(values[:, of_facet]) == pytest.approx(
            [two_fold[key] for key in SPECTER], abs=TOLERANCE
        )


@pytest.mark.parametrize("run", ["bm25", "e5", "specter"])
def test_doris_mae_runs_have_the_seven_expected_measures(shared_data, run):
    folder = shared_data / "doris-mae-sample" / "runs"
    expected = json.loads((folder / "expected-runs.json").read_text())["runs"][run]
    protocol = shipped()["doris-mae"]

    measured = measure_runs(
        doris_mae(folder), {run: csfcube.read_run(folder / f"{run}.run")}, protocol
    )

    values = measured.counted(protocol)[:, 0]
    for row, measure in enumerate(measured.measures):
        name = measure.name.removeprefix("DORIS-MAE ")
        by_query = expected["per_query"][name]
        by_topic = {
            topic.id: value
            for topic, value in zip(measured.topics, values[row], strict=True)
            if not np.isnan(value)
        }
        known = {query: value for query, value in by_query.items() if value is not None}
        assert by_topic == pytest.approx(known, abs=TOLERANCE)
        assert means(values[row]) == pytest.approx(expected["mean"][name], abs=TOLERANCE)


def doris_mae(folder):
    sums, sizes = {}, {}
    for line in (folder / "qrels.tsv").read_text().splitlines()[1:]:
        query, abstract, total, size = line.split("\t")
        sums.setdefault(query, {})[abstract] = int(total)
        sizes[query] = int(size)
    return [
        Judged(
            query,
            Grades(tuple(of), np.array(list(of.values())) / sizes[query], size=sizes[query]),
        )
        for query, of in sums.items()
    ]


@pytest.mark.parametrize("ranking", ["GPT-4_subtask_O", "e5_rank"])
def test_arguana_rankings_have_the_values_of_ir_measures(shared_data, ranking):
    import ir_measures

    folder = shared_data / "birco" / "arguana"
    qrel = json.loads((folder / "test_set_20_queries.json").read_text())["qrel"]
    ranks = json.loads((folder / "ranks" / f"{ranking}.json").read_text())
    protocol = shipped()["birco"]
    topics = [
        Judged(query, Grades(tuple(grades), np.array(list(grades.values()), dtype=float)))
        for query, grades in qrel.items()
    ]

    measured = measure_runs(topics, {ranking: ranks}, protocol)

    run = {
        query: {document: float(-rank) for rank, document in enumerate(documents)}
        for query, documents in ranks.items()
    }
    names = [ir_measures.parse_measure(measure.name) for measure in measured.measures]
    theirs = {
        (str(metric.measure), metric.query_id): metric.value
        for metric in ir_measures.iter_calc(names, qrel, run)
    }
    for row, name in enumerate(names):
        mine = measured.values[row, 0]
        assert mine == pytest.approx(
            [theirs[str(name), topic.id] for topic in topics], abs=TOLERANCE
        )
        random = np.random.RandomState(42)
        drawn = [random.choice(mine, len(mine)).mean() for _ in range(1000)]
        assert bootstrap_mean(mine) == pytest.approx(np.mean(drawn), abs=TOLERANCE)
