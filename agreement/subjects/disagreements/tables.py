"""The tables of the page of disagreements."""

from collections.abc import Mapping, Sequence
from functools import partial

from agreement.statistics import Share
from agreement.study.selection import Selection
from agreement.subjects.disagreements.figures import (
    WITH_VALUE,
    DisagreementsShown,
    Outcome,
    Outcomes,
    disagreements_shown,
)
from agreement.tables.cells import printed
from agreement.tables.columns import ends_of, share_columns
from agreement.tables.table import (
    Bars,
    Beside,
    Column,
    Count,
    Heat,
    Kind,
    Makers,
    Pairs,
    Series,
    Table,
)


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    makers = {
        "adjudicator": _adjudicator,
        "distances": _distances,
        "confusion": _confusion,
        "values": _values,
        "causes": _causes,
    }
    return {key: partial(make, selection) for key, make in makers.items()}


def _adjudicator(selection: Selection) -> Table:
    shown = disagreements_shown(selection)
    return _outcomes(
        "adjudicator",
        "What the adjudicator did with disagreements",
        selection.unit.parts,
        shown.ways,
        [part.outcomes for part in shown.figures.parts],
        selection.cannot_judge_rule,
        [
            Beside(
                {
                    "pairs": Pairs("differing", "", part.name, part.key),
                    **_links("outcome", "", part.outcomes, part.key),
                },
                counts=_others("outcome", part.outcomes, part.key),
                look=_look(shown, part.key),
            )
            for part in shown.figures.parts
        ],
    )


def _look(shown: DisagreementsShown, facet: str) -> str:
    return "chosen" * (facet == shown.facet.key)


def _of_list(kind: str, rows: Sequence[Outcomes]) -> list[Beside]:
    """Rows whose pairs are a list of this kind."""
    return [
        Beside(
            {
                "pairs": Pairs(kind, row.cell, row.name),
                **_links(kind, f"{row.cell},", row),
            },
            counts=_others(kind, row, cell=f"{row.cell},"),
        )
        for row in rows
    ]


def _links(kind: str, cell: str, row: Outcomes, facet: str | None = None) -> dict[str, Pairs]:
    """The lists of those decided, and of each way in which they were; `cell` stands before it."""
    return {
        "decided": Pairs(kind, f"{cell}{WITH_VALUE}", f"{row.name}, {WITH_VALUE}", facet),
        **{
            f"{outcome.name.lower()}_count": Pairs(
                kind, f"{cell}{outcome}", f"{row.name}, {outcome}", facet
            )
            for outcome in row.ways
        },
    }


def _others(
    kind: str, row: Outcomes, facet: str | None = None, *, cell: str = ""
) -> dict[str, list[Count]]:
    """The outcomes of the pairs that no adjudicator gave a value."""
    others = (Outcome.EXCLUDED, Outcome.RULE, Outcome.OPEN)
    return {
        "pairs": [
            Count(
                row.counts[outcome],
                outcome,
                Pairs(kind, f"{cell}{outcome}", f"{row.name}, {outcome}", facet),
            )
            for outcome in others
            if row.counts[outcome]
        ]
    }


def _values(selection: Selection) -> Table:
    shown = disagreements_shown(selection)
    return _outcomes(
        "values",
        f"What the adjudicator did, by the values given: {shown.facet.name}",
        "Lowest and highest rating" if shown.scale.is_ordinal else "Labels given",
        shown.ways,
        shown.figures.splits,
        selection.cannot_judge_rule,
        _of_list("values", shown.figures.splits),
    )


def _causes(selection: Selection) -> Table:
    shown = disagreements_shown(selection)
    return _outcomes(
        "causes",
        f"What the adjudicator did, by the recorded cause: {shown.facet.name}",
        "Cause",
        shown.ways,
        shown.figures.causes,
        selection.cannot_judge_rule,
        _of_list("cause", shown.figures.causes),
    )


