"""The seals show what was done to the trail behind the product's back."""

import hashlib
import threading
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connections, transaction
from django.utils import timezone

from annotation.schemes.actions import load_definition
from audit import chain, witness
from audit.actions import record
from audit.chain import chain_findings, gaps_between, seal_for, seal_trail
from audit.models import Event, Seal
from audit.tasks import seal
from datasets.models import Collection
from tests.damage import erase, rewrite
from tests.factories.studies import make_collection, make_user

pytestmark = pytest.mark.both

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def collection(db):
    return make_collection("study", load_definition("csfcube"))


def write_events(collection, count, verb="change details"):
    return [
        record(verb, collection, by=None, collection=collection, after={"n": 1.5})
        for _ in range(count)
    ]


def findings():
    return list(chain_findings())


@pytest.fixture
def sealed(collection):
    """Three seals: over all that made the collection, over three events, and over two."""
    seal_trail()
    for count in (3, 2):
        write_events(collection, count)
        seal_trail()
    return collection


def test_seals_cover_every_event_once_and_follow_from_each_other(sealed):
    first, second, third = Seal.objects.order_by("number")
    ids = list(Event.objects.order_by("id").values_list("id", flat=True))

    assert [second.previous, third.previous] == [first.sha256, second.sha256]
    assert first.ranges == [[ids[0], ids[-6]]]
    assert second.ranges == [[ids[-5], ids[-3]]]
    assert third.ranges == [[ids[-2], ids[-1]]]
    assert findings() == []


def test_nothing_new_makes_no_seal(sealed):
    assert seal_trail() == Seal.objects.get(number=3)
    assert Seal.objects.count() == 3


def test_a_long_trail_takes_several_seals(collection, monkeypatch):
    monkeypatch.setattr(chain, "EVENTS_PER_SEAL", 4)
    monkeypatch.setattr(chain, "EVENTS_AT_ONCE", 3)
    write_events(collection, 14)

    seal_trail()

    assert sum(Seal.objects.values_list("event_count", flat=True)) == Event.objects.count()
    assert Seal.objects.count() > 2
    assert findings() == []


@pytest.mark.parametrize(
    "change",
    [
        {"verb": "rate"},
        {"subject_id": "another"},
        {"reason": "because"},
        {"after": {"n": 2}},
        {"actor": None, "before": 1},
        {"at": LONG_AGO},
        {"request_id": uuid.uuid4()},
    ],
)
def test_a_forged_event_is_found(sealed, change):
    event = Event.objects.order_by("-id")[1]

    rewrite(Event.objects.filter(pk=event.pk), **change)

    assert any("Seal 3" in sentence and "was changed" in sentence for sentence in findings())


def test_a_deleted_event_is_named(sealed):
    event = Event.objects.order_by("-id")[3]

    erase(Event.objects.filter(pk=event.pk))

    [sentence] = findings()
    assert sentence.startswith(f"Event {event.pk} of Seal 2")


def test_an_event_put_into_a_seal_range_is_found(sealed):
    """A deleted event does not come back as another one with its id."""
    event = Event.objects.order_by("-id")[0]
    erase(Event.objects.filter(pk=event.pk))
    Event.objects.create(id=event.pk, verb="forged", subject_type="x", subject_id="y")

    [sentence] = findings()
    assert "was changed" in sentence


def test_an_event_put_into_an_old_gap_is_found(collection):
    write_events(collection, 3)
    gone = Event.objects.order_by("-id")[1].pk
    erase(Event.objects.filter(pk=gone))
    seal_trail()
    make_old(Seal.objects.get())
    Event.objects.create(id=gone, verb="forged", subject_type="x", subject_id="y")
    seal_trail()

    [sentence] = findings()
    assert sentence.startswith(f"Event {gone} is in no seal, though seal 1 covers later ones")


def test_a_backdated_event_is_found(sealed):
    written = write_events(sealed, 1)[0]
    rewrite(Event.objects.filter(pk=written.pk), at=LONG_AGO)
    seal_trail()

    [sentence] = findings()
    assert sentence.startswith(f"Event {written.pk} is dated 2026-01-01")


def test_events_after_a_seal_whose_clock_was_days_ahead_are_not_judged(sealed, monkeypatch):
    write_events(sealed, 1)
    with monkeypatch.context() as patched:
        patched.setattr(chain.timezone, "now", lambda: datetime.now(UTC) + timedelta(days=2))
        seal_trail()

    write_events(sealed, 1)
    seal_trail()

    assert findings() == []


