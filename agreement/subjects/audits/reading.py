"""An audit read for its report, as its lead may see it, and the report as JSON and CSV."""

from dataclasses import dataclass

from adjudication.models import AuditedPair
from agreement.study.ratings import labels_of
from agreement.subjects.audits.figures import AuditedRow, AuditReport, Rate
from annotation.models import Pair
from datasets.models.documents import read_untitled
from datasets.pseudonyms import pseudonym
from formats.grouping import grouped
from formats.spreadsheets import csv_table

COLUMNS = [
    "position",
    "topic",
    "document",
    "facet",
    "drawn_as",  # agreed or control
    "consensus",
    "state",  # waiting, decided, left out, or changed: rated anew after the draw
    "value",
    "option",
    "difference",
    "reason",
    "adjudicator",
]


@dataclass(frozen=True)
class Read:
    """An audit's report of the pairs that its viewer may see. `withheld` are the others: of a
    batch that is being rated again and in which the viewer holds or held a seat."""

    report: AuditReport
    withheld: int


def is_hidden_from(audit, viewer) -> bool:
    """Figures and pairs would tell whoever decides an open audit what was agreed."""
    adjudicators = audit.adjudicators.all()
    return audit.is_open and any(member.user_id == viewer.pk for member in adjudicators)


def read_reports(audits, *, collection, viewer) -> dict[int, Read]:
    """The reports of audits of one collection, by the id of the audit, in few statements."""
    entries = list(
        AuditedPair.objects.filter(
            audit__in=audits, pair__in=Pair.objects.visible_to_lead(viewer).order_by()
        )
        .select_related(
            "pair__topic", "pair__document", "decision__option", "decision__adjudicator"
        )
        .defer("pair__document__sentences", "pair__document__metadata", "pair__document__extra")
        .order_by("position")
    )
    read_untitled(entry.pair.document for entry in entries)
    scheme = collection.scheme
    words = scheme.current.words
    facets = {
        facet.key: words.facet_name(facet.key) for facet in (scheme.facets.all() if audits else ())
    }
    labels = {scale.facet: labels_of(scale, scheme) for scale in scheme.all_scales}
    rows = grouped((entry.audit_id, _row(entry, labels)) for entry in entries)
    return {
        audit.pk: Read(
            AuditReport(audit.population, rows[audit.pk], facets or {"": "Aspects"}),
            audit.size + audit.control_count - len(rows[audit.pk]),
        )
        for audit in audits
    }


def _row(entry, labels):
    pair, decision = entry.pair, entry.decision
    option = decision.option if decision else None
    facet = pair.topic.facet
    return AuditedRow(
        key=pair.public_id,
        position=entry.position,
        topic=pair.topic.external_id,
        document=pair.document.external_id,
        title=pair.document.heading,
        facet=facet,
        is_control=entry.is_control,
        consensus=None if entry.consensus is None else float(entry.consensus),
        is_decided=decision is not None,
        value=float(option.value) if option else None,
        option=option.key if option else "",
        reason=decision.reason if decision else "",
        has_changed=entry.has_changed,
        adjudicator=decision.adjudicator if decision else None,
        labels=labels.get("") or labels.get(facet, {}),
    )


def as_csv(audit, report: AuditReport) -> str:
    """One line per drawn pair in the order of the audit, people under their pseudonyms."""
    lines = (_line(audit, row) for row in report.rows)
    return csv_table([COLUMNS, *([line[name] for name in COLUMNS] for line in lines)])


def as_json(audit, read: Read) -> dict:
    """The whole report as plain data, in a stable order and without a clock time."""
    report, collection = read.report, audit.collection
    controls = report.controls
    return {
        "collection": {"slug": collection.slug, "name": collection.name},
        "audit": {
            "name": audit.name,
            "seed": audit.seed,
            "facet": audit.facet or None,
            "query": audit.query.external_id if audit.query else None,
            "batch": audit.batch.name if audit.batch else None,
            "is_closed": not audit.is_open,
            "adjudicators": sorted(
                pseudonym(collection, member) for member in audit.adjudicators.all()
            ),
        },
        "population": report.population,
        "all": _rate(report.whole),
        "facets": {facet or "aspects": _rate(rate) for facet, rate in report.by_facet},
        "differences": {f"{difference:g}": count for difference, count in report.differences},
        "controls": {
            "population": audit.control_population,
            "drawn": controls.drawn,
            "decided": controls.decided,
            "left_out": controls.excluded,
        },
        "in_words": report.sentence,
        "left_out_for_viewer": read.withheld,
        "pairs": [_line(audit, row) for row in report.rows],
    }


def _rate(rate: Rate) -> dict:
    upper, interval = rate.upper_bound, rate.interval
    return {
        "drawn": rate.drawn,
        "judged": rate.judged,
        "differing": rate.differing,
        "left_out": rate.excluded,
        "changed": rate.changed,
        "waiting": rate.waiting,
        "share": rate.share.value,
        "upper_bound_95": upper.high,
        "interval_95": None if interval.low is None else [interval.low, interval.high],
        "reason": rate.share.reason,
    }


def _line(audit, row: AuditedRow) -> dict:
    return {
        "position": row.position,
        "topic": row.topic,
        "document": row.document,
        "facet": row.facet,
        "drawn_as": "control" if row.is_control else "agreed",
        "consensus": row.consensus,
        "state": _state(row),
        "value": row.value,
        "option": row.option or None,
        "difference": row.difference,
        "reason": row.reason or None,
        "adjudicator": pseudonym(audit.collection, row.adjudicator) if row.adjudicator else None,
    }


def _state(row):
    if not row.is_decided:
        return "waiting"
    if row.has_changed:
        return "changed"
    return "left out" if row.value is None else "decided"
