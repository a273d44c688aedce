"""The broker that is a folder."""

import errno
from contextlib import closing
from pathlib import Path

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
