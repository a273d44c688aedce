"""Reading tables into the neutral form, part by part. Names come before their use, and documents
last, since of a large corpus only the named ones are kept.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formats import literals
from formats.assemble import Assembly
from formats.credits import data_files, texts_beside
from formats.files import Files, SourceFile
from formats.flat import FlatPair, add_pair, sentences_of
from formats.literals import literal_of
from formats.problems import Problems
from formats.reading import UNKNOWN, Column, Options, Part, Recognition
from formats.records import (
    Decision,
    Document,
    Judgment,
    JudgmentSet,
    Level,
    Place,
    PoolEntry,
    Query,
    Rating,
    Sentence,
    Study,
)
from formats.strict import BadTextError, shown
from formats.tables.cells import Cells, Mapped, list_of, text_of
from formats.tables.fields import FIELDS, LABELS
from formats.tables.guess import Guess, guess_part, lacking
from formats.tables.rows import Table, is_json_table, is_table, open_tables, stem_of

FORMAT = "tables"
ORDER = ("queries", "aspects", "pairs", "pool", "ratings", "decisions", "judgments", "documents")
FIRST_ROWS = 20
FIRST_VALUES = 3
LISTED_COLUMNS = 8
SHOWN_LENGTH = 80
PAIR_TEXTS = (
    "query_title", "query_text", "title", "text", "description", "narrative", "side_title",
    "side_text",
)  # fmt: skip
# A file is given up once so many of its rows are wrong.
GIVE_UP_AFTER = 10_000


def _is_table(file: SourceFile) -> bool:
    """Whether a file may be a table: by its ending, or a text that names columns of a study."""
    may_name_columns = file.suffix in ("", ".txt") or is_json_table(file)
    return is_table(file) or (may_name_columns and _names_columns(file))


def _names_columns(file: SourceFile) -> bool:
    try:
        columns = [Column(name, ()) for table in open_tables(file) for name in table.columns]
    except BadTextError:
        return False
    return len(columns) > 1 and bool(guess_part(file.name, columns)[0])


def recognise(files: Files) -> Recognition | None:
    """Tables among the files, each with a guess of its part and columns."""
    parts = []
    for file in data_files(files):
        if not _is_table(file):
            continue
        try:
            parts += _parts(open_tables(file))
        except BadTextError:
            parts.append(Part(file.name, UNKNOWN, "Cannot be read"))
    if not parts:
        return None
    labels = [part.label for part in parts if part.key in FIELDS]
    count = Counter(labels)
    parts_in_words = ", ".join(
        f"{label.lower()} ({n})" if n > 1 else label.lower() for label, n in count.items()
    )
    certainty = 1 if not labels else 2
    return Recognition(
        FORMAT,
        certainty,
        f"Tables: {parts_in_words}." if labels else "Tables whose columns are to be matched.",
        tuple(parts),
        FIELDS,
        LABELS,
    )


def _parts(tables: Sequence[Table]) -> list[Part]:
    """The tables of a file. Beside a sheet that is recognised, others are left alone."""
    guesses = [(table, columns := first_columns(table), _guess(table, columns)) for table in tables]
    is_any_known = any(key for _, _, (key, _) in guesses)
    unknown = "" if is_any_known else UNKNOWN
    return [
        Part(table.name, key or unknown, LABELS.get(key, "Not recognised"), None, columns, fields)
        for table, columns, (key, fields) in guesses
    ]


def _guess(table: Table, columns: Sequence[Column]) -> tuple[str, Guess]:
    return guess_part(table.name, columns)


def first_columns(table: Table) -> tuple[Column, ...]:
    """The columns of a table with their first values."""
    values: dict[str, list[str]] = {name: [] for name in table.columns}
    try:
        for number, row in enumerate(table.rows()):
            if number >= FIRST_ROWS:
                break
            for name, cell in row.cells.items():
                text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
                if text not in ("", "null") and len(values.setdefault(name, [])) < FIRST_VALUES:
                    values[name].append(
                        text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…"
                    )
    except BadTextError:
        pass  # told when it is read
    return tuple(Column(name, tuple(first)) for name, first in values.items())


def read(files: Files, options: Options) -> Study:
    """The study that the tables hold; raises BadInputError with everything that is wrong."""
    study = Study(FORMAT, texts_beside=texts_beside(files), fingerprint=files.fingerprint)
    assembly = Assembly(study, options)
    mapped = mapped_tables(files, options.mapping, assembly.problems)
    study.notes += _unread_sheets(files, options.mapping, mapped)
    if not mapped:
        for file in data_files(files)[: 0 if assembly.problems.total else 1]:
            assembly.problems.add(
                file.name, "", "no table of a study was recognised.", "Match its columns."
            )
    reader = TableReader(assembly)
    for part in ORDER:
        for table in mapped:
            if table.part == part:
                assembly.report_on(table.table.file, files)
                reader.read(table)
    return assembly.finish()


def mapped_tables(files: Files, mapping: Mapping[str, Any], problems: Problems) -> list[Mapped]:
    """The tables that take part, each with its columns by field; what does not fit is noted."""
    file_choices = mapping.get("files") or {}
    tables = []
    for file in data_files(files):
        if not _is_table(file):
            continue
        try:
            for table in open_tables(file):
                mapped = _mapped(table, file_choices.get(table.name), problems)
                if mapped:
                    tables.append(mapped)
        except BadTextError as error:
            problems.add(
                file.name,
                error.place,
                f"it cannot be read as a table: {error.message}",
                error.remedy,
            )
    return tables


def _unread_sheets(files: Files, mapping: Mapping[str, Any], mapped: Sequence[Mapped]) -> list[str]:
    """A note on sheets that fit no part, beside others that were recognised."""
    chosen = mapping.get("files") or {}
    read = {table.table.name for table in mapped}
    left = []
    for file in data_files(files):
        tables = file.kept.get("tables", [])
        if len(tables) > 1:
            left += [
                table.name
                for table in tables
                if table.name not in read and not chosen.get(table.name, {}).get("part")
            ]
    listed = ", ".join(left[:LISTED_COLUMNS])
    more = f" and {len(left) - LISTED_COLUMNS:,} others" if len(left) > LISTED_COLUMNS else ""
    return [f"Sheets of which nothing was read: {listed}{more}."] if left else []


def _mapped(table: Table, choice: Mapping[str, Any] | None, problems: Problems) -> Mapped | None:
    if choice is None:
        part, columns = guess_part(table.name, first_columns(table))
        part = part or UNKNOWN
    else:
        part = str(choice.get("part") or "")
        columns = dict(choice.get("columns") or {})
    if not part:
        return None
    if part == UNKNOWN:
        columns_in_words = ", ".join(shown(name) for name in table.columns[:LISTED_COLUMNS])
        problems.at(
            table.place(0),
            f"its columns fit no part of a study: {columns_in_words}.",
            "Choose its part and match its columns, or leave it out. Is the first row the names "
            "of the columns, and are the cells divided by commas, semicolons or tabs?",
        )
        return None
    if part not in FIELDS:
        problems.at(
            table.place(0), f"there is no part {shown(part)}.", f"One of {', '.join(FIELDS)}."
        )
        return None
    fields = {field.key for field in FIELDS[part]}
    columns = {key: column for key, column in columns.items() if column and key in fields}
    named_columns = [
        name
        for column in columns.values()
        for name in (column if isinstance(column, list) else [column])
    ]
    for name in named_columns:
        if name not in table.columns:
            problems.at(
                table.place(0), f"there is no column {shown(name)}.", "Match the columns again."
            )
            return None
    missing = lacking(part, columns)
    for field in missing:
        problems.at(
            table.place(0),
            f"no column is the {field.label.lower()} of the {LABELS[part].lower()}.",
            "Match a column with it.",
        )
    if missing:
        return None
    settings = {
        key: value for key, value in (choice or {}).items() if key not in ("part", "columns")
    }
    return Mapped(table, part, columns, settings)


class TableReader:
    """Reads the rows of mapped tables into an assembly."""

    def __init__(self, assembly: Assembly):
        self.assembly = assembly
        self.options = assembly.options
        self._known_sources: dict[str, tuple[str, ...]] = {}

    def read(self, table: Mapped) -> None:
        if table.part == "judgments":
            self._judgments(table)
            return
        take = {
            "documents": self._document,
            "queries": self._query,
            "aspects": self._aspect,
            "pool": self._pool,
            "ratings": self._rating,
            "pairs": self._pair,
            "decisions": self._decision,
        }[table.part]
        self.wanted = self.assembly.wanted if table.part == "documents" else None
        for cells in self._rows(table):
            try:
                take(cells)
            except BadTextError as error:
                self.assembly.bad_text(cells.place, error)

    def _rows(self, table: Mapped) -> Iterator[Cells]:
        problems = self.assembly.problems
        before = problems.total
        is_empty = True
        try:
            for cells in table.rows():
                is_empty = False
                yield cells
                if problems.total - before > GIVE_UP_AFTER:
                    return
        except BadTextError as error:
            problems.add(table.file, error.place, error.message, error.remedy)
            return
        if is_empty:
            self.assembly.study.notes.append(f"{table.table.name} has columns, and no row.")

    def _is_identifier(self, value: str, cells: Cells, field: str, noun: str) -> bool:
        # Only a record that is seen for the first time needs its place.
        checked_ids = self.assembly.checked_ids
        return value in checked_ids or self.assembly.is_identifier(value, cells.at(field), noun)

    # A row of each part

    def _document(self, cells: Cells) -> None:
        document_id = cells.identifier("id")
        if not self._is_identifier(document_id, cells, "id", "identifier"):
            return
        if self.wanted is not None and document_id not in self.wanted:
            self.assembly.study.unpooled_documents += 1
            return
        text = cells.text("text")
        metadata = cells.others()
        if cells.has("labels") and not cells.has("sentences"):
            # They are labels of the whole document, which no facet is shown by.
            metadata[str(cells.columns["labels"])] = cells.value("labels")
        self.assembly.add_document(
            Document(
                document_id,
                cells.text("title"),
                self._sentences(cells, text),
                None if cells.has("sentences") else text,
                metadata,
                cells.place,
            )
        )

    def _sentences(self, cells: Cells, text: str) -> tuple[Sentence, ...]:
        if not cells.has("sentences"):
            return sentences_of(text)
        sentences = cells.texts("sentences")
        if not cells.has("labels"):
            return tuple(Sentence(sentence) for sentence in sentences)
        labels = [label or None for label in cells.texts("labels")]
        if len(labels) != len(sentences):
            raise BadTextError(
                f"{len(labels)} labels for {len(sentences)} sentences.",
                "Write one for each, null where a sentence has none.",
            )
        return tuple(map(Sentence, sentences, labels))

    def _query(self, cells: Cells) -> None:
        query_id = cells.identifier("id")
        document = cells.identifier("document")
        is_good = self._is_identifier(query_id, cells, "id", "identifier")
        if document and not self._is_identifier(document, cells, "document", "document"):
            is_good = False
        if not is_good:
            return
        facets = None
        metadata = cells.others()
        if cells.has("facets"):
            # What else the row says is said of the query under this facet.
            facets = {text_of(item).strip(): metadata for item in list_of(cells.value("facets"))}
        self.assembly.add_query(
            Query(
                query_id,
                "" if document else cells.text("text"),
                document,
                cells.text("description"),
                cells.text("narrative"),
                {} if facets else metadata,
                cells.place,
            ),
            facets,
        )

    def _aspect(self, cells: Cells) -> None:
        aspect, query = cells.identifier("id"), cells.identifier("query")
        parent = cells.identifier("parent") or None
        is_good = self._is_identifier(aspect, cells, "id", "identifier")
        if self._is_identifier(query, cells, "query", "query") and is_good:
            self.assembly.add_aspect(aspect, cells.text("text"), query, parent, cells.place)

    def _pool(self, cells: Cells) -> None:
        document = cells.identifier("document")
        if not self._is_identifier(document, cells, "document", "document"):
            return
        query, topic = cells.identifier("query"), None
        facet = cells.text("facet").strip()
        if cells.has("topic"):
            topic = self.assembly.topic_named(cells.identifier("topic"), cells.at("topic"))
            if topic is None:
                return
            query = query or self.assembly.query_of(topic)
        elif facet:
            topic = self.assembly.topic(query, facet, cells.place)
            if topic is None:
                return
        if not self._is_identifier(query, cells, "query", "query"):
            return
        self.assembly.add_pool(
            PoolEntry(
                query,
                topic,
                document,
                self._sources(cells),
                self._rank(cells),
                cells.text("side_title"),
                cells.text("side_text"),
                cells.place,
            )
        )

    def _sources(self, cells: Cells) -> tuple[str, ...]:
        """The sources of a candidate; the same few names stand in all rows of a pool."""
        written = cells.value("sources")
        if not isinstance(written, str):
            return tuple(text_of(item) for item in list_of(written))
        sources = self._known_sources.get(written)
        if sources is None:
            sources = tuple(text_of(item) for item in list_of(written))
            self._known_sources[written] = sources
        return sources

    @staticmethod
    def _rank(cells: Cells) -> int | None:
        written = literal_of(cells.value("rank")).strip()
        if not written:
            return None
        number = literals.decimal_of(written)
        if number is None or number != int(number):
            raise BadTextError(f"the rank {shown(written)} is not a whole number.", "Count from 1.")
        return int(number)

    def _topic(self, cells: Cells) -> str | None:
        """The topic of a rating or decision; None where it is not known, which is noted."""
        if cells.has("topic"):
            return self.assembly.topic_named(cells.identifier("topic"), cells.at("topic"))
        query = cells.identifier("query")
        facet = cells.text("facet").strip()
        return self.assembly.topic(query, facet, cells.place)

    def _rating(self, cells: Cells) -> None:
        document = cells.identifier("document")
        if not self._is_identifier(document, cells, "document", "document"):
            return
        topic = self._topic(cells)
        if topic is None:
            return
        raters = cells.columns.get("grades")
        if isinstance(raters, list):
            for rater in raters:
                place = cells.place.at(rater)
                self._answer(cells, topic, document, rater, cells.row.get(rater), place)
        else:
            rater, grade = cells.name("rater"), cells.value("grade")
            self._answer(cells, topic, document, rater, grade, cells.place)

    def _answer(
        self, cells: Cells, topic: str, document: str, rater: str, grade: Any, place: Place
    ) -> None:
        if not rater:
            raise BadTextError("the rater is not named.", "Fill the column of the rater.")
        written, reason = literal_of(grade), cells.text("reason")
        if not written.strip() and not reason:
            return  # not rated
        self.assembly.add_rating(
            Rating(
                topic,
                document,
                rater,
                written if written.strip() else None,
                "" if written.strip() else reason,
                cells.text("note"),
                cells.text("time"),
                place,
            )
        )

    def _pair(self, cells: Cells) -> None:
        """A row with everything: query, document, and perhaps a rating."""
        document = cells.identifier("document")
        topic = add_pair(
            self.assembly,
            FlatPair(
                cells.identifier("query"),
                document,
                cells.place,
                cells.text("facet").strip(),
                *(cells.text(field) for field in PAIR_TEXTS),
            ),
        )
        if topic and cells.has("rater"):
            rater, grade = cells.name("rater"), cells.value("grade")
            self._answer(cells, topic, document, rater, grade, cells.place)

    def _decision(self, cells: Cells) -> None:
        document = cells.identifier("document")
        if not self._is_identifier(document, cells, "document", "document"):
            return
        topic = self._topic(cells)
        written, reason = literal_of(cells.value("grade")), cells.text("reason")
        if topic is None or not (written.strip() or reason):
            return
        self.assembly.add_decision(
            Decision(
                topic,
                document,
                cells.name("adjudicator"),
                written if written.strip() else None,
                "" if written.strip() else reason,
                cells.text("cause"),
                cells.text("rationale"),
                cells.text("time"),
                cells.place,
            )
        )

    def _judgments(self, table: Mapped) -> None:
        """Grades made elsewhere: of topics, or of queries over all of their aspects."""
        level = self._level(table)
        judgments: list[Judgment] = []
        first: dict[tuple[str, str], Cells] = {}
        for cells in self._rows(table):
            try:
                judgment = self._judgment(cells)
            except BadTextError as error:
                self.assembly.bad_text(cells.place, error)
                continue
            earlier = first.setdefault(judgment[:2], cells)
            if earlier is not cells:
                self.assembly.problem(
                    cells.place,
                    f"the document {judgment.document} is judged for {judgment.subject} in "
                    f"{earlier.place.inside} already.",
                    "Keep one of the two.",
                )
                continue
            judgments.append(judgment)
        self.assembly.study.judgments.append(
            JudgmentSet(
                str(table.settings.get("name") or stem_of(table.file)),
                level,
                table.file,
                table.sha256,
                "",
                judgments,
            )
        )

    def _level(self, table: Mapped) -> Level:
        level = table.settings.get("level")
        if level in ("topic", "query"):
            return "query" if level == "query" else "topic"
        is_topic = any(table.columns.get(key) for key in ("topic", "facet"))
        return "topic" if is_topic or self.options.judged_by == "plain" else "query"

    def _judgment(self, cells: Cells) -> Judgment:
        subject = cells.identifier("topic") if cells.has("topic") else cells.identifier("query")
        facet = cells.text("facet").strip()
        document = cells.identifier("document")
        for field, value in (("query", subject), ("document", document)):
            if not self.assembly.is_identifier(value, cells.at(field), field):
                raise BadTextError("the row is left out.")
        if facet:
            subject = f"{subject}_{facet}" if self.options.judged_by == "facets" else facet
        literal = literal_of(cells.value("grade"))
        if not literal.strip():
            raise BadTextError(
                "there is no grade.", "Leave the row out: an unjudged document has no row."
            )
        return Judgment(subject, document, literal, literal_of(cells.value("size")), cells.place)
