"""Grades below zero: with a minus wherever a person reads them, with a hyphen for programs."""

import csv
import re
from urllib.parse import urljoin

import pytest
from django.test import Client
from lxml import html

from adjudication.actions import take_topic
from datasets.runs.actions import add_run
from formats.decimals import MINUS
from tests.adjudication.audits import make_audit
from tests.factories.definitions import add_binary
from tests.factories.runs import run_of
from tests.factories.studies import make_study

pytestmark = [pytest.mark.once, pytest.mark.django_db]

HYPHENED = re.compile(r".{0,40}(?<![\w.-])-\d.{0,40}", re.DOTALL)
# What people read or hear of an element beside its text.
SPOKEN = ("aria-label", "title", "alt", "data-words")
# What a program reads, or a person types as it stands.
FOR_PROGRAMS = "self::script or self::style or self::textarea or self::code"


@pytest.fixture
def study():
    """On a scale from -1 to 2: a finished batch with a dispute, and one in which Alice rates."""
    options = [
        {"key": key, "value": value, "name": key.title(), "shortcut": shortcut}
        for key, value, shortcut in [
            ("spam", "-1", "s"),
            ("not", "0", "n"),
            ("partly", "1", "p"),
            ("fully", "2", "f"),
        ]
    ]
    texts = {option["key"]: f"{option['name']}." for option in options}
    study = make_study(
        facets=("method", "result"),
        options=options,
        definitions=dict.fromkeys(("background", "method", "result"), texts),
    )
    study.finish(alice=[-1, 1, 2], bob=[-1, 0, -1])
    make_audit(study, size=1, control_count=0)
    running = study.collection.batches.all()[1]
    study.rate("alice", running.pairs.first(), -1, note="Sold here.", is_flagged=True)
    ranked = {topic.external_id: ["q1c1", "q1c2", "q1c3"] for topic in study.topics}
    add_run(collection=study.collection, run=run_of(ranked), by=study.lena)
    add_binary(study.collection, by=study.lena)
    return study


def texts_of(page):
    for element in page.xpath(f"//*[not(ancestor-or-self::*[{FOR_PROGRAMS}])]"):
        yield from (element.text or "", *(element.get(name, "") for name in SPOKEN))
        yield from (child.tail or "" for child in element)


def places_of(study, person):
    """Where each of them reads grades."""
    finished, running = study.collection.batches.all()
    topic, pair = study.topics[0], finished.pairs.all()[2]  # one that they dispute
    addresses = {
        "alice": "1/ 2/ 3/ recent/ hand-in/",
        "carol": f"adjudicate/ adjudicate/{topic.public_id}/ adjudicate/sequence/?boundary=-1,0 "
        f"adjudicate/audits/{study.collection.audits.get().public_id}/",
        "lena": f"scheme/ scheme/edit/ flags/ topics/{topic.public_id}/ agreement/ "
        "agreement/report/ agreement/queries/ agreement/annotators/ agreement/disagreements/ "
        "agreement/facets/ agreement/pool/ agreement/working/?facet=method&when=before&measure=rho "
        "agreement/pairs/?list=values&cell=-1,2 agreement/pairs/?list=confusion&cell=2,-1 "
        "agreement/pairs/?list=given&cell=-1 runs/mappings/ runs/mappings/binary/ "
        f"/pairs/{pair.public_id}/ /batches/{finished.public_id}/",
    }[person]
    seat = study.seat("alice", running).public_id
    return urljoin("/", f"seats/{seat}/" if person == "alice" else "collections/study/"), addresses


@pytest.mark.parametrize("person", ["alice", "carol", "lena"])
def test_people_read_a_minus(study, person):
    take_topic(topic=study.topics[0], by=study.carol)
    browser = Client()
    browser.force_login(getattr(study, person))
    home, addresses = places_of(study, person)

    for address in addresses.split():
        response = browser.get(urljoin(home, address), follow=True)

        page = html.fromstring(response.content)
        texts = [text for text in texts_of(page) if HYPHENED.search(text)]
        assert (address, response.status_code, texts) == (address, 200, [])
        assert f"{MINUS}1" in page.text_content() or "hand-in" in address


def test_files_keep_the_hyphen(study):
    browser = Client()
    browser.force_login(study.lena)
    folder = "/collections/study/agreement/disagreements"

    rows = list(csv.DictReader(browser.get(f"{folder}/confusion.csv").text.splitlines()))
    data = browser.get(f"{folder}/confusion.json").json()

    assert [row["value"] for row in rows] == ["-1", "0", "1", "2"]
    assert [row["value"] for row in data["rows"]] == ["-1", "0", "1", "2"]
    assert rows[0]["value_-1"] == "1"
