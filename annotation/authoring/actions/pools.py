"""The pool of a query that is being written: its candidates, and the pairs they bring."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from accounts.models import User
from annotation.authoring.rules import add_missing_pairs, drop_stray_pairs, lock_query, topics_of
from annotation.models import Pair
from annotation.reading.fixed import Fixed, shown_as_before
from audit.actions import record
from audit.refusals import Invalid
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Candidate, Collection, Document, Query
from datasets.pool_hashes import pool_hash
from datasets.positions import next_position
from formats.corpus import CorpusDocument
from formats.grouping import in_chunks
from formats.problems import Problems
from formats.sentences import joined, split_sentences
from formats.words import listed

MAX_SOURCE_LENGTH = 120
SHOWN_IDS = 10


@dataclass(frozen=True)
class Added:
    """The new documents, candidates and pairs, and the candidates already there, as counts."""

    documents: int
    candidates: int
    known: int
    pairs: int


@one_transaction
def add_candidates(
    *, query: Query, external_ids: Sequence[str], by: User, source: str = ""
) -> Added:
    """Add documents that the collection has to a query's pool, all of them or none.

    `source` is what put them there; candidates that are in the pool already get it as one more
    source. Returns `Added`; the new pairs wait for a batch.
    """
    query = lock_query(query)
    requested_ids = list(dict.fromkeys(external_ids))
    documents = _documents(query.collection, requested_ids)
    if unknown := [external_id for external_id in requested_ids if external_id not in documents]:
        raise Invalid(
            f"No document of the collection has the id {listed(unknown, SHOWN_IDS)}. Nothing was "
            "added. Upload the documents that are missing, or take their ids out."
        )
    return _add(query, documents, by=by, source=source)


@one_transaction
def add_corpus(
    *, query: Query, corpus: Sequence[CorpusDocument], by: User, file: str, source: str = ""
) -> Added:
    """Add uploaded documents (`CorpusDocument`s) to the collection and to a query's pool.

    One that the collection has is used as it is. Raises BadInputError, naming lines of `file`,
    where it has another title or text; then nothing is added. Returns `Added`.
    """
    query = lock_query(query)
    collection = query.collection
    stored = _documents(collection, [uploaded.external_id for uploaded in corpus])
    _check_same(corpus, stored, file)
    position = next_position(Document.including_inactive.filter(collection=collection))
    new = [uploaded for uploaded in corpus if uploaded.external_id not in stored]
    Document.objects.bulk_create(
        (
            Document(
                collection=collection,
                external_id=paper.external_id,
                title=paper.title,
                sentences=[{"text": text, "label": None} for text in split_sentences(paper.text)],
                metadata=paper.metadata,
                extra=paper.extra,
                position=position + index,
            )
            for index, paper in enumerate(new)
        ),
        batch_size=500,
    )
    documents = _documents(collection, [uploaded.external_id for uploaded in corpus])
    return _add(query, documents, by=by, source=source, new_documents=len(new))


@one_transaction
def remove_candidates(*, query: Query, external_ids: Sequence[str], by: User) -> int:
    """Take candidates out of a query's pool, with their waiting pairs; returns how many.

    Refused where a pair of one is handed out for this query. The documents stay.
    """
    query = lock_query(query)
    candidates = query.candidates.filter(external_id__in=external_ids)
    removed = list(candidates.values_list("external_id", flat=True))
    documents = list(candidates.values_list("document", flat=True))
    with shown_as_before(topics_of(query).values_list("pk", flat=True)):
        Candidate.objects.filter(pk__in=candidates.values_list("pk", flat=True)).delete()
    pairs = Pair.objects.filter(topic__in=topics_of(query), document__in=documents)
    try:
        dropped = drop_stray_pairs(pairs)
    except Fixed as fixed:
        raise Fixed(f"{fixed} Nothing was removed.") from None
    if removed:
        record(
            Verb.REMOVE_FROM_POOL,
            query,
            by=by,
            before={"candidates": removed, "pairs": dropped},
            after={"pool": pool_hash(query)},
        )
    return len(removed)


def _documents(collection: Collection, external_ids: Sequence[str]) -> dict[str, Document]:
    """{external id: document without its text}, in the order of `external_ids`."""
    documents: dict[str, Document] = {}
    for chunk in in_chunks(external_ids, 500):
        rows = Document.objects.filter(collection=collection, external_id__in=chunk)
        documents |= {row.external_id: row for row in rows}
    return {
        external_id: documents[external_id]
        for external_id in external_ids
        if external_id in documents
    }


def _check_same(
    corpus: Sequence[CorpusDocument], stored: Mapping[str, Document], file: str
) -> None:
    problems = Problems()
    for uploaded in corpus:
        document = stored.get(uploaded.external_id)
        if document is None:
            continue
        text = joined(sentence["text"] for sentence in document.sentences)
        for key, stored_text, sent_text in [
            ("title", document.title, uploaded.title),
            ("text", text, joined(split_sentences(uploaded.text))),
        ]:
            if stored_text.split() != sent_text.split():
                problems.add(
                    file,
                    f"line {uploaded.line}",
                    f"the {key} of document {uploaded.external_id} differs from the collection's.",
                    "Give it another id, or take the line out and add the document by its id.",
                )
    problems.raise_any()


def _add(
    query: Query,
    documents: Mapping[str, Document],
    *,
    by: User,
    source: str,
    new_documents: int = 0,
) -> Added:
    source = " ".join(source.split())
    if len(source) > MAX_SOURCE_LENGTH:
        raise Invalid(f"The source is longer than {MAX_SOURCE_LENGTH} characters.")
    in_pool = {entry.external_id: entry for entry in query.candidates.all()}
    new = [document for external_id, document in documents.items() if external_id not in in_pool]
    first = next_position(query.candidates)
    with shown_as_before(topics_of(query).values_list("pk", flat=True)):
        for candidate in in_pool.values():
            if candidate.external_id in documents:
                _complete(candidate, documents[candidate.external_id], source)
        Candidate.objects.bulk_create(
            (
                Candidate(
                    query=query,
                    external_id=document.external_id,
                    document=document,
                    sources=[source] if source else [],
                    position=first + index,
                )
                for index, document in enumerate(new)
            ),
            batch_size=500,
        )
    added = Added(
        documents=new_documents,
        candidates=len(new),
        known=len(documents) - len(new),
        pairs=add_missing_pairs(query),
    )
    record(
        Verb.ADD_TO_POOL,
        query,
        by=by,
        after={
            "candidates": list(documents),
            "source": source,
            "documents": new_documents,
            "pairs": added.pairs,
            "pool": pool_hash(query),
        },
    )
    return added


def _complete(candidate: Candidate, document: Document, source: str) -> None:
    """Give a candidate the text that its pool lacked, and one more source."""
    if candidate.document_id is None or (source and source not in candidate.sources):
        candidate.document = document
        if source and source not in candidate.sources:
            candidate.sources = [*candidate.sources, source]
        candidate.save(update_fields=["document", "sources"])
