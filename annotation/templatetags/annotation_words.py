"""How values and states are printed."""

from django import template

from annotation.rating.components import WORDS

register = template.Library()

TONES = {"partial": "warn", "agreed": "ok", "disputed": "bad", "adjudicated": "info"}


@register.filter
def plain(value):
    """A decimal without trailing zeros: 2, not 2.000."""
    return "" if value is None else f"{value.normalize():f}"


@register.filter
def state_tone(state):
    """The colour of a pair's state, which is always printed as well."""
    return TONES.get(state, "")


@register.filter
def met_words(met):
    """How far a key component is met: "Partly" for "partly", and nothing for what is no mark."""
    return WORDS.get(met, "")
