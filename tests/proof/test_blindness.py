"""What an annotator sees depends on their own seats alone."""

import random
import re
import uuid
from datetime import UTC, datetime
from itertools import islice

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from adjudication.actions import decide
from annotation.assigning.actions.assign import hand_in
from annotation.models import MachineRun, MachineScore, Pair, Rating, RatingRevision
from tests.factories.studies import make_aspect_study, make_study
from tests.factories.tokens import program_of
from tests.proof.permissions import MATRIX
from tests.proof.world import make_world, parameters_of

CSRF = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": "|csrf-token" content=")[^"&]+')

pytestmark = pytest.mark.once


def masked(answer):
    """Status, headers and body without what is random in every answer."""
    headers = {k: v for k, v in answer.headers.items() if k not in ("Set-Cookie", "X-Request-ID")}
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return answer.status_code, headers, sorted(answer.cookies), CSRF.sub(b"\\1", body)


# Endpoints of an annotator's own seat.
OF_OWN_SEATS = {
    *(route for route in MATRIX if route.startswith(("api:own-seats-", "api:own-pair"))),
    "api:hand-in",
}
HANDED_IN_AT = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)


# --- the canary walk -------------------------------------------------------------------------

PARAMETERS = [
    "",
    "?saved=1&pair=1&facet=method&show=all&at=1&at=2&next=/",
    "?cannot-judge=drop&summary=mean&facet=all&measure=rho&page=2&sort=name",
    "?ahead=1&order=-id",
]


@pytest.fixture(params=["facets", "aspects"])
def world(db, request):
    """Alice's ratings, and a decision, are full of canaries; Bob has a seat beside hers."""
    world = make_world(of_aspects=request.param == "aspects")
    study = world.study
    alice = study.members["alice"]
    alice.user.name = alice.name = "Canary Alicia"
    alice.user.email = "canary.alicia@example.org"
    alice.user.save()
    alice.save()
    finished, running = study.collection.batches.all()[:2]
    details = {"note": "canary-note-of-a-rating", "is_flagged": True}
    if request.param == "aspects":
        details["components"] = [{"text": "canary-component", "met": "met"}]
        run = MachineRun.objects.create(
            collection=study.collection, model="canary-model", name="canary-run"
        )
        for pair in Pair.objects.filter(topic__collection=study.collection):
            MachineScore.objects.create(run=run, pair=pair, value=2, response="canary-response")
    for pair in running.pairs.all():
        study.rate("alice", pair, 2, **details)
    decide(
        pair=finished.pairs.filter(state="disputed").first(),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
        rationale="canary-rationale-of-a-decision",
    )
    return world


def canaries(world):
    """Whatever names Alice, her ratings, decisions, shared rows, or where a paper came from."""
    study = world.study
    alice, carol = study.members["alice"], study.members["carol"]
    yield from ["canary", "Alicia", "Carol", "Secret Author", "Secret Venue", "secret_source"]
    yield from [str(alice.public_id), str(alice.user.public_id), str(carol.public_id)]
    for seat in alice.seats.all():
        yield from [str(seat.public_id), str(seat.batch.public_id)]
    yield from map(str, Rating.objects.values_list("public_id", flat=True))
    yield from map(str, RatingRevision.objects.values_list("save_id", flat=True))
    yield from map(str, Pair.objects.values_list("public_id", flat=True))
    yield from map(str, study.collection.topics.values_list("public_id", flat=True))


# All parameters at once, and as a fragment.
EVERYTHING = (f"?{'&'.join(part[1:] for part in PARAMETERS if part)}", {"HX-Request": "true"})


