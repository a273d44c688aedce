"""The methods paragraph of a paper, filled from what was actually done."""

from importlib.metadata import version

import numpy as np

from agreement.statistics import CannotJudge, Comparing, Method, SummaryKind
from agreement.statistics.figures import LEVEL
from agreement.study.intervals import RESAMPLES, SEED, in_words, wanted_of
from agreement.study.selection import Selection
from agreement.subjects.overview.overview import Overview
from agreement.tables.cells import printed
from agreement.tables.columns import raters_in_words
from agreement.tables.table import Kind
from annotation.models import Batch, Waiver
from formats.decimals import printed_grade
from formats.words import counted

LIBRARIES = ("numpy", "scipy", "krippendorff")


def methods_paragraph(selection: Selection, overview: Overview) -> str:
    """Plain sentences, to be taken over and shortened; empty as long as nothing can be compared."""
    row, report, rule = overview.facet, overview.report, selection.consensus_rule
    if not row.before.topics:
        return ""
    sentences = [
        _who_rated(selection, overview),
        f"Consensus rule: {rule[0].lower()}{rule[1:]}",
        _before(overview),
    ]
    if row.after.topics:
        sentences += [_after(overview)]
    sentences += [_skipped(selection, report.cannot_judge), _intervals(overview)]
    sentences.append(
        "Computed with Facetwise on "
        + ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
        + "."
    )
    return " ".join(sentence for sentence in sentences if sentence)


def _who_rated(selection, overview):
    row, unit = overview.facet, overview.report.unit
    people = len(set(selection.chosen.annotator[selection.chosen.is_answered].tolist()))
    overlaps = row.pairs_by_raters
    each = ", ".join(
        f"{counted(pairs, 'pair')} by {raters_in_words([seats])}"
        for seats, pairs in overlaps.items()
    )
    return (
        f"{counted(row.before.pairs, 'pair')} of "
        f"{unit.of_queries(row.before.topics, row.before.queries)} were each rated "
        f"by {_raters(raters_in_words(overlaps), people)}"
        f"{f' ({each})' if len(overlaps) > 1 else ''}. "
        f"{_how_blind(selection)}{_by_program(selection)}{_who_could_read(selection)}"
    )


def _how_blind(selection):
    """The blindness of ratings given here; nothing is said of how imported ones came about."""
    imported = Batch.objects.filter(collection=selection.collection, imported__isnull=False)
    ratings = selection.chosen
    elsewhere = np.isin(ratings.batch, list(imported.values_list("pk", flat=True)))
    imported_pairs = int((elsewhere & ratings.is_finished).sum())
    local_pairs = int((~elsewhere & ratings.is_finished).sum())
    blind = (
        "independently in Facetwise, where annotators see neither each other's ratings nor the "
        "sources of a paper."
    )
    if not imported_pairs:
        return f"They rated {blind}"
    imports = "were imported; how they were given is for the source of the import to say."
    if not local_pairs:
        return f"The ratings {imports}"
    return (
        f"The ratings of {counted(imported_pairs, 'pair')} {imports} Those of the other "
        f"{counted(local_pairs, 'pair')} were given {blind}"
    )


def _by_program(selection):
    """The number of pairs with a rating by a program; none under the channel of pages."""
    if not selection.has_program_ratings:
        return ""
    pairs = int(np.isin(selection.chosen.pair, selection.choices.by_program()).sum())
    if not pairs:
        return ""
    return f" Of {counted(pairs, 'pair')} a rating was sent by a program, not on the pages."


def _who_could_read(selection):
    """The exceptions that leads have waived, as far as the viewer may see their ratings."""
    waivers = Waiver.objects.filter(batch__collection=selection.collection)
    chosen, count_of_ratings, people = selection.chosen, 0, set()
    for batch, member in waivers.values_list("batch", "member"):
        count = int(((chosen.annotator == member) & (chosen.batch == batch)).sum())
        count_of_ratings += count
        people |= {member} if count else set()
    if not count_of_ratings:
        return ""
    ratings, annotators = counted(count_of_ratings, "rating"), counted(len(people), "annotator")
    return (
        f" {ratings} by {annotators} came from members who, as lead or adjudicator, could have "
        "read others' ratings of the batch before; a lead waived this, with a reason that is kept."
    )


