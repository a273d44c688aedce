"""Time the agreement pages on a made-up study of any size.

    python bench/agreement_pages.py [--pairs 165000] [--topics 1500] [--raters 3] [--seed 0]
        [--keep FOLDER]

Makes a study in a database of its own (SQLite in a temporary folder, or DATABASE_URL where that is
set and empty; see bench/shared/large_study.py). Then, in a process of its own whose
peak memory is told: all figures from the tables, nothing being known of them yet; every page as
its lead asks for it, when nothing has changed and after one topic has; the intervals that a job
computes. Times are processor seconds and, in brackets, seconds by the clock. With --keep the
folder of the database stays, to look at the pages with a browser.
"""

import argparse
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.shared.large_study import SLUG, run_steps, say


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=165_000)
    parser.add_argument("--topics", type=int, default=1_500)
    parser.add_argument("--raters", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    run_steps(__file__, parser, size_of, measure)


def size_of(options):
    return {name: getattr(options, name) for name in ("pairs", "topics", "raters", "seed")}


def measure(_):
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User
    from agreement.models import TopicCopy
    from agreement.pages.frame import PAGES
    from agreement.study.selection import selection_of
    from agreement.subjects.overview.report import report_of
    from agreement.subjects.registry import TABLES, tables_of
    from annotation.models import Batch
    from audit.models import Event
    from datasets.models import Membership

    member = Membership.objects.get(collection__slug=SLUG, is_lead=True)
    say(f"{connection.vendor}; peak memory before: {peak_megabytes():.0f} MB")
    TopicCopy.objects.all().delete()

    def figures():
        selection = selection_of(member, member.user, {})
        return report_of(selection.collection, selection.everything, selection.filters)

    timed("all figures from the tables", figures)
    timed("all figures, nothing changed", figures)
    say(f"peak memory of the figures: {peak_megabytes():.0f} MB")

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(email="lead@example.org"))

    def page(route):
        response = client.get(reverse(route, args=[SLUG]))
        assert response.status_code == 200, (route, response.status_code)

    def change():
        """A seat that comes back and is handed in again is another state of its topic; the event
        says so to what is kept in memory."""
        seats = Batch.objects.filter(collection__slug=SLUG).first().seats
        last = seats.order_by("ordinal").last()
        handed_in = last.handed_in_at
        seats.filter(pk=last.pk).update(handed_in_at=None)
        figures()
        seats.filter(pk=last.pk).update(handed_in_at=handed_in)
        Event.objects.create(verb="changed", collection=member.collection.public_id)

    for route, words in (PAGES | {"agreement:report": "Printed report"}).items():
        page(route)
        timed(f"{words}, nothing changed", lambda route=route: page(route))
        change()
        timed(f"{words}, one topic changed", lambda route=route: page(route))
    Event.objects.create(verb="changed", collection=member.collection.public_id)
    timed("Printed report, all its figures anew", lambda: page("agreement:report"))
    for key in TABLES:
        selection = selection_of(member, member.user, {})
        timed(
            f"tables of {key}", lambda key=key, selection=selection: tables_of(selection, key, {})
        )
    say(f"peak memory: {peak_megabytes():.0f} MB")


def timed(words, call):
    started, used = time.perf_counter(), time.process_time()
    call()
    used, took = time.process_time() - used, time.perf_counter() - started
    say(f"  {words:<44} {used:8.2f} s ({took:.2f} s)")


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
