"""What a run has and lacks, on toys."""

from datasets.models import Run
from datasets.runs.actions import add_run
from datasets.runs.report import compare, coverage, gaps_of, with_lists
from tests.factories.runs import run_of
from tests.factories.studies import make_aspect_study, make_study, make_topic


def test_topics_missing_and_unknown_are_named():
    report = compare({"1": ["a"], "9": ["a"]}, {"1", "2"}, {"1"}, {}, set())

    assert report.known == 1
    assert report.missing.first == ["2"]
    assert report.unknown.first == ["9"]


def test_documents_outside_the_pool_and_unranked_ones_are_named():
    report = compare({"1": ["a", "x"]}, {"1"}, {"1"}, {"1": {"a", "b"}}, {"a", "b"})

    assert report.outside.first == ["x for 1"]
    assert report.unranked.first == ["b for 1"]
    assert report.strangers.first == ["x for 1"]


def test_nothing_is_outside_of_a_pool_that_is_not_made():
    report = compare({"1": ["a"]}, {"1"}, {"1"}, {"1": set()}, {"a"})

    assert (report.outside.count, report.unranked.count) == (0, 0)


def test_long_listings_are_cut_and_counted():
    report = compare({}, {str(number) for number in range(25)}, set(), {}, set())

    assert (report.missing.count, len(report.missing.first), report.missing.more) == (25, 10, 15)


def add(study, rankings, **options):
    run = run_of(rankings)
    return add_run(collection=study.collection, run=run, by=study.lena, **options).run


def test_a_run_is_compared_with_the_topics_and_pools_of_its_own_collection(db):
    study, other = make_study(), make_study(slug="other", assign=False)
    make_topic(study.collection, "q2")
    make_topic(other.collection, "q3")
    report = coverage(add(study, {"q1_method": ["q1c1", "q3c1"], "q3_method": ["q1c1"]}))

    assert report.known == 1
    assert (report.missing.first, report.unknown.first) == (["q2_method"], ["q3_method"])
    assert report.outside.first == report.strangers.first == ["q3c1 for q1_method"]
    assert report.unranked.first == ["q1c2 for q1_method", "q1c3 for q1_method"]


def test_a_run_of_queries_is_compared_with_their_pools(db):
    study = make_study(facets=("method", "result"))
    report = coverage(add(study, {"q1": ["q1c1", "q1c2", "x"]}))

    assert (report.known, report.missing.count) == (1, 0)
    assert (report.outside.first, report.unranked.first) == (["x for q1"], ["q1c3 for q1"])


def test_a_part_of_a_query_has_the_pool_of_the_query_and_none_is_missing(db):
    study = make_aspect_study()
    [query] = study.collection.queries.all()
    part = f"{query.external_id}_0+1"
    report = coverage(add(study, {part: ["d1", "d2", "x"]}, level="sub-queries"))

    assert (report.known, report.missing.count, report.unknown.count) == (1, 0, 0)
    assert (report.outside.first, report.unranked.first) == ([f"x for {part}"], [f"d3 for {part}"])


def test_lists_are_counted_by_what_the_collection_has_at_the_runs_level(db):
    study, other = make_study(), make_study(slug="other", assign=False)
    make_topic(study.collection, "q2")
    make_topic(other.collection, "q3")
    ranked = ["q1c1", "q1c2", "q1c3"]
    # A topic of another collection, and a query in a run of topics, are unknown.
    rankings = {"q1_method": ranked, "q3_method": ranked, "q2": ranked}
    add(study, rankings, level="topics")

    [run] = with_lists(Run.objects.all(), study.collection)

    assert (run.list_count, run.known_count) == (3, 1)
    assert gaps_of(run, {"topics": 2, "queries": 2}) == [
        "lacks 1 of 2 topics",
        "2 lists about something unknown",
    ]
