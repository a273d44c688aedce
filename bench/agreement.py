"""Time the agreement statistics, and the same by plain libraries beside them.

    python bench/agreement.py [--pairs 165000] [--topics 1500] [--raters 3] [--gaps 0.02] [--seed 0]
        [--at-most 60] [--large-bootstrap]

Makes ratings from a seed and computes every measure of every topic, pooled and over topics; then
the same topic by topic with krippendorff, scikit-learn and scipy, as far as they have the measure,
for AT-MOST seconds. Prints the times, the peak memory before the libraries start, and the largest
difference of two figures; then the same for the bootstrap of a study as large as CSFCube. Exits
with 1 when a figure differs.
"""

import argparse
import resource
import sys
import time
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from agreement.statistics import (
    REGISTRY,
    Method,
    Over,
    RatedTopics,
    SummaryKind,
    by_topic,
    intervals,
    pooled,
    summarised,
)

TOLERANCE = 1e-9
SCALE = [0.0, 1.0, 2.0, 3.0]
SHARES = [0.55, 0.25, 0.12, 0.08]
CSFCUBE = {"pairs": 6000, "topics": 50, "raters": 2}


def main():
    options = read_options()
    ratings, topic = make_ratings(options, seed=options.seed)
    say(f"{options.pairs:,} pairs, {options.topics:,} topics, {options.raters} raters")
    topics, figures = time_ours(ratings, topic, options.topics)
    differs = time_plainly(ratings, topic, figures, options)
    time_bootstrap(options)
    if options.large_bootstrap:
        say("\nThe first study, 1,000 resamples of topics and pairs, median over topics, BCa")
        took, _ = timed(bootstrap, topics, over=Over.BOTH, summary=SummaryKind.MEDIAN)
        say(f"  all {len(REGISTRY)} measures {took:8.2f} s, peak {peak_megabytes():.0f} MB")
    return 1 if differs else 0


def read_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=165_000)
    parser.add_argument("--topics", type=int, default=1500)
    parser.add_argument("--raters", type=int, default=3)
    parser.add_argument("--gaps", type=float, default=0.02, help="share of ratings that miss")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--at-most", type=float, default=60.0, help="seconds for the libraries; 0 leaves them out"
    )
    parser.add_argument(
        "--large-bootstrap", action="store_true", help="resample the large study too: a minute"
    )
    return parser.parse_args()


def make_ratings(options, *, seed):
    """Raters by pairs, NaN where one misses, and the topic of each pair."""
    random = np.random.default_rng(seed)
    size = (options.raters, options.pairs)
    truth = random.choice(SCALE, p=SHARES, size=options.pairs)
    guesses = random.choice(SCALE, p=SHARES, size=size)
    ratings = np.where(random.random(size) < 0.6, truth, guesses)
    ratings[random.random(size) < options.gaps] = np.nan
    return ratings, random.integers(0, options.topics, size=options.pairs)


def time_ours(ratings, topic, number):
    counting, topics = timed(RatedTopics.of_columns, ratings, topic, topics=number, values=SCALE)
    single, figures = timed(by_topic, topics)
    medians, _ = timed(summarised, topics, kind=SummaryKind.MEDIAN)
    whole, _ = timed(pooled, topics)
    say(f"\nOurs, {len(REGISTRY)} measures")
    say(f"  counting combinations    {counting:8.2f} s")
    say(f"  every topic              {single:8.2f} s")
    say(f"  every topic, and medians {medians:8.2f} s")
    say(f"  all pairs pooled         {whole:8.2f} s")
    say(f"  together                 {counting + single + medians + whole:8.2f} s (aim: 5 s)")
    say(f"  peak memory              {peak_megabytes():8.0f} MB (aim: 700 MB)")
    return topics, figures


