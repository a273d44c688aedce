"""The new parts of a study, and its differences from the stored rows. Nothing here writes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from annotation.models import SideText
from annotation.reading.fixed import held_documents, held_topics, is_held
from datasets.models import Candidate, Collection, Document, Query, Topic, TopicPlace
from formats import records
from formats.problems import Problems
from imports import stored as stored_pairs
from imports.pairs import NOWHERE, Answer
from imports.study.entries import Key, Person, Resolved, Verdict, in_words, is_gap
from imports.study.late import MAX_LATE_ANSWERS, StoredAnswers

LOOKED_UP_AT_ONCE = 500
INTO_ANOTHER = "or import into a new collection."

T = TypeVar("T")


def sentences_of(document: records.Document) -> list[dict[str, str | None]]:
    return [{"text": sentence.text, "label": sentence.label} for sentence in document.sentences]


@dataclass
class Plan:
    """The changes of an import, by external ids."""

    documents: list[str] = field(default_factory=list)
    queries: list[records.Query] = field(default_factory=list)
    topics: list[records.Topic] = field(default_factory=list)
    # Places of stored topics, or in stored queries: (topic, where).
    places: list[tuple[str, records.TopicPlace]] = field(default_factory=list)
    candidates: list[tuple[str, str, list[str]]] = field(default_factory=list)  # query, document
    pairs: stored_pairs.PairPlan = field(default_factory=stored_pairs.PairPlan)
    answered: list[Key] = field(default_factory=list)  # new pairs that come with answers
    # Pairs of topics of which one was stored without ratings, with their answers; and stored pairs
    # that were rated before, with a decision.
    late: list[Key] = field(default_factory=list)
    decided: list[Key] = field(default_factory=list)
    # Rows that differ from the stored ones: in their texts, and in metadata alone.
    retold: list[str] = field(default_factory=list)
    annotated: list[str] = field(default_factory=list)
    reworded: list[records.Query] = field(default_factory=list)
    requeried: list[records.Query] = field(default_factory=list)
    retitled: list[records.Topic] = field(default_factory=list)
    resourced: list[Candidate] = field(default_factory=list)  # other sources, or text at last
    fills: dict[str, str] = field(default_factory=dict)  # empty fields of the collection

    @property
    def is_empty(self) -> bool:
        return not self.pairs.new and not any(
            value for name, value in vars(self).items() if name != "pairs"
        )

    @property
    def changed_count(self) -> int:
        documents = len(self.retold) + len(self.annotated)
        queries = len(self.reworded) + len(self.requeried)
        return documents + queries + len(self.retitled) + len(self.resourced)


class Comparison:
    """Compares a study with what its collection holds; adds to `problems` what is refused."""

    def __init__(
        self,
        study: records.Study,
        resolved: Resolved,
        collection: Collection,
        problems: Problems,
        *,
        by: Any,
    ) -> None:
        self.study, self.resolved, self.collection = study, resolved, collection
        self.problems, self.by = problems, by
        self.plan = Plan()

    def compare(self) -> Plan:
        self._compare_documents()
        self._compare_queries()
        self._compare_topics()
        self._compare_pools()
        documents_of = {topic: list(documents) for topic, documents in self.resolved.pairs.items()}
        self.plan.pairs = stored_pairs.plan_pairs(documents_of, self.collection)
        self._compare_side_texts()
        self._compare_answers()
        self.refuse_changes_of_what_is_fixed()
        return self.plan

    # Documents

    def _compare_documents(self) -> None:
        plan, documents = self.plan, self.study.documents
        with_text = (
            document for document in documents.ids if document not in documents.without_text
        )
        for ids in _chunks(with_text):
            rows = Document.objects.filter(collection=self.collection, external_id__in=ids)
            stored = {row.external_id: row for row in rows}
            for document_id in ids:
                row = stored.get(document_id)
                if row is None:
                    plan.documents.append(document_id)
                    continue
                record = documents[document_id]
                if (row.title, row.sentences) != (record.title, sentences_of(record)):
                    plan.retold.append(document_id)
                elif record.metadata and row.metadata != record.metadata:
                    plan.annotated.append(document_id)

    # Queries and topics

    def _compare_queries(self) -> None:
        rows = Query.objects.filter(collection=self.collection).select_related("document")
        stored = {row.external_id: row for row in rows}
        for query in self.study.queries:
            row = stored.get(query.id)
            if row is None:
                self.plan.queries.append(query)
                continue
            document = row.document.external_id if row.document else ""
            if document != query.document:
                self.problems.at(
                    query.place,
                    f"the query {query.id} is {_kind_of(query.document)} here, but "
                    f"{_kind_of(document)} in the collection.",
                    f"Give one of the two another id, {INTO_ANOTHER}",
                )
            elif _read_text(row) != _read_text(query):
                self.plan.reworded.append(query)
            elif query.metadata and row.metadata != query.metadata:
                self.plan.requeried.append(query)

    def _compare_topics(self) -> None:
        stored = {row.external_id: row for row in Topic.objects.filter(collection=self.collection)}
        places = set(
            TopicPlace.objects.filter(query__collection=self.collection).values_list(
                "topic__external_id", "query__external_id", "parent__topic__external_id"
            )
        )
        for topic in self.study.topics:
            row = stored.get(topic.id)
            if row is None:
                self.plan.topics.append(topic)
                continue
            if row.facet != topic.facet:
                self.problems.at(
                    topic.place,
                    f"the topic {topic.id} is of the facet {topic.facet or 'of an aspect'} here, "
                    f"but of {row.facet or 'an aspect'} in the collection.",
                    f"Give one of the two another id, {INTO_ANOTHER}",
                )
            elif row.text != topic.text:
                self.plan.retitled.append(topic)
            for place in topic.places:
                if (topic.id, place.query, place.parent or None) not in places:
                    self.plan.places.append((topic.id, place))

    # Pools

    def _compare_pools(self) -> None:
        stored = {
            (query, candidate): (pk, has_document, sources)
            for query, candidate, pk, has_document, sources in Candidate.objects.filter(
                query__collection=self.collection
            )
            .values_list("query__external_id", "external_id", "pk", "document", "sources")
            .iterator()
        }
        queries_with_sources = {entry.query for entry in self.study.pool if entry.sources}
        texts = self.study.documents
        for query, pool in self.resolved.pools.items():
            for document, sources in pool.items():
                stored_candidate = stored.get((query, document))
                if stored_candidate is None:
                    self.plan.candidates.append((query, document, sources))
                    continue
                pk, has_document, stored_sources = stored_candidate
                has_text = not has_document and (
                    document in texts and document not in texts.without_text
                )
                # A file that does not say where candidates come from takes no source away.
                new_sources = (
                    sources if query in queries_with_sources and sources else stored_sources
                )
                if has_text or new_sources != stored_sources:
                    row = Candidate(pk=pk, external_id=document, sources=new_sources)
                    self.plan.resourced.append(row)

    def _compare_side_texts(self) -> None:
        """The side text of a stored pair stays: it is part of what was, or may be, judged."""
        if not self.resolved.side_texts:
            return
        rows = SideText.objects.filter(pair__topic__collection=self.collection)
        stored = {
            (topic, document): (title, text)
            for topic, document, title, text in rows.values_list(
                "pair__topic__external_id", "pair__document__external_id", "title", "text"
            )
        }
        new = {(topic, document) for topic, ids in self.plan.pairs.new.items() for document in ids}
        places = {(entry.query, entry.document): entry.place for entry in self.study.pool}
        queries = {topic.id: topic.places[0].query for topic in self.study.topics if topic.places}
        for key, side in self.resolved.side_texts.items():
            if key not in new and stored.get(key) != tuple(side):
                place = places.get((queries.get(key[0], ""), key[1]), self.study.pool[0].place)
                self.problems.at(
                    place,
                    f"the side text of {key[0]} with {key[1]} differs from what is stored.",
                    f"Leave it as it is, {INTO_ANOTHER}",
                )

    # Ratings

    def _compare_answers(self) -> None:
        new = {
            (topic, document)
            for topic, documents in self.plan.pairs.new.items()
            for document in documents
        }
        answers, verdicts = self.resolved.answers, self.resolved.verdicts
        answered = [key for key in answers if key in new]
        stored_keys = [key for key in {**answers, **verdicts} if key not in new]
        if not stored_keys:
            self.plan.answered = answered
            return
        self.stored = StoredAnswers(self.collection, {topic for topic, _ in stored_keys})
        hidden = stored_pairs.pairs_being_rated_by(self.by, self.collection)
        late = [key for key in stored_keys if self._is_late(key, hidden)]
        # A topic's ratings make one batch, which its pairs join at one time.
        topics = {topic for topic, _ in late}
        self.plan.answered = [key for key in answered if key[0] not in topics]
        self.plan.late = [key for key in answered if key[0] in topics] + late
        self._bound_late_answers()

    def _is_late(self, key: Key, hidden: set[Key]) -> bool:
        """Whether a stored pair takes the ratings of these files; else compare or refuse them."""
        in_file = self.resolved.answers.get(key, {})
        verdict = self.resolved.verdicts.get(key)
        place = (
            next(iter(in_file.values())).place if in_file else verdict.place if verdict else NOWHERE
        )
        name = f"{key[0]} with {key[1]}"
        if key in hidden:
            self.problems.at(
                place,
                f"you hold or held a seat with {name}, and not every seat is handed in.",
                "Ratings of this pair cannot be compared for you before that.",
            )
            return False
        if in_file and not self.stored.answers.get(key):
            if reason := self.stored.pairs.why_not_rated(key):
                self.problems.at(
                    place,
                    f"{name} {reason}.",
                    f"Leave these ratings out, {INTO_ANOTHER}",
                    about=key[0],
                )
            return not reason
        self._compare_ratings(key, in_file)
        if verdict:
            self._compare_verdict(key, verdict)
        return False

    def _bound_late_answers(self) -> None:
        late = self.plan.late
        count = sum(len(self.resolved.answers[key]) for key in late)
        if count > MAX_LATE_ANSWERS:
            self.problems.at(
                next(iter(self.resolved.answers[late[0]].values())).place,
                f"{count:,} ratings are of topics whose pairs are in the collection already.",
                f"Bring at most {MAX_LATE_ANSWERS:,} of them at a time: split the file by topics.",
            )

    def _compare_ratings(self, key: Key, in_file: dict[str, Answer]) -> None:
        in_store = self.stored.answers.get(key, {})
        name = f"{key[0]} with {key[1]}"
        for rater, answer in in_file.items():
            if is_gap(answer):
                continue  # an empty field contradicts nothing
            member = self.resolved.raters[rater].member
            stored = in_store.get(member.pk) if member else None
            if stored is None:
                words = "no rating of theirs is stored"
            elif stored[:3] != answer[:3]:
                words = f"{_in_words(stored)} is stored"
            else:
                continue
            self.problems.at(
                answer.place,
                f"{rater} gives {name} {_in_words(answer)}, but {words}.",
                "Stored ratings are never replaced.",
                about=key[0],
            )

    def _compare_verdict(self, key: Key, verdict: Verdict) -> None:
        value = verdict.option.value if verdict.option else None
        stored, is_decided = self.stored.gold.get(key), key in self.stored.decided
        if value == stored and (is_decided or value is not None):
            return
        name = f"the decision on {key[0]} with {key[1]}"
        if is_decided:
            self.problems.at(
                verdict.place,
                f"{name} is {_value_in_words(value)}, but {_value_in_words(stored)} is stored.",
                "Stored decisions are never replaced.",
                about=key[0],
            )
            return
        reason = self.stored.pairs.why_not_decided(key)
        person = self.resolved.adjudicators[verdict.adjudicator]
        if person.member and person.member.pk in self.stored.answers.get(key, {}):
            reason = f"rests on a rating of {person.name}, who would decide on it"
        if reason:
            self.problems.at(
                verdict.place,
                f"{name}: the pair {reason}.",
                "Add the ratings that it decides between, or leave the decision out.",
                about=key[0],
            )
            return
        self.plan.decided.append(key)

    # What is fixed

    def refuse_changes_of_what_is_fixed(self) -> None:
        """Once somebody held a seat of a batch, its documents, queries and links stay."""
        plan = self.plan
        if plan.retold:
            batches = held_documents(self.collection, plan.retold)
            for document_id in plan.retold:
                if batch := batches.get(document_id):
                    self._refuse_fixed(
                        self.study.documents[document_id].place,
                        f"the title, text or labels of {document_id}",
                        batch,
                    )
        if not (plan.reworded or plan.retitled or plan.places):
            return
        batches = held_topics(self.collection)
        for topic in plan.retitled:
            if batch := batches.get(topic.id):
                self._refuse_fixed(topic.place, f"the text of the topic {topic.id}", batch)
        topics_of: dict[str, list[str]] = defaultdict(list)
        rows = TopicPlace.objects.filter(query__collection=self.collection)
        for topic_id, query_id in rows.values_list("topic__external_id", "query__external_id"):
            topics_of[query_id].append(topic_id)
        for query in plan.reworded:
            batch = next(
                (batches[topic] for topic in topics_of[query.id] if topic in batches), None
            )
            if batch:
                self._refuse_fixed(query.place, f"the text of the query {query.id}", batch)

    def _refuse_fixed(self, place: records.Place, subject: str, batch: str) -> None:
        self.problems.at(
            place,
            f"{subject} differs from what is stored. {is_held(batch)}",
            f"Leave it as it is, {INTO_ANOTHER}",
        )


def people_twice(people: Iterable[Person]) -> list[tuple[Person, Person]]:
    """Two names in the files that are one member here."""
    person_of_member: dict[int, Person] = {}
    twice = []
    for person in people:
        if person.member:
            first = person_of_member.setdefault(person.member.pk, person)
            if first is not person:
                twice.append((first, person))
    return twice


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    items = iter(items)
    while chunk := list(islice(items, LOOKED_UP_AT_ONCE)):
        yield chunk


def _read_text(query: Query | records.Query) -> tuple[str, str, str]:
    """The text of a query as people read it."""
    return query.text, query.description, query.narrative


def _kind_of(document: str) -> str:
    return f"the document {document}" if document else "a text"


def _in_words(answer: Answer) -> str:
    words = in_words(answer)
    return f'{words} with the note "{answer.note}"' if answer.note else words


def _value_in_words(value: Any) -> str:
    return "none" if value is None else f"{value.normalize():f}"
