"""The table of runs by measures: values, intervals, judged@k, ranks; and people as rankers."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evaluation.measures import Measure, UnfitError, Values, ranked_by
from evaluation.orders.correlation import order_of, ranks
from evaluation.results import Judged, means
from evaluation.results.measured import left_out
from evaluation.results.summaries import standard_errors
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.stored import key_of, known_arrays
from evaluation.sources import picking
from evaluation.sources.source import seat
from formats.grouping import grouped

FEW = 0.9
SEED = 7


@dataclass(frozen=True)
class Cell:
    """One measure of one run: its value over the topics, from 0 to 1; None where there is none.

    `judged` is the mean of Judged at the measure's own depth.
    """

    measure: Measure
    value: float | None
    low: float | None
    high: float | None
    error: float | None
    judged: float | None

    @property
    def is_thinly_judged(self) -> bool:
        return self.judged is not None and self.judged < FEW


@dataclass(frozen=True)
class Row:
    """`rank` is by the measure sorted by, "3=" where others share it; `lacks` counts the topics
    that the run does not rank."""

    name: str
    rank: str
    cells: tuple[Cell, ...]
    lacks: int
    note: str = ""
    best: float | None = None

    def cell(self, measure: Measure) -> Cell:
        return next(cell for cell in self.cells if cell.measure == measure)


@dataclass(frozen=True)
class Scores:
    """Rows in the order of the measure `by`, best first. `without_value` says on how many topics
    which measures have none: "AP, Rprec on 2 topics"."""

    measures: tuple[Measure, ...]
    by: Measure
    rows: tuple[Row, ...]
    topics: int
    without_value: str = ""

    @cached_property
    def is_wholly_judged(self) -> bool:
        return all(cell.judged in (None, 1.0) for row in self.rows for cell in row.cells)

    @cached_property
    def order(self) -> dict[str, str]:
        """{run: its rank}"""
        return {row.name: row.rank for row in self.rows}


def scores_of(evaluation: Evaluation, by: Measure | None = None) -> Scores:
    """Every measure of the protocol, sorted by one of them, by default the first."""
    by = by or evaluation.protocol.parsed[0]
    return evaluation.keep(("scores", by), lambda: _scored(evaluation, by))


def _scored(evaluation: Evaluation, by: Measure) -> Scores:
    measures = evaluation.protocol.parsed
    values = evaluation.measured.counted(evaluation.protocol)
    together = evaluation.together
    averages = together(values)
    interval = evaluation.interval(values, together)
    errors = (
        standard_errors(values) if evaluation.protocol.errors else np.full(averages.shape, np.nan)
    )
    judged = means(evaluation.measured.judged)
    figures = averages, interval.low, interval.high, errors, judged
    row_of = measures.index(by)
    lacks = np.count_nonzero(evaluation.measured.lacks, axis=-1)
    rows = [
        Row(name=name, rank=rank, cells=_cells(measures, run, figures), lacks=int(lacks[run]))
        for run, (name, rank) in enumerate(
            zip(evaluation.measured.runs, rank_words(averages[row_of]), strict=True)
        )
    ]
    return Scores(
        measures,
        by,
        tuple(rows[place] for place in order_of(averages[row_of]).tolist()),
        len(evaluation.units),
        _without_value(evaluation),
    )


def _without_value(evaluation: Evaluation) -> str:
    measured = evaluation.measured
    undefined = zip(measured.measures, measured.undefined, strict=True)
    names = grouped((count, measure.name) for measure, count in undefined)
    return "; ".join(
        f"{', '.join(names[count])} on {evaluation.count_in_words(count)}"
        for count in sorted(names.keys() - {0})
    )


def rank_words(means: Values) -> list[str]:
    """ "1", "2=", "2=", "4"; empty for a run without a value."""
    places = ranks(means).tolist()
    return [
        "" if np.isnan(mean) else f"{place}{'=' if places.count(place) > 1 else ''}"
        for place, mean in zip(places, means.tolist(), strict=True)
    ]


def _cells(measures: Sequence[Measure], run: int, figures: Sequence[Values]) -> tuple[Cell, ...]:
    """The cells of a run. `figures` are their values up to `judged`, (measures, runs) each."""
    return tuple(
        Cell(measure, *(number(of[row, run]) for of in figures))
        for row, measure in enumerate(measures)
    )


def number(value: float) -> float | None:
    """None for no value, as JSON and templates have it."""
    return None if np.isnan(value) else float(value)


@dataclass(frozen=True)
class People:
    """People as rankers; `why_none` says why there are none."""

    rows: tuple[Row, ...]
    why_none: str = ""


def people_of(evaluation: Evaluation, by: Measure) -> People:
    """Each seat as a ranker, judged by the other; with more than two, by the median of the others.
    What the seat or its judge did not rate is left out: a third seat is in few topics.

    Papers with the same rating are a tie, averaged over all its orders in closed form where the
    measure allows, else over 50 seeded ones. `best` of a row is the best run by the same judge.
    """
    return evaluation.keep(("people", by), lambda: _ranking_people(evaluation, by))


def _ranking_people(evaluation: Evaluation, by: Measure) -> People:
    if evaluation.level != "topics" or evaluation.elsewhere is not None:
        return People((), "People rank topics; these runs, or these judgments, are of others.")
    answers = evaluation.judging.answers(evaluation.protocol.missing, evaluation.source.mapping)
    units = evaluation.units
    pairs = np.concatenate([unit.pairs for unit in units]) if units else np.empty(0, int)
    seats = [row for row in range(len(answers)) if (~np.isnan(answers[row, pairs])).any()]
    if len(seats) < 2:
        return People((), "Only one seat has ratings here, so nobody else can judge its ranking.")
    try:
        return People(tuple(_rows_of_people(evaluation, by, answers, seats)))
    except UnfitError as error:
        return People((), f"People are not measured as rankers. {error}")


def _rows_of_people(
    evaluation: Evaluation, by: Measure, answers: Values, seats: Sequence[int]
) -> Iterator[Row]:
    for row in seats:
        others = np.delete(answers, row, axis=0)
        judge = picking.median(others, evaluation.judging.ratings.seats)
        has_both = ~np.isnan(answers[row] + judge)
        units = [unit for unit in evaluation.units if has_both[unit.pairs].any()]
        topics = [unit.judged(judge) for unit in units]
        ratings = [answers[row, unit.pairs] for unit in units]
        values = _ranked_by_ratings(evaluation, topics, ratings)
        yield _person(evaluation, by, seats, row, values, topics)


def _ranked_by_ratings(
    evaluation: Evaluation, topics: Sequence[Judged], topic_ratings: Sequence[Values]
) -> Values:
    """(measures, 1, topics): a person's ratings of each topic as a ranking of it."""
    measures = evaluation.protocol.parsed

    def measure() -> tuple[Values]:
        values = np.full((len(measures), 1, len(topics)), np.nan)
        for column, (topic, ratings) in enumerate(zip(topics, topic_ratings, strict=True)):
            away = left_out(evaluation.protocol, topic)
            documents = topic.grades.documents
            places = [place for place, document in enumerate(documents) if document not in away]
            ranked = ranked_by(topic.grades.without(away), ratings[places])
            for place, measure in enumerate(measures):
                if measure.is_meant_for(topic.tags):
                    values[place, 0, column] = measure.over_ties(ranked, seed=SEED + column)
        return (values,)

    def key() -> str:
        digest = hashlib.sha256(
            b"".join(ratings.tobytes() for ratings in topic_ratings)
        ).hexdigest()
        return key_of(topics, {"ratings as a ranking": digest}, evaluation.protocol, measures)

    return known_arrays(evaluation.collection if evaluation.may_keep else None, key, measure)[0]


