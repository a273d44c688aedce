"""The protocol of a reader: it recognises files, shows what it makes of them, and reads them.

The import page and the command go the same way with every format:

    reader = row.reader  # of one of registry.ROWS
    with open_files(paths, limit=…) as files:      # folders, zips, gzip, single files
        recognition = reader.recognise(files)  # None for files of another format
        mapping = recognition.mapping()  # columns to fields, as guessed; people change it
        study = reader.read(files, Options(mapping=mapping, …))

A mapping is data (JSON), so that it can be kept, shown, changed and offered again:

    {"files": {"ratings.csv": {"part": "ratings", "columns": {"query": "qid", "grade": "rel"}}},
     "facets": {"Background": "background"}}

`part` is "" for a file that is to be left alone, and UNKNOWN where somebody must say what it is. A
field of several columns (a grade column for each rater) has a list. `facets` takes what
files call a facet to the scheme's key.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from formats.credits import data_files
from formats.files import WITHIN, Files, SourceFile
from formats.records import Study


@dataclass(frozen=True)
class Field:
    """A field of ours that a column of theirs may fill. `names` are how files often call it."""

    key: str
    label: str
    help: str = ""
    is_required: bool = False
    is_list: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """A column of theirs, with the first values that are not empty."""

    name: str
    first_values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """The part of a study that a file seems to be. `columns` is empty where a format fixes its
    columns. `key` names the part ("ratings", "pool", "run", "licence"), and `guess` has the column
    of each of its fields.
    """

    file: str
    key: str
    label: str
    columns: tuple[Column, ...] = ()
    guess: Mapping[str, str | list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Recognition:
    """A reader's guess about files. `certainty`: 3 by content that no other format has, 2 by
    content, 1 perhaps. `sentence` says it to people."""

    format: str
    certainty: int
    sentence: str
    parts: tuple[Part, ...]
    # Parts that a file of this format can be, by key, each with its fields.
    fields: Mapping[str, tuple[Field, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    # Files that are read along with a part, such as a list of raters.
    along: tuple[str, ...] = ()
    # Says the parts to people where these may choose others; else the sentence holds.
    say: Callable[[Iterable[str]], str] | None = None

    def sentence_of(self, mapping: Mapping[str, Any]) -> str:
        """What the files are said to be as they were matched."""
        if self.say is None:
            return self.sentence
        files = mapping["files"]
        return self.say(files.get(part.file, {"part": part.key})["part"] for part in self.parts)

    def mapping(self) -> dict[str, Any]:
        """The guesses as a mapping."""
        return {
            "files": {
                part.file: {"part": part.key, "columns": dict(part.guess)} for part in self.parts
            },
            "along": list(self.along),
            "facets": {},
        }

    @property
    def columns_key(self) -> str:
        """The key of a kept mapping: the format and its sets of column names."""
        names = sorted(sorted(column.name for column in part.columns) for part in self.parts)
        return json.dumps([self.format, names])


# A table that no part fits, or a file that cannot be read as one.
UNKNOWN = "?"


@dataclass(frozen=True)
class Options:
    """Options of reading. `judged_by`, `facets` (keys) and `facet_names` ({name: key}) are the
    scheme's; `mapping` is as above, or empty for the guesses. `settings` are the format's own
    (named in its row of the registry). `answers_to_come` is how many answers a rated pair waits for
    where the files do not say; 0 where nothing is to come, and whoever left out a pair of their
    topic did not rate it."""

    judged_by: Literal["facets", "aspects", "plain"] = "facets"
    facets: tuple[str, ...] = ()
    facet_names: Mapping[str, str] = field(default_factory=dict)
    mapping: Mapping[str, Any] = field(default_factory=dict)
    keep_unpooled: bool = False
    answers_to_come: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    # Documents, queries and topics that the collection has already, so that files may name them;
    # of a query its text, of a topic the queries in which it stands.
    known_documents: frozenset[str] = frozenset()
    known_queries: Mapping[str, str] = field(default_factory=dict)
    known_topics: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # Told the bytes that were read, of how many.
    progress: Callable[[int, int], None] | None = None

    def part_of(self, file: str, guess: str) -> str:
        """The part that a file is read as: as matched, else as guessed; "" leaves it alone."""
        matched = (self.mapping.get("files") or {}).get(file)
        return guess if matched is None else str(matched.get("part") or "")


def parts_in_order(
    files: Files, options: Options, recognition: Recognition | None, order: Sequence[str]
) -> Iterator[tuple[SourceFile, str]]:
    """Yield (file, part) in the order in which a format reads its parts."""
    guesses = {part.file: part.key for part in recognition.parts} if recognition else {}
    for key in order:
        for file in data_files(files):
            if options.part_of(file.name, guesses.get(file.name, "")) == key:
                yield file, key


def left_alone(files: Files, mapping: Mapping[str, Any]) -> list[str]:
    """The names of files that a reader leaves alone under this mapping."""
    mapped_files = mapping.get("files") or {}
    # A workbook is named with each of its sheets.
    used_files = {
        *mapped_files,
        *(name.rpartition(WITHIN)[0] for name in mapped_files),
        *mapping.get("along", []),
    }
    return [file.name for file in data_files(files) if file.name not in used_files]


class Reader(Protocol):
    """A format's module. `recognise` gives None for files that are none of its own."""

    def recognise(self, files: Files) -> Recognition | None: ...

    def read(self, files: Files, options: Options) -> Study:
        """The study; raises BadInputError with everything that is wrong."""
        ...
