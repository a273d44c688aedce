"""The worker's clock."""

import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery import current_app
from django.db import OperationalError

from config import beat
from config.beat import Beat, Clock
from jobs.models import Pulse

REFUSED = ConnectionRefusedError("Connection refused")


def test_a_clock_that_can_touch_no_file_sends_what_is_due(settings, tmp_path, monkeypatch):
    settings.STATE_DIR = tmp_path / "gone"
    monkeypatch.setattr("config.beat.TICK_SECONDS", 0)
    clock = Clock(current_app)
    ticks = []
    monkeypatch.setattr(clock, "tick", lambda now: ticks.append(now) or clock.stopping.set())

    clock.start()
    clock.join(5)
    clock.stopping.set()

    assert len(ticks) == 1


class App:
    """Celery, as far as a clock knows it. Messages are refused while `error` is one."""

    class conf:
        beat_schedule = {
            "sweep": {"task": "jobs.sweep", "schedule": 60.0},
            "seal": {"task": "audit.seal", "schedule": 20.0, "options": {"expires": 30}},
        }

    def __init__(self):
        self.sent = []
        self.error = None

    def send_task(self, name, **options):
        if self.error:
            raise self.error
        self.sent.append((name, options))


@pytest.fixture
def beats(monkeypatch):
    """The parts that were said to be well, a list for each time; without the database."""
    parts = []
    monkeypatch.setattr(Pulse.objects, "beat", lambda *names: parts.append(list(names)))
    monkeypatch.setattr(beat, "connection", SimpleNamespace(close=lambda: None))
    return parts


@pytest.fixture
def clock(beats):
    return Clock(App())


def sent_at(clock, now):
    """What the clock sends at a moment, less what it sent before."""
    clock.app.sent.clear()
    clock.tick(now)
    return [name for name, _ in clock.app.sent]


def test_everything_is_due_at_the_start_and_then_when_its_time_has_come(clock):
    clock.is_connected = True

    assert sent_at(clock, 100.0) == ["jobs.sweep", "audit.seal"]
    assert sent_at(clock, 119.9) == []
    assert sent_at(clock, 120.0) == ["audit.seal"]
    assert sent_at(clock, 160.0) == ["jobs.sweep", "audit.seal"]


def test_a_message_goes_with_its_options(clock):
    clock.is_connected = True

    clock.tick(0.0)

    assert clock.app.sent == [("jobs.sweep", {}), ("audit.seal", {"expires": 30})]


def test_the_first_message_that_a_broker_takes_sweeps_everything(clock):
    """What an earlier broker without memory had is lost."""
    clock.tick(0.0)

    assert clock.app.sent[0] == ("jobs.sweep", {"kwargs": {"at_start": True}})
    assert [name for name, _ in clock.app.sent] == ["jobs.sweep", "jobs.sweep", "audit.seal"]


def test_a_broker_that_is_away_is_tried_again_soon_and_swept_when_it_is_back(clock, caplog):
    clock.tick(0.0)
    clock.app.error = REFUSED
    with caplog.at_level(logging.WARNING, "config.beat"):
        for now in (60.0, 65.0, 70.0):
            assert sent_at(clock, now) == []
    clock.app.error = None

    assert sent_at(clock, 74.9) == []
    assert sent_at(clock, 75.0) == ["jobs.sweep", "jobs.sweep", "audit.seal"]
    assert [line.message for line in caplog.records] == ["The broker is away: Connection refused"]


def test_an_error_that_is_none_of_the_broker_is_not_taken_for_one(clock):
    clock.app.error = KeyError("jobs.sweep")

    with pytest.raises(KeyError):
        clock.tick(0.0)


def test_the_broker_is_well_where_it_took_the_message_and_the_clock_anyway(clock, beats):
    clock.tick(0.0)
    clock.app.error = REFUSED
    clock.tick(20.0)

    both = [Pulse.Part.BEAT, Pulse.Part.BROKER]
    assert beats == [both, both, [Pulse.Part.BEAT]]


def test_a_clock_without_its_database_goes_on_sending(clock, beats, monkeypatch, caplog):
    def away(*parts):
        raise OperationalError("connection refused\n")

    monkeypatch.setattr(Pulse.objects, "beat", away)

    assert sent_at(clock, 0.0) == ["jobs.sweep", "jobs.sweep", "audit.seal"]
    assert caplog.messages[0] == "The clock cannot reach the database: connection refused"


def test_the_pool_s_processes_inherit_no_connection(clock, beats, monkeypatch):
    closed = []
    monkeypatch.setattr(beat, "connection", SimpleNamespace(close=lambda: closed.append(True)))

    clock.tick(0.0)

    assert len(closed) == 2


def ran(clock, monkeypatch, *moments):
    """Let the clock tick at these moments; its ticks fail."""
    left = list(moments)
    monkeypatch.setattr(beat, "TICK_SECONDS", 0)
    monkeypatch.setattr(beat.time, "monotonic", lambda: left.pop(0))

    def tick(now):
        if not left:
            clock.stopping.set()
        raise OSError("No space left on device")

    monkeypatch.setattr(clock, "tick", tick)
    clock.run()


def test_a_clock_that_fails_goes_on_and_says_so(clock, settings, tmp_path, monkeypatch, caplog):
    settings.STATE_DIR = tmp_path

    ran(clock, monkeypatch, 0.0, 1.0, 2.0)

    assert caplog.messages == ["The worker's clock failed and goes on."] * 3


def test_a_clock_touches_its_file_every_ten_seconds(clock, settings, tmp_path, monkeypatch):
    settings.STATE_DIR = tmp_path
    monkeypatch.setattr(beat.socket, "gethostname", lambda: "machine")
    touched = []
    monkeypatch.setattr(Path, "touch", lambda file: touched.append(file))

    ran(clock, monkeypatch, 0.0, 9.9, 10.0, 19.9, 20.0)

    assert touched == [tmp_path / "worker-alive-machine"] * 3


def test_a_worker_starts_its_clock_and_stops_it(monkeypatch):
    monkeypatch.setattr(Clock, "run", lambda clock: clock.stopping.wait(5))
    step = Beat(SimpleNamespace(app=App()))

    step.start(SimpleNamespace(app=App()))
    assert step.clock.is_alive()
    assert step.clock.daemon  # nothing waits for it where a worker is killed
    step.stop(None)

    step.clock.join(5)
    assert not step.clock.is_alive()
