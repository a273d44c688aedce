"""A pool from runs becomes candidates that know their ranks, and pairs that wait."""

import pytest
from django.utils import timezone

from annotation.assigning.actions.batches import lock_topic
from annotation.models import Batch, Pair
from annotation.pooling.draw import Way
from audit.models import Event
from audit.refusals import Invalid, Locked
from config.integrity import findings
from datasets.models import Candidate, Membership, System, Topic
from datasets.runs.actions import add_run
from imports import life
from imports.pairs import refuse_locked
from imports.pooling.actions import Made, draw_unjudged, make_pool, start_pool
from imports.pooling.moving import PoolMoving, PoolRequest
from jobs.models import Job
from jobs.running import run_job
from tests.factories.runs import run_of
from tests.factories.studies import make_aspect_study, make_document, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """A study with a pool of three, four more documents, and two runs over all of them."""
    study = make_study()
    for external_id in ("d1", "d2", "d3", "d4"):
        make_document(study.collection, external_id)
    study.runs = [
        add(study, "bm25", {"q1_method": ["d1", "q1c1", "d2", "gone"]}),
        add(study, "specter", {"q1_method": ["d3", "d1", "q1c1"], "q9_method": ["d4"]}),
    ]
    return study


def add(study, tag, rankings, **options):
    run = run_of(rankings, tag=tag)
    return add_run(collection=study.collection, run=run, by=study.lena, **options).run


def pool(study, size=2, *, way=Way.DEPTH, **options):
    options = {"runs": study.runs, "by": study.lena} | options
    return make_pool(collection=study.collection, way=way, size=size, **options)


def test_pairs_wait_and_candidates_know_their_runs_and_ranks(study):
    made = pool(study)

    waiting = Pair.objects.waiting().values_list("document__external_id", flat=True)
    known = Candidate.objects.get(external_id="q1c1")
    assert (made.candidates, made.pairs, made.resourced) == (2, 2, 1)
    assert sorted(waiting) == ["d1", "d3"]
    assert Candidate.objects.get(external_id="d1").ranks == {"q1_method": {"bm25": 1, "specter": 2}}
    assert known.sources == ["secret_source", "bm25"]
    assert known.ranks == {"q1_method": {"bm25": 2}}
    assert set(System.objects.filter(is_pooled=True)) == {run.system for run in study.runs}


def test_same_pool_again_changes_nothing(study):
    pool(study, way=Way.DRAW, seed="7")

    again = pool(study, way=Way.DRAW, seed="7")

    assert again.changes_nothing
    assert Event.objects.filter(verb="pool from runs").count() == 1


def test_new_pairs_follow_those_of_their_topic_without_a_gap(study):
    topic = study.topics[0]
    last = topic.pairs.latest("position").position

    pool(study)

    new = topic.pairs.filter(position__gt=last).order_by("position")
    assert [pair.position for pair in new] == [last + 1, last + 2]


def test_first_pair_of_a_topic_has_the_first_position(study):
    Pair.objects.filter(topic=study.topics[0]).delete()

    pool(study)

    assert sorted(Pair.objects.values_list("position", flat=True)) == [0, 1, 2]


def test_documents_are_drawn_by_the_seed_that_was_given(study):
    drawn = set()
    for seed in "abcdefgh":
        moving = PoolMoving(
            study.collection, study.lena, PoolRequest(study.runs, Way.DRAW, 2, seed)
        )
        moving.compare()
        drawn.add(tuple(sorted(str(document) for _, document in moving.new_pairs)))

    assert len(drawn) > 1


def test_batch_of_unjudged_documents_has_a_name_of_its_own(study):
    first = draw_unjudged(collection=study.collection, run=study.runs[0], depth=1, by=study.lena)
    Batch.objects.filter(pk=first.pk).update(name=f"{study.runs[0]}, first 3")

    second = draw_unjudged(collection=study.collection, run=study.runs[0], depth=3, by=study.lena)

    assert second.name == f"{study.runs[0]}, first 3 (2)"


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (Made(0, 0, 3, 0), "This pool is made already. Nothing changed."),
        (Made(1, 1, 0, 0), "The pool is made: 1 new candidate. 1 new pair waits for a batch."),
        (
            Made(1200, 2, 1, 0),
            "The pool is made: 1,200 new candidates. 2 new pairs wait for a batch. 1 document "
            "has no text here, so nobody rates it.",
        ),
    ],
)
def test_a_pool_says_what_it_brought(made, sentence):
    assert made.sentence == sentence


