"""The grades of a collection's pairs under any source, for one viewer.

All is of one state of the ratings. What the viewer may not see of a batch is seen from no source:
nothing of it is read, and its topics are left out and named.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np

from agreement.study.columns import EXCLUDED
from agreement.study.progress import TopicRatings, progress_of
from agreement.study.ratings import Ratings, read_ratings_of
from annotation.models import MachineRun, MachineScore
from annotation.steering import steering
from datasets.models import Collection, Document, JudgmentSet, Level, Membership, Topic
from datasets.pseudonyms import pseudonym
from datasets.runs.reading import literals_of
from evaluation.measures import Values
from evaluation.protocols import Missing
from evaluation.sources import picking
from evaluation.sources.source import OF_SEATS, Kind, Source


@dataclass(frozen=True)
class RatedOn:
    """What a topic is rated on: the lowest grade of its scale, and the rule's distance there."""

    lowest: float
    distance: Decimal | None


@dataclass(frozen=True)
class Judging:
    """Ratings, decisions and gold that a viewer may see, and what is said of the rest.

    `ratings` has the topics of which nothing is withheld. `left_out` are the batches that the
    viewer still rates in; `open_seats` counts what is not handed in anywhere; `is_closed`: the
    collection keeps scores closed until every topic is locked.
    """

    collection: Collection
    ratings: Ratings
    left_out: tuple[str, ...]
    open_seats: int
    is_closed: bool

    @classmethod
    def of(cls, collection, viewer=None):
        """Without a viewer, as on the command line, nothing is withheld or closed."""
        ratings = read_ratings_of(collection, viewer=viewer)
        if viewer is None:
            return cls(collection, ratings, (), 0, False)
        guard = steering(collection, viewer)
        told = set(guard.topics.values_list("pk", flat=True))
        withheld = set(np.unique(ratings.topic[ratings.is_withheld]).tolist())
        numbers = [
            number
            for number, topic in enumerate(ratings.topics)
            if topic.pk in told and number not in withheld
        ]
        return cls(
            collection,
            ratings.of_topics(numbers),
            tuple(guard.left_out),
            guard.open_seats,
            guard.is_closed,
        )

    @cached_property
    def progress(self) -> list[TopicRatings]:
        return progress_of(self.ratings)

    @cached_property
    def documents(self) -> list[str]:
        """The external id of each pair's document."""
        ids = dict(
            Document.objects.filter(collection=self.collection).values_list("pk", "external_id")
        )
        return [ids[document] for document in self.ratings.document.tolist()]

    @cached_property
    def members(self) -> dict[str, int]:
        """{pseudonym: database id} of whoever ever held a seat."""
        held = Membership.objects.filter(collection=self.collection, tenures__isnull=False)
        return {pseudonym(self.collection, member): member.pk for member in held.distinct()}

    @cached_property
    def _scales(self) -> list[RatedOn]:
        """The scale of each topic."""
        scheme = self.collection.scheme
        found = {}
        for facet in {topic.facet for topic in self.ratings.topics}:
            scale = scheme.scale_of(facet)
            found[facet] = RatedOn(float(scale.values[0]), scale.distance)
        return [found[topic.facet] for topic in self.ratings.topics]

    @cached_property
    def lowest(self) -> Values:
        """(pairs,): the lowest grade of each pair's scale."""
        of_topics = np.array([scale.lowest for scale in self._scales])
        return of_topics[self.ratings.topic] if len(of_topics) else np.empty(0)

    def answers(self, missing: Missing) -> Values:
        """(seats, pairs): what each seat's grade is; a missing one as the protocol says."""
        ratings = self.ratings
        given = ratings.values
        if missing is Missing.UNJUDGED:
            return given
        filled = picking.filled(given, ratings.seats, self.lowest)
        return np.where(ratings.is_finished, filled, given)

    def counts(self, source: Source) -> list[bool]:
        """Of each topic whether the source has spoken of it: gold once nothing is open or to be
        decided, seats once all are handed in; else there are no figures yet."""
        if source.kind is Kind.GOLD:
            return [topic.is_decided for topic in self.progress]
        if source.kind in OF_SEATS:
            return [topic.is_rated for topic in self.progress]
        return [True] * len(self.progress)

    def grades(self, source: Source, missing: Missing) -> Values:
        """(pairs,): the grade of each pair; NaN where the source has none, and where the gold
        leaves the pair out with a reason."""
        found = self._grades(source, missing)
        found[self.ratings.origin == EXCLUDED] = np.nan
        return found

    def _grades(self, source: Source, missing: Missing) -> Values:
        ratings = self.ratings
        if source.kind is Kind.GOLD:
            return ratings.gold.copy()
        if source.kind is Kind.MACHINE:
            return self._machine_values(source.key)
        answers = self.answers(missing)
        if source.kind is Kind.SEAT:
            row = int(source.key) - 1
            return answers[row].copy() if row < len(answers) else np.full(ratings.size, np.nan)
        if source.kind is Kind.MEMBER:
            theirs = ratings.annotator == self.members[source.key]
            return picking.highest(np.where(theirs, answers, np.nan), ratings.seats)
        return picking.COMBINED[source.kind](answers, ratings.seats)

    def _machine_values(self, public_id: str) -> Values:
        run = MachineRun.objects.get(collection=self.collection, public_id=public_id)
        rows = MachineScore.objects.filter(run=run, value__isnull=False)
        of_pair = dict(rows.values_list("pair", "value").iterator())
        values = [of_pair.get(pair) for pair in self.ratings.pair.tolist()]
        return np.array([np.nan if one is None else float(one) for one in values], dtype=float)

    def without(self, member: int, missing: Missing) -> Values:
        """(pairs,): gold as it would be without one person, by the rule of each pair's scale."""
        ratings, answers = self.ratings, self.answers(missing)
        found = ratings.gold.copy()
        for distance in {scale.distance for scale in self._scales}:
            of_topics = np.array([scale.distance == distance for scale in self._scales])
            mask = of_topics[ratings.topic]
            found[mask] = picking.without_person(
                answers[:, mask],
                ratings.is_answered[:, mask],
                ratings.annotator[:, mask] == member,
                ratings.gold[mask],
                rule=self.collection.scheme.rule,
                distance=distance,
            )
        return found


@dataclass(frozen=True)
class Elsewhere:
    """A set of judgments as grades: {topic or query: {document: grade}} at a level."""

    level: Level
    grades: Mapping[str, Mapping[str, float]]


def judgments_of(collection, key: str) -> Elsewhere:
    """ValueError with a sentence where a grade is no number."""
    chosen = JudgmentSet.objects.get(collection=collection, key=key)
    grades: dict[str, dict[str, float]] = {}
    for subject, literals in literals_of(chosen).items():
        try:
            grades[subject] = {document: float(text) for document, text in literals.items()}
        except ValueError:
            wrong = next(text for text in literals.values() if not _is_number(text))
            raise ValueError(
                f"The judgments {chosen.name} have the grade {wrong!r} for {subject}, which is no "
                "number, so no ranking can be measured by them."
            ) from None
    return Elsewhere(Level(chosen.level), grades)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def query_papers(collection) -> dict[int, str]:
    """{topic: the document that is its query}, where a query is a paper."""
    rows = Topic.objects.filter(collection=collection, queries__document__isnull=False)
    return dict(rows.values_list("pk", "queries__document__external_id"))
