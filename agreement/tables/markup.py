"""The rows of a shown table as HTML: a page has thousands of cells, and a template is slow to write
them. All text is escaped here."""

from collections.abc import Iterator, Sequence
from html import escape

from django.utils.safestring import SafeString

from agreement.tables.cells import Mark, Piece, RowDots, Words
from agreement.tables.crossed import HeatCell, HeatRow
from agreement.tables.shown import ShownCell, ShownRow, ShownTable


def rows_html(table: ShownTable) -> SafeString:
    """Every row of the body. A bar stands after the first cell."""
    return SafeString("\n".join(_row(row, has_bar=table.bars is not None) for row in table.rows))


def words_html(words: Words) -> SafeString:
    """A text and its link; what comes `after` is outside the link."""
    text, after = escape(words.text), escape(words.after)
    if not words.href:
        return SafeString(text + after)
    label = _attribute("aria-label", words.label)
    return SafeString(
        f'<a class="{words.look}" href="{escape(words.href)}"{label}>{text}</a>{after}'
    )


def heat_html(rows: Sequence[HeatRow]) -> SafeString:
    """Every row of the body of a cross table."""
    lines = (
        f'<tr><th scope="row">{escape(name)}</th>{"".join(map(_heat_cell, cells))}</tr>'
        for name, cells in rows
    )
    return SafeString("\n".join(lines))


def _heat_cell(cell: HeatCell) -> str:
    look = f"{cell.heat} diag" if cell.is_diagonal else cell.heat
    below = f"<small>{words_html(cell.below)}</small>" if cell.below.text else ""
    why = _attribute("title", cell.why)
    return f'<td class="{look}"{why}>{words_html(cell.words)}{below}</td>'


def _row(row: ShownRow, *, has_bar: bool) -> str:
    bar = f'<td class="bar">{_stacked(row.bar)}</td>' if has_bar else ""
    cells = "".join(map(_cell, row.cells))
    return f"<tr{_attribute('class', row.look)}>{_head(row)}{bar}{cells}</tr>"


def _head(row: ShownRow) -> str:
    text = escape(row.head.text)
    if row.head.href:
        text = f'<a class="clip1" href="{escape(row.head.href)}" title="{text}">{text}</a>'
    below = "".join(f'<small class="dim">{escape(words)}</small>' for words in row.below)
    look = ' class="long"' if row.below else ""
    return f'<th scope="row"{look} dir="auto">{text}{below}</th>'


def _cell(cell: ShownCell) -> str:
    look = _attribute("class", cell.look) or ' dir="auto"'
    width = f' colspan="{cell.width}"' if cell.width > 1 else ""
    return f"<td{look}{width}{_attribute('title', cell.why)}>{''.join(_inside(cell))}</td>"


def _inside(cell: ShownCell) -> Iterator[str]:
    if cell.dots:
        yield _dots(cell.dots, cell.marks)
    elif cell.grid:
        yield _grid(cell.words, cell.grid)
    else:
        yield words_html(cell.words)
        if cell.below:
            lines = "".join(f"<span>{words_html(words)}</span> " for words in cell.below)
            yield f'<small class="dim">{lines}</small>'


def _dots(dots: RowDots, marks: Sequence[Mark]) -> str:
    """The marks of a row on their axis. The numbers stand beside them."""
    lines = [("ax zero" if tick.is_zero else "ax", tick.at) for tick in dots.ticks]
    if dots.line:
        lines.append(("med", dots.line))
    axis = "".join(
        f'<line class="{look}" x1="{at}" x2="{at}" y1="0" y2="40"/>' for look, at in lines
    )
    return (
        f'<svg class="viz" height="40" aria-hidden="true">{axis}{"".join(map(_mark, marks))}</svg>'
    )


def _mark(mark: Mark) -> str:
    dot = f'<circle class="{mark.look}" cx="{mark.at}" cy="20" r="4.5"/>'
    if not mark.low:
        return dot
    return f'<line class="ci" x1="{mark.low}" x2="{mark.high}" y1="20" y2="20"/>{dot}'


def _grid(words: Words, rows: Sequence[HeatRow]) -> str:
    """A small cross table. Its words are for those who do not see it."""
    squares = "".join(
        f'<rect class="{cell.heat}{" diag" if cell.is_diagonal else ""}" x="{x}" y="{y}" '
        'width="1" height="1"/>'
        for y, (_, cells) in enumerate(rows)
        for x, cell in enumerate(cells)
    )
    size, label = len(rows), escape(words.text)
    drawing = f'<svg viewBox="0 0 {size} {size}" aria-hidden="true">{squares}</svg>'
    if words.href:
        return f'<a class="mini" href="{escape(words.href)}" aria-label="{label}">{drawing}</a>'
    return f'<span class="mini" role="img" aria-label="{label}">{drawing}</span>'


def _stacked(pieces: Sequence[Piece]) -> str:
    bars = "".join(
        f'<rect class="{piece.shade}" x="{piece.x}" y="0" width="{piece.width}" height="14"/>'
        for piece in pieces
    )
    return f'<svg class="viz" height="14" aria-hidden="true">{bars}</svg>'


def _attribute(name: str, value: str) -> str:
    """With the space before it; nothing where it has no value."""
    return f' {name}="{escape(value)}"' if value else ""
