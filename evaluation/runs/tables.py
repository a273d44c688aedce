"""The tables of the pages of runs as data, for CSV, JSON, LaTeX and pictures."""

from collections.abc import Callable, Mapping

from agreement.tables.table import Cell, Column, Dots, Heat, Kind, Series, Table
from evaluation.measures import Measure
from evaluation.orders.draws import Drawn
from evaluation.runs.asked import Asked
from evaluation.runs.comparison import Comparison
from evaluation.runs.lab import Lab
from evaluation.runs.matter import Matter, pairs_of, row_of
from evaluation.runs.scores import people_of, scores_of
from evaluation.sources.source import Kind as SourceKind

PICTURES = ("svg", "png")
TIMES_100 = "Values are times 100; intervals are 95% percentile bootstrap over topics, seed 7."


def notes_of(asked: Asked) -> tuple[str, ...]:
    """What every table says of how it came about."""
    left_out = [f"Not yet: {one.id} ({one.reason})." for one in asked.not_yet]
    return (
        f"Values of {asked.source.in_words}; {asked.count_in_words(len(asked.topics))}.",
        *(f"{what}: {how}." for what, how in asked.protocol.in_words),
        *(f"{one.name}: {one.words}." for one in asked.protocol.parsed),
        *left_out,
    )


def scores_sheet(asked: Asked, measure: Measure) -> Table:
    """A row per run and person, four columns per measure; sorted by one of them."""
    found, people = scores_of(asked, measure), people_of(asked, measure)
    columns = [Column("run", "Run"), Column("rank", "Rank")]
    for one in found.measures:
        columns += [
            Column(one.name, one.name, Kind.PERCENT, ends=(f"{one.name} low", f"{one.name} high")),
            Column(f"{one.name} low", "low", Kind.PERCENT, printed=False),
            Column(f"{one.name} high", "high", Kind.PERCENT, printed=False),
            Column(f"{one.name} error", "standard error", Kind.PERCENT, printed=False),
            Column(f"{one.name} judged", "judged", Kind.PERCENT, printed=False),
        ]
    rows = [
        (
            row.name,
            row.rank,
            *(
                None if value is None else 100 * value
                for cell in row.cells
                for value in (cell.value, cell.low, cell.high, cell.error, cell.judged)
            ),
        )
        for row in (*found.rows, *people.rows)
    ]
    return Table(
        "scores",
        "Runs by measure",
        tuple(columns),
        rows,
        (*notes_of(asked), TIMES_100, *(f"{row.name}: {row.note}." for row in people.rows)),
        Dots((Series(measure.name, measure.name),), measure.name, 0, 100),
    )


def by_source_sheet(comparison: Comparison) -> Table:
    columns = (
        Column("values_of", "Values of"),
        Column("difference", "Difference", Kind.NUMBER, ends=("low", "high")),
        Column("low", "low", Kind.NUMBER, printed=False),
        Column("high", "high", Kind.NUMBER, printed=False),
        Column("p", "p (sign flips)", Kind.COEFFICIENT),
        Column("won", "Won", Kind.COUNT),
        Column("tied", "Tied", Kind.COUNT),
        Column("lost", "Lost", Kind.COUNT),
    )
    rows = [
        (
            one.source.in_words,
            100 * one.mean,
            100 * one.low,
            100 * one.high,
            one.p,
            one.wins,
            one.ties,
            one.losses,
        )
        for one in comparison.by_sources
    ]
    title = f"{comparison.first} less {comparison.second}, {comparison.measure.name}"
    return Table("by-source", title, columns, rows, (*notes_of(comparison.asked), TIMES_100))


def by_topic_sheet(comparison: Comparison) -> Table:
    columns = (
        Column("topic", "Topic"),
        Column("facet", "Facet"),
        Column("relevant", "Relevant", Kind.COUNT),
        Column("first", comparison.first, Kind.PERCENT),
        Column("second", comparison.second, Kind.PERCENT),
        Column("difference", "Difference", Kind.NUMBER),
    )
    rows = [
        (
            line.unit.id,
            line.unit.facet,
            line.relevant,
            100 * line.first,
            100 * line.second,
            100 * line.difference,
        )
        for line in comparison.lines
    ]
    series = (Series("first", comparison.first), Series("second", comparison.second))
    title = f"{comparison.first} and {comparison.second} by topic, {comparison.measure.name}"
    return Table(
        "by-topic",
        title,
        columns,
        rows,
        (*notes_of(comparison.asked), TIMES_100),
        Dots(series, comparison.measure.name, 0, 100),
    )


def ranks_sheet(matter: Matter, draws: Drawn) -> Table:
    """Per system its rank by the reference and by each seat, and the share of draws with each."""
    reference, orders = matter.reference, matter.drawn(draws).orders
    alone = [one for one in matter.alone if one.source and one.source.kind is SourceKind.SEAT]
    systems = len(reference.names)
    columns = (
        Column("run", "Run"),
        Column("value", f"By {matter.by}", Kind.PERCENT),
        Column("rank", "Rank", Kind.COUNT),
        *(Column(one.source.address, one.name, Kind.COUNT) for one in alone if one.source),
        *(
            Column(f"share_{rank}", str(rank), Kind.PERCENT, "Percent of draws with rank")
            for rank in range(1, systems + 1)
        ),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            100 * float(reference.means[place]),
            int(reference.ranks[place]),
            *(int(one.orders.ranks[place]) for one in alone),
            *(100 * float(share) for share in orders.rank_shares[place]),
        )
        for place, name in enumerate(reference.names)
    ]
    series = tuple(Series(f"share_{rank}", str(rank)) for rank in range(1, systems + 1))
    return Table(
        "ranks",
        f"Who stands where, {matter.measure.name}",
        columns,
        rows,
        (*notes_of(matter.asked), _draws_note(matter, draws)),
        Heat(series, f"System, as by {matter.by}", "Rank", 100),
    )


