"""The pages of queries that are texts: the list, one query's ranked pool, and statistics."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.progress.listing import listing
from datasets.access import get_membership
from datasets.models import JudgmentSet, Level, Query, Role, Topic
from evaluation.queries.reading import read_paper_queries, read_text_queries
from evaluation.queries.reports import linked_sentences, query_report, query_row, scale_of
from evaluation.queries.statistics import statistics
from evaluation.queries.tables import tables
from evaluation.sources.choices import sources_of
from evaluation.sources.source import GOLD, Kind
from evaluation.values import read_values


@login_required
@require_safe
def queries(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    text_queries = read_text_queries(member.collection)
    shown = Shown(request, member.collection)
    values = read_values(member.collection, user=request.user, source=shown.source)
    papers = read_paper_queries(member.collection)
    # A collection has queries of one kind: the list that there is, is searched.
    searched = listing(text_queries or papers, request.GET, text=_text_of)
    page = list(searched.page.object_list)
    return _page(
        request, member, "evaluation/queries.html", shown, values,
        listing=searched,
        address=searched.address(values=request.GET.get("values", "")),
        kept=[("values", request.GET.get("values", ""))],
        rows=[query_row(query, values) for query in page] if text_queries else [],
        papers=papers if text_queries else page,
        judges_aspects=_judges_aspects(member.collection),
    )  # fmt: skip


@login_required
@require_safe
def query(request, slug, public_id):
    """One query. The address holds the source of values and the aspects that count."""
    member = get_membership(request.user, slug, Role.LEAD)
    text_queries = read_text_queries(member.collection, public_id=public_id)
    if not text_queries:
        return _paper(member.collection, public_id)
    [query] = text_queries
    shown = Shown(request, member.collection)
    values = read_values(
        member.collection, user=request.user, source=shown.source, topics=query.tree.ids
    )
    report = query_report(
        query,
        values,
        chosen=_chosen(request, query),
        scale=scale_of(member.collection),
        why_none=shown.why_none,
    )
    # Going back in the browser's history asks for the whole page, also by htmx.
    is_fragment = request.htmx and not request.htmx.history_restore_request
    template = "evaluation/query.html" + ("#scores" if is_fragment else "")
    response = _page(
        request, member, template, shown, values,
        report=report, query=query, sentences=linked_sentences(query, report.chosen),
    )  # fmt: skip
    response["Vary"] = "HX-Request"
    return response


@login_required
@require_safe
def query_statistics(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    text_queries = read_text_queries(member.collection)
    shown = Shown(request, member.collection)
    values = read_values(member.collection, user=request.user, source=shown.source)
    scale = scale_of(member.collection)
    parts = statistics(text_queries, values, scale)
    return _page(
        request, member, "evaluation/statistics.html", shown, values,
        parts=parts, **tables(parts, scale),
    )  # fmt: skip


def _text_of(query):
    row = query.row
    return f"{row.external_id} {row.document.title if row.document else row.text}"


class Shown:
    """Whose values a page shows: gold, or the source that its address names."""

    def __init__(self, request, collection):
        # Judgments of whole queries say nothing of an aspect.
        of_queries = JudgmentSet.objects.filter(collection=collection).exclude(level=Level.TOPICS)
        keys = set(of_queries.values_list("key", flat=True))
        self.sources = [
            source
            for source in sources_of(collection)
            if source.kind is not Kind.JUDGMENTS or source.key not in keys
        ]
        wanted = request.GET.get("values") or GOLD.address
        chosen = [source for source in self.sources if source.address == wanted]
        if not chosen:
            raise Http404("There is no such source of values.")
        self.source = chosen[0]

    @property
    def choices(self):
        return [(source.address, source.in_words) for source in self.sources]

    @property
    def chosen(self):
        return self.source.address

    @property
    def is_gold(self):
        return self.source.kind is Kind.GOLD

    @property
    def name(self):
        return self.source.in_words

    @property
    def why_none(self):
        return "no gold yet" if self.is_gold else "no value from this source"


def _judges_aspects(collection):
    """Whether its scheme is one under which queries are written with aspects."""
    return hasattr(collection, "scheme") and collection.scheme.current.judges_aspects


def _paper(collection, public_id):
    """A query that is a paper has no scores over aspects; its topics have pages of their own."""
    topic = Topic.objects.filter(
        queries__in=Query.objects.filter(collection=collection, public_id=public_id)
    ).first()
    if topic is None:
        raise Http404("There is no such query.")
    return redirect("annotation:topic", collection.slug, topic.public_id)


def _chosen(request, query):
    """The aspects that the address names, or all where it names none."""
    ids = request.GET.getlist("aspect")
    known = [aspect.id for aspect in query.tree.aspects]
    for aspect_id in ids:
        if aspect_id not in known:
            raise BadRequest(f"aspect is {aspect_id!r}; expected one of {', '.join(known)}.")
    return query.tree.chosen(ids or known)


def _page(request, member, template, shown, values, **more):
    context = {
        "member": member,
        "collection": member.collection,
        "source": shown,
        "withheld": values.withheld,
    }
    return render(request, template, context | more)
