"""Links that keep what a page of runs has chosen."""

from django import template
from django.urls import reverse

from agreement.tables.pictures import PICTURES

register = template.Library()

WORDS = {"csv": "CSV", "json": "JSON", "tex": "LaTeX", "svg": "SVG", "png": "PNG"}


@register.inclusion_tag("agreement/downloads.html", takes_context=True)
def take(context, table: str, title: str, *, picture: bool = False):
    """Downloads of a table, under the page's choices."""
    collection, query = context["collection"], context["request"].GET.urlencode()
    suffixes = [suffix for suffix in WORDS if picture or suffix not in PICTURES]
    return {
        "title": title,
        "links": [
            (
                WORDS[suffix],
                reverse("evaluation:table", args=[collection.slug, table, suffix])
                + (f"?{query}" if query else ""),
            )
            for suffix in suffixes
        ],
    }


@register.simple_tag(takes_context=True)
def sorted_by(context, measure) -> str:
    """The same page sorted by another measure."""
    query = context["request"].GET.copy()
    query["measure"] = measure.name
    return f"{context['home']}?{query.urlencode()}"


@register.filter
def of_run(values, name: str):
    """The entry of one run in a mapping by runs; "" of a person."""
    return values.get(name, "")