def pairs_sheet(matter: Matter, draws: Drawn, *, significant: bool = False) -> Table:
    """Every two systems; or those alone that differ significantly by the reference."""
    columns = (
        Column("above", "Above"),
        Column("below", "Below"),
        Column("difference", f"Points by {matter.by}", Kind.NUMBER),
        Column("p", "p", Kind.COEFFICIENT),
        Column("p_holm", "p, Holm", Kind.COEFFICIENT),
        Column("significant", "Significant", Kind.COUNT),
        Column("reversed_share", "Reversed", Kind.SHARE),
        Column("kept_share", "Kept", Kind.SHARE),
    )
    rows = []
    for one in pairs_of(matter, matter.drawn(draws)):
        if one["significant"] or not significant:
            cells = one | {
                "difference": 100 * one["difference"],
                "significant": int(one["significant"]),
            }
            rows.append(tuple(cells[column.key] for column in columns))
    key, title = (
        ("claims", "Which claims survive") if significant else ("pairs", "Which differences turn")
    )
    return Table(
        key,
        f"{title}, {matter.measure.name}",
        columns,
        rows,
        (*notes_of(matter.asked), _draws_note(matter, draws)),
    )


def changes_sheet(matter: Matter) -> Table:
    names = {
        "tau_b": ("tau-b", Kind.COEFFICIENT),
        "tau_ap": ("tau_AP", Kind.COEFFICIENT),
        "rbo": ("RBO .9", Kind.COEFFICIENT),
        "swaps": ("Swaps", Kind.NUMBER),
        "kept": ("Kept", Kind.NUMBER),
        "lost": ("Lost", Kind.NUMBER),
        "reversed": ("Reversed", Kind.NUMBER),
        "new": ("New", Kind.NUMBER),
    }
    columns = [Column("values_of", "Values of"), Column("group", "Kind", printed=False)]
    for key, (title, kind) in names.items():
        columns += [
            Column(key, title, kind, ends=(f"{key}_low", f"{key}_high")),
            Column(f"{key}_low", "low", kind, printed=False),
            Column(f"{key}_high", "high", kind, printed=False),
        ]
    rows = [tuple(row[column.key] for column in columns) for row in map(row_of, matter.everything)]
    return Table(
        "changes",
        f"By kind of change, {matter.measure.name}",
        tuple(columns),
        rows,
        (*notes_of(matter.asked), _draws_note(matter, Drawn.TOPIC)),
        Dots((Series("tau_b", "tau-b"), Series("tau_ap", "tau_AP")), "Correlation", -1, 1, line=1),
    )


def _draws_note(matter: Matter, draws: Drawn) -> str:
    what = "topic" if draws is Drawn.TOPIC else "pair"
    return (
        f"{matter.draws:,} draws of one rater per {what}, seed {matter.seed}; ranges of draws are "
        "their middle 95%. Significance by 10,000 sign flips, seed 7, Holm over all pairs, .05."
    )


def lab_sheet(lab: Lab) -> Table:
    columns = (
        Column("run", "Run"),
        Column("ranked", "Documents", Kind.COUNT),
        Column("unjudged", "Unjudged", Kind.COUNT),
        Column("relevant", "Relevant", Kind.COUNT),
        Column("alone", "Only it", Kind.COUNT),
        Column("relevant_alone", "Relevant, only it", Kind.COUNT),
        Column("value", lab.measure.name, Kind.PERCENT),
        Column("rank", "Rank"),
        Column("without", "Not pooled", Kind.PERCENT),
        Column("rank_without", "Rank, not pooled"),
    )
    rows = [
        tuple(
            100 * value if column.kind is Kind.PERCENT and value is not None else value
            for column in columns
            for value in [getattr(row, column.key)]
        )
        for row in lab.rows
    ]
    notes = (
        *notes_of(lab.asked),
        f"Of the first {lab.depth} documents of each run, over all topics. Not pooled: what "
        "the run alone has there counts as unjudged.",
    )
    title = f"What each run found, first {lab.depth}"
    return Table("lab", title, columns, rows, notes)


Compared = Callable[[], Comparison]
Mattering = Callable[[], Matter]
InLab = Callable[[], Lab]


def sheets(
    asked: Asked,
    measure: Measure,
    comparison: Compared,
    matter: Mattering,
    lab: InLab,
    draws: Drawn,
) -> Mapping[str, Callable[[], Table]]:
    """Every table by its key, made when it is asked for."""
    return {
        "scores": lambda: scores_sheet(asked, measure),
        "by-source": lambda: by_source_sheet(comparison()),
        "by-topic": lambda: by_topic_sheet(comparison()),
        "ranks": lambda: ranks_sheet(matter(), draws),
        "pairs": lambda: pairs_sheet(matter(), draws),
        "claims": lambda: pairs_sheet(matter(), draws, significant=True),
        "changes": lambda: changes_sheet(matter()),
        "lab": lambda: lab_sheet(lab()),
    }
