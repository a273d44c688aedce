"""The names of measures, and of the times before adjudication and after it."""

from agreement.statistics import REGISTRY

BEFORE, AFTER = "before", "after"
NOT_YET = "not yet"
GROUPS = {BEFORE: "Before adjudication", AFTER: "After adjudication"}
MEASURE_NAMES = {
    "rho": "Spearman's rho",
    "alpha": "Krippendorff's alpha, ordinal",
    "kappa": "Cohen's kappa, unweighted",
    "percent": "Percent agreement",
}
# What the table of CSFCube does not have, beside it.
FURTHER_NAMES = {
    name: REGISTRY[name].title for name in ("kappa_linear", "kappa_quadratic", "ac1", "ac2")
}
# Of one grade against the rest, and of those from a grade on.
GRADE_NAMES = {name: MEASURE_NAMES[name] for name in ("percent", "kappa")}
# The row over facets that have scales of their own.
DIFFERENT_SCALES = "All: different scales, no figure over them"
ALL_MEASURES = (*MEASURE_NAMES, *FURTHER_NAMES)
