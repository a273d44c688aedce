"""Lists of the program's own API, which look like parts of a study and are none.

Their `id` is the program's, not the collection's, so that whatever is read by it would get names
that no other file has.
"""

from collections.abc import Iterable

TEXTS = (
    "Take the export BEIR instead: it has the documents, and topics as queries, with their texts."
)
ANSWERS = "Take the export CSV instead, which has ratings and decisions, or the list of pools."
# {what is listed: (its columns, what to do)}
LISTS: dict[str, tuple[frozenset[str], str]] = {
    "documents": (frozenset({"id", "document", "title", "sentences", "metadata"}), TEXTS),
    "queries": (
        frozenset(
            {"id", "query", "document", "text", "sentences", "description", "narrative", "metadata"}
        ),
        TEXTS,
    ),
    "topics": (
        frozenset({"id", "topic", "facet", "text", "queries", "metadata", "locked_at"}),
        TEXTS,
    ),
    "pairs": (
        frozenset({"id", "topic", "facet", "query", "document", "batch", "batch_name", "state"}),
        ANSWERS,
    ),
}


def list_name(columns: Iterable[str]) -> str:
    """What a list of the API lists, by its columns; "" for any other table."""
    names = set(columns)
    return next((name for name, (listed, _) in LISTS.items() if listed == names), "")
