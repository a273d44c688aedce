"""An import that nobody looks at first: files are recognised, compared and written by one job.

Where a person would have to choose, it ends with a report, and nothing is written.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from audit.refusals import Invalid, Refused
from datasets import uploads
from datasets.access import get_lead_of
from datasets.models import Collection
from formats.files import Files
from imports import drafts
from imports.checking import as_job_error, settings_for, uploaded_files
from imports.kinds import Kind, all_kinds, recognise
from imports.run import COUNTED, Moving, carry_out, survey
from jobs.actions import enqueue
from jobs.models import Job
from jobs.registry import JobError, Run

IMPORT = "import-upload"
MACHINE_SCORES = "machine_scores"
# What a person may choose for files of every kind; each kind has further settings.
YES_OR_NO = {"keep_unpooled", "answers_to_come"}
CHOICES = YES_OR_NO | {"format", "mapping", "grades", "people", "settings", "fills"}


class StoredFiles(NamedTuple):
    """Files that are stored until an import reads them. Those that none reads are swept."""

    token: str
    entries: uploads.Index


def store(files: list[Any]) -> StoredFiles:
    if not files:
        raise Invalid("Send files.")
    if len(files) > drafts.MAX_FILES:
        raise Invalid(f"At most {drafts.MAX_FILES:,} files come in at once. Pack them into a zip.")
    token = uploads.new_token()
    return StoredFiles(token, uploads.add(token, files))


def start(
    *,
    collection: Collection,
    by: Any,
    files: StoredFiles,
    settings: Mapping[str, Any],
    only: str = "",
) -> Job:
    """Queue the import of files. The same ones again change nothing: imports know their
    fingerprint.

    With `only`, such as machine_scores, files with anything else are refused.
    """
    return enqueue(
        kind=IMPORT,
        params={
            "token": files.token,
            "files": files.entries,
            "settings": dict(settings),
            "only": only,
        },
        by=by,
        collection=collection.public_id,
    )


def bring_in(run: Run) -> None:
    """The job, which says what a dry run would have; its files stay when the worker dies, because
    it then runs again."""
    collection = get_lead_of(run).collection
    token, index = run.params["token"], run.params["files"]

    @contextmanager
    def effect() -> Iterator[dict[str, Any]]:
        with run.effect() as result:
            yield result
            _remark(result, moving.summary(), moving.remarks)

    try:
        with as_job_error(), uploaded_files(token, index) as files:
            if run.params["only"]:
                _check_only(survey(_moving(files, collection, run)), run.params["only"])
            moving = _moving(files, collection, run)
            outcome = carry_out(moving, progress=run.progress, effect=effect)
    except JobError:
        uploads.discard(token)
        raise
    if outcome.imported is None:
        with run.effect() as result:
            result["message"] = outcome.sentence
            _remark(result, outcome.summary, outcome.remarks)
    uploads.discard(token)


def _remark(result: dict[str, Any], summary: Mapping[str, Any], remarks: Sequence[str]) -> None:
    """Add to a job's message what was read otherwise than it stands in the files. On files with
    ratings this names raters, so that it stays apart."""
    if summary.get("with_ratings"):
        result["remarks"] = list(remarks)
    else:
        result["message"] = " ".join([result["message"], *remarks])


def _moving(files: Files, collection: Collection, run: Run) -> Moving:
    settings = run.params["settings"]
    recognitions = {recognition.format: recognition for recognition in recognise(files)}
    format_key = settings.get("format") or next(iter(recognitions), "")
    if format_key not in recognitions:
        raise Refused("None of the files has a known format, or the format that is named.")
    kind: Kind = all_kinds()[format_key]
    kind.check_settings([*(settings.keys() - CHOICES), *(settings.get("settings") or {})])
    _check_yes_or_no(settings, kind)
    kind.check_upload(files)
    read_as, _ = settings_for(settings, recognitions[format_key], collection, run.by)
    return kind.moving(files, collection, run.by, read_as, run.progress)


def _check_yes_or_no(settings: Mapping[str, Any], kind: Kind) -> None:
    """Refuse what is neither true nor false where that is asked: any word, "no" too, is true."""
    yes_or_no = YES_OR_NO | {name for name, is_yes_or_no in kind.settings.items() if is_yes_or_no}
    for name, value in [*settings.items(), *(settings.get("settings") or {}).items()]:
        if name in yes_or_no and not isinstance(value, bool):
            raise Refused(f"{name} is {value!r}; expected true or false.")


def _check_only(moving: Any, only: str) -> None:
    counts = moving.summary()
    if counts.get("judgment_sets"):
        raise Refused(
            "Grades in a table or in qrels come in as judgments of others, and are sent there. "
            "Machine scores are those of a DORIS-MAE file."
        )
    also = [f"bring a {word}" for key, word in COUNTED.items() if key != only and counts.get(key)]
    # A format's own notes (`extra`) name the run of its machine scores.
    if not replace(moving.changes, extra=None).is_empty:
        also.append("change what is stored")
    if also:
        raise Refused(
            f"These files also {also[0]}. Send them where all data are imported, with a token that "
            "may do that."
        )
