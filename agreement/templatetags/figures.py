"""Figures as pages print them, and the links behind them."""

from dataclasses import dataclass
from functools import cached_property

from django import template
from django.urls import reverse

from agreement.statistics import Figure, Interval, Over, Summary
from agreement.study.filters import ALL, Filters, list_address
from agreement.study.parts import LEVELS
from agreement.tables.cells import linked, printed
from agreement.tables.columns import UNDEFINED, Unit, reasons
from agreement.tables.crossed import heat_rows
from agreement.tables.markup import heat_html, rows_html, words_html
from agreement.tables.pictures import on_page
from agreement.tables.shown import ShownTable
from agreement.tables.table import Heat, Kind, Link, Pairs, Table, Working

register = template.Library()

LONGEST_GRADE = len("-0.25")
register.filter(reasons)
register.filter(rows_html)
register.filter(heat_html)


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
def of_measure(by_measure, name):
    """One measure's entry, None where there is none yet."""
    return by_measure.get(name) if by_measure else None


@register.filter
def percent(value: float | None) -> str:
    """A share from 0 to 1 as percent with one decimal, as counts of a few hundred allow."""
    return UNDEFINED if value is None else printed(value, Kind.SHARE)


@register.inclusion_tag("agreement/downloads.html", takes_context=True)
def downloads(context, page, table, *, title, picture=False, intervals=False):
    """Links to one table of the page in every format, and to the picture drawn from it, under the
    filters and the parameters of the page."""
    slug, address = context["collection"].slug, context["address"]

    def link(suffix, query=""):
        parameters = "&".join(part for part in (address, query) if part)
        home = reverse("agreement:table", args=[slug, page, table, suffix])
        return f"{home}?{parameters}" if parameters else home

    formats = [("CSV", link("csv")), ("JSON", link("json")), ("LaTeX", link("tex"))]
    if intervals:
        formats.append(("LaTeX with intervals", link("tex", "intervals=1")))
    if picture:
        formats += [("SVG", link("svg")), ("PNG", link("png"))]
    return {"title": title, "links": formats}


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
    """Under the filters of the page. `facets` are those that a list may be limited to."""

    slug: str
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
        return f"{self._pairs}?{address}"

    def _of_working(self, working: Working) -> str:
        address = self.filters.address(
            facet=working.facet or ALL,
            when=working.when,
            measure=working.measure,
            topic=working.topic,
        )
        return f"{self._working}?{address}"

    @cached_property
    def _pairs(self) -> str:
        return reverse("agreement:pairs", args=[self.slug])

    @cached_property
    def _working(self) -> str:
        return reverse("agreement:working", args=[self.slug])


def _addresses(context) -> Addresses:
    """Of a page without filters nothing leads anywhere."""
    if "filters" not in context:
        return Addresses(context["collection"].slug, Filters(), frozenset())
    return Addresses(context["collection"].slug, context["filters"], context["facet_keys"])
