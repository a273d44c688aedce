"""The figures of an audit, over rows alone."""

import pytest

from agreement.statistics import Reason
from agreement.subjects.audits.figures import AuditedRow, AuditReport, rate_of
from agreement.subjects.audits.tables import result_table
from agreement.tables.cells import rounded_up


def row(position=1, *, consensus=2.0, value=None, **details):
    """An agreed pair, decided where it has a value."""
    usual = {
        "key": position,
        "topic": "t1",
        "document": f"d{position}",
        "title": "A title",
        "facet": "method",
        "is_control": False,
        "is_decided": value is not None,
    }
    return AuditedRow(position=position, consensus=consensus, value=value, **usual | details)


def control(position=1, **details):
    return row(position, consensus=None, is_control=True, **details)


def rows_of(judged, differing):
    return [row(n, value=3.0 if n < differing else 2.0) for n in range(judged)]


def test_the_error_rate_is_the_share_of_judged_pairs_with_another_value():
    rate = rate_of(rows_of(20, 3))

    assert (rate.drawn, rate.judged, rate.differing, rate.share.value) == (20, 20, 3, 0.15)


@pytest.mark.parametrize(
    ("judged", "differing", "upper", "low", "high"),
    [
        # 0 of n: the bound solves (1 - p)^n = 0.05, or 0.025 at either end.
        (1, 0, 1 - 0.05, 0, 1 - 0.025),
        (59, 0, 1 - 0.05 ** (1 / 59), 0, 1 - 0.025 ** (1 / 59)),
        # n of n: no bound below 1; from below p^n = 0.025.
        (4, 4, 1, 0.025 ** (1 / 4), 1),
        # 1 of 2: 1 - p^2 = 0.05 above; 1 - (1 - p)^2 = 0.025 below.
        (2, 1, 0.95**0.5, 1 - 0.975**0.5, 0.975**0.5),
        # Clopper and Pearson's chart and every table since: 1 of 10 is 0.25 % to 44.5 %.
        (10, 1, 0.394163, 0.002529, 0.445016),
    ],
)
def test_the_bounds_are_exact(judged, differing, upper, low, high):
    rate = rate_of(rows_of(judged, differing))

    assert rate.upper_bound.high == pytest.approx(upper, abs=1e-6)
    assert (rate.interval.low, rate.interval.high) == pytest.approx((low, high), abs=1e-6)


def test_what_is_not_judged_is_counted_apart():
    rows = [
        row(1, value=2.0),
        row(2, value=3.0),
        row(3, value=3.0, has_changed=True),
        row(4, is_decided=True, has_changed=True),  # left out, and rated anew
        row(5, is_decided=True),  # left out
        row(6),
        control(7, value=0.0),
        control(8),
    ]

    rate = rate_of(rows)

    assert (rate.drawn, rate.judged, rate.differing) == (6, 2, 1)
    assert (rate.excluded, rate.changed, rate.waiting) == (1, 2, 1)


def test_an_audit_without_a_judged_pair_has_no_figures():
    report = AuditReport(100, [row(1), row(2, is_decided=True), control(3, value=1.0)])

    assert report.whole.share.reason == Reason.NO_PAIRS
    assert (report.whole.upper_bound.high, report.whole.at_most) == (None, "")
    assert report.sentence == "No agreed pair of this audit is judged yet."


def test_the_result_is_a_sentence():
    assert AuditReport(2931, rows_of(60, 0)).sentence == (
        "With 95% confidence, at most 4.9% of the 2,931 agreed pairs have another value."
    )


@pytest.mark.parametrize(
    ("share", "percent"),
    [
        (0, "0.0%"),
        (0.0487, "4.9%"),
        (0.049, "4.9%"),
        (0.04951, "5.0%"),
        (0.29, "29.0%"),
        (1, "100.0%"),
    ],
)
def test_a_bound_is_never_rounded_down(share, percent):
    assert rounded_up(share) == percent


def test_figures_are_by_facet_in_the_order_of_the_scheme_also_where_two_have_one_name():
    rows = [row(1, value=2.0), row(2, value=3.0, facet="aim"), row(3, value=2.0)]
    names = {"method": "Part", "result": "Result", "aim": "Part"}

    report = AuditReport(9, rows, names)

    by_facet = dict(report.by_facet)
    assert list(by_facet) == ["method", "aim"]
    assert [(r.judged, r.differing) for r in by_facet.values()] == [(2, 0), (1, 1)]
    assert [row[:3] for row in result_table(report).rows] == [
        ("Part", 2, 0), ("Part", 1, 1), ("All", 3, 1),
    ]  # fmt: skip


