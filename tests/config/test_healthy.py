"""script/healthy, by which a container engine asks."""

import os
import socket
import subprocess
import sys
import time

import pytest

from tests.processes import ROOT, free_port, wait_until


def healthy(part, **environment):
    return subprocess.run(
        [sys.executable, ROOT / "script" / "healthy", part],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.django_db(transaction=True)
def test_a_web_server_is_healthy_under_the_name_that_it_is_called_by(installation):
    hosts = ".facetwise.example.org,localhost"
    site = installation(ALLOWED_HOSTS=f"{hosts},127.0.0.1", FACETWISE_HTTPS="1")

    site.start_web()

    port = site.env["PORT"]
    assert healthy("web", ALLOWED_HOSTS=hosts, PORT=port).returncode == 0
    assert healthy("web", ALLOWED_HOSTS="elsewhere", PORT=port).stderr == (
        "The web server answers 400.\n"
    )


@pytest.mark.django_db(transaction=True)
def test_an_installation_is_healthy_when_all_its_parts_are(installation):
    site = installation()
    site.start_web()
    port = site.env["PORT"]
    assert healthy("all", PORT=port).stderr == "Not well: beat, broker, worker.\n"
    assert healthy("web", PORT=port).returncode == 0

    site.start_worker()

    wait_until(lambda: healthy("all", PORT=port).returncode == 0, f"the parts; see {site.state}")


def test_an_absent_web_server_is_not_healthy():
    result = healthy("web", PORT=str(free_port()))

    assert result.returncode == 1
    assert "does not answer" in result.stderr


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_healthy_while_it_touches_its_file(installation):
    site = installation()
    state = str(site.state)
    assert healthy("worker", FACETWISE_STATE=state).stderr == "No worker has started here.\n"

    site.start_worker()
    wait_until(
        lambda: healthy("worker", FACETWISE_STATE=state).returncode == 0, f"the worker; see {state}"
    )

    site.stop()
    long_ago = time.time() - 3600
    os.utime(site.state / f"worker-alive-{socket.gethostname()}", (long_ago, long_ago))
    assert "The worker is silent" in healthy("worker", FACETWISE_STATE=state).stderr
