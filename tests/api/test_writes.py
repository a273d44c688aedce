"""What programs may change, and how it is refused: by the pages' own actions and sentences."""

import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.assigning.actions.assign import hand_in
from annotation.assigning.actions.batches import make_batches
from annotation.models import ProgramSave, RatingRevision, SideText
from audit.models import Event
from datasets.actions import change_programs
from datasets.models import Import, Invitation, Run
from jobs.models import Job
from jobs.running import run_job
from tests.api.conftest import HOME
from tests.api.test_authentication import problem_of
from tests.factories.studies import assign_all, make_member, make_study, make_topic
from tests.factories.tokens import program_of
from tests.shelf import shelved

JSON = {"content_type": "application/json"}
RUN = b"q1_method Q0 q1c1 1 3.0 tag\nq1_method Q0 q1c2 2 2.0 tag\n"


def key():
    return {"Idempotency-Key": str(uuid.uuid4())}


@shelved
def open_study(study):
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    return study


def pair_address(study, name="alice", position=1):
    return f"{HOME}/own-seats/{study.seat(name).public_id}/pairs/{position}"


def answer_of(study, value=2, **more):
    option = study.option(value).key
    return {"answer": option, "based_on": 0, "scheme_version": 1} | more


# Rating


def test_programs_do_not_rate_until_a_lead_lets_them(study, alice):
    answer = alice.put(pair_address(study), answer_of(study), headers=key(), **JSON)

    assert problem_of(answer) == (
        403,
        "Programs do not rate in this collection. A lead can let them.",
    )
    seat = study.seat("alice").public_id
    assert alice.post(f"{HOME}/own-seats/{seat}/hand-in", **JSON).status_code == 403
    assert RatingRevision.objects.count() == 0


def test_a_rating_carries_the_token_that_sent_it(open_study, alice):
    alice.put(pair_address(open_study), answer_of(open_study), headers=key(), **JSON)

    save = ProgramSave.objects.get()
    assert save.token.account == open_study.alice
    assert save.revision.rating.option.value == 2
    event = Event.objects.filter(verb="rate").get()
    assert event.after["token"] == str(save.token.public_id)


def test_the_same_key_is_the_same_save_and_not_another(open_study, alice):
    same = key()
    first = alice.put(pair_address(open_study), answer_of(open_study), headers=same, **JSON)
    again = alice.put(pair_address(open_study), answer_of(open_study), headers=same, **JSON)
    other = alice.put(pair_address(open_study), answer_of(open_study, 0), headers=same, **JSON)

    assert (first.json(), again.json()) == ({"version": 1}, {"version": 1})
    assert problem_of(other)[0] == 422
    assert RatingRevision.objects.count() == 1


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "today"}])
def test_a_key_that_is_no_uuid_is_refused(open_study, alice, headers):
    answer = alice.put(pair_address(open_study), answer_of(open_study), headers=headers, **JSON)

    assert problem_of(answer)[0] == 400
    assert RatingRevision.objects.count() == 0


def test_a_stale_save_is_reported(open_study, alice):
    open_study.rate_all("alice", 0)

    answer = alice.put(pair_address(open_study), answer_of(open_study), headers=key(), **JSON)

    assert problem_of(answer) == (
        409,
        "The stored rating is not the version that this one is based on.",
    )


def test_a_rating_that_is_no_answer_is_refused(open_study, alice):
    address = pair_address(open_study)

    wrong = alice.put(address, answer_of(open_study) | {"answer": "x"}, headers=key(), **JSON)
    empty = alice.put(address, {}, headers=key(), **JSON)
    no_json = alice.put(address, "{", headers=key(), **JSON)
    nowhere = alice.put(
        pair_address(open_study, position=9), answer_of(open_study), headers=key(), **JSON
    )

    expected = "answer is 'x'; expected one of irrelevant, related, similar, identical, "
    assert problem_of(wrong)[0] == 422
    assert problem_of(wrong)[1].startswith(expected)
    assert problem_of(empty)[0] == 422
    assert problem_of(no_json)[0] == 400
    assert problem_of(nowhere)[0] == 404


