"""Faults while people rate: rating goes on or fails cleanly, and mends itself.

    python bench/faults.py [SCENARIO ...] [--ratings 600] [--annotators 8] [--seconds 10]
    script/with-postgres python bench/faults.py ...

Scenarios: redis-stopped, redis-full, worker-killed, database-restarted (PostgreSQL, twice, without
a word), disk-full, database-paused (SIGSTOP; on SQLite another program holds the write lock) and
clock-jumped (an hour forth, then back). Without names, all that the database can have.

In each, annotators rate over HTTP in a study of its own; after a third of the ratings the fault
begins, and it ends `--seconds` later. While it lasts a lead asks for an export. Where the fault
concerns background work alone, ratings must be acknowledged meanwhile; where it concerns the
database or the disk, every refusal must be a 503 with Retry-After. Afterwards, without anybody's
help, the first save must be acknowledged within 30 seconds and the export be made within 90, and
everything acknowledged must be there (bench/killing/verdict.py judges that). Else exits with 1.

Needs what the tests need, and for a disk that is really full the right to mount one; else the web
server's files are limited to a size that they have already.
"""

import argparse
import logging
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.killing.people import Load
from bench.killing.saves import Log
from bench.killing.study import build, cookie_of
from bench.killing.verdict import judge
from bench.visitor import Visitor, path_of

RECOVERY_SECONDS = 30
JOB_SECONDS = 90
SLUG = "killed"


class Fault:
    """What goes wrong. Of the installation, `web` is the web server's process."""

    name = ""
    databases = ("sqlite", "postgresql")
    rating_goes_on = True

    def prepare(self, installation):
        """Before anything is started."""

    def start(self, installation):
        """Start web server and worker; returns the address."""
        self.web, url = installation.start_web()
        self.worker = installation.start_worker()
        return url

    def begin(self):
        """The cause sets in; every fault says how."""

    def end(self):
        """The cause is gone; nobody mends anything else."""

    def close(self):
        """After everything, also after an error."""


class Supervised(Fault):
    """Under script/supervise, which starts again what ends by itself."""

    def start(self, installation):
        from tests.processes import ROOT, answers, free_port, wait_until

        port = free_port()
        installation.env |= {"PORT": str(port), "HOST": "127.0.0.1"}
        self.supervisor = installation.start_program(
            sys.executable, str(ROOT / "script" / "supervise")
        )
        wait_until(lambda: answers(port, self.supervisor), "the web server")
        return f"http://127.0.0.1:{port}"

    def close(self):
        # The parts are in groups of their own, so it must end them itself.
        if hasattr(self, "supervisor"):
            self.supervisor.popen.terminate()
            self.supervisor.popen.wait(60)


class WorkerKilled(Supervised):
    """Its clock dies with it."""

    name = "worker-killed"

    def begin(self):
        import psutil

        for part in psutil.Process(self.supervisor.popen.pid).children():
            if "celery" in map(os.path.basename, part.cmdline()):
                os.killpg(part.pid, signal.SIGKILL)


class RedisStopped(Supervised):
    name = "redis-stopped"

    def prepare(self, installation):
        from tests.processes import Redis

        self.redis = Redis(installation.state)
        self.redis.start()
        installation.env["REDIS_URL"] = self.redis.url

    def begin(self):
        self.redis.stop()

    def end(self):
        self.redis.start()

    def close(self):
        super().close()
        self.redis.stop()


class RedisFull(RedisStopped):
    name = "redis-full"

    def begin(self):
        self._limit(1)

    def end(self):
        self._limit(0)

    def _limit(self, size):
        import redis

        with redis.Redis.from_url(self.redis.url) as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", size)


class DatabaseRestarted(Fault):
    name = "database-restarted"
    databases = ("postgresql",)
    rating_goes_on = False

    def prepare(self, installation):
        from tests.processes import PostgreSQL

        self.server = PostgreSQL()

    def begin(self):
        self.server.stop()
        self.server.start()
        time.sleep(1)
        self.server.stop()

    def end(self):
        self.server.start()


class DatabasePaused(Fault):
    """SIGSTOP for all of PostgreSQL; on SQLite, somebody who holds the write lock and sleeps."""

    name = "database-paused"
    rating_goes_on = False

    def begin(self):
        from django.db import connection

        if connection.vendor == "postgresql":
            from tests.processes import PostgreSQL

            self.server = PostgreSQL()
            self.server.pause()
        else:
            import sqlite3  # now, for it must be the library that the server has

            name = connection.settings_dict["NAME"]
            self.other = sqlite3.connect(name, timeout=20, isolation_level=None)
            self.other.execute("BEGIN IMMEDIATE")

    def end(self):
        if hasattr(self, "server"):
            self.server.resume()
        else:
            self.other.close()


