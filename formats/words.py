"""Counts and lists of names in a sentence."""

from collections.abc import Sequence


def counted(count: int, singular: str, plural: str = "") -> str:
    """ "1 pair", "2,000 queries", "2 sets of judgments"; `plural` where it is made otherwise."""
    if count != 1 and not plural:
        noun, of, rest = singular.partition(" of ")
        is_y = noun.endswith("y") and noun[-2] not in "aeiou"
        plural = (f"{noun[:-1]}ies" if is_y else f"{noun}s") + of + rest
    return f"{count:,} {singular if count == 1 else plural}"


def listed(names: Sequence[str], most: int, separator: str = ", ") -> str:
    """The first names, and how many more there are: "a, b and 3 more"."""
    more = len(names) - most
    return separator.join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