def test_no_answer_to_an_annotator_holds_a_canary(world, stress):
    bob = world.browser("bob")
    fragment = {"HX-Request": "true"}
    # Each route whole and in part, and with every parameter; under --full in every combination. A
    # route that refuses him is asked once more with everything, under --full as all others.
    requests = stress(
        list(zip(PARAMETERS, [{}, fragment, {}, fragment], strict=True)),
        [(parameters, headers) for parameters in PARAMETERS for headers in ({}, fragment)],
    )
    once_more = stress([EVERYTHING], requests[1:])
    sought = [canary.lower() for canary in canaries(world)]
    seat = world.study.collection.batches.all()[1].seats.get(holder=world.study.members["bob"])
    leaks = []
    for route, methods in MATRIX.items():
        if route == "accounts:sign-out":
            continue  # after it he would be a stranger
        # His own seat where a route takes one, everybody's objects elsewhere.
        own_seat = {"seat_id": seat.public_id}
        if route in OF_OWN_SEATS:
            own_seat["public_id"] = seat.public_id
        for address in {world.address(route), world.address(route, **own_seat)}:
            for method in methods:
                waiting = list(requests)
                while waiting:
                    parameters, headers = waiting.pop(0)
                    with transaction.atomic():
                        answer = bob.generic(method, address + parameters, headers=headers)
                        transaction.set_rollback(True)
                    status, head, _, body = masked(answer)
                    if status in (403, 404) and len(waiting) == len(requests) - 1:
                        waiting = list(once_more)
                    # The address that he typed himself may come back.
                    text = f"{head} {body.decode()}".lower().replace(address.lower(), "")
                    leaks += [
                        f"{method} {address}{parameters}: {status} {canary}"
                        for canary in sought
                        if canary in text
                    ]
    assert leaks == []
    assert bob.get("/", headers={"HX-Request": ""}).status_code == 200  # he was signed in all along


def test_the_walk_finds_canaries_where_they_may_be(world):
    lena = Client()
    lena.force_login(world.people["lena"])
    route = "agreement:pair"

    _, _, _, body = masked(lena.get(world.address(route)))

    assert "canary-rationale-of-a-decision" in body.decode()


@pytest.mark.full
def test_no_answer_to_a_token_that_reads_figures_holds_a_single_rating(world):
    study = world.study
    audit = study.collection.audits.get()
    decide(
        pair=audit.audited_pairs.get().pair,
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(2),
        rationale="canary-rationale-of-an-audit",
        audit=audit,
    )
    sought = ["canary-note", "canary-component", "canary-rationale", "canary-response"]
    sought += map(str, Rating.objects.values_list("public_id", flat=True))
    reader = program_of(study.members["lena"], "read")

    routes_with_ratings = set()
    for route in (route for route, methods in MATRIX.items() if "GET" in methods):
        if route.startswith("api:"):
            address = world.address(route)
            *_, body = masked(reader.get(address))
            text = body.decode().replace(address, "")
            routes_with_ratings |= {route for canary in sought if canary in text}

    assert routes_with_ratings == set()


# --- two worlds ------------------------------------------------------------------------------


def alice_waits(study):
    pass


def alice_rates_low(study):
    study.rate_all("alice", 0)


def alice_rates_high(study):
    study.rate_all("alice", 2)


def alice_cannot_judge(study):
    for pair in study.batch.pairs.all():
        study.rate("alice", pair, None, note="no idea", is_flagged=True)


def alice_hands_in(study):
    study.rate_all("alice", [0, 1, 2, 0][: study.batch.pairs.count()])
    hand_in(seat=study.seat("alice"), by=study.alice)


def alice_is_at_random(seed):
    def act(study):
        choose = random.Random(seed)
        for pair in study.batch.pairs.all():
            if choose.random() < 0.8:
                study.rate("alice", pair, choose.choice([None, 0, 1, 2]))

    return act


def api_addresses(study, seat, routes):
    """Everything of these that programs may read, asked by Bob's."""
    values = {"slug": study.collection.slug, "public_id": seat.public_id, "position": 1}
    for route in sorted(routes):
        if route.startswith("api:") and "GET" in MATRIX[route]:
            names = parameters_of(route)
            if set(names) <= set(values):
                yield reverse(route, kwargs={name: values[name] for name in names})


OWN = {route for route in MATRIX if route.startswith("api:own-")}