def test_a_pair_that_cannot_be_judged(open_study, alice):
    answer = answer_of(open_study) | {"answer": "cannot-judge:own", "own_reason": "garbled"}

    assert alice.put(pair_address(open_study), answer, headers=key(), **JSON).status_code == 200
    assert RatingRevision.objects.get().cannot_judge == "garbled"


def test_nobody_rates_in_a_seat_of_somebody_else(open_study, alice):
    address = pair_address(open_study, "bob")

    assert problem_of(alice.get(address))[0] == 404
    assert problem_of(alice.put(address, answer_of(open_study), headers=key(), **JSON))[0] == 404


def test_a_seat_is_handed_in_once_every_pair_is_answered(open_study, alice):
    address = f"{HOME}/own-seats/{open_study.seat('alice').public_id}/hand-in"

    assert problem_of(alice.post(address, **JSON)) == (409, "3 pairs have no answer yet.")
    open_study.rate_all("alice", 0)
    assert alice.post(address, **JSON).status_code == 204
    locked = alice.put(pair_address(open_study), answer_of(open_study), headers=key(), **JSON)
    assert problem_of(locked)[0] == 423


# Deciding


def test_a_program_reads_all_that_stands_beside_the_texts(db):
    study = make_study(assign=False)
    lena = study.lena
    study.collection.queries.update(description="What is asked.", narrative="What counts.")
    [batch] = make_batches(collection=study.collection, by=lena)
    for pair in batch.pairs.all():
        SideText.objects.create(pair=pair, title="Answer", text="It is so.")
    assign_all(study, [batch], ["alice", "bob"])
    alice, carol = (program_of(study.members[name]) for name in ("alice", "carol"))

    to_rate = alice.get(pair_address(study)).json()
    disputed = study.first_pair("alice")
    study.rate_all("alice", 3)
    study.rate("alice", disputed, 3, is_flagged=True)
    study.hand_in("alice")
    study.finish(bob=0)
    to_decide = carol.get(f"{HOME}/adjudication/{disputed.public_id}").json()

    for read in (to_rate, to_decide):
        beside = read["query"]["description"], read["query"]["narrative"]
        assert beside == ("What is asked.", "What counts.")
        assert read["side_text"] == {"title": "Answer", "text": "It is so."}
    assert sorted(row["is_flagged"] for row in to_decide["ratings"]) == [False, True]


def test_a_decision_of_its_adjudicator_alone(open_study):
    open_study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    pair = open_study.batch.pairs.get(state="disputed")
    carol, lena = (program_of(open_study.members[name]) for name in ("carol", "lena"))
    address = f"{HOME}/adjudication/{pair.public_id}"

    case = carol.get(address).json()
    no_reason = carol.post(address, {"option": open_study.option(2).key}, headers=key(), **JSON)
    left_out = carol.post(address, {"option": None, "reason": "no abstract"}, headers=key(), **JSON)

    ratings = [(rating["letter"], rating["value"]) for rating in case["ratings"]]
    assert sorted(ratings) in ([("A", 1), ("B", 3)], [("A", 3), ("B", 1)])
    assert case["question"] == "How close is what the candidate does to what the query does?"
    assert case["query"]["sentences"]
    assert case["document"]["sentences"]
    assert "Alice" not in str(case)
    assert problem_of(no_reason)[0] == 422
    decision = pair.decisions.get()
    assert left_out.json() == {"kept": "decision", "id": str(decision.public_id)}
    pair.refresh_from_db()
    assert pair.state == "excluded"
    assert lena.get(address).status_code == 403
    reopened = lena.post(f"{HOME}/pairs/{pair.public_id}/reopen", {"reason": "again"}, **JSON)
    assert reopened.status_code == 204
    assert (case["reopened"], carol.get(address).json()["reopened"]) == (None, "again")
    assert carol.get(f"{HOME}/adjudication/{uuid.uuid4()}").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"option": "x"}, "option is 'x'; expected one of irrelevant, "),
        ({"option": "related", "cause": "x"}, "cause is 'x'; expected one of "),
    ],
)
def test_a_word_that_no_decision_has_is_named_with_those_that_there_are(
    open_study, wrong, sentence
):
    open_study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    pair = open_study.batch.pairs.get(state="disputed")
    carol = program_of(open_study.members["carol"])

    refused = carol.post(f"{HOME}/adjudication/{pair.public_id}", wrong, headers=key(), **JSON)

    assert problem_of(refused)[0] == 422
    assert problem_of(refused)[1].startswith(sentence)
    assert not pair.decisions.exists()


