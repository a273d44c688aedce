"""Every number of a table that opens a list of pairs opens one with as many."""

from collections import Counter
from functools import cache
from uuid import uuid4

import pytest
from django.http import QueryDict

from adjudication.actions import decide
from agreement.pairs.lists import read_list
from agreement.study.filters import ALL
from agreement.study.selection import selection_of
from agreement.subjects import queries
from agreement.subjects.overview.report import report_for, rows_chosen
from agreement.subjects.registry import tables_of
from agreement.tables.table import Pairs
from agreement.templatetags.figures import Addresses
from annotation.models import Pair

pytestmark = pytest.mark.once


def links_of(table):
    """(number, the list it opens) of every count of a table, 0 and small words included."""
    for row, beside in zip(table.rows, table.beside, strict=bool(table.beside)):
        for key, link in beside.links.items():
            if isinstance(link, Pairs) and (number := row[table.number_of(key)]) is not None:
                yield number, link
        for counts in beside.counts.values():
            yield from ((count.number, count.pairs) for count in counts)


def shown_tables(selection, page):
    """Tables as a page shows them: in files, numbers of queries have no lists beside them."""
    if page != "queries":
        return tables_of(selection, page, {})
    _, topics = rows_chosen(selection, report_for(selection))
    no_intervals = [None for figures in topics if figures.before]
    makers = queries.makers_of(selection, {}, (topics, no_intervals))
    return [make() for make in makers.values()]


def assert_every_number_opens_as_many(lead, page, kinds, left_out=()):
    """`kinds` says how many numbers other than 0 open lists of each kind."""

    @cache
    def chosen(facet=ALL):
        return selection_of(lead, lead.user, {} if facet == ALL else {"facet": facet})

    facets = frozenset({ALL, *chosen().choices.facets})
    addresses = Addresses("/pairs/", "/working/", chosen().filters, facets)
    opened = Counter()
    for table in shown_tables(chosen(), page):
        for number, link in links_of(table) if table.key not in left_out else ():
            query = QueryDict(addresses(link).partition("?")[2]).dict()
            listed = read_list(chosen(query.get("facet", ALL)), query)
            assert len(listed.pairs) == number, (table.key, query)
            opened[link.kind] += number > 0
    assert opened == Counter(kinds)


@pytest.mark.parametrize(
    ("page", "kinds"),
    [
        (
            "disagreements",
            {"outcome": 20, "differing": 4, "values": 30, "cause": 6, "confusion": 16}
            | {"distance": 16},
        ),
        ("pool", {"source": 56, "alone": 47, "cited": 56, "judged": 34, "pooled": 4}),
        ("queries", {"topic": 25, "differing": 25, "overruled": 18, "undecided": 0}),
        ("annotators", {"answers": 4, "skips": 4, "flagged-by": 0, "upheld": 4, "two": 8}),
    ],
)
def test_numbers_of_the_half_open_as_many_pairs(half, page, kinds):
    lead = half.memberships.get(is_lead=True)

    assert_every_number_opens_as_many(lead, page, kinds)


@pytest.mark.parametrize(
    ("page", "kinds"),
    [
        ("disagreements", {"differing": 1, "outcome": 3, "values": 6, "cause": 3, "distance": 3}),
        ("pool", {"source": 10, "alone": 6, "judged": 15, "pooled": 3}),
    ],
)
def test_numbers_of_aspects_and_of_what_a_majority_settled_do_too(three, page, kinds):
    """The confusion counts every two of three raters, and so a pair more than once."""
    [disputed] = Pair.objects.disputed()
    decide(pair=disputed, by=three.carol, option=three.option(1), save_id=uuid4())

    assert_every_number_opens_as_many(three.members["lena"], page, kinds, left_out={"confusion"})
