"""The measures once more, slowly and in plain Python, straight from their definitions.

No numpy and nothing from ``agreement``: what the product computes is compared with this. Lists are
Python lists; None is an undefined figure and, in alpha's units, a missing rating.
"""

from itertools import combinations, permutations
from math import sqrt
from statistics import fmean, median


def percent(x, y):
    return 100 * sum(a == b for a, b in zip(x, y, strict=True)) / len(x) if x else None


def ranks(values):
    """Mean of the ranks that equal values occupy."""
    places = {}
    for rank, value in enumerate(sorted(values), start=1):
        places.setdefault(value, []).append(rank)
    return [fmean(places[value]) for value in values]


def rho(x, y):
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    rx, ry = ranks(x), ranks(y)
    mx, my = fmean(rx), fmean(ry)
    top = sum((a - mx) * (b - my) for a, b in zip(rx, ry, strict=True))
    return top / sqrt(sum((a - mx) ** 2 for a in rx) * sum((b - my) ** 2 for b in ry))


def kappa(x, y, weight=lambda a, b: float(a != b)):
    n = len(x)
    if n == 0 or len({*x, *y}) == 1:
        return None
    categories = sorted({*x, *y})
    observed = sum(weight(a, b) for a, b in zip(x, y, strict=True)) / n
    expected = sum(
        weight(a, b) * (x.count(a) / n) * (y.count(b) / n) for a in categories for b in categories
    )
    return 1 - observed / expected