@pytest.mark.parametrize(
    ("component", "sentence"),
    [
        ({"txt": "faults", "met": "met"}, "text: This field is required."),
        ({"text": "faults", "met": "yes"}, "met: “yes” is none of "),
        ({"text": "faults", "is_met": True}, "is_met: There is no such field."),
    ],
)
def test_a_component_that_nobody_would_read_is_refused(open_study, alice, component, sentence):
    answer = answer_of(open_study, components=[component])

    refused = alice.put(pair_address(open_study), answer, headers=key(), **JSON)

    assert problem_of(refused)[0] == 422
    assert sentence in problem_of(refused)[1]
    assert not RatingRevision.objects.exists()


def test_a_first_grade_is_given_before_the_ratings_are_shown(db):
    study = make_study(hides_ratings=True)
    study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    pair = study.batch.pairs.get(state="disputed")
    carol = program_of(study.members["carol"])
    address = f"{HOME}/adjudication/{pair.public_id}"
    grade = {"option": study.option(3).key}

    hidden = carol.get(address).json()["ratings"]
    first = carol.post(address, grade, headers=key(), **JSON).json()
    shown = carol.get(address).json()["ratings"]
    second = carol.post(address, grade, headers=key(), **JSON).json()

    assert (hidden, len(shown)) == (None, 2)
    assert (first, second["kept"]) == ({"kept": "first grade", "id": None}, "decision")
    assert pair.first_values.get().option == pair.decisions.get().option == study.option(3)


# Leading


def test_people_are_invited_changed_and_removed(study, lena):
    for role in ("annotator", "lead"):
        made = lena.post(f"{HOME}/invitations", {"role": role}, **JSON).json()
        assert "/invitations/" in made["link"]
    for invitation in Invitation.objects.all():
        address = f"{HOME}/invitations/{invitation.public_id}"
        assert lena.delete(address).status_code == 204
    assert not Invitation.objects.filter(revoked_at=None).exists()

    dora = make_member(study.collection, "Dora", "annotator")
    address = f"{HOME}/members/{dora.public_id}"
    assert lena.patch(address, {"roles": ["adjudicator"]}, **JSON).status_code == 204
    dora.refresh_from_db()
    assert dora.roles == ["adjudicator"]
    assert problem_of(lena.patch(address, {"roles": ["king"]}, **JSON))[0] == 422
    assert lena.delete(address).status_code == 204
    assert problem_of(lena.delete(address))[0] == 404
    herself = f"{HOME}/members/{study.members['lena'].public_id}"
    assert problem_of(lena.delete(herself)) == (
        422,
        "You cannot remove yourself. Ask another lead.",
    )


def test_seats_change_hands_as_on_the_pages(study, lena):
    seat = study.seat("bob")
    dora = make_member(study.collection, "Dora", "annotator")
    address = f"{HOME}/seats/{seat.public_id}"
    stale = {"holder": str(dora.public_id), "seen_holder": None}

    assert problem_of(lena.patch(address, stale, **JSON))[0] == 409
    twice = {"holder": str(study.members["alice"].public_id)}
    assert problem_of(lena.patch(address, twice, **JSON))[0] == 422
    assert lena.patch(address, {"holder": str(dora.public_id)}, **JSON).status_code == 204
    seat.refresh_from_db()
    assert seat.holder == dora
    overlap = f"{HOME}/batches/{study.batch.public_id}/overlap"
    assert lena.post(overlap, {"overlap": 3, "reason": "more"}, **JSON).status_code == 204
    assert study.batch.seats.count() == 3
    assert problem_of(lena.post(f"{address}/return", {"reason": "look again"}, **JSON))[0] == 409