def _outcomes(
    key: str,
    title: str,
    head: str,
    ways: Sequence[Outcome],
    rows: Sequence[Outcomes],
    counted: str,
    beside: Sequence[Beside],
) -> Table:
    columns = [
        Column("of", head),
        Column("pairs", "Pairs", Kind.COUNT),
        Column("decided", "Decided", Kind.COUNT),
    ]
    for outcome in ways:
        columns += share_columns(outcome.name.lower(), outcome.value.capitalize())
    return Table(
        key,
        title,
        tuple(columns),
        [
            (
                row.name,
                row.pairs,
                row.decided,
                *(
                    cell
                    for _, pairs, share, interval in row.shares
                    for cell in (pairs, share, *ends_of(interval))
                ),
            )
            for row in rows
        ],
        notes=(
            "Shares of the pairs with different values that an adjudicator gave a value; exact 95% "
            "binomial intervals.",
            counted,
        ),
        picture=Bars(
            tuple(
                Series(f"{outcome.name.lower()}_count", outcome.value.capitalize())
                for outcome in ways
            ),
            "share of the decided pairs (%)",
        ),
        beside=beside,
    )


def _distances(selection: Selection) -> Table:
    shown, counted = disagreements_shown(selection), selection.cannot_judge_rule
    if not shown.scale.is_ordinal:
        return _same_or_not(selection)
    names = {apart: f"apart_{apart:g}" for apart in shown.distances}
    words = {apart: "Same" if apart == 0 else f"{apart:g} apart" for apart in shown.distances}
    return Table(
        "distances",
        "How far apart the ratings are",
        (
            Column("facet", selection.unit.parts),
            *(Column(names[apart], words[apart], Kind.COUNT) for apart in shown.distances),
        ),
        [
            (
                part.name,
                *(part.disagreement.by_distance.get(apart, 0) for apart in shown.distances),
            )
            for part in shown.figures.parts
        ],
        notes=("Pairs by the difference of their highest and lowest rating.", counted),
        picture=Bars(
            tuple(Series(names[apart], words[apart]) for apart in shown.distances),
            "share of the pairs (%)",
        ),
        beside=[
            Beside(
                {
                    names[apart]: Pairs("distance", f"{apart:g}", part.name, part.key)
                    for apart in shown.distances
                },
                below={
                    names[apart]: printed(
                        Share(
                            part.disagreement.by_distance.get(apart, 0), part.disagreement.pairs
                        ).value,
                        Kind.SHARE,
                    )
                    for apart in shown.distances
                },
                look=_look(shown, part.key),
            )
            for part in shown.figures.parts
        ],
    )


def _same_or_not(selection: Selection) -> Table:
    """In the place of distances, which labels do not have."""
    shown = disagreements_shown(selection)
    titles = {"same": "Same", "different": "Different"}
    return Table(
        "distances",
        "Same label or different ones",
        (
            Column("facet", selection.unit.parts),
            *(Column(key, title, Kind.COUNT) for key, title in titles.items()),
        ),
        [(part.name, part.alike, part.disagreement.differing) for part in shown.figures.parts],
        notes=("Pairs by whether all of their ratings are the same.", selection.cannot_judge_rule),
        picture=Bars(
            tuple(Series(key, title) for key, title in titles.items()), "share of the pairs (%)"
        ),
        beside=[
            Beside(
                {
                    "same": Pairs("distance", "0", part.name, part.key),
                    "different": Pairs("differing", "", part.name, part.key),
                },
                below={
                    key: printed(Share(pairs, part.disagreement.pairs).value, Kind.SHARE)
                    for key, pairs in (
                        ("same", part.alike),
                        ("different", part.disagreement.differing),
                    )
                },
                look=_look(shown, part.key),
            )
            for part in shown.figures.parts
        ],
    )


def _confusion(selection: Selection) -> Table:
    shown, counted = disagreements_shown(selection), selection.cannot_judge_rule
    named = list(zip(shown.scale.names, shown.scale.words, strict=True))
    raters = shown.report.raters
    rows, columns = ("first rating", "second rating") if raters == 2 else ("earlier", "later")
    return Table(
        "confusion",
        f"Where raters part: {shown.facet.name}",
        (
            Column("value", rows.capitalize()),
            *(
                Column(f"value_{name}", word, Kind.COUNT, columns.capitalize())
                for name, word in named
            ),
        ),
        [
            (word, *row)
            for (_, word), row in zip(named, shown.figures.confusion.tolist(), strict=True)
        ],
        notes=("Counts of pairs by the values of two seats, by ordinal.", counted),
        picture=Heat(
            tuple(Series(f"value_{name}", word) for name, word in named),
            rows=rows,
            columns=columns,
        ),
        beside=[
            Beside(
                {
                    f"value_{other}": Pairs("confusion", f"{name},{other}", f"{word},{other_word}")
                    for other, other_word in named
                }
            )
            for name, word in named
        ],
    )
