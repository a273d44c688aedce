"""Reading BEIR's folders: `corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv` or, as MTEB
has them, `qrels/<split>.jsonl`; and TREC's runs beside them.

Qrels are judgments, one set for each split, of which `test` is taken where it is there; their
documents are the pools, and without qrels those of the runs. Queries that no chosen split judges,
and documents that nobody pooled, are counted and not kept, unless asked for. Queries that say of
themselves that they are a query under a facet (`topics.py`) are read as such topics.
"""

from collections.abc import Iterator
from typing import Any

from formats.assemble import Assembly
from formats.beir.topics import are_topics, topic_of
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.literals import identifier_of, literal_of, rewritten
from formats.named_documents import first_row, read_corpus
from formats.problems import Problems
from formats.reading import Options, Part, Recognition, parts_in_order
from formats.records import Judgment, JudgmentSet, Level, Place, PoolEntry, Query, Study
from formats.runs_and_qrels import LABELS as LABELS_BESIDE
from formats.runs_and_qrels import pool_runs, read_part
from formats.strict import BadTextError, shown
from formats.tables.cells import text_of
from formats.tables.json_rows import JsonLines
from formats.tables.rows import Row
from formats.text_lines import text_lines
from formats.trec.lines import is_finite_number
from formats.trec.runs import looks_like_run

KEY = "beir"
HEADER = ["query-id", "corpus-id", "score"]
LABELS = {
    "documents": "Corpus",
    "queries": "Queries",
    "qrels": "Judgments of a split",
    "run": LABELS_BESIDE["run"],
}
ORDER = ("qrels", "queries", "run", "documents")
OLD_EXPORT = "Take an export made today, whose queries say it in their metadata, or the CSV."


def recognise(files: Files) -> Recognition | None:
    """The files of a BEIR folder, by their content."""
    kinds = {file.name: kind for file in data_files(files) if (kind := _kind(file))}
    if not {"documents", "queries"} <= set(kinds.values()):
        return None
    splits = [file for file in data_files(files) if kinds.get(file.name) == "qrels"]
    has_test = any(_split_of(file) == "test" for file in splits)
    parts = []
    for name, kind in kinds.items():
        is_left = kind == "qrels" and has_test and _split_of(files.named(name)) != "test"
        label = f"{LABELS[kind]} (another one is taken)" if is_left else LABELS[kind]
        parts.append(Part(name, "" if is_left else kind, label))
    names = ", ".join(map(_split_of, splits))
    suffix = f", judgments of {names}" if names else ""
    return Recognition(KEY, 3, f"BEIR: corpus and queries{suffix}.", tuple(parts), {}, LABELS)


def _split_of(file: SourceFile) -> str:
    return file.base.removesuffix(file.suffix)


def _kind(file: SourceFile) -> str:
    # A file called qrels that cannot be read is refused, and not left alone.
    is_called_so = file.base.startswith("qrels") or file.folder == "qrels"
    if file.suffix == ".jsonl":
        row = first_row(file)
        if is_called_so or set(HEADER) <= set(row):
            return "qrels"
        if {"_id", "text"} <= set(row):
            is_queries = "title" not in row and not file.base.startswith("corpus")
            return "queries" if is_queries else "documents"
    if file.suffix == ".tsv":
        first = file.start(200).decode("utf-8-sig", "replace").splitlines()[:1]
        has_header = bool(first) and first[0].split("\t") == HEADER
        return "qrels" if has_header or is_called_so else ""
    return "run" if looks_like_run(file) else ""


def read(files: Files, options: Options) -> Study:
    """The study that the folder holds; raises BadInputError."""
    assembly = Assembly(Study(KEY, fingerprint=files.fingerprint), options)
    parts = list(parts_in_order(files, options, recognise(files), ORDER))
    queries = [file for file, part in parts if part == "queries"]
    by_topic = options.judged_by != "aspects" and are_topics(queries, options)
    judged: set[str] = set()
    for file, part in parts:
        assembly.report_on(file, files)
        with assembly.problems.of(file.name):
            if part == "qrels":
                judged |= _read_split(assembly, file, by_topic)
            elif part == "queries":
                _read_queries(assembly, file, judged, by_topic)
            elif part == "run":
                read_part(assembly, file, part)
            else:
                _pool(assembly)
                read_corpus(assembly, file)
    if not by_topic:
        assembly.study.notes += assembly.note_on_topics(OLD_EXPORT)
    return completed(assembly)


