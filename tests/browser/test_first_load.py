"""What the workbench costs on the wire, as an installation serves it: counts, not times."""

import pytest
from django.conf import settings
from playwright.sync_api import expect

from annotation.models import Rating
from bench.annotating.study import build

PAIRS = 125  # of a batch: a topic of CSFCube has about 120 candidates
SAVES = 20  # among them two requests for the next dozen texts


class Wire:
    """Counts requests and bytes, headers included, of a page that nothing is cached for."""

    def __init__(self, page):
        self.requests, self.size = [], 0
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.requestWillBeSent", self._sent)
        network.on("Network.loadingFinished", self._received)

    def _sent(self, event):
        self.requests.append(event["request"]["url"])

    def _received(self, event):
        self.size += event["encodedDataLength"]


@pytest.fixture
def open_workbench(browser, installation):
    """The first page of an annotator's workbench in a batch of usual size; `page.wire` counts."""
    [(key, [desk])] = build(size=PAIRS, annotators=1, pairs_each=PAIRS, slug="wire")
    _, url = installation().start_web()
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": url}])
    page = context.new_page()
    page.wire = Wire(page)
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(desk.address)
    page.wait_for_load_state("networkidle")
    yield page
    context.close()
    assert troubles == []


def test_scripts_work_as_collected_and_pages_take_few_requests_and_kilobytes(open_workbench):
    page = open_workbench
    first = page.wire.size
    assert len(page.wire.requests) <= 12, page.wire.requests
    assert first <= 150_000

    for number in range(1, SAVES + 1):
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        expect(page.locator("#where")).to_have_text(str(number + 1))
        expect(page.locator("#pair")).not_to_have_attribute("data-loading", "")
    expect(page.locator("#sync")).to_have_text("All saved")

    page.wait_for_load_state("networkidle")

    assert Rating.objects.count() == SAVES
    assert (page.wire.size - first) / SAVES <= 4_000
