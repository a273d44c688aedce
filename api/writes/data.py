"""Files in and out: imports, runs, judgments, exports."""

from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from rest_framework import serializers

from api.documentation import described
from api.endpoint import Endpoint
from api.parsing import read
from api.writes.call import Call, calling
from api.writes.fields import of_collection
from api.writes.targets import JUDGMENTS, RUN, SCHEME, SYSTEM
from api.writes.write import HOME, ROW, Write
from audit.refusals import Refused
from datasets.models import Role, Scope
from datasets.runs import actions, judgments, uploading
from datasets.runs.files import add_runs, read_runs
from datasets.runs.forms import JudgmentSetForm, JudgmentsForm, RunsForm, SystemForm
from datasets.runs.judgment_views import read_judgments
from datasets.runs.remarks import remarks_on
from formats import records
from imports import unattended
from jobs.actions import enqueue
from jobs.models import Job
from releases.access import get_export
from releases.checks import checks
from releases.forms import ExportForm
from releases.views import JOB_KIND, file_of

FILES: dict[str, serializers.Field] = {
    "files": serializers.ListField(
        child=serializers.FileField(), help_text="The files, each as a part named `files`."
    ),
    "settings": serializers.CharField(
        required=False,
        help_text=(
            "JSON with a person's choices: `format`, `mapping`, `grades`, `keep_unpooled`, "
            "`answers_to_come` (a half-done study: pairs wait for as many ratings as the scheme "
            "asks for), and the settings of the format, such as `with_ratings`."
        ),
    ),
}


class MatchedPart(serializers.Serializer):
    part = serializers.CharField(allow_blank=True)
    columns = serializers.DictField(required=False)


class Matched(serializers.Serializer):
    files = serializers.DictField(child=MatchedPart())
    facets = serializers.DictField(child=serializers.CharField(), required=False)


class ImportSettings(serializers.Serializer):
    """The shapes of a person's choices; which of them a format has is the format's to say."""

    format = serializers.CharField(required=False)
    mapping = Matched(required=False)
    grades = serializers.DictField(
        child=serializers.DictField(child=serializers.CharField(allow_blank=True)), required=False
    )
    people = serializers.DictField(child=serializers.UUIDField(), required=False)
    settings = serializers.DictField(required=False)


def _to_import(call: Call) -> dict[str, Any]:
    settings = read(call.request.data.get("settings") or "{}", "settings")
    if not isinstance(settings, dict):
        raise BadRequest("settings is no JSON object.")
    ImportSettings(data=settings).is_valid(raise_exception=True)
    return {"files": unattended.store(call.request.FILES.getlist("files")), "settings": settings}


def _import(call: Call, only: str = "") -> Job:
    return unattended.start(collection=call.collection, by=call.user, only=only, **call.prepared)


def _read_runs(call: Call) -> list[records.Run]:
    with uploading.opened(call.fields["files"]) as files:
        return read_runs(files)


def _upload_runs(call: Call) -> list[dict[str, Any]]:
    options = {name: value for name, value in call.fields.items() if name != "files"}
    stored = add_runs(collection=call.collection, runs=call.prepared, by=call.user, **options)
    return [
        {
            "run": row.run,
            "is_new": row.is_new,
            "remark": " ".join(filter(None, [run.remark, *remarks_on(row.run)])),
        }
        for run, row in zip(call.prepared, stored, strict=True)
    ]


class StoredRun(serializers.Serializer):
    id = serializers.UUIDField(source="run.public_id", help_text="The run's public id.")
    tag = serializers.CharField(source="run.tag")
    is_new = serializers.BooleanField(help_text="false: it was there already, nothing changed.")
    remark = serializers.CharField(
        help_text="What it lacks, what the collection does not have, and whether its ranks and "
        "scores say the same; empty for nothing odd."
    )


def _upload_judgments(call: Call) -> judgments.StoredJudgments:
    return judgments.add_judgments(
        collection=call.collection,
        judgments=call.prepared,
        level=call.fields["level"],
        by=call.user,
    )


