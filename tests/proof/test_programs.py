"""What a person may change on a page, a program of theirs may change, and no other person's."""

import pytest

from api.urls import urlpatterns
from api.writes.registry import WRITES
from tests.proof.permissions import MATRIX
from tests.proof.programs import BROWSER_ONLY, COUNTERPARTS

pytestmark = pytest.mark.once

CHANGED_ON_PAGES = {
    route: methods["POST"]
    for route, methods in MATRIX.items()
    if "POST" in methods and not route.startswith("api:")
}
BY_NAME = {write.name: write for write in WRITES}
ROUTES = {str(pattern.pattern): f"api:{pattern.name}" for pattern in urlpatterns}


def write_for(route):
    return BY_NAME.get(COUNTERPARTS.get(route, route.partition(":")[2]))


def test_every_change_on_a_page_has_a_write_or_a_reason_to_have_none():
    without = {route for route in CHANGED_ON_PAGES if write_for(route) is None}

    assert without == set(BROWSER_ONLY)


def test_no_row_is_about_a_page_that_is_gone():
    assert set(COUNTERPARTS) | set(BROWSER_ONLY) <= set(CHANGED_ON_PAGES)
    assert set(COUNTERPARTS.values()) <= set(BY_NAME)


def test_a_program_changes_what_its_person_changes_on_the_page():
    differing = {}
    for route, page in CHANGED_ON_PAGES.items():
        if write := write_for(route):
            by_program = MATRIX[ROUTES[write.at]][write.method.upper()]
            if by_program.allowed != page.allowed:
                differing[route] = page.allowed ^ by_program.allowed

    assert differing == {}
