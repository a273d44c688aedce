"""Reading tables into the neutral form, part by part. Names come before their use, and documents
last, since of a large corpus only the named ones are kept.

TREC's runs and qrels beside them are read as well. Where no table says what is to be rated, runs
give the pools, unless `settings["pools"]` is false.
"""

from collections import Counter
from collections.abc import Iterable, Sequence, Set

from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files
from formats.reading import Options, Recognition, parts_in_order
from formats.records import Study
from formats.runs_and_qrels import LABELS as BESIDE
from formats.runs_and_qrels import pool_runs, read_part
from formats.tables.cells import Mapped
from formats.tables.fields import FIELDS, LABELS
from formats.tables.guess import raters_by_grades
from formats.tables.judgments import read_judgments
from formats.tables.matching import (
    first_columns,
    mapped_tables,
    other_columns,
    parts_seen,
    unread_sheets,
)
from formats.tables.opening import stem_of
from formats.tables.parts import TableReader
from formats.words import listed

FORMAT = "tables"
ORDER = ("queries", "aspects", "pairs", "pool", "ratings", "decisions", "judgments", "documents")

# The parts that say what is to be rated.
POOLING = {"pool", "pairs", "ratings"}
LISTED = 8

# Columns by which ratings are known that were exported here.
EXPORTED_RATINGS = {"batch", "seat", "scheme_version"}
NO_TABLE = (
    "Match its columns, or bring a table (CSV, JSON lines, Excel or Parquet) with a row for each "
    "answer: query, document, rater and grade."
)
WITHOUT_OVERLAP = (
    "{} is an incomplete export that does not say how many people were to rate a pair: where fewer "
    "did, the pair counts as rated by all. Exports made today say it."
)
RUNS_ARE_POOLED = (
    "Every document of the runs is to be rated: they are in the pools. To have only the first "
    "ranks rated, leave the runs out here, and make the pool on the page of runs."
)
RUNS_ARE_NOT_POOLED = "The runs add nothing to the pools: the tables say what is to be rated."
PERHAPS_RATINGS = (
    "Tables of grades without a rater, which come in as judgments made elsewhere: {}. Where each "
    "has the ratings of a person, bring them as one table with a column that names the rater."
)
PERHAPS_RATERS = (
    "{} has columns that are not read and begin with grades as those of the raters do: {}. If they "
    "are of raters, too, match them with Grades by rater."
)
NO_RATERS = (
    "{} has columns that are no ratings and begin with grades: {}. If raters gave them, bring a "
    "table of query, document and these columns too."
)


def recognise(files: Files) -> Recognition | None:
    """Tables among the files, each with a guess of its part and columns, and what lies beside
    them."""
    parts = parts_seen(files)
    if not parts:
        return None
    return Recognition(
        FORMAT,
        2 if any(part.key in FIELDS for part in parts) else 1,
        in_words(part.key for part in parts),
        tuple(parts),
        FIELDS,
        LABELS,
        say=in_words,
    )


def in_words(parts: Iterable[str]) -> str:
    """A sentence that counts the parts by these keys."""
    keys = list(parts)
    if not FIELDS.keys() & keys:
        return "Tables whose columns are to be matched."
    labels = LABELS | BESIDE
    count = Counter(labels[key].lower() for key in keys if key in labels)
    words = [f"{label} ({n})" if n > 1 else label for label, n in count.items()]
    return f"Tables: {', '.join(words)}."


def read(files: Files, options: Options) -> Study:
    """The study that the tables hold; raises BadInputError with everything that is wrong."""
    study = Study(FORMAT, fingerprint=files.fingerprint)
    assembly = Assembly(study, options)
    mapped = mapped_tables(files, options.mapping, assembly.problems)
    study.notes += unread_sheets(files, options.mapping, mapped)
    if not mapped:
        for file in data_files(files)[: 0 if assembly.problems.total else 1]:
            assembly.problems.add(file.name, "", "no table of a study was recognised.", NO_TABLE)
    study.notes += [WITHOUT_OVERLAP.format(table.table.name) for table in mapped if _lacks(table)]
    study.notes += _perhaps_ratings(mapped)
    study.notes += [note for table in mapped for note in _perhaps_raters(table)]
    reader = TableReader(assembly)
    for part in ORDER:
        if part == "documents":
            _read_beside(files, assembly, parts={table.part for table in mapped})
        for table in mapped:
            if table.part == part:
                assembly.report_on(table.table.file, files)
                if part == "judgments":
                    read_judgments(table, assembly)
                else:
                    reader.read(table)
    study.notes += assembly.notes_on_texts
    return completed(assembly)


def _read_beside(files: Files, assembly: Assembly, *, parts: Set[str]) -> None:
    for file, part in parts_in_order(files, assembly.options, recognise(files), tuple(BESIDE)):
        assembly.report_on(file, files)
        read_part(assembly, file, part)
    if not assembly.study.runs:
        return
    is_pooled = not parts.isdisjoint(POOLING)
    if assembly.options.settings.get("pools", not is_pooled):
        pool_runs(assembly)
        assembly.study.notes.append(RUNS_ARE_POOLED)
    elif is_pooled:
        assembly.study.notes.append(RUNS_ARE_NOT_POOLED)


def _perhaps_ratings(mapped: Sequence[Mapped]) -> list[str]:
    """A note where people may each have a table of their ratings."""
    names = [table.table.name for table in mapped if table.part == "judgments"]
    if len(names) < 2 or any(table.part in ("ratings", "pairs") for table in mapped):
        return []
    return [PERHAPS_RATINGS.format(listed(names, LISTED))]


def _perhaps_raters(table: Mapped) -> list[str]:
    """A note on columns that are not read although they look like those of the raters: of raters
    called by names, some may not be known as such."""
    if table.part in ("pairs", "pool") and "rater" not in table.columns:
        columns = first_columns(table.table)
        names = raters_by_grades(table.table.name, columns, table.columns)
        return [NO_RATERS.format(table.table.name, listed(names, LISTED))] if names else []
    raters = table.columns.get("grades", [])
    columns = first_columns(table.table) if raters else ()
    literals = {
        value for column in columns if column.name in raters for value in column.first_values
    }
    unread_names = other_columns((column.name for column in columns), table.columns)
    names = [
        column.name
        for column in columns
        if column.name in unread_names and not literals.isdisjoint(column.first_values)
    ]
    return [PERHAPS_RATERS.format(table.table.name, listed(names, LISTED))] if names else []


def _lacks(table: Mapped) -> bool:
    """Whether ratings were exported incomplete, and before exports named the overlap."""
    is_exported_here = EXPORTED_RATINGS.issubset(table.table.columns)
    is_incomplete = stem_of(table.table.name).endswith("-incomplete")
    has_overlap = "overlap" in table.columns
    return table.part == "ratings" and is_exported_here and is_incomplete and not has_overlap
