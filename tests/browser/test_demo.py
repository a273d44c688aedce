"""Whoever looks around the demo finds every page accessible and whole, on a phone as on a desk.

From their home page on, each person follows the links they are shown, one page of each kind in
each of the two studies. On a push the first page of each kind is opened, looked at by axe-core and
at all widths; the second is fetched and answers. What is the same page for all is left to the lead.
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
# The other pages of agreement on one, too long for axe-core to read quickly: it reads that of a
# small study (tests/agreement/pages/test_browser.py).
TOO_LONG = {"agreement:report"}
SAME_FOR_ALL = {"api-page", "accounts:password-change", "accounts:second-factor"}
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
        *SAME_FOR_ALL,
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
    open_page, assert_accessible, assert_fits, loaded, people, stress
):
    for person in sorted(people):
        page = open_page(User.objects.get(email=f"{person}@example.org"))
        visited = set()

        left_to_lead = SAME_FOR_ALL if person != "tomas" else set()
        for name, is_opened in walk(page, known=left_to_lead, opens_all=stress(False, True)):
            visited.add(name)
            if is_opened:
                assert_fits(page)
                if stress(name not in TOO_LONG, True):
                    # Colours are looked at where each kind of page has a test of its own.
                    assert_accessible(page, of_colours=stress(False, True))

        assert FOUND_BY[person] <= visited
        if person == "noor":
            page.goto("/")
            group = page.locator("details[data-group]").first
            group.locator("summary").click()
            page.reload()
            expect(group).to_have_attribute("open", "")
        page.context.close()
