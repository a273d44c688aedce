"""Rankings, judgments made elsewhere and qrels, a row each."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpResponse, StreamingHttpResponse
from rest_framework.renderers import JSONRenderer

from accounts.parameters import is_yes
from agreement.tables.writing import in_parts
from annotation.access import get_scheme
from api.columns import Column, Kind
from api.documentation import CONFLICTS, Parameter, described, files, row_serializer
from api.endpoint import TableEndpoint, streamed
from api.formats import TABLES, TableRenderer
from api.reports.qrels import qrels_of, whole_grade
from api.reports.runs import OF_SCORES
from api.reports.tables import LEAD
from api.resources.resource import Row
from api.viewer import facet_in
from api.writes.fields import of_collection
from audit.refusals import raised_as
from datasets.models import Scope
from datasets.runs.access import get_judgment_set, get_run
from datasets.runs.reading import judgments_in_turn, rankings_in_turn
from evaluation.definitions.reading import chosen_protocol
from evaluation.protocols import Missing
from evaluation.sources.choices import source_named


class TREC(TableRenderer):
    media_type, format = "text/plain", "txt"


class Rows(TableEndpoint):
    """All rows in a single answer, JSON too, written while they are read."""

    scope, roles = Scope.READ, LEAD
    columns: tuple[Column, ...] = ()
    file_name = "rows"

    def answer(self, request: Any, slug: str, rows: Iterable[Row]) -> StreamingHttpResponse:
        name, parts = f"{slug}-{self.file_name}", in_parts(rows)
        return streamed(name, self.columns, parts, request.accepted_renderer)


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
        answers={(200, "application/json"): row_serializer("ranked", columns)(many=True)}
        | files("All rows."),
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Any:
        run, member = get_run(request.user, public_id)
        of_collection(member.collection, slug)
        rows = (
            (ranking.external_id, document, rank, float(score) if score else None)
            for ranking in rankings_in_turn(run)
            for rank, (document, score) in enumerate(
                zip(ranking.document_ids, ranking.scores.split("\n"), strict=True), 1
            )
        )
        return self.answer(request, slug, rows)


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
        answers={(200, "application/json"): row_serializer("judged", columns)(many=True)}
        | files("All rows."),
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Any:
        judgments, member = get_judgment_set(request.user, public_id)
        of_collection(member.collection, slug)
        rows = (
            (row.external_id, document, literal)
            for row in judgments_in_turn(judgments)
            for document, literal in row.by_document.items()
        )
        return self.answer(request, slug, rows)


class Qrels(Rows):
    """Gold as exports have it; other sources as scores have them, of one state of the ratings."""

    scope = Scope.EXPORT
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
        answers={
            (200, "application/json"): row_serializer("qrel", columns)(many=True),
            (200, "text/plain"): bytes,
        }
        | files("All rows.")
        | CONFLICTS,
        parameters=[
            Parameter("values", OF_SCORES["values"]),
            Parameter("mapping", OF_SCORES["mapping"]),
            Parameter("least", "As for scores and exports. It changes no grade."),
            Parameter("protocol", "The protocol that says how a missing value of a seat counts."),
            Parameter("missing", "unjudged or lowest, in place of what the protocol says."),
            Parameter("facet", "Topics under one facet alone."),
            Parameter("all", "1: also while the source has no value for some pairs."),
        ],
    )
    def get(self, request: Any, slug: str) -> Any:
        viewer = self.viewer
        get_scheme(viewer.collection)
        with raised_as(BadRequest, ValueError):
            source = source_named(
                viewer.collection,
                request.query_params.get("values") or "gold",
                mapping=request.query_params.get("mapping", ""),
                least=request.query_params.get("least", ""),
            )
            missing = _missing_of(viewer.collection, request.query_params)
        is_incomplete_welcome = is_yes(request.query_params, "all")
        facet = facet_in(viewer)
        rows = sorted(qrels_of(viewer, source, missing, facet, is_incomplete_welcome))
        if request.accepted_renderer.format != "txt":
            table = ((topic, document, float(grade)) for topic, document, grade in rows)
            return self.answer(request, slug, table)
        lines = "".join(
            f"{topic} 0 {document} {whole_grade(grade, topic, document)}\n"
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
    return chosen_protocol(collection, parameters.get("protocol", "")).missing
