"""Gold, a seat or a person against judgments made elsewhere, or against another source."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from agreement.pages.frame import Control, get_selection, show
from agreement.pairs.lists import LISTS
from agreement.subjects.registry import TABLES
from audit.refusals import raised_as
from datasets.models import Collection
from evaluation.against.figures import NotComparable, chosen_sources, compare
from evaluation.against.lists import ROUTE, pairs_behind
from evaluation.against.tables import makers_of
from evaluation.sources.choices import sources_of
from evaluation.sources.source import Kind

# The section of agreement is below: its files and lists of pairs learn of this page here.
LISTS["against"] = pairs_behind
TABLES["against"] = makers_of


@require_safe
def against(request: HttpRequest, slug: str) -> HttpResponse:
    selection = get_selection(request, slug)
    with raised_as(BadRequest, ValueError):
        first, second = chosen_sources(selection, request.GET)
    chosen = {"a": first.address, "b": second.address if second else ""}
    context: dict[str, object] = {
        "first": first,
        "second": second,
        "own_controls": _controls(selection.collection, **chosen),
    }
    if second:
        try:
            comparison = compare(selection, first, second)
        except NotComparable as why:
            context["why_not"] = str(why)
        else:
            makers = makers_of(selection, request.GET)
            context |= {
                "against": comparison,
                "tables": {key: make() for key, make in makers.items()},
            }
    return show(request, selection, ROUTE, "evaluation/against/against.html", context, **chosen)


def _controls(collection: Collection, a: str, b: str) -> list[Control]:
    """Judgments made elsewhere stand second only."""
    sources = sources_of(collection)
    options = [(source.address, source.in_words) for source in sources]
    first_options = [
        (source.address, source.in_words) for source in sources if source.kind != Kind.JUDGMENTS
    ]
    return [Control("a", "Values of", first_options, a), Control("b", "against", options, b)]
