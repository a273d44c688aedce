"""Every kind of files that can be imported, in one way for page and command.

Most are rows of `formats.registry`; CSFCube and DORIS-MAE are read with values of the scheme, which
are no literals to be matched. Settings are data (JSON), so that a page can keep them: the format,
the mapping of columns, grades and people, and what else a kind asks.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from audit.refusals import Invalid, Refused
from datasets.models import Collection
from formats import csfcube, doris_mae, registry
from formats.credits import data_files
from formats.csfcube.sources import find_sources
from formats.files import Files, SourceFile
from formats.problems import BadInputError, Problem, Problems
from formats.reading import UNKNOWN, Part, Recognition, left_alone
from formats.words import listed
from imports.csfcube import read_moving as read_csfcube
from imports.doris_mae import read_moving as read_doris_mae
from imports.reading_options import Settings, reading_options
from imports.run import Moving, Progress
from imports.study.importing import StudyMoving
from imports.study.preview import preview_of
from imports.study.terms import Matching

CERTAIN = 3
LISTED = 10
# Pools and ratings are read whole; the release's own have some hundred kilobytes each.
MAX_WHOLE_BYTES = 32 * 2**20


@dataclass(frozen=True)
class Ask:
    """A setting of one kind that its page and command ask for."""

    key: str
    label: str
    help: str
    is_yes_or_no: bool = False


class Kind(ABC):
    """A kind of files. `scheme` is that of a collection made for it by command; `is_by_id` where it
    is no file but the id of a dataset, which the page cannot take."""

    key = ""
    name = ""
    reads = ""
    scheme = ""
    asks: tuple[Ask, ...] = ()
    is_by_id = False

    @property
    def settings(self) -> dict[str, bool]:
        """{name: whether it is yes or no} of what a command or a program may set."""
        return {ask.key: ask.is_yes_or_no for ask in self.asks}

    def check_settings(self, names: Iterable[str]) -> None:
        """Refuse, by Invalid, the name of a setting that this kind does not have."""
        for name in names:
            if name not in self.settings:
                known = ", ".join(self.settings) or "none"
                raise Invalid(f"{self.key} has no setting {name}; it has {known}.")

    @abstractmethod
    def recognise(self, files: Files) -> Recognition | None:
        """The recognition of these files; None where they are of another kind."""

    @abstractmethod
    def moving(
        self, files: Files, collection: Collection, by: Any, settings: Settings, progress: Progress
    ) -> Moving:
        """The study that was read, ready to be compared and written. Raises BadInputError or
        Refused."""

    def preview(self, moving: Any) -> dict[str, Any]:
        """A dry run, once the moving was compared."""
        return {"counts": moving.summary()}

    def check_upload(self, files: Files) -> None:
        """Raise BadInputError for a file that the server would have to read whole and cannot."""
        return


class Csfcube(Kind):
    key = "csfcube"
    name = "CSFCube"
    reads = "The official release: queries, abstracts, pools, ratings, readable files."
    scheme = "csfcube"
    asks = (
        Ask(
            "with_ratings",
            "Also import the ratings and adjudications",
            "Needs the rating files. For a finished study that moves in.",
            is_yes_or_no=True,
        ),
    )

    def recognise(self, files: Files) -> Recognition | None:
        file_at = {file.path: file for file in data_files(files)}
        sources = find_sources((file.base, path) for path, file in file_at.items())
        parts = [_fixed(file_at[path], name) for name, path in sources.parts()]
        if not sources.queries and not sources.pools and not sources.annotations:
            return None
        unknown = [file.name for file in files if file.base in sources.unknown]
        parts += map(_left_alone, unknown)
        return Recognition(self.key, CERTAIN, "a CSFCube release", tuple(parts))

    def moving(
        self, files: Files, collection: Collection, by: Any, settings: Settings, progress: Progress
    ) -> Moving:
        sources = find_sources((file.base, file.path) for file in data_files(files))
        return read_csfcube(
            sources,
            collection,
            by,
            with_ratings=bool(settings.get("with_ratings")),
            progress=progress,
        )

    def check_upload(self, files: Files) -> None:
        problems = Problems()
        for file in data_files(files):
            if file.base != csfcube.ABSTRACTS and file.size > MAX_WHOLE_BYTES:
                problems.add(
                    file.name,
                    "",
                    f"the file is larger than {MAX_WHOLE_BYTES // 2**20} MB.",
                    "Use `python manage.py import csfcube` on the server, which has no such limit.",
                )
        problems.raise_any()


class DorisMae(Kind):
    key = "doris-mae"
    name = "DORIS-MAE"
    reads = "The official file: queries with aspects, abstracts, pools, ratings, answers."
    scheme = "doris-mae"
    asks = (
        Ask(
            "model",
            "Model that gave the answers in Annotation",
            "The file does not say. Its answers are kept apart from people's ratings.",
        ),
        Ask(
            "run",
            "Name of this run of the model",
            "If left empty, as in an earlier import, else the name of the file.",
        ),
    )

    def recognise(self, files: Files) -> Recognition | None:
        data = data_files(files)
        official = [file for file in data if _begins_as_doris_mae(file)]
        if len(official) != 1:
            return None
        parts = (
            _fixed(file, "DORIS-MAE file") if file is official[0] else _left_alone(file.name)
            for file in data
        )
        return Recognition(self.key, CERTAIN, "a DORIS-MAE file", tuple(parts))

    def moving(
        self, files: Files, collection: Collection, by: Any, settings: Settings, progress: Progress
    ) -> Moving:
        file = _one_file(files)
        return read_doris_mae(
            file.path,
            file.base,
            collection,
            by,
            model=settings.get("model", ""),
            run=settings.get("run", ""),
            progress=progress,
        )


# The default scheme of a collection that a command makes for a format without ratings. A format
# with ratings has none: its scheme must fit the grades in the files.
USUAL_SCHEMES = {
    "trec": "trec-graded",
    "beir": "trec-graded",
    "birco": "trec-graded",
    "ir_datasets": "trec-graded",
    "litsearch": "litsearch",
}


# The settings by which the same files become another study.
READING = ("mapping", "keep_unpooled", "answers_to_come", "settings")


class Neutral(Kind):
    """A format whose reader gives neutral records."""

    def __init__(self, row: registry.Row) -> None:
        self.row = row
        self.key, self.name, self.reads = row.key, row.name, row.reads
        self.is_by_id = row.needs_command
        self.scheme = USUAL_SCHEMES.get(row.key, "")

    @property
    def settings(self) -> dict[str, bool]:
        return dict.fromkeys(self.row.switches, True)

    def recognise(self, files: Files) -> Recognition | None:
        return None if self.row.needs_command else self.row.reader.recognise(files)

    def moving(
        self, files: Files, collection: Collection, by: Any, settings: Settings, progress: Progress
    ) -> Moving:
        options = reading_options(collection, settings, progress)
        study = self.row.reader.read(files, options)
        if study.is_empty and not self.recognise(files):
            self._refuse(files)
        if settings.get("mapping") and (ignored_files := left_alone(files, settings["mapping"])):
            names = listed(ignored_files, LISTED)
            study.notes.append(f"Left alone, since {self.name} reads nothing in it: {names}.")
        return StudyMoving(
            study,
            collection,
            by,
            matching=Matching.of(settings),
            reading={name: settings[name] for name in READING if settings.get(name)},
            fills=settings.get("fills", {}),
        )

    def _refuse(self, files: Files) -> None:
        """Refuse files of which nothing is of this format."""
        names = [file.name for file in data_files(files)] or ["the files"]
        likely = ", ".join(recognition.format for recognition in recognise(files))
        message = f"nothing of the format {self.key} was recognised."
        remedy = f"Formats that these files may be: {likely}." if likely else f"It is {self.reads}."
        raise BadInputError([Problem(", ".join(names[:LISTED]), "", message, remedy)], 1)

    def preview(self, moving: StudyMoving) -> dict[str, Any]:
        return preview_of(moving)


def all_kinds() -> dict[str, Kind]:
    """Every kind by its key, those of the page and those by command alone."""
    special: list[Kind] = [Csfcube(), DorisMae()]
    return {kind.key: kind for kind in [*(Neutral(row) for row in registry.ROWS), *special]}


def recognise(files: Files) -> list[Recognition]:
    """The recognitions of all kinds, the most certain first; of two as certain the one that knows
    all files of the other and more."""
    recognitions = list(filter(None, [kind.recognise(files) for kind in all_kinds().values()]))
    known = {
        each.format: {part.file for part in each.parts if part.key not in ("", UNKNOWN)}
        for each in recognitions
    }

    def rank(recognition: Recognition) -> tuple[int, bool]:
        is_outdone = any(known[recognition.format] < others for others in known.values())
        return -recognition.certainty, is_outdone

    return sorted(recognitions, key=rank)


def _fixed(file: SourceFile, label: str) -> Part:
    """A file whose columns are known."""
    return Part(file.name, "data", label)


def _left_alone(name: str) -> Part:
    return Part(name, "", "no part of the release")


def _begins_as_doris_mae(file: SourceFile) -> bool:
    if file.suffix != ".json":
        return False
    start = file.start(1 << 16).lstrip()
    keys = [*doris_mae.KEYS, doris_mae.TEST_SETS[1]]
    return start.startswith(b"{") and any(
        json.dumps(key).encode() in start[: len(key) + 8] for key in keys
    )


def _one_file(files: Files) -> SourceFile:
    """DORIS-MAE's file; what lies beside it, such as runs, is left alone."""
    data = data_files(files)
    official = data if len(data) == 1 else [file for file in data if _begins_as_doris_mae(file)]
    if len(official) != 1:
        raise Refused(f"A DORIS-MAE import is one file; here are {len(data)}.")
    return official[0]
