"""What a row of each part of a study says: its documents, queries, pools, ratings and so on."""

import re
from collections.abc import Iterator
from typing import Any

from formats import literals
from formats.assemble import Assembly
from formats.flat import FlatPair, add_pair, sentences_of
from formats.literals import literal_of
from formats.records import (
    MAX_OVERLAP,
    Decision,
    Document,
    Place,
    PoolEntry,
    Query,
    Rating,
    Sentence,
)
from formats.strict import BadTextError, shown
from formats.tables.cells import Cells, Mapped, list_of, refuse_python, text_of
from formats.tables.decisions import why_no_decision

PAIR_TEXTS = (
    "query_title", "query_text", "title", "text", "description", "narrative", "side_title",
    "side_text",
)  # fmt: skip
# Work that a crowd's platform does not count as done, however it writes that.
NOT_DONE = {"rejected", "returned", "timedout", "skipped", "expired"}
NOT_A_LETTER = re.compile(r"[\W_]+")
# A file is given up once so many of its rows are wrong.
GIVE_UP_AFTER = 10_000


def rows_of(table: Mapped, assembly: Assembly) -> Iterator[Cells]:
    """The rows of a table; what cannot be read of it, and that it has none, is noted."""
    problems = assembly.problems
    before = problems.total
    is_empty = True
    with problems.of(table.file):
        for cells in table.rows():
            is_empty = False
            yield cells
            if problems.total - before > GIVE_UP_AFTER:
                return
        if is_empty:
            assembly.study.notes.append(f"{table.table.name} has columns, and no row.")


class TableReader:
    """Reads the rows of mapped tables into an assembly."""

    def __init__(self, assembly: Assembly):
        self.assembly = assembly
        self._known_sources: dict[str, tuple[str, ...]] = {}

    def read(self, table: Mapped) -> None:
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
        for cells in rows_of(table, self.assembly):
            try:
                take(cells)
            except BadTextError as error:
                self.assembly.bad_text(cells.place, error)

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
        sentences = self._listed_sentences(cells)
        text = cells.text("text") if sentences is None else None
        if text and text.startswith("['"):
            refuse_python(text)
        metadata = cells.others()
        if cells.has("labels") and sentences is None:
            # They are labels of the whole document, which no facet is shown by.
            metadata[str(cells.columns["labels"])] = cells.value("labels")
        self.assembly.add_document(
            Document(
                document_id,
                cells.text("title"),
                sentences_of(text or "") if sentences is None else sentences,
                text,
                metadata,
                cells.place,
            )
        )

    @staticmethod
    def _listed_sentences(cells: Cells) -> tuple[Sentence, ...] | None:
        """The sentences of a list, which an abstract may be as well; None for a text."""
        field = "sentences"
        if not cells.has(field):
            field = "text"
            if not isinstance(cells.value(field), list):
                return None
        sentences = cells.texts(field)
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
            # The other cells of the row are about the query under this facet.
            facets = {
                facet.strip(): metadata
                for item in list_of(cells.value("facets"))
                for facet in self.assembly.facets_in(text_of(item))
            }
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
        query, topic = self._query_meant(cells), None
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

    def _rank(self, cells: Cells) -> int | None:
        """Programs count from 0, too."""
        rank = self._whole_number(cells, "rank")
        if rank is not None and rank < 0:
            raise BadTextError(
                f"the rank is {rank}; a pool has none below 0.",
                "Correct the number, or match no column with the rank.",
            )
        return rank

    @staticmethod
    def _whole_number(cells: Cells, field: str) -> int | None:
        """The whole number in a cell; None where the cell is empty."""
        written = literal_of(cells.value(field)).strip()
        if not written:
            return None
        number = literals.decimal_of(written)
        if number is None or number != int(number):
            raise BadTextError(
                f"the {field} {shown(written)} is not a whole number.", "Count from 1."
            )
        return int(number)

    def _query_meant(self, cells: Cells) -> str:
        return self.assembly.query_meant(cells.identifier("query"), cells.place.file)

    def _topic(self, cells: Cells) -> str | None:
        """The topic of a rating or decision; None where it is not known, which is noted."""
        if cells.has("topic"):
            return self.assembly.topic_named(cells.identifier("topic"), cells.at("topic"))
        query = self._query_meant(cells)
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
        if self._is_not_done(cells):
            return
        if isinstance(raters, list):
            for rater in raters:
                place = cells.place.at(rater)
                self._answer(cells, topic, document, rater, cells.row.get(rater), place)
        else:
            rater, grade = cells.name("rater"), cells.value("grade")
            self._answer(cells, topic, document, rater, grade, cells.place)

    def _is_not_done(self, cells: Cells) -> bool:
        """Whether the platform of a crowd says that the row is no answer; such rows are
        listed."""
        if not cells.has("status"):
            return False
        status = cells.text("status").strip()
        is_not_done = NOT_A_LETTER.sub("", status.casefold()) in NOT_DONE
        if is_not_done:
            self.assembly.study.leave_out(
                cells.at("status"),
                f"The status of the row is {shown(status)}. To take such rows, match no column "
                "with the status.",
            )
        return is_not_done

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
                cells.text("batch").strip(),
                # A column for each rater says who it was, whatever the row says.
                "" if cells.columns.get("grades") else cells.text("seat").strip(),
                self._overlap(cells),
            )
        )

    def _overlap(self, cells: Cells) -> int:
        """How many answers the pair is to have; 0 where the row does not say."""
        overlap = self._whole_number(cells, "overlap")
        if overlap is not None and not 1 <= overlap <= MAX_OVERLAP:
            raise BadTextError(
                f"the overlap is {overlap}; from 1 to {MAX_OVERLAP} people rate a pair.",
                "Correct the number, or match no column with the overlap.",
            )
        return overlap or 0

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
        if self._is_not_done(cells):
            return
        if topic and cells.has("rater"):
            rater, grade = cells.name("rater"), cells.value("grade")
            self._answer(cells, topic, document, rater, grade, cells.place)
        elif cells.has("grade"):
            self.assembly.study.leave_out(
                cells.at("grade"),
                "A grade without a rater. If these are ratings, match the column that names the "
                "rater; a file of one person needs a column with their name.",
            )

    def _decision(self, cells: Cells) -> None:
        if sentence := why_no_decision(cells):
            self.assembly.study.leave_out(cells.place, sentence)
            return
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
