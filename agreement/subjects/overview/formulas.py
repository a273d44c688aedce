# ruff: noqa: RUF001 - the letters and signs that papers print
"""The formula of a measure of two lists, step by step, with the values put in."""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from agreement.statistics import confusion
from agreement.statistics.any_raters import identity_weights, ordinal_weights
from agreement.statistics.arrays import Values, mean_ranks
from agreement.study.scales import Scale
from formats.decimals import typeset


def steps(measure: str, first: Values, second: Values, scale: Scale) -> list[str]:
    """Lines to be read one after the other; the last ends in the value. For a defined figure of
    one of the table's measures, or of the further ones. Labels stand in them by their names."""
    return _STEPS[measure](first, second, scale)


def _percent(first, second, scale):
    same, n = int((first == second).sum()), len(first)
    return [
        f"100 × pairs with the same value / pairs = 100 × {same:,} / {n:,} = {100 * same / n:.4f}"
    ]


def _kappa(first, second, scale):
    table = confusion(first, second, values=scale.values)
    n, apart = len(first), len(first) - np.trace(table)
    observed = apart / n
    expected = 1 - (table.sum(axis=1) * table.sum(axis=0)).sum() / n**2
    return [
        f"D_o, observed disagreement: pairs off the diagonal / pairs = {apart:,} / {n:,} = "
        f"{observed:.6f}",
        f"D_e, expected disagreement: 1 − Σ (row sum × column sum) / pairs² = {expected:.6f}",
        _quotient("κ", observed, expected),
    ]


def _weighted_kappa(first, second, scale, *, weight, power):
    table, n = confusion(first, second, values=scale.values), len(first)
    distance = np.abs(np.subtract.outer(scale.values, scale.values)) ** power
    observed = (table * distance).sum() / n
    expected = (np.outer(table.sum(axis=1), table.sum(axis=0)) * distance).sum() / n**2
    return [
        f"w(c, k) = {weight}, from the values themselves",
        f"D_o, observed disagreement: Σ w × pairs / {n:,} = {observed:.6f}",
        f"D_e, expected disagreement: Σ w × row sum × column sum / pairs² = {expected:.6f}",
        _quotient("κ", observed, expected),
    ]


def _gwet(first, second, scale, *, name, weights):
    table, n = confusion(first, second, values=scale.values), len(first)
    weight, k = weights(np.array(scale.values)), len(scale.values)
    observed = (table * weight).sum() / n
    shares = (table.sum(axis=0) + table.sum(axis=1)) / (2 * n)
    expected = weight.sum() * (shares * (1 - shares)).sum() / (k * (k - 1))
    each = _of_each(scale, (f"{share:.4f}" for share in shares))
    value = _signed((observed - expected) / (1 - expected))
    return [
        "w(c, k) = 1 where the values are the same"
        + ("" if name == "AC1" else "; less by m (m − 1) / (k (k − 1)) for m values from c to k"),
        f"p_a, observed agreement: Σ w × pairs / {n:,} = {observed:.6f}",
        f"π, the share of each value in both lists: {each}",
        f"p_e, by chance: Σ w × Σ π (1 − π) / (k (k − 1)), k = {k} values: {expected:.6f}",
        f"{name} = (p_a − p_e) / (1 − p_e) = {value}",
    ]


def _rho(first, second, scale):
    first, second = mean_ranks(first), mean_ranks(second)
    dx, dy = first - first.mean(), second - second.mean()
    top, bottom = (dx * dy).sum(), np.sqrt((dx**2).sum() * (dy**2).sum())
    return [
        "ranks within each list, equal values sharing the mean of their ranks",
        f"Σ (rank₁ − mean)(rank₂ − mean) = {_signed(top, 2)}",
        f"√(Σ (rank₁ − mean)² × Σ (rank₂ − mean)²) = {bottom:,.2f}",
        f"ρ = {_signed(top, 2)} / {bottom:,.2f} = {_signed(top / bottom)}",
    ]


def _alpha(first, second, scale, *, level="ordinal"):
    one_way = confusion(first, second, values=scale.values)
    coincidences = (one_way + one_way.T).astype(float)
    used = coincidences.sum(axis=1)
    total = used.sum()
    if level == "nominal":
        words = "δ(c, k) = 0 where c and k are the same, else 1"
        distance = 1 - np.eye(len(scale.values))
    else:
        words = "δ(c, k) = (Σ n from c to k − (n_c + n_k) / 2)², the ordinal distance"
        # From value c to value k: all ratings between them, and half of those of the two.
        below = np.cumsum(used) - used / 2
        distance = (below[:, np.newaxis] - below[np.newaxis, :]) ** 2
    observed = (coincidences * distance).sum() / total
    expected = (np.outer(used, used) * distance).sum() / (total * (total - 1))
    counts = _of_each(scale, (f"{n:,.0f}" for n in used))
    return [
        f"ratings of each value, both lists together: {counts}; N = {total:,.0f}",
        words,
        f"D_o = Σ o(c, k) δ(c, k) / N = {observed:,.4f}",
        f"D_e = Σ n_c n_k δ(c, k) / (N (N − 1)) = {expected:,.4f}",
        _quotient("α", observed, expected),
    ]


def _fleiss(first, second, scale):
    table, n = confusion(first, second, values=scale.values), len(first)
    observed = np.trace(table) / n
    shares = (table.sum(axis=0) + table.sum(axis=1)) / (2 * n)
    each = _of_each(scale, (f"{share:.4f}" for share in shares))
    expected = (shares**2).sum()
    value = _signed((observed - expected) / (1 - expected))
    return [
        f"P_o, observed agreement: pairs with the same value / pairs = {observed:.6f}",
        f"p, the share of each value in both lists: {each}",
        f"P_e, by chance: Σ p² = {expected:.6f}",
        f"κ = (P_o − P_e) / (1 − P_e) = {value}",
    ]


_STEPS: dict[str, Callable[[Values, Values, Scale], list[str]]] = {
    "rho": _rho,
    "alpha": _alpha,
    "alpha_nominal": partial(_alpha, level="nominal"),
    "kappa": _kappa,
    "percent": _percent,
    "kappa_linear": partial(_weighted_kappa, weight="|c − k|", power=1),
    "kappa_quadratic": partial(_weighted_kappa, weight="(c − k)²", power=2),
    "ac1": partial(_gwet, name="AC1", weights=identity_weights),
    "ac2": partial(_gwet, name="AC2", weights=ordinal_weights),
    "fleiss_kappa": _fleiss,
}


def _of_each(scale: Scale, numbers: Iterable[str]) -> str:
    return ", ".join(f"{word}: {number}" for word, number in zip(scale.words, numbers, strict=True))


def _quotient(letter, observed, expected):
    value = _signed(1 - observed / expected)
    return f"{letter} = 1 − D_o / D_e = 1 − {observed:,.6f} / {expected:,.6f} = {value}"


def _signed(value, decimals=6):
    return typeset(f"{value:z,.{decimals}f}")