def _before(overview):
    between = "the two ratings" if overview.report.raters == 2 else "every two ratings, averaged,"
    if not overview.facet.scale.is_ordinal:
        at_once = "" if overview.report.raters == 2 else ", of all ratings of a pair at once"
        return (
            "The grades are labels without an order, so we report no coefficient of ranks or "
            f"distances. Before adjudication we report Krippendorff's alpha (nominal{at_once}), "
            f"Cohen's kappa (unweighted) and percent agreement between {between} of a pair, as "
            f"{_summary(overview.report)}."
        )
    return (
        "Before adjudication we report Spearman's rho, Krippendorff's alpha (ordinal), Cohen's "
        f"kappa (unweighted) and percent agreement between {between} of a pair, as "
        f"{_summary(overview.report)}."
    )


def _after(overview):
    row = overview.facet
    share = row.overruling_share.figure.value
    overruled = (
        ""
        if share is None
        else (
            f" {_who_decided(row.adjudicators)} chose a value that no annotator had given for "
            f"{printed(share, Kind.SHARE)} of the pairs of {_a(overview.report.unit)} on average "
            f"({row.overruling.overruled:,} of {row.overruling.pairs:,} pairs)."
        )
    )
    alone = row.on_one_rater
    return (
        "After adjudication the same figures are the mean over annotators of the agreement of "
        f"their ratings with the adjudicated values ({counted(row.after.pairs, 'pair')} of "
        f"{overview.report.unit.of_queries(row.after.topics, row.after.queries)})."
        f"{f' {alone}' if alone else ''}{overruled}"
    )


def _who_decided(people: int) -> str:
    if people > 1:
        return f"The {counted(people, 'adjudicator')}"
    return "The adjudicator" if people else "The rule"


def _skipped(selection, rule):
    skipped = int((selection.chosen.is_cannot_judge & selection.chosen.is_finished).sum())
    if not skipped:
        return "Every pair was given a value by every annotator."
    lowest = printed_grade(selection.chosen.scale.lowest)
    treatment = {
        CannotJudge.LOWEST: f"they count as the lowest value, {lowest}",
        CannotJudge.DROP: "pairs with one are left out of all figures",
        CannotJudge.GAPS: (
            "they are missing values: two ratings are compared where both were given, and "
            "coefficients of several raters take those there are"
        ),
    }[rule]
    count = "once" if skipped == 1 else f"{skipped:,} times"
    return f"Annotators could not judge {count}; {treatment}."


def _intervals(overview):
    row, filters = overview.facet, overview.report.filters
    unit = overview.report.unit
    measures = row.titles.keys
    before = in_words([wanted_of(row.rated, filters, Comparing.BETWEEN_RATERS, measures)], unit)
    after = in_words([wanted_of(row.decided, filters, Comparing.WITH_LAST, measures)], unit)
    apart = f", after adjudication {after}" if after and after != before else ""
    efron = " BCa is bias-corrected and accelerated (Efron 1987)."
    return (
        f"Intervals are {100 * LEVEL:.0f}% {before}{apart} "
        f"({RESAMPLES[filters.method]:,} resamples, seed {SEED})."
        f"{efron if filters.method is Method.BCA else ''}"
    )


def _summary(report):
    if report.summary is SummaryKind.POOLED:
        return "one figure over all pairs"
    return f"the {report.unit.summary(report.summary)}"


def _raters(raters: str, people: int) -> str:
    """ "two of 5 annotators"; "one annotator" where there was no other."""
    return "one annotator" if people == 1 else f"{raters} of {counted(people, 'annotator')}"


def _a(unit):
    return f"an {unit.singular}" if unit.singular[0] in "aeiou" else f"a {unit.singular}"