def _export(call: Call) -> Job:
    if call.form.wants_complete_gold and checks(call.collection, call.user).lacks_gold:
        raise Refused("The gold is not complete. Finish it, or ask with allow_incomplete.")
    return enqueue(
        kind=JOB_KIND,
        params=call.form.params,
        by=call.user,
        collection=call.collection.public_id,
    )


def _most_bytes() -> int:
    return settings.FACETWISE_MAX_UPLOAD


WRITES = [
    Write(
        "import-files",
        "Bring files in. They are recognised, compared and written by a job, whole or not at all.",
        f"{HOME}/imports",
        _import,
        prepare=_to_import,
        fields=FILES,
        starts_job=True,
        scope=Scope.WRITE_DATA,
        most_bytes=_most_bytes,
    ),
    Write(
        "import-machine-scores",
        "Import scores of pairs by models from a DORIS-MAE file; files with anything else are "
        "refused.",
        f"{HOME}/machine-scores",
        lambda call: _import(call, unattended.MACHINE_SCORES),
        prepare=_to_import,
        fields=FILES,
        starts_job=True,
        scope=Scope.WRITE_MACHINE,
        most_bytes=_most_bytes,
    ),
    Write(
        "upload-runs",
        "Store runs: TREC's, of six columns or of three, or BIRCO's rankings. All of them or none.",
        f"{HOME}/runs",
        _upload_runs,
        prepare=_read_runs,
        form=RunsForm,
        usual={"kind": lambda call: "retrieval", "order": lambda call: "score"},
        answer=StoredRun(many=True),
        scope=Scope.WRITE_RUNS,
        most_bytes=uploading.limit,
    ),
    Write(
        "remove-run",
        "Remove a run. Pools keep the documents that came from it.",
        f"{HOME}/runs/{ROW}",
        calling(actions.remove_run),
        RUN,
        method="delete",
        scope=Scope.WRITE_RUNS,
    ),
    Write(
        "upload-judgments",
        "Store judgments that were made elsewhere. Grades stay as they are written.",
        f"{HOME}/judgments",
        _upload_judgments,
        prepare=lambda call: read_judgments(call.form),
        form=JudgmentsForm,
        answer={
            "id": serializers.UUIDField(
                source="judgment_set.public_id", help_text="The set's public id."
            ),
            "key": serializers.CharField(
                source="judgment_set.key",
                help_text="Its key, as `judgments:KEY` among the sources.",
            ),
            "is_new": serializers.BooleanField(
                help_text="false: it was there already, nothing changed."
            ),
        },
        scope=Scope.WRITE_RUNS,
        most_bytes=uploading.limit,
    ),
    Write(
        "change-judgments",
        "Change the name of a set of judgments, its key, or the note on its scale.",
        f"{HOME}/judgments/{ROW}",
        calling(judgments.change_judgments),
        JUDGMENTS,
        form=JudgmentSetForm,
        method="patch",
        scope=Scope.WRITE_RUNS,
    ),
    Write(
        "change-system",
        "Change the notes on a system.",
        f"{HOME}/systems/{ROW}",
        calling(actions.change_system),
        SYSTEM,
        form=SystemForm,
        method="patch",
        scope=Scope.WRITE_RUNS,
    ),
    Write(
        "remove-judgments",
        "Remove a set of judgments.",
        f"{HOME}/judgments/{ROW}",
        calling(judgments.remove_judgments),
        JUDGMENTS,
        method="delete",
        scope=Scope.WRITE_RUNS,
    ),
    Write(
        "make-export",
        "Make files of the gold, by a job.",
        f"{HOME}/exports",
        _export,
        SCHEME,
        form=ExportForm,
        options=lambda call: {"collection": call.collection, "by": call.user},
        starts_job=True,
        scope=Scope.EXPORT,
    ),
]


class ExportFile(Endpoint):
    scope, roles = Scope.EXPORT, (Role.LEAD,)

    @described(
        "get-export-file",
        "One file of an export, by a name that the export lists.",
        answers={(200, "application/octet-stream"): bytes},
        tag="Data",
    )
    def get(self, request: Any, slug: str, public_id: Any, name: str) -> HttpResponse:
        export = get_export(request.user, public_id)
        of_collection(export.collection, slug)
        return file_of(export, name)
