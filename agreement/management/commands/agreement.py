"""`manage.py agreement SLUG`: the agreement table as text, or the whole report as JSON."""

import json

from django.core.management.base import BaseCommand, CommandError

from agreement.reports import (
    MEASURE_NAMES,
    SUMMARY_NAMES,
    FacetFigures,
    Report,
    report_on,
)
from agreement.statistics import CannotJudge, Summary, SummaryKind
from agreement.tables import as_json
from datasets.models import Collection


class Command(BaseCommand):
    help = "Print how well the annotators of a collection agree, before and after adjudication."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the collection's slug, as in its address")
        parser.add_argument("--json", action="store_true", help="everything, as JSON")
        parser.add_argument(
            "--cannot-judge",
            choices=[rule.value for rule in CannotJudge],
            default=CannotJudge.LOWEST.value,
            help="leave pairs with a “cannot judge” out (drop), or count it as the scale's lowest "
            "value (lowest, the default, as in CSFCube's published table)",
        )
        parser.add_argument(
            "--summary",
            choices=[kind.value for kind in SummaryKind],
            default=SummaryKind.MEDIAN.value,
            help="median (default) or mean over queries, or all pairs pooled",
        )

    def handle(self, *, slug, cannot_judge, summary, **options):
        collection = Collection.objects.filter(slug=slug).first()
        if collection is None:
            raise CommandError(f"There is no collection {slug!r}.")
        if not hasattr(collection, "scheme"):
            raise CommandError(f"The collection {slug!r} has no scheme yet.")
        report = report_on(
            collection, cannot_judge=CannotJudge(cannot_judge), summary=SummaryKind(summary)
        )
        if options["json"]:
            text = json.dumps(as_json(report), allow_nan=False, indent=1, ensure_ascii=False)
        else:
            text = as_text(report)
        self.stdout.write(text)


def as_text(report: Report) -> str:
    """The table for a terminal: before, after, overruling; then what the figures leave out."""
    width = max(len(facet.name) for facet in (*report.facets, report.whole))
    heads = " ".join(f"{name:>9}" for name in MEASURE_NAMES)
    lines = [
        f"{report.collection.name}: agreement, {SUMMARY_NAMES[report.summary]}",
        report.rule_in_words,
        "",
    ]
    for when in ("before", "after"):
        lines.append(f"{when + ' adjudication':<{width + 20}} {heads}   queries    pairs")
        for facet in (*report.facets, report.whole):
            row = getattr(facet, when)
            figures = " ".join(f"{_short(s, m):>9}" for m, s in row.measures.items())
            lines.append(
                f"  {facet.name:<{width + 18}} {figures}"
                f"   {f'{row.topics} of {facet.topics}':>7} {row.pairs:>8,}"
            )
        lines.append("")
    lines.append("overruled (gold that no rater gave): mean share per query; pairs")
    lines += [f"  {facet.name:<{width + 18}} {_overruling(facet)}" for facet in report.facets]
    lines += [f"  {report.whole.name:<{width + 18}} {_overruling(report.whole)}", ""]
    lines += [f"not yet: {topic}" for topic in _not_yet(report)]
    lines += [
        f"{topic.key}: {topic.mixed_seats} of its seats rated by more than one annotator"
        for topic in report.mixed
    ]
    return "\n".join(lines).rstrip()


def _short(summary: Summary, measure: str) -> str:
    value = summary.figure.value
    if value is None:
        return "undefined"
    digits = 2 if measure == "percent" else 3
    left_out = f" (-{summary.undefined})" if summary.undefined else ""
    return f"{value:.{digits}f}{left_out}"


def _overruling(facet: FacetFigures) -> str:
    share, counts = facet.overruling_share.figure.value, facet.overruling
    if share is None:
        return "undefined"
    return (
        f"{100 * share:.2f}%; {counts.overruled:,} of {counts.pairs:,}, "
        f"{counts.outside_range} outside the range of the ratings, "
        f"{counts.against_agreement} against an agreed rating"
    )


def _not_yet(report: Report) -> list[str]:
    return [
        f"{figures.topic.key}, {when}: {reason}"
        for figures in report.topics
        for when, reason in (
            ("before", figures.not_yet_before),
            ("after", figures.not_yet_after),
        )
        if reason and not (when == "after" and figures.not_yet_before)
    ]
