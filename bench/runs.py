"""Time an upload of a run, a pool from many runs, their scores, and their order under draws.

    python bench/runs.py [--topics 50] [--lines 1000] [--runs 30] [--depth 100] [--keep FOLDER]
    python bench/runs.py --scores

Makes runs of TOPICS times LINES lines from a seed and a collection with a topic for each in a
database of its own, in a temporary folder. Prints the seconds to read and store one run; then to
read RUNS runs from the database, to draw a pool of DEPTH from them, to count what all ways cost,
and to write candidates and pairs.

With --scores, on a made-up study of 100 topics with 100 pairs and two raters each: six measures of
34 runs, from the tables and when nothing has changed; and the orders of 11 runs on 50 topics by
1,000 draws of a rater for each pair. Times in brackets are bars.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

SEED = 20260101


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="facetwise-runs-") as folder:
        state = options.keep or folder
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "FACETWISE_STATE": str(state),
            "DATABASE_URL": f"sqlite:///{state}/facetwise.sqlite3",
            "FACETWISE_DEBUG": "1",
        }
        import django

        django.setup()
        if options.scores:
            measure_scores()
        else:
            measure(options, Path(folder))


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of the database")
    parser.add_argument("--scores", action="store_true")
    return parser.parse_args()


@contextmanager
def timed(words):
    start, processor = time.perf_counter(), time.process_time()
    yield
    elapsed, busy = time.perf_counter() - start, time.process_time() - processor
    print(f"{words:48} {elapsed:7.2f} s, processor {busy:6.2f} s", flush=True)


def measure(options, folder):
    from annotation.pooling.draw import Way, draw_pool
    from annotation.pooling.figures import overlap, sizes_by_depth, sizes_by_draw
    from annotation.pooling.reading import labelled_rankings, poolable_runs, subjects_of
    from datasets.runs.files import add_runs, read_runs
    from formats.files import open_files
    from imports.pooling.actions import make_pool

    account, collection, documents = make_collection(options)
    draw = random.Random(SEED)
    for number in range(options.runs):
        path = folder / f"run{number}.run"
        write_run(path, options, documents, draw)
        with (
            timed(f"upload of {path.name}") if number == 0 else nullcontext(),
            open_files([path]) as files,
        ):
            add_runs(collection=collection, runs=read_runs(files), by=account)
    (runs,) = poolable_runs(collection).values()
    with timed(f"pool of depth {options.depth} from {options.runs} runs"):
        subjects = subjects_of(collection, runs[0].level)
        rankings = labelled_rankings(runs, subjects)
        pool = draw_pool(rankings, way=Way.DEPTH, size=options.depth)
    with timed("overlap, and what all ways cost"):
        overlap(rankings, options.depth)
        sizes_by_depth(rankings, [5, 10, 20, 33, 50, options.depth])
        sizes_by_draw(rankings, [13, 33], seed="7")
    with timed(f"{sum(map(len, pool.values())):,} pairs and candidates written"):
        make_pool(collection=collection, runs=runs, way=Way.DEPTH, size=options.depth, by=account)


def measure_scores():
    from dataclasses import replace

    from django.core.management import call_command

    from bench.shared.large_study import SLUG, make_study
    from datasets.models import Collection, Run
    from evaluation.orders.draws import Drawn
    from evaluation.protocols import shipped
    from evaluation.runs.disagreement import Matter
    from evaluation.runs.evaluation import Evaluation
    from evaluation.runs.scores import people_of, scores_of

    call_command("migrate", verbosity=0)
    make_study(pairs=10_000, topics=100, raters=2, seed=SEED)
    collection = Collection.objects.get(slug=SLUG)
    rank_pools(collection, 34)
    six = ("nDCG@10", "P@10", "R@20", "AP", "RR@10", "Rprec")
    protocol = replace(shipped()["trec"], measures=six)

    def score():
        evaluation = Evaluation(collection, protocol)
        scores_of(evaluation)
        people_of(evaluation, protocol.parsed[0])

    with timed("scores of 34 runs, 100 topics, 6 measures (2 s)"):
        score()
    with timed("the same when nothing changed (0.3 s)"):
        score()
    Run.objects.filter(pk__in=Run.objects.order_by("pk").values("pk")[11:]).delete()
    evaluation = Evaluation(collection, protocol)
    half = set(evaluation.all_units[:50])
    vars(evaluation)["all_units"] = [unit for unit in evaluation.all_units if unit in half]
    matter = Matter(evaluation, protocol.parsed[0])
    with timed("11 runs, 50 topics, 1,000 draws per pair (2 s)"):
        matter.drawn(Drawn.PAIR).orders.reversed_shares  # noqa: B018 - it is computed
    with timed("the same by topic"):
        matter.drawn(Drawn.TOPIC).orders.reversed_shares  # noqa: B018 - it is computed


def rank_pools(collection, count):
    """So many runs, each of every topic's pairs in an order of its own."""
    from annotation.models import Pair
    from datasets.models import Level, Ranking, Run, System

    draw = random.Random(SEED)
    pools = {}
    pairs = Pair.objects.filter(topic__collection=collection)
    for topic, document in pairs.values_list("topic__external_id", "document__external_id"):
        pools.setdefault(topic, []).append(document)
    for number in range(count):
        system = System.objects.create(collection=collection, key=f"s{number}", name=f"S{number}")
        run = Run.objects.create(
            system=system, tag=f"s{number}", level=Level.TOPICS, content_sha256=f"{number:064}"
        )
        Ranking.objects.bulk_create(
            Ranking(run=run, external_id=topic, documents="\n".join(draw.sample(pool, len(pool))))
            for topic, pool in pools.items()
        )


def make_collection(options):
    from django.core.management import call_command

    from accounts.models import User
    from datasets.models import Collection, Document, Query, Topic, TopicPlace

    call_command("migrate", verbosity=0)
    account = User.objects.create_user("bench@example.org", None, name="Bench")
    collection = Collection.objects.create(slug="bench", name="Bench")
    documents = [f"d{number:06}" for number in range(options.lines * 4)]
    Document.objects.bulk_create(
        (
            Document(collection=collection, external_id=name, title=name, sentences=[])
            for name in documents
        ),
        batch_size=500,
    )
    for number in range(options.topics):
        query = Query.objects.create(collection=collection, external_id=f"t{number}", text="?")
        topic = Topic.objects.create(collection=collection, external_id=f"t{number}", text="?")
        TopicPlace.objects.create(topic=topic, query=query)
    return account, collection, documents


def write_run(path, options, documents, draw):
    with path.open("w") as file:
        for number in range(options.topics):
            for rank, document in enumerate(draw.sample(documents, options.lines), start=1):
                score = options.lines - rank + 0.5
                file.write(f"t{number} Q0 {document} {rank} {score} {path.stem}\n")


if __name__ == "__main__":
    main()
