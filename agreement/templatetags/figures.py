"""How figures are written on pages."""

from django import template

from agreement.statistics import Summary

register = template.Library()

# Table 2 of the CSFCube paper prints two decimals; so do we, for percent too.
DECIMALS = 2


@register.filter
def figure(summary: Summary) -> str:
    """A number with two decimals and a true minus sign, or the word."""
    value = summary.figure.value
    return "undefined" if value is None else f"{value:.{DECIMALS}f}".replace("-", "\u2212")


@register.filter
def share(value: float | None) -> str:
    """A share from 0 to 1 as percent."""
    return "undefined" if value is None else f"{100 * value:.2f}%"


@register.filter
def reasons(summary: Summary) -> str:
    """Why figures were left out, for a footnote: "one list holds a single value (3)"."""
    return ", ".join(f"{reason} ({count})" for reason, count in summary.left_out.items())
