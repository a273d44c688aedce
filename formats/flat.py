"""Studies in one flat list: each row or task has the query, the document and their texts.

So do tables made for annotation tools, and the tools' exports.
"""

from dataclasses import dataclass

from formats.assemble import Assembly
from formats.records import Document, Place, PoolEntry, Query, Sentence
from formats.sentences import split_sentences


@dataclass(frozen=True)
class FlatPair:
    """A query with a document. A query with a title and a text is a query document."""

    query: str
    document: str
    place: Place
    facet: str = ""
    query_title: str = ""
    query_text: str = ""
    title: str = ""
    text: str = ""
    description: str = ""
    narrative: str = ""
    side_title: str = ""
    side_text: str = ""


def add_pair(assembly: Assembly, pair: FlatPair) -> str | None:
    """Add what the row brings that is new; gives its topic, or None for a row with a problem."""
    is_good = assembly.is_identifier(pair.query, pair.place, "query")
    if not assembly.is_identifier(pair.document, pair.place, "document") or not is_good:
        return None
    if assembly.is_new("query", pair.query, pair.query_title, pair.query_text):
        _add_query(assembly, pair)
    topic = assembly.topic(pair.query, pair.facet, pair.place)
    if topic is None:
        return None
    if assembly.is_new("document", pair.document, pair.title, pair.text):
        assembly.add_document(_document(pair.document, pair.title, pair.text, pair.place))
    assembly.add_pool(
        PoolEntry(
            pair.query, topic, pair.document, (), None, pair.side_title, pair.side_text, pair.place
        )
    )
    return topic


def _add_query(assembly: Assembly, pair: FlatPair) -> None:
    is_document = bool(pair.query_title and pair.query_text)
    if is_document:
        assembly.add_query_document(
            _document(pair.query, pair.query_title, pair.query_text, pair.place)
        )
    assembly.add_query(
        Query(
            pair.query,
            "" if is_document else pair.query_title or pair.query_text,
            pair.query if is_document else "",
            pair.description,
            pair.narrative,
            {},
            pair.place,
        ),
        may_repeat=True,
    )


def _document(document: str, title: str, text: str, place: Place) -> Document:
    return Document(document, title, sentences_of(text), text, {}, place)


def sentences_of(text: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(sentence) for sentence in split_sentences(text))
