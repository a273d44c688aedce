"""The methods paragraph of a paper, filled from what was actually done."""

from importlib.metadata import version

from agreement.asking import Asked
from agreement.intervals import LEVEL, RESAMPLES, SEED
from agreement.reports.overview import Overview
from agreement.reports.uncertainty import in_words, wanted_of
from agreement.statistics import CannotJudge, Comparing, Method, SummaryKind

LIBRARIES = ("numpy", "scipy", "krippendorff")


def methods_paragraph(asked: Asked, overview: Overview) -> str:
    """Plain sentences, to be taken over and shortened; empty as long as nothing can be compared."""
    row, report = overview.facet, overview.report
    if not row.before.topics:
        return ""
    sentences = [
        _who_rated(asked, overview),
        f"Consensus rule: {_lowered(asked.consensus_rule)}",
        _before(overview),
    ]
    if row.after.topics:
        sentences += [_after(overview)]
    sentences += [_skipped(asked, report.cannot_judge), _intervals(overview)]
    sentences.append(
        "Computed with Facetwise on "
        + ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
        + "."
    )
    return " ".join(sentence for sentence in sentences if sentence)


def _who_rated(asked, overview):
    row = overview.facet
    people = len(set(asked.chosen.annotator[asked.chosen.is_answered].tolist()))
    raters = overview.report.raters
    return (
        f"{_number(row.before.pairs, 'pair')} of {_number(row.before.topics, 'query', 'queries')} "
        f"were each rated independently by {raters} of {_number(people, 'annotator')}, who saw "
        "neither each other's ratings nor the sources of a paper."
    )


def _before(overview):
    between = "the two ratings" if overview.report.raters == 2 else "every two ratings, averaged,"
    return (
        "Before adjudication we report Spearman's rho, Krippendorff's alpha (ordinal), Cohen's "
        f"kappa (unweighted) and percent agreement between {between} of a pair, as "
        f"{_summary(overview.report.summary)}."
    )


def _after(overview):
    row = overview.facet
    share = row.overruling_share.figure.value
    overruled = (
        ""
        if share is None
        else (
            " The adjudicator chose a value that no annotator had given for "
            f"{100 * share:.1f}% of a query's pairs on average ({row.overruling.overruled:,} of "
            f"{row.overruling.pairs:,} pairs)."
        )
    )
    return (
        "After adjudication the same figures are the mean over annotators of the agreement of "
        f"their ratings with the adjudicated values ({_number(row.after.pairs, 'pair')} of "
        f"{_number(row.after.topics, 'query', 'queries')}).{overruled}"
    )


def _skipped(asked, rule):
    skipped = int((asked.chosen.is_cannot_judge & asked.chosen.is_finished).sum())
    if not skipped:
        return "Every pair was given a value by every annotator."
    counted = (
        "pairs with one are left out of all figures"
        if rule is CannotJudge.DROP
        else f"they count as the lowest value, {asked.chosen.scale.lowest:g}"
    )
    return f"Annotators could not judge {skipped:,} times; {counted}."


def _intervals(overview):
    row, filters = overview.facet, overview.report.filters
    before = in_words([wanted_of(row.rated, filters, Comparing.BETWEEN_RATERS)])
    after = in_words([wanted_of(row.decided, filters, Comparing.WITH_LAST)])
    apart = f", after adjudication {after}" if after and after != before else ""
    efron = " BCa is bias-corrected and accelerated (Efron 1987)."
    return (
        f"Intervals are {100 * LEVEL:.0f}% {before}{apart} ({RESAMPLES:,} resamples, seed {SEED})."
        f"{efron if filters.method is Method.BCA else ''}"
    )


def _summary(kind):
    return {
        SummaryKind.MEDIAN: "the median over queries",
        SummaryKind.MEAN: "the mean over queries",
        SummaryKind.POOLED: "one figure over all pairs",
    }[kind]


def _number(count, one, many=None):
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _lowered(sentence):
    return sentence[0].lower() + sentence[1:]
