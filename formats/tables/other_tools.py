"""Exports of tools that are not read, known by their columns, and the way in for them."""

from collections.abc import Sequence

A_TABLE = "Write a table with a row for each answer: query, document, rater and grade."
PRODIGY = {"_input_hash", "_task_hash"}
# The first line of INCEpTION's and WebAnno's TSV, which names no columns.
WEBANNO = "#FORMAT=WebAnno"


def other_tool(columns: Sequence[str]) -> tuple[str, str] | None:
    """(why another tool's export is refused, what to bring instead); None for other tables."""
    if PRODIGY.issubset(columns):
        remedy = f"{A_TABLE} What was rejected or ignored there is no rating."
        return "this is an export of Prodigy, which is not read.", remedy
    if columns and columns[0].startswith(WEBANNO):
        message = "this is an export of INCEpTION or WebAnno, of labels on parts of a text."
        return message, f"{A_TABLE} Only labels of whole documents are ratings."
    return None
