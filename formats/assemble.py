"""Putting a study together, whatever it is read from.

Readers add records in any order, but queries before the records that name them; `completed`
(`completing.py`) then compares all of them. So the rules of all formats are decided once: the names
of topics (`names.py`), the refusal of duplicates, the meaning of a missing rating.
"""

import json

from formats.files import Files, SourceFile
from formats.names import Names
from formats.reading import Options
from formats.records import Decision, Document, PoolEntry, Rating, Study
from formats.strict import shown


class Assembly(Names):
    """The records of a study as they are read; a second one of a kind is refused."""

    def __init__(self, study: Study, options: Options):
        super().__init__(study, options)
        # Runs are pooled once, as soon as the documents are asked for.
        self.are_runs_pooled = False
        self.pool: dict[tuple[str, str | None, str], PoolEntry] = {}
        self.ratings: dict[tuple[str, str, str], Rating] = {}
        self.decisions: dict[tuple[str, str], Decision] = {}
        self.query_documents: dict[str, Document] = {}
        self._bytes_read = 0
        self._seen: dict[tuple[str, str], int] = {}

    def report_on(self, file: SourceFile, files: Files) -> None:
        """Tell how much was read before this file."""
        if self.options.progress:
            self.options.progress(self._bytes_read, files.size)
        self._bytes_read += file.size

    def add_pool(self, entry: PoolEntry) -> None:
        """A candidate; named again, it has the sources of both, and the side text of either."""
        key = entry.query, entry.topic, entry.document
        earlier = self.pool.get(key)
        if earlier is None:
            self.pool[key] = entry
            return
        side = entry if entry.side_text else earlier
        if earlier.side_text and earlier[5:7] != side[5:7]:
            self.problem(
                entry.place,
                f"the document {entry.document} of the query {entry.query} has another side text "
                f"in {earlier.place}.",
                "A pair has one side text: correct one of the two.",
            )
            return
        more = tuple(source for source in entry.sources if source not in earlier.sources)
        if not more and entry.sources != () and earlier.sources != ():
            noun = f"document {entry.document} of the query {entry.query}"
            self.stands_already(noun, entry, earlier, is_same=earlier.rank == entry.rank)
        self.pool[key] = earlier._replace(
            sources=earlier.sources + more, side_title=side.side_title, side_text=side.side_text
        )

    def add_rating(self, rating: Rating) -> None:
        key = rating.topic, rating.document, rating.rater
        earlier = self.ratings.setdefault(key, rating)
        if earlier is rating:
            return
        if (earlier.grade, earlier.reason) == (rating.grade, rating.reason):
            self.study.leave_out(
                rating.place,
                f"{rating.rater} gave the same answer for {rating.topic}, {rating.document} in "
                f"{earlier.place}.",
            )
            return
        self.problem(
            rating.place,
            f"{rating.rater} rated {rating.topic}, {rating.document} as {_answer(rating)} here, "
            f"and as {_answer(earlier)} in {earlier.place}.",
            "Keep one of the two.",
        )

    def add_decision(self, decision: Decision) -> None:
        key = decision.topic, decision.document
        earlier = self.decisions.setdefault(key, decision)
        if earlier is decision:
            return
        says_who = decision.adjudicator not in ("", earlier.adjudicator)
        if not says_who and (earlier.grade, earlier.reason) == (decision.grade, decision.reason):
            self.study.leave_out(
                decision.place,
                f"A decision that stands in {earlier.place.file} as well.",
            )
        else:
            self.problem(
                decision.place,
                f"{decision.topic}, {decision.document} was decided in {earlier.place} already.",
                "Keep the decision that stands.",
            )

    def add_document(self, document: Document) -> bool:
        """Keep a document; False where it stands already, which is noted."""
        if document.id in self.study.documents:
            first = self.study.documents[document.id]
            if first[:4] == document[:4]:
                # What was kept went through JSON, in which a tuple is a list.
                metadata = json.loads(json.dumps(document.metadata))
                self.stands_already(
                    f"document {document.id}", document, first, is_same=first.metadata == metadata
                )
            else:
                self.problem(
                    document.place,
                    f"the document {document.id} has another text in {first.place}.",
                    "One id has one text: correct one of the two.",
                )
            return False
        self.study.documents.keep(document)
        return True

    def add_query_document(self, document: Document) -> None:
        """A document that comes with its query, under the query's id; see `completed`."""
        self.query_documents.setdefault(document.id, document)

    def is_new(self, kind: str, name: str, *texts: str) -> bool:
        """Whether a record is new, in a list that repeats records; a repeated one must have the
        same texts."""
        content = hash(texts)
        earlier_content = self._seen.get((kind, name))
        self._seen[kind, name] = content
        return earlier_content != content

    @property
    def wanted(self) -> set[str] | None:
        """The documents that queries, pools or ratings name; None where nothing names any, so that
        all are kept."""
        if self.options.keep_unpooled:
            return None
        document_ids = {document for _, _, document in self.pool}
        document_ids.update(document for _, document, _ in self.ratings)
        document_ids.update(document for _, document in self.decisions)
        if not document_ids:
            return None
        document_ids.update(query_entry.record.document for query_entry in self.queries.values())
        return document_ids


def _answer(rating: Rating) -> str:
    return shown(rating.grade) if rating.grade is not None else "cannot judge"
