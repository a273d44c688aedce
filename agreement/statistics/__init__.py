"""Agreement statistics: pure functions on arrays, without Django.

Measures of two lists are in `two_raters`, those of any number of raters in `any_raters`;
`measures` names them all.

What is heavy to load (scipy, krippendorff) is imported by the function that calls it:
a second or two and 60 MB that the web server and most commands never need.
"""

from agreement.statistics.arrays import (
    CannotJudge,
    confusion,
    counted_pairs,
    counted_values,
    extremes,
)
from agreement.statistics.binomial import Share, binomial_interval, binomial_upper_bound
from agreement.statistics.evaluation import (
    Comparing,
    by_topic,
    has_a_meaning,
    means_by_topic,
    pooled,
    summarised,
)
from agreement.statistics.figures import (
    Figure,
    FiguresOfTopic,
    Interval,
    Method,
    Over,
    Reason,
    Summary,
    SummaryKind,
    TopicMeans,
    mean,
)
from agreement.statistics.majority import majority, majority_of_others
from agreement.statistics.measures import REGISTRY, Measure, Raters
from agreement.statistics.resampling import intervals
from agreement.statistics.topics import (
    Disagreement,
    Overruling,
    RatedTopics,
    disagreement_by_topic,
    disagreement_in_all,
    overruling_by_topic,
    overruling_in_all,
)
