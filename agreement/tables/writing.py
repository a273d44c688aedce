# ruff: noqa: RUF001 - the letters that papers print
"""A table as CSV, JSON and LaTeX."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from agreement.tables.cells import printed, printed_ends
from agreement.tables.table import Cell, Column, Kind, Table
from formats.decimals import MINUS
from formats.spreadsheets import csv_table

T = TypeVar("T")
ROWS_OF_A_PART = 1_000
# What TeX takes for something else, and the letters of the measures.
TEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "ρ": r"$\rho$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "τ": r"$\tau$",
    MINUS: "$-$",
    "“": "``",
    "”": "''",
    "’": "'",
    "·": r"$\cdot$",
    **dict.fromkeys(map(chr, (*range(32), *range(127, 160))), " "),  # control characters
}


def as_csv(table: Table) -> str:
    """A line of column keys, then one per row, unrounded; empty for no value. Lines end in LF."""
    return "".join(csv_parts(table.columns, table.rows))


def csv_parts(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The same of any number of rows, in parts to be sent as they are read."""
    yield csv_table([[column.key for column in columns]])
    for part in in_parts(in_files(columns, rows)):
        yield csv_table(part)


def ndjson_parts(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """A line of JSON per row, a mapping by column keys; null for no value."""
    for part in in_parts(rows):
        lines = mappings(columns, part)
        yield "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def in_parts(rows: Iterable[T]) -> Iterator[list[T]]:
    """Rows in lists of ROWS_OF_A_PART, the last one shorter."""
    rows = iter(rows)
    while part := list(islice(rows, ROWS_OF_A_PART)):
        yield part


def as_data(table: Table) -> dict:
    """The table for JSON: what the columns are, and a mapping per row; null for no value."""
    return {
        "table": table.key,
        "title": table.title,
        "notes": list(table.notes),
        "columns": {
            column.key: {"title": _headed(column), "kind": column.kind.value}
            for column in table.columns
        },
        "rows": list(mappings(table.columns, table.rows)),
    }


def mappings(
    columns: Sequence[Column], rows: Iterable[Sequence[Cell]]
) -> Iterator[dict[str, Cell]]:
    """Each row by the keys of its columns."""
    keys = [column.key for column in columns]
    return (dict(zip(keys, row, strict=True)) for row in in_files(columns, rows))


def in_files(columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> Iterable[Sequence[Cell]]:
    """The rows for programs, which know a minus by its hyphen."""
    graded = [column.is_graded for column in columns]
    if not any(graded):
        return rows
    return (
        [
            cell.replace(MINUS, "-") if is_graded and isinstance(cell, str) else cell
            for cell, is_graded in zip(row, graded, strict=True)
        ]
        for row in rows
    )


def as_json(table: Table, **facts) -> str:
    return json.dumps(facts | as_data(table), allow_nan=False, indent=1, ensure_ascii=False) + "\n"


def as_latex(table: Table, *, label: str, intervals: bool = False, about: str = "") -> str:
    r"""A table float for the booktabs package, in the layout of CSFCube's Table 2: columns in
    groups under a rule of their own, coefficients without the zero before the point.

    With `intervals` a figure that has one is followed by it in brackets. `label` is what `\ref`
    takes. What it is `about` and the notes become comments.
    """
    columns = [table.columns[number] for number in table.printed]
    lines = [
        *(f"% {' '.join(note.split())}" for note in (about, *table.notes) if note),
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{tex(table.title)}}}",
        rf"  \label{{{label}}}",
        rf"  \begin{{tabular}}{{{_alignment(columns)}}}",
        r"    \toprule",
        *_group_lines(table),
        _tex_line(tex(column.title) for column in columns),
        r"    \midrule",
        *(_tex_line(_tex_row(table, row, intervals)) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def tex(text: str) -> str:
    """The text so that LaTeX prints it as it is."""
    return "".join(TEX.get(character, character) for character in text)


def _headed(column: Column) -> str:
    return f"{column.group}: {column.title}" if column.group else column.title


def _alignment(columns):
    """Text to the left, numbers to the right, room before a group."""
    letters = []
    for number, column in enumerate(columns):
        if number and column.group != columns[number - 1].group:
            letters.append(r"@{\quad}")
        letters.append("l" if column.kind is Kind.TEXT else "r")
    return "".join(letters)


def _group_lines(table):
    """The headings over groups and the rules under them; nothing where there are none."""
    if not any(group for group, _ in table.groups):
        return []
    heads, rules, start = [], [], 0
    for group, width in table.groups:
        if group:
            heads.append(rf"\multicolumn{{{width}}}{{c}}{{{tex(group)}}}")
            rules.append(rf"\cmidrule(lr){{{start + 1}-{start + width}}}")
        else:
            heads += [""] * width
        start += width
    return [rf"    {' & '.join(heads)} \\", f"    {' '.join(rules)}"]


def _tex_line(cells):
    """The line before ends with a command that would take a bracket or a star for its own."""
    line = " & ".join(cells)
    return f"    {'{}' * line.lstrip().startswith(('[', '*'))}{line} \\\\"


def _tex_row(table, row, intervals):
    for number in table.printed:
        column, cell = table.columns[number], row[number]
        text = printed(cell, column.kind)
        if intervals and (ends := printed_ends(table, row, column)):
            text += f" [{ends}]"
        yield tex(_without_zero(text) if column.kind is Kind.COEFFICIENT else text)


def _without_zero(text):
    """.43 for 0.43, as coefficients are printed that cannot leave -1 to 1."""
    return re.sub(r"\b0\.", ".", text)
