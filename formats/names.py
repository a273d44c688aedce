"""Which name in a file means which query, facet, aspect and topic of a study."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from formats import strict
from formats.literals import rewritten
from formats.problems import Problems
from formats.reading import Options
from formats.records import (
    PLAIN_FACET,
    Document,
    Level,
    Place,
    PoolEntry,
    Query,
    Study,
    Topic,
    TopicPlace,
    topic_id,
)
from formats.strict import BadTextError, shown
from formats.words import listed

LISTED = 3
IN_EACH_ROW = "Fill the cell in each row: of merged cells only the first has a value."
Repeatable = Document | PoolEntry | Query


@dataclass
class KnownQuery:
    """A query as far as it was read; `facets` are its topics under facets, with metadata.

    `is_listed` where the queries say which facets these are; else whatever is rated or pooled
    under a facet adds it.
    """

    record: Query
    facets: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_listed: bool = False


class Names:
    """The queries and aspects of a study as far as they were read, and what is called after them.

    What a name does not mean is noted among the problems.
    """

    def __init__(self, study: Study, options: Options):
        self.study = study
        self.options = options
        self.problems = Problems()
        self.queries: dict[str, KnownQuery] = {}
        self.aspects: dict[str, Topic] = {}
        self.checked_ids: set[str] = set()
        self._topics: dict[tuple[str, str], str | None] = {}
        self._query_of: dict[str, str] = {}
        self._listed: set[str] = set()
        self._targets: dict[str, tuple[str, str | None] | None] = {}
        # The queries that each file names by their text, by that text.
        self._named_by_text: dict[str, dict[str, str]] = {}
        self._ids_by_text: dict[str, dict[str, None]] = {}
        self._indexed_count = -1
        chosen_names = options.mapping.get("facets") or {}
        self._facets = {
            str(name).casefold(): str(facet)
            for names in (options.facet_names, {key: key for key in options.facets}, chosen_names)
            for name, facet in names.items()
        }

    @property
    def judged_level(self) -> Level:
        """What judgments of a file's queries are about: a plain query is its own topic."""
        return "topic" if self.options.judged_by == "plain" else "query"

    def problem(self, place: Place, message: str, remedy: str = "") -> None:
        self.problems.at(place, message, remedy)

    def problem_once(self, place: Place, message: str, remedy: str) -> None:
        """A problem that all rows with a name share: the first is listed, the others counted."""
        if message in self._listed:
            self.problems.total += 1
        else:
            self._listed.add(message)
            self.problem(place, message, remedy)

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
                raise BadTextError(f"there is no {noun}.", IN_EACH_ROW)
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
            earlier = self.queries[query.id] = KnownQuery(query)
            if not (query.text or query.document):
                self.problem(
                    query.place,
                    f"the query {query.id} has no text and names no document.",
                    "Write what is searched for.",
                )
        else:
            self._compare(earlier.record, query, may_repeat=may_repeat or facets is not None)
        for facet, metadata in (facets or {}).items():
            earlier.is_listed = True
            self._add_facet(earlier, facet, metadata, query.place)

    def _compare(self, earlier: Query, query: Query, *, may_repeat: bool) -> None:
        if query.document and earlier.document != query.document:
            self.problem(
                query.place,
                f"the query {query.id} is the document {query.document} here, and "
                f"{earlier.document or 'a text'} in {earlier.place}.",
                "One query is one document. Is this a table of another part, such as ratings with "
                "a column for each rater? Choose its part and match its columns.",
            )
        elif earlier[1:5] != query[1:5]:
            self.problem(
                query.place,
                f"the query {query.id} has another text in {earlier.place}.",
                "One id has one text: correct one of the two.",
            )
        elif not may_repeat:
            self.stands_already(
                f"query {query.id}", query, earlier, is_same=earlier.metadata == query.metadata
            )

    def stands_already(
        self, noun: str, record: Repeatable, earlier: Repeatable, *, is_same: bool
    ) -> None:
        """Note a record that stands twice: the same in all columns counts once, else it is a
        problem."""
        if is_same:
            self.study.leave_out(record.place, f"The {noun} is the same in {earlier.place}.")
        else:
            self.problem(
                record.place,
                f"the {noun} stands in {earlier.place} already, with other columns.",
                "Keep one of the two.",
            )

    def _add_facet(
        self, query: KnownQuery, written_facet: str, metadata: dict[str, Any], place: Place
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

    def facets_in(self, text: str) -> list[str]:
        """The facets that a cell names: one, or several between commas or semicolons. As it is
        where it names anything else."""
        parts = [part.strip() for part in re.split("[,;]", text) if part.strip()]
        are_known = all(part.casefold() in self._facets for part in parts)
        return parts if are_known and text.strip().casefold() not in self._facets else [text]

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
        return self._remembered((query, facet), lambda: self._new_topic(query, facet, place))

    def _remembered(self, name: tuple[str, str], find: Callable[[], str | None]) -> str | None:
        if name not in self._topics:
            self._topics[name] = find()
        elif self._topics[name] is None:
            self.problems.total += 1  # the same as in a row before
        return self._topics[name]

    def _new_topic(self, query: str, written_facet: str, place: Place) -> str | None:
        if self.options.judged_by == "aspects":
            return self._aspect_topic(query, written_facet, place)
        if not query:
            self.problem(place, "no query is named.", IN_EACH_ROW)
            return None
        earlier_query = self.queries.get(query)
        if earlier_query is None and query not in self.options.known_queries:
            self.problem(
                place,
                f"the query {shown(query)} is not among the queries.",
                rewritten([query], self.is_query) or "Add it to them, or correct the id.",
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
        if self.are_two_topics(name, query, place):
            return None
        return name

    def are_two_topics(self, name: str, query: str, place: Place) -> bool:
        """Whether a topic has the name of another query's topic, as have `a_b` under `c` and `a`
        under `b_c`. It is reported as a problem."""
        other = self._query_of.setdefault(name, query)
        if other != query:
            self.problem(
                place,
                f"the topic {shown(name)} of the query {shown(query)} has the name of a topic of "
                f"the query {shown(other)}.",
                "A topic is called after its query and facet: give one of the queries another id.",
            )
        return other != query

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
            rewritten([name], self.is_name) or "Add it to them, or correct the id.",
        )
        return None

    def topic_named(self, name: str, place: Place) -> str | None:
        """The topic with this id (`<query>_<facet>`, a plain query, an aspect)."""
        return self._remembered((name, "\0"), lambda: self._find_topic(name, place))

    def _find_topic(self, name: str, place: Place) -> str | None:
        if name in self.options.known_topics or name in self.aspects:
            return self._aspect_topic("", name, place)
        if self.options.judged_by == "plain" and name in self.queries:
            return self.topic(name, "", place)
        if split := self._split_topic(name):
            return self.topic(*split, place)
        remedy = "A topic is called after its query and facet (query_facet), or after its aspect."
        if self.options.judged_by == "plain":
            remedy = (
                "A topic is called as its query is: add that to the queries, or correct the id."
            )
        self.problem(
            place,
            f"the topic {shown(name)} is not known.",
            rewritten([name], self.is_name) or remedy,
        )
        return None

    def query_meant(self, name: str, file: str) -> str:
        """The id of the query that a cell of a file names by its id or by its text; any other name
        as it is. BadTextError for a text of several queries, or of none."""
        if not name or self.is_query(name):
            return name
        ids = list(self._queries_with(name))
        if len(ids) > 1:
            raise BadTextError(
                f"the text {shown(name)} is that of several queries: {listed(ids, LISTED)}.",
                "Write the id of the query that is meant.",
            )
        if ids:
            self._named_by_text.setdefault(file, {})[name] = ids[0]
        elif len(name.split()) > 1:
            raise BadTextError(
                f"no query has the id or the text {shown(name)}.",
                "Bring a table of the queries, their ids and texts, or correct the cell.",
            )
        return ids[0] if ids else name

    def _queries_with(self, text: str) -> Iterable[str]:
        """The ids of the queries that have this text."""
        if self._indexed_count != len(self.queries):
            self._indexed_count = len(self.queries)
            texts = [*self.options.known_queries.items()]
            texts += [(query.record.id, query.record.text) for query in self.queries.values()]
            self._ids_by_text = {}
            for query, query_text in texts:
                self._ids_by_text.setdefault(" ".join(query_text.split()), {})[query] = None
        return self._ids_by_text.get(" ".join(text.split()), ())

    @property
    def notes_on_texts(self) -> list[str]:
        """A note on each file that names queries by their texts."""
        return [
            f"{file} names queries by their texts ({len(meant):,}): "
            f"{listed([f'{shown(text)} is {query}' for text, query in meant.items()], LISTED)}."
            for file, meant in self._named_by_text.items()
        ]

    def is_query(self, name: str) -> bool:
        return name in self.queries or name in self.options.known_queries

    def is_name(self, name: str) -> bool:
        """Whether a query, an aspect or a stored topic is called so."""
        return self.is_query(name) or name in self.aspects or name in self.options.known_topics

    def pool_target(self, name: str, place: Place) -> tuple[str, str | None] | None:
        """The (query, topic) whose pool is meant by a name in a run or in qrels.

        A query's own name means all of its topics; None where there is neither.
        """
        if name not in self._targets:
            self._targets[name] = self._find_target(name, place)
        return self._targets[name]

    def _find_target(self, name: str, place: Place) -> tuple[str, str | None] | None:
        if self.is_query(name):
            return name, None
        if name in self.aspects and len({spot.query for spot in self.aspects[name].places}) == 1:
            return self.aspects[name].places[0].query, name
        if split := self._split_topic(name):
            query, facet = split
            topic = self.topic(query, facet, place)
            return (query, topic) if topic else None
        return None

    def _split_topic(self, name: str) -> tuple[str, str] | None:
        """(query, facet) of a topic's name where there is such a query, at best one that is asked
        under this facet."""
        places = [place for place, sign in enumerate(name) if sign == "_"]
        before = {name[place + 1 :].casefold(): name[:place] for place in places}
        splits = [
            (before[facet], facet)
            for facet in self._facets
            if facet in before and self.is_query(before[facet])
        ]
        return next((split for split in splits if self._is_asked(*split)), next(iter(splits), None))

    def _is_asked(self, query: str, facet: str) -> bool:
        """Whether a query can have a topic under a facet: not where it lists other facets alone."""
        entry = self.queries.get(query)
        return entry is None or not entry.is_listed or self._facets[facet] in entry.facets

    def note_on_topics(self, remedy: str) -> list[str]:
        """A note on queries that are called like a query under a facet of the scheme."""
        ends = tuple(f"_{facet}" for facet in self.options.facets)
        alike = [name for name in self.queries if name.endswith(ends)]
        if self.options.judged_by != "facets" or not alike:
            return []
        return [
            f"Queries called like a query under a facet: {listed(alike, LISTED)}. Nothing in the "
            "files says that they are, so each comes in as a query of its own, under all facets. "
            f"{remedy}"
        ]

    def query_of(self, topic: str) -> str:
        """The query of a topic; "" where it stands in several."""
        if topic in self._query_of or topic in self.aspects:
            return self._query_of.get(topic, "")
        stored = self.options.known_topics.get(topic, ())
        return stored[0] if len(stored) == 1 else ""
