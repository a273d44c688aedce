"""Working through an audit, and that nothing tells an agreed pair from a disputed one."""

import re
import uuid
from itertools import islice

import pytest
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from adjudication.actions import decide, reopen
from adjudication.audits.actions import close_audit
from adjudication.forms import LEAVE_OUT
from adjudication.models import AuditedPair, Decision
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import lock_topic, unlock_topic
from tests.adjudication.audits import entry, make_audit, make_audit_study
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import make_member, make_study
from tests.masks import without_tokens
from tests.shelf import shelved

QUEUE = "/collections/study/adjudicate/"


@shelved
def study(db):
    return make_audit_study()


@shelved
def audit(study):
    return make_audit(study)


def audit_url(audit):
    return reverse("adjudication:audit", args=["study", audit.public_id])


def url(audited):
    return reverse("adjudication:audit-pair", args=[audited.public_id])


def send(client, audited, option="identical", **fields):
    data = {"option": option, "save_id": uuid.uuid4(), **fields}
    headers = {"HX-Request": "true"} if data.pop("htmx", False) else {}
    return client.post(url(audited), data, headers=headers)


def places(audit):
    return list(audit.audited_pairs.order_by("position"))


# --- working through ---


def test_the_queue_lists_open_audits(carol, study, audit):
    response = carol.get(QUEUE)

    [row] = response.context["audits"]
    assert (row["name"], row["pair_count"], row["decided_count"]) == ("Audit", 5, 0)
    assertContains(response, audit_url(audit))


def test_the_queue_lists_no_audit_of_others_and_no_closed_one(client, carol, study, audit):
    close_audit(audit=audit, by=study.lena)
    assert carol.get(QUEUE).context["audits"] == []
    assert carol.get(audit_url(audit)).status_code == 404
    assert carol.get(url(entry(audit))).status_code == 404

    client.force_login(study.members["dora"].user)
    assert client.get(QUEUE).context["audits"] == []


def test_pairs_of_an_audit_leave_the_queue_and_undecided_disputes_return(carol, study):
    before = carol.get(QUEUE).content
    audit = make_audit(study)
    control = entry(audit, is_control=True).pair
    assert carol.get(QUEUE).context["total"] == 1
    assert (
        carol.get(reverse("adjudication:decide-pair", args=[control.public_id])).status_code == 404
    )

    close_audit(audit=audit, by=study.lena)

    assert without_tokens(carol.get(QUEUE).content) == without_tokens(before)


def test_opening_leads_to_the_first_pair_that_waits(carol, study, audit):
    first, second, *_ = places(audit)
    assertRedirects(carol.get(audit_url(audit)), url(first))

    send(carol, first)

    assertRedirects(carol.get(audit_url(audit)), url(second))


@pytest.mark.parametrize("is_control", [False, True])
def test_a_decision_leads_to_the_next_pair(carol, study, audit, is_control):
    audited = entry(audit, is_control=is_control)
    following = next((p for p in places(audit) if p.position > audited.position), places(audit)[0])

    response = send(carol, audited, "similar", reason="Only a remark.")

    assertRedirects(response, url(following))
    decision = Decision.objects.get()
    assert (decision.pair, decision.rationale) == (audited.pair, "Only a remark.")


def test_the_last_decision_leads_back_to_the_queue(carol, study, audit):
    *rest, last = places(audit)
    for audited in rest:
        send(carol, audited)

    response = send(carol, last)

    assertRedirects(response, QUEUE)
    [message] = get_messages(response.wsgi_request)
    assert "Every pair of Audit is decided" in str(message)
    assert [row["decided_count"] for row in carol.get(QUEUE).context["audits"]] == [5]


def test_a_pair_is_left_out_with_a_reason_alone(carol, audit):
    audited = entry(audit)

    refused = send(carol, audited, LEAVE_OUT)
    send(carol, audited, LEAVE_OUT, reason="Garbled.")

    assert refused.status_code == 422
    assert Decision.objects.get().exclusion_reason == "Garbled."


def test_a_decision_is_changed_and_its_stale_copy_told(carol, audit):
    audited = entry(audit)
    send(carol, audited, "identical")
    first = Decision.objects.get()
    assertContains(carol.get(url(audited)), "You decided <b>3 · Near-identical</b>")

    send(carol, audited, "similar", based_on=first.public_id)
    stale = send(carol, audited, "irrelevant", based_on=first.public_id)

    assert stale.status_code == 409
    assertContains(stale, "What stands now is 2 · Similar", status_code=409)
    assert Decision.objects.get(superseded_at=None).option.key == "similar"


def test_a_script_gets_fragments_with_the_pair_ahead(carol, audit):
    first, second, *_ = places(audit)

    response = send(carol, first, htmx=True, ahead=second.public_id)

    assertContains(response, 'id="saved"')
    assertContains(response, f'data-address="{url(second)}"')
    assertNotContains(response, "<html")