def _person(evaluation, by, seats, row, values, topics) -> Row:
    measured = replace(
        evaluation.measured,
        runs=(seat(row + 1).name,),
        topics=tuple(topics),
        values=values,
        judged=np.ones(values.shape),
        lacks=np.zeros(values.shape[1:], dtype=bool),
    )
    counted = measured.counted(evaluation.protocol)
    together = evaluation.together_of([topic.id for topic in topics])
    averages = together(counted)
    interval = evaluation.interval(counted, together)
    nothing, all_judged = np.full(averages.shape, np.nan), np.ones(averages.shape)
    figures = averages, interval.low, interval.high, nothing, all_judged
    runs = evaluation.measure(topics, [by])
    by_judge = together(runs.counted(evaluation.protocol)[0])
    best = int(np.argmax(np.nan_to_num(by_judge, nan=-1))) if len(by_judge) else None
    others = [seat(ordinal + 1).name for ordinal in seats if ordinal != row]
    judge = f"the {others[0]}" if len(others) == 1 else "the median of the other seats"
    note = f"judged by {judge}"
    if len(topics) < len(evaluation.units):
        note += f" on {evaluation.count_in_words(len(topics))}"
    if best is not None and by_judge[best] == by_judge[best]:
        note += f"; best run by the same judge: {runs.runs[best]} {100 * by_judge[best]:z.2f}"
    return Row(
        name=f"{seat(row + 1).name.capitalize()} as a ranker",
        rank="",
        cells=_cells(evaluation.protocol.parsed, 0, figures),
        lacks=0,
        note=note,
        best=None if best is None else number(by_judge[best]),
    )