def test_a_seat_of_a_batch_in_which_the_lead_rates_is_not_hers_to_change(study):
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    from annotation.assigning.actions.assign import assign_seat

    assign_seat(seat=study.seat("bob"), member=nora, by=study.lena, reason="ill")
    address = f"{HOME}/seats/{study.seat('alice').public_id}"
    program = program_of(nora)

    assert problem_of(program.patch(address, {"holder": None}, **JSON))[0] == 404
    study.rate_all("alice", 1)
    hand_in(seat=study.seat("alice"), by=study.alice)
    assert problem_of(program.post(f"{address}/return", {"reason": "x"}, **JSON))[0] == 404


def test_objects_of_another_collection_are_not_changed(study, lena):
    other = make_study(slug="other")
    seat = other.seat("bob").public_id

    answer = lena.patch(f"{HOME}/seats/{seat}", {"holder": None}, **JSON)

    assert problem_of(answer)[0] == 404
    assert other.seat("bob").holder is not None


def test_a_scheme_is_replaced_before_anything_is_rated(study, lena):
    scheme = lena.get(f"{HOME}/scheme").json()
    scheme["definition"]["title"] = "Another title"

    assert lena.put(f"{HOME}/scheme", {"definition": {}}, **JSON).status_code == 422
    sent = {"definition": scheme["definition"], "based_on": 1}
    assert lena.put(f"{HOME}/scheme", sent, **JSON).status_code == 204
    assert lena.get(f"{HOME}/scheme").json()["version"] == 2
    assert problem_of(lena.put(f"{HOME}/scheme", sent, **JSON))[0] == 409


def test_batches_are_made_of_some_topics(study, lena):
    make_topic(study.collection, query_id="q2")
    make_topic(study.collection, query_id="q3")

    assert problem_of(lena.post(f"{HOME}/batches", {"topics": ["q9"]}, **JSON))[0] == 422
    made = lena.post(f"{HOME}/batches", {"topics": ["q2_method"]}, **JSON).json()

    assert len(made["batches"]) == 1


# Files


def file(name, content):
    return SimpleUploadedFile(name, content)


def test_runs_are_stored_once(study, lena):
    first = lena.post(f"{HOME}/runs", {"files": [file("a.run", RUN)]}).json()
    again = lena.post(f"{HOME}/runs", {"files": [file("a.run", RUN)]}).json()
    broken = lena.post(f"{HOME}/runs", {"files": [file("a.run", b"no run")]})

    assert [run["is_new"] for run in (*first, *again)] == [True, False]
    assert problem_of(broken)[0] == 422
    assert broken.json()["problems"]
    assert lena.delete(f"{HOME}/runs/{first[0]['id']}").status_code == 204
    assert Run.objects.count() == 0


def test_runs_say_which_of_their_documents_the_collection_does_not_have(study, lena):
    run = b"q1_method Q0 q1c1 1 2 bm25\nq1_method Q0 elsewhere 2 1 bm25\n"

    stored, again = (
        lena.post(f"{HOME}/runs", {"files": [file("a.run", run)]}).json()[0] for _ in range(2)
    )
    known = lena.post(f"{HOME}/runs", {"files": [file("b.run", RUN)]})

    sentence = "1 of 2 lines (50%) ranks a document that the collection does not have: elsewhere."
    assert stored["remark"] == again["remark"]
    assert stored["remark"].endswith(sentence)
    assert known.json()[0]["remark"] == ""


def test_runs_say_what_the_page_and_the_command_say_of_them(study, lena):
    rising = b"q1_method Q0 q1c1 1 1 far\nq1_method Q0 q1c2 2 2 far\nq9 Q0 q1c1 1 1 far\n"
    short = b"q1_method q1c1 2\nq1_method q1c2 1\n"

    [far], [three] = (
        lena.post(f"{HOME}/runs", {"files": [file(name, run)]}).json()
        for name, run in (("far.run", rising), ("three.run", short))
    )

    assert far["remark"] == (
        "1 rank says the reverse of the scores; the documents are in the order of the scores. "
        "1 topic (q9) is unknown to the collection."
    )
    assert three["remark"].startswith("three.run has three columns")


