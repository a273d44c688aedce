"""Files in and out: imports, runs, judgments, exports."""

from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from api.documentation import CONFLICTS, described, save_id
from api.endpoint import Endpoint
from api.parsing import read
from api.writes.fields import JobRow, accepted, of_collection, save_id_of, sent, too_large
from audit.refusals import Invalid, Refused
from datasets.models import Role, Scope
from datasets.runs import actions, judgments, uploading
from datasets.runs.access import get_judgment_set, get_run
from datasets.runs.files import add_runs, read_runs
from datasets.runs.forms import JudgmentsForm, RunsForm
from datasets.runs.judgment_views import store_judgments
from imports import unattended
from jobs.actions import enqueue
from releases.access import get_export
from releases.checks import checks
from releases.forms import ExportForm
from releases.views import JOB_KIND, file_of

LEAD = (Role.LEAD,)


class Files(serializers.Serializer):
    files = serializers.ListField(
        child=serializers.FileField(), help_text="The files, each as a part named `files`."
    )
    settings = serializers.CharField(
        required=False,
        help_text="JSON with what a person would choose: `format`, `mapping`, `grades`, and what "
        "the format asks, such as `with_ratings`.",
    )


class Import:
    """Part of the list of imports."""

    post_scope = Scope.WRITE_DATA
    parser_classes = [MultiPartParser]

    @described(
        "import-files",
        "Bring files in. They are recognised, compared and written by a job, whole or not at all. "
        "`Idempotency-Key` (a UUID): the same key again is the same job.",
        scope=Scope.WRITE_DATA,
        roles=LEAD,
        answers={(202, "application/json"): JobRow} | CONFLICTS,
        request={"multipart/form-data": Files},
        parameters=[save_id(needed=False)],
        tag="Data",
    )
    def post(self, request: Any, slug: str) -> Any:
        return _import(self, request, slug)


class ImportMachineScores:
    """Part of the list of machine scores."""

    post_scope = Scope.WRITE_MACHINE
    parser_classes = [MultiPartParser]

    @described(
        "import-machine-scores",
        "Bring in what models said of pairs; files that bring anything else are refused.",
        scope=Scope.WRITE_MACHINE,
        roles=LEAD,
        answers={(202, "application/json"): JobRow} | CONFLICTS,
        request={"multipart/form-data": Files},
        parameters=[save_id(needed=False)],
        tag="Data",
    )
    def post(self, request: Any, slug: str) -> Any:
        return _import(self, request, slug, only=unattended.MACHINE_SCORES)


def _import(endpoint: Any, request: Any, slug: str, only: str = "") -> Any:
    if refusal := too_large(request):
        return refusal
    key = save_id_of(request, needed=False)
    job = unattended.start(
        collection=endpoint.viewer.collection,
        by=request.user,
        files=request.FILES.getlist("files"),
        settings=_settings(request),
        key=key,
        only=only,
    )
    return accepted(request, slug, job)


def _settings(request: Any) -> dict[str, Any]:
    text = request.data.get("settings") or "{}"
    settings = read(text, "settings")
    if not isinstance(settings, dict):
        raise BadRequest("settings is no JSON object.")
    return settings


class RunFiles(serializers.Serializer):
    files = serializers.ListField(
        child=serializers.FileField(), help_text="The runs, each as a part named `files`."
    )
    kind = serializers.CharField(
        required=False, help_text="Of new systems: retrieval, reranking, human or machine."
    )
    order = serializers.CharField(required=False, help_text="score or rank.")
    level = serializers.CharField(
        required=False, help_text="topics, queries or sub-queries; guessed if not said."
    )


class StoredRun(serializers.Serializer):
    id = serializers.UUIDField(help_text="The run's public id.")
    tag = serializers.CharField()
    is_new = serializers.BooleanField(help_text="false: it was there already, nothing changed.")


class UploadRuns:
    """Part of the list of runs."""

    post_scope = Scope.WRITE_RUNS
    parser_classes = [MultiPartParser]

    @described(
        "upload-runs",
        "Store runs: TREC's six columns, or BIRCO's rankings. All of them or none.",
        scope=Scope.WRITE_RUNS,
        roles=LEAD,
        answers={(201, "application/json"): StoredRun(many=True)} | CONFLICTS,
        request={"multipart/form-data": RunFiles},
        tag="Data",
    )
    def post(self, request: Any, slug: str) -> Any:
        if refusal := too_large(request, uploading.limit()):
            return refusal
        usual = {"kind": "retrieval", "order": "score"}
        form = RunsForm(usual | dict(request.data.items()), request.FILES)
        if not form.is_valid():
            raise Invalid(_sentence(form))
        options = {name: value for name, value in form.cleaned_data.items() if name != "files"}
        with uploading.opened(form.cleaned_data["files"]) as files:
            stored = add_runs(
                collection=self.viewer.collection,  # type: ignore[attr-defined]
                runs=read_runs(files),
                by=request.user,
                **options,
            )
        rows = [
            {"id": one.run.public_id, "tag": one.run.tag, "is_new": one.is_new} for one in stored
        ]
        return Response(rows, status=201)


