"""Reading a DORIS-MAE file: everything is checked here, before anything is written anywhere.

The file is read once, in pieces and whatever the order of its keys; then the abstracts of the pools
alone are read again at their places. Problems are collected and raised together as BadInputError.
"""

import json
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO

from formats import doris_mae, strict
from formats.doris_mae import entries
from formats.doris_mae.cross_checks import check_together
from formats.doris_mae.records import Dataset
from formats.doris_mae.values import abstract_id_of
from formats.problems import Problems
from formats.stream import CHUNK_BYTES, JsonStream
from formats.strict import BadTextError, shown

LISTED = 100
READ_AS = "An object is expected with the keys of the official file."


def read_dataset(
    path: Path,
    *,
    name: str,
    values: Iterable[Any],
    chunk_bytes: int = CHUNK_BYTES,
    progress: Callable[[int, int], None] | None = None,
) -> Dataset:
    """Read and check a whole file; raises BadInputError with everything that is wrong.

    `name` stands for the file in sentences, `values` are those that the scheme takes from
    files. `progress(done, total)` is told the bytes that were read.
    """
    total = path.stat().st_size
    tell = (lambda done: progress(done, total)) if progress else None
    with path.open("rb") as file:
        reader = _Reader(file, name=name, values=values)
        return reader.read(chunk_bytes=chunk_bytes, progress=tell)


