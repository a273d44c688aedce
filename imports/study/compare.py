"""The new parts of a study, and its differences from the stored rows. Nothing here writes."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from annotation.models import SideText
from annotation.reading.fixed import held_documents, held_topics, is_held
from datasets.models import (
    Candidate,
    Collection,
    Document,
    Membership,
    Query,
    Topic,
    TopicPlace,
)
from formats import records
from formats.grouping import grouped
from formats.problems import Problems
from formats.sentences import is_same_text
from formats.strict import as_seen, shown
from imports import stored as stored_pairs
from imports.documents import with_stored
from imports.study.compare_answers import INTO_ANOTHER, AnswerComparison
from imports.study.entries import Person, Resolved
from imports.study.plan import Plan
from imports.study.rows import (
    is_annotated,
    is_reworded,
    metadata_of_document,
    metadata_of_query,
    sentences_of,
)
from imports.study.trees import Tree, stored_trees


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
        self.problems, self.plan, self.published = problems, Plan(), study.published
        self.answers = AnswerComparison(
            resolved, collection, problems, self.plan, by=by, is_published=bool(study.published)
        )

    def compare(self) -> Plan:
        self._compare_documents()
        self._compare_queries()
        self._compare_topics()
        self._compare_pools()
        self._refuse_lookalikes()
        self.plan.pairs = stored_pairs.plan_pairs(self.resolved.pairs, self.collection)
        self._compare_side_texts()
        self.refuse_changes_of_what_is_fixed()
        self.answers.compare()
        if self.published:
            self._compare_numbers(self.published)
            if self.published.extra != self.collection.extra.get(self.study.format):
                self.plan.extra = self.published.extra
        return self.plan

    # Documents

    def _compare_documents(self) -> None:
        plan, documents = self.plan, self.study.documents
        ids = (id for id in documents.ids if id not in documents.without_text)
        for document_id, row in with_stored(ids, self.collection):
            if row is None:
                plan.documents.append(document_id)
                continue
            record = documents[document_id]
            if row.title != record.title or _has_another_text(row.sentences, record):
                plan.retold.append(document_id)
            elif is_annotated(row, record, metadata_of_document(row, record)):
                plan.annotated.append(document_id)

    # Queries and topics

    def _compare_queries(self) -> None:
        rows = Query.objects.filter(collection=self.collection).select_related("document")
        stored = {row.external_id: row for row in rows}
        trees = stored_trees(self.collection) if self.published else {}
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
            elif is_reworded(row, query):
                self.plan.reworded.append(query)
            elif is_annotated(row, query, metadata_of_query(row, query)):
                self.plan.requeried.append(query)
            if query.tree is not None:
                self._compare_tree(trees.get(query.id, {}), query)

    def _compare_tree(self, stored: Tree, query: records.Query) -> None:
        stored_places, places = records.places_in(stored), records.places_in(query.tree or {})
        if lacking := sorted({aspect for aspect, _ in stored_places} - set(query.aspects)):
            self.problems.at(
                query.place,
                f"the query {query.id} has no longer {', '.join(lacking)}, which "
                f"{'is' if len(lacking) == 1 else 'are'} stored among its aspects.",
                "An import takes no aspect away. Remove it on the query's page, or add it here.",
            )
        elif [place for place in places if place in set(stored_places)] != stored_places:
            self.plan.rearranged.append(query)
        elif places != stored_places:
            self.plan.extended.append(query)

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
                    f"the topic {topic.id} is {_subject_of(topic.facet)} here, but "
                    f"{_subject_of(row.facet)} in the collection.",
                    f"Give one of the two another id, {INTO_ANOTHER}",
                )
            elif row.text != topic.text:
                self.plan.retitled.append(topic)
            elif self.published and topic.facet and row.metadata != topic.metadata:
                self.plan.annotated_topics.append(topic)
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
        texts = self.study.documents
        replaces_sources = self.published and any(entry.sources for entry in self.study.pool)
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
                if not replaces_sources:
                    # No file takes one away: another run may have found the candidate before.
                    more = [source for source in sources if source not in stored_sources]
                    sources = [*stored_sources, *more]
                if has_text or sources != stored_sources:
                    row = Candidate(pk=pk, external_id=document, sources=sources)
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
        new = self.plan.pairs.keys
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

    # Names

    def _refuse_lookalikes(self) -> None:
        plan, study, collection = self.plan, self.study, self.collection
        named = {name for _, name, _ in plan.candidates if not name.isascii()}
        documents = {entry.document: entry.place for entry in study.pool if entry.document in named}
        texts = [name for name in plan.documents if not name.isascii()]
        documents |= {name: study.documents[name].place for name in texts}
        self._refuse_lookalikes_of(
            "document",
            documents,
            Document.objects.filter(collection=collection),
            Candidate.objects.filter(query__collection=collection),
        )
        queries = {query.id: query.place for query in plan.queries}
        self._refuse_lookalikes_of("query", queries, Query.objects.filter(collection=collection))
        # A topic under a facet is named after its query.
        topics = {topic.id: topic.place for topic in plan.topics if not topic.facet}
        self._refuse_lookalikes_of("topic", topics, Topic.objects.filter(collection=collection))

    def _refuse_lookalikes_of(
        self, noun: str, places: Mapping[str, records.Place], *rows: QuerySet[Any]
    ) -> None:
        """Refuse names that differ from another only in how their letters are composed."""
        names = [name for name in places if not name.isascii()]
        if not names:
            return
        stored = {
            name
            for stored_rows in rows
            for name in stored_rows.values_list("external_id", flat=True).iterator()
            if not name.isascii()
        }
        by_look = {as_seen(name): name for name in stored}
        for name in names:
            other = by_look.setdefault(as_seen(name), name)
            if name not in stored and name != other:
                where = "is stored" if other in stored else "is in these files too"
                self.problems.at(
                    places[name],
                    f"the {noun} {shown(name)} looks like {shown(other)}, which {where}: their "
                    "letters are composed in two ways.",
                    "Write it in one way wherever it stands.",
                )

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
                        f"the title, the text or a label of {document_id} differs",
                        batch,
                    )
        changed = [*plan.reworded, *plan.rearranged]
        if not (changed or plan.retitled):
            return
        batches = held_topics(self.collection)
        for topic in plan.retitled:
            if batch := batches.get(topic.id):
                self._refuse_fixed(topic.place, f"the text of the aspect {topic.id} differs", batch)
        rows = TopicPlace.objects.filter(query__collection=self.collection)
        topics_of = grouped(rows.values_list("query__external_id", "topic__external_id"))
        for query in changed:
            batch = next(
                (batches[topic] for topic in topics_of[query.id] if topic in batches), None
            )
            if batch:
                difference = f"the text of the query {query.id} differs"
                if query.tree is not None:
                    difference = f"the text, sentences or tree of the query {query.id} differ"
                self._refuse_fixed(query.place, difference, batch)

    def _refuse_fixed(self, place: records.Place, difference: str, batch: str) -> None:
        self.problems.at(
            place,
            f"{difference} from what is stored. {is_held(batch)}",
            f"Leave it as it is, {INTO_ANOTHER}",
        )

    # People

    def _compare_numbers(self, published: records.Published) -> None:
        """The numbers of people who have none yet; a stored one that differs is refused."""
        members = Membership.objects.filter(collection=self.collection).exclude(external_id="")
        stored = dict(members.values_list("external_id", "readable_id"))
        for person, (number, place) in published.numbers.items():
            if not stored.get(person):
                self.plan.numbers[person] = number
            elif stored[person] != number:
                self.problems.at(
                    place,
                    f"the rater {person} has the number {number} here, but {stored[person]} is "
                    "stored.",
                    "The text files must be of the same release as before.",
                )


def refuse_members(study: records.Study, resolved: Resolved, problems: Problems) -> None:
    """Members can be raters of a file only with the role, and each can be only one of them."""
    raters = resolved.raters
    places = {rating.rater: rating.place for rating in study.ratings}
    for person in raters.values():
        member = person.member
        if member and not member.is_annotator:
            problems.at(
                places[person.external_id],
                f"the rater {person.name} is matched to {member}, who is not an annotator here.",
                "Give them that role on the page Members, or choose somebody else.",
            )
    for first, second in _people_twice(raters.values()):
        problems.at(
            places[second.external_id],
            f"the raters {first.name} and {second.name} are both matched to {first.member}.",
            "Two raters cannot be one member. Choose another member for one of them.",
        )


def _people_twice(people: Iterable[Person]) -> list[tuple[Person, Person]]:
    """Two names in the files that are one member here."""
    person_of_member: dict[int, Person] = {}
    twice = []
    for person in people:
        if person.member:
            first = person_of_member.setdefault(person.member.pk, person)
            if first is not person:
                twice.append((first, person))
    return twice


def _has_another_text(stored: list[dict[str, Any]], record: records.Document) -> bool:
    sentences = sentences_of(record)
    if record.text is None or any(sentence["label"] for sentence in stored):
        return stored != sentences
    return not is_same_text(
        (sentence["text"] for sentence in stored), (sentence.text for sentence in record.sentences)
    )


def _subject_of(facet: str) -> str:
    return f"of the facet {facet}" if facet else "an aspect"


def _kind_of(document: str) -> str:
    return f"the document {document}" if document else "a text"
