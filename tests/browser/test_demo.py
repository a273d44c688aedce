"""Whoever looks around the demo finds every page accessible and whole, on a phone as on a desk.

From their home page on, each person follows the links they are shown, one page of each kind in
each of the two studies. On a push the first page of each kind that no other test looks at is
opened, looked at by axe-core and at all widths; the others are fetched and answer.
"""

from collections import deque
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve
from lxml import html
from playwright.sync_api import expect

from accounts.models import User
from config import demo

pytestmark = pytest.mark.django_db(transaction=True)

OF_NO_STUDY = ("home", "accounts:")
# Pages that a test of these files looks at in a small study, for axe-core and at all widths. A kind
# of page that stands nowhere here is opened.
LOOKED_AT_IN = {
    "tests/agreement/pages/test_browser.py": {
        "agreement:agreement",
        "agreement:annotators",
        "agreement:disagreements",
        "agreement:facets",
        "agreement:pool",
        "agreement:queries",
        "agreement:report",
        "agreement:time",
        "agreement:working",
    },
    "tests/browser/test_audit.py": {"agreement:audits"},
    "tests/browser/test_lead.py": {
        "agreement:pair",
        "annotation:assign",
        "annotation:batch",
        "annotation:collection",
        "annotation:topic",
    },
    "tests/browser/test_people.py": {
        "accounts:password-change",
        "api-page",
        "datasets:members",
        "datasets:tokens",
    },
    "tests/browser/test_runs.py": {
        "datasets:judgments",
        "datasets:run",
        "datasets:runs",
        "imports:runs-pool",
    },
    "tests/browser/test_second_factor.py": {
        "accounts:second-factor",
        "accounts:settings",
        "annotation:details",
    },
    "tests/browser/test_writing.py": {
        "annotation:authoring",
        "annotation:edit-query",
        "annotation:new-query",
        "annotation:pool",
        "annotation:samples",
    },
    "tests/evaluation/queries/test_browser.py": {
        "evaluation:queries",
        "evaluation:query",
        "evaluation:query-statistics",
    },
    "tests/releases/test_browser.py": {"imports:import", "releases:exports"},
}
# Pages that a person must come by, so that a walk which finds no links does not pass.
FOUND_BY = {
    "noor": {"annotation:rate-pair", "annotation:hand-in", "accounts:settings"},
    "rosalind": {"adjudication:queue", "adjudication:decide-pair"},
    "tomas": {
        "annotation:collection",
        "annotation:topic",
        "annotation:flags",
        "annotation:assign",
        "annotation:batch",
        "annotation:authoring",
        "annotation:samples",
        "annotation:scheme",
        "annotation:edit-scheme",
        "agreement:pair",
        "agreement:agreement",
        "evaluation:queries",
        "evaluation:query",
        "datasets:members",
        "imports:import",
        "releases:exports",
        "accounts:password-change",
        "accounts:second-factor",
        "api-page",
    },
    "wilma": {"accounts:people", "annotation:collections", "annotation:create-collection"},
}


@pytest.fixture
def loaded(settings, tmp_path, transactional_db):
    settings.STATE_DIR = tmp_path
    demo.load()


def walk(page, *, known, opens_all):
    """Yield each kind of page, by name, and whether it was opened, on the first one of it that
    links lead to. One of a kind that is known from elsewhere or from another study is fetched.

    A kind is seen once in each collection and seat: a page that names neither in its address
    belongs to the one that the link was found in.
    """
    waiting, seen, known = deque([("/", None)]), set(), set(known)
    while waiting:
        path, place = waiting.popleft()
        name = resolve(path).view_name
        place = None if name.startswith(OF_NO_STUDY) else place_of(path) or place
        if (name, place) in seen:
            continue
        seen.add((name, place))
        is_opened = opens_all or name not in known
        known.add(name)
        response = page.goto(path) if is_opened else page.request.get(path)
        assert response.status == 200, f"{path} answers {response.status}"
        yield name, is_opened
        current = urlsplit(response.url)
        links = html.fromstring(response.body(), base_url=response.url)
        links.make_links_absolute()
        links = links.xpath("//a[@href][not(@download)]/@href")
        waiting += [
            (urlsplit(link).path, place) for link in links if is_page(urlsplit(link), current)
        ]


def assert_large_text_fits(page):
    """A phone shows text of twice the size without scrolling sideways."""
    desk = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(desk)


def place_of(path):
    named = resolve(path).kwargs
    return named.get("slug") or named.get("seat_id")


def is_page(link, current):
    if link.netloc != current.netloc:
        return False
    try:
        name = resolve(link.path).view_name
    except Resolver404:
        return False
    return not name.endswith(("-csv", "-json", "download"))


# The lead has as many pages as all others together, which have tests of each of their states.
@pytest.mark.parametrize(
    "people",
    [
        pytest.param({"tomas"}, id="lead"),
        pytest.param(FOUND_BY.keys() - {"tomas"}, id="others", marks=pytest.mark.full),
    ],
)
def test_every_page_of_the_demo_is_accessible_and_fits(
    open_page, assert_accessible_and_fits, loaded, people, stress
):
    for person in sorted(people):
        page = open_page(User.objects.get(email=f"{person}@example.org"))
        visited = set()

        elsewhere = set().union(*LOOKED_AT_IN.values())
        for name, is_opened in walk(page, known=elsewhere, opens_all=stress(False, True)):
            visited.add(name)
            if is_opened:
                assert_accessible_and_fits(page)
                assert_large_text_fits(page)

        assert FOUND_BY[person] <= visited
        if person == "noor":
            page.goto("/")
            group = page.locator("details[data-group]").first
            group.locator("summary").click()
            page.reload()
            expect(group).to_have_attribute("open", "")
        page.close()