def time_plainly(ratings, topic, figures, options):
    """The libraries topic by topic, until the time is over; whether any figure differs."""
    if not options.at_most:
        return False
    columns = np.argsort(topic, kind="stable")
    of_topic = np.split(columns, np.searchsorted(topic[columns], np.arange(1, options.topics)))
    measures = plain_measures()
    spent = dict.fromkeys(measures, 0.0)
    differs, largest, done = [], 0.0, 0
    started = time.perf_counter()
    for number, pairs in enumerate(of_topic):
        if time.perf_counter() - started > options.at_most:
            break
        for name, compute in measures.items():
            took, value = timed(compute, ratings[:, pairs])
            spent[name] += took
            figure = figures[name][number].figure.value
            if (figure is None) != bool(np.isnan(value)):
                differs.append(f"{name} of topic {number}: {figure} and {value}")
            elif figure is not None:
                largest = max(largest, abs(figure - value))
        done += 1
    if largest > TOLERANCE:
        differs.append(f"figures differ by up to {largest:.2g}")
    say(f"\nLibraries, {len(measures)} measures, {done:,} of {options.topics:,} topics")
    for name, took in spent.items():
        say(f"  {name:24} {took:8.2f} s")
    whole = sum(spent.values()) * options.topics / max(1, done)
    say(f"  all topics at this pace  {whole:8.2f} s")
    some, _ = timed(
        lambda: by_topic(
            RatedTopics.of_columns(ratings, topic, topics=options.topics, values=SCALE), measures
        )
    )
    say(f"  ours, the same measures  {some:8.2f} s: {whole / some:,.0f} times as fast")
    say(f"  largest difference       {largest:8.1g}")
    for line in differs:
        say(f"  DIFFERS: {line}")
    return bool(differs)


def plain_measures():
    """{measure: its value of a topic, raters by pairs}, by libraries imported only here, so that
    the peak memory above is without them."""
    import krippendorff
    from scipy.stats import kendalltau, spearmanr
    from sklearn import metrics

    def of_two(compute):
        def averaged(ratings):
            values = [
                compute(*both_rated(ratings[[a, b]]))
                for a, b in combinations(range(len(ratings)), 2)
            ]
            defined = [value for value in values if not np.isnan(value)]
            return np.mean(defined) if defined else np.nan

        return averaged

    def kappa(weights):
        return of_two(
            lambda x, y: metrics.cohen_kappa_score(
                as_labels(x), as_labels(y), labels=range(len(SCALE)), weights=weights
            )
        )

    def alpha(level):
        return lambda ratings: krippendorff.alpha(ratings, level_of_measurement=level)

    measures = {
        "rho": of_two(lambda x, y: spearmanr(x, y).statistic),
        "tau_b": of_two(lambda x, y: kendalltau(x, y).statistic),
        "kappa": kappa(None),
        "kappa_linear": kappa("linear"),
        "kappa_quadratic": kappa("quadratic"),
        "percent": of_two(lambda x, y: 100 * metrics.accuracy_score(as_labels(x), as_labels(y))),
        "macro_f1": of_two(
            lambda x, y: metrics.f1_score(as_labels(x), as_labels(y), average="macro")
        ),
        "alpha_nominal": alpha("nominal"),
        "alpha_ordinal": alpha("ordinal"),
        "alpha_interval": alpha("interval"),
    }
    return {name: quietly(compute) for name, compute in measures.items()}


def time_bootstrap(options):
    """Ours over counts, for all measures at once; scipy's over rows, for kappa alone."""
    study = argparse.Namespace(**CSFCUBE, gaps=0.0)
    ratings, topic = make_ratings(study, seed=options.seed)
    topics = RatedTopics.of_columns(ratings, topic, topics=study.topics, values=SCALE)
    say(f"\n1,000 resamples of {study.pairs:,} pairs in {study.topics} topics")
    for over in Over:
        for summary in (SummaryKind.POOLED, SummaryKind.MEDIAN):
            took, _ = timed(bootstrap, topics, over=over, summary=summary)
            say(f"  ours, BCa, {summary}, {over:30} {took:8.2f} s, {len(REGISTRY)} measures")
    if options.at_most:
        from scipy.stats import bootstrap as of_rows
        from sklearn.metrics import cohen_kappa_score

        took, _ = timed(
            of_rows,
            tuple(ratings),
            lambda x, y: cohen_kappa_score(as_labels(x), as_labels(y)),
            n_resamples=1000,
            paired=True,
            vectorized=False,
            method="percentile",
            rng=np.random.default_rng(options.seed),
        )
        say(f"  scipy and scikit-learn, percentile, pooled, pairs  {took:8.2f} s, kappa alone")


def bootstrap(topics, *, over, summary):
    return intervals(topics, summary=summary, over=over, method=Method.BCA, resamples=1000)


def both_rated(two):
    return two[:, ~np.isnan(two).any(axis=0)]


def as_labels(ratings):
    return ratings.astype(int)


def quietly(compute):
    """Without the libraries' warnings of figures that are not defined."""

    def computed(ratings):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return float(compute(ratings))

    return computed


def timed(work, *args, **kwargs):
    started = time.perf_counter()
    result = work(*args, **kwargs)
    return time.perf_counter() - started, result


def peak_megabytes():
    """Of this process so far; Linux counts kilobytes, macOS bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def say(line):
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
