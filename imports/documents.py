"""Importing documents, and changing stored texts, from any kind of file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any, TypeVar

from django.db.models import Max, QuerySet

from audit.hashes import rehash
from datasets.models import Candidate, Collection, Document, Topic
from imports.in_order import insert_in_order
from imports.life import Writer

T = TypeVar("T")
LOOKED_UP_AT_ONCE = 500


def extra_of(entry):
    """The extra data of an entry: its record, with everything that the metadata does not give back,
    since PostgreSQL respells numbers."""
    return {"record": entry.record}


def _fields(text):
    return {
        "title": text.title,
        "sentences": text.sentences,
        "metadata": text.metadata,
        "extra": extra_of(text),
    }


def with_stored(
    entries: Iterable[tuple[str, T]], collection: Collection
) -> Iterator[tuple[T, Document | None]]:
    """Each entry of a file, given as (external id, paper or abstract), with the stored document of
    its id; None where there is none yet. Many are looked up at a time."""
    remaining = iter(entries)
    while chunk := dict(islice(remaining, LOOKED_UP_AT_ONCE)):
        rows = Document.objects.filter(collection=collection, external_id__in=chunk)
        stored = {document.external_id: document for document in rows}
        for external_id, entry in chunk.items():
            yield entry, stored.get(external_id)


def looked_up(rows: QuerySet[Document], external_ids: Iterable[str]) -> Iterator[Document]:
    """Those with these external ids, which may be as many as a study has documents."""
    remaining = iter(external_ids)
    while chunk := list(islice(remaining, LOOKED_UP_AT_ONCE)):
        yield from rows.filter(external_id__in=chunk)


def keep_extra(collection: Collection, key: str, extra: dict[str, Any] | None) -> None:
    """Store what a collection keeps beside its rows for files of one kind, where it changes."""
    if extra is not None:
        collection.extra = {**collection.extra, key: extra}
        collection.save(update_fields=["extra"])


def write_documents(texts, writer, progress):
    """Insert `texts`, a (external id, paper or abstract) each, after the documents that there are.

    Returns {external id: key} of the whole collection.
    """
    values = ({"external_id": external_id, **_fields(text)} for external_id, text in texts)
    return keys_of(insert_in_order(Document, values, writer, progress))


def keys_of(rows: QuerySet[Any]) -> dict[str, int]:
    """{external id: key}"""
    return dict(rows.values_list("external_id", "pk"))


def write_candidates(
    candidates: Iterable[tuple[str, str, list[str]]],
    writer: Writer,
    queries: Mapping[str, int],
    documents: Mapping[str, int],
    progress: Callable[[int], None] | None,
) -> None:
    """Insert candidates, a (query, document, sources) each, after those that their query has;
    `queries` and `documents` are {external id: key}, of documents with a text."""
    stored = Candidate.including_inactive.filter(query__collection=writer.imported.collection)
    following = dict(stored.order_by().values_list("query").annotate(next=Max("position") + 1))
    positions = {query: count(following.get(pk, 0)) for query, pk in queries.items()}
    imported_id = writer.imported.pk
    rows = (
        (
            *(imported_id, queries[query], document),
            *(documents.get(document), sources, next(positions[query])),
        )
        for query, document, sources in candidates
    )
    fields = ["imported_id", "query_id", "external_id", "document_id", "sources", "position"]
    writer.insert_plain(Candidate, fields, rows, progress=progress)


def change_documents(texts, collection):
    """Store other titles, texts and metadata; `texts` is {external id: paper or abstract}."""
    documents = list(looked_up(Document.objects.filter(collection=collection), texts))
    for document in documents:
        changed = _fields(texts[document.external_id])
        for name, value in changed.items():
            setattr(document, name, value)
        rehash(document)
    fields = ["title", "sentences", "text_sha256", "metadata", "extra"]
    Document.objects.bulk_update(documents, fields, batch_size=100)


def change_topics(texts: Mapping[str, str], collection: Collection) -> None:
    """Store other texts of aspects, given by their external ids."""
    topics = list(Topic.objects.filter(collection=collection, external_id__in=texts))
    for topic in topics:
        topic.text = texts[topic.external_id]
        rehash(topic)
    Topic.objects.bulk_update(topics, ["text", "text_sha256"], batch_size=100)


def change_candidates(candidates: Sequence[Candidate], collection: Collection) -> None:
    """Store the sources of candidates, and the texts that there are of them now."""
    ids = {candidate.external_id for candidate in candidates}
    stored = Document.including_inactive.filter(collection=collection).only("id", "external_id")
    texts = {document.external_id: document for document in looked_up(stored, ids)}
    for candidate in candidates:
        candidate.document = texts.get(candidate.external_id)
    Candidate.objects.bulk_update(candidates, ["document", "sources"], batch_size=100)
