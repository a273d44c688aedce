"""A lead's request: runs, a protocol, a source of values, and topics."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from accounts.models import User
from agreement.study.ratings import Scale, blind_batches
from agreement.study.rows import EXCLUDED
from agreement.study.selection import keep
from audit.refusals import Invalid, raised_as
from datasets.models import Collection, Level, Run
from datasets.runs.reading import rankings_of
from evaluation.measures import Measure, UnfitError, Values
from evaluation.protocols import SUMMARIES, Protocol, Summary
from evaluation.results import Folds, Interval, Judged, Measured, Together
from evaluation.runs.available import facet_topics, folds_of, named_runs
from evaluation.runs.stored import known_interval, known_or_measured
from evaluation.runs.units import NotYet, Unit, units_of
from evaluation.sources.elsewhere import Elsewhere, Grades, judgments_of
from evaluation.sources.reading import Judging
from evaluation.sources.source import GOLD, Kind, Source
from formats.records import ALL_FACETS
from formats.words import counted

T = TypeVar("T")
ALL = ALL_FACETS


@dataclass(frozen=True)
class Evaluation:
    """Runs of one level by one protocol and source, on some topics.

    The protocol measures from the least relevant grade that the source names, if it names one.

    `facet`, `fold` and `tag` ("name=value") narrow the topics; `viewer` None is the server's own
    shell. Everything is read once, of one moment. `may_keep`: measured values are stored for the
    next reader; a read-only snapshot of the database cannot do so. `version` is that of the
    collection (`agreement/study/selection.py`): with it figures are in memory until it changes.
    """

    collection: Collection
    protocol: Protocol
    source: Source = GOLD
    viewer: object = None
    level: Level = Level.TOPICS
    facet: str = ALL
    fold: str = ALL
    tag: str = ""
    may_keep: bool = True
    version: int | None = field(default=None, compare=False)
    # Shared by all that `by` and `narrowed` make of it, so that rankings are read once at most.
    read: dict[str, dict[str, dict[str, list[str]]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.source.least is not None:
            protocol = self.protocol.relevant_from(self.source.least)
            object.__setattr__(self, "protocol", protocol)

    def keep(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` computes of these runs, values and topics, once for all requests of this
        viewer as long as nothing changes; `name` says what it is. It holds no evaluation, which
        has all rankings."""
        narrowed = (self.protocol, self.source, self.level, self.facet, self.fold, self.tag)
        return self._kept((*narrowed, name), make)

    def _kept(
        self,
        name: tuple[Hashable, ...],
        make: Callable[[], T],
        pairs: Callable[[T], int] = lambda _: 0,
    ) -> T:
        if self.version is None or not isinstance(self.viewer, User):
            return make()
        return keep(
            self.collection,
            self.version,
            ("runs", self.viewer.pk, self._hidden_batches, *name),
            make,
            pairs=pairs,
        )

    @cached_property
    def _hidden_batches(self) -> frozenset[int]:
        return blind_batches(self.collection, self.viewer)

    @cached_property
    def judging(self) -> Judging:
        def read() -> Judging:
            return Judging.of(self.collection, self.viewer)

        return self._kept(("judging",), read, lambda judging: judging.ratings.size)

    @cached_property
    def unmapped(self) -> int:
        """The number of pairs whose value has no grade under the mapping."""
        return self.judging.unmapped(self.source)

    def by(self, source: Source) -> "Evaluation":
        """The same by other values, under the same mapping and of the same moment."""
        other = replace(self, source=source.read_as(self.source))
        return self._beside(other)

    def by_grades(self, key: str, grades: Grades, *, are_sums: bool | None) -> "Evaluation":
        """The same by grades of a file, of the same moment: all topics or queries that it grades
        count, and no others. `key` tells files apart; `are_sums` whether they are S, not S / |Q|,
        None where only the grades themselves may tell."""
        other = self._beside(replace(self, source=Source(Kind.JUDGMENTS, key)))
        vars(other)["elsewhere"] = self._averages(Elsewhere(self.level, grades, are_sums))
        return other

    def _beside(self, other: "Evaluation") -> "Evaluation":
        """The other, of what this one has read: of the same moment."""
        vars(other).update(judging=self.judging, all_units=self.all_units, runs=self.runs)
        if self.version is not None:
            vars(other).update(_hidden_batches=self._hidden_batches)
        return other

    @property
    def scale(self) -> Scale:
        """The scale of its topics; of facets with scales of their own the values of all."""
        ratings = self.judging.ratings
        return ratings.scale if self.facet == ALL else ratings.scale_under(self.facet)

    def narrowed(self, *, facet: str = "", fold: str = "", tag: str = "") -> "Evaluation":
        """The same of a facet, a fold or a tag alone, of the same moment."""
        other = replace(
            self, facet=facet or self.facet, fold=fold or self.fold, tag=tag or self.tag
        )
        return self._beside(other)

    @cached_property
    def runs(self) -> dict[str, Run]:
        """The runs of the level by name: the tag, or system and tag where a tag occurs twice."""
        read = partial(named_runs, self.collection, self.level)
        return self._kept(("runs", self.level), read)

    @property
    def rankings(self) -> dict[str, dict[str, list[str]]]:
        """{run: {topic: documents, best first}}"""
        if self.level not in self.read:
            of_keys = rankings_of(self.runs.values())
            are_alike = all(run.level == self.level for run in self.runs.values())
            topics = {} if are_alike else facet_topics(self.collection)
            self.read[self.level] = {
                name: of_keys[run.pk]
                if run.level == self.level
                else {
                    topic: ranking
                    for query, ranking in of_keys[run.pk].items()
                    for topic in topics.get(query, ())
                }
                for name, run in self.runs.items()
            }
        return self.read[self.level]

    @cached_property
    def all_units(self) -> list[Unit]:
        read = partial(units_of, self.judging, self.level)
        return self._kept(("units", self.level), read, lambda _: self.judging.ratings.size)

    @cached_property
    def facet_names(self) -> dict[str, str]:
        """{facet: its name} of the facets that topics have, where there is more than one."""
        scheme = self.collection.scheme
        words = scheme.current.words
        used_facets = {unit.facet for unit in self.all_units if unit.facet}
        keys = [facet.key for facet in scheme.facets.all() if facet.key in used_facets]
        return {key: words.facet_name(key) for key in keys} if len(keys) > 1 else {}

    @cached_property
    def folds(self) -> Folds:
        """{facet or "all": {fold: topics}} of the evaluation splits that came with the data."""
        return folds_of(self.collection)

    @cached_property
    def tags(self) -> list[str]:
        """The tags by which topics can be chosen, "name=value"."""
        tags = {f"{name}={value}" for unit in self.all_units for name, value in unit.tags.items()}
        return sorted(tags)

    @cached_property
    def chosen(self) -> list[Unit]:
        """The units that the filters name, whether they have figures or not."""
        name, _, value = self.tag.partition("=")
        fold = self.folds.get(self.facet, {}).get(self.fold, ())
        return [
            unit
            for unit in self.all_units
            if self.facet in (ALL, unit.facet)
            and (self.fold == ALL or unit.id in fold)
            and (not name or unit.tags.get(name) == value)
        ]

    @cached_property
    def _counted(self) -> tuple[list[Unit], list[NotYet]]:
        counts = self.judging.counts(self.source)
        units, not_yet = [], []
        elsewhere = self.elsewhere
        for unit in self.chosen:
            if elsewhere is not None:
                reason = "" if unit.id in elsewhere else "no judgments of it"
            else:
                reason = self._why_not(unit, counts)
            if not reason and self._in_folds and unit.id not in self._in_folds:
                reason = "in no fold"
            if reason:
                not_yet.append(NotYet(unit.id, unit.title, reason))
            else:
                units.append(unit)
        return units, not_yet

    @cached_property
    def _in_folds(self) -> set[str]:
        """The topics of all folds, where their means are what the protocol reports; empty where
        there are no folds of these topics."""
        if self.protocol.summary is not Summary.FOLDS or self.fold != ALL:
            return set()
        in_folds = {topic for fold in self.folds.get(self.facet, {}).values() for topic in fold}
        return in_folds.intersection(unit.id for unit in self.chosen)

    def _why_not(self, unit: Unit, counts: list[bool]) -> str:
        """Why the source has no values for a unit: as in its qrels, such a unit is left out."""
        if all(counts[topic] for topic in unit.topics):
            has_value = not np.isnan(unit.judged(self.values).grades.values).all()
            return "" if has_value else f"no value by {self.source.named}"
        late = next(self.judging.progress[topic] for topic in unit.topics if not counts[topic])
        is_gold = self.source.kind is Kind.GOLD
        return late.not_yet_decided if is_gold else late.not_yet_rated

    @property
    def units(self) -> list[Unit]:
        """The units that count: those with values from the source."""
        return self._counted[0]

    @property
    def not_yet(self) -> list[NotYet]:
        return self._counted[1]

    @cached_property
    def elsewhere(self) -> dict[str, dict[str, float]] | None:
        """Judgments from elsewhere by unit, as grades; None where the source is another."""
        if self.source.kind is not Kind.JUDGMENTS:
            return None
        judgments = judgments_of(self.collection, self.source.key, self.source.mapping)
        if judgments.level != self.level:
            raise Invalid(
                f"These judgments are of {judgments.level.label}, the runs of "
                f"{Level(self.level).label}. Choose another source of values."
            )
        return self._averages(judgments.without(self._excluded))

    def _averages(self, judgments: Elsewhere) -> dict[str, dict[str, float]]:
        sizes = {unit.id: len(unit.places) for unit in self.all_units}
        return judgments.averages(sizes, self.judging.ratings.scale.values)

    @property
    def _excluded(self) -> set[tuple[str, str]]:
        """(topic, document) of the pairs that gold leaves out with a reason."""
        if self.level != Level.TOPICS:
            return set()
        ratings, documents = self.judging.ratings, self.judging.documents
        return {
            (ratings.topics[ratings.topic[place]].key, documents[place])
            for place in np.flatnonzero(ratings.origin == EXCLUDED).tolist()
        }

    def count_in_words(self, count: int) -> str:
        """ "25 topics", "1 query": so many of what the runs rank."""
        return counted(count, Level(self.level).singular)

    @cached_property
    def values(self) -> Values:
        """(pairs,): the grade of each pair by the source."""
        return self.judging.grades(self.source, self.protocol.missing)

    @cached_property
    def topics(self) -> list[Judged]:
        """The units that count, with their grades."""
        if (elsewhere := self.elsewhere) is not None:
            return [unit.judged_elsewhere(elsewhere[unit.id]) for unit in self.units]
        return [unit.judged(self.values) for unit in self.units]

    @cached_property
    def together(self) -> Together:
        """The summary over topics; a single fold has a plain mean."""
        return self.together_of([topic.id for topic in self.topics])

    @property
    def tested(self) -> str:
        """What tests of two runs are of, as a sentence, where that is not what the protocol makes
        of the topics; else empty."""
        summary = self.together.summary
        if summary is Summary.MEAN:
            return ""
        return f"Tests are of the plain mean over topics, not of the {SUMMARIES[summary]}."

    def together_of(self, ids: Sequence[str]) -> Together:
        """The same of some of the topics."""
        folds = self.folds if self.fold == ALL else None
        return Together.of(self.protocol.summary, ids, folds, self.facet)

    def measure(
        self, topics: Sequence[Judged], measures: Sequence[Measure], *, keeps: bool = True
    ) -> Measured:
        """Invalid with a sentence where a measure cannot be computed of these grades.

        Values that were measured before of the same runs and grades are reused, unless not `keeps`.
        """
        hashes = {name: run.content_sha256 for name, run in self.runs.items()}
        with raised_as(Invalid, UnfitError):
            return known_or_measured(
                self.collection if self.may_keep and keeps else None,
                topics,
                hashes,
                lambda: self.rankings,
                self.protocol,
                measures,
            )

    def interval(self, values: Values, together: Together) -> Interval:
        """The bootstrap interval of a summary of (..., topics); it is stored as measures are."""
        return known_interval(self.collection if self.may_keep else None, values, together)

    @cached_property
    def measured(self) -> Measured:
        return self.measure(self.topics, self.protocol.parsed)

    def counted(self, measure: Measure) -> Values:
        """(runs, topics): one measure as the protocol counts it."""
        return self.keep(("counted", measure), lambda: self._counted_by(measure))

    def _counted_by(self, measure: Measure) -> Values:
        if measure in self.protocol.parsed:
            return self.measured.counted(self.protocol)[self.protocol.parsed.index(measure)]
        return self.measure(self.topics, [measure]).counted(self.protocol)[0]
