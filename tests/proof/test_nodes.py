"""Two machines as one installation: web servers and a worker with state folders of their own.

What they share is the database, Redis, and a bucket for files.
"""

import hashlib
import io
import zipfile

import pytest
from django.conf import settings
from django.test import Client

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Pair, RatingRevision
from bench.visitor import Visitor
from jobs.models import Job
from releases.models import Export
from tests.factories.csfcube import Folder
from tests.factories.studies import make_study
from tests.processes import wait_until

# Machines cannot share SQLite.
pytestmark = pytest.mark.postgres_only


@pytest.fixture
def addresses(installation, redis_url, object_store):
    """Of two web servers; the only worker runs beside the second."""
    shared = {"REDIS_URL": redis_url, "WEB_CONCURRENCY": "1", **object_store.bucket()}
    first, second = installation(**shared), installation(**shared)
    second.start_worker()
    urls = [node.start_web()[1] for node in (first, second)]
    yield urls
    for node in (first, second):
        kept = [path for path in node.state.rglob("*") if path.is_file()]
        assert not [path for path in kept if "uploads" in path.parts or "exports" in path.parts]


@pytest.fixture
def visit():
    """`visit(url, user)`: a browser without script, signed in on the other machine."""
    visitors = []

    def start(url, user):
        client = Client()
        client.force_login(user)
        visitors.append(Visitor(url))
        name = settings.SESSION_COOKIE_NAME
        visitors[-1].client.cookies.set(name, client.cookies[name].value)
        return visitors[-1]

    yield start
    for visitor in visitors:
        visitor.close()


def wait_for_jobs():
    active = Job.objects.active()
    wait_until(lambda: not active.exists(), "the other machine's worker")
    assert list(Job.objects.exclude(error="").values_list("error", flat=True)) == []


def test_two_machines_are_one_installation(addresses, visit):
    study = make_study(assign=False, facets=())
    first, second = addresses

    # Uploaded on the first, imported by the worker of the second.
    lead = visit(first, study.lena)
    files = [("files", (name.rpartition("/")[2], data)) for name, data in Folder().files().items()]
    page = "/collections/study/import/"
    lead.submit(lead.page(page), page, files=files)
    wait_for_jobs()
    lead.submit(lead.page(page), f"{page}start/")
    wait_for_jobs()
    assert Pair.objects.count() == 9

    # One seat, rated through both.
    batch = make_batches(collection=study.collection, by=study.lena)[0]
    seat = batch.seats.first()
    alice = study.members["alice"]
    assign_seat(seat=seat, member=alice, by=study.lena)
    rooms = [visit(url, alice.user) for url in addresses]
    places = [f"/seats/{seat.public_id}/{position}/" for position in (1, 2, 3)]
    for number, place in enumerate(places):
        room = rooms[number % 2]
        room.submit(room.page(place), place, answer="similar")
    again = rooms[1].page(places[0])
    rooms[1].submit(again, places[0], answer="irrelevant")
    assert RatingRevision.objects.filter(rating__seat=seat).count() == 4
    [kept] = rooms[0].page(places[0]).xpath("//input[@name='answer'][@checked]/@value")
    assert kept == "irrelevant"

    # Exported by the second, downloaded from the first.
    page = "/collections/study/exports/"
    asking = visit(second, study.lena)
    asking.submit(asking.page(page), page, format="csv", allow_incomplete="on")
    wait_for_jobs()
    export = Export.objects.get()
    archive = lead.get(f"/exports/{export.public_id}/{export.archive_name}").content
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        digests = {name: hashlib.sha256(files.read(name)).hexdigest() for name in files.namelist()}
    assert digests == {file["name"]: file["sha256"] for file in export.files}
