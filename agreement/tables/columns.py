# ruff: noqa: RUF001 - the letters that papers print
"""Columns that several tables have, and what choices and counts are called, in one place for pages,
files, the command and papers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import Self

from agreement.statistics import (
    REGISTRY,
    CannotJudge,
    Figure,
    Interval,
    Method,
    Over,
    Share,
    Summary,
    SummaryKind,
)
from agreement.tables.table import (
    Beside,
    Cell,
    Column,
    Dots,
    Heat,
    Kind,
    Link,
    Pairs,
    Series,
    Table,
)
from formats.decimals import printed_grade
from formats.words import counted

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

METHODS = {
    Method.PERCENTILE: "percentile",
    Method.BCA: "BCa",
}
RULES = {
    CannotJudge.LOWEST: "counts as the lowest value",
    CannotJudge.DROP: "leaves the pair out",
    CannotJudge.GAPS: "is a gap in the pair",
}


@dataclass(frozen=True)
class Unit:
    """The unit that figures are summarised over: a topic, which is a query where nothing divides
    it, a query under a facet, or an aspect of a query.

    `whole` is what is drawn where queries are drawn with all of their topics.
    """

    singular: str
    many: str
    whole: str

    def count(self, number: int) -> str:
        """ "63 aspects"."""
        return counted(number, self.singular, self.many)

    @property
    def parts(self) -> str:
        """The head of a column of facets, whose last row is all of them."""
        return "Facet" if self is TOPIC else self.many.capitalize()

    def of_queries(self, topics: int, queries: int) -> str:
        """ "63 aspects of 6 queries"; "8 queries" where a topic is a query."""
        return self.count(topics) + ("" if self is QUERY else f" of {QUERY.count(queries)}")

    def summary(self, kind: SummaryKind) -> str:
        return {
            SummaryKind.MEDIAN: f"median over {self.many}",
            SummaryKind.MEAN: f"mean over {self.many}",
            SummaryKind.POOLED: "all pairs pooled",
        }[kind]

    def over(self, over: Over) -> str:
        """The unit that an interval resampled."""
        return {
            Over.PAIRS: f"pairs within {self.many}",
            Over.TOPICS: self.many,
            Over.QUERIES: self.whole,
            Over.BOTH: f"{self.many} and, within them, pairs",
        }[over]


QUERY = Unit("query", "queries", "whole queries")
TOPIC = Unit("topic", "topics", "whole queries, with all of their facets")
ASPECT = Unit("aspect", "aspects", "whole queries, with all of their aspects")


def rule_in_words(rule: CannotJudge, *lowest: float, has_labels: bool = False) -> str:
    """The rule for "cannot judge": sentences for every table. `lowest` are the lowest values of the
    scales in use; labels have none, and a rule of their own."""
    values = ", ".join(printed_grade(value) for value in sorted(set(lowest)))
    value = f", {values}" if len(set(lowest)) < 2 else f" of its scale ({values})"
    of_labels = " Of labels, pairs with one are left out of every figure." if has_labels else ""
    return {
        CannotJudge.LOWEST: f"“Cannot judge” counts as the lowest value{value}.{of_labels}",
        CannotJudge.DROP: "Pairs with a “cannot judge” are left out of every figure.",
        CannotJudge.GAPS: (
            "“Cannot judge” is a gap: two ratings are compared where both were given, and "
            "coefficients of any number of raters take those there are."
        ),
    }[rule]


def raters_in_words(seats: Iterable[int]) -> str:
    """The number of raters of a pair: "two", or "two to three" if pairs differ."""
    numbers = sorted(set(seats)) or [0]
    words = [NUMBERS[number] if number < len(NUMBERS) else f"{number}" for number in numbers]
    return words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}"


# The letters that papers print.
SHORT_NAMES = {
    "rho": "ρ",
    "alpha": "α",
    "kappa": "κ",
    "percent": "%",
    "macro_f1": "macro F1",
    "alpha_ordinal": "Krippendorff's α, ordinal",
    "alpha_nominal": "Krippendorff's α, nominal",
    "kappa_linear": "κ linear",
    "kappa_quadratic": "κ quadratic",
    "ac1": "AC1",
    "ac2": "AC2",
    "fleiss_kappa": "Fleiss' κ",
}

UNDEFINED = "undefined"
NOT_KNOWN = "Intervals that are missing are not computed yet; the page of these figures does so."


def kind_of(measure: str) -> Kind:
    unit = REGISTRY[measure].unit
    return {"%": Kind.PERCENT, "grade": Kind.NUMBER}.get(unit, Kind.COEFFICIENT)


def with_interval(
    key: str, title: str, kind: Kind, group: str = "", about: str = ""
) -> list[Column]:
    """A column, and two for the ends of its interval, which are printed beside it alone."""
    ends = (f"{key}_low", f"{key}_high")
    return [
        Column(key, title, kind, group, ends=ends, about=about),
        Column(ends[0], f"{title}, from", kind, group, printed=False),
        Column(ends[1], f"{title}, to", kind, group, printed=False),
    ]


def measure_columns(
    measures: Mapping[str, str], when: str = "", group: str = "", *, intervals: bool = True
) -> list[Column]:
    """The columns of measures, and of their intervals; `measures` has their long names."""
    columns = []
    for measure, name in measures.items():
        key = f"{when}_{measure}" if when else measure
        of_measure = with_interval(key, SHORT_NAMES[measure], kind_of(measure), group, name)
        columns += of_measure if intervals else [replace(of_measure[0], ends=None)]
    return columns


def measure_cells(
    figures: Mapping[str, Summary] | Mapping[str, Figure] | None,
    measures: Iterable[str],
    intervals: Mapping[str, Interval] | None,
) -> list[Cell]:
    """The cells of such columns; nothing for what is undefined or not there."""
    cells: list[Cell] = []
    for measure in measures:
        figure = figures[measure] if figures else None
        if isinstance(figure, Summary):
            figure = figure.figure
        cells.append(figure.value if figure else None)
        cells += ends_of(intervals[measure] if figure and intervals else None)
    return cells


def ends_of(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)


def intervals_note(of_rows: Iterable[dict[str, Interval] | None], unit: Unit) -> list[str]:
    """Notes on the intervals, and on those that are not known yet; one sentence for each."""
    of_rows = list(of_rows)
    drawn = (
        f"Intervals: {100 * interval.level:.0f}%, {interval.method} bootstrap over "
        f"{unit.over(interval.over)}, {interval.resamples:,} resamples, seed {interval.seed}."
        for intervals in of_rows
        for interval in (intervals or {}).values()
        if interval.is_defined and interval.over
    )
    return [*dict.fromkeys(drawn), *([NOT_KNOWN] * (None in of_rows))]


def dots(
    series: tuple[Series, ...],
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    axis: str,
    line: float | None = None,
    after: str = "",
) -> Dots:
    """Dots on the whole axis of a coefficient or of percent; below 0 as far as there are values."""
    place = {column.key: number for number, column in enumerate(columns)}
    drawn_columns = [columns[place[part.column]] for part in series]
    drawn = [place[key] for column in drawn_columns for key in (column.key, *(column.ends or ()))]
    values = [cell for row in rows for n in drawn if isinstance(cell := row[n], int | float)]
    if drawn_columns[0].kind is Kind.PERCENT:
        return Dots(series, axis, 0, 100, line, after)
    return Dots(series, axis, floor(4 * min([0, *values])) / 4, 1, line, after)


@dataclass
class Gaps:
    """A row's words for figures that have no value or leave some topics out."""

    missing: dict[str, str] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    below: dict[str, str] = field(default_factory=dict)

    def tell(self, key: str, figure: Summary | Figure) -> None:
        if isinstance(figure, Summary):
            if figure.figure.is_defined and figure.undefined:
                self.below[key] = f"{figure.undefined} left out"
            self._tell(key, figure.figure, reasons(figure))
        else:
            self._tell(key, figure)

    def tell_all(
        self, figures: Mapping[str, Summary] | Mapping[str, Figure], when: str = ""
    ) -> Self:
        for measure, figure in figures.items():
            self.tell(f"{when}_{measure}" if when else measure, figure)
        return self

    def _tell(self, key: str, figure: Figure, left_out: str = "") -> None:
        if not figure.is_defined:
            self.missing[key] = UNDEFINED
        if left_out or figure.reason:
            self.why[key] = left_out or str(figure.reason)

    def beside(self, links: Mapping[str, Link] | None = None, look: str = "") -> Beside:
        return Beside(links or {}, self.missing, self.why, self.below, look=look)


