"""Tables of invented examples, and the rows of a table, for tests of reading."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence

from formats.records import Document, Place, Sentence

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


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().encode()


def document_row(document: Document) -> list[str]:
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


# Two rows each, invented: whoever opens a template sees what goes where.
_NOWHERE = Place("template")
EXAMPLES: dict[str, list[list[str]]] = {
    "documents.csv": [
        document_row(
            Document("d1", "A title", (Sentence("A first."),), "A first sentence. A second.", {},
                     _NOWHERE)
        ),
        document_row(
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
