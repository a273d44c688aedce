"""Runs are stored once, under a system, with their trace."""

import pytest
from django.db import IntegrityError, transaction

from audit.models import Event
from audit.refusals import Invalid, Refused
from config.integrity.evaluated import evaluated_findings
from datasets.models import Ranking, Run, System
from datasets.runs.actions import add_run, change_system, remove_run, topics_to_add
from tests.databases import attempt_in_vain
from tests.factories.runs import run_of
from tests.factories.studies import make_aspect_study, make_study, make_topic
from tests.shelf import shelved

RANKINGS = {"q1_method": ["q1c1", "q1c2"]}


def add(study, rankings=RANKINGS, *, tag="bm25", **options):
    run = run_of(rankings, tag=tag)
    return add_run(collection=study.collection, run=run, by=study.lena, **options)


@shelved
def study(db):
    return make_study()


def test_run_is_stored_with_its_rankings_and_its_trace(study):
    stored = add(study, kind="reranking")

    ranking = Ranking.objects.get(run=stored.run)
    event = Event.objects.about(stored.run).get()
    assert stored.is_new
    assert (stored.run.system.key, stored.run.system.kind) == ("bm25", "reranking")
    assert (stored.run.level, ranking.external_id) == ("topics", "q1_method")
    assert ranking.document_ids == ["q1c1", "q1c2"]
    assert (ranking.scores, ranking.ranks) == ("2\n1", "1\n2")
    assert event.after["content"] == stored.run.content_sha256


def test_same_run_again_changes_nothing(study):
    first = add(study)

    again = add(study, {"q1_method": [("q1c2", 2, 1), ("q1c1", 1, 2)]})

    assert (again.run, again.is_new) == (first.run, False)
    assert Event.objects.filter(verb="add run").count() == 1


def test_other_run_of_that_tag_is_refused(study):
    add(study)

    with pytest.raises(Refused, match="another run bm25"):
        add(study, {"q1_method": ["q1c1"]})


WAVE = {"q2_method": [("q2c2", 1, 2.5), ("q2c1", 2, 2.5)]}


@pytest.mark.parametrize("file", [WAVE, RANKINGS | WAVE])
def test_a_second_wave_adds_its_topics_to_the_run(study, file):
    make_topic(study.collection, query_id="q2", facet="method")
    first = add(study).run

    stored = add(study, file)

    assert (stored.run, stored.is_new, stored.further_count) == (first, True, 1)
    run = Run.objects.get()
    assert {row.external_id: row.document_ids for row in run.rankings.all()} == {
        "q1_method": ["q1c1", "q1c2"], "q2_method": ["q2c2", "q2c1"],
    }  # fmt: skip
    assert [run.report[key] for key in ("lines", "topics")] == [4, 2]
    assert run.report["ties"]["count"] == 1
    assert add(study, RANKINGS | WAVE).is_new is False
    assert list(evaluated_findings("default")) == []
    event = Event.objects.get(verb="add rankings")
    assert (event.before["content"], event.after["content"]) == (
        first.content_sha256, run.content_sha256,
    )  # fmt: skip


def test_a_second_wave_that_ranks_a_topic_of_the_first_otherwise_is_refused_as_a_whole(study):
    make_topic(study.collection, query_id="q2", facet="method")
    add(study)

    with pytest.raises(Refused, match="another run bm25"):
        add(study, WAVE | {"q1_method": ["q1c2"]})
    with pytest.raises(Refused, match="another run bm25"):
        add(study, WAVE, order="rank")

    assert Run.objects.get().rankings.count() == 1


def test_a_run_under_a_facet_that_there_is_not_is_refused(study):
    with pytest.raises(Invalid, match="it has 1 other: q1_typo"):
        add(study, {"q1_typo": ["q1c1"]})


def test_a_run_that_comes_in_again_is_known_by_tag_level_and_content(study):
    def is_stored(rankings, tag="bm25"):
        return topics_to_add(collection=study.collection, run=run_of(rankings, tag=tag)) == []

    add(make_study(slug="elsewhere"))
    assert not is_stored(RANKINGS)
    add(study)

    assert is_stored(RANKINGS)
    assert is_stored({"q1_method": [("q1c2", 2, 1), ("q1c1", 1, 2)]})
    assert not is_stored(RANKINGS, tag="e5")
    assert not is_stored({"q1": ["q1c1"]})
    remedy = "Remove that one and bring all of its rankings in one file, or write another tag into"
    with pytest.raises(Refused, match=f"another run bm25 of topics already. {remedy} this file."):
        is_stored({"q1_method": ["q1c1"]})


