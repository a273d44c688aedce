"""Time whole tables for programs, and small reads.

    python bench/api.py [--pairs 6244] [--reads 200] [--keep FOLDER]

Makes a study of PAIRS pairs with two ratings each in a database of its own, in a temporary folder
or in FOLDER. Prints the seconds until the last byte of all ratings as NDJSON, CSV and Parquet, and
the 95th percentile of READS small reads. Asks in the server's own process, without a network.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

FORMATS = {
    "NDJSON": "application/x-ndjson",
    "CSV": "text/csv",
    "Parquet": "application/vnd.apache.parquet",
}
HOME = "/api/v1/collections/study"


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="facetwise-api-") as temporary:
        folder = options.keep or temporary
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "FACETWISE_STATE": str(folder),
            "DATABASE_URL": f"sqlite:///{folder}/facetwise.sqlite3",
            "ALLOWED_HOSTS": "testserver",
            "FACETWISE_ACCESS_LOG": "0",
        }
        import django

        django.setup()
        measure(options)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=6_244)
    parser.add_argument("--reads", type=int, default=200)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of the database")
    return parser.parse_args()


def measure(options):
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    lead = make_study(options.pairs)
    lead.get(f"{HOME}/ratings")  # imports what endpoints need
    for name, accept in FORMATS.items():
        start, busy = time.perf_counter(), time.process_time()
        answer = lead.get(f"{HOME}/ratings", headers={"Accept": accept})
        size = sum(len(part) for part in answer.streaming_content)
        print(
            f"{2 * options.pairs:,} ratings as {name:8} {time.perf_counter() - start:6.2f} s, "
            f"processor {time.process_time() - busy:6.2f} s, {size / 1e6:.1f} MB",
            flush=True,
        )
    seconds = sorted(read_one(lead) for _ in range(options.reads))
    print(f"small reads, 95th percentile  {1000 * seconds[int(0.95 * len(seconds))]:6.1f} ms")


def read_one(lead):
    start = time.perf_counter()
    assert lead.get(f"{HOME}/documents?rows=20").status_code == 200
    return time.perf_counter() - start


def make_study(pairs):
    """A lead's program over topics of 100 pairs, whose rows are written past the actions."""
    from annotation.assigning.actions.assign import assign_seat
    from annotation.assigning.actions.batches import make_batches
    from annotation.models import Pair, Rating
    from api import limits
    from datasets.models import Document, Topic
    from tests.factories.studies import make_study as small_study
    from tests.factories.tokens import program_of

    limits.BLOCK = 1_000_000
    study = small_study(assign=False)
    topic = Topic.objects.get()
    documents = Document.objects.bulk_create(
        Document(collection=study.collection, external_id=f"d{number}", title=f"Title {number}")
        for number in range(pairs - 3)
    )
    Pair.objects.bulk_create(Pair(topic=topic, document=document) for document in documents)
    [batch] = make_batches(collection=study.collection, by=study.lena)
    option, version = study.option(1), study.scheme.current
    for ordinal, name in enumerate(("alice", "bob"), 1):
        seat = batch.seats.get(ordinal=ordinal)
        assign_seat(seat=seat, member=study.members[name], by=study.lena)
        Rating.objects.bulk_create(
            Rating(
                pair=pair,
                seat=seat,
                annotator=study.members[name],
                option=option,
                scheme_version=version,
                position=1,
                note="A short note, as some pairs have.",
            )
            for pair in batch.pairs.all()
        )
    return program_of(study.members["lena"])


if __name__ == "__main__":
    main()