def test_judgments_are_stored_and_removed(study, lena):
    qrels = file("nist.txt", b"q1_method 0 q1c1 2\n")

    made = lena.post(f"{HOME}/judgments", {"files": qrels, "name": "NIST 2019"}).json()

    assert made["is_new"]
    assert lena.delete(f"{HOME}/judgments/{made['id']}").status_code == 204
    assert problem_of(lena.post(f"{HOME}/judgments", {"name": "x"}))[0] == 422


def test_an_import_with_the_same_key_is_the_same_job(study, lena):
    documents = b"id,title,text\nd9,A title,A text.\n"
    same = key()
    jobs = [
        lena.post(f"{HOME}/imports", {"files": [file("documents.csv", documents)]}, headers=same)
        for _ in range(2)
    ]

    assert [job.status_code for job in jobs] == [202, 202]
    address = f"http://testserver{HOME}/jobs/{Job.objects.get().public_id}"
    assert [job["Location"] for job in jobs] == [address, address]
    assert jobs[0].json() == jobs[1].json()
    assert (jobs[0].json()["state"], jobs[0].json()["address"]) == ("queued", address)
    wrong = {"Idempotency-Key": "1"}
    assert problem_of(lena.post(f"{HOME}/imports", {"files": []}, headers=wrong))[0] == 400
    assert problem_of(lena.post(f"{HOME}/imports", {}))[0] == 422


def test_an_import_that_cannot_be_says_why_and_writes_nothing(study, lena):
    job = lena.post(f"{HOME}/imports", {"files": [file("x.bin", b"\0\1")]}).json()
    run_job(job["id"])

    outcome = lena.get(job["address"]).json()
    assert outcome["state"] == "failed"
    assert outcome["error"]
    assert lena.get(f"{HOME}/jobs").json()["results"] == [outcome]
    assert not Import.objects.exists()


@pytest.mark.parametrize("wrap", [lambda name: {name: True}, lambda name: {"settings": {name: 1}}])
def test_a_setting_that_the_format_does_not_have_is_refused(study, lena, wrap):
    documents = file("documents.csv", b"id,title,text\nd9,A title,A text.\n")
    sent = {"files": [documents], "settings": json.dumps(wrap("with_rating"))}

    job = lena.post(f"{HOME}/imports", sent).json()
    run_job(job["id"])

    outcome = lena.get(job["address"]).json()
    assert outcome["error"] == "tables has no setting with_rating; it has pools."
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("wrap", "name"),
    [
        (lambda value: {"answers_to_come": value}, "answers_to_come"),
        (lambda value: {"settings": {"with_ratings": value}, "format": "csfcube"}, "with_ratings"),
    ],
)
def test_yes_or_no_is_true_or_false_and_no_word(study, lena, wrap, name):
    """Any word counts as true in Python, "no" as well."""
    queries = file("queries-release.csv", b"pid,facet\n")
    sent = {"files": [queries], "settings": json.dumps(wrap("no"))}

    job = lena.post(f"{HOME}/imports", sent).json()
    run_job(job["id"])

    outcome = lena.get(job["address"]).json()
    assert outcome["error"] == f"{name} is 'no'; expected true or false."


@pytest.mark.parametrize("setting", ["keep_unpooled", "answers_to_come"])
def test_a_choice_that_the_schema_names_is_taken(study, lena, setting):
    documents = file("documents.csv", b"id,title,text\nd9,A title,A text.\n")
    sent = {"files": [documents], "settings": json.dumps({setting: True})}

    job = lena.post(f"{HOME}/imports", sent).json()
    run_job(job["id"])

    outcome = lena.get(job["address"]).json()
    assert (outcome["state"], outcome["error"]) == ("done", "")


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("documents.csv", b"id,title,text\nd9,A title,A text.\n", "also bring a document"),
        ("scores.csv", b"topic,document,score\nq1_method,q1c1,2\n", "come in as judgments"),
    ],
)
def test_a_token_for_machine_scores_brings_nothing_else(study, name, content, error):
    machine = program_of(study.members["lena"], "write:machine")
    sent = file(name, content)

    assert problem_of(machine.post(f"{HOME}/imports", {"files": [sent]}))[0] == 403
    sent.seek(0)
    job = machine.post(f"{HOME}/machine-scores", {"files": [sent]}).json()
    done = run_job(job["id"])

    assert done.state == "failed"
    assert error in done.error


