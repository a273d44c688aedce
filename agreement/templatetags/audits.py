"""How an audit writes its numbers."""

from django import template

register = template.Library()


@register.filter
def change(difference: float) -> str:
    """A difference between two values of the scale, with its sign: "+1"."""
    return f"{difference:+g}".replace("-", "\u2212")


@register.filter
def grade(value: float) -> str:
    """A value of the scale without needless zeros."""
    return f"{value:g}".replace("-", "\u2212")