@pytest.mark.parametrize("number", [1, 2])
def test_a_deleted_seal_is_found(sealed, number):
    erase(Seal.objects.filter(number=number))

    assert f"Seal {number} is gone from the chain." in findings()


@pytest.mark.parametrize(
    "change",
    [{"event_count": 7}, {"sealed_at": LONG_AGO}, {"ranges": [[1, 1]]}, {"last_event": 1}],
)
def test_a_changed_seal_is_found(sealed, change):
    rewrite(Seal.objects.filter(number=2), **change)

    assert findings() != []


def test_a_seal_made_anew_over_a_forged_event_does_not_bear_the_next(sealed):
    second, third = Seal.objects.filter(number__gt=1).order_by("number")
    rewrite(Event.objects.filter(pk=second.last_event), reason="forged")
    forged = chain.hash_of(second, chain._rows().in_ranges(second.ranges))
    rewrite(Seal.objects.filter(number=2), sha256=forged)

    assert findings() == [
        f"Seal 3 of {third.sealed_at:%Y-%m-%d %H:%M} does not follow from the seal before it."
    ]


def test_a_chain_made_anew_is_found_by_what_was_written_down(sealed, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    seal()
    erase(Seal.objects.filter(number=3))
    rewrite(Event.objects.filter(pk=Event.objects.latest("pk").pk), reason="forged")
    seal_trail()

    assert findings() == []
    [sentence] = witness.witness_findings()
    assert "seal 3" in sentence


def test_a_seal_is_written_down_once(sealed, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    seal()
    seal()

    newest = Seal.objects.get(number=3)
    assert witness.file().read_text() == f"3 {newest.sha256}\n"
    assert list(witness.witness_findings()) == []


@pytest.mark.parametrize("torn", ["7 0f3a", "\0" * 20, "7"])
def test_a_line_that_a_full_disk_cut_off_accuses_nobody(sealed, settings, tmp_path, torn):
    settings.STATE_DIR = tmp_path
    witness.write_down(Seal.objects.get(number=2))
    with witness.file().open("a") as file:
        file.write(torn)

    witness.write_down(Seal.objects.get(number=3))

    assert list(witness.witness_findings()) == []
    erase(Seal.objects.filter(number=3))
    [sentence] = witness.witness_findings()
    assert f"1 seal of {witness.file()} is not in the chain, first seal 3 (" in sentence
    erase(Seal.objects.filter(number=2))
    [sentence] = witness.witness_findings()
    assert f"2 seals of {witness.file()} are not in the chain, first seal 2 (" in sentence


def test_the_database_refuses_to_touch_a_seal(sealed):
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Seal.objects.update(coverage=2)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        Seal.objects.all().delete()


def test_a_seal_is_filled_before_the_next_one_begins(collection, monkeypatch):
    monkeypatch.setattr(chain, "EVENTS_PER_SEAL", 4)
    monkeypatch.setattr(chain, "EVENTS_AT_ONCE", 2)
    seal_trail()
    write_events(collection, 5)

    counts = [seal.event_count for seal in Seal.objects.order_by("number")]
    seal_trail()

    assert list(Seal.objects.order_by("number").values_list("event_count", flat=True)) == [
        *counts,
        4,
        1,
    ]


def test_the_first_event_of_all_is_sealed_late_as_any_other(db):
    for pk in (2, 3):
        Event.objects.create(id=pk, verb="begin", subject_type="x", subject_id="y")
    seal_trail()
    Event.objects.create(id=1, verb="begin", subject_type="x", subject_id="y")

    assert seal_trail().ranges == [[1, 1]]


def test_the_seal_of_a_collection_without_events_is_the_newest_and_not_complete(db):
    Event.objects.create(id=1, verb="begin", subject_type="x", subject_id="y")
    newest = seal_trail()

    empty = Collection(slug="empty", name="Empty")

    assert seal_for(empty) == {"seal": 1, "sha256": newest.sha256, "is_complete": False}


def test_gaps_are_what_no_range_has():
    assert gaps_between([[3, 4], [8, 9]], 0, 12) == [(1, 2), (5, 7), (10, 12)]
    assert gaps_between([[1, 12]], 0, 12) == []
    assert gaps_between([], 4, 4) == []


def test_ranges_hold_neighbouring_ids_together():
    assert chain._ranges_of([1, 2, 3, 5, 7, 8]) == [[1, 3], [5, 5], [7, 8]]
    assert chain._ranges_of([4]) == [[4, 4]]


def test_a_seal_is_the_hash_of_all_that_it_says_and_of_its_events():
    """Spelled by hand: what was sealed once must have the same hash in every later version."""
    made = Seal(
        number=2,
        previous="ab",
        coverage=1,
        ranges=[[3, 4]],
        event_count=2,
        last_event=4,
        sealed_at=LONG_AGO,
    )
    values = dict(zip(chain.COVERED_FIELDS[1][1:], "bcdefghijk", strict=True))
    rows = [Event(id=number, **values) for number in (3, 4)]

    spelled = (
        b'{"coverage":1,"event_count":2,"last_event":4,"number":2,"previous":"ab",'
        b'"ranges":[[3,4]],"sealed_at":"2026-01-01T00:00:00.000000+00:00"}\n'
        b'[3,"b","c","d","e","f","g","h","i","j","k"]\n[4,"b","c","d","e","f","g","h","i","j","k"]'
    )
    assert chain.hash_of(made, rows) == hashlib.sha256(spelled).hexdigest()


def test_every_kind_of_value_is_sealed_in_one_spelling():
    moment = datetime(2026, 1, 1, 9, 30, tzinfo=timezone.get_fixed_timezone(90))
    number = uuid.uuid4()

    assert chain._plain(moment) == "2026-01-01T08:00:00.000000+00:00"
    assert [chain._plain(value) for value in (None, 4, "x", [1], {"a": 1})] == [
        None, 4, "x", [1], {"a": 1},
    ]  # fmt: skip
    assert chain._plain(number) == str(number)


def test_several_deleted_events_and_seals_are_named_together(sealed):
    last = Event.objects.latest("pk").pk
    erase(Event.objects.filter(pk__in=[last - 4, last - 2, last - 1]))
    seals = Seal.objects.order_by("number")
    when = [f"{seal.sealed_at:%Y-%m-%d %H:%M}" for seal in seals]

    assert findings() == [
        f"Events {last - 4}, {last - 2} of Seal 2 of {when[1]} are gone from the trail.",
        f"Event {last - 1} of Seal 3 of {when[2]} is gone from the trail.",
    ]

    erase(seals.filter(number__in=[1, 2]))
    assert findings()[0] == "Seals 1 to 2 are gone from the chain."


def test_late_events_of_more_than_a_hundred_gaps_are_sealed_once(collection):
    top = Event.objects.latest("pk").pk

    def create(ids):
        Event.objects.bulk_create(
            Event(id=pk, verb="slow", subject_type="x", subject_id="y") for pk in ids
        )

    create(range(top + 2, top + 2 * 103, 2))
    seal_trail()
    create(range(top + 1, top + 2 * 103 - 1, 2))

    late = seal_trail()

    assert late.ranges == [[pk, pk] for pk in range(top + 1, top + 2 * 103 - 1, 2)]
    assert late.event_count == 102
    assert findings() == []


def test_chain_says_when_it_was_sealed_and_over_how_many_events(sealed, caplog):
    write_events(sealed, 2)

    with caplog.at_level("INFO", logger="audit.chain"):
        newest = seal_trail()

    assert caplog.messages == [f"Seal 4 over 2 events, sha256 {newest.sha256}"]


def test_a_seal_holds_when_later_ones_cover_more_fields(collection, monkeypatch):
    every = chain.COVERED_FIELDS[chain.COVERAGE]
    fewer = {1: [name for name in every if name != "reason"], 2: every}
    monkeypatch.setattr(chain, "COVERED_FIELDS", fewer)
    monkeypatch.setattr(chain, "COVERAGE", 1)
    seal_trail()
    monkeypatch.setattr(chain, "COVERAGE", 2)
    write_events(collection, 2)
    seal_trail()

    assert list(Seal.objects.order_by("number").values_list("coverage", flat=True)) == [1, 2]
    assert findings() == []


def make_old(seal):
    """As if the seal had been made two days ago."""
    seal.sealed_at = timezone.now() - timedelta(days=2)
    rows = list(chain._rows().filter(id__lte=seal.last_event))
    sha256 = chain.hash_of(seal, rows)
    rewrite(Seal.objects.filter(pk=seal.pk), sealed_at=seal.sealed_at, sha256=sha256)


def test_events_in_the_gaps_of_a_recent_seal_are_sealed_late(collection):
    """As on PostgreSQL, where an event may be committed after one with a higher id."""
    write_events(collection, 5)
    ids = list(Event.objects.order_by("id").values_list("id", flat=True))
    early, late = ids[-4], ids[-2]
    erase(Event.objects.filter(pk__in=[early, late]))
    first = seal_trail()

    for pk in (early, late):
        Event.objects.create(id=pk, verb="slow", subject_type="x", subject_id="y")
    second = seal_trail()

    assert first.ranges == [[ids[0], ids[-5]], [ids[-3]] * 2, [ids[-1]] * 2]
    assert second.ranges == [[early, early], [late, late]]
    assert (second.event_count, second.last_event) == (2, ids[-1])
    assert findings() == []


def test_events_that_a_seal_may_still_name_are_not_judged(collection):
    write_events(collection, 3)
    gone = Event.objects.order_by("-id")[1].pk
    erase(Event.objects.filter(pk=gone))
    seal_trail()

    Event.objects.create(id=gone, verb="slow", subject_type="x", subject_id="y")
    write_events(collection, 3)

    assert findings() == []


def test_export_names_the_seal_over_the_last_change_of_its_collection(collection):
    assert seal_for(collection) is None
    seal_trail()
    write_events(collection, 1)
    changed = seal_trail()
    complete = {"seal": 2, "sha256": changed.sha256, "is_complete": True}
    assert seal_for(collection) == complete

    write_events(collection, 1, verb="export")
    record("change settings", collection, by=None, collection=None)
    exported = seal_trail()
    assert seal_for(collection) == complete

    write_events(collection, 1)
    assert seal_for(collection) == {"seal": 3, "sha256": exported.sha256, "is_complete": False}


def test_an_event_in_any_range_of_a_seal_is_covered_by_it(collection):
    [event] = write_events(collection, 1)
    ranges = [[1, 1], [event.pk, event.pk], [event.pk + 5, event.pk + 6]]
    made = Seal.objects.create(
        number=1,
        coverage=1,
        ranges=ranges,
        event_count=4,
        last_event=event.pk + 6,
        sealed_at=LONG_AGO,
        sha256="x",
    )

    assert seal_for(collection) == {"seal": made.number, "sha256": "x", "is_complete": True}


def test_seal_of_another_coverage_is_found(sealed, monkeypatch):
    every = chain.COVERED_FIELDS[chain.COVERAGE]
    monkeypatch.setattr(chain, "COVERED_FIELDS", {1: every, 2: every})

    rewrite(Seal.objects.filter(number=2), coverage=2)

    assert any("Seal 2" in sentence and "was changed" in sentence for sentence in findings())


def test_seal_that_is_refused_for_another_reason_than_its_number_is_not_tried_again(
    sealed, monkeypatch
):
    def refuse(self, **options):
        raise IntegrityError("The table is damaged.")

    write_events(sealed, 1)
    monkeypatch.setattr(Seal, "save", refuse)

    with pytest.raises(IntegrityError, match="damaged"):
        seal_trail()


@pytest.mark.postgres_only
@pytest.mark.django_db(transaction=True)
def test_an_event_that_commits_after_a_later_one_is_sealed_late():
    ada = make_user("Ada")
    has_written, may_commit = threading.Event(), threading.Event()

    def write_slowly():
        with transaction.atomic():
            record("change settings", ada, by=ada)
            has_written.set()
            may_commit.wait(60)
        connections.close_all()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    assert has_written.wait(60)
    quick = record("sign out everywhere", ada, by=ada)
    first = seal_trail()
    may_commit.set()
    writer.join()
    slow = Event.objects.get(verb="change settings")
    second = seal_trail()

    assert slow.pk < quick.pk
    assert first.ranges == [[quick.pk, quick.pk]]
    assert second.ranges == [[slow.pk, slow.pk]]
    assert second.last_event == quick.pk
    assert findings() == []


@pytest.mark.django_db(transaction=True)
def test_two_that_seal_at_once_make_one_chain(monkeypatch):
    ada = make_user("Ada")
    write_events_of = [record("change settings", ada, by=ada) for _ in range(3)]
    meeting = threading.Barrier(2, timeout=60)
    original = chain._seal_of

    def at_the_same_time(rows, newest):
        if newest is None:
            meeting.wait()
        return original(rows, newest)

    monkeypatch.setattr(chain, "_seal_of", at_the_same_time)

    def seal_beside():
        seal_trail()
        connections.close_all()

    other = threading.Thread(target=seal_beside)
    other.start()
    seal_trail()
    other.join()

    assert [seal.event_count for seal in Seal.objects.all()] == [len(write_events_of)]
    assert findings() == []