def test_run_of_a_system_that_has_another_key_is_not_known_by_its_tag(study):
    add(study, system="baseline")

    assert topics_to_add(collection=study.collection, run=run_of(RANKINGS)) is None


def test_run_that_shares_no_topic_names_what_it_has(study):
    rankings = {f"t{number}": ["d"] for number in range(60)}

    with pytest.raises(Invalid) as refused:
        add(study, rankings)

    assert "has none of the 1 query; it has 60 others, such as t0, t1, t2" in str(refused.value)
    assert not System.objects.exists()


def test_run_whose_topics_were_made_decimals_is_told_so(db):
    study = make_study(facets=())
    make_topic(study.collection, query_id="12")

    with pytest.raises(Invalid, match=r"There is 12, the same number as 12\.0: pandas"):
        add(study, {"12.0": ["12c1"]})


def test_level_is_that_at_which_most_ids_are_known(db):
    study = make_aspect_study()
    topics = study.collection.topics.values_list("external_id", flat=True)
    queries = study.collection.queries.values_list("external_id", flat=True)
    topic = next(name for name in topics if name not in queries)

    levels = [
        add(study, {name: ["d"]}, tag=tag).run.level
        for tag, name in [("a", topic), ("b", queries[0]), ("c", f"{queries[0]}_a+b")]
    ]

    assert levels == ["topics", "queries", "sub-queries"]


def test_ids_of_queries_that_are_aspects_too_are_those_of_queries(db):
    study = make_aspect_study()
    query = study.collection.queries.first().external_id

    assert add(study, {query: ["d"]}).run.level == "queries"
    assert add(study, {query: ["d"]}, tag="b", level="topics").run.level == "topics"


def test_ids_that_the_collection_does_not_have_are_kept(study):
    stored = add(study, RANKINGS | {"q9_method": ["d"]})

    assert set(stored.run.rankings.values_list("external_id", flat=True)) == {
        "q1_method",
        "q9_method",
    }


def test_system_is_renamed_with_its_trace(study):
    system = add(study).run.system

    change_system(system=system, by=study.lena, name="BM25", kind="retrieval", is_pooled=True)

    system.refresh_from_db()
    event = Event.objects.about(system).get()
    assert (system.name, system.is_pooled) == ("BM25", True)
    assert event.before == {"name": "bm25", "is_pooled": False}


def test_two_systems_do_not_share_a_key(study):
    add(study)
    other = add(study, tag="specter").run.system

    with pytest.raises(Invalid, match="has the key"):
        change_system(system=other, by=study.lena, key="bm25")


def test_last_run_takes_its_system_along(study):
    first = add(study).run
    second = add(study, tag="bm25-b", system="bm25").run

    remove_run(run=first, by=study.lena)
    assert System.objects.get() == second.system
    remove_run(run=second, by=study.lena)

    assert not System.objects.exists()
    assert not Ranking.objects.exists()
    assert Event.objects.filter(verb="remove run").count() == 2


def test_last_run_is_removed_at_a_second_attempt(study):
    run = add(study).run
    attempt_in_vain(remove_run, run=run, by=study.lena)

    remove_run(run=run, by=study.lena)

    assert not System.objects.exists()


@pytest.mark.both
def test_database_refuses_a_topic_twice_in_a_run(study):
    run = add(study).run

    with pytest.raises(IntegrityError), transaction.atomic():
        Ranking.objects.create(run=run, external_id="q1_method", documents="", scores="", ranks="")


@pytest.mark.both
@pytest.mark.parametrize("field", ["level", "order"])
def test_database_refuses_unknown_levels_and_orders(study, field):
    run = add(study).run

    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(**{field: "else"})


def test_database_refuses_an_unknown_kind(study):
    system = add(study).run.system

    with pytest.raises(IntegrityError), transaction.atomic():
        System.objects.filter(pk=system.pk).update(kind="oracle")


def test_systems_of_two_collections_may_share_a_key(study):
    elsewhere = make_study(slug="elsewhere")
    ours, _ = add(study).run.system, add(elsewhere, tag="dense")

    assert change_system(system=ours, by=study.lena, key="dense").key == "dense"
