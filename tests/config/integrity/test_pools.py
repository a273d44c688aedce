"""A pool that was changed by SQL is found, whatever brought its candidates."""

import pytest

from annotation.authoring.actions.pools import add_candidates, remove_candidates
from annotation.authoring.actions.queries import write_query
from annotation.pooling.draw import Way
from audit.models import Event
from config.integrity import replayed_rows
from config.integrity.trail_state import TrailState
from datasets.models import Candidate, Query
from datasets.runs.actions import add_run
from imports.pooling.actions import make_pool
from imports.run import carry_out
from imports.study.importing import StudyMoving
from tests.damage import rewrite
from tests.factories.neutral import Neutral
from tests.factories.runs import run_of
from tests.factories.studies import make_aspect_study, make_study
from tests.shelf import shelved

pytestmark = pytest.mark.both


def found():
    return list(replayed_rows.pool_findings(TrailState("default"), "default"))


def is_not_what_the_trail_says(query):
    return [f"The pool of query {query.public_id} is not what the trail says."]


@shelved
def written(db):
    """A query that was written here, with d1 and d2 in its pool."""
    study = make_aspect_study()
    query = write_query(collection=study.collection, text="How are papers found?", by=study.lena)
    add_candidates(query=query, external_ids=["d3", "d1", "d2"], source="bm25", by=study.lena)
    remove_candidates(query=query, external_ids=["d3"], by=study.lena)
    return query


def pool_of_two():
    """Two papers in the pool of an imported query; one of them has no text."""
    neutral = Neutral().document("c1").query("q9", text="Why?", facets=["method"])
    return neutral.pool("q9", "c1", "c2")


@shelved
def imported(db):
    study = make_study()
    carry_out(StudyMoving(pool_of_two().study, study.collection, study.lena))
    return study


@shelved
def pooled(imported):
    """The imported pool after two runs, one of which has a paper more."""
    run = run_of({"q9_method": ["q1c1", "c1"]})
    run = add_run(collection=imported.collection, run=run, by=imported.lena).run
    make_pool(collection=imported.collection, way=Way.DEPTH, size=2, runs=[run], by=imported.lena)
    return imported


def add_one():
    last = Candidate.objects.order_by("pk").last()
    last.pk, last.external_id, last.position = None, "d4", 99
    last.save(force_insert=True)


def remove_one():
    Candidate.objects.order_by("pk").last().delete()


def change_a_source():
    Candidate.objects.filter(pk=Candidate.objects.order_by("pk").last().pk).update(sources=["mine"])


def change_the_order():
    last = Candidate.objects.order_by("pk").last()
    Candidate.objects.filter(pk=last.pk).update(position=0)
    Candidate.objects.filter(query=last.query).exclude(pk=last.pk).update(position=1)


@pytest.mark.parametrize("damage", [add_one, remove_one, change_a_source, change_the_order])
@pytest.mark.parametrize("brought", ["written", "imported", "pooled"])
def test_a_changed_pool_is_found(request, brought, damage):
    request.getfixturevalue(brought)
    query = Candidate.objects.order_by("pk").last().query
    before = found()

    damage()

    assert (before, found()) == ([], is_not_what_the_trail_says(query))


def test_a_candidate_in_a_pool_that_was_empty_is_found(db):
    study = make_aspect_study()
    query = write_query(collection=study.collection, text="How are papers found?", by=study.lena)

    Candidate.objects.create(query=query, external_id="d1", position=0)

    assert found() == is_not_what_the_trail_says(query)


def test_files_that_add_sources_and_texts_to_a_pool_leave_it_sound(imported):
    neutral = pool_of_two().document("c2").pool("q9", "c1", "c3", sources=("dense",))
    carry_out(StudyMoving(neutral.study, imported.collection, imported.lena))

    known, new = Candidate.objects.get(external_id="c1"), Candidate.objects.get(external_id="c3")
    assert (known.sources, new.sources) == (["bm25", "dense"], ["dense"])
    assert Candidate.objects.get(external_id="c2").document is not None
    assert found() == []


def test_a_query_with_a_pool_that_is_gone_is_found(written):
    Candidate.objects.filter(query=written).delete()
    Query.objects.filter(pk=written.pk).delete()

    assert found() == [f"The trail knows the pool of query {written.public_id}, which is gone."]


def test_pools_of_earlier_trails_are_taken_as_they_are(imported):
    event = Event.objects.get(verb="import")
    without = {name: value for name, value in event.after.items() if name != "pools"}
    rewrite(Event.objects.filter(pk=event.pk), after=without)

    change_a_source()

    assert found() == []
