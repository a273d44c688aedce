"""Who a request is from, and what it may do at that moment."""

import pyotp
import pytest
from django.test import Client

from accounts import second_factor
from accounts.throttle import LIMITS, Limit
from api import limits
from api.openapi import schema
from datasets.actions import set_roles
from datasets.tokens.actions import revoke_token
from tests.api.conftest import HOME
from tests.factories.studies import make_member, make_study
from tests.factories.tokens import program, program_of, token_of

pytestmark = pytest.mark.once


def problem_of(answer):
    """The status and the sentence of a problem, which has the shape of RFC 9457."""
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    return answer.status_code, body["detail"]


def test_without_a_token_nothing_is_shown(study):
    answer = Client().get(HOME)

    assert problem_of(answer) == (401, "Send a token: `Authorization: Bearer fw_…`.")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_session_opens_nothing(study, client):
    client.force_login(study.lena)

    assert client.get(HOME).status_code == 401


def test_a_dead_token_says_what_may_have_ended_it(study):
    row, token = token_of(study.members["lena"])
    revoke_token(token=row, by=study.lena)

    status, sentence = problem_of(program(token).get(HOME))

    assert (status, "revoked" in sentence) == (401, True)


def test_wrong_tokens_are_counted_for_each_address(study, monkeypatch):
    monkeypatch.setitem(LIMITS, "token", {"address": Limit(2, 60)})
    statuses = [program("fw_wrong").get(HOME).status_code for _ in range(3)]

    assert statuses == [401, 401, 429]
    assert program_of(study.members["lena"]).get(HOME).status_code == 200


def test_a_token_that_asks_too_often_waits(study, lena, monkeypatch):
    """Also in another process, which has counted nothing yet."""
    monkeypatch.setattr(limits, "BLOCK", 2)
    monkeypatch.setitem(LIMITS, "program", {"account": Limit(2, 60)})
    statuses = []
    for _ in range(4):
        statuses += [lena.get(HOME).status_code for _ in range(2)]
        limits.forget()

    answer = lena.get(HOME)

    assert statuses == [200] * 4 + [429] * 4
    assert int(answer["Retry-After"]) > 50
    assert program_of(study.members["lena"]).get(HOME).status_code == 200


def test_a_token_lacks_what_it_was_not_given(study):
    reader = program_of(study.members["lena"], "read")

    assert reader.get(f"{HOME}/pairs").status_code == 200
    assert problem_of(reader.get(f"{HOME}/ratings")) == (
        403,
        "This token lacks the scope 'ratings'.",
    )


def test_a_role_that_is_lost_is_lost_to_the_token_at_once(study, lena):
    nora = make_member(study.collection, "Nora", "lead")
    set_roles(membership=study.members["lena"], by=nora.user, roles=["annotator"])

    status, sentence = problem_of(lena.get(f"{HOME}/documents"))

    assert (status, sentence) == (403, "Your role in this collection does not allow this.")
    assert lena.get(HOME).status_code == 200


def test_a_second_factor_that_is_required_later_stops_tokens_made_without_it(study, lena):
    """The annotator, of whom none is asked, goes on; setting the factor up ends the token."""
    alice = program_of(study.members["alice"])
    study.collection.leads_need_second_factor = True
    study.collection.save()

    status, sentence = problem_of(lena.get(HOME))

    assert (status, "second factor" in sentence) == (403, True)
    assert alice.get(HOME).status_code == 200
    app = pyotp.TOTP(second_factor.secret_of(second_factor.begin_enrolment(account=study.lena)))
    second_factor.confirm_enrolment(account=study.lena, code=app.now())
    assert problem_of(lena.get(HOME))[0] == 401
    assert program_of(study.members["lena"]).get(HOME).status_code == 200


def test_a_token_opens_one_collection(study):
    """Also where its person is a member of both."""
    other = make_study(slug="other")
    lena = program_of(study.members["lena"])

    assert other.lena == study.lena
    assert problem_of(lena.get("/api/v1/collections/other"))[0] == 404
    assert problem_of(lena.get("/api/v1/collections/nowhere"))[0] == 404
    assert [row["slug"] for row in lena.get("/api/v1/collections").json()] == ["study"]


def test_a_token_reaches_nothing_of_another_collection_of_its_person(study):
    """By no id of an object there: the address names the token's own collection."""
    other = make_study(slug="other")
    other.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    case = f"adjudication/{other.batch.pairs.get(state='disputed').public_id}"
    seat = f"own-seats/{other.seat('alice').public_id}"
    for name, path in [
        ("carol", case),
        ("alice", f"{seat}/pairs"),
        ("alice", f"{seat}/pairs/1"),
        ("lena", f"queries/{other.collection.queries.get().public_id}/aspects"),
    ]:
        there, here = program_of(other.members[name]), program_of(study.members[name])
        assert there.get(f"/api/v1/collections/other/{path}").status_code == 200, path
        assert here.get(f"{HOME}/{path}").status_code == 404, path
    carol, alice = program_of(study.members["carol"]), program_of(study.members["alice"])
    assert carol.post(f"{HOME}/{case}").status_code == 404
    assert alice.put(f"{HOME}/{seat}/pairs/1").status_code == 404
    assert alice.post(f"{HOME}/{seat}/hand-in").status_code == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{HOME}/documents?cursor=x", 400),
        (f"{HOME}/documents?rows=0", 400),
        (f"{HOME}/documents?rows=99999999", 400),
        (f"{HOME}/documents?rows=0000100000", 400),
        (f"{HOME}/documents?words=x", 400),
        (f"{HOME}/documents?document=%00", 400),
        (f"{HOME}/pairs?batch=nonsense", 400),
        (f"{HOME}/nothing", 404),
        ("/api/v1/", 404),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(lena, path, status):
    assert problem_of(lena.get(path))[0] == status


@pytest.mark.parametrize("name", ["pair__ratings__option", "missing"])
def test_a_parameter_that_is_not_read_is_refused_naming_those_that_are(lena, name):
    answer = lena.get(f"{HOME}/documents?{name}=1")

    words = f"This endpoint knows no parameter {name!r}. It takes: cursor, document, rows."
    assert problem_of(answer) == (400, words)


def test_every_parameter_that_is_taken_is_described_and_of_its_method_alone(lena):
    tables = schema()["paths"]["/collections/{slug}/agreement/{page}/{table}"]["get"]
    assert "relevant" in {parameter["name"] for parameter in tables["parameters"]}

    answer = lena.post(f"{HOME}/batches?rows=3", {})

    words = "This endpoint knows no parameter 'rows'. It takes: none."
    assert problem_of(answer) == (400, words)


def test_other_methods_are_refused(lena):
    assert problem_of(lena.put(f"{HOME}/documents"))[0] == 405
    assert problem_of(lena.options(f"{HOME}/documents"))[0] == 405