class DiskFull(Fault):
    """No room for the database: on a small disk of its own, or by a limit on the size of files."""

    name = "disk-full"
    rating_goes_on = False

    def start(self, installation):
        url = super().start(installation)
        self.disk = small_disk()
        if self.disk and connection_vendor() == "postgresql":
            self.disk.take_tables()
        return url

    def begin(self):
        if self.disk:
            self.disk.fill()
        else:
            self._limit(TINY)  # journals too

    def end(self):
        if self.disk:
            self.disk.empty()
        else:
            self._limit(resource.RLIM_INFINITY)

    def _limit(self, size):
        import psutil

        web = psutil.Process(self.web.popen.pid)
        for process in [web, *web.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.rlimit(psutil.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class ClockJumped(Fault):
    name = "clock-jumped"

    def prepare(self, installation):
        from tests.processes import ROOT

        self.file = installation.state / "clock"
        self.file.write_text("0")
        folders = [str(ROOT / "bench" / "shifted"), *filter(None, [os.environ.get("PYTHONPATH")])]
        installation.env |= {
            "PYTHONPATH": os.pathsep.join(folders),
            "FACETWISE_BENCH_CLOCK": str(self.file),
        }

    def begin(self):
        self._set(3600)
        self.back = threading.Timer(2, self._set, [-3600])
        self.back.start()

    def end(self):
        self.back.join()
        self._set(0)

    def _set(self, seconds):
        fresh = self.file.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(self.file)


FAULTS = {
    fault.name: fault
    for fault in (
        *(RedisStopped, RedisFull, WorkerKilled, DatabaseRestarted),
        *(DiskFull, DatabasePaused, ClockJumped),
    )
}


# --- a small disk --------------------------------------------------------------------------------

TINY = 4096  # bytes: every file of the database has more
SMALL_DISK = "FACETWISE_BENCH_DISK"  # names the folder on which one is mounted
DISK_SIZE = "48m"


class SmallDisk:
    """A disk in memory, which only root may mount."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.filler = self.folder / "filler"

    def take_tables(self):
        """Let PostgreSQL keep there what ratings are written to."""
        from django.db import connection

        from tests.processes import PostgreSQL

        space = self.folder / "tables"
        space.mkdir(mode=0o700)
        os.chown(space, PostgreSQL().owner, -1)
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLESPACE small LOCATION %s", [str(space)])
            for table in ("annotation_rating", "annotation_ratingrevision", "audit_event"):
                cursor.execute(f"ALTER TABLE {table} SET TABLESPACE small")

    def fill(self):
        with self.filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(1 << 16))
        with self.filler.open("ab", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(512))

    def empty(self):
        self.filler.unlink()


def small_disk():
    folder = os.environ.get(SMALL_DISK)
    return SmallDisk(folder) if folder else None


def mount(folder):
    """Whether a small disk could be mounted there."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_SIZE},mode=0755", "tmpfs", str(folder)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def connection_vendor():
    from django.db import connection

    return connection.vendor


# --- a run ---------------------------------------------------------------------------------------


@dataclass
class Outcome:
    log: Path
    troubles: list[str] = field(default_factory=list)
    acknowledged: int = 0  # while the fault lasted
    refused: int = 0  # answers of 503 with Retry-After
    save_seconds: float | None = None  # from the fault's end to the first save
    job_seconds: float | None = None  # to the end of the export asked for meanwhile

    def findings(self, fault):
        """Sentences about what did not go as the fault allows."""
        if fault.rating_goes_on and not self.acknowledged:
            yield "no rating was acknowledged while the fault lasted"
        if fault.rating_goes_on and self.refused:
            yield f"{self.refused} answers were 503"
        if self.save_seconds is None or self.save_seconds > RECOVERY_SECONDS:
            yield f"the first save came {self.save_seconds} s after the fault's end"
        if self.job_seconds is None or self.job_seconds > JOB_SECONDS:
            yield f"the export came {self.job_seconds} s after the fault's end"


def run(fault, installation, people, *, seconds, think=(0.1, 0.3)):
    """Let people rate through a fault that lasts so long; returns what happened."""
    log = Log(installation.state / "acknowledged.jsonl")
    load = Load("", log, think=think, seed=fault.name)
    expected = sum(desk.size for _, desks in people for desk in desks)
    outcome = Outcome(log.path)
    lead = cookie_of("lena@example.org")
    fault.prepare(installation)
    try:
        load.url = fault.start(installation)
        with ThreadPoolExecutor(len(people) + 1) as pool:
            working = [
                pool.submit(load.annotate, number, *person) for number, person in enumerate(people)
            ]
            while log.acknowledged_count < expected / 3 and not all(w.done() for w in working):
                time.sleep(0.02)
            if not fault.rating_goes_on:
                load.away_until = math.inf
            before = log.acknowledged_count
            fault.begin()
            asking = pool.submit(ask_for_export, load.url, lead)
            time.sleep(seconds)
            outcome.acknowledged = log.acknowledged_count - before
            fault.end()
            end = time.monotonic()
            if not fault.rating_goes_on:
                load.away_until = end + RECOVERY_SECONDS
            asking.result()
            outcome.job_seconds = wait_for_export(end)
    finally:
        load.annotators_are_done.set()
        fault.close()
        log.close()
    later = [at - end for at in load.answered_at if at > end]
    outcome.save_seconds = min(later) if later else None
    outcome.refused = load.waited
    outcome.troubles = [*load.troubles, *outcome.findings(fault)]
    return outcome


def ask_for_export(url, cookie):
    """A lead asks for an export, again and again while the database is away."""
    visitor = Visitor(url)
    visitor.client.cookies.set(*cookie)
    try:
        address = f"/collections/{SLUG}/exports/"
        page = visitor.page(address)
        [form] = [form for form in page.forms if form.xpath(".//input[@name='format']")]
        visitor.submit(page, path_of(form.action or address), format="csv", allow_incomplete="on")
    finally:
        visitor.close()


def wait_for_export(end):
    """Seconds from `end` until no job is left that is not done; None when one is left."""
    from django.db import Error, connection

    from jobs.models import Job

    while time.monotonic() - end < JOB_SECONDS + RECOVERY_SECONDS:
        try:
            if Job.objects.exists() and not Job.objects.exclude(state=Job.State.DONE).exists():
                return time.monotonic() - end
        except Error:
            connection.close()
        time.sleep(0.1)
    return None


# --- by hand -------------------------------------------------------------------------------------


def measure(fault, options, folder):
    """Build, run, report one scenario; returns what is not as it must be."""
    from django.test.utils import setup_databases, teardown_databases

    from tests.processes import Installation

    databases = setup_databases(verbosity=0, interactive=False)
    state = folder / "state"
    state.mkdir()
    installation = Installation(state, FACETWISE_STATIC=os.environ["FACETWISE_STATIC"])
    try:
        people = build(ratings=options.ratings, annotators=options.annotators)
        outcome = run(fault, installation, people, seconds=options.seconds)
        shown = {"first save": outcome.save_seconds, "export": outcome.job_seconds}
        waits = ", ".join(
            f"{event} after {'never' if seconds is None else f'{seconds:.1f} s'}"
            for event, seconds in shown.items()
        )
        print(
            f"{fault.name}: {outcome.acknowledged} saves while it lasted, "
            f"{outcome.refused} answers of 503; from its end: {waits}",
            flush=True,
        )
        return judge(outcome, folder / "export", installation)
    finally:
        installation.stop()
        teardown_databases(databases, verbosity=0)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenarios", nargs="*", choices=[[], *FAULTS], metavar="SCENARIO")
    parser.add_argument("--ratings", type=int, default=600)
    parser.add_argument("--annotators", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10)
    return parser.parse_args()


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="facetwise-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL's user has to find its tables
        database = folder / "database"
        database.mkdir()
        is_mounted = mount(database)
        if is_mounted:
            os.environ[SMALL_DISK] = str(database)
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        os.environ["FACETWISE_TEST_STATE"] = str(database)
        try:
            return run_all(options, folder)
        finally:
            if is_mounted:
                subprocess.run(["umount", "--lazy", str(database)])  # noqa: S607


def run_all(options, folder):
    import django

    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from tests.processes import collect_static

    os.environ["FACETWISE_STATIC"] = str(collect_static(folder))
    count = 0
    for name in options.scenarios or FAULTS:
        fault = FAULTS[name]()
        if connection_vendor() not in fault.databases:
            print(f"{name}: not run on {connection_vendor()}")
            continue
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            findings = measure(fault, options, Path(scratch))
        for sentence in findings[:100]:
            print(f"  {sentence}")
        count += len(findings)
    print(f"{count:,} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
