"""The tables of audits: all of them, and the result, the pairs and the differences of one."""

from collections.abc import Mapping
from functools import partial

from django.urls import reverse

from adjudication.models import Audit
from agreement.study.scales import NOT_YET
from agreement.study.selection import Selection
from agreement.subjects.audits.figures import AuditedRow, AuditReport, Rate
from agreement.subjects.audits.reading import Read, is_hidden_from, read_reports
from agreement.tables.cells import printed
from agreement.tables.columns import with_interval
from agreement.tables.table import Beside, Cell, Column, Head, Kind, Makers, Table
from annotation.reading.formulas import plain_formulas
from datasets.models import Collection

HIDDEN = "hidden while you work through it"
AUDITS = (
    Column("audit", "Audit"),
    Column("of", "Drawn from", on_page=False),
    Column("state", "State"),
    Column("population", "Agreed pairs", Kind.COUNT, on_page=False),
    Column("drawn", "Drawn", Kind.COUNT, on_page=False),
    Column("judged", "Judged", Kind.COUNT),
    Column("differing", "Another value", Kind.COUNT),
    *with_interval("share", "Share", Kind.SHARE),
    Column("at_most", "At most", Kind.BOUND),
)


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    return {"audits": partial(_audits, selection)}


def _audits(selection: Selection) -> Table | None:
    """Audits whose figures the viewer may see; filters choose none of them."""
    collection, viewer = selection.collection, selection.viewer
    audits = [audit for audit in audits_of(collection) if not is_hidden_from(audit, viewer)]
    return audits_table(audits, read_reports(audits, collection=collection, viewer=viewer))


def audits_of(collection: Collection) -> list[Audit]:
    """With all that a table says of them."""
    audits = Audit.objects.filter(collection=collection)
    return list(
        audits.select_related("collection", "query", "batch").prefetch_related("adjudicators")
    )


def audits_table(audits: list[Audit], reports: Mapping[int, Read]) -> Table | None:
    """Audits of which no report was read have no figures."""
    if not audits:
        return None
    rates = {pk: read.report.whole for pk, read in reports.items()}
    return Table(
        "audits",
        "Agreed pairs that an adjudicator gives another value",
        AUDITS,
        [
            (
                audit.name,
                audit.limits_in_words,
                "open" if audit.is_open else "closed",
                audit.population,
                *_rate(rates.get(audit.pk)),
            )
            for audit in audits
        ],
        notes=(
            "The adjudicator decided without seeing the ratings. Share: of the judged pairs, "
            "with the exact 95% binomial interval; at most: the exact one-sided 95% bound.",
            "Audits are shown whole, whatever pairs are chosen.",
        ),
        beside=[_beside(audit, is_shown=audit.pk in rates) for audit in audits],
    )


def _beside(audit: Audit, *, is_shown: bool) -> Beside:
    address = reverse("agreement:audit", args=[audit.collection.slug, audit.public_id])
    people = ", ".join(f"{member}" for member in audit.adjudicators.all())
    return Beside(
        missing={"share": NOT_YET, "at_most": NOT_YET},
        below={"judged": f"of {audit.size:,}"},
        head=Head(audit.name, address, (audit.limits_in_words, f"decided by {people}")),
        instead="" if is_shown else HIDDEN,
    )


def result_table(report: AuditReport) -> Table:
    """A row per facet, and one over several."""
    rates = [(report.facets[facet], rate) for facet, rate in report.by_facet]
    overall = [("All", report.whole)] if len(rates) > 1 else []
    judged = ("share", "at_most")
    return Table(
        "result",
        "Agreed pairs that the adjudicator gives another value",
        (
            Column("facet", "Agreed pairs"),
            Column("judged", "Judged", Kind.COUNT),
            Column("differing", "Another value", Kind.COUNT),
            *with_interval("share", "Share", Kind.SHARE),
            Column("at_most", "At most (95%)", Kind.BOUND),
            Column("excluded", "Left out", Kind.COUNT),
            Column("waiting", "Waiting", Kind.COUNT),
        ),
        [
            (name, *_rate(rate)[1:], rate.excluded, rate.waiting)
            for name, rate in (*rates, *overall)
        ],
        beside=[
            *(Beside(missing=dict.fromkeys(judged, NOT_YET)) for _ in rates),
            *(Beside(missing=dict.fromkeys(judged, NOT_YET), look="chosen") for _ in overall),
        ],
    )


def differing_table(report: AuditReport) -> Table:
    """The pairs with another value, the largest difference first."""
    difference = Column("difference", "Difference", Kind.GRADE, is_signed=True)
    return Table(
        "differing",
        "Pairs with another value",
        (
            Column("pair", "Pair"),
            Column("consensus", "Consensus", Kind.GRADE),
            Column("value", "Adjudicator", Kind.GRADE),
            *([difference] * report.has_order),
        ),
        [
            (
                row.title,
                row.shown(row.consensus),
                row.shown(row.value),
                *([row.difference] * report.has_order),
            )
            for row in report.differing
        ],
        beside=[Beside(head=_head(row)) for row in report.differing],
    )


def _head(row: AuditedRow) -> Head:
    place = f"topic {row.topic}, document {row.document}"
    address = reverse("agreement:pair", args=[row.key])
    return Head(plain_formulas(row.title), address, (place, *[row.reason] * bool(row.reason)))


def differences_table(report: AuditReport) -> Table:
    """The number of pairs with each difference."""
    return Table(
        "differences",
        "Size and direction",
        (Column("difference", "Difference", Kind.GRADE), Column("pairs", "Pairs", Kind.COUNT)),
        report.differences,
        beside=[
            Beside(
                head=Head(
                    f"{'+' * (difference > 0)}{printed(difference, Kind.GRADE)}",
                    below=(f"adjudicator {'lower' if difference < 0 else 'higher'}",),
                )
            )
            for difference, _ in report.differences
        ],
    )


def _rate(rate: Rate | None) -> tuple[Cell, ...]:
    if rate is None:
        return (None,) * 7
    return (
        rate.drawn,
        rate.judged,
        rate.differing,
        rate.share.value,
        rate.interval.low,
        rate.interval.high,
        rate.upper_bound.high,
    )
