"""Cross tables and heat maps as a page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.tables.cells import HEAT, Addresses, Words, heat_steps, linked, printed, shares_of
from agreement.tables.table import Beside, Cell, Grid, Heat, Kind, Table

NOTHING = Words("")


@dataclass(frozen=True)
class HeatCell:
    """A number, the value in its column, small words below, and its shade."""

    words: Words
    column: str
    heat: str
    below: Words = NOTHING
    is_diagonal: bool = False
    why: str = ""


HeatRow = tuple[str, list[HeatCell]]


def heat_table(counts: Sequence[Sequence[int]], names: Sequence[str]) -> list[HeatRow]:
    """Per value in rows a cell for each in columns, shaded by its share of the row."""
    return [
        (name, _counted_cells(name, row, names, [Words(f"{count:,}") for count in row]))
        for name, row in zip(names, counts, strict=False)
    ]


def heat_rows(table: Table, addresses: Addresses) -> list[HeatRow]:
    """The same of a table with such a picture: counts that open their pairs, or figures with the
    counts that stand beside them."""
    if not isinstance(table.picture, Heat):
        raise TypeError(f"The table {table.key} is no cross table.")
    series, highest = table.picture.series, table.picture.highest
    names = [part.words for part in series]
    places = [table.number_of(part.column) for part in series]
    rows = []
    for row, beside in zip(table.rows, table.beside or [Beside()] * len(table.rows), strict=True):
        name, cells = str(row[0]), [row[place] for place in places]
        if highest is None:
            counts = [int(cell or 0) for cell in cells]
            words = [
                linked(f"{count:,}", beside.links.get(part.column), addresses, count)
                for part, count in zip(series, counts, strict=True)
            ]
            rows.append((name, _counted_cells(name, counts, names, words)))
            continue
        kinds = [table.columns[place].kind for place in places]
        shades = heat_steps(cells, highest)
        rows.append(
            (
                name,
                [
                    _figure_cell(cell, kind, part.column, part.words, shade, beside, addresses)
                    for cell, kind, part, shade in zip(cells, kinds, series, shades, strict=True)
                ],
            )
        )
    return rows


def _counted_cells(
    row: str, counts: Sequence[int], names: Sequence[str], words: Sequence[Words]
) -> list[HeatCell]:
    """With their shares of the row below."""
    percents = [f"{100 * share:.0f}%" if sum(counts) else "" for share in shares_of(counts)]
    parts = zip(words, names, percents, heat_steps(counts), strict=True)
    return [
        HeatCell(text, name, heat, Words(percent), name == row)
        for text, name, percent, heat in parts
    ]


def _figure_cell(
    cell: Cell,
    kind: Kind,
    key: str,
    name: str,
    shade: str,
    beside: Beside,
    addresses: Addresses,
) -> HeatCell:
    counts = beside.counts.get(key, ())
    below = NOTHING
    for count in counts:
        below = linked(f"{count.number:,}", count.pairs, addresses, count.number)
    text = beside.missing.get(key, "") if cell is None else printed(cell, kind)
    look = shade if counts else f"{shade} none"
    return HeatCell(Words(text), name, look, below, why=beside.why.get(key, ""))


def spoken(grid: Grid, rows: Sequence[HeatRow]) -> str:
    """A small cross table for who does not see it."""
    lines = [f"{name}: {' '.join(cell.words.text for cell in cells)}" for name, cells in rows]
    return f"{grid.rows} in rows, {grid.columns} in columns: {'; '.join(lines)}"


def heat_key(highest: float) -> list[tuple[str, str]]:
    """(what it stands for, shade) of each shade of a table of agreement, the lightest first."""
    above = [(f"from {least * highest:g}" if least else "above 0", step) for least, step in HEAT]
    return [("0, below or undefined", "h0"), *reversed(above)]