@pytest.mark.parametrize(
    ("line", "settings"),
    [("d9,Another title,A text.", {}), ("d9,A title,A text.", {"fills": {"source": "elsewhere"}})],
)
def test_a_token_for_machine_scores_changes_nothing_that_is_stored(study, lena, line, settings):
    def documents(line):
        return file("documents.csv", f"id,title,text\n{line}\n".encode())

    of_lead = {"files": [documents("d9,A title,A text.")]}
    run_job(lena.post(f"{HOME}/imports", of_lead).json()["id"])
    machine = program_of(study.members["lena"], "write:machine")

    sent = {"files": [documents(line)], "settings": json.dumps(settings)}
    done = run_job(machine.post(f"{HOME}/machine-scores", sent).json()["id"])

    assert (done.state, "also change" in done.error) == ("failed", True)
    study.collection.refresh_from_db()
    assert study.collection.source == ""
    assert study.collection.documents.get(external_id="d9").title == "A title"


def test_everybody_of_a_list_of_people_is_answered_for(study, lena):
    people = "alice@example.org\nnobody\nlena@example.org\neve@example.org"

    answer = lena.post(f"{HOME}/members", {"people": people}, **JSON).json()

    assert [invited["email"] for invited in answer["invited"]] == ["eve@example.org"]
    assert answer["unchanged"] == ["alice@example.org", "lena@example.org"]
    assert (answer["joined"], answer["wrong"]) == ([], ["nobody"])


def test_a_misspelt_role_in_a_list_of_people_is_refused_with_those_there_are(study, lena):
    people = "eve@example.org\nfay@example.org adjudicater"

    answer = lena.post(f"{HOME}/members", {"people": people}, **JSON)

    assert "expected one of annotator, adjudicator, lead" in answer.json()["detail"]
    assert not study.collection.invitations.exists()


@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        ("exports", {"format": "trec", "allow_incomplet": True}, "values, mapping"),
        ("members", {"people": "eve@example.org", "roles": "lead"}, "people, role"),
    ],
)
def test_a_field_that_nobody_reads_is_refused_by_its_name(study, lena, path, body, fields):
    status, sentence = problem_of(lena.post(f"{HOME}/{path}", body, **JSON))

    assert status == 422
    assert sentence.startswith(f"{[*body][1]}: There is no such field. The fields are ")
    assert fields in sentence
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"topics": ["q1"]}, "topics: There is no such field. The request takes none."),
        (["q1"], "The body is no JSON object. Send its fields in one."),
    ],
)
def test_a_body_that_nobody_reads_is_refused(study, lena, body, refusal):
    assert problem_of(lena.post(f"{HOME}/topics/lock-done", body, **JSON)) == (422, refusal)

    assert not Event.objects.filter(verb="lock").exists()
    assert lena.post(f"{HOME}/topics/lock-done", {}, **JSON).status_code == 200


@pytest.mark.parametrize(("path", "field"), [("runs", "tag"), ("imports", "format")])
def test_a_field_beside_files_that_nobody_reads_is_refused(study, lena, path, field):
    body = {"files": [SimpleUploadedFile("tag.run", RUN)], field: "x"}

    status, sentence = problem_of(lena.post(f"{HOME}/{path}", body))

    assert (status, sentence.partition(".")[0]) == (422, f"{field}: There is no such field")


