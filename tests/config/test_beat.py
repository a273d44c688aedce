"""The worker's clock."""

from celery import current_app

from config.beat import Clock


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
