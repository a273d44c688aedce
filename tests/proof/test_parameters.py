"""What stands in an address or in a header chooses no row that a person may not see, and breaks
no page."""

import random
import re
from pathlib import Path

import pytest
from django.db import transaction
from pytest_django.asserts import assertContains

from agreement.pages.frame import AT_A_TIME
from annotation.authoring.views import pools
from annotation.progress.views import overview
from config.parameters import KNOWN
from tests.proof.permissions import MATRIX
from tests.proof.world import make_world
from tests.shelf import shelved

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = [
    "accounts",
    "adjudication",
    "agreement",
    "annotation",
    "api",
    "config",
    "datasets",
    "jobs",
    "releases",
    "webhooks",
]
READ = re.compile(
    r'(?:GET|parameters)\.get(?:list)?\(\s*"([\w-]+)"'
    r'|(?:one_of|is_yes)\([\w.]+, "([\w-]+)"'
    r'|"([\w-]+)" in request\.GET'
)

# What the database would be asked by a page that turned names into columns.
RELATIONAL = [
    "id",
    "pk",
    "order_by",
    "ordering",
    "page_size",
    "per_page",
    "limit",
    "fields",
    "annotator__user__email",
    "ratings__option__value",
    "pair__gold_value",
    "decisions__rationale__startswith",
    "password__startswith",
    "user__second_factor__salt",
    "state__in",
    "query__id",
    "facet__regex",
    "batch__seats__holder",
    "-id",
    "",
    "page\x00",
]
HOSTILE = [
    "",
    "0",
    "-1",
    "1",
    "2",
    "9" * 5000,
    "1e9",
    "１２",
    "NaN",
    "all",
    "gold",
    "queue",
    "disputed",
    "-id",
    "../../etc/passwd",
    "' OR 1=1 --",
    "<script>",
    "%00",
    "\x00",
    "\ud800",
    "\u202e",
    "x" * 3000,
    "2026-02-30",
    "9999-12-31",
    "0001-01-01",
    "00000000-0000-4000-8000-000000000000",
    "//example.com",
    "http://[",
]
# What a page may answer, whatever it is asked; no worker runs here, and the health page says so.
SOUND = {200, 302, 400, 401, 404, 422}
NOT_WELL = {"healthz": {503}}
HEADERS = {
    "HX-Request": ["true", "x"],
    "HX-Current-URL": ["http://[", "http://testserver/", "//[::", "\\", "javascript:alert(1)"],
    "HX-Current-URL-URI-AutoEncoded": ["true"],
    "HX-History-Restore-Request": ["true"],
    "Triggering-Event": ["{", "null"],
    "Accept-Language": ["x" * 500, ";;q=", "de-"],
    "X-Forwarded-For": ["unknown", ",,,", "[::1]:80, x", "9" * 99],
    "X-Forwarded-Proto": ["x"],
    "Referer": ["http://[", "x"],
    "Origin": ["http://[", "null"],
    "If-Modified-Since": ["yesterday", "9" * 99],
    "If-None-Match": ["*", '"'],
    "Cookie": ["sessionid=" + "x" * 300, "device=x", "messages=x", "csrftoken=x", ";;;="],
    "Content-Type": ["multipart/form-data", "application/json; charset=x", "x"],
}

OWN_FILTERS = {
    *(("home", name) for name in ("words", "all")),
    *(
        ("annotation:hand-in", name)
        for name in ("words", "flagged", "noted", "order", "compare", "page")
    ),
}

pytestmark = pytest.mark.once


@shelved
def world(db):
    return make_world()


def browser_of(world, person):
    return world.browser(person, raise_request_exception=False)


def readers(route):
    return sorted(MATRIX[route]["GET"].allowed) or ["anonymous"]


READ_ROUTES = sorted(route for route in MATRIX if "GET" in MATRIX[route])


def test_every_parameter_that_a_page_reads_is_known():
    read = {
        next(filter(None, match))
        for app in APPS
        for file in (ROOT / app).rglob("*.py")
        for match in READ.findall(file.read_text())
    }

    assert read
    assert read - KNOWN == set()


