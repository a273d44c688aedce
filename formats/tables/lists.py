"""Lists of the program's own API, which look like parts of a study and are none.

Their `id` is the program's, not the collection's, so that whatever is read by it would get names
that no other file has.
"""

from collections.abc import Iterable

TEXTS = (
    "Take the export BEIR instead: it has the documents, and topics as queries, with their texts."
)
ANSWERS = "Take the export CSV instead, which has ratings and decisions, or the list of pools."
NOTHING = "Leave it out: it is no part of a study's data."
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
# What to bring in its stead; of others NOTHING.
REMEDIES = {"documents": TEXTS, "queries": TEXTS, "topics": TEXTS, "pairs": ANSWERS}
_LISTS = {frozenset(columns.split()): name for name, columns in _COLUMNS.items()}


def list_name(columns: Iterable[str]) -> str:
    """What a list of the API lists, by its columns; "" for any other table."""
    return _LISTS.get(frozenset(columns), "")
