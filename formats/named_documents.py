"""Corpora as JSON lines: a document a line, its id, title and text under their usual names.

So have them BEIR (`_id`), ir_datasets (`doc_id`), LitSearch (`corpusid`), Pyserini (`id`,
`contents`). Only documents that something names are kept, whatever the size of the file.
"""

from typing import Any

from formats import strict
from formats.assemble import Assembly
from formats.files import SourceFile
from formats.flat import sentences_of
from formats.literals import identifier_of
from formats.records import Document, Place
from formats.strict import BadTextError
from formats.tables.cells import text_of
from formats.tables.json_rows import parse_line
from formats.text_lines import text_lines

# MS MARCO's passages (`pid`) name the document that they are from.
IDS = ("_id", "pid", "doc_id", "docid", "docno", "corpusid", "corpus_id", "document_id", "id")
TITLES = ("title",)
TEXTS = ("text", "contents", "abstract", "body", "passage")
# Beside these keys a line has a text, so that lines of queries are not taken for documents.
QUERY_KEYS = ("query", "query_id", "specificity")


def key_of(row: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in row), "")


def first_row(file: SourceFile) -> dict[str, Any]:
    """The object of the first line; empty where it is none."""
    try:
        for number, text in text_lines(file):
            if text.strip():
                value = parse_line(text, number)
                return value if isinstance(value, dict) else {}
    except BadTextError:
        pass
    return {}


def is_corpus(file: SourceFile) -> bool:
    """Whether the first line of a file is a document."""
    row = first_row(file)
    return bool(key_of(row, IDS) and key_of(row, TEXTS) and not key_of(row, QUERY_KEYS))


def read_corpus(assembly: Assembly, file: SourceFile) -> None:
    """Keep the documents of a file that something names."""
    document_ids = assembly.wanted
    for number, text in text_lines(file):
        if not text.strip():
            continue
        place = Place(file.name, number)
        try:
            row = parse_line(text, number)
            if not isinstance(row, dict):
                raise BadTextError(
                    f"this is {strict.kind_of(row)}; expected an object.",
                    "Write one JSON object a line.",
                )
            add_row(assembly, row, place, document_ids)
        except BadTextError as error:
            assembly.bad_text(place, error)


def add_row(
    assembly: Assembly,
    row: dict[str, Any],
    place: Place,
    document_ids: set[str] | None,
    left_out_keys: frozenset[str] = frozenset(),
) -> None:
    """Keep a row of a corpus, if something names its document."""
    id_key, title_key, text_key = key_of(row, IDS), key_of(row, TITLES), key_of(row, TEXTS)
    document = identifier_of(row.get(id_key))
    if not assembly.is_identifier(document, place.at(id_key), "identifier"):
        return
    if document_ids is not None and document not in document_ids:
        assembly.study.unpooled_documents += 1
        return
    text = text_of(row.get(text_key))
    metadata = row.get("metadata")
    others = {
        key: value
        for key, value in row.items()
        if key not in (id_key, title_key, text_key, "metadata", *left_out_keys)
        and value is not None
    }
    if isinstance(metadata, dict):
        others = {**metadata, **others}
    assembly.add_document(
        Document(document, text_of(row.get(title_key)), sentences_of(text), text, others, place)
    )
