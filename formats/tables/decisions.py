"""Which rows of a table of decisions or of gold are decisions that stand."""

from formats.strict import BadTextError, shown
from formats.tables.cells import Cells

YES, NO = ("", "yes", "true"), ("no", "false")
CONSENSUS = "consensus"
# Rows without an origin are decisions: most tables have no other rows.
DECIDED = ("", "adjudicated", "excluded")


def why_no_decision(cells: Cells) -> str:
    """A sentence on why nobody's standing decision is in a row, "" where one is.

    Raises BadTextError where the row does not say it.
    """
    standing = cells.text("standing").strip()
    if standing.casefold() in NO:
        return "A decision that a later one took the place of."
    if standing.casefold() not in YES:
        raise BadTextError(
            f"{shown(standing)} does not say whether the decision stands.",
            "Write yes or no, or match no column with it.",
        )
    origin = cells.text("origin").strip()
    if origin.casefold() == CONSENSUS:
        return "Gold by agreement: it follows from the ratings."
    if origin.casefold() not in DECIDED:
        return f"Gold of the origin {shown(origin)}, which nobody decided."
    return ""
