"""Writing a study's documents, queries, topics and pools; changing what is stored otherwise."""

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from audit.hashes import rehash
from datasets.models import Collection, Document, Membership, Query, Topic, TopicPlace
from datasets.positions import next_position
from formats import records
from formats.sentences import split_sentences
from imports.documents import change_candidates, keys_of, looked_up, write_candidates
from imports.life import Writer
from imports.run import Writing
from imports.study.plan import Plan
from imports.study.trees import change_trees, write_trees


def write(plan: Plan, study: records.Study, writer: Writer, progress: Writing) -> dict[str, int]:
    """Insert what is new. Returns {external id: key} of all documents of the collection."""
    documents = _write_documents(plan, study, writer, progress)
    queries = _write_queries(plan, writer, documents, progress)
    topics = _write_topics(plan, writer, progress)
    places = [(topic.id, place) for topic in plan.topics for place in topic.places]
    _write_places([*places, *plan.places], queries, topics, writer)
    with_tree = [query for query in plan.queries if query.tree is not None]
    if with_tree:
        write_trees(with_tree, queries, topics, partial(writer.create, TopicPlace))
    write_candidates(plan.candidates, writer, queries, documents, progress)
    return documents


def _write_documents(
    plan: Plan, study: records.Study, writer: Writer, progress: Writing
) -> dict[str, int]:
    collection = writer.imported.collection
    rows = Document.including_inactive.filter(collection=collection)
    first = next_position(rows)
    imported_id, documents = writer.imported.pk, map(study.documents.__getitem__, plan.documents)
    writer.insert_plain(
        Document,
        [
            *("imported_id", "collection_id", "external_id", "position"),
            *("title", "sentences", "metadata", "extra"),
        ],
        (
            (
                *(imported_id, collection.pk, document.id, position),
                *(document.title, sentences_of(document), document.metadata, document.extra),
            )
            for position, document in enumerate(documents, start=first)
        ),
        progress=progress,
    )
    return keys_of(rows)


def _write_queries(
    plan: Plan, writer: Writer, documents: dict[str, int], progress: Writing
) -> dict[str, int]:
    values = (
        {
            "external_id": query.id,
            "document_id": documents[query.document] if query.document else None,
            "description": query.description,
            "narrative": query.narrative,
            "metadata": query.metadata,
            "extra": query.extra,
            **_text_of(query),
        }
        for query in plan.queries
    )
    return _insert_in_order(Query, values, writer, progress)


def _text_of(query: records.Query) -> dict[str, Any]:
    sentences = query.sentences
    if sentences is None:
        sentences = [{"text": text, "topics": []} for text in split_sentences(query.text)]
    return {"text": query.text, "sentences": sentences}


def _write_topics(plan: Plan, writer: Writer, progress: Writing) -> dict[str, int]:
    values = (
        {
            "external_id": topic.id,
            "facet": topic.facet,
            "text": topic.text,
            "metadata": topic.metadata,
        }
        for topic in plan.topics
    )
    return _insert_in_order(Topic, values, writer, progress)


def _insert_in_order(
    model: type[Query] | type[Topic],
    values: Iterable[Mapping[str, Any]],
    writer: Writer,
    progress: Writing,
) -> dict[str, int]:
    """Insert rows with these fields after those of the collection; {external id: key} of all."""
    imported = writer.imported
    rows = model.including_inactive.filter(collection=imported.collection)
    writer.insert(
        model,
        (
            model(imported=imported, collection=imported.collection, position=position, **fields)
            for position, fields in enumerate(values, start=next_position(rows))
        ),
        progress=progress,
    )
    return keys_of(rows)


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
    if changed := [*plan.rearranged, *plan.extended]:
        change_trees(changed, collection)
    _change_topics([*plan.retitled, *plan.annotated_topics], collection)
    change_candidates(plan.resourced, collection)
    for external_id, number in plan.numbers.items():
        people = Membership.objects.filter(collection=collection, external_id=external_id)
        people.update(readable_id=number)
    if plan.extra is not None:
        collection.extra = {**collection.extra, study.format: plan.extra}
        collection.save(update_fields=["extra"])


def _change_documents(ids: list[str], study: records.Study, collection: Collection) -> None:
    rows = list(looked_up(Document.objects.filter(collection=collection), ids))
    for row in rows:
        record = study.documents[row.external_id]
        row.title, row.sentences = record.title, sentences_of(record)
        row.metadata = metadata_of_document(row, record)
        row.extra = record.extra or row.extra
        rehash(row)
    fields = ["title", "sentences", "text_sha256", "metadata", "extra"]
    Document.objects.bulk_update(rows, fields, batch_size=100)


def _change_queries(changed: list[records.Query], collection: Collection) -> None:
    by_id = {query.id: query for query in changed}
    rows = list(Query.objects.filter(collection=collection, external_id__in=by_id))
    for row in rows:
        record = by_id[row.external_id]
        if record.sentences is not None or row.text != record.text:
            text = _text_of(record)
            row.text, row.sentences = text["text"], text["sentences"]
        if record.sentences is None:
            row.description, row.narrative = record.description, record.narrative
        row.metadata = metadata_of_query(row, record)
        row.extra = record.extra or row.extra
        rehash(row)
    fields = ["text", "sentences", "text_sha256"]
    fields += ["description", "narrative", "beside_sha256", "metadata", "extra"]
    Query.objects.bulk_update(rows, fields, batch_size=100)


def _change_topics(topics: list[records.Topic], collection: Collection) -> None:
    by_id = {topic.id: topic for topic in topics}
    rows = list(Topic.objects.filter(collection=collection, external_id__in=by_id))
    for row in rows:
        record = by_id[row.external_id]
        row.text = record.text
        row.metadata = record.metadata if record.facet else row.metadata
        rehash(row)
    Topic.objects.bulk_update(rows, ["text", "text_sha256", "metadata"], batch_size=100)


# What a stored row becomes


def is_reworded(row: Query, query: records.Query) -> bool:
    """Whether people read another text; where the file links its sentences, also other links."""
    if query.sentences is None:
        texts = query.text, query.description, query.narrative
        return (row.text, row.description, row.narrative) != texts
    return (row.text, _linked(row.sentences)) != (query.text, _linked(query.sentences))


def _linked(sentences: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Sentences in order, each with its aspects in whatever order they are named."""
    return [(sentence["text"], sorted(sentence["topics"])) for sentence in sentences]


def metadata_of_document(row: Document, record: records.Document) -> dict[str, Any]:
    return record.metadata if record.extra else record.metadata or row.metadata


def metadata_of_query(row: Query, record: records.Query) -> dict[str, Any]:
    """Files of one study may each say something of a query; a published one says all of it."""
    return record.metadata if record.extra else row.metadata | record.metadata


def is_annotated(
    row: Document | Query, record: records.Document | records.Query, metadata: dict[str, Any]
) -> bool:
    """Whether the row gets other metadata, or other extra data for export."""
    is_other = row.metadata != metadata and _floats(row.metadata) != _floats(metadata)
    return is_other or bool(record.extra and row.extra != record.extra)


def _floats(metadata: dict[str, Any]) -> Any:
    """All numbers alike: PostgreSQL gives 1e30 back as an integer."""
    return json.loads(json.dumps(metadata), parse_int=float)
