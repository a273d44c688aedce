"""The preview of a pool from runs: its size and cost, before anything is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median, pstdev

from django.db.models import Exists, OuterRef

from accounts.models import User
from annotation.models import Rating
from annotation.pooling.draw import Pool, Rankings, Way, draw_pool
from annotation.pooling.figures import (
    DEPTHS,
    DRAWS,
    Overlap,
    Size,
    overlap,
    size_of,
    sizes_by_depth,
    sizes_by_draw,
    unjudged,
)
from annotation.pooling.reading import Material, Subject
from datasets.models import Collection, Run, Topic

# Seconds that a pair took: CSFCube's fastest and slowest, DORIS-MAE between them.
PACES = {"15 s a pair": 15.0, "4 min": 240.0, "5 min": 300.0}
OWN_PACE = "own pace"
# Below so many ratings a median of their times says little.
RATINGS_FOR_A_PACE = 50
LATEST_RATINGS = 5_000


@dataclass(frozen=True)
class Cost:
    """A way of pooling with what judging it takes; `hours` are of all seats, by pace."""

    size: Size
    pairs: int
    ratings: int
    hours: list[float]
    smallest: int
    largest: int

    @property
    def key(self) -> str:
        return f"{self.size.way}-{self.size.size}"

    @property
    def name(self) -> str:
        if self.size.way == Way.DEPTH:
            return f"Depth {self.size.size}"
        return f"CSFCube's draw, {self.size.size} each"


@dataclass(frozen=True)
class Preview:
    """`rankings` are those of the chosen runs; `pool` is what the chosen way takes of them. Of a
    document without text there are no pairs, so that no cost counts it."""

    rankings: Rankings
    overlap: Overlap
    costs: list[Cost]
    chosen: Cost
    paces: dict[str, float]
    pool: Pool
    new_pairs: int
    without_text: list[str]
    large_topics: list[str]
    median_size: float


def preview(
    *,
    collection: Collection,
    material: Material,
    runs: Sequence[Run],
    way: Way,
    size: int,
    seed: str,
    whole: Sequence[Run],
    user: User,
) -> Preview:
    """The figures of a pool; `runs` are all that are pooled from, those in `whole` too."""
    subjects, stock = material.subjects, material.stock
    rankings = material.of(runs)
    names = [run.label for run in whole]
    paces = PACES | own_pace(collection, user)
    pool = draw_pool(rankings, way=way, size=size, seed=seed, whole_runs=names)
    absent = stock.absent(rankings)
    pool_size = size_of(pool, rankings, way=way, size=size, without_text=absent)
    depths = sorted({*DEPTHS, *([size] if way == Way.DEPTH else [])})
    counts = sorted({*DRAWS, *([size] if way == Way.DRAW else [])})
    sizes = [
        *sizes_by_depth(rankings, depths, whole_runs=names, without_text=absent),
        *sizes_by_draw(rankings, counts, seed=seed, whole_runs=names, without_text=absent),
    ]
    return Preview(
        rankings=rankings,
        overlap=overlap(rankings, size),
        costs=[_cost(size, subjects, collection, paces) for size in sizes],
        chosen=_cost(pool_size, subjects, collection, paces),
        paces=paces,
        pool=pool,
        new_pairs=len(stock.new_pairs(pool, subjects)),
        without_text=stock.without_text(pool),
        large_topics=_large(pool_size),
        median_size=median(pool_size.by_topic.values()) if pool_size.by_topic else 0,
    )


def own_pace(collection: Collection, user: User) -> dict[str, float]:
    """{OWN_PACE: median seconds} of the latest ratings that the lead may see, once there are
    enough."""
    # Asked of one rating after the other, the latest first, until there are enough; by the topics
    # of the collection the database would read all ratings and sort them.
    is_here = Exists(Topic.objects.filter(pk=OuterRef("pair__topic"), collection=collection))
    ratings = Rating.objects.visible_to(user).filter(is_here)
    latest = ratings.filter(active_seconds__gt=0).order_by("-pk")
    times = latest.values_list("active_seconds", flat=True)[:LATEST_RATINGS]
    seconds = [float(time) for time in times]
    return {OWN_PACE: median(seconds)} if len(seconds) >= RATINGS_FOR_A_PACE else {}


def _cost(
    size: Size, subjects: dict[str, Subject], collection: Collection, paces: dict[str, float]
) -> Cost:
    pairs = sum(count * len(subjects[name].topics) for name, count in size.by_topic.items())
    scheme = getattr(collection, "scheme", None)
    ratings = pairs * (scheme.overlap if scheme else 1)
    counts = list(size.by_topic.values()) or [0]
    hours = [ratings * seconds / 3600 for seconds in paces.values()]
    return Cost(size, pairs, ratings, hours, min(counts), max(counts))


def _large(size: Size) -> list[str]:
    """Topics whose pools are larger than the mean by two standard deviations."""
    counts = list(size.by_topic.values())
    if not counts:
        return []
    limit = mean(counts) + 2 * pstdev(counts)
    return [name for name, count in size.by_topic.items() if count > limit]


@dataclass(frozen=True)
class Unjudged:
    """Of a run's first documents: how many pairs nobody was ever given, and how many documents
    have no text."""

    run: Run
    pairs: int
    without_text: int


def unjudged_of(material: Material, runs: Sequence[Run], depth: int) -> list[Unjudged]:
    """The documents without judgment among the first `depth` of each run."""
    judged = material.stock.judged
    return [_unjudged(run, material, judged, depth) for run in runs]


def _unjudged(run: Run, material: Material, judged: dict[int, set[str]], depth: int) -> Unjudged:
    pairs, missing = 0, set[str]()
    for name, ranked in material.rankings[run.label].items():
        for topic in material.subjects[name].topics:
            documents = unjudged(ranked, judged.get(topic.pk, set()), depth)
            absent = {
                document for document in documents if document not in material.stock.documents
            }
            pairs += len(documents) - len(absent)
            missing |= absent
    return Unjudged(run, pairs, len(missing))