def test_document_without_text_becomes_a_candidate_without_pairs(study):
    made = pool(study, size=4)

    assert made.without_text == 1
    assert Candidate.objects.get(external_id="gone").document is None
    assert not Pair.objects.filter(document__external_id="gone").exists()


def test_candidate_gets_its_text_once_it_is_there(study):
    pool(study, size=4)
    make_document(study.collection, "gone")

    made = pool(study, size=4)

    assert (made.candidates, made.resourced, made.pairs) == (0, 1, 1)


def test_runs_of_queries_ask_for_pairs_under_every_topic(db):
    study = make_aspect_study()
    make_document(study.collection, "new")
    query = study.collection.queries.first()
    study.runs = [add(study, "bm25", {query.external_id: ["new"]}, level="queries")]

    made = pool(study)

    assert made.pairs == query.topics.distinct().count() > 1
    assert query.candidates.get(external_id="new").ranks == {query.external_id: {"bm25": 1}}


def test_whole_runs_are_taken_whole(study):
    made = pool(study, size=1, runs=study.runs[:1], whole=study.runs[1:])

    assert set(Pair.objects.waiting().values_list("document__external_id", flat=True)) == {
        *("d1", "d3")
    }
    assert made.resourced == 1


def test_locked_topic_takes_no_pair(study):
    for name in ("alice", "bob"):
        study.rate_all(name, 1)
        study.hand_in(name)
    lock_topic(topic=study.topics[0], by=study.lena)

    with pytest.raises(Locked, match="q1_method is locked"):
        pool(study)

    assert not Candidate.objects.filter(external_id="d1").exists()


def test_locked_topics_are_named_together(db):
    study = make_study(facets=("background", "method"))
    Topic.objects.update(locked_at=timezone.now(), locked_by=study.lena)

    with pytest.raises(Locked, match="Topics q1_background, q1_method are locked"):
        refuse_locked(study.collection, {"q1_background", "q1_method"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": []}, "at least one run"),
        ({"size": 0}, "between 1 and"),
        ({"way": Way.DRAW, "seed": " "}, "needs a seed"),
    ],
)
def test_pool_that_cannot_be_drawn_is_refused(study, options, message):
    with pytest.raises(Invalid, match=message):
        pool(study, **options)


def test_pool_beside_an_import_is_refused(study):
    life.begin(collection=study.collection, kind="tables", fingerprint="x", by=study.lena)

    with pytest.raises(life.ImportRunningError):
        pool(study)


def test_what_comes_in_stays_hidden_until_the_end(study, monkeypatch):
    seen = []
    apply = PoolMoving.apply

    def look_first(self):
        seen.extend([Candidate.objects.count(), Pair.objects.count()])
        apply(self)

    monkeypatch.setattr(PoolMoving, "apply", look_first)
    pool(study)

    assert seen == [3, 3]
    assert (Candidate.objects.count(), Pair.objects.count()) == (5, 5)
    assert list(findings()) == []


@pytest.mark.django_db(transaction=True)
def test_topic_locked_meanwhile_leaves_no_row(study, monkeypatch):
    write = PoolMoving.write

    def lock_then(self, *args):
        write(self, *args)
        Topic.objects.update(locked_at=timezone.now(), locked_by=study.lena)

    monkeypatch.setattr(PoolMoving, "write", lock_then)
    with pytest.raises(Locked):
        pool(study)

    assert Candidate.including_inactive.count() == Pair.including_inactive.count() == 3
    assert not System.objects.filter(is_pooled=True).exists()


def test_large_pool_is_made_by_the_worker(study):
    choice = {"runs": study.runs, "way": Way.DEPTH, "size": 2, "by": study.lena}
    job = start_pool(collection=study.collection, **choice)

    done = run_job(job.public_id)

    assert (done.state, done.error) == (Job.State.DONE, "")
    assert Pair.objects.waiting().count() == 2
    again = run_job(start_pool(collection=study.collection, **choice).public_id)
    assert again.result["message"] == "This pool is made already. Nothing changed."


def test_large_pool_of_somebody_who_leads_no_longer_is_not_made(study):
    job = start_pool(
        collection=study.collection, runs=study.runs, way=Way.DEPTH, size=2, by=study.lena
    )
    Membership.objects.filter(user=study.lena).update(is_lead=False, is_annotator=True)

    assert run_job(job.public_id).error == "You no longer lead this collection."
    assert not Pair.objects.waiting().exists()