def evening_of_bob(study):
    """Everything that Bob does and gets in one evening, and looks at once more at its end: then
    his program asks for what is not his as well."""
    bob = program_of(study.members["bob"])
    bob.force_login(study.bob)
    htmx = {"HX-Request": "true"}
    seat = study.seat("bob")
    home = f"/seats/{seat.public_id}/"
    pages = [
        "/",
        f"/collections/{study.collection.slug}/",
        f"/collections/{study.collection.slug}/scheme/",
        f"/collections/{study.collection.slug}/agreement/",
        f"/collections/{study.collection.slug}/exports/",
        f"/collections/{study.collection.slug}/adjudicate/",
        home,
        f"{home}hand-in/",
        f"{home}guidelines/",
        f"{home}texts/?at=1&at=2&at=3",
        *(f"{home}{position}/" for position in (1, 2, 3, 4)),
    ]

    def look(routes=OWN):
        for page in pages:
            yield masked(bob.get(page))
            yield masked(bob.get(page, headers=htmx))
        for address in api_addresses(study, seat, routes):
            yield masked(bob.get(address))

    def save(position, value, *, based_on=0, number=1, **options):
        return masked(
            bob.post(
                f"{home}{position}/",
                {
                    "save_id": uuid.UUID(int=100 * position + number),
                    "based_on": based_on,
                    "scheme_version": 1,
                    "answer": study.option(value).key,
                    "active_seconds": "4.0",
                },
                **options,
            )
        )

    yield from look()
    yield masked(bob.post(f"{home}hand-in/"))
    yield save(1, 2)
    yield save(1, 2)  # the same again
    yield save(1, 0)  # the same save with another grade
    yield save(1, 0, number=2)  # a stale edit
    yield save(1, 1, based_on=1, number=3, headers=htmx)
    yield save(2, 0, headers=htmx)
    for position in range(3, study.batch.pairs.count() + 1):
        yield save(position, 2)
    yield from look()
    yield masked(bob.post(f"{home}hand-in/"))
    # His pages tell him when he handed in; two evenings must not differ by the clock's minute.
    type(seat).objects.filter(pk=seat.pk).exclude(handed_in_at=None).update(
        handed_in_at=HANDED_IN_AT
    )
    yield save(1, 2, based_on=2, number=4)
    yield save(1, 2, based_on=2, number=4, headers=htmx)
    yield from look(MATRIX)


def lived(study, prelude, answers=None):
    """Bob's evening, or its first answers, in a world of its own, which is undone again."""
    with transaction.atomic():
        prelude(study)
        evening = list(islice(evening_of_bob(study), answers))
        transaction.set_rollback(True)
    return evening


# The first two are among the worlds of chance.
WORLDS = [alice_rates_low, alice_rates_high, alice_cannot_judge, alice_hands_in]


def facets():
    return make_study()


def aspects():
    """By document: two aspects of two documents in one batch: four pairs."""
    return make_aspect_study(
        annotators=["alice", "bob"],
        overlap=2,
        way="document",
        in_one_batch=True,
        query={"tree": {"0": ["1"]}, "documents": ["d1", "d2"]},
    )


@pytest.fixture(params=[facets, pytest.param(aspects, marks=pytest.mark.full)])
def study(db, request):
    return request.param()


def test_an_annotator_cannot_tell_what_the_other_did(study, stress):
    """On a push the first two worlds are left to chance."""
    baseline = lived(study, alice_waits)

    for prelude in stress(WORLDS[2:], WORLDS):
        assert lived(study, prelude) == baseline, prelude.__name__
    for seed in range(stress(1, 50)):
        assert lived(study, alice_is_at_random(seed)) == baseline, f"random world {seed}"


def test_an_annotator_cannot_tell_whether_pairs_were_decided(study):
    alice_hands_in(study)
    study.rate_all("bob", 2)
    study.hand_in("bob")
    study.batch.seats.update(handed_in_at=HANDED_IN_AT)
    assert study.batch.pairs.disputed().exists()

    def carol_decides(study):
        for pair in study.batch.pairs.disputed():
            decide(
                pair=pair,
                by=study.carol,
                save_id=uuid.uuid4(),
                option=study.option(2),
                rationale="weighed",
            )

    assert lived(study, carol_decides) == lived(study, alice_waits)


@pytest.mark.parametrize("study", [facets], indirect=True)
def test_the_comparison_of_worlds_sees_a_leak(study):
    """The check itself: one word that depends on Alice, and the worlds differ."""
    baseline = lived(study, alice_waits, answers=10)

    def leak(study):
        alice_rates_low(study)
        study.collection.name = f"{study.collection.name} ({Rating.objects.count()} rated)"
        study.collection.save()

    assert lived(study, leak, answers=10) != baseline
