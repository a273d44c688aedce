"""Time the agreement pages on a made-up study of any size.

    python bench/agreement_pages.py [--pairs 165000] [--topics 1500] [--raters 3] [--keep FOLDER]

Makes a study in a database of its own (SQLite in a temporary folder, or DATABASE_URL where that is
set and empty), every seat handed in and every pair with gold. Then, in a process of its own whose
peak memory is told: all figures from the tables, nothing being known of them yet; every page as
its lead asks for it, when nothing has changed and after one topic has; the intervals that a job
computes. Times are processor seconds and, in brackets, seconds by the clock. With --keep the
folder of the database stays, to look at the pages with a browser.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SLUG = "large"
AT_A_TIME = 5000
POOL = 110  # documents of a query
SHARES = [0.55, 0.25, 0.12, 0.08]
SAME = 0.7  # how often a rater gives the value that the pair has


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=165_000)
    parser.add_argument("--topics", type=int, default=1_500)
    parser.add_argument("--raters", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--step", choices=["make", "time"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        set_up_django()
        return make_all(options) if options.step == "make" else measure()
    with tempfile.TemporaryDirectory() as folder:
        state = options.keep or Path(folder)
        state.mkdir(parents=True, exist_ok=True)
        environment = os.environ | {"FACETWISE_STATE": str(state.resolve())}
        for step in ("make", "time"):
            run([sys.executable, __file__, *sys.argv[1:], "--step", step], environment)
    return 0


def run(command, environment):
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def set_up_django():
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def make_all(options):
    """Tables, the files of pages, and a study."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    return make(options)


def make(options):
    """Rows as the program writes them, without the trail of each: figures do not read it."""
    import numpy as np
    from django.db import transaction
    from django.utils import timezone

    from accounts.models import User
    from annotation.models import Batch, Pair, Rating, Seat, Tenure
    from annotation.schemes.actions import create_scheme, load_definition
    from datasets.models import (
        Candidate,
        Collection,
        Document,
        Membership,
        Query,
        Topic,
        TopicPlace,
    )

    random = np.random.default_rng(options.seed)
    per_topic = options.pairs // options.topics
    queries = max(1, options.topics // 15)
    with transaction.atomic():
        collection = Collection.objects.create(slug=SLUG, name="Large")
        scheme = create_scheme(
            collection=collection, definition=load_definition("csfcube"), by=None
        )
        lead = User.objects.create(email="lead@example.org", name="Lead")
        Membership.objects.create(collection=collection, user=lead, name="Lead", is_lead=True)
        people = Membership.objects.bulk_create(
            Membership(
                collection=collection,
                name=f"Annotator {number}",
                external_id=f"a{number}",
                is_annotator=True,
            )
            for number in range(2 * options.raters)
        )
        documents = Document.objects.bulk_create(
            Document(collection=collection, external_id=f"d{number}", title=f"Paper {number}")
            for number in range(queries * max(POOL, per_topic))
        )
        pools = np.array_split(np.arange(len(documents)), queries)
        query_rows = Query.objects.bulk_create(
            Query(
                collection=collection,
                external_id=f"q{number}",
                text=f"Query {number}",
                position=number,
            )
            for number in range(queries)
        )
        Candidate.objects.bulk_create(
            (
                Candidate(
                    query=query,
                    external_id=documents[at].external_id,
                    document=documents[at],
                    sources=[f"run {number}" for number in range(4) if (at + number) % 3],
                    position=position,
                )
                for query, pool in zip(query_rows, pools, strict=True)
                for position, at in enumerate(pool.tolist())
            ),
            batch_size=AT_A_TIME,
        )
        facets = [facet.key for facet in scheme.facets.all()]
        topics = Topic.objects.bulk_create(
            Topic(
                collection=collection,
                external_id=f"t{number}",
                facet=facets[number % len(facets)],
                position=number,
            )
            for number in range(options.topics)
        )
        TopicPlace.objects.bulk_create(
            TopicPlace(topic=topic, query=query_rows[number % queries], position=number)
            for number, topic in enumerate(topics)
        )
        batches = Batch.objects.bulk_create(
            Batch(
                collection=collection,
                name=topic.external_id,
                overlap=options.raters,
                position=number,
            )
            for number, topic in enumerate(topics)
        )
        now = timezone.now()
        seats = Seat.objects.bulk_create(
            (
                Seat(
                    batch=batch,
                    ordinal=ordinal,
                    holder=people[(number + ordinal) % len(people)],
                    handed_in_at=now,
                )
                for number, batch in enumerate(batches)
                for ordinal in range(1, options.raters + 1)
            ),
            batch_size=AT_A_TIME,
        )
        choices = list(scheme.options.order_by("value"))[: len(SHARES)]
        true = random.choice(len(choices), size=options.topics * per_topic, p=SHARES)
        other = random.choice(len(choices), size=(options.raters, len(true)), p=SHARES)
        ratings_given = np.where(random.random(other.shape) < SAME, true, other)
        pair_rows = Pair.objects.bulk_create(
            (
                Pair(
                    topic=topic,
                    document=documents[at],
                    batch=batches[number],
                    position=position,
                    state=Pair.State.AGREED,
                    gold_origin=Pair.Origin.CONSENSUS,
                    gold_option=(gold := choices[true[number * per_topic + position]]),
                    gold_value=gold.value,
                )
                for number, topic in enumerate(topics)
                for position, at in enumerate(pools[number % queries][:per_topic].tolist())
            ),
            batch_size=AT_A_TIME,
        )
        version = scheme.current
        for ordinal in range(options.raters):
            Rating.objects.bulk_create(
                (
                    Rating(
                        pair=pair,
                        seat=seats[number // per_topic * options.raters + ordinal],
                        annotator=seats[number // per_topic * options.raters + ordinal].holder,
                        position=pair.position,
                        option=choices[ratings_given[ordinal, number]],
                        active_seconds=20,
                        scheme_version=version,
                    )
                    for number, pair in enumerate(pair_rows)
                ),
                batch_size=AT_A_TIME,
            )
        # After the pairs, since none joins a batch with a held seat.
        Tenure.objects.bulk_create(
            (Tenure(batch=seat.batch, seat=seat, member=seat.holder) for seat in seats),
            batch_size=AT_A_TIME,
        )
    say(
        f"{len(pair_rows):,} pairs, {len(topics):,} topics, {options.raters} raters: "
        f"{Rating.objects.count():,} ratings"
    )


def measure():
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

    for route, words in PAGES.items():
        page(route)
        timed(f"{words}, nothing changed", lambda route=route: page(route))
        change()
        timed(f"{words}, one topic changed", lambda route=route: page(route))
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


def say(text):
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
