"""The stored runs measured by the grades of two exports, and how far their scores move."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accounts.parameters import one_of
from agreement.study.selection import version_of
from agreement.tables.table import Cell, Column, Kind, Table
from annotation.steering import SCORES_CLOSED
from audit.refusals import NotAllowed
from datasets.models import Collection, Level
from evaluation.definitions.reading import usual_protocol
from evaluation.measures import Measure, Values
from evaluation.orders.correlation import order_of
from evaluation.pages.frame import of_facet
from evaluation.runs.evaluation import ALL, Evaluation
from evaluation.runs.scores import number, rank_words
from evaluation.runs.tables import measuring_of
from evaluation.runs.two_sources import Alike
from releases.erratum.between import Erratum
from releases.erratum.grades import grades_of
from releases.erratum.reading import TOPICS, Exported
from releases.formats import Level as ExportLevel

# The runs that rank what the grades of an export are of.
LEVELS = {
    TOPICS: Level.TOPICS,
    ExportLevel.ASPECTS: Level.TOPICS,
    ExportLevel.QUERIES: Level.QUERIES,
}
TIMES_100 = "Values are times 100; differences are the newer value less the older one."


@dataclass(frozen=True, eq=False)
class Side:
    """The runs by the grades of one export: `means` over its topics, `shared` over those of both
    exports, (measures, runs); `topics` counts the former."""

    topics: int
    means: Values
    shared: Values


@dataclass(frozen=True, eq=False)
class Rescored:
    """The runs by the grades of two exports; `shared` counts the topics of both."""

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    older: Side
    newer: Side
    shared: int

    @property
    def has_same_topics(self) -> bool:
        return self.older.topics == self.newer.topics == self.shared

    def order(self, measure: Measure) -> Alike:
        """How alike the two orders are, each over the topics of its export."""
        place = self.measures.index(measure)
        return Alike.of(self.older.means[place], self.newer.means[place])

    def order_on_shared(self, measure: Measure) -> Alike:
        """The same over the topics of both."""
        place = self.measures.index(measure)
        return Alike.of(self.older.shared[place], self.newer.shared[place])


@dataclass(frozen=True, eq=False)
class RunMoves:
    """What an erratum does to the scores of the runs, for one viewer: of topics that they may see,
    by the collection's usual protocol, under one facet or all."""

    erratum: Erratum
    evaluation: Evaluation

    @classmethod
    def of(
        cls, erratum: Erratum, collection: Collection, *, viewer: object = None, facet: str = ""
    ) -> "RunMoves":
        """`collection` is read now, for that of a kept erratum may have other settings since.
        Without a viewer, as on the command line, nothing is withheld or closed.

        Raises NotAllowed with a sentence where the collection keeps scores closed, and BadRequest
        where no topic is under the facet.
        """
        evaluation = Evaluation(
            collection=collection,
            protocol=usual_protocol(collection),
            viewer=viewer,
            level=level_of(erratum),
            version=version_of(collection),
        )
        if evaluation.judging.is_closed:
            raise NotAllowed(SCORES_CLOSED)
        return cls(erratum, of_facet(evaluation, facet))

    def measure(self, name: str = "") -> Measure:
        """The protocol's measure of that name, by default its first; else BadRequest."""
        measures = {measure.name: measure for measure in self.evaluation.protocol.parsed}
        return measures[one_of({"measure": name}, "measure", measures)]

    @cached_property
    def rescored(self) -> Rescored:
        """Invalid with a sentence where a measure cannot be computed of these grades."""
        files = (self.erratum.older.files, self.erratum.newer.files)
        return self.evaluation.keep(("rescored", *files), self._measured)

    def _measured(self) -> Rescored:
        older, newer = (self._by(part) for part in (self.erratum.older, self.erratum.newer))
        later = {topic.id for topic in newer.topics}
        shared = [topic.id for topic in older.topics if topic.id in later]
        return Rescored(
            tuple(self.evaluation.runs),
            self.evaluation.protocol.parsed,
            _side(older, shared),
            _side(newer, shared),
            len(shared),
        )

    def _by(self, exported: Exported) -> Evaluation:
        grades = {
            topic: {document: float(grade.value) for document, grade in of_documents.items()}
            for topic, of_documents in grades_of(exported).items()
        }
        return self.evaluation.by_grades(repr(exported.files), grades, are_sums=exported.has_sums)

    def table(self, by: Measure) -> Table:
        """A row per run, best first by the newer grades; `by` has its columns first."""
        rescored = self.rescored
        older, newer = rescored.older, rescored.newer
        first = rescored.measures.index(by)
        ranks = [rank_words(side.means[first]) for side in (older, newer)]
        columns = _columns(by, rescored)
        rows: list[tuple[Cell, ...]] = []
        for run in order_of(newer.means[first]).tolist():
            cells: dict[str, Cell] = {"run": rescored.runs[run]}
            cells |= {"older_rank": ranks[0][run], "newer_rank": ranks[1][run]}
            for place, measure in enumerate(rescored.measures):
                before, after = older.means[place, run], newer.means[place, run]
                shared = newer.shared[place, run] - older.shared[place, run]
                values = (before, after, after - before, shared)
                percents = (number(100 * value) for value in values)
                cells |= zip(_keys(measure), percents, strict=True)
            rows.append(tuple(cells[column.key] for column in columns))
        return Table(
            "runs",
            f"Runs by the two exports, {by.name}",
            columns,
            rows,
            (*self.remarks(by), TIMES_100, *measuring_of(self.evaluation.protocol)),
        )

    def sentence(self, by: Measure) -> str:
        """What becomes of the order of the runs; empty for a single one."""
        rescored = self.rescored
        if not rescored.runs:
            return f"There are no runs of {self.evaluation.level}."
        if len(rescored.runs) == 1:
            return ""
        sentence = f"By {by.name}, {rescored.order(by).in_words}."
        if rescored.has_same_topics or not rescored.shared:
            return sentence
        return f"{sentence} On the same topics, {rescored.order_on_shared(by).in_words}."

    def remarks(self, by: Measure) -> list[str]:
        """Sentences on the order of the runs, and on the topics that count."""
        rescored = self.rescored
        in_words = self.evaluation.count_in_words
        topics = f"Means over {in_words(rescored.older.topics)} of both exports"
        if not rescored.has_same_topics:
            topics = (
                f"Means over {in_words(rescored.older.topics)} of the older export and "
                f"{in_words(rescored.newer.topics)} of the newer one; both have "
                f"{in_words(rescored.shared)}"
            )
        facet = self.evaluation.facet
        if facet != ALL:
            words = self.evaluation.collection.scheme.current.words
            topics = f"{topics}, under {words.facet_name(facet)}"
        return [sentence for sentence in (self.sentence(by), f"{topics}.") if sentence]

    def facts(self, by: Measure) -> dict[str, object]:
        """What the table is of, for programs."""
        rescored = self.rescored
        return {
            "protocol": self.evaluation.protocol.data,
            "level": str(self.evaluation.level),
            "facet": self.evaluation.facet,
            "topics": {
                "older": rescored.older.topics,
                "newer": rescored.newer.topics,
                "shared": rescored.shared,
            },
            "order": rescored.order(by).data(by),
            "order_on_shared_topics": rescored.order_on_shared(by).data(by),
            "left_out_batches": list(self.evaluation.judging.left_out),
        }


