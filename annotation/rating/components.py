"""Key components: the parts of an aspect that an abstract meets, partly meets or does not meet."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction

MAX_COMPONENTS = 12
MAX_COMPONENT_LENGTH = 300


class Met(StrEnum):
    MET = "met"
    PARTLY = "partly"
    NOT = "not"


WORDS = {Met.MET: "Met", Met.PARTLY: "Partly", Met.NOT: "Not met"}
WEIGHTS = {Met.MET: Fraction(1), Met.PARTLY: Fraction(1, 2), Met.NOT: Fraction(0)}


def share_met(components: Sequence[Mapping[str, str]]) -> Fraction | None:
    """The share of the components that is met, one that is partly met counting half.

    Each component has the key "met". From 0 to 1, exact; None where there are no components.
    """
    if not components:
        return None
    met = sum((WEIGHTS[Met(part["met"])] for part in components), Fraction(0))
    return met / len(components)


def suggest(
    components: Sequence[Mapping[str, str]], suggestions: Sequence[Mapping[str, str]]
) -> str | None:
    """The key of the option that the components suggest; None where they suggest none.

    `suggestions` is a scheme's ordered list of {"option", "at_least" or "above": share}, of which
    the first that fits the share met is taken. A suggestion is never more than that.
    """
    share = share_met(components)
    if share is None:
        return None
    for suggestion in suggestions:
        if "above" in suggestion and share > Fraction(suggestion["above"]):
            return suggestion["option"]
        if "at_least" in suggestion and share >= Fraction(suggestion["at_least"]):
            return suggestion["option"]
    return None