@pytest.mark.parametrize(
    ("path", "name", "values"),
    [
        ("runs", "kind", ["retrieval", "machine"]),
        ("judgments", "name", ["NIST", "NIST 2019"]),
        ("imports", "settings", ["{}", '{"format": "tables"}']),
    ],
)
def test_a_field_beside_files_is_sent_once(study, lena, path, name, values):
    """Only the last would be read, and the others lost."""
    body = {"files": [SimpleUploadedFile("tag.run", RUN)], name: values}

    assert problem_of(lena.post(f"{HOME}/{path}", body)) == (
        422,
        f"{name}: It is sent 2 times. Send one.",
    )
    assert not Run.objects.exists()
    assert not Job.objects.exists()


def test_an_export_of_gold_that_is_missing_is_refused(study, lena):
    assert problem_of(lena.post(f"{HOME}/exports", {"format": "trec"}, **JSON))[0] == 409
    assert problem_of(lena.post(f"{HOME}/exports", {"format": "x"}, **JSON))[0] == 422
    assert Job.objects.count() == 0


def test_what_is_too_large_is_refused_before_it_is_read(study, lena, settings):
    settings.FACETWISE_MAX_UPLOAD = 100
    many = file("documents.csv", b"x" * 1000)

    assert problem_of(lena.post(f"{HOME}/imports", {"files": [many]}))[0] == 413
    assert problem_of(lena.post(f"{HOME}/runs", {"files": [many]}))[0] == 413


# As the pages' forms have it


def test_what_is_not_sent_stays_as_it_is(study, lena):
    assert lena.patch(HOME, {"licence": "CC BY 4.0"}, **JSON).status_code == 204

    study.collection.refresh_from_db()
    assert study.collection.licence == "CC BY 4.0"
    assert study.collection.name != ""


def test_a_form_refuses_in_the_words_of_its_page(study, lena):
    address = f"{HOME}/batches/{study.batch.public_id}/overlap"

    answer = lena.post(address, {"overlap": 3, "reason": " "}, **JSON)

    assert problem_of(answer) == (422, "reason: Say why. The reason is kept in the history.")
    assert answer.json()["errors"] == {"reason": ["Say why. The reason is kept in the history."]}
    assert study.batch.seats.count() == 2


def test_a_sample_is_seen_drawn_and_given_out_by_a_plan(study, lena):
    make_topic(study.collection, query_id="q2")
    for name in ("Dora", "Erin"):
        make_member(study.collection, name, "annotator")
    wanted = {"name": "Pilot", "size": 2, "seed": "7"}

    seen = lena.post(f"{HOME}/batches/sample/preview", wanted, **JSON).json()
    assert (seen["waiting"], [row["drawn"] for row in seen["strata"]]) == (3, [2])
    [batch] = lena.post(f"{HOME}/batches/sample", wanted, **JSON).json()["batches"]
    plan = lena.post(f"{HOME}/plan/preview", {"batches": [batch]}, **JSON).json()
    assert (
        lena.post(f"{HOME}/plan", {"assignments": plan["assignments"]}, **JSON).status_code == 204
    )

    sample = study.collection.batches.get(public_id=batch)
    assert sample.drawn["seed"] == "7"
    assert all(seat.holder for seat in sample.seats.all())
    again = lena.post(f"{HOME}/plan", {"assignments": plan["assignments"]}, **JSON)
    assert problem_of(again)[0] == 409


def test_the_wording_changes_by_the_names_that_are_read(study, lena):
    read = lena.get(f"{HOME}/scheme/wording").json()
    name = "facet.method.question"
    changed = {"change_note": "clearer", "based_on": 1, "words": {name: "The same method?"}}

    assert lena.patch(f"{HOME}/scheme/wording", changed, **JSON).json() == {"version": 2}

    again = lena.get(f"{HOME}/scheme/wording").json()
    assert again["words"] == read["words"] | {name: "The same method?"}
    assert problem_of(lena.patch(f"{HOME}/scheme/wording", changed, **JSON))[0] == 409
    unknown = changed | {"words": {"facet.none.name": "x"}}
    assert problem_of(lena.patch(f"{HOME}/scheme/wording", unknown, **JSON))[0] == 422
