"""Looking up documents, and writing candidates, however many there are."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from django.db.models import QuerySet

from datasets.models import Candidate, Collection, Document
from datasets.positions import next_positions
from formats.grouping import in_chunks
from imports.life import Writer

LOOKED_UP_AT_ONCE = 500


def with_stored(
    external_ids: Iterable[str], collection: Collection
) -> Iterator[tuple[str, Document | None]]:
    """Each of these ids with the stored document; None where there is none yet. Many are looked up
    at a time."""
    for chunk in in_chunks(external_ids, LOOKED_UP_AT_ONCE):
        rows = Document.objects.filter(collection=collection, external_id__in=chunk)
        stored = {document.external_id: document for document in rows}
        for external_id in chunk:
            yield external_id, stored.get(external_id)


def looked_up(rows: QuerySet[Document], external_ids: Iterable[str]) -> Iterator[Document]:
    """Those with these external ids, which may be as many as a study has documents."""
    for chunk in in_chunks(external_ids, LOOKED_UP_AT_ONCE):
        yield from rows.filter(external_id__in=chunk)


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
    following = next_positions(stored, by="query")
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


def change_candidates(candidates: Sequence[Candidate], collection: Collection) -> None:
    """Store the sources of candidates, and the texts that there are of them now."""
    ids = {candidate.external_id for candidate in candidates}
    stored = Document.including_inactive.filter(collection=collection).only("id", "external_id")
    texts = {document.external_id: document for document in looked_up(stored, ids)}
    for candidate in candidates:
        candidate.document = texts.get(candidate.external_id)
    Candidate.objects.bulk_update(candidates, ["document", "sources"], batch_size=100)
