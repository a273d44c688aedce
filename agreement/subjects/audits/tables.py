"""The table of the page of audits."""

from collections.abc import Mapping
from functools import partial

from adjudication.models import Audit
from agreement.study.selection import Selection
from agreement.subjects.audits.figures import Rate
from agreement.subjects.audits.reading import is_hidden_from, read_reports
from agreement.tables.columns import with_interval
from agreement.tables.table import Column, Kind, Makers, Table


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    return {"audits": partial(_audits, selection)}


def _audits(selection: Selection) -> Table | None:
    """Audits whose figures the viewer may see; filters choose none of them."""
    audits = [
        audit_row
        for audit_row in Audit.objects.filter(collection=selection.collection)
        .select_related("query", "batch")
        .prefetch_related("adjudicators")
        if not is_hidden_from(audit_row, selection.viewer)
    ]
    read = read_reports(audits, collection=selection.collection, viewer=selection.viewer)
    if not audits:
        return None
    return Table(
        "audits",
        "Agreed pairs that an adjudicator gives another value",
        (
            Column("audit", "Audit"),
            Column("of", "Drawn from"),
            Column("state", "State"),
            Column("population", "Agreed pairs", Kind.COUNT),
            Column("drawn", "Drawn", Kind.COUNT),
            Column("judged", "Judged", Kind.COUNT),
            Column("differing", "Another value", Kind.COUNT),
            *with_interval("share", "Share", Kind.SHARE),
            Column("at_most", "At most", Kind.BOUND),
        ),
        [
            (
                audit.name,
                audit.limits_in_words,
                "open" if audit.is_open else "closed",
                audit.population,
                *_rate(read[audit.pk].report.whole),
            )
            for audit in audits
        ],
        notes=(
            "The adjudicator decided without seeing the ratings. Share: of the judged pairs, "
            "with the exact 95% binomial interval; at most: the exact one-sided 95% bound.",
            "Audits are shown whole, whatever pairs are chosen.",
        ),
    )


def _rate(rate: Rate):
    return (
        rate.drawn,
        rate.judged,
        rate.differing,
        rate.share.value,
        rate.interval.low,
        rate.interval.high,
        rate.upper_bound.high,
    )
