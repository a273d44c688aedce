"""`manage.py agreement SLUG`: the agreement table as text, or the whole report as JSON."""

import json
from collections.abc import Iterable, Iterator, Sequence

from django.core.management.base import BaseCommand, CommandError

from agreement.statistics import CannotJudge, Summary, SummaryKind
from agreement.subjects.overview.figures import FacetFigures
from agreement.subjects.overview.files import as_json
from agreement.subjects.overview.report import Report, report_on
from agreement.tables.columns import raters_in_words
from datasets.models import Collection

# What fits over a column of a terminal.
HEADS = {
    "kappa_linear": "k linear",
    "kappa_quadratic": "k quadr.",
    "alpha_nominal": "a nominal",
    "fleiss_kappa": "k Fleiss",
}


class Command(BaseCommand):
    help = "Print how well the annotators of a collection agree, before and after adjudication."

    def add_arguments(self, parser):
        parser.add_argument("slug", help="the collection's slug, as in its address")
        parser.add_argument("--json", action="store_true", help="everything, as JSON")
        parser.add_argument(
            "--cannot-judge",
            choices=[rule.value for rule in CannotJudge],
            default=CannotJudge.LOWEST.value,
            help="count a “cannot judge” as the scale's lowest value (lowest, the default, as in "
            "CSFCube's published table), leave pairs with one out (drop), or leave that rating out "
            "alone (gaps)",
        )
        parser.add_argument(
            "--summary",
            choices=[kind.value for kind in SummaryKind],
            default=SummaryKind.MEDIAN.value,
            help="median (default) or mean over topics, or all pairs pooled",
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
    rows = (*report.facets, report.whole)
    width, unit = max(len(facet.name) for facet in rows), report.unit
    lines = [
        f"{report.collection.name}: agreement, {unit.summary(report.summary)}, "
        f"{report.raters_in_words} rater{'' if report.raters == 1 else 's'}",
        report.rule_in_words,
        "",
    ]
    for when in ("before", "after"):
        for names, of_rows in _blocks(rows):
            heads = " ".join(f"{HEADS.get(name, name):>9}" for name in names)
            lines.append(f"{when + ' adjudication':<{width + 20}} {heads}   {unit.many}    pairs")
            lines += [_line(facet, when, names, width) for facet in of_rows]
            lines.append("")
    if len(report.whole.pairs_by_raters) > 1:
        for overlap in report.whole.overlaps:
            lines.append(
                f"of pairs with {raters_in_words([overlap.seats])} raters: "
                f"{overlap.before.pairs:,}, "
                f"kappa {_short(overlap.before.measures['kappa'], 'kappa')} before"
            )
        lines.append("")
    lines.append(f"overruled (gold that no rater gave): mean share per {unit.singular}; pairs")
    lines += [f"  {facet.name:<{width + 18}} {_overruling(facet)}" for facet in report.facets]
    lines += [f"  {report.whole.name:<{width + 18}} {_overruling(report.whole)}", ""]
    lines += [f"not yet: {topic}" for topic in _not_yet(report)]
    lines += [
        f"{topic.key}: {topic.mixed_seats} of its seats rated by more than one annotator"
        for topic in report.mixed
    ]
    return "\n".join(lines).rstrip()


def _blocks(rows: Sequence[FacetFigures]) -> Iterator[tuple[list[str], list[FacetFigures]]]:
    """The measures of a block, and its rows: grades and labels have different ones."""
    for of_labels in (False, True):
        alike = [facet for facet in rows if facet.scale.is_ordinal is not of_labels]
        if alike:
            yield list(alike[0].titles.names), alike
            yield list(alike[0].titles.further), alike


def _line(facet: FacetFigures, when: str, names: Iterable[str], width: int) -> str:
    row = getattr(facet, when)
    figures = " ".join(f"{_short(row.figures[name], name):>9}" for name in names)
    return (
        f"  {facet.name:<{width + 18}} {figures}"
        f"   {f'{row.topics} of {facet.topics}':>7} {row.pairs:>8,}"
    )


def _short(summary: Summary, measure: str) -> str:
    value = summary.figure.value
    if value is None:
        return "undefined"
    digits = 2 if measure == "percent" else 3
    left_out = f" (-{summary.undefined})" if summary.undefined else ""
    return f"{value:z.{digits}f}{left_out}"


def _overruling(facet: FacetFigures) -> str:
    share, counts = facet.overruling_share.figure.value, facet.overruling
    if share is None:
        return "undefined"
    outside = f"{counts.outside_range} outside the range of the ratings, "
    return (
        f"{100 * share:.2f}%; {counts.overruled:,} of {counts.pairs:,}, "
        f"{outside * facet.scale.is_ordinal}"
        f"{counts.against_agreement} against an agreed rating"
    )


def _not_yet(report: Report) -> list[str]:
    return [
        f"{figures.topic.key}, {when}: {reason}"
        for figures in report.topics
        for when, reason in (
            ("before", figures.topic.not_yet_rated),
            ("after", figures.topic.not_yet_decided),
        )
        if reason and not (when == "after" and figures.topic.not_yet_rated)
    ]
