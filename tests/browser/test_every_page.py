"""Every page of the product and its states, for every kind of person, wide and narrow, light and
dark: no violation of axe-core's rules, nothing wider than the window, nothing over a control.

Pages are the routes of the running program, so that a new one is walked without being named here.
All of it takes most of an hour on two cores; a push looks at each kind of the lead's pages once
(test_demo.py says where) and at those of each journey.
"""

import uuid

import pyotp
import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import second_factor
from adjudication.actions import decide, take_topic
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import lock_topic
from datasets.actions import change_scoring_guard, invite
from jobs.models import Job
from tests.browser.looks import Looker
from tests.factories.studies import PASSWORD, make_member, make_study
from tests.proof.permissions import MATRIX, MEMBERS, PUBLIC
from tests.proof.world import make_world, parameters_of

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def world(request, transactional_db, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    return make_world(of_aspects=request.param == "aspects")


@pytest.fixture
def looker_of(open_page):
    """`looker_of(user)`: looks at pages as that user. What all of them found fails the test."""
    lookers = []

    def make(user=None, **options):
        lookers.append(Looker(open_page(user, **options)))
        return lookers[-1]

    yield make
    findings = [finding for looker in lookers for finding in looker.findings]
    print(sum(looker.views for looker in lookers), "views")  # noqa: T201 - shown by -rP
    assert not findings, "\n".join(findings)


def pages(browser, addresses):
    """The names of those that answer with a page, not with a file or part of one."""
    return {
        name: address
        for name, address in addresses.items()
        if is_page(browser.get(address, follow=True))
    }


def is_page(answer):
    return (
        answer["Content-Type"].startswith("text/html")
        and "attachment" not in answer.get("Content-Disposition", "")
        and b"<html" in b"".join(answer)
    )


def pages_of(world, person):
    """The pages that this person may open, by route."""
    addresses = {
        route: world.address(route)
        for route, methods in MATRIX.items()
        if "GET" in methods and person in methods["GET"].allowed
        if not route.startswith("api:")
    }
    return pages(world.browser(person), addresses)


@pytest.mark.parametrize("world", ["facets", "aspects"], indirect=True)
def test_every_page_that_somebody_may_open(world, looker_of):
    for person in ["anonymous", *sorted(MEMBERS), "ada", "dave"]:
        looker = looker_of(world.people.get(person))
        for route, address in pages_of(world, person).items():
            looker.page.goto(address)
            looker.look(f"{route} by {person}")
            looker.look_inside(f"{route} by {person}")


@pytest.mark.parametrize("world", ["facets", "aspects"], indirect=True)
def test_every_form_that_is_sent_empty(world, looker_of):
    """Its page comes back with the errors, or with what the form changed."""
    for person in ["anonymous", "alice", "carol", "ada", "lena"]:
        looker = looker_of(world.people.get(person))
        page = looker.page
        for route, address in pages_of(world, person).items():
            page.goto(address)
            for number in range(page.locator(WITH_REQUIRED).count()):
                page.goto(address)
                form = page.locator(WITH_REQUIRED).nth(number)
                if form.count():
                    form.evaluate(EMPTY)
                    page.wait_for_load_state("networkidle")
                    looker.look(f"{route} by {person}, form {number + 1} sent empty")


WITH_REQUIRED = 'form[method="post"]:has([required])'
# Browsers would keep such a form; who turns that off is told by the server.
EMPTY = """form => {
  form.noValidate = true;
  for (let at = form.parentElement; at; at = at.parentElement)
    if (at.matches("details")) at.open = true;
  for (const field of form.querySelectorAll("input:not([type=hidden]), textarea")) {
    if (["checkbox", "radio"].includes(field.type)) field.checked = false;
    else field.value = "";
  }
  form.requestSubmit();
}"""


def test_every_page_of_a_collection_that_begins(transactional_db, looker_of):
    study = make_study(facets=(), slug="empty")
    looker = looker_of(study.lena)
    browser = Client()
    browser.force_login(study.lena)
    addresses = {
        route: reverse(route, kwargs={"slug": "empty"})
        for route, methods in MATRIX.items()
        if "lena" in methods.get("GET", PUBLIC).allowed
        if parameters_of(route) == ["slug"] and not route.startswith("api:")
    }

    for route, address in pages(browser, addresses).items():
        looker.page.goto(address)
        looker.look(f"{route} of an empty collection")


@pytest.mark.parametrize("world", ["facets", "aspects"], indirect=True)
def test_what_is_locked_closed_or_returned(world, looker_of):
    study = world.study
    finished = study.collection.batches.first()
    change_scoring_guard(collection=study.collection, by=study.lena, scores_wait_for_locking=True)
    seat = return_seat(seat=study.seat("alice", finished), by=study.lena, reason="Read 2 again.")
    looks = {
        study.alice: ["annotation:seat", "annotation:hand-in", "home"],
        study.lena: ["annotation:batch", "annotation:topic", "agreement:pair", *SCORES],
    }
    for user, routes in looks.items():
        looker = looker_of(user)
        for route in routes:
            changes = {"seat_id": seat.public_id} if "seat_id" in parameters_of(route) else {}
            looker.page.goto(world.address(route, **changes))
            looker.look(f"{route}, closed or returned")
    study.hand_in("alice", finished)
    for pair in finished.pairs.disputed():
        decide(
            pair=pair,
            by=study.carol,
            save_id=uuid.uuid4(),
            option=study.option(1),
            rationale="By the guidelines.",
        )
    for topic in study.collection.topics.filter(pairs__batch=finished).distinct():
        lock_topic(topic=topic, by=study.lena)
    handed_in = study.seat("bob", finished)
    looks = {
        study.bob: [f"/seats/{handed_in.public_id}/", f"/seats/{handed_in.public_id}/hand-in/"],
        study.carol: [world.address("adjudication:decide-pair"), "/"],
        study.lena: [
            world.address(route)
            for route in ["annotation:batch", "annotation:topic", "agreement:pair"]
        ],
    }
    for user, addresses in looks.items():
        looker = looker_of(user)
        for address in addresses:
            looker.page.goto(address)
            looker.look(f"{address}, locked")


SCORES = ["evaluation:runs", "evaluation:compare", "evaluation:stability", "evaluation:lab"]


@pytest.mark.parametrize("world", ["facets"], indirect=True)
def test_jobs_imports_and_exports_on_their_way(world, looker_of, tmp_path, eager_jobs):
    study, looker = world.study, looker_of(world.study.lena)
    page = looker.page
    imports, exports = world.address("imports:import"), world.address("releases:exports")
    now = timezone.now()
    states = {
        "queued": {},
        "running": {
            "stage": "Writing",
            "progress_done": 10,
            "progress_total": 30,
            "attempts": 1,
            "heartbeat_at": now,
            "started_at": now,
        },
        "failed": {
            "error": "The disk is full.",
            "result": {"errors": ["a.csv, line 2: no id."]},
            "finished_at": now,
        },
        "done": {"result": {"message": "Done.", "url": "/"}, "finished_at": now},
    }
    for state, fields in states.items():
        job = Job.objects.create(
            kind="export",
            collection=study.collection.public_id,
            created_by=study.lena,
            state=state,
            **fields,
        )
        page.goto(job.get_absolute_url())
        looker.look(f"a job that is {state}")

    for name, rows in {"refused": 'q9,q9,c1\n"', "checked": f"q1,method,bob,q1c1,{3}\n"}.items():
        file = tmp_path / "ratings.csv"
        file.write_text(f"query,facet,rater,document,grade\n{rows}")
        page.goto(imports)
        page.locator("input[type=file]").first.set_input_files(file)
        page.get_by_role("button", name="Upload and check").click()
        page.wait_for_load_state("networkidle")
        looker.look(f"an import that is {name}")
        looker.look_inside(f"an import that is {name}")

    page.goto(exports)
    page.get_by_role("button", name="Make an incomplete export").click()
    page.wait_for_load_state("networkidle")
    looker.look("an export that is incomplete")


@pytest.mark.parametrize("world", ["facets"], indirect=True)
def test_a_pair_while_it_is_rated_and_decided(world, looker_of):
    study = world.study
    looker = looker_of(study.alice)
    page = looker.page
    for keys in ["2", "n", "s", "f", "g", "?", "l", "w", "h", "e"]:
        page.goto(world.address("annotation:rate-pair"))
        page.keyboard.press(keys)
        page.wait_for_load_state("networkidle")
        looker.look(f"a pair after {keys}")
    page.keyboard.press("1")
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    looker.look("a pair offline")
    page.context.set_offline(False)

    disputed = study.topics[0].pairs.disputed().first()
    looker = looker_of(study.carol)
    page = looker.page
    for keys in ["2", "n", "x", "y", "g", "?", "w", "e"]:
        page.goto(disputed_address := world.address("adjudication:decide-pair"))
        page.keyboard.press(keys)
        page.wait_for_load_state("networkidle")
        looker.look(f"a dispute after {keys}")
    other = make_member(study.collection, "Cleo", "adjudicator")
    take_topic(topic=disputed.topic, by=other.user)
    page.goto(disputed_address)
    looker.look("a dispute that somebody else has taken")


def test_signing_in_joining_and_the_second_factor(transactional_db, looker_of):
    study = make_study()
    _, token = invite(collection=study.collection, role="annotator", by=study.lena)
    looker = looker_of()
    page = looker.page
    for address in [f"/invitations/{token}/", "/invitations/x/"]:
        page.goto(address)
        looker.look(address)
    factor = second_factor.begin_enrolment(account=study.lena)
    app = pyotp.TOTP(second_factor.secret_of(factor))
    other = looker_of(study.bob)
    for address in ["/settings/second-factor/", f"/invitations/{token}/"]:
        other.page.goto(address)
        other.look(address)
    other.page.goto("/settings/second-factor/")
    with other.page.expect_navigation():
        other.page.get_by_role("button", name="Set up").click()
    other.look("setting up a second factor")
    codes = second_factor.confirm_enrolment(account=study.lena, code=app.now())
    assert codes
    page.goto("/sign-in/")
    page.get_by_label("E-mail address").fill("lena@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/code/**")
    looker.look("the code of a second factor")
    page.get_by_label("Code").fill("000000")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    looker.look("a wrong code")
    for _ in range(7):
        page.goto("/sign-in/")
        page.get_by_label("E-mail address").fill("bob@example.org")
        page.get_by_label("Password").fill("wrong")
        with page.expect_navigation():
            page.keyboard.press("Enter")
    looker.look("too many guesses")


def test_refusals_and_outages(transactional_db, looker_of, monkeypatch):
    study = make_study()
    looker = looker_of(study.alice)
    page = looker.page
    addresses = {
        400: "/collections/study/?unheard-of=1",
        403: "/collections/study/agreement/",
        404: "/no/",
    }
    for status, address in addresses.items():
        assert page.goto(address).status == status
        looker.look(f"{status}")
    page.goto("/settings/")
    page.eval_on_selector_all("[name=csrfmiddlewaretoken]", "all => all.map(one => one.remove())")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_role("button", name="Save settings").click()
    page.wait_for_load_state("networkidle")
    looker.look("a form without its token")
    plain = looker_of(study.alice, java_script_enabled=True)
    errors = {
        503: OperationalError("database or disk is full"),
        500: ValueError("a mistake of ours"),
    }
    for status, error in errors.items():

        def fail(*args, error=error):
            raise error

        monkeypatch.setattr("config.home.render", fail)
        assert plain.page.goto("/").status == status
        plain.look(f"{status}")
