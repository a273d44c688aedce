"""Figures as pages print them, the links behind them, and the rows of tables as HTML.

A page has thousands of cells, which a template is slow to write, so functions write them. All text
is escaped there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from agreement.statistics import Figure, Interval, Over, Summary
from agreement.study.filters import ALL, Filters, list_address
from agreement.study.parts import LEVELS
from agreement.tables.cells import Mark, Piece, RowDots, Words, linked, printed
from agreement.tables.columns import UNDEFINED, Unit, reasons
from agreement.tables.crossed import HeatCell, HeatRow, heat_rows
from agreement.tables.pictures import on_page
from agreement.tables.shown import ShownCell, ShownRow, ShownTable
from agreement.tables.table import Heat, Kind, Link, Pairs, Table, Working

register = template.Library()

LONGEST_GRADE = len("-0.25")
register.filter(reasons)


@register.filter
def seconds(value: float) -> str:
    """14 s, or 2 min 5 s."""
    return printed(value, Kind.SECONDS)


@register.filter
def hours(value: float | None) -> str:
    """12.4 h; below one hour 35 min."""
    return "not recorded" if value is None else printed(value, Kind.HOURS)


def number(value: float | None) -> str:
    """A number with two decimals, as Table 2 of the CSFCube paper prints them, or the word."""
    return UNDEFINED if value is None else printed(value, Kind.NUMBER)


@register.filter
def figure(summary: Summary | Figure) -> str:
    """The value of a figure, or of a summary's."""
    return number(summary.figure.value if isinstance(summary, Summary) else summary.value)


@register.filter
def ends(interval: Interval | None) -> str:
    """The two ends of an interval: "0.35 to 0.51"; empty as long as there is none."""
    if interval is None or interval.low is None:
        return ""
    return f"{number(interval.low)} to {number(interval.high)}"


@register.filter
def resampled(over: Over, unit: Unit) -> str:
    """The unit that an interval resampled: "topics"."""
    return unit.over(over)


@register.filter
def counted(number: int, unit: Unit) -> str:
    """So many topics: "63 aspects"."""
    return unit.count(number)


@register.filter
def percent(value: float | None) -> str:
    """A share from 0 to 1 as percent with one decimal, as counts of a few hundred allow."""
    return UNDEFINED if value is None else printed(value, Kind.SHARE)


@register.inclusion_tag("agreement/downloads.html", takes_context=True)
def downloads(context, page, table, *, title, picture=False, intervals=False):
    """Links to one table of the page in every format, and to the picture drawn from it, under the
    filters and the parameters of the page."""
    parts = [context["collection"].slug, page, table]
    address = context["address"]
    links = file_links("agreement:table", parts, address, picture=picture, intervals=intervals)
    return {"title": title, "links": links}


def file_links(route, parts, query, *, picture, intervals=False) -> list[tuple[str, str]]:
    """(words, address) of a table in every format; the `parts` of its address come before that."""

    def link(suffix, more=""):
        parameters = "&".join(part for part in (query, more) if part)
        home = reverse(route, args=[*parts, suffix])
        return f"{home}?{parameters}" if parameters else home

    links = [("CSV", link("csv")), ("JSON", link("json")), ("LaTeX", link("tex"))]
    if intervals:
        links.append(("LaTeX with intervals", link("tex", "intervals=1")))
    if picture:
        links += [("SVG", link("svg")), ("PNG", link("png"))]
    return links


@register.inclusion_tag("agreement/table.html", takes_context=True)
def show_table(context, table: Table | ShownTable, labelled: str):
    """The table as a page has it, `labelled` by a heading; one that is printed as it is."""
    if isinstance(table, Table):
        table = ShownTable(table, _addresses(context))
    return {"table": table, "labelled": labelled}


@register.inclusion_tag("agreement/confusion.html", takes_context=True)
def show_heat(context, table: Table, *, caption: str, rows_are: str, columns_are: str):
    """A cross table of counts, each of which opens its pairs."""
    return {
        "rows": heat_rows(table, _addresses(context)),
        "caption": caption,
        "rows_are": rows_are,
        "columns_are": columns_are,
        "is_wide": isinstance(table.picture, Heat) and table.picture.highest is not None,
    }


@register.filter
def has_words(rows) -> bool:
    """Whether the values of a cross table are words, which need more room than grades."""
    return any(len(name) > LONGEST_GRADE for name, _ in rows)


@register.simple_tag(takes_context=True)
def opens(context, number, kind, cell="", *, words, facet=None, query="", topic=""):
    """A number that opens the list of its pairs, under the filters of the page; `facet` and
    `query` put others in their place, `topic` adds one. A plain number where it is 0."""
    pairs = Pairs(kind, str(cell), words, facet, topic, query)
    return words_html(linked(f"{number:,}", pairs, _addresses(context), number))


@register.inclusion_tag("agreement/drawing.html")
def draw_table(table: Table):
    """The picture of a table, as its files have it."""
    return {"drawing": on_page(table), "title": table.title}


@dataclass(frozen=True)
class Addresses:
    """Of lists of pairs and of workings, under the filters of the page. `facets` are those that a
    list may be limited to."""

    pairs: str
    working: str
    filters: Filters
    facets: frozenset[str]

    def __call__(self, link: Link) -> str:
        """Empty where a link leads nowhere."""
        if isinstance(link, Pairs):
            return self._of_pairs(link)
        return self._of_working(link) if isinstance(link, Working) else link

    def _of_pairs(self, pairs: Pairs) -> str:
        """Empty where facets with scales of their own would be put together. A facet may be a
        level of aspects."""
        named = {"topic": pairs.topic, "query": pairs.query}
        changes = {name: key for name, key in named.items() if key}
        if pairs.facet in LEVELS and pairs.facet not in self.facets:
            changes["level"] = pairs.facet
        elif pairs.facet is not None:
            changes["facet"] = pairs.facet or ALL
        if changes.get("facet", ALL) not in self.facets:
            return ""
        address = list_address(pairs.kind, pairs.cell, self.filters.address(**changes))
        return f"{self.pairs}?{address}"

    def _of_working(self, working: Working) -> str:
        """A topic is among those of the filters' facet, which may have a scale of its own."""
        changes = {"topic": working.topic} if working.topic else {"facet": working.facet or ALL}
        address = self.filters.address(when=working.when, measure=working.measure, **changes)
        return f"{self.working}?{address}"


def _addresses(context) -> Addresses:
    """Of a page without filters nothing leads anywhere."""
    slug = [context["collection"].slug]
    pages = reverse("agreement:pairs", args=slug), reverse("agreement:working", args=slug)
    if "filters" not in context:
        return Addresses(*pages, Filters(), frozenset())
    return Addresses(*pages, context["filters"], context["facet_keys"])


@register.filter
def rows_html(table: ShownTable) -> SafeString:
    """Every row of the body."""
    return SafeString("\n".join(map(_row, table.rows)))


def words_html(words: Words) -> SafeString:
    """A text and its link; what comes `after` is outside the link."""
    text, after = escape(words.text), escape(words.after)
    if not words.href:
        return SafeString(text + after)
    label = _attribute("aria-label", words.label)
    return SafeString(
        f'<a class="{words.look}" href="{escape(words.href)}"{label}>{text}</a>{after}'
    )


@register.filter
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


def _row(row: ShownRow) -> str:
    cells = "".join(map(_cell, row.cells))
    return f"<tr{_attribute('class', row.look)}>{_head(row)}{cells}</tr>"


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
    elif cell.bar is not None:
        yield _stacked(cell.bar)
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
