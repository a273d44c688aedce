"""Size and cost of pools from runs. Pure functions on rankings."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.pooling.draw import Pool, Rankings, Way, turns

DEPTHS = [5, 10, 20, 33, 50]
# CSFCube took 13 of each method, or 33 where there were fewer methods.
DRAWS = [13, 33]
# Of all lines, the share above which a way hardly chooses any more.
NEARLY_ALL = 0.8


@dataclass(frozen=True)
class Overlap:
    """The documents that runs share among their first ones.

    `runs` are ordered so that those that share most stand together. `shared[i][j]` is the mean,
    over the topics that both rank, of the documents that both have; None without such a topic.
    `alone[i]` counts the documents, over all topics, that no other run has.
    """

    runs: list[str]
    shared: list[list[float | None]]
    alone: list[int]

    @property
    def from_one_run(self) -> int:
        return sum(self.alone)


def overlap(rankings: Rankings, depth: int) -> Overlap:
    """The documents that the runs share among their first `depth`."""
    names = sorted(rankings)
    topics = {topic for lists in rankings.values() for topic in lists}
    sums = {(name, other): 0 for name in names for other in names}
    common = Counter[tuple[str, str]]()
    alone = Counter[str]()
    for topic in topics:
        sets = {run: set(rankings[run][topic][:depth]) for run in names if topic in rankings[run]}
        times = Counter(document for documents in sets.values() for document in documents)
        present = list(sets)
        for place, run in enumerate(present):
            documents = sets[run]
            alone[run] += sum(times[document] == 1 for document in documents)
            for other in present[place + 1 :]:
                count = len(documents & sets[other])
                for pair in ((run, other), (other, run)):
                    sums[pair] += count
                    common[pair] += 1
    means = {
        pair: sums[pair] / common[pair] if common[pair] else None
        for pair in sums
        if pair[0] != pair[1]
    }
    ordered = neighbours_first(names, means)
    return Overlap(
        ordered,
        [[means.get((name, other)) for other in ordered] for name in ordered],
        [alone[run] for run in ordered],
    )


def neighbours_first(
    names: Sequence[str], shared: Mapping[tuple[str, str], float | None]
) -> list[str]:
    """Names in the order of an average-linkage clustering by what they share; ties by name."""
    clusters = [[name] for name in sorted(names)]
    while len(clusters) > 1:
        _, first, second = min(
            (-_linkage(cluster, later_cluster, shared), place, later)
            for place, cluster in enumerate(clusters)
            for later, later_cluster in enumerate(clusters[place + 1 :], start=place + 1)
        )
        clusters[first] += clusters.pop(second)
    return clusters[0] if clusters else []


def _linkage(
    cluster: Iterable[str],
    later_cluster: Sequence[str],
    shared: Mapping[tuple[str, str], float | None],
) -> float:
    values = [shared[name, neighbour] or 0.0 for name in cluster for neighbour in later_cluster]
    return sum(values) / len(values)


@dataclass(frozen=True)
class Size:
    """The number of documents that a way of pooling takes, by topic, without those that have no
    text: nobody judges them."""

    way: Way
    size: int
    by_topic: dict[str, int]
    share_of_lines: float

    @property
    def pairs(self) -> int:
        return sum(self.by_topic.values())

    @property
    def takes_nearly_all(self) -> bool:
        return self.share_of_lines > NEARLY_ALL


def sizes_by_depth(
    rankings: Rankings,
    depths: Iterable[int],
    *,
    whole_runs: Sequence[str] = (),
    without_text: Collection[str] = (),
) -> list[Size]:
    """The sizes of pools of several depths, from one look at the runs."""
    best: dict[str, dict[str, int]] = {}
    for run, lists in rankings.items():
        for topic, documents in lists.items():
            ranks = best.setdefault(topic, {})
            for rank, document in enumerate(documents, start=1):
                if document in without_text:
                    continue
                place = 0 if run in whole_runs else rank
                if place < ranks.get(document, place + 1):
                    ranks[document] = place
    whole = sum(map(len, best.values()))
    sizes = []
    for depth in depths:
        counts = {
            topic: sum(rank <= depth for rank in ranks.values()) for topic, ranks in best.items()
        }
        sizes.append(Size(Way.DEPTH, depth, counts, _share(sum(counts.values()), whole)))
    return sizes


def size_of(
    pool: Pool, rankings: Rankings, *, way: Way, size: int, without_text: Collection[str] = ()
) -> Size:
    """The size of a pool that was drawn."""
    ranked: dict[str, set[str]] = {}
    for lists in rankings.values():
        for topic, documents in lists.items():
            ranked.setdefault(topic, set()).update(documents)
    for documents_of_topic in ranked.values():
        documents_of_topic.difference_update(without_text)
    counts = {
        topic: sum(pooled.document not in without_text for pooled in documents)
        for topic, documents in pool.items()
    }
    return Size(way, size, counts, _share(sum(counts.values()), sum(map(len, ranked.values()))))


def sizes_by_draw(
    rankings: Rankings,
    counts: Iterable[int],
    *,
    seed: str,
    whole_runs: Sequence[str] = (),
    without_text: Collection[str] = (),
) -> list[Size]:
    """The sizes of CSFCube's draw for several numbers of documents of each run, from one draw of
    the most."""
    counts = list(counts)
    ascending = sorted(set(counts))
    topics = sorted({topic for lists in rankings.values() for topic in lists})
    by_count: dict[int, dict[str, int]] = {count: {} for count in ascending}
    whole = 0
    for topic in topics:
        lists = {run: ranked[topic] for run, ranked in rankings.items() if topic in ranked}
        whole += len(set().union(*lists.values()).difference(without_text))
        drawn = set().union(*(lists[run] for run in whole_runs if run in lists))
        drawn.difference_update(without_text)
        partial = {run: ranked for run, ranked in lists.items() if run not in whole_runs}
        wanted = iter(ascending)
        count = next(wanted, None)
        for number, _, _, document in turns(partial, max(counts, default=0), seed, topic):
            while count is not None and number > count:
                by_count[count][topic] = len(drawn)
                count = next(wanted, None)
            if document not in without_text:
                drawn.add(document)
        for rest in ascending:
            by_count[rest].setdefault(topic, len(drawn))
    return [
        Size(Way.DRAW, count, by_count[count], _share(sum(by_count[count].values()), whole))
        for count in counts
    ]


def _share(part: int, total: int) -> float:
    return part / total if total else 0.0


def unjudged(ranked: Sequence[str], judged: set[str], depth: int) -> list[str]:
    """Those of the first `depth` documents that are not judged, best first."""
    return [document for document in ranked[:depth] if document not in judged]
