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
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.faulting.course import run
from bench.faulting.disk import mounted
from bench.faulting.scenarios import FAULTS, connection_vendor
from bench.killing.study import build
from bench.killing.verdict import judge


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
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        os.environ["FACETWISE_TEST_STATE"] = str(database)
        with mounted(database):
            return run_all(options, folder)


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
