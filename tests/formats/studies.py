"""CSFCube's half as neutral records, for what is compared with its own importer."""

import json

from formats.csfcube import CANNOT_JUDGE
from formats.csfcube.read import read_release
from formats.csfcube.sources import find_in_folder
from formats.records import (
    Decision,
    Document,
    Place,
    PoolEntry,
    Query,
    Rating,
    Sentence,
    Study,
    Topic,
    TopicPlace,
)
from tests.formats.tables.writing import COLUMNS, csv_bytes, document_row

FACETS = ["background", "method", "result"]
PLACE = Place("csfcube")


def csfcube_study(folder):
    """The release in `folder` with its ratings and adjudicated grades."""
    scales = dict.fromkeys(FACETS, range(4))
    release = read_release(find_in_folder(folder), scales=scales)
    study = Study("csfcube")
    for paper in release.papers():
        sentences = tuple(
            Sentence(sentence["text"], sentence["label"]) for sentence in paper.sentences
        )
        study.documents.keep(Document(paper.paper_id, paper.title, sentences, None, {}, PLACE))
    for paper_id, pool in release.pools.items():
        study.queries.append(Query(paper_id, "", paper_id, "", "", {}, PLACE))
        for candidate, sources in zip(pool.candidates, pool.sources, strict=True):
            study.pool.append(
                PoolEntry(paper_id, None, candidate, tuple(sources), None, "", "", PLACE)
            )
    for row in release.rows:
        places = (TopicPlace(row.paper_id),)
        study.topics.append(Topic(row.topic_id, row.facet, "", places, {}, PLACE))
        _add_answers(study, row.topic_id, release.annotations[row.facet][row.paper_id])
    return study


def _add_answers(study, topic, annotations):
    for position, candidate in enumerate(annotations.candidates):
        for rater, grades in annotations.ratings.items():
            grade = grades[position]
            literal = None if grade == CANNOT_JUDGE else str(grade)
            reason = "not rated" if literal is None else ""
            study.ratings.append(
                Rating(topic, candidate, f"annotator{rater}", literal, reason, "", "", PLACE)
            )
        # The file has an adjudicated grade for every pair; only disagreements were decided.
        if len({grades[position] for grades in annotations.ratings.values()}) > 1:
            grade = str(annotations.adjudicated[position])
            study.decisions.append(
                Decision(topic, candidate, "adjudicator", grade, "", "", "", "", PLACE)
            )


def written(study, folder):
    """The tables of a study as files in a new folder."""
    folder.mkdir()
    for name, data in write_tables(study):
        (folder / name).write_bytes(data)
    return folder


def write_tables(study):
    """Yield (name, bytes) of each table that has rows. Metadata are left out."""
    rows = {
        "documents.csv": map(document_row, study.documents),
        "queries.csv": _queries(study),
        "aspects.csv": _aspects(study),
        "pool.csv": _pool(study.pool),
        "ratings.csv": _ratings(study.ratings),
        "decisions.csv": (
            [
                decision.topic, decision.document, decision.adjudicator, decision.grade or "",
                decision.reason, decision.cause, decision.rationale, decision.time,
            ]
            for decision in study.decisions
        ),
    }  # fmt: skip
    for name, columns in COLUMNS.items():
        table = list(rows[name])
        if table:
            yield name, csv_bytes(columns, table)


def _queries(study):
    facets = {}
    for topic in study.topics:
        if topic.facet:
            facets.setdefault(topic.places[0].query, []).append(topic.facet)
    for query in study.queries:
        for facet in facets.get(query.id, [""]):
            yield [
                query.id, query.text, query.document, facet, query.description, query.narrative,
            ]  # fmt: skip


def _aspects(study):
    for topic in study.topics:
        if not topic.facet:
            for place in topic.places:
                yield [topic.id, topic.text, place.query, place.parent or ""]


def _pool(pool):
    for entry in pool:
        yield [
            entry.query,
            entry.topic or "",
            entry.document,
            json.dumps(entry.sources) if entry.sources else "",
            "" if entry.rank is None else str(entry.rank),
            entry.side_title,
            entry.side_text,
        ]


def _ratings(ratings):
    for rating in ratings:
        yield [
            rating.topic, rating.document, rating.rater, rating.grade or "", rating.reason,
            rating.note, rating.time,
        ]  # fmt: skip
