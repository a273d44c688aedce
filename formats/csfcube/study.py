"""A release as a study, with its ratings on request."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from formats import csfcube
from formats.csfcube.records import Annotations, QueryRow, Release
from formats.problems import Problems
from formats.records import Decision, Place, PoolEntry, Published, Query, Rating, Study, Topic
from formats.records import TopicPlace as At

KIND = "csfcube"
ADJUDICATOR = "adjudicator"


def study_of(release: Release, *, with_ratings: bool, before: Mapping[str, Any]) -> Study:
    """The study that a release is. `before` is what the collection keeps of earlier files.

    Raises BadInputError where ratings are asked for and there is no file of them.
    """
    study = Study(KIND, notes=release.notes, fingerprint=release.fingerprint)
    for paper in release.papers():
        study.documents.keep(paper.as_document(csfcube.ABSTRACTS))
    for query, pool in release.pools.items():
        place = Place(csfcube.POOLS, key=f'key "{query}"')
        study.queries.append(Query(query, "", query, "", "", {}, place, sentences=[]))
        study.pool += [
            PoolEntry(query, None, candidate, tuple(sources), None, "", "", place)
            for candidate, sources in zip(pool.candidates, pool.sources, strict=True)
        ]
    for row in release.rows:
        place = Place(csfcube.QUERIES, row.line)
        at = (At(row.paper_id),)
        study.topics.append(Topic(row.topic_id, row.facet, "", at, row.fields, place))
    study.published = Published(
        pairs={row.topic_id: dict.fromkeys(release.judged(row)) for row in release.rows},
        extra=_extra(release, before),
        counts={
            "papers_read": release.papers_read,
            "with_ratings": with_ratings,
            "with_readable": bool(release.readable_numbers),
        },
        names=_names(release),
        numbers=_numbers(release) if with_ratings else {},
    )
    if with_ratings:
        _require_ratings(release)
        for row, judged in _judged(release):
            _add_ratings(study, row, judged)
    return study


def _extra(release: Release, before: Mapping[str, Any]) -> dict[str, Any]:
    """Data that no row holds and an export needs to give back the same bytes. They are lists and
    JSON text, since PostgreSQL does not keep the order of an object's keys.
    """
    annotations = {facet: list(ids) for facet, ids in before.get("annotations", {}).items()}
    for facet, judged in release.annotations.items():
        papers = annotations.setdefault(facet, [])
        papers += [paper_id for paper_id in judged if paper_id not in set(papers)]
    extra = {"columns": release.columns, "line_end": release.line_end, "annotations": annotations}
    splits = before.get("splits") if release.splits is None else json.dumps(release.splits)
    if splits is not None:
        extra["splits"] = splits
    return extra


def _require_ratings(release: Release) -> None:
    if release.annotations:
        return
    problems = Problems()
    problems.add(
        csfcube.annotations_name("<facet>"),
        "",
        "ratings are asked for, but there is no rating file.",
        "Add the files, or import without ratings.",
    )
    problems.raise_any()


def _judged(release: Release) -> Iterator[tuple[QueryRow, Annotations]]:
    """The queries under a facet that have ratings, with them."""
    for row in release.rows:
        if judged := release.annotations.get(row.facet, {}).get(row.paper_id):
            yield row, judged


def _name(annotator: str) -> str:
    return f"annotator{annotator}"


def _names(release: Release) -> dict[str, str]:
    annotators = {annotator for _, judged in _judged(release) for annotator in judged.ratings}
    names = {_name(annotator): f"Annotator {annotator}" for annotator in annotators}
    return names | {ADJUDICATOR: "Adjudicator"}


def _numbers(release: Release) -> dict[str, tuple[str, Place]]:
    numbers: dict[str, tuple[str, Place]] = {}
    for row, judged in _judged(release):
        place = Place(csfcube.READABLE_FOLDER, key=row.topic_id)
        if row.topic_id in release.readable_numbers:
            in_text = release.readable_numbers[row.topic_id]
            for annotator, number in zip(judged.ratings, in_text, strict=True):
                numbers.setdefault(_name(annotator), (number, place))
    return numbers


def _add_ratings(study: Study, row: QueryRow, judged: Annotations) -> None:
    file, topic = csfcube.annotations_name(row.facet), row.topic_id
    for index, document in enumerate(judged.candidates):
        place = Place(file, key=f'key "{row.paper_id}", candidate {document}')
        for annotator, values in judged.ratings.items():
            value = values[index]
            grade = None if value == csfcube.CANNOT_JUDGE else str(value)
            study.ratings.append(
                Rating(topic, document, _name(annotator), grade, "", "", "", place)
            )
        if judged.adjudicated is not None:
            grade = str(judged.adjudicated[index])
            study.decisions.append(
                Decision(topic, document, ADJUDICATOR, grade, "", "", "", "", place)
            )