def level_of(erratum: Erratum) -> Level:
    """The level of the runs that its grades measure."""
    return LEVELS.get(erratum.older.unit, Level.SUB_QUERIES)


def _side(evaluation: Evaluation, shared: Sequence[str]) -> Side:
    values = evaluation.measured.counted(evaluation.protocol)
    ids = [topic.id for topic in evaluation.topics]
    places = np.flatnonzero(np.isin(ids, list(shared)))
    together = evaluation.together_of(shared)
    return Side(len(ids), evaluation.together(values), together(values[..., places]))


def _keys(measure: Measure) -> tuple[str, str, str, str]:
    name = measure.name
    return f"{name} older", f"{name} newer", f"{name} difference", f"{name} difference, same topics"


def _columns(by: Measure, rescored: Rescored) -> tuple[Column, ...]:
    """A page has all of one measure, and the differences of the others."""
    others = [measure for measure in rescored.measures if measure != by]
    older, newer, difference, shared = _keys(by)
    has_others = not rescored.has_same_topics
    return (
        Column("run", "Run"),
        Column(older, by.name, Kind.PERCENT, "Older export"),
        Column("older_rank", "Rank", Kind.TEXT, "Older export"),
        Column(newer, by.name, Kind.PERCENT, "Newer export"),
        Column("newer_rank", "Rank", Kind.TEXT, "Newer export"),
        _difference(difference, by.name),
        _difference(shared, f"{by.name}, same topics", printed=has_others),
        *(_difference(_keys(measure)[2], measure.name) for measure in others),
        *(
            column
            for measure in others
            for before, after, _, shared in [_keys(measure)]
            for column in (
                Column(before, measure.name, Kind.PERCENT, "Older export", printed=False),
                Column(after, measure.name, Kind.PERCENT, "Newer export", printed=False),
                _difference(shared, f"{measure.name}, same topics", printed=False),
            )
        ),
    )


def _difference(key: str, title: str, *, printed: bool = True) -> Column:
    return Column(key, title, Kind.PERCENT, "Difference", printed=printed, is_signed=True)
