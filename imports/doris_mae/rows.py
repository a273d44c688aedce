"""The rows that a DORIS-MAE file adds: documents, queries, pools, aspects and trees."""

from dataclasses import dataclass, field
from functools import partial

from audit.hashes import rehash
from datasets.models import Candidate, Document, Query, Topic, TopicPlace
from formats.doris_mae.records import AspectQuery
from formats.papers import Paper
from formats.sentences import is_same_text
from imports.documents import (
    change_documents,
    change_topics,
    extra_of,
    keep_extra,
    keys_of,
    looked_up,
    with_stored,
    write_candidates,
    write_documents,
)
from imports.doris_mae.trees import change_trees, places_of, stored_trees, write_places
from imports.in_order import insert_in_order

EXTRA_KEY = "doris-mae"


@dataclass
class DatasetPlan:
    """New rows, and differences from the stored ones. Made without writing anything."""

    abstracts: list[str] = field(default_factory=list)
    queries: list[AspectQuery] = field(default_factory=list)
    candidates: list[tuple[str, str]] = field(default_factory=list)  # (query, abstract)
    aspects: list[str] = field(default_factory=list)
    retold: list[Paper] = field(default_factory=list)  # stored with another title or text
    annotated: list[Paper] = field(default_factory=list)  # stored with other metadata alone
    with_text: list[tuple[str, str]] = field(default_factory=list)  # candidates; a text at last
    reworded_aspects: list[str] = field(default_factory=list)
    reworded: list[AspectQuery] = field(default_factory=list)  # another text or other sentences
    rearranged: list[AspectQuery] = field(default_factory=list)  # stored places, another order
    extended: list[AspectQuery] = field(default_factory=list)  # more places, and those stored
    requeried: list[AspectQuery] = field(default_factory=list)  # other metadata alone
    # {query: aspects that the stored query has and the file's query does not}
    lacking: dict[str, list[str]] = field(default_factory=dict)
    extra: dict | None = None  # what the collection keeps beside, where it changes

    @property
    def is_empty(self):
        return not any(vars(self).values())

    @property
    def changed_count(self):
        """The number of changed entries; a query counts once, however much of it changes."""
        of_queries = [self.reworded, self.rearranged, self.extended, self.requeried]
        queries = {query.query_id for changed in of_queries for query in changed}
        others = [self.retold, self.annotated, self.with_text, self.reworded_aspects]
        return len(queries) + sum(map(len, others))


def plan(dataset, collection, *, run):
    """Compare a dataset with what the collection holds; `run` is (model, name) of its answers."""
    changes = DatasetPlan()
    _compare_abstracts(dataset, collection, changes)
    _compare_aspects(dataset, collection, changes)
    _compare_queries(dataset, collection, changes)
    _compare_pools(dataset, collection, changes)
    before = collection.extra.get(EXTRA_KEY, {})
    extra = _extra(dataset, before, run, collection)
    if extra != before:
        changes.extra = extra
    return changes


def _compare_abstracts(dataset, collection, changes):
    abstracts = ((abstract.paper_id, abstract) for abstract in dataset.papers())
    for abstract, document in with_stored(abstracts, collection):
        if document is None:
            changes.abstracts.append(abstract.paper_id)
        elif document.title != abstract.title or not is_same_text(
            _texts_of(document), _texts_of(abstract)
        ):
            changes.retold.append(abstract)
        elif _differs(document, abstract):
            changes.annotated.append(abstract)


def _texts_of(paper):
    return (sentence["text"] for sentence in paper.sentences)


def _compare_aspects(dataset, collection, changes):
    stored = dict(Topic.objects.filter(collection=collection).values_list("external_id", "text"))
    unused = dataset.unused_aspects
    for aspect, text in dataset.aspects.items():
        if aspect in stored:
            if stored[aspect] != text:
                changes.reworded_aspects.append(aspect)
        elif aspect not in unused:
            changes.aspects.append(aspect)


def _compare_queries(dataset, collection, changes):
    stored = {query.external_id: query for query in Query.objects.filter(collection=collection)}
    trees = stored_trees(collection)
    for query in dataset.queries:
        stored_query = stored.get(query.query_id)
        if stored_query is None:
            changes.queries.append(query)
            continue
        if stored_query.text != query.text or _linked(stored_query.sentences) != _linked(
            query.sentences
        ):
            changes.reworded.append(query)
        elif _differs(stored_query, query):
            changes.requeried.append(query)
        _compare_tree(trees.get(query.query_id, {}), query, changes)


def _linked(sentences):
    """Sentences in order, each with its aspects in whatever order they are named."""
    return [(sentence["text"], sorted(sentence["topics"])) for sentence in sentences]


def _compare_tree(stored, query, changes):
    stored_ids = {aspect for root, below in stored.items() for aspect in [root, *below]}
    if lacking := sorted(stored_ids - set(query.aspects)):
        changes.lacking[query.query_id] = lacking
        return
    stored_places, file_places = places_of(stored), places_of(query.tree)
    if stored_places == file_places:
        return
    common_places = [place for place in file_places if place in set(stored_places)]
    (changes.extended if common_places == stored_places else changes.rearranged).append(query)


