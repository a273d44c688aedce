"""Agreement statistics: pure functions on arrays, without Django, a measure to a module.

What is heavy to load (scipy, krippendorff) is imported by the function that calls it:
a second or two and 60 MB that the web server and most commands never need.
"""

from agreement.statistics.alpha import krippendorff_alpha, ordinal_alpha
from agreement.statistics.binomial import Share, binomial_interval, binomial_upper_bound
from agreement.statistics.differences import mean_absolute_difference, mean_signed_difference
from agreement.statistics.disagreement import (
    Disagreement,
    confusion,
    disagreement,
    disagreement_by_topic,
    disagreement_in_all,
)
from agreement.statistics.evaluation import Comparing, by_topic, pooled, summarised
from agreement.statistics.figures import (
    Figure,
    Reason,
    Summary,
    SummaryKind,
    mean,
    mean_of_all,
    median,
    single,
)
from agreement.statistics.fleiss import fleiss_kappa
from agreement.statistics.gwet import gwet_ac1, gwet_ac2
from agreement.statistics.intervals import Interval, Method, intervals
from agreement.statistics.kappa import cohen_kappa
from agreement.statistics.lists import CannotJudge, counted_pairs, counted_values
from agreement.statistics.macro_f1 import macro_f1
from agreement.statistics.majority import majority, majority_of_others
from agreement.statistics.measures import MEASURES, REGISTRY, Measure, Raters
from agreement.statistics.overruling import (
    Overruling,
    overruling,
    overruling_by_topic,
    overruling_in_all,
)
from agreement.statistics.pairwise import TwoRaters, pairwise
from agreement.statistics.percent import percent_agreement
from agreement.statistics.resampling import Over
from agreement.statistics.rho import spearman_rho
from agreement.statistics.tau import kendall_tau_b
from agreement.statistics.topics import RatedTopics

__all__ = [
    "MEASURES",
    "REGISTRY",
    "CannotJudge",
    "Comparing",
    "Disagreement",
    "Figure",
    "Interval",
    "Measure",
    "Method",
    "Over",
    "Overruling",
    "RatedTopics",
    "Raters",
    "Reason",
    "Share",
    "Summary",
    "SummaryKind",
    "TwoRaters",
    "binomial_interval",
    "binomial_upper_bound",
    "by_topic",
    "cohen_kappa",
    "confusion",
    "counted_pairs",
    "counted_values",
    "disagreement",
    "disagreement_by_topic",
    "disagreement_in_all",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "intervals",
    "kendall_tau_b",
    "krippendorff_alpha",
    "macro_f1",
    "majority",
    "majority_of_others",
    "mean",
    "mean_absolute_difference",
    "mean_of_all",
    "mean_signed_difference",
    "median",
    "ordinal_alpha",
    "overruling",
    "overruling_by_topic",
    "overruling_in_all",
    "pairwise",
    "percent_agreement",
    "pooled",
    "single",
    "spearman_rho",
    "summarised",
]
