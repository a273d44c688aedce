"""Queries that are topics: a query under a facet, which our own export calls `<query>_<facet>`.

The export says so in the query's metadata, `{"query": …, "facet": …, "document": …}`; the document
is the paper that the query is, null for a text. Nothing is guessed from names.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from formats.files import SourceFile
from formats.reading import Options
from formats.records import topic_id
from formats.strict import BadTextError
from formats.tables.json_rows import JsonLines

KEYS = ("query", "facet", "document")


class NamedTopic(NamedTuple):
    """The topic that a query of the file is. `document` is "" where the query is a text."""

    query: str
    facet: str
    document: str
    metadata: dict[str, Any]


def topic_of(row: Mapping[str, Any]) -> NamedTopic | None:
    """The topic that a row says it is; None where it is a query of its own."""
    metadata = row.get("metadata")
    if not isinstance(metadata, dict) or not set(KEYS) <= metadata.keys():
        return None
    query, facet, document = (metadata[key] for key in KEYS)
    if not isinstance(query, str) or not isinstance(facet, str):
        return None
    if not isinstance(document, str | None) or row.get("_id") != topic_id(query, facet):
        return None
    others = {key: value for key, value in metadata.items() if key not in KEYS}
    return NamedTopic(query, facet, document or "", others)


def are_topics(files: Iterable[SourceFile], options: Options) -> bool:
    """Whether all queries are topics under facets of the scheme. A mixture is read as queries,
    since one set of judgments has one level."""
    try:
        topics = [topic_of(row.cells) for file in files for row in JsonLines(file).rows()]
    except BadTextError:
        return False  # told when it is read
    return bool(topics) and all(topic and topic.facet in options.facets for topic in topics)
