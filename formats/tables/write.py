"""Writing tables: of a study, and templates that show what columns there may be.

What is written here is read again as the same records.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence

from formats.records import Document, Place, PoolEntry, Rating, Sentence, Study

COLUMNS: dict[str, list[str]] = {
    "documents.csv": ["id", "title", "text", "sentences", "labels"],
    "queries.csv": ["id", "text", "document", "facet", "description", "narrative"],
    "aspects.csv": ["id", "text", "query", "parent"],
    "pool.csv": ["query", "topic", "document", "source", "rank", "side_title", "side_text"],
    "ratings.csv": ["topic", "document", "rater", "grade", "reason", "note", "time"],
    "decisions.csv": [
        "topic", "document", "adjudicator", "grade", "excluded", "cause", "rationale", "time",
    ],
}  # fmt: skip


def write_tables(study: Study) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of each table that has rows. Metadata are left out."""
    rows: dict[str, Iterable[Sequence[str]]] = {
        "documents.csv": map(_document, study.documents),
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


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().encode()


def _document(document: Document) -> list[str]:
    if document.text is not None:
        return [document.id, document.title, document.text, "", ""]
    texts = [sentence.text for sentence in document.sentences]
    labels = [sentence.label for sentence in document.sentences]
    return [
        document.id,
        document.title,
        "",
        json.dumps(texts, ensure_ascii=False),
        json.dumps(labels) if any(labels) else "",
    ]


def _queries(study: Study) -> Iterator[list[str]]:
    facets: dict[str, list[str]] = {}
    for topic in study.topics:
        if topic.facet:
            facets.setdefault(topic.places[0].query, []).append(topic.facet)
    for query in study.queries:
        for facet in facets.get(query.id, [""]):
            yield [
                query.id, query.text, query.document, facet, query.description, query.narrative,
            ]  # fmt: skip


def _aspects(study: Study) -> Iterator[list[str]]:
    for topic in study.topics:
        if not topic.facet:
            for place in topic.places:
                yield [topic.id, topic.text, place.query, place.parent or ""]


def _pool(pool: Iterable[PoolEntry]) -> Iterator[list[str]]:
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


def _ratings(ratings: Iterable[Rating]) -> Iterator[list[str]]:
    for rating in ratings:
        yield [
            rating.topic, rating.document, rating.rater, rating.grade or "", rating.reason,
            rating.note, rating.time,
        ]  # fmt: skip


# Two rows each, invented: whoever opens a template sees what goes where.
_NOWHERE = Place("template")
EXAMPLES: dict[str, list[list[str]]] = {
    "documents.csv": [
        _document(
            Document("d1", "A title", (Sentence("A first."),), "A first sentence. A second.", {},
                     _NOWHERE)
        ),
        _document(
            Document("d2", "Another", (Sentence("It is so."), Sentence("So be it.")), None, {},
                     _NOWHERE)
        ),
    ],
    "queries.csv": [
        ["q1", "What is asked for?", "", "", "What would answer it.", "What would not."],
        ["q2", "", "d1", "", "", ""],
    ],
    "aspects.csv": [
        ["a1", "The paper is about retrieval.", "q1", ""],
        ["a2", "It measures with people.", "q1", "a1"],
    ],
    "pool.csv": [
        ["q1", "", "d1", "bm25", "1", "", ""],
        ["q1", "", "d2", '["bm25", "dense"]', "2", "", ""],
    ],
    "ratings.csv": [
        ["q1", "d1", "rater1@example.org", "2", "", "", ""],
        ["q1", "d1", "rater2@example.org", "", "not my field", "", ""],
    ],
    "decisions.csv": [
        ["q1", "d1", "editor@example.org", "2", "", "", "The second rater skipped it.", ""],
        ["q1", "d2", "editor@example.org", "", "text is cut off", "", "", ""],
    ],
}  # fmt: skip


def templates() -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of a table for each part, with two rows as examples."""
    for name, columns in COLUMNS.items():
        yield name, csv_bytes(columns, EXAMPLES[name])
