"""Putting a study together, whatever it is read from.

Readers add records in any order, but queries before the records that name them. `finish()` compares
all records and returns the study, or raises BadInputError. Rules of all formats are decided here:
the names of topics, the refusal of duplicates, the meaning of a missing rating.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from formats import strict
from formats.files import Files, SourceFile
from formats.problems import Problems
from formats.reading import Options
from formats.records import (
    NOT_RATED,
    PLAIN_FACET,
    Decision,
    Document,
    Place,
    PoolEntry,
    Query,
    Rating,
    Study,
    Topic,
    TopicPlace,
    topic_id,
)
from formats.strict import BadTextError, shown

MAX_TOPIC_ID_LENGTH = 240
# Of a batch; a study of a crowd has more raters in a topic.
MAX_SEATS = 9
LISTED = 20


@dataclass
class _KnownQuery:
    """A query as far as it was read; `facets` are its topics under facets, with metadata.

    `is_listed` where the queries say which facets these are; else whatever is rated or pooled
    under a facet adds it.
    """

    record: Query
    facets: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_listed: bool = False


class Assembly:
    def __init__(self, study: Study, options: Options):
        self.study, self.options = study, options
        self.problems = Problems()
        # Runs are pooled once, as soon as the documents are asked for.
        self.are_runs_pooled = False
        self._bytes_read = 0
        self.queries: dict[str, _KnownQuery] = {}
        self.aspects: dict[str, Topic] = {}
        self._pool: dict[tuple[str, str | None, str], PoolEntry] = {}
        self._ratings: dict[tuple[str, str, str], Rating] = {}
        self._decisions: dict[tuple[str, str], Decision] = {}
        self._query_documents: dict[str, Document] = {}
        self.checked_ids: set[str] = set()
        self._seen: dict[tuple[str, str], int] = {}
        self._topics: dict[tuple[str, str], str | None] = {}
        self._query_of: dict[str, str] = {}
        self._targets: dict[str, tuple[str, str | None] | None] = {}
        self._facets = {facet.casefold(): facet for facet in options.facets} | {
            str(in_file).casefold(): str(in_scheme)
            for in_file, in_scheme in (options.mapping.get("facets") or {}).items()
        }

    def report_on(self, file: SourceFile, files: Files) -> None:
        """Tell how much was read before this file."""
        if self.options.progress:
            self.options.progress(self._bytes_read, files.size)
        self._bytes_read += file.size

    # What files say

    def problem(self, place: Place, message: str, remedy: str = "") -> None:
        self.problems.at(place, message, remedy)

    def bad_text(self, place: Place, error: BadTextError) -> None:
        """Note a problem that `strict` found. Its own place, inside a text, is the more exact
        one."""
        if error.place:
            self.problems.add(place.file, error.place, error.message, error.remedy)
        else:
            self.problems.at(place, error.message, error.remedy)

    def is_identifier(self, value: str, place: Place, noun: str) -> bool:
        """Whether a value can be an identifier; notes why not."""
        if value in self.checked_ids:
            return True
        try:
            if not value:
                raise BadTextError(f"there is no {noun}.", "Every row needs one.")
            strict.check_identifier(value)
        except BadTextError as error:
            self.bad_text(place, error)
            return False
        self.checked_ids.add(value)
        return True

    def add_query(
        self,
        query: Query,
        facets: Mapping[str, dict[str, Any]] | None = None,
        *,
        may_repeat: bool = False,
    ) -> None:
        """A query, perhaps again under another facet, or beside another of its documents; its
        texts must then be the same."""
        earlier = self.queries.get(query.id)
        if earlier is None:
            earlier = self.queries[query.id] = _KnownQuery(query)
            if not (query.text or query.document):
                self.problem(
                    query.place,
                    f"the query {query.id} has no text and names no document.",
                    "Write what is searched for.",
                )
        elif earlier.record[1:5] != query[1:5]:
            self.problem(
                query.place,
                f"the query {query.id} has another text in {earlier.record.place}.",
                "One id has one text: correct one of the two.",
            )
        elif facets is None and not may_repeat:
            self.problem(
                query.place,
                f"the query {query.id} stands in {earlier.record.place} already.",
                "Keep one of the two.",
            )
        for facet, metadata in (facets or {}).items():
            earlier.is_listed = True
            self._add_facet(earlier, facet, metadata, query.place)

    def _add_facet(
        self, query: _KnownQuery, written_facet: str, metadata: dict[str, Any], place: Place
    ) -> None:
        facet = self.facet_of(written_facet, place)
        if facet is None:
            return
        if facet in query.facets and query.facets[facet] != metadata:
            self.problem(
                place,
                f"the query {query.record.id} stands under the facet {facet} already, with other "
                "columns.",
                "Keep one of the two.",
            )
        query.facets.setdefault(facet, metadata)

    def facet_of(self, written_facet: str, place: Place) -> str | None:
        """The scheme's key for a file's name of a facet; None, and a problem, where there is
        none."""
        facet = self._facets.get(written_facet.strip().casefold())
        if facet is None:
            self.problem(
                place,
                f"the facet {shown(written_facet)} is not in the scheme.",
                f"The scheme has {', '.join(self.options.facets) or 'no facets'}; match the name "
                "with one of them.",
            )
        return facet

    def add_aspect(
        self, aspect: str, text: str, query: str, parent: str | None, place: Place
    ) -> None:
        """An aspect in the tree of a query; the same aspect may stand at several places."""
        earlier = self.aspects.get(aspect)
        spot = TopicPlace(query, parent)
        if earlier is None:
            self.aspects[aspect] = Topic(aspect, "", text, (spot,), {}, place)
        elif text and earlier.text != text:
            self.problem(
                place,
                f"the aspect {aspect} has another text in {earlier.place}.",
                "One id has one text: correct one of the two.",
            )
        elif spot in earlier.places:
            self.problem(
                place, f"the aspect {aspect} stands at this place already.", "Keep one of the two."
            )
        else:
            self.aspects[aspect] = earlier._replace(places=(*earlier.places, spot))

    def topic(self, query: str, facet: str, place: Place) -> str | None:
        """The topic of a query under a facet; None where there is none, which is noted."""
        if (query, facet) not in self._topics:
            self._topics[query, facet] = self._new_topic(query, facet, place)
        elif self._topics[query, facet] is None:
            self.problems.total += 1  # the same as in a row before
        return self._topics[query, facet]

    def _new_topic(self, query: str, written_facet: str, place: Place) -> str | None:
        if self.options.judged_by == "aspects":
            return self._aspect_topic(query, written_facet, place)
        if not query:
            self.problem(
                place,
                "no query is named.",
                "Fill the cell in each row: of merged cells only the first has a value.",
            )
            return None
        earlier_query = self.queries.get(query)
        if earlier_query is None and query not in self.options.known_queries:
            self.problem(
                place,
                f"the query {shown(query)} is not among the queries.",
                "Add it to them, or correct the id.",
            )
            return None
        facet = self._facet_or_only(query, written_facet, place)
        if facet is None:
            return None
        if earlier_query and earlier_query.is_listed and facet not in earlier_query.facets:
            self.problem(
                place,
                f"the query {query} is not asked under the facet {facet}.",
                f"Add the facet to the query in {earlier_query.record.place.file}.",
            )
            return None
        if earlier_query:
            earlier_query.facets.setdefault(facet, {})
        name = topic_id(query, facet)
        self._query_of[name] = query
        return name

    def _facet_or_only(self, query: str, written_facet: str, place: Place) -> str | None:
        if written_facet:
            return self.facet_of(written_facet, place)
        if self.options.judged_by == "plain":
            return PLAIN_FACET
        if len(self.options.facets) == 1:
            return self.options.facets[0]
        self.problem(
            place,
            f"it does not say which facet of the query {shown(query)} is meant.",
            f"Name a column with the facet ({', '.join(self.options.facets)}).",
        )
        return None

    def _aspect_topic(self, query: str, aspect: str, place: Place) -> str | None:
        name = aspect or query
        if name in self.aspects or name in self.options.known_topics:
            places = self.aspects[name].places if name in self.aspects else ()
            if len({place.query for place in places}) == 1:
                self._query_of[name] = places[0].query
            return name
        self.problem(
            place,
            f"the aspect {shown(name)} is not among the aspects.",
            "Add it to them, or correct the id.",
        )
        return None

    def topic_named(self, name: str, place: Place) -> str | None:
        """The topic with this id (`<query>_<facet>`, a plain query, an aspect)."""
        if (name, "\0") in self._topics:
            topic = self._topics[name, "\0"]
            if topic is None:
                self.problems.total += 1
            return topic
        self._topics[name, "\0"] = topic = self._find_topic(name, place)
        return topic

    def _find_topic(self, name: str, place: Place) -> str | None:
        if name in self.options.known_topics or name in self.aspects:
            return self._aspect_topic("", name, place)
        if self.options.judged_by == "plain" and name in self.queries:
            return self.topic(name, "", place)
        for query, facet in self._split_topic(name):
            return self.topic(query, facet, place)
        self.problem(
            place,
            f"the topic {shown(name)} is not known.",
            "A topic is called after its query and facet (query_facet), or after its aspect.",
        )
        return None

    def _is_query(self, name: str) -> bool:
        return name in self.queries or name in self.options.known_queries

    def add_pool(self, entry: PoolEntry) -> None:
        """A candidate; named again, it has the sources of both."""
        key = entry.query, entry.topic, entry.document
        earlier = self._pool.get(key)
        if earlier is None:
            self._pool[key] = entry
            return
        more = tuple(source for source in entry.sources if source not in earlier.sources)
        if not more and entry.sources != () and earlier.sources != ():
            self.problem(
                entry.place,
                f"the document {entry.document} stands in the pool of {entry.query} already "
                f"({earlier.place.inside or earlier.place.file}).",
                "Keep one of the two.",
            )
        self._pool[key] = earlier._replace(sources=earlier.sources + more)

    def add_rating(self, rating: Rating) -> None:
        key = rating.topic, rating.document, rating.rater
        earlier = self._ratings.setdefault(key, rating)
        if earlier is rating:
            return
        if (earlier.grade, earlier.reason) == (rating.grade, rating.reason):
            self.study.leave_out(
                rating.place,
                f"{rating.rater} gave the same answer for {rating.topic}, {rating.document} in "
                f"{earlier.place}.",
            )
            return
        self.problem(
            rating.place,
            f"{rating.rater} rated {rating.topic}, {rating.document} as {_answer(rating)} here, "
            f"and as {_answer(earlier)} in {earlier.place}.",
            "Keep one of the two.",
        )

    def add_decision(self, decision: Decision) -> None:
        key = decision.topic, decision.document
        earlier = self._decisions.setdefault(key, decision)
        if earlier is not decision:
            self.problem(
                decision.place,
                f"{decision.topic}, {decision.document} was decided in {earlier.place} already.",
                "Keep the decision that stands.",
            )

    def add_document(self, document: Document) -> bool:
        """Keep a document; False where it stands twice, which is noted."""
        if document.id in self.study.documents:
            first = self.study.documents[document.id]
            if first[:4] == document[:4]:
                self.problem(
                    document.place,
                    f"the document {document.id} stands in {first.place} already.",
                    "Keep one of the two.",
                )
            else:
                self.problem(
                    document.place,
                    f"the document {document.id} has another text in {first.place}.",
                    "One id has one text: correct one of the two.",
                )
            return False
        self.study.documents.keep(document)
        return True

    def add_query_document(self, document: Document) -> None:
        """A document that comes with its query, under the query's id; see `finish`."""
        self._query_documents.setdefault(document.id, document)

    def is_new(self, kind: str, name: str, *texts: str) -> bool:
        """Whether a record is new, in a list that repeats records; a repeated one must have the
        same texts."""
        content = hash(texts)
        earlier_content = self._seen.get((kind, name))
        self._seen[kind, name] = content
        return earlier_content != content

    def pool_target(self, name: str) -> tuple[str, str | None] | None:
        """The (query, topic) whose pool is meant by a name in a run or in qrels.

        A query's own name means all of its topics; None where there is neither.
        """
        if name not in self._targets:
            self._targets[name] = self._find_target(name)
        return self._targets[name]

    def _find_target(self, name: str) -> tuple[str, str | None] | None:
        if self._is_query(name):
            return name, None
        if name in self.aspects and len({spot.query for spot in self.aspects[name].places}) == 1:
            return self.aspects[name].places[0].query, name
        for query, facet in self._split_topic(name):
            earlier_query = self.queries.get(query)
            topic = self.topic(
                query, facet, earlier_query.record.place if earlier_query else Place("")
            )
            return (query, topic) if topic else None
        return None

    def _split_topic(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield (query, facet) of a topic's name where there is such a query."""
        for facet in self._facets:
            query = name[: -len(facet) - 1]
            if name.casefold().endswith(f"_{facet}") and self._is_query(query):
                yield query, facet

    def query_of(self, topic: str) -> str:
        """The query of a topic; "" where it stands in several, or is not in the files."""
        return self._query_of.get(topic, "")

    @property
    def wanted(self) -> set[str] | None:
        """The documents that queries, pools or ratings name; None where nothing names any, so that
        all are kept."""
        if self.options.keep_unpooled:
            return None
        document_ids = {document for _, _, document in self._pool}
        document_ids.update(document for _, document, _ in self._ratings)
        document_ids.update(document for _, document in self._decisions)
        if not document_ids:
            return None
        document_ids.update(query_entry.record.document for query_entry in self.queries.values())
        return document_ids

    # What it comes to

    def finish(self) -> Study:
        """The whole study; raises BadInputError."""
        self.problems.raise_any()
        study = self.study
        self._keep_query_documents()
        self._make_topics()
        study.queries = [query_entry.record for query_entry in self.queries.values()]
        self._pool_what_is_rated()
        study.pool = list(self._pool.values())
        study.decisions = list(self._decisions.values())
        self._check_query_documents()
        self._check_pool()
        self._check_answered(self._ratings.values())
        self._check_answered(self._decisions.values())
        self.problems.raise_any()
        study.ratings = self._completed_ratings()
        return study

    def _keep_query_documents(self) -> None:
        """A paper that is a query may be a candidate, too; another paper of its id may not."""
        documents = self.study.documents
        for query, document in self._query_documents.items():
            if query in documents and documents[query][1:4] != document[1:4]:
                document = document._replace(id=f"query-{query}")
                query_entry = self.queries[query]
                query_entry.record = query_entry.record._replace(document=document.id)
            if document.id not in documents:
                documents.keep(document)

    def _make_topics(self) -> None:
        if self.options.judged_by == "aspects":
            self._check_aspects()
            self.study.topics = list(self.aspects.values())
            return
        for query_entry in self.queries.values():
            facets = query_entry.facets or {facet: {} for facet in self._all_facets()}
            for facet, metadata in facets.items():
                self._add_topic(query_entry.record, facet, metadata)

    def _all_facets(self) -> Sequence[str]:
        return (PLAIN_FACET,) if self.options.judged_by == "plain" else self.options.facets

    def _add_topic(self, query: Query, facet: str, metadata: dict[str, Any]) -> None:
        name = topic_id(query.id, facet)
        if len(name) > MAX_TOPIC_ID_LENGTH:
            self.problem(query.place, f"the identifier {shown(name)} is too long.")
        self.study.topics.append(
            Topic(name, facet, "", (TopicPlace(query.id),), metadata, query.place)
        )

    def _check_aspects(self) -> None:
        for aspect in self.aspects.values():
            if not aspect.text:
                self.problem(
                    aspect.place, f"the aspect {aspect.id} has no text.", "Write what it asks for."
                )
            for query, parent in aspect.places:
                if not self._is_query(query):
                    self.problem(
                        aspect.place,
                        f"the query {shown(query)} of the aspect {aspect.id} is not among the "
                        "queries.",
                        "Add it to them, or correct the id.",
                    )
                if parent is not None and not self._is_in_tree(parent, query):
                    self.problem(
                        aspect.place,
                        f"the aspect {shown(parent)} above {aspect.id} is not an aspect of the "
                        f"query {query}.",
                        "Name an aspect of the same query.",
                    )

    def _is_in_tree(self, aspect: str, query: str) -> bool:
        """Whether an aspect stands at the top of a query; a tree has two levels."""
        aspect_entry = self.aspects.get(aspect)
        return aspect_entry is not None and TopicPlace(query, None) in aspect_entry.places

    def _check_query_documents(self) -> None:
        for query in self.study.queries:
            if query.document and not self._has_text(query.document):
                self.problem(
                    query.place,
                    f"the document {shown(query.document)} of the query {query.id} has no text.",
                    "Add it to the documents.",
                )

    def _has_text(self, document: str) -> bool:
        documents = self.study.documents
        is_here = document in documents and document not in documents.without_text
        return is_here or document in self.options.known_documents

    def _pool_what_is_rated(self) -> None:
        """Without a pool, the rated documents are the pool, in the order of their first rating."""
        if self._pool:
            return
        answers: Iterable[Rating | Decision] = (*self._ratings.values(), *self._decisions.values())
        places = self._places_by_topic()
        for answer in answers:
            for query in places.get(answer.topic, ()):
                key = query, answer.topic, answer.document
                if key not in self._pool:
                    self._pool[key] = PoolEntry(
                        query, answer.topic, answer.document, (), None, "", "", answer.place
                    )

    def _places_by_topic(self) -> dict[str, list[str]]:
        return {
            topic.id: list(dict.fromkeys(place.query for place in topic.places))
            for topic in self.study.topics
        }

    def _check_pool(self) -> None:
        lacking: dict[str, None] = {}
        for entry in self._pool.values():
            if not self._is_query(entry.query):
                self.problem(
                    entry.place,
                    f"the query {shown(entry.query)} is not among the queries.",
                    "Add it to them, or correct the id.",
                )
            if not self._has_text(entry.document):
                lacking[entry.document] = None
        if lacking:
            names = ", ".join(list(lacking)[:LISTED])
            self.study.notes.append(
                f"Candidates without text, which nobody can rate ({len(lacking):,}): {names}"
                f"{' and others' if len(lacking) > LISTED else ''}."
            )

    def _check_answered(self, answers: Iterable[Rating | Decision]) -> None:
        pooled = self._pool.keys()
        places = self._places_by_topic()
        for answer in answers:
            topic, document = answer.topic, answer.document
            if not self._has_text(document):
                self.problem(
                    answer.place,
                    f"the document {shown(document)} is rated and has no text.",
                    "Add it to the documents, or correct the id.",
                )
            elif topic in places and not any(
                (query, None, document) in pooled or (query, topic, document) in pooled
                for query in places[topic]
            ):
                self.problem(
                    answer.place,
                    f"the document {document} is rated for {topic} and in none of its pools.",
                    "Add it to the pool, or correct the id.",
                )

    def _completed_ratings(self) -> list[Rating]:
        """The ratings by topic, and "not rated" where a rater of a topic left a pair out.

        A topic's raters hold its seats, and a seat is finished when each of its pairs has an
        answer. A topic with more raters than any batch has seats was rated by a crowd: nobody had
        to rate all of it, and nothing is added.
        """
        topics: dict[str, dict[str, None]] = {}
        documents: dict[str, dict[str, Rating]] = {}
        for rating in self._ratings.values():
            topics.setdefault(rating.topic, {})[rating.rater] = None
            documents.setdefault(rating.topic, {}).setdefault(rating.document, rating)
        completed = []
        for topic, raters in topics.items():
            for document, first in documents[topic].items():
                for rater in raters:
                    if len(raters) > MAX_SEATS and (topic, document, rater) not in self._ratings:
                        continue
                    missing = Rating(topic, document, rater, None, NOT_RATED, "", "", first.place)
                    completed.append(self._ratings.get((topic, document, rater), missing))
        return completed


def _answer(rating: Rating) -> str:
    return shown(rating.grade) if rating.grade is not None else "cannot judge"