def _read_split(assembly: Assembly, file: SourceFile, by_topic: bool) -> set[str]:
    judgments = list(_judgments(file, assembly.problems))
    level: Level = "topic" if by_topic else assembly.judged_level
    assembly.study.judgments.append(
        JudgmentSet(_split_of(file), level, file.name, file.sha256, "", judgments)
    )
    return {judgment.subject for judgment in judgments}


def _judgments(file: SourceFile, problems: Problems) -> Iterator[Judgment]:
    first: dict[tuple[str, str], int] = {}
    for number, cells in _cells(file):
        place = Place(file.name, number)
        if len(cells) != len(HEADER):
            problems.at(place, f"{len(cells)} columns; expected 3.", "Divide them by tabs.")
            continue
        query, document, score = (cell.strip() for cell in cells)
        if not is_finite_number(score):
            problems.at(
                place.at("score"), f"the score {shown(score)} is no number.", "Correct the line."
            )
        elif first.setdefault((query, document), number) != number:
            problems.at(
                place,
                f"the document {shown(document)} is judged for {shown(query)} in line "
                f"{first[query, document]:,} already.",
                "Keep one of the two.",
            )
        else:
            yield Judgment(query, document, score, "", place)


def _cells(file: SourceFile) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of each judgment; raises BadTextError."""
    if file.suffix == ".jsonl":
        for row in JsonLines(file).rows():
            yield row.line, [_literal(row, name) for name in HEADER]
        return
    for number, text in text_lines(file):
        cells = text.rstrip("\r\n").split("\t")
        if number == 1 and cells != HEADER:
            raise BadTextError(
                f"the first line is {shown(text.strip())}; expected the names of three columns.",
                f"Write {', '.join(HEADER)} there, divided by tabs. Qrels of four columns come in "
                "with the format trec-qrels.",
                "line 1",
            )
        if number > 1 and text.strip():
            yield number, cells


def _literal(row: Row, name: str) -> str:
    try:
        return literal_of(row.cells.get(name))
    except BadTextError as error:
        place = f"line {row.line:,}, column {name}"
        raise BadTextError(error.message, error.remedy, place) from None


def _read_queries(assembly: Assembly, file: SourceFile, judged: set[str], by_topic: bool) -> None:
    unjudged_count = 0
    for row in JsonLines(file).rows():
        place = Place(file.name, row.line)
        try:
            unjudged_count += not _add_query(assembly, row.cells, place, judged, by_topic)
        except BadTextError as error:
            assembly.bad_text(place, error)
    if unjudged_count:
        assembly.study.notes.append(
            f"{file.name}: queries that no chosen split judges, which are left out: "
            f"{unjudged_count:,}."
        )


def _add_query(
    assembly: Assembly, row: dict[str, Any], place: Place, judged: set[str], by_topic: bool
) -> bool:
    """Add a query; False where no chosen split judges it."""
    query = identifier_of(row.get("_id"))
    if not assembly.is_identifier(query, place.at("_id"), "identifier"):
        return True
    if judged and query not in judged and not assembly.options.keep_unpooled:
        return False
    if by_topic and (topic := topic_of(row)):
        text = "" if topic.document else text_of(row.get("text"))
        assembly.add_query(
            Query(topic.query, text, topic.document, "", "", {}, place),
            {topic.facet: topic.metadata},
        )
        return True
    metadata = row.get("metadata")
    assembly.add_query(
        Query(
            query,
            text_of(row.get("text")),
            "",
            "",
            "",
            metadata if isinstance(metadata, dict) else {},
            place,
        )
    )
    return True


def _pool(assembly: Assembly) -> None:
    """The judged documents as pools, once; where nothing is judged, those of the runs."""
    if not assembly.study.judgments:
        pool_runs(assembly)
    if assembly.are_runs_pooled:
        return
    assembly.are_runs_pooled = True
    for judgments in assembly.study.judgments:
        for judgment in judgments.judgments:
            target = assembly.pool_target(judgment.subject, judgment.place)
            if target is None:
                assembly.problem(
                    judgment.place,
                    f"the query {shown(judgment.subject)} is not among the queries.",
                    # Queries that nothing judges were seen, and not kept.
                    rewritten([judgment.subject], assembly.checked_ids.__contains__)
                    or "Add it to them, or leave the line out.",
                )
            elif assembly.is_identifier(judgment.document, judgment.place, "document"):
                # The same pair may be judged in several splits.
                assembly.add_pool(
                    PoolEntry(*target, judgment.document, (), None, "", "", judgment.place)
                )
