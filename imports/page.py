"""The draft as the import page shows it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch
from datasets.models import Collection, Membership
from formats.files import WITHIN
from formats.problems import SHOWN_PROBLEMS
from formats.reading import UNKNOWN
from formats.spreadsheets import csv_table
from formats.tables.fields import FIELDS
from formats.tables.guess import lacking
from formats.tables.matching import other_columns
from imports.matched import KEEP_OTHERS
from imports.models import Draft
from imports.study.terms import CANNOT_JUDGE

NEW_MEMBER = ""
NOT_IMPORTED = ""
WORKBOOKS = (".xlsx", ".xlsm")
SHOWN_PEOPLE = 200
# Of equal problems, how many places stand there before the others are opened.
FIRST_PLACES = 3


@dataclass
class Choice:
    """A select of the form: what may be chosen, and what is."""

    name: str
    label: str
    options: list[tuple[str, str]]
    value: str
    first: str = ""
    needed: str = ""
    # Of a field that takes several columns: a box for each, ticked or not.
    boxes: list[tuple[str, bool]] | None = None


def files_shown(draft: Draft) -> list[dict[str, Any]]:
    """The files as they were brought, with what their parts were taken for.

    Parts of one kind, as the raters' files in a zip, are one part with the count of its files.
    """
    parts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    read_names = set()
    chosen = draft.report.get("settings", {}).get("mapping", {}).get("files", {})
    labels = draft.report.get("labels", {})
    for part in draft.report.get("parts", []):
        key = chosen.get(part["file"], {}).get("part", part["key"])
        if key == NOT_IMPORTED:
            label = "Left alone" if part["key"] else part["label"]
        else:
            label = labels.get(key, part["label"])
            read_names.add(part["file"].split(WITHIN)[0])
        parts[part["file"].split(WITHIN)[0]][label] += 1
    beside = set(draft.report.get("beside", []))
    left_alone_count = Counter(name.split(WITHIN)[0] for name in draft.report.get("left_alone", []))
    problems = Counter(
        problem["file"].split(WITHIN)[0] for problem in draft.report.get("problems", [])
    )
    return [
        {
            "name": name,
            "size": size,
            "other_formats": _formats_of(draft, name),
            "parts": [{"label": label, "files": n} for label, n in parts[name].items()],
            "holds": "sheets" if name.lower().endswith(WORKBOOKS) else "files",
            "is_read": name in read_names,
            "is_beside": name in beside,
            "left_alone": left_alone_count[name],
            "problems": problems[name],
        }
        for name, _, size in draft.files
    ]


def _formats_of(draft: Draft, name: str) -> list[str]:
    """The names of the formats that know a file, but for the one by which all are read."""
    return [
        other["name"]
        for other in draft.report.get("formats", [])
        if other["key"] != draft.report.get("format")
        and name in {file.split(WITHIN)[0] for file in other.get("files", [])}
    ]


def columns_shown(draft: Draft) -> list[dict[str, Any]]:
    """Each file with columns: what it is taken for, and the column of each field.

    Fields without a column stand apart, but those of which one is needed.
    """
    report = draft.report
    files = report.get("settings", {}).get("mapping", {}).get("files", {})
    shown = []
    for number, part in enumerate(report.get("parts", [])):
        if not part.get("columns"):
            continue
        entry = files.get(part["file"], {"part": part["key"], "columns": {}})
        labels = report["labels"] or {part["key"]: part["label"]}
        kinds = [(NOT_IMPORTED, "left alone"), *labels.items()]
        if entry["part"] == UNKNOWN:
            kinds.insert(0, (UNKNOWN, "say what it is"))
        firsts = {column["name"]: column["first"] for column in part["columns"]}
        names = [(NOT_IMPORTED, "not imported"), *((name, name) for name in firsts)]
        needed = _needed_fields(entry["part"], entry["columns"])
        fields = [
            _field(number, field, entry["columns"], names, firsts, needed)
            for field in report["fields"].get(entry["part"], [])
        ]
        shown.append(
            {
                "file": part["file"],
                "kind": Choice(f"part:{number}", part["file"], kinds, entry["part"]),
                "fields": [field for field in fields if field.value or field.needed],
                "unmatched": [field for field in fields if not (field.value or field.needed)],
                "others": other_columns(firsts, entry["columns"]) if fields else [],
                "keeps_others": entry["part"] in KEEP_OTHERS,
            }
        )
    return shown


def _needed_fields(part: str, columns: Mapping[str, Any]) -> dict[str, str]:
    """{field: why it needs a column} for the fields without which the part cannot be read."""
    needed = {}
    for fields in lacking(part, dict(columns)) if part in FIELDS else []:
        for field in fields:
            others = " or ".join(other.label for other in fields if other is not field)
            needed[field.key] = f"needed, if not {others}" if others else "needed"
    return needed


def _field(
    number: int,
    field: Mapping[str, Any],
    columns: Mapping[str, Any],
    names: list[tuple[str, str]],
    firsts: Mapping[str, str],
    needed: Mapping[str, str],
) -> Choice:
    chosen_columns = columns.get(field["key"]) or []
    if isinstance(chosen_columns, str):
        chosen_columns = [chosen_columns]
    value = chosen_columns[0] if chosen_columns else NOT_IMPORTED
    # A control of another tool is not among the columns.
    options = [*names, *((name, name) for name in chosen_columns if name not in firsts)]
    boxes = None
    if field["many"]:
        others = other_columns((name for name, _ in options if name), columns)
        boxes = [
            (name, name in chosen_columns)
            for name, _ in options
            if name in chosen_columns or name in others
        ]
    return Choice(
        f"column:{number}:{field['key']}",
        field["label"],
        options,
        value,
        first=firsts.get(value, ""),
        needed=needed.get(field["key"], "needed" if field["required"] and not value else ""),
        boxes=boxes,
    )


def people_shown(draft: Draft) -> list[dict[str, Any]]:
    """The first raters of the files, with the members they may be. With all people of a crowd, or
    of a column that is matched by mistake, the form would be too large to be sent."""
    members = Membership.objects.annotators().filter(collection=draft.collection)
    options = [(NEW_MEMBER, "New member without sign-in")]
    options += [(str(member.public_id), member.name) for member in members.order_by("name", "pk")]
    return [
        person | {"choice": Choice(f"person:{number}", person["name"], options, person["member"])}
        for number, person in enumerate(draft.report.get("people", [])[:SHOWN_PEOPLE])
    ]


def grades_shown(draft: Draft) -> list[dict[str, Any]]:
    """The histogram of each scale, with a select for each literal of the files."""
    shown = []
    for place, histogram in enumerate(draft.report.get("grades", [])):
        options = [
            ("", "means …"),
            *((option["key"], option["label"]) for option in histogram["options"]),
            (CANNOT_JUDGE, "“Cannot judge”"),
        ]
        rows = [
            row
            | {
                "choice": Choice(f"grade:{place}:{number}", row["literal"], options, row["option"]),
                "bars": [
                    {"share": share, "y": 2 + 12 * bar, "tone": "ab"[bar % 2]}
                    for bar, share in enumerate(row["shares"])
                ],
                "height": 2 + 12 * max(1, len(row["shares"])),
            }
            for number, row in enumerate(histogram["rows"])
        ]
        shown.append(histogram | {"rows": rows, "place": place})
    return shown


def problems_shown(draft: Draft, user: Any, file: str) -> dict[str, Any]:
    """The first hundred kinds of problems that this lead may read, of one file or of all."""
    readable = readable_problems(draft, user)
    counts = Counter(problem["file"] for problem in readable)
    of_file = [problem for problem in readable if not file or problem["file"] == file]
    count = draft.report.get("problem_count", 0)
    listed = sum(alike["count"] for alike in _alike(readable)[:SHOWN_PROBLEMS])
    are_all = len(readable) == len(draft.report.get("problems", []))
    return {
        "count": count,
        "listed": listed,
        "are_in_file": count == len(readable) > listed,
        "are_repeated": are_all and listed == len(readable) < count,
        "files": list(counts.items()),
        "file": file,
        "shown": _alike(of_file)[:SHOWN_PROBLEMS],
        "are_all": are_all,
    }


def _alike(problems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is wrong with a file in the same words at several places, once with all of these."""
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for problem in problems:
        what = tuple(problem[name] for name in ("file", "message", "remedy", "column"))
        places[what].append(problem["place"].removesuffix(f", column {problem['column']}"))
    return [
        {
            "file": file,
            "message": message,
            "remedy": remedy,
            "column": column,
            "count": len(where),
            "places": where[:FIRST_PLACES],
            "further": where[FIRST_PLACES:],
        }
        for (file, message, remedy, column), where in places.items()
    ]


def readable_problems(draft: Draft, user: Any) -> list[dict[str, Any]]:
    """Without those that quote ratings of a batch in which this person still rates."""
    problems = draft.report.get("problems", [])
    if not any(problem["about"] for problem in problems):
        return problems
    blind = Batch.objects.filter(collection=draft.collection).blind_to(user)
    hidden = set(blind.values_list("pairs__topic__external_id", flat=True))
    return [problem for problem in problems if problem["about"] not in hidden]


# Columns of the table of problems, and what stands in each.
PROBLEM_COLUMNS = {
    "file": "file",
    "place": "place",
    "line": "line",
    "column": "column",
    "problem": "message",
    "remedy": "remedy",
}


def problems_as_csv(problems: list[dict[str, Any]]) -> str:
    rows = ((problem[name] for name in PROBLEM_COLUMNS.values()) for problem in problems)
    return csv_table([PROBLEM_COLUMNS, *rows])


def credits_shown(draft: Draft, collection: Collection) -> list[tuple[str, str]]:
    """Values from the files for empty fields of the collection."""
    credits = draft.report.get("credits", {})
    return [(name, credits[name]) for name in credits if not getattr(collection, name)]
