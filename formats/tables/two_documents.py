"""Tables whose rows name two documents: preferences, which no scale has an option for."""

import re
from collections.abc import Sequence

# The document by its name, and which of the two it is, before or after that.
_DOCUMENT = r"(?:doc|docid|doc_id|docno|document|document_id|passage|passage_id|pid|candidate)"
_SIDE = r"(?:a|b|1|2|left|right|first|second|one|two)"
_ONE_OF_TWO = re.compile(rf"(?:{_SIDE}_?{_DOCUMENT}|{_DOCUMENT}_?{_SIDE}(?:_id)?)\Z")
_FIRST = re.compile(rf"{_DOCUMENT}\Z")

PREFERENCES = (
    "a row names two documents: {}. A rating here is of one document for one query; preferences "
    "between two have no place."
)
OF_PREFERENCES = (
    "Leave the file out, or bring grades of single documents. If only one of the two is rated, "
    "choose the part and match its columns."
)


def two_documents(columns: Sequence[str]) -> list[str]:
    """The columns with the two documents of a row, as they are called; none for other tables."""
    by_name = {re.sub(r"[\W_]+", "_", column.strip().lower()): column for column in columns}
    sides = [column for name, column in by_name.items() if _ONE_OF_TWO.match(name)]
    if len(sides) == 1:
        sides = [column for name, column in by_name.items() if _FIRST.match(name)] + sides
    return sides if len(sides) > 1 else []
