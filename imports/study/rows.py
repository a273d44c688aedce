"""Writing a study's documents, queries, topics and pools; changing what is stored otherwise."""

from collections.abc import Callable
from typing import Any

from audit.hashes import rehash
from datasets.models import Collection, Document, Query, Topic, TopicPlace
from datasets.positions import next_position
from formats import records
from formats.sentences import split_sentences
from imports.documents import (
    change_candidates,
    change_topics,
    keys_of,
    looked_up,
    write_candidates,
)
from imports.in_order import insert_in_order
from imports.life import Writer
from imports.study.plan import Plan

Progress = Callable[[int], None]


def write(plan: Plan, study: records.Study, writer: Writer, progress: Progress) -> dict[str, int]:
    """Insert what is new. Returns {external id: key} of all documents of the collection."""
    documents = _write_documents(plan, study, writer, progress)
    queries = _write_queries(plan, writer, documents, progress)
    topics = _write_topics(plan, writer)
    places = [(topic.id, place) for topic in plan.topics for place in topic.places]
    _write_places([*places, *plan.places], queries, topics, writer)
    write_candidates(plan.candidates, writer, queries, documents, progress)
    return documents


def _write_documents(
    plan: Plan, study: records.Study, writer: Writer, progress: Progress
) -> dict[str, int]:
    collection = writer.imported.collection
    rows = Document.including_inactive.filter(collection=collection)
    first = next_position(rows)
    imported_id, documents = writer.imported.pk, map(study.documents.__getitem__, plan.documents)
    writer.insert_plain(
        Document,
        [
            *("imported_id", "collection_id", "external_id", "position"),
            *("title", "sentences", "metadata"),
        ],
        (
            (
                *(imported_id, collection.pk, document.id, position),
                *(document.title, sentences_of(document), document.metadata),
            )
            for position, document in enumerate(documents, start=first)
        ),
        progress=progress,
    )
    return keys_of(rows)


def _write_queries(
    plan: Plan, writer: Writer, documents: dict[str, int], progress: Progress
) -> dict[str, int]:
    values = (
        {
            "external_id": query.id,
            "document_id": documents[query.document] if query.document else None,
            "description": query.description,
            "narrative": query.narrative,
            "metadata": query.metadata,
            **_text_of(query),
        }
        for query in plan.queries
    )
    return keys_of(insert_in_order(Query, values, writer, progress))


def _text_of(query: records.Query) -> dict[str, Any]:
    sentences = split_sentences(query.text)
    return {
        "text": query.text,
        "sentences": [{"text": sentence, "topics": []} for sentence in sentences],
    }


def _write_topics(plan: Plan, writer: Writer) -> dict[str, int]:
    values = (
        {
            "external_id": topic.id,
            "facet": topic.facet,
            "text": topic.text,
            "metadata": topic.metadata,
        }
        for topic in plan.topics
    )
    return keys_of(insert_in_order(Topic, values, writer))


def _write_places(
    places: list[tuple[str, records.TopicPlace]],
    queries: dict[str, int],
    topics: dict[str, int],
    writer: Writer,
) -> None:
    """Write the places of topics: aspects first, then sub-aspects, which stand under them."""
    if not places:
        return
    order = {pk: position for position, pk in enumerate(topics.values())}

    def place_of(topic: str, place: records.TopicPlace, parent: int | None) -> TopicPlace:
        return TopicPlace(
            topic_id=topics[topic],
            query_id=queries[place.query],
            parent_id=parent,
            position=order[topics[topic]],
        )

    writer.insert(
        TopicPlace, (place_of(topic, place, None) for topic, place in places if not place.parent)
    )
    roots = TopicPlace.objects.filter(
        query_id__in={queries[place.query] for _, place in places if place.parent}, parent=None
    )
    above = {(query, topic): pk for query, topic, pk in roots.values_list("query", "topic", "pk")}
    writer.insert(
        TopicPlace,
        (
            place_of(topic, place, above[queries[place.query], topics[place.parent]])
            for topic, place in places
            if place.parent
        ),
    )


def sentences_of(document: records.Document) -> list[dict[str, str | None]]:
    return [{"text": sentence.text, "label": sentence.label} for sentence in document.sentences]


def apply_changes(plan: Plan, study: records.Study, collection: Collection) -> None:
    """Change stored rows as planned; part of the last transaction."""
    _change_documents([*plan.retold, *plan.annotated], study, collection)
    _change_queries([*plan.reworded, *plan.requeried], collection)
    change_topics({topic.id: topic.text for topic in plan.retitled}, collection)
    change_candidates(plan.resourced, collection)


def _change_documents(ids: list[str], study: records.Study, collection: Collection) -> None:
    rows = list(looked_up(Document.objects.filter(collection=collection), ids))
    for row in rows:
        record = study.documents[row.external_id]
        row.title, row.sentences = record.title, sentences_of(record)
        row.metadata = record.metadata or row.metadata
        rehash(row)
    fields = ["title", "sentences", "text_sha256", "metadata"]
    Document.objects.bulk_update(rows, fields, batch_size=100)


def _change_queries(changed: list[records.Query], collection: Collection) -> None:
    by_id = {query.id: query for query in changed}
    rows = list(Query.objects.filter(collection=collection, external_id__in=by_id))
    for row in rows:
        record = by_id[row.external_id]
        if row.text != record.text:
            text = _text_of(record)
            row.text, row.sentences = text["text"], text["sentences"]
        row.description, row.narrative = record.description, record.narrative
        row.metadata = row.metadata | record.metadata
        rehash(row)
    fields = ["text", "sentences", "text_sha256"]
    fields += ["description", "narrative", "beside_sha256", "metadata"]
    Query.objects.bulk_update(rows, fields, batch_size=100)
