"""Which tables each page of the section has."""

from collections.abc import Callable, Iterator, Mapping

from agreement.study.selection import Selection
from agreement.subjects.annotators import tables as annotators
from agreement.subjects.audits import tables as audits
from agreement.subjects.disagreements import tables as disagreements
from agreement.subjects.facets import tables as facets
from agreement.subjects.overview import tables as overview
from agreement.subjects.pool import tables as pool
from agreement.subjects.queries import tables as queries
from agreement.subjects.time import tables as time
from agreement.tables.printing import PrintedTable
from agreement.tables.table import Table

# Parameters are those of the page's address; what they may be is the page's to say.
Tables = Callable[[Selection, Mapping[str, str]], list[Table]]

# In the order of the printed report.
TABLES: dict[str, Tables] = {
    "overview": overview.tables_of,
    "queries": queries.tables_of,
    "annotators": annotators.tables_of,
    "disagreements": disagreements.tables_of,
    "time": time.tables_of,
    "facets": facets.tables_of,
    "pool": pool.tables_of,
    "audits": audits.tables_of,
}


def table_of(selection: Selection, page: str, key: str, parameters: Mapping[str, str]) -> Table:
    """One table of a page; KeyError where there is no such page or table."""
    return {one.key: one for one in TABLES[page](selection, parameters)}[key]


def sections_of(selection: Selection) -> Iterator[tuple[str, list[PrintedTable]]]:
    """(page, its tables) of every page that has any, all of the one state that was asked for."""
    number = 0
    for page, tables_of in TABLES.items():
        tables = []
        for table in tables_of(selection, {}):
            number += 1
            tables.append(PrintedTable(number, page, table))
        if tables:
            yield page, tables
