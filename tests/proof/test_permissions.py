"""Every route, every method, every kind of person, against the matrix in `permissions.py`."""

from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.test import Client

from tests.proof.permissions import EVERYBODY, LEAD, MATRIX, MEMBERS, PUBLIC
from tests.proof.world import make_world, parameters_of, routes
from tests.shelf import shelved

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
ROUTES = sorted(MATRIX)

pytestmark = pytest.mark.once


@shelved
def world(db):
    return make_world()


@pytest.fixture
def ask(world):
    """`ask(person, method, address)`: the answer, with every effect rolled back."""

    def answer_to(person, method, address, **options):
        browser = world.browser(person, **options)
        with transaction.atomic():
            answer = browser.generic(method, address)
            transaction.set_rollback(True)
        return answer

    return answer_to


# Copies of what other tables say, kept for the next reader and true without being kept.
COPIES = ("agreement_topiccopy", "agreement_knownintervals", "evaluation_knownresult")
# How often somebody has asked, and when: limits and idle sessions need to know.
COUNTERS = ("accounts_attempt", "accounts_session")


@contextmanager
def noted_changes():
    """The statements that change a row which is no copy of others, and no counter, as they are
    executed."""
    noted = []

    def note(execute, sql, *rest):
        is_change = sql.split(maxsplit=1)[0] in {"INSERT", "UPDATE", "DELETE"}
        if is_change and not any(table in sql for table in (*COPIES, *COUNTERS)):
            noted.append(sql[:80])
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield noted


def outcome(answer):
    """A status, "sign-in" for a redirect there, or "in" for any answer of the page itself."""
    if answer.status_code == 302 and answer.url.startswith("/sign-in/?next="):
        return "sign-in"
    return answer.status_code if answer.status_code in (401, 403, 404, 405) else "in"


def test_the_matrix_has_every_route_and_no_other():
    assert set(MATRIX) == set(routes())


# Whose answers are alike nearly everywhere: three strangers to the study, and Bob, an annotator as
# Alice is.
ALIKE = ["dave", "olga", "rita", "bob"]


def people_of(number, access):
    """Everybody who is refused, and of those who are let in each in their turn; of those who are
    alike each in their turn as well."""
    people = sorted((EVERYBODY - set(ALIKE)) | {ALIKE[number % len(ALIKE)]})
    let_in = [person for person in people if person in access.allowed]
    return [
        person
        for person in people
        if person not in access.allowed or person == let_in[number % len(let_in)]
    ]


def test_people_are_let_in_or_refused_as_the_matrix_says_and_reading_changes_no_row(
    world, ask, stress
):
    for person in EVERYBODY:
        world.browser(person)  # signing in is no reading
    wrong = []
    for number, route in enumerate(ROUTES):
        address = world.address(route)
        for method, access in MATRIX[route].items():
            for person in stress(people_of(number, access), sorted(EVERYBODY)):
                expected = "in" if person in access.allowed else access.refusal(person)
                with noted_changes() as changes:
                    result = outcome(ask(person, method, address))
                # A file or token that is not there is no refusal of the person.
                absent = result == 404 and route in ABSENT and person in access.allowed
                if result != expected and not absent:
                    wrong.append(f"{method} {route} by {person}: {result}, not {expected}")
                if method == "GET" and person != "anonymous":
                    wrong += [f"{route} by {person}: {change}" for change in changes]
    assert wrong == []


# Routes whose argument in these walks names nothing: a file never written, an export before the
# first, a token never made, a second factor that nobody is setting up.
ABSENT = {
    "releases:download",
    "releases:changes-file",
    "releases:changes-runs",
    "accounts:password-set",
    "accounts:second-factor-qr",
    "datasets:accept-invitation",
    "api:decisions-row",
    "api:machine-runs-row",
    "api:imports-row",
    "api:export-file",
    "api:export-changes",
    "api:export-changes-runs",
}


def test_other_methods_are_refused(world, ask, stress):
    """Even to somebody who may use the others."""
    outsiders = stress(set(), {"dave", "anonymous"})
    wrong = []
    for route in ROUTES:
        address = world.address(route)
        known = set(MATRIX[route]) | ({"HEAD"} if "GET" in MATRIX[route] else set())
        allowed = set().union(*(access.allowed for access in MATRIX[route].values()))
        # Of programs whoever may use the endpoint stands for all.
        others = set() if route.startswith("api:") else outsiders
        for method in sorted(set(METHODS) - known):
            for person in sorted({min(allowed, default="dave"), *others}):
                result = outcome(ask(person, method, address))
                if result not in {401, 403, 404, 405, "sign-in"}:
                    wrong.append(f"{method} {route} by {person}: {result}")
    assert wrong == []


def test_nothing_is_changed_without_the_csrf_token(world, ask):
    wrong = []
    for route in ROUTES:
        # Programs send a token instead, which no other site can make a browser send.
        if "POST" in MATRIX[route] and not route.startswith("api:"):
            allowed = sorted(MATRIX[route]["POST"].allowed - {"anonymous"})
            person = allowed[0] if allowed else "ada"
            answer = ask(person, "POST", world.address(route), enforce_csrf_checks=True)
            if answer.status_code != 403:
                wrong.append(f"{route} by {person}: {answer.status_code}")
    assert wrong == []


def test_a_session_opens_nothing_for_programs(world):
    client = Client()
    client.force_login(world.people["lena"])
    wrong = []
    for route in ROUTES:
        for method, access in MATRIX[route].items():
            if route.startswith("api:") and access is not PUBLIC and access.allowed:
                answer = client.generic(method, world.address(route))
                if answer.status_code != 401:
                    wrong.append(f"{method} {route}: {answer.status_code}")
    assert wrong == []


# Each role once; Bob and Nora have no other, and nobody holds a seat of another collection.
ROLES = {"alice", "carol", "lena"}


def test_objects_of_another_collection_do_not_exist(world, ask, stress):
    """Also when its object is asked for under one's own collection's address."""
    people = stress(ROLES, set(MEMBERS))
    wrong = []
    for route in ROUTES:
        parameters = set(parameters_of(route))
        if route.startswith("accounts:") or not parameters & {"slug", "public_id", "seat_id"}:
            continue
        addresses = [world.address(route, world.other)]
        if {"slug", "public_id"} <= parameters:
            slug = world.study.collection.slug
            addresses.append(world.address(route, world.other, slug=slug))
        for address in addresses:
            for method, access in MATRIX[route].items():
                for person in sorted(access.allowed & people or access.allowed & set(MEMBERS)):
                    result = outcome(ask(person, method, address))
                    if result != 404:
                        wrong.append(f"{method} {route} ({address}) by {person}: {result}")
    assert wrong == []


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_adjudicator_finds_no_pair_that_is_still_being_rated(world, ask, method):
    running = world.study.collection.batches.all()[1]
    address = world.address("adjudication:decide-pair", public_id=running.pairs.first().public_id)

    assert outcome(ask("carol", method, address)) == 404


def test_a_lead_who_rates_finds_no_history_of_that_batch(world, ask):
    batch = world.study.collection.batches.all()[2]
    address = world.address("agreement:pair", public_id=batch.pairs.first().public_id)

    assert outcome(ask("nora", "GET", address)) == 404
    assert outcome(ask("lena", "GET", address)) == "in"
    assert LEAD.allowed == {"lena", "nora"}