def _compare_pools(dataset, collection, changes):
    stored = {
        (query, candidate): has_document
        for query, candidate, has_document in Candidate.objects.filter(
            query__collection=collection
        ).values_list("query__external_id", "external_id", "document")
    }
    for query in dataset.queries:
        for abstract_id in query.pool:
            key = query.query_id, abstract_id
            if key not in stored:
                changes.candidates.append(key)
            elif stored[key] is None and abstract_id in dataset.offsets:
                changes.with_text.append(key)


def _differs(row, entry):
    # The record has what the metadata does not give back; PostgreSQL respells its numbers.
    return (row.metadata, row.extra) != (entry.metadata, extra_of(entry))


def _extra(dataset, before, run, collection):
    """Data that no row holds and an export needs: the keys of the file, entries without a row,
    unknown keys of rated pairs, and the name of the file's own run.

    Lists and JSON text, since PostgreSQL does not keep the order of an object's keys.
    """
    without_text = dict(before.get("without_text", [])) | dataset.without_text
    stored = Document.objects.filter(collection=collection).only("id", "external_id")
    stored_ids = (document.external_id for document in looked_up(stored, without_text))
    with_text = dataset.offsets.keys() | stored_ids
    unused = dict(before.get("unused_aspects", [])) | dataset.unused_aspects
    topics = Topic.objects.filter(collection=collection, external_id__in=unused)
    used = {aspect for query in dataset.queries for aspect in query.aspects}
    used.update(topics.values_list("external_id", flat=True))
    records = {(aspect, abstract): record for aspect, abstract, record in before.get("rated", [])}
    records |= {rated.key: rated.record for rated in dataset.rated if rated.record}
    return {
        "keys": dataset.keys,
        "without_text": [list(item) for item in without_text.items() if item[0] not in with_text],
        "unused_aspects": [list(item) for item in unused.items() if item[0] not in used],
        "rated": [[*key, record] for key, record in records.items()],
        "run": list(run) if dataset.answers_count else before.get("run"),
    }


def noted_run(collection):
    """(model, name) of the run that earlier files' answers went to, or None."""
    run = collection.extra.get(EXTRA_KEY, {}).get("run")
    return tuple(run) if run else None


# Writing


def write(changes, dataset, writer, progress=None):
    """Insert what is new. Returns {external id: key} of all documents of the collection."""
    abstracts = ((abstract_id, dataset.paper(abstract_id)) for abstract_id in changes.abstracts)
    documents = write_documents(abstracts, writer, progress)
    queries = _write_queries(changes, writer)
    topics = _write_aspects(changes, dataset, writer)
    write_places(changes.queries, queries, topics, partial(writer.create, TopicPlace))
    with_text = {key: documents[key] for key in dataset.offsets if key in documents}
    candidates = ((query, abstract, []) for query, abstract in changes.candidates)
    write_candidates(candidates, writer, queries, with_text, progress)
    return documents


def _write_queries(changes, writer):
    values = (
        {
            "external_id": query.query_id,
            "text": query.text,
            "sentences": query.sentences,
            "metadata": query.metadata,
            "extra": extra_of(query),
        }
        for query in changes.queries
    )
    return keys_of(insert_in_order(Query, values, writer))


def _write_aspects(changes, dataset, writer):
    values = (
        {"external_id": aspect, "text": dataset.aspects[aspect]} for aspect in changes.aspects
    )
    return keys_of(insert_in_order(Topic, values, writer))


def apply_changes(changes, dataset, collection):
    """Change stored rows as planned; part of the last transaction."""
    changed = {abstract.paper_id: abstract for abstract in [*changes.retold, *changes.annotated]}
    change_documents(changed, collection)
    _change_queries([*changes.reworded, *changes.requeried], collection)
    change_trees([*changes.rearranged, *changes.extended], collection)
    change_topics(
        {aspect: dataset.aspects[aspect] for aspect in changes.reworded_aspects}, collection
    )
    for query_id, abstract_id in changes.with_text:
        document = Document.including_inactive.get(collection=collection, external_id=abstract_id)
        Candidate.objects.filter(
            query__collection=collection, query__external_id=query_id, external_id=abstract_id
        ).update(document=document)
    keep_extra(collection, EXTRA_KEY, changes.extra)


def _change_queries(entries, collection):
    changed = {query.query_id: query for query in entries}
    queries = list(Query.objects.filter(collection=collection, external_id__in=changed))
    for query in queries:
        entry = changed[query.external_id]
        query.text, query.sentences = entry.text, entry.sentences
        query.metadata, query.extra = entry.metadata, extra_of(entry)
        rehash(query)
    fields = ["text", "sentences", "text_sha256", "metadata", "extra"]
    Query.objects.bulk_update(queries, fields, batch_size=100)
