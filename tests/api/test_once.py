"""A change that is sent under an `Idempotency-Key` happens once, however often it is sent."""

import threading
import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F

from annotation.models import Batch
from api.writes.idempotency import OTHER, Once
from audit.models import Event
from datasets.models import Invitation, KeptAnswer, Run
from datasets.models.tokens import ANSWERS_KEPT
from datasets.tasks import forget_answers
from jobs.models import Job
from tests.api.conftest import HOME
from tests.api.test_authentication import problem_of
from tests.factories.studies import make_member, make_study, make_topic
from tests.factories.tokens import program, program_of, token_of
from tests.proof.test_races import race
from tests.shelf import shelved

JSON = {"content_type": "application/json"}
SAMPLE = {"name": "Pilot", "size": 1}


def key():
    return {"Idempotency-Key": str(uuid.uuid4())}


@shelved
def waiting(study):
    """Pairs that no batch holds."""
    return make_topic(study.collection, query_id="q2")


def test_a_sample_that_is_drawn_again_is_the_same_sample(study, lena, waiting):
    same = key()
    first = lena.post(f"{HOME}/batches/sample", SAMPLE, headers=same, **JSON)
    events = Event.objects.count()
    in_another_order = dict(reversed(SAMPLE.items()))

    again = lena.post(f"{HOME}/batches/sample", in_another_order, headers=same, **JSON)

    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert Batch.objects.filter(name="Pilot").count() == 1
    assert Event.objects.count() == events
    assert lena.post(f"{HOME}/batches/sample", SAMPLE, **JSON).json() != first.json()


def test_what_is_gone_after_the_first_request_is_gone_once(study, lena):
    dora = make_member(study.collection, "Dora", "annotator")
    same, address = key(), f"{HOME}/members/{dora.public_id}"

    statuses = [lena.delete(address, headers=same).status_code for _ in range(2)]

    assert statuses == [204, 204]
    assert problem_of(lena.delete(address))[0] == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [("batches/sample", SAMPLE | {"size": 2}), ("batches/sample/", SAMPLE), ("invitations", {})],
)
def test_a_key_stands_for_one_request(study, lena, waiting, path, body):
    same = key()
    lena.post(f"{HOME}/batches/sample", SAMPLE, headers=same, **JSON)
    if path.endswith("/"):
        path = "batches"

    assert problem_of(lena.post(f"{HOME}/{path}", body, headers=same, **JSON)) == (422, OTHER)
    assert study.collection.batches.count() == 2


def test_a_key_is_a_uuid_wherever_something_changes(study, lena):
    wrong = {"Idempotency-Key": "1"}

    assert problem_of(lena.post(f"{HOME}/batches", {}, headers=wrong, **JSON))[0] == 400
    assert problem_of(lena.patch(HOME, {}, headers=wrong, **JSON))[0] == 400
    assert lena.get(HOME, headers=wrong).status_code == 200


def test_a_refusal_changes_nothing_and_keeps_no_key(study, lena, waiting):
    same, large = key(), SAMPLE | {"size": 99}
    assert problem_of(lena.post(f"{HOME}/batches/sample", large, headers=same, **JSON))[0] == 422

    assert lena.post(f"{HOME}/batches/sample", SAMPLE, headers=same, **JSON).status_code == 201


def test_what_writes_nothing_keeps_nothing(study, lena, waiting):
    lena.get(HOME, headers=key())
    lena.post(f"{HOME}/batches/sample/preview", SAMPLE, headers=key(), **JSON)

    assert not KeptAnswer.objects.exists()


def test_keys_of_one_token_are_nothing_to_another(study, lena, waiting):
    """The second sample finds nothing but what the first has left."""
    other = program_of(make_member(study.collection, "Nora", "lead"))
    same = key()
    answers = [
        who.post(f"{HOME}/batches/sample", SAMPLE, headers=same, **JSON).json()
        for who in (lena, other)
    ]

    assert answers[0] != answers[1]
    assert Batch.objects.filter(name__startswith="Pilot").count() == 2


def test_a_link_is_given_again_and_can_be_read_in_no_database(study, lena):
    same = key()
    links = [
        lena.post(f"{HOME}/invitations", {"role": "annotator"}, headers=same, **JSON).json()["link"]
        for _ in range(2)
    ]
    kept = bytes(KeptAnswer.objects.get().answer)

    assert links[0] == links[1]
    assert Invitation.objects.count() == 1
    assert links[0].encode() not in kept
    assert b"link" not in kept


def test_an_answer_is_kept_from_who_may_no_longer_ask(study, lena):
    same = key()
    lena.post(f"{HOME}/invitations", {"role": "annotator"}, headers=same, **JSON)
    member = study.members["lena"]
    member.is_lead, member.is_annotator = False, True
    member.save()

    answer = lena.post(f"{HOME}/invitations", {"role": "annotator"}, headers=same, **JSON)

    assert problem_of(answer)[0] == 403


def test_files_are_the_same_by_what_is_in_them(study, lena):
    same = key()

    def send(content):
        file = SimpleUploadedFile("a.run", content)
        return lena.post(f"{HOME}/runs", {"files": [file]}, headers=same)

    first = send(b"q1_method Q0 q1c1 1 3.0 dense\n")
    Run.objects.all().delete()

    assert send(b"q1_method Q0 q1c1 1 3.0 dense\n").json() == first.json()
    assert not Run.objects.exists()
    assert problem_of(send(b"q1_method Q0 q1c1 1 4.0 dense\n")) == (422, OTHER)


def test_a_job_is_queued_once(study, lena):
    same, wanted = key(), {"format": "trec", "allow_incomplete": True}

    answers = [lena.post(f"{HOME}/exports", wanted, headers=same, **JSON) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Job.objects.count() == 1


def test_answers_are_forgotten_after_a_while(study, lena, waiting):
    for _ in range(2):
        lena.post(f"{HOME}/invitations", {"role": "annotator"}, headers=key(), **JSON)
    old = KeptAnswer.objects.first()
    age = ANSWERS_KEPT + timedelta(minutes=1)
    KeptAnswer.objects.filter(pk=old.pk).update(created_at=F("created_at") - age)

    forget_answers()

    assert KeptAnswer.objects.get().pk != old.pk


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_the_same_request_many_times_at_once_acts_once(monkeypatch):
    """All of them find the key unused before the first acts."""
    study = make_study()
    make_topic(study.collection, query_id="q2")
    _, token = token_of(study.members["lena"])
    same, meeting, seen = key(), threading.Barrier(4), threading.local()
    known = Once._known

    def meets(once):
        answer = known(once)
        if not hasattr(seen, "once"):
            seen.once = meeting.wait(timeout=60)
        return answer

    monkeypatch.setattr(Once, "_known", meets)
    send = lambda: program(token).post(f"{HOME}/batches/sample", SAMPLE, headers=same, **JSON)  # noqa: E731

    answers = race(*[send] * 4)

    assert {(answer.status_code, answer.content) for answer in answers} == {
        (201, answers[0].content)
    }
    assert Batch.objects.filter(name="Pilot").count() == 1
    assert KeptAnswer.objects.count() == 1
