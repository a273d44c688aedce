"""The figures of the pages as tables and as data: agreement, scores, qrels."""

import math
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from agreement.pages.audits import get_read
from agreement.pages.downloads import report_of
from agreement.pages.frame import get_selection
from agreement.study.filters import NAMES
from agreement.subjects.audits.reading import as_json
from agreement.subjects.registry import TABLES as AGREEMENT
from agreement.subjects.registry import table_of, tables_of
from agreement.tables.table import Kind as CellKind
from agreement.tables.table import Table
from agreement.tables.writing import as_data
from annotation.access import get_scheme
from annotation.models import Pair
from api.columns import Column, Kind
from api.documentation import CONFLICTS, described, files, parameter
from api.endpoint import Endpoint, TableEndpoint, streamed
from api.formats import TABLES, TableRenderer
from api.resources.judged import visible_pairs
from api.resources.resource import Row, Viewer
from api.resources.runs import MACHINE_SCORES
from audit.refusals import Invalid, Refused
from datasets.models import JudgmentSet, Role, Scope
from datasets.runs.access import get_judgment_set, get_run
from datasets.runs.reading import literals_of
from evaluation.definitions.reading import protocol_named, usual_protocol
from evaluation.pages.downloads import sheet_of
from evaluation.pages.frame import ask
from evaluation.protocols import Missing
from evaluation.runs.files import all_figures
from evaluation.sources.choices import source_named
from evaluation.sources.elsewhere import judgments_of
from evaluation.sources.pairs import grades_of_pairs
from evaluation.sources.reading import Judging
from evaluation.sources.source import Kind as SourceKind
from evaluation.sources.source import Source
from releases.checks import checks
from releases.formats import UnfitError, whole

LEAD = (Role.LEAD,)
FILTERS = {name: f"As on the pages of agreement: {name}." for name in NAMES.values()}
# Of single tables of agreement, as their pages have them.
OF_PAGES = ["relevant", "compare", "sort", "order", "person", "aspect", "show"]
OF_TABLES = FILTERS | {
    "a": "On the page `against`: the source of values, an address of `sources`; by default gold.",
    "b": "On the page `against`: the values that they are held against.",
}
OF_RUNS = {
    "values": "The source of values: an address of `sources`, by default gold.",
    "mapping": "The mapping by which options count, such as binary; by default their values.",
    "least": "The least relevant grade; by default the protocol's.",
    "protocol": "A protocol's name.",
    "level": "topics, queries or sub-queries.",
    "facet": "One facet.",
    "fold": "One fold.",
    "tag": "Queries with this tag, name=value.",
    "measure": "The measure in question, by default the protocol's first.",
    "a": "The first of two runs.",
    "b": "The second.",
    "draws": "topic or pair: the unit for which one rater is drawn.",
}


# JSON of the shape that the page's own file has.
DATA = {"type": "object", "additionalProperties": True}
TABLES_DATA = {"type": "array", "items": DATA}


def columns_of(table: Table) -> tuple[Column, ...]:
    kinds = {CellKind.TEXT: Kind.TEXT}
    return tuple(
        Column(column.key, column.title, kinds.get(column.kind, Kind.NUMBER))
        for column in table.columns
    )


def table_answer(request: Any, table: Table, name: str, facts: dict[str, Any]) -> Any:
    """The table as data with what it is about, or its rows alone as a file."""
    if request.accepted_renderer.format == "json":
        return Response(facts | as_data(table))
    columns = columns_of(table)
    rows = [tuple(map(_cell, columns, row)) for row in table.rows]
    return streamed(name, columns, [rows], request.accepted_renderer)


def _cell(column: Column, value: Any) -> Any:
    if value is None:
        return None
    return str(value) if column.kind is Kind.TEXT else float(value)


