"""The settings that a lead chooses on the import page: how its form changes those of the draft."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from formats.tables.guess import guess_columns
from imports.models import Draft


def settings_from(draft: Draft, form: QueryDict) -> dict[str, Any]:
    """The settings of a posted form; settings that it does not name stay."""
    report = draft.report
    settings = {**draft.settings, **report.get("settings", {})}
    mapping = _mapping_from(report, settings.get("mapping") or {}, form)
    grades = {scale: dict(options) for scale, options in (settings.get("grades") or {}).items()}
    for place, histogram in enumerate(report.get("grades", [])):
        for number, row in enumerate(histogram["rows"]):
            if (option := form.get(f"grade:{place}:{number}")) is not None:
                grades.setdefault(histogram["scale"], {})[row["literal"]] = option
    people = dict(settings.get("people") or {})
    for number, person in enumerate(report.get("people", [])):
        if (member := form.get(f"person:{number}")) is not None:
            people[person["name"]] = member
    settings |= {
        "mapping": mapping,
        "grades": {scale: _filled(options) for scale, options in grades.items()},
        "people": _filled(people),
        "keep_unpooled": "keep_unpooled" in form,
        "answers_to_come": "answers_to_come" in form,
        "fills": report.get("credits", {}) if "credits" in form else {},
        "keep": "keep" in form,
    }
    if "format" in form:
        settings["format"] = form["format"]
        if form["format"] != report.get("format"):
            settings["mapping"] = {}  # of the parts of another format
    for ask in report.get("asks", []):
        text = form.get(f"ask:{ask['key']}", "")
        value: Any = bool(text) if ask["yes_or_no"] else text.strip()
        settings[ask["key"]] = value
        settings["settings"] = {**(settings.get("settings") or {}), ask["key"]: value}
    return settings


def _mapping_from(
    report: Mapping[str, Any], before: Mapping[str, Any], form: QueryDict
) -> dict[str, Any]:
    files = {name: dict(entry) for name, entry in before.get("files", {}).items()}
    for number, part in enumerate(report.get("parts", [])):
        entry = files.get(part["file"])
        if entry is None or not part.get("columns"):
            continue
        fields = report["fields"].get(entry["part"], [])
        entry["columns"] = dict(entry["columns"])
        for field in fields:
            chosen_columns = form.getlist(f"column:{number}:{field['key']}")
            if chosen_columns:
                many = [column for column in chosen_columns if column]
                entry["columns"][field["key"]] = many if field["many"] else chosen_columns[-1]
        entry["columns"] = _filled(entry["columns"])
        chosen = str(form.get(f"part:{number}", entry["part"]))
        if chosen != entry["part"]:
            entry["part"] = chosen
            names = [column["name"] for column in part["columns"]]
            entry["columns"] = guess_columns(chosen, names) if chosen in report["fields"] else {}
    facets = before.get("facets", {})
    if "facets" in form:
        facets = _facets_from(str(form["facets"]))
    return {**before, "files": files, "facets": facets}


def _facets_from(text: str) -> dict[str, str]:
    """Lines of "theirs = ours"."""
    pairs = (line.rpartition("=") for line in text.splitlines())
    return {in_file.strip(): in_scheme.strip() for in_file, equals, in_scheme in pairs if equals}


def with_scale_reversed(
    settings: Mapping[str, Any], report: Mapping[str, Any], scale: str
) -> dict[str, Any]:
    """The settings with the values of a scale reversed."""
    for histogram in report.get("grades", []):
        if histogram["scale"] != scale:
            continue
        keys = [option["key"] for option in histogram["options"]]
        reverse = dict(zip(keys, reversed(keys), strict=True))
        grades = {
            row["literal"]: reverse[row["option"]]
            for row in histogram["rows"]
            if row["option"] in reverse
        }
        stored_grades = settings.get("grades") or {}
        return {
            **settings,
            "grades": {**stored_grades, scale: {**stored_grades.get(scale, {}), **grades}},
        }
    return dict(settings)


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}
