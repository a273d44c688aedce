"""A made-up study of any size in a database of its own, for benchmarks of its pages.

Every seat is handed in and every pair has gold. Rows are written as the program writes them, but
without the trail of each: figures do not read it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SLUG = "large"
AT_A_TIME = 5000
POOL = 110  # documents of a query
TOPICS_OF_A_QUERY = 15
SHARES = [0.55, 0.25, 0.12, 0.08]
SAME = 0.7  # how often a rater gives the value that the pair has


def say(text):
    print(text, flush=True)


def run_steps(file, parser, size, measure):
    """The benchmark of a file in two processes: one makes the study, a fresh one measures it.

    `size` makes the size of the study of the options. With --keep the folder of the database stays.
    """
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of the database")
    parser.add_argument("--step", choices=["make", "measure"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        sys.path.insert(0, str(ROOT))
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        make_all(**size(options)) if options.step == "make" else measure(options)
        return
    with tempfile.TemporaryDirectory() as folder:
        state = options.keep or Path(folder)
        state.mkdir(parents=True, exist_ok=True)
        environment = os.environ | {"FACETWISE_STATE": str(state.resolve())}
        for step in ("make", "measure"):
            command = [sys.executable, file, *sys.argv[1:], "--step", step]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)


def make_all(**size):
    """Tables, the files of pages, and a study."""
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    make_study(**size)
    if connection.vendor == "postgresql":
        # As the server's autovacuum does within minutes: pages count from indexes alone then.
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
            cursor.execute("VACUUM ANALYZE")


def make_study(*, pairs, topics, raters, seed):
    import numpy as np
    from django.db import connection, transaction

    from annotation.models import Rating
    from annotation.schemes.actions import create_scheme, load_definition
    from datasets.models import Collection

    random = np.random.default_rng(seed)
    per_topic = pairs // topics
    with transaction.atomic():
        if connection.vendor == "postgresql":
            # Half a million answers are made up between two statements.
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        collection = Collection.objects.create(slug=SLUG, name="Large")
        scheme = create_scheme(
            collection=collection, definition=load_definition("csfcube"), by=None
        )
        people = make_people(collection, 2 * raters)
        queries, pools = make_queries(collection, max(1, topics // TOPICS_OF_A_QUERY), per_topic)
        topic_rows = make_topics(collection, scheme, queries, topics)
        seats = make_seats(collection, topic_rows, people, raters)
        options = list(scheme.options.order_by("value"))[: len(SHARES)]
        true = random.choice(len(options), size=topics * per_topic, p=SHARES)
        other = random.choice(len(options), size=(raters, len(true)), p=SHARES)
        values = np.where(random.random(other.shape) < SAME, true, other)
        documents = [pools[number % len(pools)][:per_topic] for number in range(topics)]
        pair_rows = make_pairs(topic_rows, documents, seats, [options[value] for value in true])
        # Tenths of seconds, some 20 s in the middle: as many different ones as people have.
        seconds = random.lognormal(3, 0.7, size=values.shape).round(1)
        answers = [
            [(options[value], took) for value, took in zip(row, times, strict=True)]
            for row, times in zip(values, seconds, strict=True)
        ]
        make_ratings(scheme.current, pair_rows, seats, answers)
        # After the pairs, since none joins a batch with a held seat.
        make_tenures(seats)
    say(
        f"{len(pair_rows):,} pairs, {len(topic_rows):,} topics, {raters} raters: "
        f"{Rating.objects.count():,} ratings"
    )


def make_people(collection, annotators):
    """A lead and so many annotators; returns these."""
    from accounts.models import User
    from datasets.models import Membership

    lead = User.objects.create(email="lead@example.org", name="Lead")
    Membership.objects.create(collection=collection, user=lead, name="Lead", is_lead=True)
    return Membership.objects.bulk_create(
        Membership(
            collection=collection,
            name=f"Annotator {number}",
            external_id=f"a{number}",
            is_annotator=True,
        )
        for number in range(annotators)
    )


def make_queries(collection, number, per_topic):
    """Queries, and the documents of the pool of each."""
    from datasets.models import Candidate, Document, Query

    size = max(POOL, per_topic)
    documents = Document.objects.bulk_create(
        Document(collection=collection, external_id=f"d{at}", title=f"Paper {at}")
        for at in range(number * size)
    )
    pools = [documents[at * size : (at + 1) * size] for at in range(number)]
    queries = Query.objects.bulk_create(
        Query(collection=collection, external_id=f"q{at}", text=f"Query {at}", position=at)
        for at in range(number)
    )
    Candidate.objects.bulk_create(
        (
            Candidate(
                query=query,
                external_id=document.external_id,
                document=document,
                sources=[f"run {run}" for run in range(4) if (number_of(document) + run) % 3],
                position=position,
            )
            for query, pool in zip(queries, pools, strict=True)
            for position, document in enumerate(pool)
        ),
        batch_size=AT_A_TIME,
    )
    return queries, pools


def number_of(document):
    return int(document.external_id.removeprefix("d"))


def make_topics(collection, scheme, queries, number):
    from datasets.models import Topic, TopicPlace

    facets = [facet.key for facet in scheme.facets.all()]
    topics = Topic.objects.bulk_create(
        Topic(
            collection=collection,
            external_id=f"t{at}",
            facet=facets[at % len(facets)],
            position=at,
        )
        for at in range(number)
    )
    TopicPlace.objects.bulk_create(
        TopicPlace(topic=topic, query=queries[at % len(queries)], position=at)
        for at, topic in enumerate(topics)
    )
    return topics


def make_seats(collection, topics, people, raters):
    """The seats of a batch for each topic, handed in, by topic."""
    from django.utils import timezone

    from annotation.models import Batch, Seat

    batches = Batch.objects.bulk_create(
        Batch(collection=collection, name=topic.external_id, overlap=raters, position=at)
        for at, topic in enumerate(topics)
    )
    now = timezone.now()
    seats = Seat.objects.bulk_create(
        (
            Seat(
                batch=batch,
                ordinal=ordinal,
                holder=people[(at + ordinal) % len(people)],
                handed_in_at=now,
            )
            for at, batch in enumerate(batches)
            for ordinal in range(1, raters + 1)
        ),
        batch_size=AT_A_TIME,
    )
    return [seats[at * raters : (at + 1) * raters] for at in range(len(topics))]


def make_pairs(topics, documents, seats, gold):
    """The pairs of each topic with its documents; `gold` has an option for each pair."""
    from annotation.models import Pair

    options = iter(gold)
    return Pair.objects.bulk_create(
        (
            Pair(
                topic=topic,
                document=document,
                batch=seats_of_topic[0].batch,
                position=position,
                state=Pair.State.AGREED,
                gold_origin=Pair.Origin.CONSENSUS,
                gold_option=(option := next(options)),
                gold_value=option.value,
            )
            for topic, documents_of_topic, seats_of_topic in zip(
                topics, documents, seats, strict=True
            )
            for position, document in enumerate(documents_of_topic)
        ),
        batch_size=AT_A_TIME,
    )


def make_ratings(version, pairs, seats, answers):
    """A rating of each seat for each pair; `answers` has a list for each seat of a batch, of an
    option and the seconds that it took."""
    from annotation.models import Rating

    seats_of = {of_topic[0].batch.pk: of_topic for of_topic in seats}
    for at, answers_of_seat in enumerate(answers):
        Rating.objects.bulk_create(
            (
                Rating(
                    pair=pair,
                    seat=(seat := seats_of[pair.batch_id][at]),
                    annotator=seat.holder,
                    position=pair.position,
                    option=option,
                    active_seconds=seconds,
                    scheme_version=version,
                )
                for pair, (option, seconds) in zip(pairs, answers_of_seat, strict=True)
            ),
            batch_size=AT_A_TIME,
        )


def make_tenures(seats):
    from annotation.models import Tenure

    Tenure.objects.bulk_create(
        (
            Tenure(batch=seat.batch, seat=seat, member=seat.holder)
            for of_topic in seats
            for seat in of_topic
        ),
        batch_size=AT_A_TIME,
    )
