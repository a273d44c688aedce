"""The sheets of the page of disagreements."""

from collections.abc import Mapping, Sequence

from agreement.study.asking import Asked
from agreement.subjects.disagreements.figures import DECIDED, Outcomes, disagreements_asked
from agreement.tables.graded import share_columns
from agreement.tables.measured import ends_of
from agreement.tables.table import Bars, Column, Heat, Kind, Series, Sheet


def sheets_of(asked: Asked, parameters: Mapping[str, str]) -> list[Sheet]:
    asks = disagreements_asked(asked)
    found, facet = asks.found, asks.facet
    counted = asked.cannot_judge_rule
    return [
        _outcomes(
            "adjudicator",
            "What the adjudicator did with disagreements",
            "Facet",
            [part.outcomes for part in found.parts],
            counted,
        ),
        _distances(asks, counted),
        _confusion(asks, counted),
        _outcomes(
            "values",
            f"What the adjudicator did, by the values given: {facet.name}",
            "Lowest and highest rating",
            found.splits,
            counted,
        ),
        _outcomes(
            "causes",
            f"What the adjudicator did, by the recorded cause: {facet.name}",
            "Cause",
            found.causes,
            counted,
        ),
    ]


def _outcomes(key: str, title: str, head: str, rows: Sequence[Outcomes], counted: str) -> Sheet:
    columns = [
        Column("of", head),
        Column("pairs", "Pairs", Kind.COUNT),
        Column("decided", "Decided", Kind.COUNT),
    ]
    for outcome in DECIDED:
        columns += share_columns(outcome.name.lower(), outcome.value.capitalize())
    return Sheet(
        key,
        title,
        tuple(columns),
        [
            (
                one.name,
                one.pairs,
                one.decided,
                *(
                    cell
                    for _, pairs, share, interval in one.shares
                    for cell in (pairs, share, *ends_of(interval))
                ),
            )
            for one in rows
        ],
        notes=(
            "Shares of the pairs with different values that an adjudicator gave a value; exact 95% "
            "binomial intervals.",
            counted,
        ),
        picture=Bars(
            tuple(
                Series(f"{outcome.name.lower()}_count", outcome.value.capitalize())
                for outcome in DECIDED
            ),
            "share of the decided pairs (%)",
        ),
    )


def _distances(asks, counted: str) -> Sheet:
    names = {apart: f"apart_{apart:g}" for apart in asks.distances}
    words = {apart: "Same" if apart == 0 else f"{apart:g} apart" for apart in asks.distances}
    return Sheet(
        "distances",
        "How far apart the ratings are",
        (
            Column("facet", "Facet"),
            *(Column(names[apart], words[apart], Kind.COUNT) for apart in asks.distances),
        ),
        [
            (
                part.name,
                *(part.disagreement.by_distance.get(apart, 0) for apart in asks.distances),
            )
            for part in asks.found.parts
        ],
        notes=("Pairs by the difference of their highest and lowest rating.", counted),
        picture=Bars(
            tuple(Series(names[apart], words[apart]) for apart in asks.distances),
            "share of the pairs (%)",
        ),
    )


def _confusion(asks, counted: str) -> Sheet:
    names = asks.report.scale.names
    raters = asks.report.raters
    rows, columns = ("first rating", "second rating") if raters == 2 else ("earlier", "later")
    return Sheet(
        "confusion",
        f"Where raters part: {asks.facet.name}",
        (
            Column("value", rows.capitalize()),
            *(Column(f"value_{name}", name, Kind.COUNT, columns.capitalize()) for name in names),
        ),
        [(name, *row) for name, row in zip(names, asks.found.confusion.tolist(), strict=True)],
        notes=("Counts of pairs by the values of two seats, by ordinal.", counted),
        picture=Heat(
            tuple(Series(f"value_{name}", name) for name in names), rows=rows, columns=columns
        ),
    )
