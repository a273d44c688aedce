"""The pages of queries that are texts: the list, one query's ranked pool, and statistics."""

import uuid

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.models import MachineRun
from annotation.progress.listing import listing
from datasets.access import get_membership
from datasets.models import Query, Role, Topic
from evaluation.access import get_machine_run
from evaluation.queries.reading import read_paper_queries, read_text_queries
from evaluation.queries.reports import linked_sentences, query_report, query_row, scale_of
from evaluation.queries.statistics import statistics
from evaluation.queries.tables import tables
from evaluation.values import read_values

GOLD = "gold"


@login_required
@require_safe
def queries(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    found = read_text_queries(member.collection)
    source = Source(request, member.collection)
    values = read_values(member.collection, user=request.user, run=source.run)
    papers = read_paper_queries(member.collection)
    # A collection has queries of one kind: the list that there is, is searched.
    shown = listing(found or papers, request.GET, text=_text_of)
    page = list(shown.page.object_list)
    return _page(
        request, member, "evaluation/queries.html", source, values,
        listing=shown,
        address=shown.address(values=request.GET.get("values", "")),
        kept=[("values", request.GET.get("values", ""))],
        rows=[query_row(query, values) for query in page] if found else [],
        papers=papers if found else page,
        judges_aspects=_judges_aspects(member.collection),
    )  # fmt: skip


@login_required
@require_safe
def query(request, slug, public_id):
    """One query. The address holds the source of values and the aspects that count."""
    member = get_membership(request.user, slug, Role.LEAD)
    found = read_text_queries(member.collection, public_id=public_id)
    if not found:
        return _paper(member.collection, public_id)
    [query] = found
    source = Source(request, member.collection)
    values = read_values(
        member.collection, user=request.user, run=source.run, topics=query.tree.ids
    )
    report = query_report(
        query,
        values,
        chosen=_chosen(request, query),
        scale=scale_of(member.collection),
        why_none=source.why_none,
    )
    # Going back in the browser's history asks for the whole page, also by htmx.
    is_fragment = request.htmx and not request.htmx.history_restore_request
    template = "evaluation/query.html" + ("#scores" if is_fragment else "")
    response = _page(
        request, member, template, source, values,
        report=report, query=query, sentences=linked_sentences(query, report.chosen),
    )  # fmt: skip
    response["Vary"] = "HX-Request"
    return response


@login_required
@require_safe
def query_statistics(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    found = read_text_queries(member.collection)
    source = Source(request, member.collection)
    values = read_values(member.collection, user=request.user, run=source.run)
    scale = scale_of(member.collection)
    parts = statistics(found, values, scale)
    return _page(
        request, member, "evaluation/statistics.html", source, values,
        parts=parts, **tables(parts, scale),
    )  # fmt: skip


def _text_of(query):
    row = query.row
    return f"{row.external_id} {row.document.title if row.document else row.text}"


class Source:
    """Whose values a page shows: gold, or the machine run that its address names."""

    def __init__(self, request, collection):
        self.chosen = request.GET.get("values") or GOLD
        self.runs = list(MachineRun.objects.filter(collection=collection))
        self.run = None
        if self.chosen != GOLD:
            try:
                self.run = get_machine_run(collection, uuid.UUID(self.chosen))
            except ValueError:
                raise Http404("There is no such machine run.") from None

    @property
    def choices(self):
        return [(GOLD, "Gold"), *((str(run.public_id), str(run)) for run in self.runs)]

    @property
    def name(self):
        return f"machine run {self.run}" if self.run else "gold"

    @property
    def why_none(self):
        return "no value from this run" if self.run else "no gold yet"


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
    for one in ids:
        if one not in known:
            raise BadRequest(f"aspect is {one!r}; expected one of {', '.join(known)}.")
    return query.tree.chosen(ids or known)


def _page(request, member, template, source, values, **more):
    context = {
        "member": member,
        "collection": member.collection,
        "source": source,
        "withheld": values.withheld,
    }
    return render(request, template, context | more)
