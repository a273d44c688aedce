"""Measure rating end to end, beside the least that it can cost on this machine.

    python bench/annotate.py [--annotators 1 4 16] [--pairs 12 2500] [--pairs-each 240]
        [--seconds 9] [--think 0.5 2] [--think-seconds 10] [--beside-import] [--json FILE]
    script/with-postgres python bench/annotate.py ...

A study is made in a database of its own and served by gunicorn as shipped. Annotators save one
rating after the other over HTTP, without a pause (closed loop) and with time to think, in batches
of each size. The floor (bench/floor) is measured in turn with them, in the same way. Closed loops
are cut into rounds, so that what else the machine does meets all alike. Processor time is that of
the web server's processes, the database's own processes left out.

Prints a table and which bars hold; exits with 1 when one does not. `--beside-import` measures
16 annotators who think while a large import and an export run. It takes about four minutes as it
stands, and at most twice as long as its windows together. Needs what the tests need.
"""

import argparse
import json
import logging
import os
import sqlite3
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.annotating.figures import FLOOR, as_json, describe, joined, judge
from bench.annotating.load import FLOOR_PAIRS, Annotator, FloorAnnotator, Target, observe
from bench.annotating.study import build

ROUNDS = 3  # of a closed loop
IMPORTED_DOCUMENTS = 100_000
IMPORT_SECONDS = 120  # at most


def measure(installation, floor, folder, options):
    """All windows. `installation` and `floor` are tests.processes.Installation, not yet started."""
    from django.conf import settings

    from bench.floor.models import tables

    windows = []
    most = max(options.annotators)
    studies = {
        size: build(
            size=size,
            annotators=max(most, 16 if options.beside_import else 0),
            pairs_each=options.pairs_each,
            slug=f"batches-of-{size}",
        )
        for size in options.pairs
    }
    with tables(FLOOR_PAIRS):
        server, url = floor.start_web()
        signed_in = [key for key, _ in studies[min(studies)]]
        people = [
            FloorAnnotator(url, (settings.SESSION_COOKIE_NAME, key), seed)
            for seed, key in enumerate(signed_in)
        ]
        targets = [Target(FLOOR, people, server)]
        server, url = installation.start_web()
        for size, people in studies.items():
            people = [
                Annotator(url, (settings.SESSION_COOKIE_NAME, key), desks, f"{size} {number}")
                for number, (key, desks) in enumerate(people)
            ]
            targets.append(Target(f"{size} pairs", people, server))
        for annotators in options.annotators:
            rounds = [
                [observe(target, annotators, options.seconds / ROUNDS) for target in targets]
                for _ in range(ROUNDS)
            ]
            windows += [joined(list(same)) for same in zip(*rounds, strict=True)]
        if options.think_seconds:
            windows += [
                observe(target, annotators, options.think_seconds, think=options.think)
                for annotators in options.annotators
                for target in targets
            ]
    if options.beside_import:
        windows.append(beside_import(installation, targets[-1], folder, options))
    return windows


def beside_import(installation, target, folder, options):
    """A window of 16 annotators who think while a large import runs, and after it an export."""
    from bench.import_csfcube import make_folder

    release = folder / "release"
    release.mkdir()
    make_folder(release, IMPORTED_DOCUMENTS, 100)
    imported = ["import_csfcube", str(release), "--collection", "beside", "--create", "Beside"]
    exported = ["export", "batches-of-" + target.name.split()[0], "--format", "csv"]
    exported += ["--allow-incomplete", "--out", str(folder / "beside-export")]
    commands = [imported, exported]
    running = []

    def is_over():
        if running and running[-1].popen.poll() is None:
            return False
        if not commands:
            return True
        running.append(installation.start_program(sys.executable, "manage.py", *commands.pop(0)))
        return False

    window = observe(
        target,
        16,
        IMPORT_SECONDS,
        think=options.think,
        beside="an import and an export",
        is_over=is_over,
    )
    for process in running:
        if process.popen.poll() is None:
            process.kill()
    return window


def journal_in_use():
    from django.db import connection

    if connection.vendor != "sqlite":
        return connection.vendor
    with connection.cursor() as cursor:
        return cursor.execute("PRAGMA journal_mode").fetchone()[0]


def read_options(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--annotators", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--pairs", type=int, nargs="+", default=[12, 2500], help="of a batch")
    parser.add_argument("--pairs-each", type=int, default=240, help="pairs of an annotator")
    parser.add_argument("--seconds", type=float, default=9, help="of each closed loop")
    parser.add_argument("--think", type=float, nargs=2, default=(0.5, 2), metavar="SECONDS")
    parser.add_argument(
        "--think-seconds", type=float, default=10, help="of each loop with thinking; 0: none"
    )
    parser.add_argument("--beside-import", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        # The tests' settings make a database beside those in use; the server has the product's
        # own. On disk, where the tests would have it in memory: a commit must cost what it costs.
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        os.environ["FACETWISE_TEST_STATE"] = str(folder / "database")
        import django

        django.setup()
        logging.getLogger("httpx").setLevel(logging.WARNING)
        from django.test.utils import setup_databases, teardown_databases

        from tests.processes import collect_static

        databases = setup_databases(verbosity=0, interactive=False)
        stack.callback(teardown_databases, databases, verbosity=0)
        static = collect_static(folder)
        windows = measure(*installations(folder, static, stack), folder, options)
        journal = journal_in_use()
    bars = judge(windows, journal)
    print("\n".join(describe(windows, bars, journal)))
    if options.json:
        report = as_json(windows, bars, journal, sqlite3.sqlite_version)
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if all(bar.holds for bar in bars) else 1


def installations(folder, static, stack):
    """Facetwise and the floor, both on the test database; stopped with `stack`."""
    from tests.processes import Installation

    installed = []
    for name, environment in (
        ("facetwise", {"FACETWISE_STATIC": str(static)}),
        ("floor", {"DJANGO_SETTINGS_MODULE": "bench.floor.settings"}),
    ):
        state = folder / name
        state.mkdir()
        installed.append(Installation(state, **environment))
        stack.callback(installed[-1].stop)
    return installed


if __name__ == "__main__":
    sys.exit(main())
