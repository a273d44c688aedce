"""Columns that several tables have: counts of grades, and shares with their intervals."""

from collections.abc import Iterable

from agreement.statistics import Share
from agreement.tables.table import Cell, Column, Kind, Pairs, Series


def share_columns(key: str, title: str) -> list[Column]:
    """The count, the share of it, and the two ends of its interval."""
    return [
        Column(f"{key}_count", f"{title}, count", Kind.COUNT, printed=False, below=key),
        Column(key, title, Kind.SHARE, ends=(f"{key}_low", f"{key}_high")),
        Column(f"{key}_low", f"{title}, from", Kind.SHARE, printed=False),
        Column(f"{key}_high", f"{title}, to", Kind.SHARE, printed=False),
    ]


def share_cells(share: Share) -> list[Cell]:
    return [share.count, share.value, *share.ends]


def grade_columns(names: list[str], *, intervals: bool) -> list[Column]:
    """For each value of the scale its count and share."""
    graded_columns = []
    for name in names:
        columns = share_columns(f"grade_{name}", f"Grade {name}")
        graded_columns += columns if intervals else [columns[0], _without_ends(columns[1])]
    return graded_columns


def grade_cells(shares: Iterable[Share], *, intervals: bool) -> list[Cell]:
    length = 4 if intervals else 2
    return [cell for share in shares for cell in share_cells(share)[:length]]


def count_columns(names: list[str]) -> list[Column]:
    """For each value of the scale its count."""
    return [Column(f"grade_{name}_count", f"Grade {name}", Kind.COUNT) for name in names]


def grade_series(names: list[str]) -> tuple[Series, ...]:
    return tuple(Series(f"grade_{name}_count", f"Grade {name}") for name in names)


def grade_links(
    kind: str, names: list[str], words: str, facet: str | None = None, *, cell: str = ""
) -> dict[str, Pairs]:
    """The lists of pairs behind the counts; `cell` follows a grade in their addresses."""
    return {
        f"grade_{name}_count": Pairs(kind, f"{name},{cell}" if cell else name, words, facet)
        for name in names
    }


def _without_ends(column: Column) -> Column:
    return Column(column.key, column.title, column.kind)
