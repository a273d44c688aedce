"""Links that keep what a page of runs has chosen."""

from django import template

from agreement.templatetags.figures import file_links

register = template.Library()


@register.inclusion_tag("agreement/downloads.html", takes_context=True)
def take(context, table: str, title: str, *, picture: bool = False):
    """Downloads of a table, under the page's choices."""
    parts, query = [context["collection"].slug, table], context["request"].GET.urlencode()
    links = file_links("evaluation:table", parts, query, picture=picture)
    return {"title": title, "links": links}


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
