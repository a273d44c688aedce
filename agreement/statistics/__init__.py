"""Agreement statistics: pure functions on arrays, without Django, a measure to a module."""

from agreement.statistics.alpha import krippendorff_alpha, ordinal_alpha
from agreement.statistics.cannot_judge import CannotJudge, counted_pairs, counted_ratings
from agreement.statistics.comparisons import MEASURES, between_raters, with_gold
from agreement.statistics.disagreement import (
    Disagreement,
    confusion,
    disagreement,
    disagreement_in_all,
)
from agreement.statistics.figures import Figure, Reason
from agreement.statistics.kappa import cohen_kappa
from agreement.statistics.overruling import Overruling, overruling, overruling_in_all
from agreement.statistics.percent import percent_agreement
from agreement.statistics.rho import spearman_rho
from agreement.statistics.summary import Summary, SummaryKind, mean, median, single

__all__ = [
    "MEASURES",
    "CannotJudge",
    "Disagreement",
    "Figure",
    "Overruling",
    "Reason",
    "Summary",
    "SummaryKind",
    "between_raters",
    "cohen_kappa",
    "confusion",
    "counted_pairs",
    "counted_ratings",
    "disagreement",
    "disagreement_in_all",
    "krippendorff_alpha",
    "mean",
    "median",
    "ordinal_alpha",
    "overruling",
    "overruling_in_all",
    "percent_agreement",
    "single",
    "spearman_rho",
    "with_gold",
]