def reasons(summary: Summary) -> str:
    """Why figures were left out, for a footnote: "one list holds a single value (1 of 2)"."""
    of = summary.defined + summary.undefined
    return ", ".join(f"{reason} ({count} of {of})" for reason, count in summary.left_out.items())


def share_columns(key: str, title: str) -> list[Column]:
    """The count, the share of it, and the two ends of its interval."""
    return [
        Column(f"{key}_count", f"{title}, count", Kind.COUNT, printed=False, below=key),
        Column(key, title, Kind.SHARE, ends=(f"{key}_low", f"{key}_high")),
        Column(f"{key}_low", f"{title}, from", Kind.SHARE, printed=False),
        Column(f"{key}_high", f"{title}, to", Kind.SHARE, printed=False),
    ]


def share_cells(share: Share) -> list[Cell]:
    return [share.count, share.value, *share.ends]


def grade_columns(titles: Mapping[str, str], *, intervals: bool) -> list[Column]:
    """For each value of the scale its count and share; `titles` are those of `Scale.titles`."""
    graded_columns = []
    for name, title in titles.items():
        columns = share_columns(f"grade_{name}", title)
        graded_columns += columns if intervals else [columns[0], replace(columns[1], ends=None)]
    return graded_columns


def grade_cells(shares: Iterable[Share], *, intervals: bool) -> list[Cell]:
    length = 4 if intervals else 2
    return [cell for share in shares for cell in share_cells(share)[:length]]


def grade_series(titles: Mapping[str, str]) -> tuple[Series, ...]:
    return tuple(Series(f"grade_{name}_count", title) for name, title in titles.items())


def grade_links(
    kind: str, names: list[str], words: str, facet: str | None, *, cell: str = ""
) -> dict[str, Pairs]:
    """The lists of pairs behind the counts; `cell` follows a grade in their addresses."""
    return {
        f"grade_{name}_count": Pairs(kind, f"{name},{cell}" if cell else name, words, facet)
        for name in names
    }


def cross_table(
    key: str,
    title: str,
    head: Column,
    heads: Sequence[tuple[str, str]],
    rows: Sequence[tuple[Cell, ...]],
    *,
    axes: tuple[str, str],
    group: str = "",
    notes: tuple[str, ...] = (),
    links: Iterable[Mapping[str, Link]] = (),
) -> Table:
    """Counts of the values in rows, below `head`, against those in columns, whose keys and words
    `heads` has. `axes` say what is in rows and in columns, `links` where a row's counts lead."""
    return Table(
        key,
        title,
        (head, *(Column(name, words, Kind.COUNT, group) for name, words in heads)),
        rows,
        notes=notes,
        picture=Heat(tuple(Series(name, words) for name, words in heads), *axes),
        beside=[Beside(of_row) for of_row in links],
    )
