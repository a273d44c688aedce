"""Checking files before anything is written: their formats, their mapping, and a dry run."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from audit.refusals import Refused
from datasets import uploads
from datasets.models import Collection
from formats.credits import texts_beside
from formats.files import Files, open_files
from formats.problems import BadInputError, Problem
from formats.reading import UNKNOWN, Field, Part, Recognition, left_alone
from imports import drafts
from imports.credits import credits_of
from imports.kinds import Kind, Progress, all_kinds, recognise
from imports.models import Draft
from imports.run import survey
from jobs.registry import JobError

KNOWN_HINT = "Look at the templates, or at the list of formats in the documentation."
SHOWN_VALUE_LENGTH = 80

# The files of a mapping: the part of each, and the columns of its fields.
Entries = Mapping[str, Mapping[str, Any]]


@contextmanager
def uploaded_files(token: str, index: uploads.Index) -> Iterator[Files]:
    """Stored files, unpacked; raises BadInputError, or Refused where they are gone."""
    try:
        with (
            uploads.kept_files(token, index) as paths,
            open_files(paths, limit=drafts.limit()) as files,
        ):
            yield files
    except FileNotFoundError:
        raise Refused(
            "The uploaded files are not there any more: they are kept for a day. Bring them again."
        ) from None


@contextmanager
def as_job_error() -> Iterator[None]:
    """Input that is wrong or refused ends the job, with its problems."""
    try:
        yield
    except BadInputError as error:
        raise JobError(error.sentence, error.problems) from None
    except Refused as refused:
        raise JobError(str(refused)) from None


def report_on(draft: Draft, by: Any, progress: Progress) -> dict[str, Any]:
    """Everything that the page shows of a draft, as data, since the draft keeps it."""
    report: dict[str, Any] = {"problems": [], "problem_count": 0, "parts": []}
    try:
        with uploaded_files(draft.token, draft.files) as files:
            _look(files, draft, by, progress, report)
    except BadInputError as error:
        _add_problems(report, error)
    except Refused as refused:
        _add_problems(report, BadInputError([Problem("", "", str(refused))], 1))
    return report


def _look(files: Files, draft: Draft, by: Any, progress: Progress, report: dict[str, Any]) -> None:
    collection = draft.collection
    progress(0, 0, "Recognising the files")
    recognitions = recognise(files)
    by_format = {recognition.format: recognition for recognition in recognitions}
    best = by_format.get(draft.settings.get("format", "")) or next(iter(recognitions), None)
    report["formats"] = [
        {
            "key": recognition.format,
            "name": all_kinds()[recognition.format].name,
            "files": [part.file for part in recognition.parts if part.key],
        }
        for recognition in recognitions
    ]
    report["credits"] = credits_of(texts_beside(files))
    report["beside"] = [text.file for text in texts_beside(files)]
    if best is None:
        report["left_alone"] = [file.name for file in files]
        problem = Problem("", "", "none of the files has a known format.", KNOWN_HINT)
        raise BadInputError([problem], 1)
    kind = all_kinds()[best.format]
    settings, is_kept = settings_for(draft.settings, best, collection, by)
    report |= _recognised(best, kind, settings, files)
    report["is_kept"] = is_kept
    report["left_alone"] = left_alone(files, settings["mapping"])
    kind.check_upload(files)
    moving = kind.moving(files, collection, by, settings, progress)
    progress(0, 0, "Comparing with the stored rows")
    try:
        survey(moving)
    except BadInputError as error:
        _add_problems(report, error)
    report |= kind.preview(moving)


def settings_for(
    settings: Mapping[str, Any], recognition: Recognition, collection: Collection, by: Any
) -> tuple[dict[str, Any], bool]:
    """The settings with a mapping for these files: the stated one, else the one kept from earlier,
    else a guess, in which files that were there before stay as they were matched, and tables that
    no part fits are matched as they were the last time, among whatever files."""
    guess = recognition.mapping()
    chosen_mapping = settings.get("mapping") or {}
    if chosen_mapping and chosen_mapping["files"].keys() == guess["files"].keys():
        return dict(settings), bool(settings.get("is_kept"))
    matching = drafts.kept_matching(collection, recognition.columns_key, by)
    kept_mapping = matching.get("mapping", {})
    known = {} if matching else _known_tables(collection, recognition)
    mapping = {
        **guess,
        "facets": {**kept_mapping.get("facets", {}), **chosen_mapping.get("facets", {})},
        "files": {
            **guess["files"],
            **known,
            **_still_fitting(chosen_mapping.get("files", {}), recognition),
            **_for_these_files(kept_mapping.get("files", {}), recognition),
        },
    }
    kept = {name: matching[name] for name in drafts.KEPT_HERE if matching.get(name)}
    grades = settings.get("grades") or matching.get("grades", {})
    return {**kept, **settings, "mapping": mapping, "grades": grades}, bool(matching or known)


def _known_tables(collection: Collection, recognition: Recognition) -> Entries:
    """The entries of tables that no part fits, as tables with their columns were matched before."""
    entries = {
        f"{number} {file}": entry
        for number, mapping in enumerate(drafts.kept_mappings(collection, recognition.format))
        for file, entry in mapping["files"].items()
        if entry["part"] and _columns_of(entry)
    }
    unknown = [part for part in recognition.parts if part.key == UNKNOWN]
    return _placed(entries, {part.file: part for part in unknown})


def _still_fitting(entries: Entries, recognition: Recognition) -> dict[str, Mapping[str, Any]]:
    """The entries of a mapping whose file, part and columns are still there."""
    parts = {part.file: part for part in recognition.parts}
    return {
        file: entry
        for file, entry in entries.items()
        if entry["part"] in ("", *recognition.fields)
        and file in parts
        and _fits(entry, parts[file])
    }


def _for_these_files(entries: Entries, recognition: Recognition) -> dict[str, Mapping[str, Any]]:
    """The entries of a mapping that was kept for files with these columns, whatever they were
    called: an entry goes to the file of its name, else to one that has its columns. Files without
    columns say themselves what they are."""
    return _placed(entries, {part.file: part for part in recognition.parts if part.columns})


def _placed(entries: Entries, free: dict[str, Part]) -> dict[str, Mapping[str, Any]]:
    """Each entry with the file that it fits, by the file's name."""
    placed = {}
    # Entries with few columns fit many files, and so take what is left.
    for name, entry in sorted(entries.items(), key=lambda item: -len(_columns_of(item[1]))):
        files = [name] if name in free else [*free]
        if file := next((file for file in files if _fits(entry, free[file])), None):
            placed[file] = entry
            del free[file]
    return placed


