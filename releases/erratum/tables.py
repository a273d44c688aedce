"""The tables of an erratum: all changes for a file, a part of them for a page, and their counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from django.core.exceptions import BadRequest
from django.urls import reverse
from django.utils.text import get_text_list

from agreement.tables.columns import cross_table
from agreement.tables.table import Beside, Cell, Column, Head, Table
from agreement.tables.table import Kind as CellKind
from formats.words import counted
from releases.erratum.between import Erratum, Known
from releases.erratum.changes import Change, Grade, Kind
from releases.erratum.reading import TOPICS

# Grades of more values make no cross table that anybody reads.
MOST_VALUES = 12
IN_WORDS = {Kind.CHANGED: "changed", Kind.NEW: "new", Kind.GONE: "gone"}
# An address under the page's exports; parameters without a value are left out.
Address = Callable[..., str]

COLUMNS = (
    Column("kind", "Kind"),
    Column("topic", "Topic"),
    Column("facet", "Facet"),
    Column("document", "Document"),
    Column("old_grade", "Older grade", CellKind.GRADE),
    Column("old_option", "Its option"),
    Column("old_name", "Its name"),
    Column("new_grade", "Newer grade", CellKind.GRADE),
    Column("new_option", "Its option"),
    Column("new_name", "Its name"),
    Column("reason", "Reason"),
)
DETAILS = Column("details", "In the words of leads and adjudicators")


def columns(*, with_notes: bool = False) -> tuple[Column, ...]:
    """The columns of the file; `with_notes` adds free text, which may name people."""
    return (*COLUMNS, DETAILS) if with_notes else COLUMNS


def kind_in(parameters: Mapping[str, str]) -> str:
    """The kind that an address names, "" for all; BadRequest for another value."""
    kind = parameters.get("kind", "")
    if kind not in ("", *Kind):
        raise BadRequest(f"kind is {kind!r}; expected one of {', '.join(Kind)}.")
    return kind


def file_rows(
    erratum: Erratum, rows: Sequence[Change], *, with_notes: bool = False
) -> Iterator[tuple[Cell, ...]]:
    for change, reason, _, _ in erratum.known(rows):
        facet = erratum.facet_of.get(change.topic, "")
        details = (reason.details,) if with_notes else ()
        yield (
            change.kind.value,
            change.topic,
            facet,
            change.document,
            *_cells(change.old, erratum.older.name_of, facet),
            *_cells(change.new, erratum.newer.name_of, facet),
            reason.why.value,
            *details,
        )


def _cells(
    grade: Grade | None, name_of: Callable[[Grade, str], str], facet: str
) -> tuple[Cell, Cell, Cell]:
    if grade is None:
        return None, "", ""
    return _number(grade.value), grade.option, name_of(grade, facet)


def _number(value: str) -> int | float:
    number = Decimal(value)
    return int(number) if number == number.to_integral_value() else float(number)


def sentence(erratum: Erratum) -> str:
    """The whole in one sentence: "Of 3,071 judgments 12 changed, 40 are new and 3 are gone." """
    changes = erratum.changes
    if not changes.rows:
        return f"Both hold the same {counted(changes.before, 'judgment')}."
    changed, new, gone = (changes.count(kind) for kind in Kind)
    parts = [f"{changed:,} changed" if changed else "none changed"]
    parts += [
        f"{count:,} {'is' if count == 1 else 'are'} {word}"
        for word, count in (("new", new), ("gone", gone))
        if count
    ]
    return f"Of {counted(changes.before, 'judgment')} {get_text_list(parts, 'and')}."


def notes(erratum: Erratum) -> list[str]:
    """Sentences on what the two do not have in common, and what does not show."""
    older, newer = erratum.older, erratum.newer
    sentences = []
    if older.source != newer.source:
        sentences.append(
            f"Their values are of different sources: {older.source_in_words} in the older one, "
            f"{newer.source_in_words} in the newer one."
        )
    lacking = [
        words
        for words, exported in (("older", older), ("newer", newer))
        if exported.manifest.get("is_incomplete")
    ]
    if lacking:
        subject = f"The {lacking[0]} export is not" if len(lacking) == 1 else "Neither export is"
        sentences.append(f"{subject} complete: some pairs had no value yet.")
    if older.manifest.get("channel") != newer.manifest.get("channel"):
        sentences.append("Only one of the two leaves out pairs that a program rated.")
    if older.shares_values or newer.shares_values:
        sentences.append(
            "Options of one value are told apart where both are CSV tables alone; other formats "
            "hold grades without options."
        )
    versions = [exported.scheme.get("version") for exported in (older, newer)]
    if None not in versions and versions[0] != versions[1]:
        sentences.append(
            f"The wording of the scheme changed in between, from version {versions[0]} to "
            f"{versions[1]}; names of grades are those of each export."
        )
    return sentences


def by_facet(
    erratum: Erratum, names: Mapping[str, str], address: Address = lambda **changes: ""
) -> Table | None:
    """The counts of each facet; None where there is one alone."""
    facets = {erratum.facet_of.get(topic, "") for topic in erratum.changes.crossed}
    if len(facets) < 2:
        return None
    kinds = Counter((erratum.facet_of.get(row.topic, ""), row.kind) for row in erratum.changes.rows)
    ordered = [*(key for key in names if key in facets), *sorted(facets - names.keys())]
    rows: list[tuple[Cell, ...]] = []
    beside = []
    for facet in ordered:
        counts = _crossed(erratum, {facet})
        older = sum(number for (old, _), number in counts.items() if old)
        newer = sum(number for (_, new), number in counts.items() if new)
        changed = [kinds[facet, kind] for kind in Kind]
        rows.append((names.get(facet, facet or "aspects"), older, *changed, newer))
        links = {
            kind.value: address(kind=kind.value, facet=facet)
            for kind in Kind
            if facet and kinds[facet, kind]
        }
        beside.append(Beside(links))
    return Table(
        "by-facet",
        "Changes by facet",
        (
            Column("facet", "Facet"),
            Column("before", "Older export", CellKind.COUNT),
            *(Column(kind.value, IN_WORDS[kind].capitalize(), CellKind.COUNT) for kind in Kind),
            Column("after", "Newer export", CellKind.COUNT),
        ),
        rows,
        beside=beside,
    )


def crossed(erratum: Erratum, names: Mapping[str, str]) -> list[Table]:
    """Older grades against newer ones, a table for each scale of not too many values."""
    scheme = erratum.newer.scheme
    facets = {erratum.facet_of.get(topic, "") for topic in erratum.changes.crossed}
    parts = {"": facets}
    if "scales" in scheme and erratum.older.unit == TOPICS:
        parts = {facet: {facet} for facet in scheme["scales"] if facet in facets}
    tables = (
        _cross(_crossed(erratum, part), key, names.get(key, ""), erratum.newer.word)
        for key, part in parts.items()
    )
    return [table for table in tables if table]


def _crossed(erratum: Erratum, facets: set[str]) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for topic, of_topic in erratum.changes.crossed.items():
        if erratum.facet_of.get(topic, "") in facets:
            counts += of_topic
    return counts


def _cross(
    counts: Counter[tuple[str, str]], key: str, name: str, word: Callable[[str, str], str]
) -> Table | None:
    values = sorted({value for pair in counts for value in pair if value}, key=Decimal)
    if not values or len(values) > MOST_VALUES:
        return None
    rows = [*values, *([""] if any(not old for old, _ in counts) else [])]
    heads = [*values, *([""] if any(not new for _, new in counts) else [])]
    words = {value: word(value, key) for value in values}
    return cross_table(
        f"crossed-{key}" if key else "crossed",
        f"{name}: older grade by newer grade" if name else "Older grade by newer grade",
        Column("older", "Older"),
        [(f"newer_{value}", words.get(value, "gone")) for value in heads],
        [(words.get(old, "new"), *(counts[old, new] for new in heads)) for old in rows],
        axes=("older", "newer"),
    )


def moves(erratum: Erratum, names: Mapping[str, str]) -> Iterator[tuple[str, int, str, str]]:
    """(the table's title, how many, from, to) of the grades that became others, by number."""
    for table in crossed(erratum, names):
        heads = [column.title for column in table.columns[1:]]
        moved = [
            (int(count or 0), str(old), head)
            for old, *counts in table.rows
            for head, count in zip(heads, counts, strict=True)
            if count and old != head
        ]
        for count, old, new in sorted(moved, key=lambda move: -move[0]):
            yield table.title, count, old, new


def listed(
    erratum: Erratum, rows: Iterable[Known], titles: Mapping[str, str], address: Address
) -> Table:
    """A page of changes; `titles` are those of the topics."""
    lines = [_line(erratum, known, titles, address) for known in rows]
    return Table(
        "changes",
        "Judgments that changed",
        (
            Column("document", "Document"),
            Column("kind", "Kind"),
            Column("old", "Older"),
            Column("new", "Newer"),
            Column("reason", "Why"),
            Column("topic", "Topic"),
        ),
        [cells for cells, _ in lines],
        beside=[beside for _, beside in lines],
    )


def _line(
    erratum: Erratum, known: Known, titles: Mapping[str, str], address: Address
) -> tuple[tuple[Cell, ...], Beside]:
    change, reason, pair, title = known
    facet = erratum.facet_of.get(change.topic, "")
    topic = titles.get(change.topic, "")
    below = {"reason": reason.details, "topic": change.topic if topic else ""}
    href = reverse("agreement:pair", args=[pair]) + "#history" if pair else ""
    cells = (
        title or change.document,
        IN_WORDS[change.kind],
        erratum.older.in_words(change.old, facet) or None,
        erratum.newer.in_words(change.new, facet) or None,
        reason.why.value or None,
        topic or change.topic,
    )
    return cells, Beside(
        links={"topic": address(topic=change.topic)},
        below={key: words for key, words in below.items() if words},
        head=Head(title or change.document, href, (change.document,) if title else ()),
        missing={"reason": "not known"} if erratum.reasons else {},
    )
