"""Reading LitSearch's rows, as JSON lines or Parquet.

Questions have no identifiers: their position is one, from 0, with the file's name before it where
there are several files. Set, specificity and quality are metadata, and so are citations of papers.
`corpusids` are judgments of relevance and the pool of a question. Full papers are not kept.
"""

from collections.abc import Iterator
from typing import Any

from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.literals import identifier_of, literal_of
from formats.named_documents import add_row
from formats.reading import Options, Part, Recognition
from formats.records import Judgment, JudgmentSet, Place, PoolEntry, Query, Study
from formats.strict import BadTextError
from formats.tables.cells import list_of, text_of
from formats.tables.kinds import is_table
from formats.tables.opening import open_tables
from formats.tables.parquet import ParquetTable
from formats.tables.rows import Table

KEY = "litsearch"
QUERY_KEYS = {"query", "corpusids"}
CORPUS_KEYS = {"corpusid", "title", "abstract"}
LABELS = {"queries": "Questions", "documents": "Corpus"}
# Texts of hundreds of kilobytes that nobody rates.
NOT_KEPT = frozenset({"full_paper"})
RELEVANT = "1"


def recognise(files: Files) -> Recognition | None:
    """Questions and corpus, by their columns."""
    parts = [
        Part(file.name, kind, LABELS[kind]) for file in data_files(files) if (kind := _kind(file))
    ]
    if not any(part.key == "queries" for part in parts):
        return None
    contents = " and ".join(
        LABELS[kind].lower() for kind in LABELS if any(part.key == kind for part in parts)
    )
    return Recognition(KEY, 3, f"LitSearch: {contents}.", tuple(parts), {}, LABELS)


def _kind(file: SourceFile) -> str:
    try:
        table = open_tables(file)[0] if is_table(file) else None
    except BadTextError:
        return ""
    columns = set(table.columns) if table else set()
    if columns >= QUERY_KEYS:
        return "queries"
    return "documents" if columns >= CORPUS_KEYS else ""


def read(files: Files, options: Options) -> Study:
    """The study that the files hold; raises BadInputError."""
    assembly = Assembly(Study(KEY, fingerprint=files.fingerprint), options)
    kinds = {
        file.name: options.part_of(file.name, kind)
        for file in data_files(files)
        if (kind := _kind(file))
    }
    for kind in ("queries", "documents"):
        files_of_kind = [file for file in data_files(files) if kinds.get(file.name) == kind]
        for file in files_of_kind:
            with assembly.problems.of(file.name):
                if kind == "queries":
                    _read_queries(assembly, file, is_only=len(files_of_kind) == 1)
                else:
                    _read_corpus(assembly, file)
    return completed(assembly)


def _read_queries(assembly: Assembly, file: SourceFile, *, is_only: bool) -> None:
    table = open_tables(file)[0]
    stem = file.base.rsplit(".", 1)[0]
    judgments: list[Judgment] = []
    for position, row in enumerate(table.rows()):
        place = table.place(row.line)
        query = str(position) if is_only else f"{stem}-{position}"
        try:
            judgments += _query(assembly, query, row.cells, place)
        except BadTextError as error:
            assembly.bad_text(place, error)
    if judgments:
        assembly.study.judgments.append(
            JudgmentSet(stem, assembly.judged_level, file.name, file.sha256, "", judgments)
        )


def _query(assembly: Assembly, query: str, row: dict[str, Any], place: Place) -> Iterator[Judgment]:
    if not assembly.is_identifier(query, place, "identifier"):
        return
    metadata = {
        key: value for key, value in row.items() if key not in QUERY_KEYS and value is not None
    }
    assembly.add_query(Query(query, text_of(row.get("query")), "", "", "", metadata, place))
    for paper in list_of(row.get("corpusids")):
        document = identifier_of(paper)
        if (query, None, document) in assembly.pool:
            assembly.study.leave_out(place, f"The paper {document} stands twice in the list.")
        elif assembly.is_identifier(document, place.at("corpusids"), "document"):
            assembly.add_pool(PoolEntry(query, None, document, (), None, "", "", place))
            yield Judgment(query, document, RELEVANT, "", place)


def _read_corpus(assembly: Assembly, file: SourceFile) -> None:
    document_ids = assembly.wanted
    table = open_tables(file)[0]
    for row in _rows(table):
        place = table.place(row.line)
        try:
            literal_of(row.cells.get("title"))
            add_row(assembly, row.cells, place, document_ids, NOT_KEPT)
        except BadTextError as error:
            assembly.bad_text(place, error)


def _rows(table: Table) -> Iterator[Any]:
    """The rows, without reading what is not kept where the file allows that."""
    if isinstance(table, ParquetTable):
        return table.rows([name for name in table.columns if name not in NOT_KEPT])
    return table.rows()
