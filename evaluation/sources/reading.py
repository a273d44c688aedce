"""The grades of a collection's pairs under any source, for one viewer.

All is of one state of the ratings. A batch that the viewer may not see is hidden under every
source: nothing of it is read, and its topics are left out and named.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

import numpy as np
from django.db import DEFAULT_DB_ALIAS

from agreement.study.counted import TopicRatings, progress_of
from agreement.study.ratings import Ratings, read_ratings_of
from agreement.study.rows import EXCLUDED
from annotation.models import MachineRun, MachineScore, Pair
from annotation.steering import steering
from datasets.models import Collection, Document, Membership, Topic
from datasets.pseudonyms import pseudonym
from evaluation.measures import Values
from evaluation.protocols import Missing
from evaluation.sources import picking
from evaluation.sources.grading import Grading
from evaluation.sources.mapping import Mapping
from evaluation.sources.source import OF_SEATS, Kind, Source


@dataclass(frozen=True)
class RatedOn:
    """The scale of a topic: its lowest grade, and the rule's distance on it."""

    lowest: float
    distance: Decimal | None


@dataclass(frozen=True)
class Judging:
    """Ratings, decisions and gold that a viewer may see, and the reasons for what is left out.

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
    def of(cls, collection, viewer=None, *, may_keep=True):
        """Without a viewer, as on the command line, nothing is withheld or closed. `may_keep` as
        for `read_copies`."""
        ratings = read_ratings_of(collection, viewer=viewer, may_keep=may_keep)
        if viewer is None:
            return cls(collection, ratings, (), 0, False)
        guard = steering(collection, viewer)
        topic_keys = set(guard.topics.values_list("pk", flat=True))
        withheld = set(np.unique(ratings.topic[ratings.is_withheld]).tolist())
        numbers = [
            number
            for number, topic in enumerate(ratings.topics)
            if topic.pk in topic_keys and number not in withheld
        ]
        return cls(
            collection,
            ratings.of_topics(numbers),
            tuple(guard.left_out),
            guard.open_seats,
            guard.is_closed,
        )

    @classmethod
    def of_pairs(cls, collection, viewer=None, *, may_keep=True):
        """Every pair that the viewer may see, for a file of values instead of scores: a topic of
        which some pairs are withheld has the others."""
        ratings = read_ratings_of(collection, viewer=viewer, may_keep=may_keep)
        return cls(collection, ratings, (), 0, False)

    @property
    def using(self) -> str:
        """The database that it is read from."""
        return self.collection._state.db or DEFAULT_DB_ALIAS

    @cached_property
    def progress(self) -> list[TopicRatings]:
        return progress_of(self.ratings)

    @cached_property
    def documents(self) -> list[str]:
        """The external id of each pair's document."""
        rows = Document.objects.using(self.using).filter(collection=self.collection)
        ids = dict(rows.values_list("pk", "external_id"))
        return [ids[document] for document in self.ratings.document.tolist()]

    @cached_property
    def members(self) -> dict[str, int]:
        """{pseudonym: database id} of whoever ever held a seat."""
        members = Membership.objects.using(self.using).filter(collection=self.collection)
        annotators = members.filter(tenures__isnull=False)
        return {pseudonym(self.collection, member): member.pk for member in annotators.distinct()}

    @cached_property
    def _scales(self) -> list[RatedOn]:
        """The scale of each topic."""
        scheme = self.collection.scheme
        scales = {}
        for facet in {topic.facet for topic in self.ratings.topics}:
            scale = scheme.scale_of(facet)
            scales[facet] = RatedOn(float(scale.values[0]), scale.distance)
        return [scales[topic.facet] for topic in self.ratings.topics]

    def _grading(self, mapping: Mapping) -> Grading:
        return Grading.of(self.collection.scheme, mapping)

    def _lowest(self, mapping: Mapping | None) -> Values:
        """(pairs,): the lowest grade of each pair's scale."""
        of_topics = [scale.lowest for scale in self._scales]
        if mapping is not None:
            scales = self._grading(mapping).scales
            of_topics = [scales[facet].lowest for facet in self._facets]
        return np.array(of_topics)[self.ratings.topic] if of_topics else np.empty(0)

    @cached_property
    def _facets(self) -> list[str]:
        """The facet of each topic's scale, empty for a shared one."""
        scheme = self.collection.scheme
        return [scheme.scale_of(topic.facet).facet for topic in self.ratings.topics]

    def answers(self, missing: Missing, mapping: Mapping | None = None) -> Values:
        """(seats, pairs): the grade of each seat; a missing one as the protocol says."""
        ratings = self.ratings
        values = ratings.values
        if mapping is not None:
            values = self._grading(mapping).options(ratings.option)
        if missing is Missing.UNJUDGED:
            return values
        filled = picking.filled(values, ratings.seats, self._lowest(mapping))
        return np.where(ratings.is_finished, filled, values)

    def _mapped(self, values: Values, mapping: Mapping) -> Values:
        """(pairs,): the grades of values; NaN where options of a value have different ones."""
        grading = self._grading(mapping)
        mapped = np.full(values.shape, np.nan)
        for facet in set(self._facets):
            of_topics = np.array([topic_facet == facet for topic_facet in self._facets])
            mask = of_topics[self.ratings.topic]
            mapped[mask] = grading.values(values[mask], facet)
        return mapped

    def _gold(self, mapping: Mapping | None) -> Values:
        """Gold; by a mapping the grade of the option that it is, else of its value."""
        gold = self.ratings.gold.copy()
        if mapping is None:
            return gold
        mapped = self._mapped(gold, mapping)
        unsure = np.isnan(mapped) & ~np.isnan(gold)
        if unsure.any():
            rows = Pair.objects.using(self.using).filter(
                topic__collection=self.collection, gold_option__isnull=False
            )
            options = dict(rows.values_list("pk", "gold_option").iterator())
            pairs = self.ratings.pair[unsure].tolist()
            gold_options = np.array([options.get(pair, 0) for pair in pairs], dtype=np.int64)
            mapped[unsure] = self._grading(mapping).options(gold_options)
        return mapped

    def unmapped(self, source: Source) -> int:
        """The number of pairs whose value has no grade under the mapping: their raters chose
        options with one value and different grades."""
        if source.mapping is None or source.kind not in (Kind.GOLD, Kind.MACHINE):
            return 0
        plain = self.grades(replace(source, mapping=None), Missing.UNJUDGED)
        mapped = self.grades(source, Missing.UNJUDGED)
        return int(np.count_nonzero(np.isnan(mapped) & ~np.isnan(plain)))

    def counts(self, source: Source) -> list[bool]:
        """Whether each topic has values from the source: gold once nothing is open or to be
        decided, seats once all are handed in. Other topics have no figures yet."""
        if source.kind is Kind.GOLD:
            return [topic.is_decided for topic in self.progress]
        if source.kind in OF_SEATS:
            return [topic.is_rated for topic in self.progress]
        return [True] * len(self.progress)

    def grades(self, source: Source, missing: Missing) -> Values:
        """(pairs,): the grade of each pair; NaN where the source has none, and where the gold
        leaves the pair out with a reason."""
        grades = self._grades(source, missing)
        grades[self.ratings.origin == EXCLUDED] = np.nan
        return grades

    def _grades(self, source: Source, missing: Missing) -> Values:
        ratings, mapping = self.ratings, source.mapping
        if source.kind is Kind.GOLD:
            return self._gold(mapping)
        if source.kind is Kind.MACHINE:
            values = self._machine_values(source.key)
            return values if mapping is None else self._mapped(values, mapping)
        if source.kind is Kind.MAJORITY:
            missing = Missing.UNJUDGED  # an absence is no vote
        answers = self.answers(missing, mapping)
        if source.kind is Kind.SEAT:
            row = int(source.key) - 1
            return answers[row].copy() if row < len(answers) else np.full(ratings.size, np.nan)
        if source.kind is Kind.MEMBER:
            is_by_member = ratings.annotator == self.members[source.key]
            return picking.highest(np.where(is_by_member, answers, np.nan), ratings.seats)
        return picking.COMBINED[source.kind](answers, ratings.seats)

    def _machine_values(self, public_id: str) -> Values:
        run = MachineRun.objects.using(self.using).get(
            collection=self.collection, public_id=public_id
        )
        rows = MachineScore.objects.using(self.using).filter(run=run, value__isnull=False)
        of_pair = dict(rows.values_list("pair", "value").iterator())
        values = [of_pair.get(pair) for pair in self.ratings.pair.tolist()]
        return np.array(
            [np.nan if value is None else float(value) for value in values], dtype=float
        )

    def without(self, member: int, missing: Missing, mapping: Mapping | None = None) -> Values:
        """(pairs,): gold as it would be without one person, by the rule of each pair's scale.

        The rule knows values, not grades. By a mapping each value has its grade; a median that lies
        between options, or a value without a grade of its own, is the median of the rest's grades.
        """
        if mapping is not None:
            return self._without_mapped(member, missing, mapping)
        ratings, answers = self.ratings, self.answers(missing)
        values = ratings.gold.copy()
        for distance in {scale.distance for scale in self._scales}:
            of_topics = np.array([scale.distance == distance for scale in self._scales])
            mask = of_topics[ratings.topic]
            values[mask] = picking.without_person(
                answers[:, mask],
                ratings.is_answered[:, mask],
                ratings.annotator[:, mask] == member,
                ratings.gold[mask],
                rule=self.collection.scheme.rule,
                distance=distance,
            )
        return values

    def _without_mapped(self, member: int, missing: Missing, mapping: Mapping) -> Values:
        is_theirs = self.ratings.annotator == member
        rated = is_theirs.any(axis=0)
        values = self.without(member, missing)
        without_grade = [
            float(value) for scale in self.collection.scheme.all_scales for value in scale.values
        ]
        by_value = self._mapped(np.where(np.isin(values, without_grade), values, np.nan), mapping)
        other_answers = np.where(is_theirs, np.nan, self.answers(missing, mapping))
        by_median = picking.median(other_answers, self.ratings.seats)
        mapped = self._gold(mapping)
        mapped[rated] = np.where(np.isnan(by_value), by_median, by_value)[rated]
        return mapped


def query_papers(collection) -> dict[int, str]:
    """{topic: the document that is its query}, where a query is a paper."""
    rows = Topic.objects.using(collection._state.db).filter(
        collection=collection, queries__document__isnull=False
    )
    return dict(rows.values_list("pk", "queries__document__external_id"))