class _Reader:
    def __init__(self, file: BinaryIO, *, name: str, values: Iterable[Any]) -> None:
        self.file, self.values = file, set(values)
        self.problems = Problems()
        self.dataset = Dataset(name)
        self.ids: dict[str, str] = {}  # {text: id} as the one map has it
        self.texts: dict[str, str] = {}  # {id: text} as the other has it
        self.reading = ""  # the place in the stream, for errors of the JSON itself
        # Of all abstracts, pooled or not: which entry of Corpus, and between which bytes.
        self.entry_of: dict[str, int] = {}
        self.starts, self.ends = array("q"), array("q")

    def read(self, *, chunk_bytes: int, progress: Callable[[int], None] | None) -> Dataset:
        try:
            stream = JsonStream(self.file, chunk_bytes=chunk_bytes, progress=progress)
            for key in stream.keys():  # noqa: SIM118 - no dictionary; it reads on
                self._read_member(stream, key)
        except BadTextError as error:
            self._add(self.reading, error)
        else:
            self._require_keys()
        # What follows compares the parts of the file with each other: only whole ones will do.
        self.problems.raise_any()
        self._read_pooled()
        self.problems.raise_any()
        check_together(self.dataset, self.ids, self.texts, set(self.entry_of), self.problems)
        self.problems.raise_any()
        self.dataset.digest = stream.digest.hexdigest()
        return self.dataset

    def _read_member(self, stream: JsonStream, key: str) -> None:
        self.reading = key
        readers = {
            doris_mae.QUERY: self._read_query,
            doris_mae.CORPUS: self._read_abstract_id,
            doris_mae.ANNOTATION: self._read_answer,
        } | dict.fromkeys(doris_mae.TEST_SETS, self._read_rated)
        text = None
        if key in readers:
            self._read_list(stream, key, readers[key])
        elif key in (doris_mae.TEXT2ID, doris_mae.ID2TEXT):
            self._read_texts(key, stream.value())
        else:
            value = stream.value()
            try:
                strict.check_storable([key, value])
            except BadTextError as error:
                self._add(shown(key), error)
            text = json.dumps(value)
        self.dataset.keys.append([key, text])
        self.reading = ""

    def _read_list(self, stream: JsonStream, key: str, read_entry: Callable[..., None]) -> None:
        if stream.next_kind() != "[":
            value = stream.value()
            self._add(key, BadTextError(f"{strict.kind_of(value)}; expected a list."))
            return
        self.reading = f"{key}[0]"
        for position, entry in enumerate(stream.elements()):
            place = self.reading
            try:
                read_entry(entry, position, place, stream)
            except BadTextError as error:
                self._add(place, error, byte=stream.start)
            self.reading = f"{key}[{position + 1}]"

    # What is in the lists

    def _read_query(self, entry: Any, position: int, place: str, stream: JsonStream) -> None:
        self.dataset.queries.append(entries.read_query(entry, position, place))

    def _read_abstract_id(self, entry: Any, position: int, place: str, stream: JsonStream) -> None:
        abstract_id = abstract_id_of(entry)
        first = self.entry_of.setdefault(abstract_id, position)
        self.starts.append(stream.start)
        self.ends.append(stream.end)
        self.dataset.abstracts_read += 1
        if first != position:
            raise BadTextError(
                f"the abstract {abstract_id} is Corpus[{first}] already.", "Keep one of the two."
            )

    def _read_rated(self, entry: Any, position: int, place: str, stream: JsonStream) -> None:
        self.dataset.rated.append(entries.read_rated(entry, self.values, place))

    def _read_answer(self, entry: Any, position: int, place: str, stream: JsonStream) -> None:
        answer = entries.read_answer(entry, self.values, place)
        self.dataset.keep_answer(answer)
        if answer.value is None:
            self.dataset.unparsed_count += 1
            if len(self.dataset.unparsed) < LISTED:
                self.dataset.unparsed.append(
                    f"aspect {answer.aspect_id}, abstract {answer.abstract_id}"
                )

    def _read_texts(self, key: str, value: Any) -> None:
        if not isinstance(value, dict):
            self._add(key, BadTextError(f"{strict.kind_of(value)}; expected an object."))
            return
        for key_text, value_text in value.items():
            place = f"{key}[{shown(key_text)}]"
            try:
                strict.check_storable([key_text, value_text])
                aspect_id, text = (
                    (key_text, value_text) if key == doris_mae.ID2TEXT else (value_text, key_text)
                )
                strict.check_identifier(aspect_id)
                if not isinstance(text, str) or not text.strip():
                    raise BadTextError(
                        f"the aspect {aspect_id} has no text.", "Write what it asks for."
                    )
            except BadTextError as error:
                self._add(place, error)
        if key == doris_mae.ID2TEXT:
            self.texts = value
        else:
            self.ids = value

    def _require_keys(self) -> None:
        file_keys = {key for key, _ in self.dataset.keys}
        missing = [key for key in (doris_mae.QUERY, doris_mae.CORPUS) if key not in file_keys]
        if not file_keys & {doris_mae.TEXT2ID, doris_mae.ID2TEXT}:
            missing.append(f"{doris_mae.ID2TEXT} (or {doris_mae.TEXT2ID})")
        for key in missing:
            self._add("", BadTextError(f"the key {key} is missing.", READ_AS))
        if file_keys.issuperset(doris_mae.TEST_SETS):
            both = " and ".join(doris_mae.TEST_SETS)
            self._add("", BadTextError(f"there are both {both}.", "Put them together in one."))

    # The abstracts of the pools, at their places

    def _read_pooled(self) -> None:
        pooled = {abstract_id for query in self.dataset.queries for abstract_id in query.pool}
        for abstract_id in sorted(pooled & self.entry_of.keys(), key=self.entry_of.__getitem__):
            position = self.entry_of[abstract_id]
            place = f"{doris_mae.CORPUS}[{position}]"
            start, end = self.starts[position], self.ends[position]
            self.file.seek(start)
            text = self.file.read(end - start).decode()
            try:
                abstract = entries.read_abstract(strict.parse_json(text), place)
            except BadTextError as error:
                self._add(place, error, byte=start)
                continue
            if abstract.sentences:
                self.dataset.keep(abstract)
            else:
                self.dataset.without_text[abstract_id] = text

    def _add(self, place: str, error: BadTextError, byte: int | None = None) -> None:
        """Note what is wrong; its own place is a byte of the file, or a key inside an entry."""
        inside = error.place
        if inside.startswith("byte "):
            place = f"{place}, {inside}" if place else inside
        else:
            place = f"{place}.{inside}" if inside else place
            place += f" (byte {byte:,})" if byte is not None else ""
        self.problems.add(self.dataset.name, place, error.message, error.remedy)
