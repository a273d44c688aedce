"""Measure small reads of a program while people rate.

    python bench/api_beside.py [--reads 150] [--annotators 16] [--think 0.5 2]

A study is made in a database of its own and served by gunicorn as shipped. A lead's program asks
for 20 documents again and again, within what one token may, while `--annotators` save beside it.
Prints the median and the 95th percentile in milliseconds. Needs what the tests need.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.annotating.serving import at_work, served

SLUG = "beside"
PAIRS_EACH = 120
PAUSE_SECONDS = 0.05


def read_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reads", type=int, default=150)
    parser.add_argument("--annotators", type=int, default=16, help="who save beside it")
    parser.add_argument("--think", type=float, nargs=2, default=(0.5, 2), metavar="SECONDS")
    return parser.parse_args()


def token_of_the_lead():
    from datasets.models import Membership
    from tests.factories.tokens import token_of

    _, token = token_of(Membership.objects.get(collection__slug=SLUG, is_lead=True))
    return token


def read(url, token, reads):
    """[milliseconds of a read] but of the first, which imports what endpoints need."""
    import httpx

    times = []
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=url, headers=headers) as program:
        for _ in range(reads + 1):
            start = time.perf_counter()
            answer = program.get(f"/api/v1/collections/{SLUG}/documents?rows=20")
            times.append(1000 * (time.perf_counter() - start))
            answer.raise_for_status()
            time.sleep(PAUSE_SECONDS)
    return times[1:]


def main():
    options = read_options()
    study = {"annotators": max(options.annotators, 2), "pairs": PAIRS_EACH, "slug": SLUG}
    with served(**study) as (url, server, people):
        token = token_of_the_lead()
        with at_work(url, server, people[: options.annotators], think=options.think):
            times = read(url, token, options.reads)
    p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
    print(
        f"{options.annotators} annotators beside it; {len(times)} small reads: "
        f"median {statistics.median(times):.0f} ms, p95 {p95:.0f} ms (bar 50)"
    )


if __name__ == "__main__":
    main()
