"""The pages of queries that are texts: the list, one query's ranked pool, and statistics."""

from dataclasses import replace
from functools import cached_property

from django.core.exceptions import BadRequest
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.fragments import render_page
from accounts.listing import listing
from audit.refusals import Invalid, raised_as
from datasets.access import get_membership, of_member
from datasets.models import JudgmentSet, Level, Query, Role, Topic
from evaluation.definitions.reading import mapping_named, mappings_of
from evaluation.queries.reading import read_facet_queries, read_text_queries
from evaluation.queries.reports import linked_sentences, query_report, query_row, scale_of
from evaluation.queries.statistics import statistics
from evaluation.queries.tables import distribution, tables
from evaluation.scores import scaled
from evaluation.sources.choices import sources_of
from evaluation.sources.source import GOLD, Kind
from evaluation.values import read_values


@require_safe
def queries(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    text_queries = read_text_queries(member.collection)
    shown = Shown(request, member.collection)
    values = shown.read()
    of_facets = read_facet_queries(member.collection)
    # A collection has queries of one kind: the list that there is, is searched.
    searched = listing(text_queries or of_facets, request.GET, text=_text_of)
    page = list(searched.page.object_list)
    context = _context(
        member, shown, values,
        **searched.context(**dict(shown.parameters)),
        rows=[query_row(query, values) for query in page] if text_queries else [],
        of_facets=of_facets if text_queries else page,
        judges_aspects=_judges_aspects(member.collection),
    )  # fmt: skip
    return render(request, "evaluation/queries.html", context)


@require_safe
def query(request, slug, public_id):
    """One query. The address holds the source of values and the aspects that count."""
    member = get_membership(request.user, slug, Role.LEAD)
    text_queries = read_text_queries(member.collection, public_id=public_id)
    if not text_queries:
        return _paper(member.collection, public_id)
    [query] = text_queries
    shown = Shown(request, member.collection)
    values = shown.read(topics=query.tree.ids)
    report = query_report(
        query,
        values,
        aspects=_chosen(request, query),
        scale=shown.scale,
        why_none=shown.why_none,
    )
    context = _context(
        member, shown, values,
        report=report, query=query, sentences=linked_sentences(query, report.chosen),
    )  # fmt: skip
    return render_page(request, "evaluation/query.html", context, part="scores")


@require_safe
def query_statistics(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    text_queries = read_text_queries(member.collection)
    shown = Shown(request, member.collection)
    values = shown.read()
    parts = statistics(text_queries, values, shown.scale)
    context = _context(
        member, shown, values,
        parts=parts, tables=tables(parts) if parts else {}, **distribution(parts),
    )  # fmt: skip
    return render(request, "evaluation/statistics.html", context)


def _text_of(query):
    row = query.row
    return f"{row.external_id} {row.document.heading if row.document else row.text}"


class Shown:
    """The page's source of values, gold or the one in the address, with its mapping."""

    def __init__(self, request, collection):
        self.collection, self.user = collection, request.user
        # Judgments of whole queries say nothing of an aspect.
        of_queries = JudgmentSet.objects.filter(collection=collection).exclude(level=Level.TOPICS)
        keys = set(of_queries.values_list("key", flat=True))
        self.sources = [
            source
            for source in sources_of(collection)
            if source.kind is not Kind.JUDGMENTS or source.key not in keys
        ]
        address = request.GET.get("values") or GOLD.address
        matching = [source for source in self.sources if source.address == address]
        if not matching:
            raise Http404("There is no such source of values.")
        mapping = request.GET.get("mapping", "")
        with raised_as(BadRequest, ValueError):
            version = mapping_named(collection, mapping) if mapping else None
        self.source = replace(matching[0], mapping=version)

    def read(self, topics=None):
        """The values; a mapping that does not fit them is a bad address, with its sentence."""
        with raised_as(BadRequest, Invalid):
            return read_values(self.collection, user=self.user, source=self.source, topics=topics)

    @cached_property
    def scale(self):
        """The possible values in thousandths, lowest first."""
        mapping = self.source.mapping
        if mapping is None:
            return scale_of(self.collection)
        return tuple(sorted({scaled(grade) for *_, grade in mapping.grades}))

    @cached_property
    def mappings(self):
        mappings = mappings_of(self.collection, self.source.mapping)
        return [(mapping.address, mapping.in_words) for mapping in mappings]

    @property
    def mapping(self):
        return self.source.mapping.address if self.source.mapping else ""

    @property
    def parameters(self):
        """The parameters of an address for this source, without those at their defaults."""
        values = [("values", "" if self.is_gold else self.chosen), ("mapping", self.mapping)]
        return [(name, value) for name, value in values if value]

    @property
    def query(self):
        """The same as the end of an address, empty for plain gold."""
        return f"?{urlencode(self.parameters)}" if self.parameters else ""

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
    aspect_ids = [aspect.id for aspect in query.tree.aspects]
    for aspect_id in ids:
        if aspect_id not in aspect_ids:
            raise BadRequest(f"aspect is {aspect_id!r}; expected one of {', '.join(aspect_ids)}.")
    return query.tree.chosen(ids or aspect_ids)


def _context(member, shown, values, **more):
    return of_member(member) | {"source": shown, "withheld": values.withheld, **more}
