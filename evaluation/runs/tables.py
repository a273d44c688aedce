"""The tables of the pages of runs as data, for CSV, JSON, LaTeX and pictures."""

from agreement.tables.table import Cell, Column, Dots, Heat, Kind, Series, Table
from evaluation.measures import Measure
from evaluation.orders.draws import Drawn
from evaluation.protocols import Protocol
from evaluation.runs.comparison import Comparison
from evaluation.runs.disagreement import Matter
from evaluation.runs.disagreement_in_words import pairs_of, row_of
from evaluation.runs.evaluation import ALL, Evaluation
from evaluation.runs.lab import Lab
from evaluation.runs.scores import people_of, scores_of
from evaluation.sources.source import Kind as SourceKind

TIMES_100 = "Values are times 100; intervals are 95% percentile bootstrap over topics, seed 7."


def notes_of(evaluation: Evaluation) -> tuple[str, ...]:
    """Notes of every table on its origin."""
    left_out = [f"Not yet: {topic.id} ({topic.reason})." for topic in evaluation.not_yet]
    return (
        f"Values of {evaluation.source.in_words}; "
        f"{evaluation.count_in_words(len(evaluation.topics))}{_narrowed_to(evaluation)}.",
        *measuring_of(evaluation.protocol),
        *left_out,
    )


def _narrowed_to(evaluation: Evaluation) -> str:
    """The facet, fold and tag that were chosen, behind the number of topics."""
    words = evaluation.collection.scheme.current.words
    narrowing = [
        *([f"under {words.facet_name(evaluation.facet)}"] if evaluation.facet != ALL else []),
        *([f"fold {evaluation.fold}"] if evaluation.fold != ALL else []),
        *([evaluation.tag.replace("=", ": ")] if evaluation.tag else []),
    ]
    return "".join(f", {part}" for part in narrowing)


def measuring_of(protocol: Protocol) -> tuple[str, ...]:
    """Notes on how the protocol measures."""
    return (
        *(f"{term}: {words}." for term, words in protocol.in_words),
        *(f"{measure.name}: {measure.words}." for measure in protocol.parsed),
    )


def tested_of(evaluation: Evaluation) -> tuple[str, ...]:
    """A note on what tests are of, where it must be said."""
    return (evaluation.tested,) if evaluation.tested else ()


def scores_sheet(evaluation: Evaluation, measure: Measure) -> Table:
    """A row per run and person, five columns per measure; sorted by one of them."""
    scores, people = scores_of(evaluation, measure), people_of(evaluation, measure)
    without = [f"Without a value: {scores.without_value}."] if scores.without_value else []
    columns = [Column("run", "Run"), Column("rank", "Rank")]
    for by in scores.measures:
        columns += [
            Column(by.name, by.name, Kind.PERCENT, ends=(f"{by.name} low", f"{by.name} high")),
            Column(f"{by.name} low", "low", Kind.PERCENT, printed=False),
            Column(f"{by.name} high", "high", Kind.PERCENT, printed=False),
            Column(f"{by.name} error", "standard error", Kind.PERCENT, printed=False),
            Column(f"{by.name} judged", "judged", Kind.PERCENT, printed=False),
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
        for row in (*scores.rows, *people.rows)
    ]
    return Table(
        "scores",
        "Runs by measure",
        tuple(columns),
        rows,
        (
            *notes_of(evaluation),
            *without,
            TIMES_100,
            *(f"{row.name}: {row.note}." for row in people.rows),
        ),
        Dots((Series(measure.name, measure.name),), measure.name, 0, 100),
    )


def by_source_sheet(comparison: Comparison) -> Table:
    columns = (
        Column("values_of", "Values of"),
        Column("difference", "Difference", Kind.NUMBER, ends=("low", "high")),
        Column("low", "low", Kind.NUMBER, printed=False),
        Column("high", "high", Kind.NUMBER, printed=False),
        Column("p", "p (sign flips)", Kind.P),
        Column("won", "Won", Kind.COUNT),
        Column("tied", "Tied", Kind.COUNT),
        Column("lost", "Lost", Kind.COUNT),
    )
    rows = [
        (
            difference.source.in_words,
            100 * difference.mean,
            100 * difference.low,
            100 * difference.high,
            difference.p,
            difference.wins,
            difference.ties,
            difference.losses,
        )
        for difference in comparison.by_sources
    ]
    title = f"{comparison.first} less {comparison.second}, {comparison.measure.name}"
    evaluation = comparison.evaluation
    notes = (*notes_of(evaluation), *tested_of(evaluation), TIMES_100)
    return Table("by-source", title, columns, rows, notes)


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
        (*notes_of(comparison.evaluation), TIMES_100),
        Dots(series, comparison.measure.name, 0, 100),
    )


def ranks_sheet(matter: Matter, draws: Drawn) -> Table:
    """Per system its rank by the reference and by each seat, and the share of draws with each."""
    reference, orders = matter.reference, matter.drawn(draws).orders
    alone = [
        order for order in matter.alone if order.source and order.source.kind is SourceKind.SEAT
    ]
    systems = len(reference.names)
    columns = (
        Column("run", "Run"),
        Column("value", f"By {matter.by}", Kind.PERCENT),
        Column("rank", "Rank", Kind.COUNT),
        *(Column(order.source.address, order.name, Kind.COUNT) for order in alone if order.source),
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
            *(int(order.orders.ranks[place]) for order in alone),
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
        (*notes_of(matter.evaluation), _draws_note(matter, draws), *tested_of(matter.evaluation)),
        Heat(series, f"System, as by {matter.by}", "Rank", 100),
    )


def pairs_sheet(matter: Matter, draws: Drawn, *, significant: bool = False) -> Table:
    """Every two systems; or those alone that differ significantly by the reference."""
    columns = (
        Column("above", "Above"),
        Column("below", "Below"),
        Column("difference", f"Points by {matter.by}", Kind.NUMBER),
        Column("p", "p", Kind.P),
        Column("p_holm", "p, Holm", Kind.P),
        Column("significant", "Significant", Kind.COUNT),
        Column("reversed_share", "Reversed", Kind.SHARE),
        Column("kept_share", "Kept", Kind.SHARE),
    )
    rows = []
    for pair in pairs_of(matter, matter.drawn(draws)):
        if pair["significant"] or not significant:
            cells = pair | {
                "difference": 100 * pair["difference"],
                "significant": int(pair["significant"]),
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
        (*notes_of(matter.evaluation), _draws_note(matter, draws), *tested_of(matter.evaluation)),
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
        (
            *notes_of(matter.evaluation),
            _draws_note(matter, Drawn.TOPIC),
            *tested_of(matter.evaluation),
        ),
        Dots((Series("tau_b", "tau-b"), Series("tau_ap", "tau_AP")), "Correlation", -1, 1, line=1),
    )


def _draws_note(matter: Matter, draws: Drawn) -> str:
    noun = "topic" if draws is Drawn.TOPIC else "pair"
    return (
        f"{matter.draws:,} draws of one rater per {noun}, seed {matter.seed}; ranges of draws are "
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
        (
            row.name,
            *(
                100 * value if column.kind is Kind.PERCENT and value is not None else value
                for column in columns[1:]
                for value in [getattr(row, column.key)]
            ),
        )
        for row in lab.rows
    ]
    notes = (
        *notes_of(lab.evaluation),
        f"Of the first {lab.depth} documents of each run, over all topics. Not pooled: "
        "documents that only this run has there count as unjudged.",
    )
    title = f"What each run found, first {lab.depth}"
    return Table("lab", title, columns, rows, notes)