class RemoveRun:
    """Part of one run."""

    delete_scope = Scope.WRITE_RUNS

    @described(
        "remove-run",
        "Remove a run. Pools keep what it brought into them.",
        scope=Scope.WRITE_RUNS,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        tag="Data",
    )
    def delete(self, request: Any, slug: str, public_id: Any) -> Response:
        run, member = get_run(request.user, public_id)
        of_collection(member.collection, slug)
        actions.remove_run(run=run, by=request.user)
        return Response(status=204)


class JudgmentsFile(serializers.Serializer):
    files = serializers.FileField(help_text="TREC qrels, as a part named `files`.")
    name = serializers.CharField(help_text="What the set is called.")
    note = serializers.CharField(required=False, help_text="What its grades mean.")
    level = serializers.CharField(required=False, help_text="topics or queries.")


class StoredJudgments(serializers.Serializer):
    id = serializers.UUIDField(help_text="The set's public id.")
    key = serializers.CharField(help_text="Its key, as `judgments:KEY` among the sources.")
    is_new = serializers.BooleanField(help_text="false: it was there already, nothing changed.")


class UploadJudgments:
    """Part of the list of judgments."""

    post_scope = Scope.WRITE_RUNS
    parser_classes = [MultiPartParser]

    @described(
        "upload-judgments",
        "Store judgments that were made elsewhere. Grades stay as they are written.",
        scope=Scope.WRITE_RUNS,
        roles=LEAD,
        answers={(201, "application/json"): StoredJudgments} | CONFLICTS,
        request={"multipart/form-data": JudgmentsFile},
        tag="Data",
    )
    def post(self, request: Any, slug: str) -> Any:
        if refusal := too_large(request, uploading.limit()):
            return refusal
        form = JudgmentsForm(request.data, request.FILES)
        if not form.is_valid():
            raise Invalid(_sentence(form))
        collection = self.viewer.collection  # type: ignore[attr-defined]
        stored = store_judgments(collection, form, request.user)
        row = stored.judgment_set
        body = {"id": row.public_id, "key": row.key, "is_new": stored.is_new}
        return Response(body, status=201)


class RemoveJudgments:
    """Part of one set of judgments."""

    delete_scope = Scope.WRITE_RUNS

    @described(
        "remove-judgments",
        "Remove a set of judgments.",
        scope=Scope.WRITE_RUNS,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        tag="Data",
    )
    def delete(self, request: Any, slug: str, public_id: Any) -> Response:
        found, member = get_judgment_set(request.user, public_id)
        of_collection(member.collection, slug)
        judgments.remove_judgments(judgment_set=found, by=request.user)
        return Response(status=204)


class NewExport(serializers.Serializer):
    format = serializers.CharField(help_text="trec, csfcube, csv, doris-mae, birco or beir.")
    level = serializers.CharField(required=False, help_text="What counts as a query.")
    rule = serializers.CharField(required=False, help_text="Which aspects are a sub-query.")
    values = serializers.CharField(required=False, help_text="Whose values; gold if not said.")
    with_notes = serializers.BooleanField(required=False, help_text="CSV: with free text.")
    allow_incomplete = serializers.BooleanField(
        required=False, help_text="Also when gold is missing."
    )


class MakeExport:
    """Part of the list of exports."""

    post_scope = Scope.EXPORT

    @described(
        "make-export",
        "Make files of the gold, by a job.",
        scope=Scope.EXPORT,
        roles=LEAD,
        answers={(202, "application/json"): JobRow} | CONFLICTS,
        request=NewExport,
        tag="Data",
    )
    def post(self, request: Any, slug: str) -> Any:
        collection = self.viewer.collection  # type: ignore[attr-defined]
        if not hasattr(collection, "scheme"):
            raise Http404("The collection has no scheme yet.")
        form = ExportForm(sent(request, NewExport), collection=collection)
        if not form.is_valid():
            raise Invalid(_sentence(form))
        if form.wants_complete_gold and checks(collection, request.user).lacks_gold:
            raise Refused("The gold is not complete. Finish it, or ask with allow_incomplete.")
        job = enqueue(
            kind=JOB_KIND, params=form.params, by=request.user, collection=collection.public_id
        )
        return accepted(request, slug, job)


class ExportFile(Endpoint):
    scope, roles = Scope.EXPORT, LEAD

    @described(
        "get-export-file",
        "One file of an export, by a name that the export lists.",
        scope=Scope.EXPORT,
        roles=LEAD,
        answers={(200, "application/octet-stream"): bytes},
        tag="Data",
    )
    def get(self, request: Any, slug: str, public_id: Any, name: str) -> HttpResponse:
        export = get_export(request.user, public_id)
        of_collection(export.collection, slug)
        return file_of(export, name)


def _sentence(form: Any) -> str:
    return " ".join(
        f"{name}: {error}" if name != "__all__" else error
        for name, errors in form.errors.items()
        for error in errors
    )
