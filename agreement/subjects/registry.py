"""Which sheets each page of the section has."""

from collections.abc import Callable, Iterator, Mapping

from agreement.study.asking import Asked
from agreement.subjects.annotators import tables as annotators
from agreement.subjects.audits import tables as audits
from agreement.subjects.disagreements import tables as disagreements
from agreement.subjects.facets import tables as facets
from agreement.subjects.overview import tables as overview
from agreement.subjects.pool import tables as pool
from agreement.subjects.queries import tables as queries
from agreement.subjects.time import tables as time
from agreement.tables.printing import PrintedSheet
from agreement.tables.table import Sheet

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


def sections_of(asked: Asked) -> Iterator[tuple[str, list[PrintedSheet]]]:
    """(page, its sheets) of every page that has any, all of the one state that was asked for."""
    number = 0
    for page, sheets_of in SHEETS.items():
        sheets = []
        for sheet in sheets_of(asked, {}):
            number += 1
            sheets.append(PrintedSheet(number, page, sheet))
        if sheets:
            yield page, sheets
