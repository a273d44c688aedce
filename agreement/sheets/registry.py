"""Which sheets each page of the section has."""

from collections.abc import Callable, Mapping

from agreement.asking import Asked
from agreement.sheets import (
    annotators,
    audits,
    disagreements,
    facets,
    overview,
    pool,
    queries,
    time,
)
from agreement.sheets.sheet import Sheet

# Parameters are those of the page's address; what they may be is the page's to say.
Sheets = Callable[[Asked, Mapping[str, str]], list[Sheet]]

# In the order of the printed report.
SHEETS: dict[str, Sheets] = {
    "overview": overview.sheets_of,
    "queries": queries.sheets_of,
    "annotators": annotators.sheets_of,
    "disagreements": disagreements.sheets_of,
    "time": time.sheets_of,
    "facets": facets.sheets_of,
    "pool": pool.sheets_of,
    "audits": audits.sheets_of,
}


def sheet_of(asked: Asked, page: str, key: str, parameters: Mapping[str, str]) -> Sheet:
    """One sheet of a page; KeyError where there is no such page or sheet."""
    return {one.key: one for one in SHEETS[page](asked, parameters)}[key]
