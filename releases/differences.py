"""What changed from an export to the next of its kind."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from releases.models import Export

NEW, CHANGED, SAME = "new", "changed", "same"


@dataclass
class Made:
    """An export, and the last one before it of the same kind. `files` are its files, each with how
    it stands to that one; "" where there is none."""

    export: Export
    before: Export | None = None
    files: list[tuple[dict[str, str], str]] = field(default_factory=list)

    @property
    def different_count(self) -> int:
        return sum(change in (NEW, CHANGED) for _, change in self.files)


def beside_earlier(exports: Iterable[Export]) -> list[Made]:
    """Exports, the newest first, each beside the one before it."""
    rows: list[Made] = []
    earlier: dict[str, Export] = {}
    for export in reversed(list(exports)):
        kind = _kind_of(export)
        before = earlier.get(kind)
        rows.append(Made(export, before, _files(export, before)))
        earlier[kind] = export
    return rows[::-1]


def last_before(export: Export, exports: Iterable[Export]) -> Export | None:
    """The last export of the same kind before this one; else the last before it of any kind."""
    earlier = [other for other in exports if other.pk < export.pk]
    kind = _kind_of(export)
    alike = (other for other in earlier if _kind_of(other) == kind)
    return next(alike, earlier[0] if earlier else None)


def _kind_of(export: Export) -> str:
    """Its format and its options, but for the permission to lack gold: with it or without it, the
    files of the same gold are the same."""
    options = {name: value for name, value in export.options.items() if name != "allow_incomplete"}
    return f"{export.format} {sorted(options.items())}"


def _files(export: Export, before: Export | None) -> list[tuple[dict[str, str], str]]:
    if before is None:
        return [(file, "") for file in export.files]
    digests = {
        complete_name(file["name"], before.is_incomplete): file["sha256"] for file in before.files
    }
    return [
        (file, _change(digests.get(complete_name(file["name"], export.is_incomplete)), file))
        for file in export.files
    ]


def _change(digest: str | None, file: dict[str, str]) -> str:
    if digest is None:
        return NEW
    return SAME if digest == file["sha256"] else CHANGED


def complete_name(name: str, is_incomplete: bool) -> str:
    """The name in a complete export of a file of one that is incomplete, or is not."""
    if not is_incomplete:
        return name
    stem, _, suffix = name.rpartition(".")
    return f"{stem.removesuffix('-incomplete')}.{suffix}"
