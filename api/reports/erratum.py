"""Two exports compared by pair, for programs."""

from typing import Any

from django.http import Http404

from accounts.parameters import is_yes
from agreement.tables.table import Table
from agreement.tables.writing import in_parts
from api.documentation import CONFLICTS, Parameter, described, files
from api.endpoint import TableEndpoint, streamed
from api.reports.tables import DATA, LEAD, columns_of, streamed_data, table_answer
from api.writes.fields import of_collection
from datasets.models import Scope
from releases.access import export_named, get_export, visible_exports
from releases.differences import last_before
from releases.erratum import tables
from releases.erratum.between import erratum_of, ids_of, in_order
from releases.erratum.changes import Kind
from releases.erratum.runs import RunMoves
from releases.formats.registry import GRADED
from releases.models import Export

SINCE = Parameter(
    "since", "The id of the other export; by default the last of the same kind, else the last."
)


class ExportChanges(TableEndpoint):
    scope, roles = Scope.EXPORT, LEAD

    @described(
        "get-export-changes",
        "The judgments that changed, are new or are gone in an export since an earlier one, from "
        "the files as they were offered. Grades are unrounded; reasons are the trail's.",
        answers={(200, "application/json"): DATA} | files("All changes.") | CONFLICTS,
        parameters=[
            SINCE,
            Parameter("kind", "changed, new or gone: only these."),
            Parameter("topic", "Only changes of this topic."),
            Parameter("facet", "Only changes of topics under this facet."),
            Parameter(
                "with_notes", "1: also reasons in full, which are free text and may name people."
            ),
        ],
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Any:
        parameters = request.query_params
        older, newer = _two(request, slug, public_id)
        kind = tables.kind_in(parameters)
        erratum = erratum_of(older, newer, viewer=request.user)
        chosen = erratum.chosen(
            kind=kind,
            topic=parameters.get("topic", ""),
            facet=parameters.get("facet") or None,
        )
        with_notes = is_yes(parameters, "with_notes")
        rows = tables.file_rows(erratum, chosen, with_notes=with_notes)
        columns = tables.columns(with_notes=with_notes)
        notes = tuple(tables.notes(erratum))
        table = Table("erratum", tables.sentence(erratum), columns, (), notes)
        if request.accepted_renderer.format != "json":
            parts = in_parts(rows)
            return streamed(f"{slug}-erratum", columns_of(table), parts, request.accepted_renderer)
        facts = ids_of(older, newer) | {
            "judgments": {"older": erratum.changes.before, "newer": erratum.changes.after},
            "changes": {str(kind): erratum.changes.count(kind) for kind in Kind},
        }
        return streamed_data(table, rows, facts)


class ExportChangesRuns(TableEndpoint):
    scope, roles = Scope.EXPORT, LEAD

    @described(
        "get-export-changes-runs",
        "The scores of the stored runs by the grades of an earlier export and by those of this "
        "one, their differences, and how alike the two orders of the runs are. Takes the scope "
        "`read` as well, and is 404 while the collection keeps scores closed.",
        answers={(200, "application/json"): DATA} | files("A row for each run.") | CONFLICTS,
        parameters=[
            SINCE,
            Parameter("facet", "Only topics under this facet."),
            Parameter("measure", "The measure in question, by default the protocol's first."),
        ],
    )
    def get(self, request: Any, slug: str, public_id: Any) -> Any:
        self.check_scope(Scope.READ)
        parameters = request.query_params
        older, newer = _two(request, slug, public_id)
        moves = RunMoves.of(
            erratum_of(older, newer, viewer=request.user),
            newer.collection,
            viewer=request.user,
            facet=parameters.get("facet", ""),
        )
        measure = moves.measure(parameters.get("measure", ""))
        facts = ids_of(older, newer) | moves.facts(measure)
        return table_answer(request, moves.table(measure), f"{slug}-erratum-runs", facts)


def _two(request: Any, slug: str, public_id: Any) -> tuple[Export, Export]:
    """The two exports of the address, the older one first."""
    newer = get_export(request.user, public_id)
    of_collection(newer.collection, slug)
    older, newer = in_order(_since(request, newer), newer)
    of_collection(older.collection, slug)
    return older, newer


def _since(request: Any, newer: Export) -> Export:
    """The other export that the address names, by default the last one before of its kind."""
    parameters = request.query_params
    if text := parameters.get("since", ""):
        return export_named(request.user, "since", text)
    exports = visible_exports(request.user, newer.collection)
    before = last_before(newer, (export for export in exports if export.format in GRADED))
    if before is None:
        raise Http404("There is no export before this one.")
    return before