def alpha(units, level="ordinal"):
    """``units``: per unit the ratings of all raters, None where one is missing."""
    units = [[value for value in unit if value is not None] for unit in units]
    units = [unit for unit in units if len(unit) >= 2]
    categories = sorted({value for unit in units for value in unit})
    if len(categories) < 2:
        return None
    coincidence = {(c, k): 0.0 for c in categories for k in categories}
    for unit in units:
        for c, k in permutations(unit, 2):
            coincidence[c, k] += 1 / (len(unit) - 1)
    n = {c: sum(coincidence[c, k] for k in categories) for c in categories}
    total = sum(n.values())

    def distance(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        between = sum(n[g] for g in categories if min(c, k) <= g <= max(c, k))
        return (between - (n[c] + n[k]) / 2) ** 2

    pairs = list(coincidence)
    observed = sum(coincidence[c, k] * distance(c, k) for c, k in pairs) / total
    expected = sum(n[c] * n[k] * distance(c, k) for c, k in pairs) / (total * (total - 1))
    return 1 - observed / expected


def tau_b(x, y):
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    pairs = list(zip(x, y, strict=True))
    alike = ordered_by_x = ordered_by_y = 0
    for (a, b), (c, d) in combinations(pairs, 2):
        alike += ((a > c) - (a < c)) * ((b > d) - (b < d))
        ordered_by_x += a != c
        ordered_by_y += b != d
    return alike / sqrt(ordered_by_x * ordered_by_y)


def macro_f1(x, y):
    pairs = list(zip(x, y, strict=True))
    scores = []
    for label in {*x, *y}:
        hits = sum(a == b == label for a, b in pairs)
        false_positives = sum(a != label == b for a, b in pairs)
        false_negatives = sum(a == label != b for a, b in pairs)
        scores.append(2 * hits / (2 * hits + false_positives + false_negatives))
    return fmean(scores) if scores else None


def signed_difference(x, y):
    return fmean(a - b for a, b in zip(x, y, strict=True)) if x else None


def _gwet_parts(units, scale, weight):
    """Observed agreement and how common each value is; Gwet (2014), chapters 2 to 4."""
    units = [[value for value in unit if value is not None] for unit in units]
    units = [unit for unit in units if unit]
    paired = [unit for unit in units if len(unit) >= 2]
    if not paired:
        return None, None
    observed = fmean(fmean(weight(a, b) for a, b in permutations(unit, 2)) for unit in paired)
    common = {c: fmean(unit.count(c) / len(unit) for unit in units) for c in scale}
    return observed, common


def ordinal_weight(scale):
    """1 - C(m, 2) / C(k, 2), m values from one to the other, both counted."""

    def weight(a, b):
        between = abs(scale.index(a) - scale.index(b)) + 1
        return 1 - between * (between - 1) / (len(scale) * (len(scale) - 1))

    return weight


def gwet(units, scale, weight=lambda a, b: float(a == b)):
    """AC1, or AC2 with weights; ``units`` as for alpha, ``scale`` the possible values."""
    observed, common = _gwet_parts(units, scale, weight)
    if observed is None or len(scale) < 2:
        return None
    total = sum(weight(a, b) for a in scale for b in scale)
    spread = sum(share * (1 - share) for share in common.values())
    expected = total * spread / (len(scale) * (len(scale) - 1))
    return (observed - expected) / (1 - expected)


def fleiss(units):
    scale = sorted({value for unit in units for value in unit if value is not None})
    observed, common = _gwet_parts(units, scale, lambda a, b: float(a == b))
    if observed is None or len(scale) < 2:
        return None
    expected = sum(share**2 for share in common.values())
    return (observed - expected) / (1 - expected)


def majority(unit):
    """Of all seats; None is one who did not rate, and no vote."""
    given = {value for value in unit if value is not None}
    won = [value for value in given if 2 * unit.count(value) > len(unit) >= 2]
    return won[0] if won else None


MEASURES = {
    "rho": rho,
    "alpha": lambda x, y: alpha(list(zip(x, y, strict=True))),
    "kappa": kappa,
    "percent": percent,
}


def summarise(values, how):
    defined = [value for value in values if value is not None]
    if not defined:
        return None
    return {"median": median, "mean": fmean}[how](defined)


class Query:
    """One query: two lists of ratings (-1 is "cannot judge") and the adjudicated list."""

    def __init__(self, facet, first, second, gold, rule):
        triples = list(zip(first, second, gold, strict=True))
        if rule == "drop":
            triples = [triple for triple in triples if -1 not in triple[:2]]
        absent = None if rule == "gaps" else 0
        self.facet = facet
        self.first = [absent if a == -1 else a for a, _, _ in triples]
        self.second = [absent if b == -1 else b for _, b, _ in triples]
        self.gold = [g for _, _, g in triples]

    def before(self, measure):
        return compared(measure, self.first, self.second)

    def after(self, measure):
        halves = [compared(measure, ratings, self.gold) for ratings in (self.first, self.second)]
        return None if None in halves else fmean(halves)

    @property
    def pairs(self):
        return len(self.gold)

    @property
    def given(self):
        """The ratings there are and the gold, of pairs with any."""
        units = zip(self.first, self.second, self.gold, strict=True)
        units = [([rating for rating in (a, b) if rating is not None], g) for a, b, g in units]
        return [(ratings, gold) for ratings, gold in units if ratings]

    @property
    def overruled(self):
        return sum(gold not in ratings for ratings, gold in self.given)

    @property
    def outside_range(self):
        return sum(not min(ratings) <= gold <= max(ratings) for ratings, gold in self.given)

    @property
    def against_agreement(self):
        return sum(
            len(ratings) == 2 and ratings[0] == ratings[1] != gold for ratings, gold in self.given
        )


def compared(measure, x, y):
    """Over what both have."""
    both = [(a, b) for a, b in zip(x, y, strict=True) if None not in (a, b)]
    return MEASURES[measure]([a for a, _ in both], [b for _, b in both])


def pooled(queries, rule):
    """All pairs of the queries as those of one."""
    whole = Query("all", [], [], [], rule)
    for query in queries:
        whole.first += query.first
        whole.second += query.second
        whole.gold += query.gold
    return whole


def table(queries, rule, how):
    """{"before" or "after": {measure: value}} over the queries, as median, mean or pooled."""
    if how == "pooled":
        whole = pooled(queries, rule)
        return {
            "before": {name: whole.before(name) for name in MEASURES},
            "after": {name: whole.after(name) for name in MEASURES},
        }
    return {
        "before": {name: summarise([q.before(name) for q in queries], how) for name in MEASURES},
        "after": {name: summarise([q.after(name) for q in queries], how) for name in MEASURES},
    }
