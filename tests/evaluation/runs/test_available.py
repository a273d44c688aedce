"""Which runs a collection has to measure, and at which level."""

from datasets.models import Level
from datasets.runs.actions import add_run
from evaluation.runs.available import facet_topics, levels_of, named_runs
from tests.factories.runs import run_of
from tests.factories.studies import make_aspect_study, make_study


def add(study, rankings, *, tag="bm25", level="topics", system=""):
    run = run_of(rankings, tag=tag)
    return add_run(
        collection=study.collection, run=run, level=level, system=system, by=study.lena
    ).run


def test_runs_and_levels_are_those_of_the_collection_alone(db):
    study, other = make_study(), make_aspect_study()
    add(other, {"0": ["d1"]}, level="queries")

    assert levels_of(study.collection) == []
    run = add(study, {"q1_method": ["q1c1"]})
    assert levels_of(study.collection) == [Level.TOPICS]
    assert named_runs(study.collection, Level.TOPICS) == {"bm25": run}
    assert named_runs(other.collection, Level.TOPICS) == {}


def test_a_query_has_the_facets_of_its_own_collection(db):
    study = make_study(facets=("background", "method"))
    make_study(facets=("result",), slug="other")

    assert facet_topics(study.collection) == {"q1": ["q1_background", "q1_method"]}


def test_a_ranking_of_a_query_is_one_of_each_of_its_facets_and_of_no_aspect(db):
    facets, aspects = make_study(), make_aspect_study()
    of_topics = add(facets, {"q1_method": ["q1c1"]})
    of_queries = add(facets, {"q1": ["q1c1"]}, tag="dense", level="queries")
    of_aspects = add(aspects, {"1": ["d1"]})
    add(aspects, {"0": ["d1"]}, tag="dense", level="queries")

    runs = named_runs(facets.collection, Level.TOPICS)
    assert runs == {"bm25": of_topics, "dense": of_queries}
    assert levels_of(facets.collection) == [Level.TOPICS]
    assert named_runs(aspects.collection, Level.TOPICS) == {"bm25": of_aspects}
    assert levels_of(aspects.collection) == [Level.TOPICS, Level.QUERIES]


def test_a_tag_that_two_systems_have_is_named_with_its_system(db):
    study = make_study()
    first = add(study, {"q1_method": ["q1c1"]}, system="a")
    second = add(study, {"q1_method": ["q1c2"]}, system="b")

    assert named_runs(study.collection, Level.TOPICS) == {"a/bm25": first, "b/bm25": second}