def test_a_parameter_that_no_page_reads_is_refused_by_every_page(world, stress):
    browser = browser_of(world, "lena")
    let_in = [
        f"{route}?{name}"
        for number, route in enumerate(READ_ROUTES)
        for name in stress(rotated(RELATIONAL, number)[:3], RELATIONAL)
        if browser.get(world.address(route), {name: "1"}).status_code != 400
    ]

    assert let_in == []


def rotated(names, number):
    """The names with another one in front for each number: every page gets some, each some page."""
    number %= len(names)
    return names[number:] + names[:number]


def test_the_refusal_names_the_parameter_and_nothing_else(world):
    answer = browser_of(world, "alice").get("/", {"ratings__option": "<2>"})

    assertContains(answer, "knows no parameter &#x27;ratings__option&#x27;", status_code=400)


@pytest.mark.parametrize("seed", range(4))
def test_known_parameters_with_any_value_break_no_page(world, seed, stress):
    chance = random.Random(seed)
    broken = []
    for _ in range(stress(50, 1000)):
        route = chance.choice(READ_ROUTES)
        person = chance.choice(readers(route))
        query = {
            name: chance.choice(HOSTILE)
            for name in chance.sample(sorted(KNOWN), chance.randint(1, 3))
        }
        answer = ask(browser_of(world, person), world.address(route), query)
        if answer.status_code not in SOUND | NOT_WELL.get(route, set()):
            broken.append(f"{route} by {person} {query}: {answer.status_code}")
    assert broken == []


def ask(browser, address, query=None, headers=None):
    encoded = {
        name: value.encode("utf-8", "surrogatepass") for name, value in (query or {}).items()
    }
    with transaction.atomic():
        answer = browser.get(address, encoded, headers=headers or {})
        transaction.set_rollback(True)
    return answer


@pytest.mark.parametrize("seed", range(2))
def test_no_header_breaks_a_page(world, seed, stress):
    chance = random.Random(seed)
    broken = []
    for _ in range(stress(90, 1000)):
        route = chance.choice(READ_ROUTES)
        person = chance.choice([*readers(route), "anonymous"])
        headers = {
            name: chance.choice(HEADERS[name])
            for name in chance.sample(sorted(HEADERS), chance.randint(1, 4))
        }
        answer = ask(browser_of(world, person), world.address(route), headers=headers)
        if answer.status_code >= 500:
            broken.append(f"{route} by {person} {headers}: {answer.status_code}")
    assert broken == []


def test_a_length_that_is_no_number_breaks_no_upload(world):
    lena = browser_of(world, "lena")
    for length in ["x", "-1", "９", "", "9" * 5000]:
        for route in ("imports:import", "annotation:add-corpus"):
            assert lena.post(world.address(route), CONTENT_LENGTH=length).status_code < 500


def test_no_parameter_changes_which_rows_an_annotator_sees(world):
    """Pages of annotators read where to go on and nothing else; before handing in, they filter and
    order their own pairs."""
    alice = browser_of(world, "alice")
    texts = {
        route: text_of(alice.get(world.address(route)))
        for route in ("home", "annotation:seat", "annotation:rate-pair", "annotation:hand-in")
    }
    wrong = []
    for value in ("1", "disputed", "bob", "all"):
        for route, plain in texts.items():
            # All at once: a page that reads any of them differs.
            query = {
                name: value
                for name in sorted(KNOWN - {"saved", "pair", "facet"})
                if (route, name) not in OWN_FILTERS
            }
            if text_of(alice.get(world.address(route), query)) != plain:
                wrong.append(f"{route}?{query}")
    assert wrong == []


def text_of(answer):
    body = answer.content.decode()
    body = body[body.find("<main") :]
    body = re.sub(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken": )"\w+"', "", body)
    return answer.status_code, re.sub(r'name="save_id" value="[^"]+"', "", body)


def test_a_page_of_a_list_has_200_rows_at_most():
    assert max(AT_A_TIME, overview.PAGE_SIZE, pools.PAGE_SIZE) <= 200
