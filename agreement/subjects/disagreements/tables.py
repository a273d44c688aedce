"""The tables of the page of disagreements."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from agreement.statistics import Share
from agreement.study.selection import Selection
from agreement.subjects.disagreements.figures import (
    WITH_VALUE,
    DisagreementsShown,
    Outcome,
    Outcomes,
    Part,
    disagreements_shown,
)
from agreement.tables.cells import printed
from agreement.tables.columns import cross_table, ends_of, share_columns
from agreement.tables.table import Bars, Beside, Column, Count, Kind, Makers, Pairs, Series, Table


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
            {"pairs": Pairs(kind, row.cell, row.name), **_links(kind, f"{row.cell},", row)},
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
        Column("of", head, is_graded=True),
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
    shown = disagreements_shown(selection)
    if not shown.scale.is_ordinal:
        return _parts(
            selection,
            "Same label or different ones",
            "Pairs by whether all of their ratings are the same.",
            {"same": "Same", "different": "Different"},
            lambda part: [
                (part.alike, Pairs("distance", "0", part.name, part.key)),
                (part.disagreement.differing, Pairs("differing", "", part.name, part.key)),
            ],
        )
    return _parts(
        selection,
        "How far apart the ratings are",
        "Pairs by the difference of their highest and lowest rating.",
        {f"apart_{apart:g}": f"{apart:g} apart" if apart else "Same" for apart in shown.distances},
        lambda part: [
            (
                part.disagreement.by_distance.get(apart, 0),
                Pairs("distance", f"{apart:g}", part.name, part.key),
            )
            for apart in shown.distances
        ],
    )


def _parts(
    selection: Selection,
    title: str,
    note: str,
    titles: Mapping[str, str],
    counts_of: Callable[[Part], list[tuple[int, Pairs]]],
) -> Table:
    """The pairs of each part in columns of these titles; each count leads to its list."""
    shown = disagreements_shown(selection)
    parts = [
        (part, dict(zip(titles, counts_of(part), strict=True))) for part in shown.figures.parts
    ]
    return Table(
        "distances",
        title,
        (
            Column("facet", selection.unit.parts),
            *(Column(key, words, Kind.COUNT) for key, words in titles.items()),
        ),
        [(part.name, *(count for count, _ in counts.values())) for part, counts in parts],
        notes=(note, selection.cannot_judge_rule),
        picture=Bars(
            tuple(Series(key, words) for key, words in titles.items()), "share of the pairs (%)"
        ),
        beside=[
            Beside(
                {key: pairs for key, (_, pairs) in counts.items()},
                below={
                    key: printed(Share(count, part.disagreement.pairs).value, Kind.SHARE)
                    for key, (count, _) in counts.items()
                },
                look=_look(shown, part.key),
            )
            for part, counts in parts
        ],
    )


def _confusion(selection: Selection) -> Table:
    shown, counted = disagreements_shown(selection), selection.cannot_judge_rule
    words = dict(zip(shown.scale.names, shown.scale.words, strict=True))
    raters = shown.report.raters
    rows, columns = ("first rating", "second rating") if raters == 2 else ("earlier", "later")
    return cross_table(
        "confusion",
        f"Where raters part: {shown.facet.name}",
        Column("value", rows.capitalize(), is_graded=True),
        [(f"value_{name}", word) for name, word in words.items()],
        [
            (word, *row)
            for word, row in zip(words.values(), shown.figures.confusion.tolist(), strict=True)
        ],
        axes=(rows, columns),
        group=columns.capitalize(),
        notes=("Counts of pairs by the values of two seats, by ordinal.", counted),
        links=[
            {
                f"value_{other}": Pairs("confusion", f"{name},{other}", f"{word},{other_word}")
                for other, other_word in words.items()
            }
            for name, word in words.items()
        ],
    )
