"""Kill what is running, again and again, while people work: nothing acknowledged may be lost.

    python bench/kill_under_load.py [--ratings 10000] [--annotators 16] [--kills 20]
        [--think 0 0] [--seed NUMBER]
    script/with-postgres python bench/kill_under_load.py ...

A study is made in a database of its own and served by gunicorn and a worker as shipped. The
annotators rate over HTTP, all at once, with a change of mind now and then, and hand their batches
in; an adjudicator decides what is disputed; a lead makes one export after another. Each save,
hand-in and decision that the server acknowledges goes to a log on disk before the next one is sent.
Meanwhile SIGKILL ends the web server's or the worker's whole process group, or all of PostgreSQL,
at random moments while a rating, a hand-in, a decision or an export is under way, and it is started
again; people send the same thing until it is answered. In the end the log is compared with the
database and with an export. Exits with 1 on any difference, any answer of 5xx but a 503 with
Retry-After while PostgreSQL is away, and any invariant that does not hold.

It shows what the death of processes does. A loss of power is another matter: what a killed process
had handed to the operating system is still written. For that we rest on `synchronous = FULL` and
`fsync`, which config/checks.py insists on.

`--kills 0` with `--think` measures how long a save takes. Needs what the tests need.
"""

import argparse
import logging
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.killing.people import Load
from bench.killing.saves import Log, read_facts
from bench.killing.study import build, cookie_of
from bench.killing.verdict import count_exports, judge

# What is killed while what is under way. In SQLite the database is part of the web server.
KILLS = [
    ("web server", "rating"),
    ("worker", "export"),
    ("web server", "hand-in"),
    ("web server", "decision"),
]
KILLS_OF_POSTGRESQL = [
    ("database", "rating"),
    ("database", "hand-in"),
    ("database", "export"),
    ("database", "decision"),
]
PATIENCE_SECONDS = 20  # with a step that does not come; then the kill comes between steps
RECOVERY_SECONDS = 10  # of PostgreSQL after its start; until then 503 is a good answer


class Victims:
    """What can be killed, and how it comes back."""

    def __init__(self, installation, load):
        from django.db import connection

        self.installation, self.load = installation, load
        self.web, self.url = installation.start_web()
        self.port = int(self.url.rsplit(":", 1)[1])
        self.worker = installation.start_worker()
        self.database = None
        if connection.vendor == "postgresql":
            from tests.processes import PostgreSQL

            self.database = PostgreSQL()

    def kill(self, name):
        """Kill and start again; returns when it serves again."""
        if name == "database":
            from django.db import connection

            self.load.away_until = math.inf
            self.database.kill()
            connection.close()
            self.database.start()
            self.load.away_until = time.monotonic() + RECOVERY_SECONDS
        elif name == "worker":
            self.worker.kill()
            self.worker = self.installation.start_worker()
        else:
            self.web.kill()
            self.web, _ = self.installation.start_web(self.port)


@dataclass
class Outcome:
    """`waits`: by victim, seconds from its start after a kill to the next acknowledged save."""

    log: Path
    count: int  # of acknowledged saves
    seconds: list[float]
    troubles: list[str]
    kills: Counter  # by (victim, what was under way)
    waited: int
    waits: dict[str, list[float]]
    duration: float