class Agreement(Endpoint):
    scope, roles, known = Scope.READ, LEAD, frozenset(FILTERS)

    @described(
        "get-agreement",
        "The whole report of agreement, as the page's own file of JSON has it.",
        answers={(200, "application/json"): DATA},
        parameters=[parameter(name, about) for name, about in FILTERS.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str) -> Response:
        return Response(report_of(get_selection(request, slug)))


class AgreementPage(Endpoint):
    scope, roles, known = Scope.READ, LEAD, frozenset([*OF_TABLES, *OF_PAGES])

    @described(
        "list-agreement-tables",
        "Every table of one page of agreement: overview, queries, annotators, disagreements, "
        "time, facets, pool, audits or against.",
        answers={(200, "application/json"): TABLES_DATA},
        parameters=[parameter(name, about) for name, about in OF_TABLES.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str, page: str) -> Response:
        if page not in AGREEMENT:
            raise Http404(f"There is no page {page!r}; expected one of {', '.join(AGREEMENT)}.")
        selection = get_selection(request, slug)
        return Response([as_data(table) for table in tables_of(selection, page, request.GET)])


class AgreementTable(TableEndpoint):
    scope, roles, known = Scope.READ, LEAD, frozenset([*OF_TABLES, *OF_PAGES])

    @described(
        "get-agreement-table",
        "One table of a page of agreement.",
        answers={(200, "application/json"): DATA} | files("Its rows."),
        parameters=[parameter(name, about) for name, about in OF_TABLES.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str, page: str, table: str) -> Any:
        selection = get_selection(request, slug)
        try:
            figures = table_of(selection, page, table, request.GET)
        except KeyError:
            raise Http404(f"There is no table {table!r} on the page {page!r}.") from None
        facts = {"chosen": dict(selection.filters_in_words)}
        return table_answer(request, figures, f"{slug}-{page}-{table}", facts)


class Scores(Endpoint):
    scope, roles, known = Scope.READ, LEAD, frozenset(OF_RUNS)

    @described(
        "get-scores",
        "Every measure of every run: in all, by facet, by fold and by topic.",
        answers={(200, "application/json"): DATA},
        parameters=[parameter(name, about) for name, about in OF_RUNS.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str) -> Response:
        evaluation = ask(request, slug).evaluation
        if evaluation.judging.is_closed:
            raise Http404("Scores stay closed until every topic is locked.")
        return Response(all_figures(evaluation))


class RunsTable(TableEndpoint):
    scope, roles, known = Scope.READ, LEAD, frozenset(OF_RUNS)

    @described(
        "get-runs-table",
        "One table of the pages of runs, such as `scores`; an unknown name lists all.",
        answers={(200, "application/json"): DATA} | files("Its rows."),
        parameters=[parameter(name, about) for name, about in OF_RUNS.items()],
        tag="Figures",
    )
    def get(self, request: Any, slug: str, figure: str) -> Any:
        page = ask(request, slug)
        return table_answer(request, sheet_of(page, figure), f"{slug}-runs-{figure}", {})


class TREC(TableRenderer):
    media_type, format = "text/plain", "txt"


class Rows(TableEndpoint):
    """Rows that are read at once: a page of JSON holds them all."""

    scope, roles = Scope.READ, LEAD
    columns: tuple[Column, ...] = ()
    file_name = "rows"

    def answer(self, request: Any, slug: str, rows: list[Row]) -> Any:
        if request.accepted_renderer.format == "json":
            names = [column.name for column in self.columns]
            return Response([dict(zip(names, row, strict=True)) for row in rows])
        name = f"{slug}-{self.file_name}"
        return streamed(name, self.columns, [rows], request.accepted_renderer)


class RankedRow(serializers.Serializer):
    topic = serializers.CharField()
    document = serializers.CharField()
    rank = serializers.IntegerField()
    score = serializers.FloatField(allow_null=True)


class Rankings(Rows):
    columns = (
        Column("topic", "The topic or query."),
        Column("document", "The document."),
        Column("rank", "Its rank, from 1.", Kind.INTEGER),
        Column("score", "Its score; null where the run has none.", Kind.NUMBER),
    )
    file_name = "rankings"

    @described(
        "list-rankings",
        "The rankings of one run, best first.",
        answers={(200, "application/json"): RankedRow(many=True)} | files("All rows."),
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Any:
        run, member = get_run(request.user, public_id)
        if member.collection.slug != slug:
            raise Http404("There is no such run.")
        rows = [
            (ranking.external_id, document, rank, float(score) if score else None)
            for ranking in run.rankings.all()
            for rank, (document, score) in enumerate(
                zip(ranking.document_ids, ranking.scores.split("\n"), strict=True), 1
            )
        ]
        return self.answer(request, slug, rows)


class JudgedRow(serializers.Serializer):
    topic = serializers.CharField()
    document = serializers.CharField()
    grade = serializers.CharField(help_text="Exactly as it was written.")


class Judged(Rows):
    columns = (
        Column("topic", "The topic or query."),
        Column("document", "The document."),
        Column("grade", "Exactly as it was written."),
    )
    file_name = "judgments"

    @described(
        "list-judged",
        "The grades of one set of judgments.",
        answers={(200, "application/json"): JudgedRow(many=True)} | files("All rows."),
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Any:
        judgments, member = get_judgment_set(request.user, public_id)
        if member.collection.slug != slug:
            raise Http404("There are no such judgments.")
        rows = [
            (topic, document, literal)
            for topic, literals in literals_of(judgments).items()
            for document, literal in literals.items()
        ]
        return self.answer(request, slug, rows)


# What a pair is about, as files of qrels name it.
NAMED = ("topic__external_id", "document__external_id")


class QrelRow(serializers.Serializer):
    topic = serializers.CharField()
    document = serializers.CharField()
    grade = serializers.FloatField()


class Qrels(Rows):
    """Gold as exports have it; other sources as scores have them, of one state of the ratings."""

    scope = Scope.EXPORT
    known = frozenset({"values", "mapping", "least", "protocol", "missing", "facet", "all"})
    renderer_classes = [JSONRenderer, TREC, *TABLES]
    columns = (
        Column("topic", "The topic."),
        Column("document", "The document."),
        Column("grade", "The grade.", Kind.NUMBER),
    )
    file_name = "qrels"

    @described(
        "get-qrels",
        "The grades of a source of values. As `text/plain` they are TREC's qrels, the bytes of an "
        "export's file.",
        answers={(200, "application/json"): QrelRow(many=True), (200, "text/plain"): bytes}
        | files("All rows.")
        | CONFLICTS,
        parameters=[
            parameter("values", OF_RUNS["values"]),
            parameter("mapping", OF_RUNS["mapping"]),
            parameter("least", "As for scores and exports. It changes no grade."),
            parameter("protocol", "The protocol that says how a missing value of a seat counts."),
            parameter("missing", "unjudged or lowest, in place of what the protocol says."),
            parameter("facet", "Topics under one facet alone."),
            parameter("all", "1: also while the source has no value for some pairs."),
        ],
    )
    def get(self, request: Any, slug: str) -> Any:
        viewer = self.viewer
        get_scheme(viewer.collection)
        try:
            source = source_named(
                viewer.collection,
                request.query_params.get("values") or "gold",
                mapping=request.query_params.get("mapping", ""),
                least=request.query_params.get("least", ""),
            )
            missing = _missing_of(viewer.collection, request.query_params)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        is_incomplete_welcome = bool(request.query_params.get("all"))
        facet = request.query_params.get("facet", "")
        rows = sorted(qrels_of(viewer, source, missing, facet, is_incomplete_welcome))
        if request.accepted_renderer.format != "txt":
            table: list[Row] = [(topic, document, float(grade)) for topic, document, grade in rows]
            return self.answer(request, slug, table)
        lines = "".join(
            f"{topic} 0 {document} {_literal(grade, topic, document)}\n"
            for topic, document, grade in rows
        )
        return HttpResponse(lines, content_type="text/plain; charset=utf-8")


def _missing_of(collection: Any, parameters: Any) -> Missing:
    """The treatment of pairs without a value from a seat. Raises ValueError with a sentence for an
    unknown one."""
    if word := parameters.get("missing"):
        if word not in list(Missing):
            raise ValueError(f"missing is {word!r}; expected {' or '.join(Missing)}.")
        return Missing(word)
    name = parameters.get("protocol")
    return (protocol_named(collection, name) if name else usual_protocol(collection)).missing


def qrels_of(
    viewer: Viewer, source: Source, missing: Missing, facet: str, is_incomplete_welcome: bool
) -> list[tuple[str, str, Decimal]]:
    """(topic, document, grade) of every pair that the source has a value for.

    Gold that is not complete is refused, as an export of it would be.
    """
    if source.kind is SourceKind.JUDGMENTS:
        return _judged_elsewhere(viewer, source)
    if source.kind not in (SourceKind.GOLD, SourceKind.MACHINE):
        return _of_seats(viewer, source, missing, facet, is_incomplete_welcome)
    if source.kind is SourceKind.GOLD and not is_incomplete_welcome:
        lacks_grades = Judging.of_pairs(viewer.collection, viewer.user).unmapped(source)
        if lacks_grades or checks(viewer.collection, viewer.user).lacks_gold:
            raise Refused(
                "The gold is not complete. Finish it, or ask with all=1 for the pairs that have "
                "a value."
            )
    pairs = visible_pairs(viewer)
    pairs = pairs.filter(topic__facet=facet) if facet else pairs
    if source.mapping is not None:
        return _mapped(viewer, pairs, source)
    if source.kind is SourceKind.GOLD:
        pairs = pairs.filter(gold_value__isnull=False)
        return list(pairs.values_list(*NAMED, "gold_value"))
    scores = MACHINE_SCORES.rows(viewer)
    assert isinstance(scores, QuerySet)  # noqa: S101 - as it is declared
    scores = scores.filter(run__public_id=source.key, value__isnull=False, pair__in=pairs)
    return list(scores.values_list(*(f"pair__{path}" for path in NAMED), "value"))


def _mapped(viewer: Viewer, pairs: QuerySet, source: Source) -> list[tuple[str, str, Decimal]]:
    """Of gold or a machine run; not of pairs that gold leaves out, as in exports."""
    grades = grades_of_pairs(viewer.collection, source, viewer.user)
    rows = pairs.exclude(gold_origin=Pair.Origin.EXCLUDED).values_list("pk", *NAMED)
    return [
        (topic, document, Decimal(repr(grades[pk]))) for pk, topic, document in rows if pk in grades
    ]


def _judged_elsewhere(viewer: Viewer, source: Source) -> list[tuple[str, str, Decimal]]:
    judgment_set = JudgmentSet.objects.get(collection=viewer.collection, key=source.key)
    if source.mapping is not None:
        elsewhere = judgments_of(viewer.collection, source.key, source.mapping).grades
        return [
            (topic, document, Decimal(repr(grade)))
            for topic, grades in elsewhere.items()
            for document, grade in grades.items()
            if not math.isnan(grade)
        ]
    try:
        return [
            (topic, document, Decimal(literal))
            for topic, literals in literals_of(judgment_set).items()
            for document, literal in literals.items()
        ]
    except InvalidOperation:
        raise Invalid(
            "These judgments have a grade that is not a number. Their literals are at "
            f"judgments/{judgment_set.public_id}/grades."
        ) from None


def _of_seats(
    viewer: Viewer, source: Source, missing: Missing, facet: str, is_incomplete_welcome: bool
) -> list[tuple[str, str, Decimal]]:
    judging = Judging.of(viewer.collection, viewer.user)
    counts, topics = judging.counts(source), judging.ratings.topics
    if not is_incomplete_welcome and (judging.left_out or not all(counts)):
        raise Refused(
            f"Not every seat is handed in, so {source.in_words} is not complete. Wait, or ask with "
            "all=1 for the topics whose every seat is."
        )
    grades = judging.grades(source, missing).tolist()
    return [
        (topics[topic].key, document, Decimal(repr(grade)))
        for topic, document, grade in zip(
            judging.ratings.topic.tolist(), judging.documents, grades, strict=True
        )
        if counts[topic] and not math.isnan(grade) and facet in ("", topics[topic].facet)
    ]


def _literal(grade: Decimal, topic: str, document: str) -> int:
    try:
        return whole(grade, topic, document)
    except UnfitError as error:
        raise Invalid(str(error)) from None


class AuditReport(Endpoint):
    scope, roles = Scope.READ, LEAD

    @described(
        "get-audit-report",
        "The figures of an audit; for a lead who works through it, only once it is closed.",
        answers={(200, "application/json"): DATA},
        tag="Figures",
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Response:
        audit, figures = get_read(request.user, slug, public_id)
        return Response(as_json(audit, figures))
