"""Writing queries: their text, its sentences, and which aspect each sentence asks for."""

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import User
from annotation.authoring.rules import (
    drop_stray_pairs,
    lock_any_query,
    lock_collection,
    lock_query,
    next_query_id,
    sentences_token,
    topics_of,
)
from annotation.models import Pair
from annotation.reading.fixed import Fixed, fixed_topics
from audit.actions import record
from audit.refusals import Invalid, Refused, Stale
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Collection, Query, Topic
from datasets.pool_hashes import pool_hash
from datasets.positions import next_position
from formats.sentences import joined, split_sentences, with_links

MAX_TEXT_LENGTH = 10_000
MAX_SENTENCES = 100


@one_transaction
def write_query(
    *, collection: Collection, text: str, by: User, query_type: str = "", notes: str = ""
) -> Query:
    """Add a query that is a text; its sentences are guessed. Returns it."""
    lock_collection(collection)
    if not collection.scheme.current.judges_aspects:
        raise Refused(
            "The scheme of this collection judges no aspects, so queries cannot be written here."
        )
    text = text.strip()
    _check_text(text)
    sentences = [_in_one_line(sentence) for sentence in split_sentences(text)]
    _check_sentences(sentences)
    rows = Query.including_inactive.filter(collection=collection)
    query = Query.objects.create(
        collection=collection,
        external_id=next_query_id(collection),
        text=text,
        sentences=[{"text": sentence, "topics": []} for sentence in sentences],
        metadata=_described({}, query_type, notes),
        position=next_position(rows),
    )
    record(
        Verb.WRITE_QUERY,
        query,
        by=by,
        after={
            "query": query.external_id,
            "text": text,
            "sentences": sentences,
            "pool": pool_hash(query),
        },
    )
    return query


@one_transaction
def edit_query(*, query: Query, sentences: Sequence[str], seen: str, by: User) -> Query:
    """Change the text of a query, given as its sentences; it is fixed once an aspect is.

    `seen` is the `sentences_token` of what was in view. A sentence keeps the links of those that it
    comes from. Where only the division changed, the text stays as it was, white space and all.
    """
    query = lock_query(query)
    before = [sentence["text"] for sentence in query.sentences]
    sentences = [sentence for line in sentences if (sentence := _in_one_line(line))]
    if sentences == [_in_one_line(text_before) for text_before in before]:
        return query
    _refuse_other_sentences(query, seen)
    if fixed := fixed_topics(topics_of(query)):
        because = next(iter(fixed.values()))
        raise Fixed(f"{because} So the text of this query is fixed: the ratings are about it.")
    text = joined(sentences)
    _check_text(text)
    _check_sentences(sentences)
    query.sentences = with_links(query.sentences, sentences)
    if text.split() != query.text.split():
        query.text = text
    query.save(update_fields=["sentences", "text", "text_sha256"])
    record(
        Verb.EDIT_QUERY, query, by=by, before={"sentences": before}, after={"sentences": sentences}
    )
    return query


@one_transaction
def describe_query(*, query: Query, query_type: str, notes: str, by: User) -> Query:
    """Set a query's type and notes, at any time: annotators see neither."""
    query = lock_query(query)
    described = _described(query.metadata, query_type, notes)
    if described == query.metadata:
        return query
    before = {key: query.metadata.get(key) for key in ["query_type", "notes"]}
    query.metadata = described
    query.save(update_fields=["metadata"])
    record(
        Verb.DESCRIBE_QUERY,
        query,
        by=by,
        before=before,
        after={key: described.get(key) for key in ["query_type", "notes"]},
    )
    return query


@one_transaction
def link_sentences(*, query: Query, links: Sequence[Sequence[str]], seen: str, by: User) -> Query:
    """Say which aspects each sentence asks for: `links` has the topics' ids for every sentence.

    `seen` is the `sentences_token` of what was in view. Links to aspects that are fixed stay.
    """
    query = lock_query(query)
    _refuse_other_sentences(query, seen)
    topics = topics_of(query).order_by("position", "pk")
    in_order = list(topics.values_list("external_id", flat=True))
    fixed = set(fixed_topics(topics))
    linked = []
    for sentence, requested in zip(query.sentences, links, strict=True):
        fixed_links = fixed & set(sentence["topics"])
        topic_ids = fixed_links | (set(requested) - fixed)
        linked.append(
            {**sentence, "topics": [topic_id for topic_id in in_order if topic_id in topic_ids]}
        )
    if linked == query.sentences:
        return query
    before = [sentence["topics"] for sentence in query.sentences]
    query.sentences = linked
    query.save(update_fields=["sentences", "text_sha256"])
    record(
        Verb.LINK_SENTENCES,
        query,
        by=by,
        before={"topics": before},
        after={"topics": [linked_sentence["topics"] for linked_sentence in linked]},
    )
    return query


@one_transaction
def remove_query(*, query: Query, by: User) -> None:
    """Remove a query with its pool; the documents stay.

    Aspects are removed before it. What is judged as a whole or under facets loses its topics and
    pairs, of which no batch may have any.
    """
    query = lock_any_query(query)
    if query.collection.scheme.current.judges_aspects and query.places.exists():
        raise Refused("The query has aspects. Remove them first; those that are rated stay.")
    query.candidates.all().delete()
    _remove_topics(query)
    record(Verb.REMOVE_QUERY, query, by=by, before={"query": query.external_id, "text": query.text})
    query.delete()


def _remove_topics(query: Query) -> None:
    topics = Topic.objects.filter(pk__in=list(topics_of(query).values_list("pk", flat=True)))
    for because in fixed_topics(topics).values():
        raise Fixed(f"{because} The query stays as it is.")
    query.places.all().delete()
    drop_stray_pairs(Pair.objects.filter(topic__in=topics))
    topics.delete()


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _refuse_other_sentences(query: Query, seen: str) -> None:
    if seen != sentences_token(query):
        raise Stale("The query's sentences were changed meanwhile. Nothing was saved.")


def _check_text(text: str) -> None:
    if not text:
        raise Invalid("Write the query's text.")
    if len(text) > MAX_TEXT_LENGTH:
        raise Invalid(f"The text is longer than {MAX_TEXT_LENGTH:,} characters.")


def _check_sentences(sentences: Sequence[str]) -> None:
    if len(sentences) > MAX_SENTENCES:
        raise Invalid(f"There are more than {MAX_SENTENCES} sentences.")


def _described(metadata: Mapping[str, Any], query_type: str, notes: str) -> dict[str, Any]:
    """The metadata with type and notes; an empty one is left out."""
    others = {key: value for key, value in metadata.items() if key not in {"query_type", "notes"}}
    description = {"query_type": query_type.strip(), "notes": notes.strip()}
    return others | {key: value for key, value in description.items() if value}
