"""The rows that a CSFCube release adds: documents, queries, pools and topics."""

import json
from dataclasses import dataclass, field

from datasets.models import Candidate, Query, Topic, TopicPlace
from formats.csfcube.records import QueryRow
from formats.papers import Paper
from imports.documents import (
    change_candidates,
    change_documents,
    extra_of,
    keep_extra,
    keys_of,
    with_stored,
    write_candidates,
    write_documents,
)
from imports.in_order import insert_in_order

EXTRA_KEY = "csfcube"


@dataclass
class DatasetPlan:
    """New rows, and differences from the stored ones. Made without writing anything."""

    papers: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    candidates: list[tuple[str, str, list[str]]] = field(default_factory=list)  # query, candidate
    topics: list[QueryRow] = field(default_factory=list)
    retold: list[Paper] = field(default_factory=list)  # stored with another text or label
    annotated: list[Paper] = field(default_factory=list)  # stored with other metadata alone
    resourced: list[Candidate] = field(default_factory=list)  # other sources, or text at last
    reworded: list[Topic] = field(default_factory=list)  # other columns in queries-release.csv
    extra: dict | None = None  # the extra data that the collection keeps, where it changes

    @property
    def is_empty(self):
        return not any(vars(self).values())


def plan(release, collection):
    """Compare a release with what the collection holds."""
    changes = DatasetPlan()
    _compare_papers(release, collection, changes)
    _compare_pools(release, collection, changes)
    _compare_topics(release, collection, changes)
    extra = _extra(release, collection.extra.get(EXTRA_KEY, {}))
    if extra != collection.extra.get(EXTRA_KEY):
        changes.extra = extra
    return changes


def _compare_papers(release, collection, changes):
    papers = ((paper.paper_id, paper) for paper in release.papers())
    for paper, document in with_stored(papers, collection):
        if document is None:
            changes.papers.append(paper.paper_id)
            continue
        if (document.title, document.sentences) != (paper.title, paper.sentences):
            changes.retold.append(paper)
        elif document.extra != extra_of(paper):
            # The record has the metadata as text; parsed, PostgreSQL respells its numbers.
            changes.annotated.append(paper)


def _compare_pools(release, collection, changes):
    stored = {}
    for candidate in Candidate.objects.filter(query__collection=collection).select_related("query"):
        stored[candidate.query.external_id, candidate.external_id] = candidate
    stored_ids = set(
        Query.objects.filter(collection=collection).values_list("external_id", flat=True)
    )
    for paper_id, pool in release.pools.items():
        if paper_id not in stored_ids:
            changes.queries.append(paper_id)
        for candidate_id, sources in zip(pool.candidates, pool.sources, strict=True):
            candidate = stored.get((paper_id, candidate_id))
            if candidate is None:
                changes.candidates.append((paper_id, candidate_id, sources))
                continue
            has_text = candidate.document_id is None and candidate_id in release.offsets
            if has_text or candidate.sources != sources:
                candidate.sources = sources
                changes.resourced.append(candidate)


def _compare_topics(release, collection, changes):
    stored = {topic.external_id: topic for topic in Topic.objects.filter(collection=collection)}
    for row in release.rows:
        topic = stored.get(row.topic_id)
        if topic is None:
            changes.topics.append(row)
        elif topic.metadata != row.fields:
            topic.metadata = row.fields
            changes.reworded.append(topic)


def _extra(release, before):
    """Data that no row holds and an export needs to give back the same bytes. They are lists and
    JSON text, since PostgreSQL does not keep the order of an object's keys.
    """
    annotations = {facet: list(ids) for facet, ids in before.get("annotations", {}).items()}
    for facet, judged in release.annotations.items():
        papers = annotations.setdefault(facet, [])
        papers += [paper_id for paper_id in judged if paper_id not in set(papers)]
    extra = {
        "columns": release.columns,
        "line_end": release.line_end,
        "annotations": annotations,
    }
    splits = before.get("splits") if release.splits is None else json.dumps(release.splits)
    if splits is not None:
        extra["splits"] = splits
    return extra


def write(changes, release, writer, progress=None):
    """Insert what is new. Returns {external id: key} of all documents of the collection."""
    papers = ((paper_id, release.paper(paper_id)) for paper_id in changes.papers)
    documents = write_documents(papers, writer, progress)
    queries = _write_queries(changes, writer, documents)
    write_candidates(changes.candidates, writer, queries, documents, progress)
    _write_topics(changes, writer, queries)
    return documents


def _write_queries(changes, writer, documents):
    values = (
        {"external_id": paper_id, "document_id": documents[paper_id]}
        for paper_id in changes.queries
    )
    return keys_of(insert_in_order(Query, values, writer))


def _write_topics(changes, writer, queries):
    values = (
        {"external_id": row.topic_id, "facet": row.facet, "metadata": row.fields}
        for row in changes.topics
    )
    topics = {topic.external_id: topic for topic in insert_in_order(Topic, values, writer)}
    writer.insert(
        TopicPlace,
        (
            TopicPlace(
                topic=topics[row.topic_id],
                query_id=queries[row.paper_id],
                position=topics[row.topic_id].position,
            )
            for row in changes.topics
        ),
    )


def apply_changes(changes, collection):
    """Change stored rows as planned; part of the last transaction."""
    changed = {paper.paper_id: paper for paper in [*changes.retold, *changes.annotated]}
    change_documents(changed, collection)
    change_candidates(changes.resourced, collection)
    Topic.objects.bulk_update(changes.reworded, ["metadata"], batch_size=100)
    keep_extra(collection, EXTRA_KEY, changes.extra)