def run(installation, people, *, kills, think=(0, 0), seed=None, slug="killed", with_database=True):
    """Let people work while parts of `installation` are killed, `kills` times in all.

    Without `with_database` PostgreSQL is left alone, as where other tests use it too.
    """
    seed = random.randrange(10**9) if seed is None else seed
    chance = random.Random(seed)
    log = Log(installation.state / "acknowledged.jsonl")
    load = Load("", log, think=think, seed=seed)
    victims = Victims(installation, load)
    load.url = victims.url
    expected = sum(desk.size for _, desks in people for desk in desks)
    kinds = list(KILLS)
    if victims.database and with_database:
        kinds = [kind for both in zip(KILLS, KILLS_OF_POSTGRESQL, strict=True) for kind in both]
    killed, starts = Counter(), []
    begun = time.monotonic()
    with ThreadPoolExecutor(len(people) + 2) as pool:
        working = [
            pool.submit(load.annotate, number, *person) for number, person in enumerate(people)
        ]
        if kills:
            pool.submit(load.adjudicate, cookie_of("carol@example.org"), slug)
            pool.submit(load.export, cookie_of("lena@example.org"), slug)
        for number in range(kills):
            # One kill in each of as many equal parts of the work, at a random moment of it.
            moment = expected * (number + chance.uniform(0.1, 0.9)) / kills
            while log.acknowledged_count < moment and not all(worker.done() for worker in working):
                time.sleep(0.01)
            victim, step = kinds[number % len(kinds)]
            under_way = wait_for_step(load, step)
            time.sleep(chance.uniform(0, 0.03))
            victims.kill(victim)
            killed[victim, step if under_way else "nothing in particular"] += 1
            starts.append((victim, time.monotonic()))
        while not all(worker.done() for worker in working):
            time.sleep(0.05)
        load.annotators_are_done.set()
    duration = time.monotonic() - begun
    log.close()
    waits = defaultdict(list)
    for victim, start in starts:
        if later := [at for at in load.answered_at if at > start]:
            waits[victim].append(min(later) - start)
    return Outcome(
        log=log.path,
        count=log.acknowledged_count,
        seconds=load.seconds,
        troubles=[*load.troubles, *unfinished_jobs()],
        kills=killed,
        waited=load.waited,
        waits=waits,
        duration=duration,
    )


def wait_for_step(load, step):
    """Whether a step of that kind is under way now."""
    if step != "export":
        return load.steps.wait_for(step, PATIENCE_SECONDS)
    from jobs.models import Job

    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if Job.objects.filter(state=Job.State.RUNNING).exists():
            return True
        time.sleep(0.005)
    return False


def unfinished_jobs():
    """Sentences about jobs that the worker does not bring to an end in two minutes."""
    from jobs.models import Job

    deadline = time.monotonic() + 120
    while Job.objects.active().exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    return [f"job {job} is {job.state}: {job.error}" for job in Job.objects.exclude(state="done")]


def report(outcome):
    print(
        f"{outcome.count:,} saves acknowledged in {outcome.duration:.0f} s "
        f"({outcome.count / outcome.duration:.0f} per second), {outcome.kills.total()} kills"
    )
    for (victim, step), count in sorted(outcome.kills.items()):
        print(f"  {victim} killed {count} times, under way: {step}")
    for kind in ("handed in", "decided"):
        print(f"  acknowledged, {kind}: {len(read_facts(outcome.log, kind)):,}")
    print(f"  exports made: {count_exports():,}")
    if outcome.waited:
        print(f"  answers 503 with Retry-After while PostgreSQL was away: {outcome.waited:,}")
    if len(outcome.seconds) > 1:
        cuts = statistics.quantiles(outcome.seconds, n=100)
        shown = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(outcome.seconds)}
        figures = ", ".join(f"{name} {seconds * 1000:.0f}" for name, seconds in shown.items())
        print(f"Milliseconds for a save answered at once: {figures}")
    for victim, waits in outcome.waits.items():
        print(
            f"Seconds from a start of the {victim} to the next save: "
            f"median {statistics.median(waits):.1f}, max {max(waits):.1f}"
        )
    print(f"Load of the machine in the last minute: {os.getloadavg()[0]:.1f}")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ratings", type=int, default=10_000)
    parser.add_argument("--annotators", type=int, default=16)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--think", type=float, nargs=2, default=(0, 0), metavar="SECONDS")
    parser.add_argument("--seed", type=int)
    return parser.parse_args()


def measure(options, folder):
    """Build, run, report; returns what is not as it must be."""
    # The tests' settings make a database beside those in use; the server has the product's own.
    # On disk, where the tests would have it in memory: a commit must cost what it costs.
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ["FACETWISE_TEST_STATE"] = str(folder / "database")
    import django

    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from django.test.utils import setup_databases, teardown_databases

    from tests.processes import Installation, collect_static

    databases = setup_databases(verbosity=0, interactive=False)
    state = folder / "state"
    state.mkdir()
    static = collect_static(folder)
    installation = Installation(state, FACETWISE_STATIC=str(static))
    try:
        people = build(ratings=options.ratings, annotators=options.annotators)
        outcome = run(
            installation, people, kills=options.kills, think=options.think, seed=options.seed
        )
        report(outcome)
        return judge(outcome, folder / "export", installation)
    finally:
        installation.stop()
        teardown_databases(databases, verbosity=0)


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name:
        findings = measure(options, Path(name))
    for sentence in findings[:100]:
        print(sentence)
    print(f"{len(findings):,} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
