"""Checks across the files of a release: every query and candidate has its pool, text and row."""

from formats import csfcube
from formats.csfcube.reading import FETCH_AGAIN, Reading
from formats.records import Place
from formats.strict import shown


def check_together(reading: Reading) -> None:
    _check_queries(reading)
    _check_pools(reading)
    for facet in reading.release.annotations:
        _check_annotations(reading, facet)
    if reading.problems.total:
        return
    release = reading.release
    candidates = dict.fromkeys(
        candidate for pool in release.pools.values() for candidate in pool.candidates
    )
    release.without_text = [paper for paper in candidates if paper not in release.offsets]


def _check_queries(reading: Reading) -> None:
    release = reading.release
    for row in release.rows:
        if row.paper_id not in release.pools:
            reading.refuse(
                Place(csfcube.POOLS, key=f"key {shown(row.paper_id)}"),
                f"the query of {csfcube.QUERIES}, line {row.line}, has no pool.",
                "Add its pool, or remove the query.",
            )
        if row.paper_id not in release.offsets:
            reading.refuse(
                Place(csfcube.ABSTRACTS),
                f"the query paper {row.paper_id} ({csfcube.QUERIES}, line {row.line}) has no text.",
                "Add its line, or remove the query.",
            )


def _check_pools(reading: Reading) -> None:
    release = reading.release
    queried = {row.paper_id for row in release.rows}
    for paper_id in release.pools:
        if paper_id not in queried:
            reading.refuse(
                Place(csfcube.POOLS, key=f"key {shown(paper_id)}"),
                f"{csfcube.QUERIES} has no row for this paper.",
                "Add the row, or remove the pool.",
            )


def _check_annotations(reading: Reading, facet: str) -> None:
    release = reading.release
    topics = {row.topic_id for row in release.rows}
    for paper_id, annotations in release.annotations[facet].items():
        at = Place(csfcube.annotations_name(facet), key=f"key {shown(paper_id)}")
        if f"{paper_id}_{facet}" not in topics:
            reading.refuse(
                at,
                f"{csfcube.QUERIES} has no row for this paper under {facet}.",
                "Add the row, or remove the key.",
            )
        pooled = release.pools.get(paper_id)
        for candidate in annotations.candidates:
            if pooled and candidate not in set(pooled.candidates):
                reading.refuse(
                    at,
                    f"the judged paper {candidate} is not in the pool of {paper_id}.",
                    f"Add it to {csfcube.POOLS}, or remove it here.",
                )
            if candidate not in release.offsets:
                reading.refuse(
                    at,
                    f"the judged paper {candidate} has no text.",
                    f"Add its line to {csfcube.ABSTRACTS}, or remove it here.",
                )


def read_splits(reading: Reading) -> None:
    name = csfcube.SPLITS
    if reading.sources.splits is None:
        return
    splits = reading.json_object(name, reading.sources.splits)
    topic_ids = {row.topic_id for row in reading.release.rows}
    strangers: dict[str, str] = {}
    for group, folds in splits.items():
        by_fold = folds if isinstance(folds, dict) else {"": None}
        for fold, keys in by_fold.items():
            if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
                at = Place(name, key=f"key {shown(group)}")
                reading.refuse(at, "expected lists of query keys by fold.", FETCH_AGAIN)
                continue
            strangers.update((key, fold) for key in keys if key not in topic_ids)
    reading.release.splits = splits
    if strangers:
        few = ", ".join(shown(key) for key in list(strangers)[:5])
        reading.release.notes.append(
            f"{name} names {len(strangers):,} queries that {csfcube.QUERIES} does not have "
            f"({few}). The splits are kept as they are."
        )