def _fits(entry: Mapping[str, Any], part: Part) -> bool:
    return _columns_of(entry) <= {column.name for column in part.columns}


def _columns_of(entry: Mapping[str, Any]) -> set[str]:
    named = (
        [columns] if isinstance(columns, str) else columns for columns in entry["columns"].values()
    )
    return {name for names in named for name in names if name}


def _recognised(
    recognition: Recognition, kind: Kind, settings: Mapping[str, Any], files: Files
) -> dict[str, Any]:
    sizes = {file.name: file.size for file in files}
    return {
        "format": recognition.format,
        "sentence": recognition.sentence_of(settings["mapping"]),
        "columns_key": recognition.columns_key,
        "settings": settings,
        "parts": [_part(part, sizes.get(part.file, 0)) for part in recognition.parts],
        "fields": {
            key: [_field(field) for field in fields] for key, fields in recognition.fields.items()
        },
        "labels": dict(recognition.labels),
        "asks": [
            {"key": ask.key, "label": ask.label, "help": ask.help, "yes_or_no": ask.is_yes_or_no}
            for ask in kind.asks
        ],
    }


def _part(part: Part, size: int) -> dict[str, Any]:
    return {
        "file": part.file,
        "size": size,
        "key": part.key,
        "label": part.label,
        "columns": [
            {"name": column.name, "first": (column.first_values or ("",))[0][:SHOWN_VALUE_LENGTH]}
            for column in part.columns
        ],
    }


def _field(field: Field) -> dict[str, Any]:
    return {
        "key": field.key,
        "label": field.label,
        "help": field.help,
        "required": field.is_required,
        "many": field.is_list,
    }


def _add_problems(report: dict[str, Any], error: BadInputError) -> None:
    report["problem_count"] += error.total
    in_order = sorted(error.kept, key=lambda problem: (problem.file, problem.line))
    report["problems"] += map(asdict, in_order)