def test_a_save_sent_again_is_the_same_decision(carol, audit):
    save_id = uuid.uuid4()

    answers = [send(carol, entry(audit), htmx=True, save_id=save_id) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("is_control", [False, True])
def test_a_pair_that_another_adjudicator_took_is_reported_alike(client, study, is_control):
    audit = make_audit(study, adjudicators=["carol", "dora"])
    audited = entry(audit, is_control=is_control)
    decide(
        pair=audited.pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(1), audit=audit
    )
    client.force_login(study.members["dora"].user)

    assert client.get(url(audited)).status_code == 404
    response = send(client, audited)

    assertContains(response, "This pair was decided meanwhile.", status_code=409)
    assert len(client.get(audit_url(audit), follow=True).context["strip"].places) == 4


def test_a_save_after_the_lead_closed_the_audit_is_reported(carol, study, audit):
    close_audit(audit=audit, by=study.lena)

    response = send(carol, entry(audit))

    assertContains(response, "A lead has closed this audit.", status_code=423)
    assert Decision.objects.count() == 0


def test_a_pair_whose_seat_was_returned_is_gone_until_it_is_handed_in(carol, study, audit):
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Look again.")
    assert carol.get(url(entry(audit))).status_code == 404
    assert carol.get(QUEUE).context["audits"] == []

    study.hand_in("bob")
    assert carol.get(url(entry(audit))).status_code == 200


def test_undecided_pairs_of_a_locked_topic_are_gone_until_it_is_unlocked(client, db):
    study = make_audit_study(agreed=3, disputed=0)
    audit = make_audit(study, size=2)
    client.force_login(study.carol)
    first, second = places(audit)
    send(client, first)
    lock_topic(topic=study.topics[0], by=study.lena)

    assert client.get(url(second)).status_code == 404
    assertContains(client.get(url(first)), "Decisions can be read, not changed")

    unlock_topic(topic=study.topics[0], by=study.lena, reason="More to decide.")
    assert client.get(url(second)).status_code == 200


def test_the_guidelines_lead_back_to_the_pair(carol, audit):
    address = reverse("adjudication:audit-guidelines", args=[entry(audit).public_id])

    assertContains(carol.get(address), f'href="{url(entry(audit))}"')


@pytest.mark.parametrize("count", [1, 12])
def test_a_pair_takes_the_same_number_of_statements(client, db, django_assert_num_queries, count):
    study = make_audit_study(agreed=count, disputed=0)
    audit = make_audit(study, size=count)
    client.force_login(study.carol)

    with django_assert_num_queries(11):
        client.get(url(entry(audit)))


# --- who gets in ---


@pytest.mark.parametrize(
    ("name", "status"), [(None, 302), ("alice", 403), ("lena", 403), ("dora", 404), ("carol", 200)]
)
def test_a_pair_is_for_the_adjudicators_of_its_audit(client, study, audit, name, status):
    if name:
        client.force_login(study.members[name].user)

    assert client.get(url(entry(audit))).status_code == status
    if name != "carol":
        assert client.get(audit_url(audit)).status_code == status
        assert send(client, entry(audit)).status_code == status
        assert Decision.objects.count() == 0


def test_an_audit_of_another_collection_does_not_exist(carol):
    other = make_audit_study(slug="other")
    other.members["oona"] = make_member(other.collection, "Oona", "adjudicator")
    theirs = make_audit(other, adjudicators=["oona"])

    assert carol.get(url(entry(theirs))).status_code == 404
    assert carol.get(audit_url(theirs)).status_code == 404


# --- nothing tells ---


SECRETS = [
    "Alice",
    "Bob",
    "a-note-of-a-rater",
    "agreed",
    "control",
    "disputed",
    "Why they differ",
    "neither",
    "Annotator",
]


@pytest.mark.parametrize("is_control", [False, True])
@pytest.mark.parametrize("is_decided", [False, True])
@pytest.mark.parametrize("hides", [False, True])
def test_a_pair_shows_nothing_of_its_ratings(client, db, is_control, is_decided, hides):
    study = make_study(candidates=2)
    pairs = study.batch.pairs.all()
    for name, values in {"alice": [2, 0], "bob": [2, 3]}.items():
        for pair, value in zip(pairs, values, strict=True):
            study.rate(name, pair, value, note="a-note-of-a-rater", is_flagged=True)
        study.hand_in(name)
    if hides:
        hide_ratings(study)
    audit = make_audit(study, size=1, control_count=1)
    audited = entry(audit, is_control=is_control)
    client.force_login(study.carol)
    if is_decided:
        send(client, audited, "similar")

    page = client.get(url(audited)).content.decode()

    body = page[page.index('id="pair"') : page.index('id="keys"')]
    assert [secret for secret in SECRETS if secret.lower() in body.lower()] == []
    assert str(audited.pair.public_id) not in page


def test_a_pair_of_an_audit_is_not_found_by_the_queues_addresses(carol, study, audit):
    def statuses(audited):
        pair = audited.pair.public_id
        return [
            carol.get(f"/adjudicate/{pair}/").status_code,
            carol.post(f"/adjudicate/{pair}/", {"option": "similar"}).status_code,
            carol.get(f"/adjudicate/{pair}/guidelines/").status_code,
        ]

    for _ in range(2):
        assert [statuses(audited) for audited in places(audit)] == [[404, 404, 404]] * 5
        for audited in places(audit):
            send(carol, audited)
    close_audit(audit=audit, by=study.lena)
    assert [statuses(audited) for audited in places(audit)] == [[404, 404, 404]] * 5


def masked(answer):
    body = re.sub(rb'(X-CSRFToken": "|csrf-token" content=")[^"&]+', b"", answer.content)
    headers = {k: v for k, v in answer.headers.items() if k not in ("Set-Cookie", "X-Request-ID")}
    return answer.status_code, headers, without_tokens(body)


def evening_of_carol(study, audit):
    """Everything that Carol does in an audit and gets to see, and how many statements it took."""
    carol = Client()
    carol.force_login(study.carol)
    htmx = {"headers": {"HX-Request": "true"}}
    first, second = places(audit)
    pages = ["/", QUEUE, audit_url(audit), url(first), url(second)]
    pages += [f"/adjudicate/{pair.public_id}/" for pair in study.batch.pairs.all()]

    def ask(*args, **options):
        method = options.pop("method", carol.get)
        with CaptureQueriesContext(connection) as statements:
            answer = masked(method(*args, **options))
        return *answer, len(statements)

    def look():
        for page in pages:
            yield ask(page)
            yield ask(page, **htmx)

    def save(audited, option, number, *, based_on="", reason="", **options):
        data = {
            "option": option,
            "save_id": uuid.UUID(int=number),
            "based_on": based_on,
            "reason": reason,
            "ahead": second.public_id,
        }
        return ask(url(audited), data, method=carol.post, **options)

    def standing_id(audited):
        """The standing decision's id, which is made at random and shown to its author."""
        public_id = uuid.UUID(int=Decision.objects.count())
        Decision.objects.filter(pair=audited.pair, superseded_at=None).update(public_id=public_id)
        return public_id

    yield from look()
    yield save(first, "", 1)
    yield save(first, LEAVE_OUT, 1)
    yield save(first, "related", 1)  # a grade that nobody gave, without a reason
    yield save(first, "related", 1)
    yield save(first, "similar", 1)
    based_on = standing_id(first)
    yield save(first, "similar", 2)
    yield from look()
    yield save(first, "identical", 3, based_on=based_on, **htmx)
    based_on = standing_id(first)
    reopen(pair=first.pair, by=study.lena, reason="A slip.")
    yield from look()
    yield save(first, "similar", 4, based_on=based_on)
    yield save(first, LEAVE_OUT, 5, reason="Garbled.", **htmx)
    standing_id(first)
    yield from look()
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Look again.")
    yield from look()
    yield save(second, "similar", 6)
    study.hand_in("bob")
    yield save(second, "irrelevant", 7)
    based_on = standing_id(second)
    yield from look()
    close_audit(audit=audit, by=study.lena)
    yield from look()
    yield save(second, "similar", 8, based_on=based_on)


def lived(study, agreed, answers=None):
    """Carol's evening in a world where Alice and Bob agree on one pair, or on the other.

    `answers` ends it after so many.
    """
    with transaction.atomic():
        for name, other in [("alice", 0), ("bob", 3)]:
            study.rate_all(name, [2 if n == agreed else other for n in range(2)])
            study.hand_in(name)
        audit = make_audit(study, size=1, control_count=1)
        for audited in places(audit):
            AuditedPair.objects.filter(pk=audited.pk).update(
                public_id=uuid.UUID(int=audited.position)
            )
        type(audit).objects.filter(pk=audit.pk).update(public_id=uuid.UUID(int=99))
        audit.refresh_from_db()
        kinds = [audited.is_control for audited in places(audit)]
        evening = list(islice(evening_of_carol(study, audit), answers))
        transaction.set_rollback(True)
    return kinds, evening


def test_an_adjudicator_cannot_tell_an_agreed_pair_from_a_disputed_one(db):
    study = make_study(candidates=2)

    first_kinds, first = lived(study, agreed=0)
    second_kinds, second = lived(study, agreed=1)

    assert sorted([first_kinds, second_kinds]) == [[False, True], [True, False]]
    for answer, other_answer in zip(first, second, strict=True):
        assert answer == other_answer


def test_the_comparison_sees_a_leak(db, monkeypatch):
    """The check itself: with the ratings shown the two worlds differ."""
    from adjudication.audits.case import AuditCase
    from adjudication.queue import QueueCase

    study = make_study(candidates=2)
    monkeypatch.setattr(AuditCase, "raters", QueueCase.raters)

    assert lived(study, agreed=0, answers=14)[1] != lived(study, agreed=1, answers=14)[1]
