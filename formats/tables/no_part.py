"""Tables that look like parts of a study and are none: lists of the program's own API, exports of
tools that are not read, and preferences between two documents."""

import re
from collections.abc import Sequence

from formats.strict import shown

# The ids of the API are the program's, not the collection's, so that whatever is read by them would
# get names that no other file has.
API_LIST = "this is the API's list of {}, whose ids are the program's own."
_COLUMNS = {
    "documents": "id document title sentences metadata",
    "queries": "id query document text sentences description narrative metadata",
    "topics": "id topic facet text queries metadata locked_at",
    "pairs": "id topic facet query document batch batch_name state",
    "members": "id pseudonym name email is_annotator is_adjudicator is_lead is_imported",
    "batches": "id name overlap way topics pairs is_finished drawn",
    "flags": "rating pair topic facet document annotator note is_open can_be_example answers",
    "audits": "id name facet query batch size adjudicators drawn_at closed_at",
    "systems": "id key name kind model_family is_pooled",
    "judgments": "id key name level scale_note file_name file_sha256 content_sha256 created_at",
    "deliveries": "id hook kind body state attempts created_at",
}
_LISTS = {frozenset(columns.split()): name for name, columns in _COLUMNS.items()}
TEXTS = (
    "Take the export BEIR instead: it has the documents, and topics as queries, with their texts."
)
ANSWERS = "Take the export CSV instead, which has ratings and decisions, or the list of pools."
NOTHING = "Leave it out: it is no part of a study's data."
# What to bring in place of a list of the API; of others NOTHING.
REMEDIES = {"documents": TEXTS, "queries": TEXTS, "topics": TEXTS, "pairs": ANSWERS}

A_TABLE = "Write a table with a row for each answer: query, document, rater and grade."
PRODIGY = {"_input_hash", "_task_hash"}
# The first line of INCEpTION's and WebAnno's TSV, which names no columns.
WEBANNO = "#FORMAT=WebAnno"

# The document by its name, and which of the two it is, before or after that.
_DOCUMENT = r"(?:doc|docid|doc_id|docno|document|document_id|passage|passage_id|pid|candidate)"
_SIDE = r"(?:a|b|1|2|left|right|first|second|one|two)"
_ONE_OF_TWO = re.compile(rf"(?:{_SIDE}_?{_DOCUMENT}|{_DOCUMENT}_?{_SIDE}(?:_id)?)\Z")
_FIRST = re.compile(rf"{_DOCUMENT}\Z")
LISTED = 8


def why_no_part(columns: Sequence[str]) -> tuple[str, str] | None:
    """(what a table is, what to do with it or bring instead); None for other tables."""
    if name := _LISTS.get(frozenset(columns)):
        return API_LIST.format(name), REMEDIES.get(name, NOTHING)
    if PRODIGY.issubset(columns):
        remedy = f"{A_TABLE} What was rejected or ignored there is no rating."
        return "this is an export of Prodigy, which is not read.", remedy
    if columns and columns[0].startswith(WEBANNO):
        message = "this is an export of INCEpTION or WebAnno, of labels on parts of a text."
        return message, f"{A_TABLE} Only labels of whole documents are ratings."
    if documents := two_documents(columns):
        return (
            f"a row names two documents: {', '.join(map(shown, documents[:LISTED]))}. A rating "
            "here is of one document for one query; preferences between two have no place.",
            "Leave the file out, or bring grades of single documents. If only one of the two is "
            "rated, choose the part and match its columns.",
        )
    return None


def two_documents(columns: Sequence[str]) -> list[str]:
    """The columns with the two documents of a row, as they are called; none for other tables."""
    by_name = {re.sub(r"[\W_]+", "_", column.strip().lower()): column for column in columns}
    sides = [column for name, column in by_name.items() if _ONE_OF_TWO.match(name)]
    if len(sides) == 1:
        sides = [column for name, column in by_name.items() if _FIRST.match(name)] + sides
    return sides if len(sides) > 1 else []
