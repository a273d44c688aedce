"""The tables of each page of the section."""

from collections.abc import Callable, Iterator, Mapping

from django.http import Http404

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


def _makers_of(selection: Selection, page: str, parameters: Mapping[str, str]) -> Makers:
    if page not in TABLES:
        raise Http404(f"There is no page {page!r}; expected one of {', '.join(TABLES)}.")
    return TABLES[page](selection, parameters)


def table_of(selection: Selection, page: str, key: str, parameters: Mapping[str, str]) -> Table:
    """One table of a page, and nothing computed but it; 404 with what there is in its place."""
    makers = _makers_of(selection, page, parameters)
    table = makers[key]() if key in makers else None
    if table is None:
        names = ", ".join(makers)
        raise Http404(f"There is no table {key!r} on the page {page!r}; expected one of {names}.")
    return table


def tables_of(selection: Selection, page: str, parameters: Mapping[str, str]) -> list[Table]:
    tables = (make() for make in _makers_of(selection, page, parameters).values())
    return [table for table in tables if table is not None]


def sections_of(selection: Selection) -> Iterator[tuple[str, list[Table]]]:
    """(page, its tables) of every page that has any."""
    # The first address that is looked up loads the floors above, which add pages of their own.
    for page in list(TABLES):
        tables = tables_of(selection, page, {})
        if tables:
            yield page, tables
