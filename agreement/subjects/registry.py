"""The tables of each page of the section."""

from collections.abc import Callable, Iterator, Mapping

from agreement.study.selection import Selection
from agreement.subjects import queries
from agreement.subjects.annotators import tables as annotators
from agreement.subjects.audits import tables as audits
from agreement.subjects.disagreements import tables as disagreements
from agreement.subjects.facets import tables as facets
from agreement.subjects.overview import overview
from agreement.subjects.pool import tables as pool
from agreement.subjects.time import tables as time
from agreement.tables.table import Makers, Table

# Parameters are those of the page's address; what they may be is the page's to say.
MakersOf = Callable[[Selection, Mapping[str, str]], Makers]

# In the order of the printed report.
TABLES: dict[str, MakersOf] = {
    "overview": overview.makers_of,
    "queries": queries.makers_of,
    "annotators": annotators.makers_of,
    "disagreements": disagreements.makers_of,
    "time": time.makers_of,
    "facets": facets.makers_of,
    "pool": pool.makers_of,
    "audits": audits.makers_of,
}


def table_of(selection: Selection, page: str, key: str, parameters: Mapping[str, str]) -> Table:
    """One table of a page, and nothing computed but it; KeyError where there is none of this
    key."""
    table = TABLES[page](selection, parameters)[key]()
    if table is None:
        raise KeyError(key)
    return table


def no_table(selection: Selection, page: str, key: str, parameters: Mapping[str, str]) -> str:
    """Why `table_of` raised, and what there is."""
    if page not in TABLES:
        return f"There is no page {page!r}; expected one of {', '.join(TABLES)}."
    names = ", ".join(TABLES[page](selection, parameters))
    return f"There is no table {key!r} on the page {page!r}; expected one of {names}."


def tables_of(selection: Selection, page: str, parameters: Mapping[str, str]) -> list[Table]:
    tables = (make() for make in TABLES[page](selection, parameters).values())
    return [table for table in tables if table is not None]


def sections_of(selection: Selection) -> Iterator[tuple[str, list[Table]]]:
    """(page, its tables) of every page that has any."""
    # The first address that is looked up loads the floors above, which add pages of their own.
    for page in list(TABLES):
        tables = tables_of(selection, page, {})
        if tables:
            yield page, tables
