"""The tables of an erratum from changes alone: no database has a part in them."""

from collections import Counter
from types import SimpleNamespace
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.urls import reverse

from agreement.tables.table import Beside, Head, Heat, Series
from releases.erratum import tables
from releases.erratum.between import Known
from releases.erratum.changes import Change, Changes, Grade, Kind
from releases.erratum.reading import TOPICS
from releases.erratum.reasons import Reason, Why

PAIR = UUID(int=7)


def side(**details):
    """One of the two exports."""
    usual = {"unit": TOPICS, "scheme": {}, "manifest": {}, "source": {"from": "gold"}}
    usual |= {"source_in_words": "gold", "shares_values": False}
    usual["word"] = lambda value, facet: value
    usual["name_of"] = lambda grade, facet: f"{facet} {grade.value}"
    usual["in_words"] = lambda grade, facet: f"{facet} {grade.value}" if grade else ""
    return SimpleNamespace(**usual | details)


def erratum_of(crossed=(), rows=(), *, older=None, newer=None, facet_of=(), **details):
    return SimpleNamespace(
        changes=Changes(tuple(rows), {topic: Counter(of) for topic, of in dict(crossed).items()}),
        older=older or side(),
        newer=newer or side(),
        facet_of=dict(facet_of),
        **{"reasons": None, "known": list} | details,
    )


def address(**changes):
    return urlencode(changes)


def change(kind, topic, document="d", old=None, new=None):
    return Change(kind, topic, document, old and Grade(old), new and Grade(new))


def test_grades_are_whole_numbers_where_they_can_be():
    known = Known(change(Kind.CHANGED, "t", old="2.0", new="0.5"), Reason(), None, "")
    erratum = erratum_of(known=lambda rows: rows, facet_of={"t": "method"})

    [row] = tables.file_rows(erratum, [known])

    assert (row[4], row[7]) == (2, 0.5)
    assert (type(row[4]), type(row[7])) == (int, float)
    assert (row[6], row[9]) == ("method 2.0", "method 0.5")


def test_a_single_judgment_is_no_judgments():
    assert tables.sentence(erratum_of({"t": {("1", "1"): 1}})) == "Both hold the same 1 judgment."
    assert tables.sentence(erratum_of({"t": {("1", "1"): 2}})) == "Both hold the same 2 judgments."


def test_notes_say_what_one_of_the_two_does():
    of_pages = side(manifest={"channel": "pages"})
    channels = ["Only one of the two leaves out pairs that a program rated."]
    shared = [
        "Options of one value are told apart where both are CSV tables alone; other formats hold "
        "grades without options."
    ]

    assert tables.notes(erratum_of(older=of_pages)) == channels
    assert tables.notes(erratum_of(older=of_pages, newer=of_pages)) == []
    assert tables.notes(erratum_of(older=side(shares_values=True))) == shared
    assert tables.notes(erratum_of(newer=side(shares_values=True))) == shared


def test_counts_by_facet_lead_to_the_changes_of_a_facet():
    crossed = {"a": {("1", "2"): 1}, "b": {("", "1"): 1}, "c": {("1", "1"): 3}}
    rows = [change(Kind.CHANGED, "a"), change(Kind.NEW, "b")]
    erratum = erratum_of(crossed, rows, facet_of={"a": "method", "c": "other"})

    table = tables.by_facet(erratum, {"method": "Method"}, address)

    assert table.rows == [
        ("Method", 1, 1, 0, 0, 1),
        ("aspects", 0, 0, 1, 0, 1),
        ("other", 3, 0, 0, 0, 3),
    ]
    assert table.beside == [
        Beside({"changed": "kind=changed&facet=method"}),
        # An address names no facet by nothing.
        Beside({}),
        Beside({}),
    ]
    assert tables.by_facet(erratum_of({"a": {}}), {}, address) is None


def test_grades_are_crossed_by_their_numbers_with_what_is_new_and_gone():
    erratum = erratum_of({"t": {("9", "10"): 2, ("10", ""): 1}})

    [table] = tables.crossed(erratum, {"": ""})

    assert (table.key, table.title) == ("crossed", "Older grade by newer grade")
    assert [column.title for column in table.columns] == ["Older", "9", "10", "gone"]
    assert table.rows == [("9", 0, 2, 0), ("10", 0, 0, 1)]
    series = (Series("newer_9", "9"), Series("newer_10", "10"), Series("newer_", "gone"))
    assert table.picture == Heat(series, "older", "newer")
    [new] = tables.crossed(erratum_of({"t": {("", "1"): 1}}), {})
    assert new.rows == [("1", 0), ("new", 1)]


def test_scales_are_crossed_apart_where_grades_are_of_topics():
    scheme = {"scales": {"method": {}, "result": {}, "unused": {}}}
    crossed = {"a": {("1", "2"): 1}, "b": {("1", "1"): 1}}
    facet_of = {"a": "method", "b": "result"}
    names = {"method": "Method"}

    apart = tables.crossed(erratum_of(crossed, newer=side(scheme=scheme), facet_of=facet_of), names)
    of_queries = side(unit="queries", scheme=scheme)
    together = tables.crossed(
        erratum_of(crossed, older=of_queries, newer=of_queries, facet_of=facet_of), names
    )

    assert [(table.key, table.title) for table in apart] == [
        ("crossed-method", "Method: older grade by newer grade"),
        ("crossed-result", "Older grade by newer grade"),
    ]
    assert [table.key for table in together] == ["crossed"]


@pytest.mark.parametrize(("values", "tables_shown"), [(0, 0), (12, 1), (13, 0)])
def test_many_values_make_no_cross_table(values, tables_shown):
    counts = {(str(value), str(value)): 1 for value in range(values)}

    assert len(tables.crossed(erratum_of({"t": counts}), {})) == tables_shown


def test_a_page_of_changes_names_papers_and_topics_and_leads_to_them():
    why = Reason(Why.DECIDED_AGAIN, "Ann read another task")
    with_names = Known(change(Kind.CHANGED, "t1", "d1", "1", "2"), why, PAIR, "A paper")
    without = Known(change(Kind.NEW, "t2", "d2", new="1"), Reason(), None, "")
    facet_of = {"t1": "method", "t2": "result"}
    erratum = erratum_of(facet_of=facet_of, reasons=object())

    table = tables.listed(erratum, [with_names, without], {"t1": "A query"}, address)

    assert table.rows == [
        ("A paper", "changed", "method 1", "method 2", Why.DECIDED_AGAIN.value, "A query"),
        ("d2", "new", None, "result 1", None, "t2"),
    ]
    assert table.beside == [
        Beside(
            links={"topic": "topic=t1"},
            below={"reason": "Ann read another task", "topic": "t1"},
            head=Head("A paper", reverse("agreement:pair", args=[PAIR]) + "#history", ("d1",)),
            missing={"reason": "not known"},
        ),
        Beside(
            links={"topic": "topic=t2"},
            head=Head("d2"),
            missing={"reason": "not known"},
        ),
    ]
    [beside] = tables.listed(erratum_of(), [without], {}, address).beside
    assert beside.missing == {}
