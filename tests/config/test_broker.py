"""The broker that is a folder."""

import errno
from contextlib import closing
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection


@pytest.fixture
def channel(tmp_path):
    options = {name: str(tmp_path / "messages") for name in ("data_folder_in", "data_folder_out")}
    (tmp_path / "messages").mkdir()
    with closing(Connection(transport="config.broker:Transport", transport_options=options)) as c:
        yield c.channel()


def test_nothing_is_left_of_a_message_for_which_the_disk_had_no_room(
    channel, tmp_path, monkeypatch
):
    def write_half(path, text):
        with path.open("w") as file:
            file.write(text[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    channel._put("celery", {"n": 1})
    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", write_half)
        with pytest.raises(OSError, match="No space left"):
            channel._put("celery", {"n": 2})

    assert channel._get("celery") == {"n": 1}
    assert list((tmp_path / "messages").iterdir()) == []


def test_messages_are_taken_in_the_order_in_which_they_came_and_once(channel):
    for number in (1, 2, 3):
        channel._put("celery", {"n": number, "text": "é"})

    assert [channel._get("celery")["n"] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(Empty):
        channel._get("celery")


def test_a_queue_takes_its_own_messages_alone(channel):
    channel._put("celery.pidbox", {"n": 1})

    with pytest.raises(Empty):
        channel._get("celery")
    assert channel._get("celery.pidbox") == {"n": 1}


def test_what_is_still_written_or_already_taken_is_no_message(channel, tmp_path):
    channel._put("celery", {"n": 1})
    [message] = (tmp_path / "messages").iterdir()
    message.rename(message.with_name(f".{message.name}"))

    with pytest.raises(Empty):
        channel._get("celery")


def test_a_message_that_another_worker_was_quicker_to_take_is_left_to_it(
    channel, tmp_path, monkeypatch
):
    for number in (1, 2):
        channel._put("celery", {"n": number})
    rename = Path.rename

    def after_another(path, target):
        if path == first:
            path.unlink()
        return rename(path, target)

    first = min((tmp_path / "messages").iterdir())
    monkeypatch.setattr(Path, "rename", after_another)

    assert channel._get("celery") == {"n": 2}


def test_what_cannot_even_be_begun_is_told_by_its_own_error(channel, monkeypatch):
    def refuse(path, text):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(Path, "write_text", refuse)

    with pytest.raises(OSError, match="Too many open files"):
        channel._put("celery", {})
