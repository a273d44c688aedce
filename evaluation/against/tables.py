"""The comparison of two sources as tables for files."""

from collections.abc import Mapping
from functools import partial

from django.core.exceptions import BadRequest
from django.utils.text import capfirst

from agreement.study.selection import Selection
from agreement.tables.columns import cross_table
from agreement.tables.table import Beside, Column, Kind, Makers, Pairs, Table
from audit.refusals import raised_as
from datasets.runs.rankings import plain_number
from evaluation.against.figures import Against, NotComparable, chosen_sources, compare
from evaluation.against.lists import cell_named
from formats.decimals import printed_grade


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    """None where there is nothing to compare."""
    against = _compared(selection, parameters)
    if against is None:
        return {}
    makers: Makers = {"coefficients": partial(_coefficients, selection, against)}
    if against.has_table:
        makers["values"] = partial(_values, against)
    return makers


def _compared(selection: Selection, parameters: Mapping[str, str]) -> Against | None:
    with raised_as(BadRequest, ValueError):
        first, second = chosen_sources(selection, parameters)
    if second is None:
        return None
    try:
        against = compare(selection, first, second)
    except NotComparable:
        return None
    return against if against.size else None


def _coefficients(selection: Selection, against: Against) -> Table:
    return Table(
        "coefficients",
        f"{capfirst(against.first.in_words)} against {against.second.in_words}",
        (
            Column("measure", "Measure"),
            Column("pooled", "All together", Kind.NUMBER),
            Column("mean", "Mean", Kind.NUMBER),
            Column("topics", "Topics", Kind.COUNT),
        ),
        [(row.title, row.pooled.value, row.mean.value, row.topics) for row in against.rows],
        notes=(
            f"{against.size:,} compared; {against.left_out:,} left out, with a value from only "
            f"one of the two.",
        ),
        beside=[
            Beside(missing={"pooled": row.pooled.reason or ""} if row.pooled.value is None else {})
            for row in against.rows
        ],
    )


def _values(against: Against) -> Table:
    rows, columns = against.values
    first, second = against.first.in_words, against.second.in_words
    return cross_table(
        "values",
        f"Values of {first} in rows, of {second} in columns",
        Column("value", capfirst(first), is_graded=True),
        [(f"value_{plain_number(value)}", printed_grade(value)) for value in columns],
        [
            (printed_grade(value), *counts)
            for value, counts in zip(rows, against.counts, strict=True)
        ],
        axes=(first, second),
        links=[
            {f"value_{plain_number(other)}": _pairs(against, value, other) for other in columns}
            for value in rows
        ],
    )


def _pairs(against: Against, first: float, second: float) -> Pairs:
    cell = cell_named(against.first.address, against.second.address, first, second)
    return Pairs("against", cell, cell)