def test_differences_have_size_and_direction():
    values = [0.0, 3.0, 1.0, 3.0, 2.0, None]
    rows = [row(n, value=value) for n, value in enumerate(values)]

    report = AuditReport(9, rows)

    assert report.differences == [(-2, 1), (-1, 1), (1, 2)]
    assert [(r.position, r.difference) for r in report.differing] == [
        (0, -2), (1, 1), (2, -1), (3, 1),
    ]  # fmt: skip


def test_equal_differences_of_decimal_grades_are_one():
    """0.3 - 0.2 and 0.2 - 0.1 differ in the last bit; a file would print them under one name."""
    values = [(0.1, 0.2), (0.2, 0.3), (0.0, 0.1), (0.3, 0.2)]
    rows = [row(n, consensus=before, value=after) for n, (before, after) in enumerate(values)]

    report = AuditReport(9, rows)

    assert report.differences == [(-0.1, 1), (0.1, 3)]
    assert [r.position for r in report.differing] == [0, 1, 2, 3]  # none is larger than another


def test_labels_differ_without_size_and_are_shown_by_their_names():
    labels = {0.0: "survey", 2.0: "theory"}
    rows = [row(1, value=0.0, labels=labels), row(2, value=2.0, labels=labels)]

    report = AuditReport(9, rows)

    assert [r.position for r in report.differing] == [1]
    assert (report.differences, report.has_order) == ([], False)
    assert [rows[0].shown(value) for value in (2.0, 0.0, None)] == ["theory", "survey", None]
    # Beside grades of other facets, those have a size, and so come first.
    mixed = AuditReport(9, [*rows, row(3, value=2.5)])
    assert (mixed.differences, mixed.has_order) == ([(0.5, 1)], True)
    assert [r.position for r in mixed.differing] == [3, 1]


def test_pair_rated_anew_has_no_difference_whatever_was_decided():
    changed = row(1, value=3.0, has_changed=True)

    assert (changed.is_judged, changed.differs, changed.difference) == (False, False, None)
    assert control(2, value=3.0).difference is None


def test_facets_of_an_audit_add_up_to_the_whole():
    facets = ("result", "method", "result", "method", "result")
    values = (3.0, 2.0, None, 1.0, 2.0)
    rows = [row(n, value=v, facet=f) for n, (f, v) in enumerate(zip(facets, values, strict=True))]
    rows += [row(8, is_decided=True), row(9, value=2.0, has_changed=True)]
    report = AuditReport(9, rows, {"method": "Method", "result": "Result"})

    rates = [rate for _, rate in report.by_facet]

    for part in ("drawn", "judged", "differing", "excluded", "changed", "waiting"):
        assert sum(getattr(rate, part) for rate in rates) == getattr(report.whole, part), part
    assert sum(count for _, count in report.differences) == report.whole.differing
    assert len(report.differing) == report.whole.differing


def test_one_agreed_pair_has_a_sentence_in_the_singular():
    assert AuditReport(1, [row(1, value=2.0)]).sentence == (
        "With 95% confidence, at most 95.0% of the 1 agreed pair has another value."
    )


def test_an_audit_of_nothing_has_an_order_and_no_figures():
    report = AuditReport(0, [])

    assert (report.has_order, report.by_facet, report.differences) == (True, [], [])
    assert (report.whole.drawn, report.whole.waiting, report.topics) == (0, 0, (0, 0))


def test_controls_count_in_no_figure():
    rows = [row(1, value=2.0), control(2, value=0.0), control(3, is_decided=True), control(4)]

    report = AuditReport(9, rows)

    assert (report.whole.drawn, report.whole.differing) == (1, 0)
    assert (report.controls.drawn, report.controls.decided) == (3, 1)
    assert (report.controls.excluded, report.controls.waiting) == (1, 1)


def test_topics_without_a_control_are_counted():
    rows = [row(1), row(2, topic="t2"), row(3, topic="t3"), control(4, topic="t2")]

    assert AuditReport(9, rows).topics == (3, 2)
