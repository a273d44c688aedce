"""script/supervise: what it starts ends with it, and what ends by itself is started again."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import suppress

import httpx
import psutil
import pytest

from tests.processes import ROOT, answers, free_port, wait_until

SUPERVISE = ROOT / "script" / "supervise"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def supervised(installation):
    """The supervisor's process and its children's, once it says that it serves."""
    site = installation(PORT=str(free_port()), HOST="127.0.0.1")
    process = site.start_program(sys.executable, str(SUPERVISE))
    process.port = int(site.env["PORT"])
    wait_until(
        lambda: b"Facetwise serves on" in process.log.read_bytes(), f"the start; see {process.log}"
    )
    children = psutil.Process(process.popen.pid).children(recursive=True)
    yield process, children
    # The children are in groups of their own, which the installation does not know.
    if process.popen.poll() is None:
        children += psutil.Process(process.popen.pid).children(recursive=True)
        process.kill()
    for child in children:
        if child.is_running():
            child.kill()


def parts(process, name=None):
    """What the supervisor runs now, or the part of that name."""
    return [
        child
        for child in running(psutil.Process(process.popen.pid).children())
        if name in (None, *words(child))
    ]


def words(process):
    """Those of its command, without folders; none of one that ended meanwhile."""
    with suppress(psutil.NoSuchProcess):
        return [os.path.basename(word) for word in process.cmdline()]
    return []


def running(processes):
    return [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything_that_was_started(supervised, number):
    process, children = supervised
    assert {"gunicorn", "celery"} <= {word for child in children for word in words(child)}

    process.popen.send_signal(number)

    assert process.popen.wait(timeout=60) == 0
    wait_until(lambda: not running(children), "the end of all")


def test_a_part_that_dies_is_started_again_and_the_other_goes_on(supervised):
    process, _ = supervised

    for name in ("celery", "gunicorn"):
        [victim] = parts(process, name)
        others = [part for part in parts(process) if part != victim]
        victim.kill()

        wait_until(lambda victim=victim: not running([victim]), "the death")
        wait_until(lambda name=name: parts(process, name), f"another {name}")
        assert running(others) == others

    wait_until(lambda: answers(process.port, process), "the web server's answer")
    log = process.log.read_text()
    assert "The worker ended by itself (status -9); starting it again." in log
    assert "The web server ended by itself (status -9); starting it again." in log


def test_an_installation_is_prepared_before_it_is_served(installation, tmp_path):
    """Static files that were collected just now are found, and the demo is left out if asked."""
    site = installation(PORT=str(free_port()), HOST="127.0.0.1")
    site.env["FACETWISE_STATIC"] = str(tmp_path / "static")

    process = site.start_program(sys.executable, str(SUPERVISE), "--prepare", "--empty")
    wait_until(lambda: b"works once" in process.log.read_bytes(), f"the start; see {process.log}")
    page = httpx.get(f"http://127.0.0.1:{site.env['PORT']}/sign-in/").text
    process.popen.terminate()

    assert process.popen.wait(timeout=60) == 0
    [sheet] = re.findall(r'href="/static/(css/app\.\w+\.css)"', page)
    assert (tmp_path / "static" / sheet).is_file()


def test_what_cannot_be_prepared_is_not_served(installation):
    site = installation(PORT=str(free_port()), HOST="127.0.0.1")

    process = site.start_program(sys.executable, str(SUPERVISE), "--prepare", "--full")

    assert process.popen.wait(timeout=60) == 1
    log = process.log.read_text()
    assert "unrecognized arguments: --full" in log
    assert "Traceback" not in log


def test_a_web_server_that_cannot_start_ends_all(installation, pending_migration):
    site = installation(PORT=str(free_port()), HOST="127.0.0.1")

    process = site.start_program(sys.executable, str(SUPERVISE))

    assert process.popen.wait(timeout=60) == 1
    assert "ended by itself; stopping." in process.log.read_text()


def check(**environment):
    names = {"HOST", "PORT", "ALLOWED_HOSTS"}
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.run(
        [sys.executable, SUPERVISE, "--check"],
        env=kept | environment,
        capture_output=True,
        text=True,
    )


def test_a_taken_port_is_named_with_the_remedy():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])

        result = check(PORT=port)

    assert result.returncode == 1
    assert f"Cannot serve on 127.0.0.1:{port}: Address already in use." in result.stderr
    assert "PORT=8001 script/server" in result.stderr


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PORT": "http"}, "PORT is 'http'; expected a whole number from 1 to 65535."),
        ({"PORT": "65536"}, "PORT is '65536'; expected a whole number from 1 to 65535."),
        ({"HOST": "0.0.0.0"}, "HOST is '0.0.0.0', which serves other machines."),
    ],
)
def test_an_address_that_cannot_be_served_is_named(environment, sentence):
    result = check(**environment)

    assert result.returncode == 1
    assert sentence in result.stderr


def test_a_free_address_passes():
    assert check(PORT=str(free_port())).returncode == 0
