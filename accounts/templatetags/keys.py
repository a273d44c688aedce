"""The keys that a page shows beside what they do, as the person has set them."""

import json

from django import template
from django.utils.html import format_html

from accounts.keys import keymap, keys_of

register = template.Library()


@register.simple_tag(takes_context=True)
def key(context, name):
    """The key of an act, as a cap."""
    return format_html('<kbd class="k">{}</kbd>', keys_of(context.get("user"))[name])


@register.simple_tag(takes_context=True)
def keys_as_json(context, page, taken=()):
    """{key: what it does} for the page's script. `taken` are choices, whose keys are theirs."""
    shortcuts = {choice.shortcut for choice in taken}
    return json.dumps(keymap(context.get("user"), page, shortcuts), separators=(",", ":"))
