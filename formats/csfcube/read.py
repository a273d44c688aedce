"""Reading a CSFCube release: everything is checked here, before anything is written anywhere.

Problems are collected over all files and raised together as BadInputError.
"""

import csv
import hashlib
import io
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from formats import csfcube, strict
from formats.csfcube.records import (
    Annotations,
    JudgedCandidate,
    Paper,
    Pool,
    QueryRow,
    Release,
)
from formats.csfcube.write import (
    paper_line,
    write_annotations,
    write_pools,
    write_queries,
    write_readable,
    write_splits,
)
from formats.problems import Problems
from formats.strict import BadTextError, shown

# One paper; the longest abstract of the release has a few thousand characters.
MAX_LINE_BYTES = 16 * 2**20
MAX_TOPIC_ID_LENGTH = 240
FIRST_BYTES = 64
Progress = Callable[[int, int], None]
Scales = Mapping[str, Iterable[int]]

FETCH_AGAIN = "Fetch the official release again, or correct the file."


@dataclass
class Sources:
    """The files of a release by their part in it; `unknown` are names that have none."""

    queries: Path | None = None
    abstracts: Path | None = None
    pools: Path | None = None
    splits: Path | None = None
    annotations: dict[str, Path] = field(default_factory=dict)  # by facet
    readable: dict[str, Path] = field(default_factory=dict)  # by topic id
    unknown: list[str] = field(default_factory=list)

    def parts(self) -> Iterator[tuple[str, Path]]:
        """Yield (official name, path) of every file, in one fixed order."""
        yield from (
            (name, path)
            for name, path in [
                (csfcube.QUERIES, self.queries),
                (csfcube.ABSTRACTS, self.abstracts),
                (csfcube.POOLS, self.pools),
                (csfcube.SPLITS, self.splits),
            ]
            if path
        )
        for facet, path in sorted(self.annotations.items()):
            yield csfcube.annotations_name(facet), path
        for topic, path in sorted(self.readable.items()):
            yield readable_name(topic), path


def readable_name(topic_id: str) -> str:
    paper_id, _, facet = topic_id.rpartition("_")
    return f"{csfcube.READABLE_FOLDER}/{paper_id}-{facet}-adju.txt"


def find_sources(named_files: Iterable[tuple[str, Path]]) -> Sources:
    """Tell the files of a release by their names: `[(name, path), ...]` in any order."""
    single = {
        csfcube.QUERIES: "queries",
        csfcube.ABSTRACTS: "abstracts",
        csfcube.POOLS: "pools",
        csfcube.SPLITS: "splits",
    }
    sources = Sources()
    for name, path in named_files:
        annotations, readable = csfcube.ANNOTATIONS.match(name), csfcube.READABLE.match(name)
        if name in single:
            setattr(sources, single[name], path)
        elif annotations:
            sources.annotations[annotations["facet"]] = path
        elif readable:
            paper_id, _, facet = readable["topic"].rpartition("-")
            sources.readable[f"{paper_id}_{facet}"] = path
        else:
            sources.unknown.append(name)
    return sources


def find_in_folder(folder: Path | str) -> Sources:
    """The files of a release in a folder; what else is there (licence, scripts) is left alone."""
    folder = Path(folder)
    files = [path for path in folder.iterdir() if path.is_file()]
    readable = folder / csfcube.READABLE_FOLDER
    if readable.is_dir():
        files += [path for path in readable.iterdir() if path.is_file()]
    return find_sources((path.name, path) for path in sorted(files))


def read_release(sources: Sources, *, scales: Scales, progress: Progress | None = None) -> Release:
    """Read and check a whole release; raises BadInputError with everything that is wrong.

    `scales` are the values of the scheme into which it goes, by the key of a facet.
    `progress(done, total)` is told the bytes of the abstracts file that were read.
    """
    reader = _Reader(sources, scales=scales, progress=progress)
    return reader.read()


class _Reader:
    def __init__(self, sources: Sources, *, scales: Scales, progress: Progress | None) -> None:
        self.sources = sources
        self.scales = scales
        self.progress = progress or (lambda done, total: None)
        self.problems = Problems()
        self.release = Release(spool=tempfile.TemporaryFile())  # noqa: SIM115 - lives with it
        self.digests: list[str] = []
        self.raw: dict[str, str] = {}
        self.has_changed_lines = False

    def read(self) -> Release:
        self._require_files()
        self.problems.raise_any()
        self._read_queries()
        self._read_pools()
        for facet, path in sorted(self.sources.annotations.items()):
            self._read_annotations(facet, path)
        self._read_papers()
        # What follows compares the files with each other, which only makes sense of whole ones.
        self.problems.raise_any()
        self._check_together()
        self._read_splits()
        self.problems.raise_any()
        self._read_readable()
        self.problems.raise_any()
        self._note_what_is_not_restored()
        self.release.fingerprint = hashlib.sha256("\n".join(self.digests).encode()).hexdigest()
        return self.release

    def _require_files(self) -> None:
        required = {
            csfcube.QUERIES: self.sources.queries,
            csfcube.ABSTRACTS: self.sources.abstracts,
            csfcube.POOLS: self.sources.pools,
        }
        for name, path in required.items():
            if path is None or not path.is_file():
                self.problems.add(
                    name, "", "the file is missing.", "Add it under exactly this name."
                )

    # Reading one file

    def _bytes(self, name: str, path: Path | None) -> bytes:
        data = _there(path).read_bytes()
        self.digests.append(f"{name} {hashlib.sha256(data).hexdigest()}")
        return data

    def _text(self, name: str, path: Path | None) -> str | None:
        """The text of a file, or None when it is none, which is then noted."""
        try:
            data = self._bytes(name, path)
            strict.check_signature(data[:FIRST_BYTES])
            return strict.decode(data)
        except BadTextError as error:
            self.problems.add(name, error.place, error.message, error.remedy)
            return None

    def _json_object(self, name: str, path: Path | None) -> dict[str, Any]:
        """The object that a file holds; an empty one when it cannot be read, which is noted."""
        text = self._text(name, path)
        if text is None:
            return {}
        try:
            value = strict.parse_json(text)
            strict.check_storable(value)
        except BadTextError as error:
            self.problems.add(name, error.place, error.message, error.remedy)
            return {}
        if not isinstance(value, dict):
            self.problems.add(
                name, "", f"the file holds {strict.kind_of(value)}; expected an object."
            )
            return {}
        self.raw[name] = text
        return value

    def _identifier(self, value: Any, name: str, place: str) -> bool:
        try:
            strict.check_identifier(value)
        except BadTextError as error:
            self.problems.add(name, place, error.message, error.remedy)
            return False
        return True

    # queries-release.csv

    def _read_queries(self) -> None:
        name = csfcube.QUERIES
        text = self._text(name, self.sources.queries)
        if text is None:
            return
        self.raw[name] = text
        csv.field_size_limit(MAX_LINE_BYTES)
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        release = self.release
        release.line_end = "\r\n" if "\r\n" in text else "\n"
        seen: dict[str, int] = {}
        try:
            release.columns = next(lines, [])
            if not self._check_columns(release.columns):
                return
            for values in lines:
                if values:
                    self._read_query(values, lines.line_num, seen)
        except csv.Error as error:
            self.problems.add(
                name,
                f"line {lines.line_num}",
                f"broken CSV: {error}.",
                "Quotation marks inside a quoted field are doubled.",
            )
        if not release.rows and not self.problems.total:
            self.problems.add(name, "", "there is no query in the file.", FETCH_AGAIN)

    def _check_columns(self, columns: list[str]) -> bool:
        if {"pid", "facet"} <= set(columns) and len(set(columns)) == len(columns):
            return True
        self.problems.add(
            csfcube.QUERIES,
            "line 1",
            f"the columns are {shown(','.join(columns))}.",
            f"The first line must be {','.join(csfcube.QUERY_COLUMNS)}.",
        )
        return False

    def _read_query(self, values: list[str], line: int, seen: dict[str, int]) -> None:
        name, place, columns = csfcube.QUERIES, f"line {line}", self.release.columns
        if len(values) != len(columns):
            self.problems.add(
                name,
                place,
                f"{len(values)} fields; expected {len(columns)}.",
                "Put a field that contains a comma in quotation marks.",
            )
            return
        fields = dict(zip(columns, values, strict=True))
        row = QueryRow(fields.pop("pid"), fields.pop("facet"), fields, line)
        try:
            strict.check_storable(values)
            strict.check_identifier(row.paper_id)
        except BadTextError as error:
            self.problems.add(name, place, error.message, error.remedy)
            return
        if row.facet not in self.scales:
            self.problems.add(
                name,
                place,
                f"the facet {shown(row.facet)} is not in the scheme.",
                f"The scheme has {', '.join(self.scales)}.",
            )
        elif row.topic_id in seen:
            self.problems.add(
                name,
                place,
                f"the query {row.topic_id} stands in line {seen[row.topic_id]} already.",
                "Keep one of the two lines.",
            )
        elif len(row.topic_id) > MAX_TOPIC_ID_LENGTH:
            self.problems.add(name, place, f"the identifier {shown(row.topic_id)} is too long.")
        else:
            seen[row.topic_id] = line
            self.release.rows.append(row)

    # test-pid2pool-csfcube.json

    def _read_pools(self) -> None:
        name = csfcube.POOLS
        for paper_id, entry in self._json_object(name, self.sources.pools).items():
            place = f"key {shown(paper_id)}"
            if not self._identifier(paper_id, name, place):
                continue
            if not self._has_keys(entry, name, place, required={"cands", "cand_source"}):
                continue
            candidates, sources = entry["cands"], entry["cand_source"]
            if not self._candidates(candidates, name, place):
                continue
            if not isinstance(sources, list) or len(sources) != len(candidates):
                self._unequal(name, place, "cand_source", sources, candidates)
            elif not all(
                isinstance(methods, list) and all(isinstance(method, str) for method in methods)
                for methods in sources
            ):
                self.problems.add(
                    name, place, "cand_source must hold a list of method names per candidate."
                )
            else:
                self.release.pools[paper_id] = Pool(candidates, sources)

    def _has_keys(
        self,
        entry: Any,
        name: str,
        place: str,
        *,
        required: Set[str],
        optional: Set[str] = frozenset(),
    ) -> bool:
        if not isinstance(entry, dict):
            self.problems.add(name, place, f"{strict.kind_of(entry)}; expected an object.")
            return False
        lacking = sorted(required - set(entry))
        unknown = sorted(
            key
            for key in set(entry) - required - set(optional)
            if not (optional and key.startswith(csfcube.RATING_KEY))
        )
        for key in lacking:
            self.problems.add(name, place, f"{key} is missing.", FETCH_AGAIN)
        for key in unknown:
            self.problems.add(
                name, place, f"the key {shown(key)} is not known.", "Remove it from the file."
            )
        return not lacking and not unknown

    def _candidates(self, candidates: Any, name: str, place: str) -> bool:
        if not isinstance(candidates, list):
            self.problems.add(name, place, f"cands is {strict.kind_of(candidates)}, not a list.")
            return False
        accepted = [self._identifier(paper_id, name, place) for paper_id in candidates]
        if not all(accepted):
            return False
        twice = [paper_id for paper_id, count in Counter(candidates).items() if count > 1]
        for paper_id in twice:
            self.problems.add(
                name, place, f"the candidate {paper_id} occurs twice.", "Keep one of the two."
            )
        return not twice

    def _unequal(self, name: str, place: str, key: str, values: Any, candidates: list[str]) -> None:
        length = f"{len(values):,} values" if isinstance(values, list) else strict.kind_of(values)
        self.problems.add(
            name,
            place,
            f"{key} has {length}, but there are {len(candidates):,} candidates.",
            "Both lists must be of the same length.",
        )

    # test-pid2anns-csfcube-<facet>.json

    def _read_annotations(self, facet: str, path: Path) -> None:
        name = csfcube.annotations_name(facet)
        content = self._json_object(name, path)
        if facet not in self.scales:
            self.problems.add(
                name,
                "",
                f"the facet {shown(facet)} is not in the scheme.",
                f"The scheme has {', '.join(self.scales)}.",
            )
            return
        kept = self.release.annotations.setdefault(facet, {})
        for paper_id, entry in content.items():
            place = f"key {shown(paper_id)}"
            judged = self._read_judged(entry, facet, name, place)
            if judged:
                kept[paper_id] = judged

    def _read_judged(self, entry: Any, facet: str, name: str, place: str) -> Annotations | None:
        extra = {"relevance_max", "relevance_min", "relevance_adju"}
        if not self._has_keys(entry, name, place, required={"cands"}, optional=extra):
            return None
        candidates = entry["cands"]
        if not self._candidates(candidates, name, place):
            return None
        lists = {key: values for key, values in entry.items() if key != "cands"}
        before = self.problems.total
        for key, values in lists.items():
            if not isinstance(values, list) or len(values) != len(candidates):
                self._unequal(name, place, key, values, candidates)
            else:
                self._check_grades(key, values, self.scales[facet], candidates, name, place)
        ratings = {
            key.removeprefix(csfcube.RATING_KEY): values
            for key, values in lists.items()
            if key.startswith(csfcube.RATING_KEY)
        }
        if not 1 <= len(ratings) <= 9:
            self.problems.add(
                name,
                place,
                f"{len(ratings)} lists of ratings ({csfcube.RATING_KEY}1 and so on).",
                "From 1 to 9 annotators can rate a query.",
            )
        for annotator in ratings:
            self._identifier(annotator, name, place)
        if self.problems.total > before:
            return None
        self._check_range(lists, ratings, candidates, name, place)
        return Annotations(candidates, ratings, lists.get("relevance_adju"))

    def _check_grades(
        self,
        key: str,
        values: list[Any],
        scale: Iterable[int],
        candidates: list[str],
        name: str,
        place: str,
    ) -> None:
        allowed = set(scale)
        if key != "relevance_adju":
            allowed.add(csfcube.CANNOT_JUDGE)
        for paper_id, value in zip(candidates, values, strict=True):
            if isinstance(value, bool) or not isinstance(value, int):
                self.problems.add(
                    name,
                    f"{place}, {key}, candidate {paper_id}",
                    f"the grade {shown(value)} is not an integer.",
                    "Grades are whole numbers without quotation marks.",
                )
            elif value not in allowed:
                grades = ", ".join(str(grade) for grade in sorted(scale))
                also = "" if key == "relevance_adju" else ", or -1 for none given"
                self.problems.add(
                    name,
                    f"{place}, {key}, candidate {paper_id}",
                    f"the grade {shown(value)} is outside the scale.",
                    f"The scheme has {grades}{also}.",
                )

    def _check_range(
        self,
        lists: dict[str, list[int]],
        ratings: dict[str, list[int]],
        candidates: list[str],
        name: str,
        place: str,
    ) -> None:
        """relevance_max and relevance_min are derived, with -1 taken as a number."""
        for key, function in [("relevance_max", max), ("relevance_min", min)]:
            if key not in lists:
                continue
            for index, paper_id in enumerate(candidates):
                expected = function(values[index] for values in ratings.values())
                if lists[key][index] != expected:
                    self.problems.add(
                        name,
                        f"{place}, candidate {paper_id}",
                        f"{key} is {lists[key][index]}, but the ratings give {expected}.",
                        FETCH_AGAIN,
                    )

    # abstracts-csfcube-preds.jsonl

    def _read_papers(self) -> None:
        name, path = csfcube.ABSTRACTS, _there(self.sources.abstracts)
        wanted = set(self.release.pools)
        wanted.update(row.paper_id for row in self.release.rows)
        for pool in self.release.pools.values():
            wanted.update(pool.candidates)
        for judged in self.release.annotations.values():
            wanted.update(*(annotations.candidates for annotations in judged.values()))
        total, done, digest = path.stat().st_size, 0, hashlib.sha256()
        with path.open("rb") as file:
            try:
                strict.check_signature(file.read(FIRST_BYTES))
            except BadTextError as error:
                self.problems.add(name, "", error.message, error.remedy)
                return
            file.seek(0)
            line = 0
            while data := file.readline(MAX_LINE_BYTES + 1):
                line += 1
                done += len(data)
                digest.update(data)
                if len(data) > MAX_LINE_BYTES:
                    self.problems.add(
                        name,
                        f"line {line}",
                        f"the line is longer than {MAX_LINE_BYTES // 2**20} MB.",
                        "Each paper stands on a line of its own.",
                    )
                    return
                if data.strip():
                    self._read_paper(data, line, wanted)
                if line % 1000 == 0:
                    self.progress(done, total)
        self.progress(total, total)
        self.release.papers_read = line
        self.digests.append(f"{name} {digest.hexdigest()}")

    def _read_paper(self, data: bytes, line: int, wanted: Set[str]) -> None:
        """Keep a line's paper if it is wanted; other lines need only be JSON with an identifier."""
        name, place = csfcube.ABSTRACTS, f"line {line}"
        try:
            content = strict.parse_json(strict.decode(data, first_line=line), first_line=line)
            if not isinstance(content, dict) or "paper_id" not in content:
                raise BadTextError("expected an object with a paper_id.", FETCH_AGAIN)
            paper_id = content["paper_id"]
            strict.check_identifier(paper_id)
            if paper_id not in wanted:
                return
            if paper_id in self.release.offsets:
                first = self.release.paper(paper_id).line
                raise BadTextError(
                    f"the paper {paper_id} stands in line {first} already.",
                    "Keep one of the two lines.",
                )
            paper = self._paper(content, line)
        except BadTextError as error:
            self.problems.add(name, error.place or place, error.message, error.remedy)
            return
        if paper.sentences:
            self.release.keep(paper)
            self._note_line(paper, data)

    def _paper(self, content: Any, line: int) -> Paper:
        paper_id = content["paper_id"]
        strict.check_storable(content)
        title, sentences = content.get("title"), content.get("abstract")
        metadata = content.get("metadata")
        if not isinstance(title, str):
            raise BadTextError(f"the title of {paper_id} is {strict.kind_of(title)}, not text.")
        if sentences is not None and not (
            isinstance(sentences, list) and all(isinstance(text, str) for text in sentences)
        ):
            raise BadTextError(f"the abstract of {paper_id} must be a list of sentences.")
        if not isinstance(metadata, (dict, type(None))):
            raise BadTextError(f"the metadata of {paper_id} must be an object.")
        sentences = sentences or []
        labels = content.get("pred_labels")
        if labels is None:
            labels = [None] * len(sentences)
        if not isinstance(labels, list) or len(labels) != len(sentences):
            raise BadTextError(
                f"{paper_id} has {len(sentences):,} sentences, but pred_labels has "
                f"{len(labels) if isinstance(labels, list) else 'no list of'} labels.",
                "Both lists must be of the same length.",
            )
        for label in labels:
            if label is not None and (
                not isinstance(label, str) or label not in csfcube.SENTENCE_LABELS
            ):
                raise BadTextError(
                    f"{paper_id} has the sentence label {shown(label)}, which is not known.",
                    f"Known are {', '.join(sorted(csfcube.SENTENCE_LABELS))}.",
                )
        held = {"paper_id", "title", "abstract", "pred_labels"}
        return Paper(
            paper_id=paper_id,
            title=title,
            sentences=[
                {"text": text, "label": label}
                for text, label in zip(sentences, labels, strict=True)
            ],
            metadata=metadata or {},
            record=[
                [key, None if key in held and value is not None else json.dumps(value)]
                for key, value in content.items()
            ],
            line=line,
        )

    def _note_line(self, paper: Paper, data: bytes) -> None:
        if paper_line(paper).encode() != data:
            self.has_changed_lines = True

    # All together

    def _check_together(self) -> None:
        release, problems = self.release, self.problems
        rows = {row.topic_id: row for row in release.rows}
        for row in release.rows:
            if row.paper_id not in release.pools:
                problems.add(
                    csfcube.POOLS,
                    f"key {shown(row.paper_id)}",
                    f"the query of {csfcube.QUERIES}, line {row.line}, has no pool.",
                    "Add its pool, or remove the query.",
                )
            if row.paper_id not in release.offsets:
                problems.add(
                    csfcube.ABSTRACTS,
                    "",
                    f"the query paper {row.paper_id} ({csfcube.QUERIES}, line {row.line}) "
                    "has no text.",
                    "Add its line, or remove the query.",
                )
        queried = {row.paper_id for row in release.rows}
        for paper_id in release.pools:
            if paper_id not in queried:
                problems.add(
                    csfcube.POOLS,
                    f"key {shown(paper_id)}",
                    f"{csfcube.QUERIES} has no row for this paper.",
                    "Add the row, or remove the pool.",
                )
        for facet, judged in release.annotations.items():
            name = csfcube.annotations_name(facet)
            for paper_id, annotations in judged.items():
                place = f"key {shown(paper_id)}"
                if f"{paper_id}_{facet}" not in rows:
                    problems.add(
                        name,
                        place,
                        f"{csfcube.QUERIES} has no row for this paper under {facet}.",
                        "Add the row, or remove the key.",
                    )
                pooled = release.pools.get(paper_id)
                for candidate in annotations.candidates:
                    if pooled and candidate not in set(pooled.candidates):
                        problems.add(
                            name,
                            place,
                            f"the judged paper {candidate} is not in the pool of {paper_id}.",
                            f"Add it to {csfcube.POOLS}, or remove it here.",
                        )
                    if candidate not in release.offsets:
                        problems.add(
                            name,
                            place,
                            f"the judged paper {candidate} has no text.",
                            f"Add its line to {csfcube.ABSTRACTS}, or remove it here.",
                        )
        if problems.total:
            return
        candidates = dict.fromkeys(
            candidate for pool in release.pools.values() for candidate in pool.candidates
        )
        release.without_text = [paper for paper in candidates if paper not in release.offsets]

    # evaluation_splits.json

    def _read_splits(self) -> None:
        name = csfcube.SPLITS
        if self.sources.splits is None:
            return
        splits = self._json_object(name, self.sources.splits)
        known = {row.topic_id for row in self.release.rows}
        strangers: dict[str, str] = {}
        for group, folds in splits.items():
            by_fold = folds if isinstance(folds, dict) else {"": None}
            for fold, keys in by_fold.items():
                if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
                    self.problems.add(
                        name,
                        f"key {shown(group)}",
                        "expected lists of query keys by fold.",
                        FETCH_AGAIN,
                    )
                    continue
                strangers.update((key, fold) for key in keys if key not in known)
        self.release.splits = splits
        if strangers:
            few = ", ".join(shown(key) for key in list(strangers)[:5])
            self.release.notes.append(
                f"{name} names {len(strangers):,} queries that {csfcube.QUERIES} does not have "
                f"({few}). The splits are kept as they are."
            )

    # readable_annotations

    def _read_readable(self) -> None:
        """Compare each text file with what the other files say of its topic.

        The text is written anew from them; what it gives beyond them are the numbers it uses for
        the annotators. A rating, source or candidate that differs is a problem. Other text that
        differs is noted, since the release corrected some labels of query papers by hand.
        """
        rows = {row.topic_id: row for row in self.release.rows}
        renumbered: dict[str, str] = {}
        for topic_id, path in sorted(self.sources.readable.items()):
            name = readable_name(topic_id)
            row = rows.get(topic_id)
            of_facet = self.release.annotations.get(row.facet, {}) if row else {}
            annotations = of_facet.get(row.paper_id) if row else None
            if row is None or annotations is None or annotations.adjudicated is None:
                self.problems.add(
                    name,
                    "",
                    "there are no adjudicated ratings for this query to compare it with.",
                    "Add the rating file of its facet, or leave this file out.",
                )
                continue
            text = self._text(name, path)
            if text is None:
                continue
            numbers = _numbers_in(text)
            if numbers is None or len(numbers) != len(annotations.ratings):
                self.problems.add(
                    name, "line 1", "this is not a readable annotation file.", FETCH_AGAIN
                )
                continue
            self._check_numbers(name, list(annotations.ratings), numbers, renumbered)
            self._compare(name, text, self._as_readable(row, annotations, numbers))
            self.release.readable_numbers[topic_id] = numbers

    def _check_numbers(
        self, name: str, annotators: list[str], numbers: list[str], renumbered: dict[str, str]
    ) -> None:
        for annotator, number in zip(annotators, numbers, strict=True):
            known = renumbered.setdefault(annotator, number)
            taken = [other for other, their in renumbered.items() if their == number]
            if known != number or taken != [annotator]:
                self.problems.add(
                    name,
                    "",
                    f"annotator {annotator} of the rating files is annotator{number} here "
                    f"and annotator{known} in another file, or shares a number.",
                    "The first and second annotator must be in the same order as in the "
                    "rating file.",
                )

    def _as_readable(self, row: QueryRow, annotations: Annotations, numbers: list[str]) -> str:
        pool = self.release.pools[row.paper_id]
        sources = dict(zip(pool.candidates, pool.sources, strict=True))
        per_pair = list(zip(*annotations.ratings.values(), strict=True))
        candidates = [
            JudgedCandidate(self.release.paper(paper_id), list(ratings), grade, sources[paper_id])
            for paper_id, ratings, grade in zip(
                annotations.candidates, per_pair, annotations.adjudicated or [], strict=True
            )
        ]
        return write_readable(self.release.paper(row.paper_id), candidates, numbers=numbers)

    def _compare(self, name: str, text: str, expected: str) -> None:
        if text == expected:
            return
        judged = ("paper_id: ", "adju relevance: ", "difference: ", "sources: ")
        given, wanted = _facts(text, judged), _facts(expected, judged)
        if given == wanted:
            self.release.notes.append(
                f"{name} has other text than {csfcube.ABSTRACTS} for some papers; the text of "
                f"{csfcube.ABSTRACTS} is kept, so that an export gives this file in other words."
            )
            return
        for (line, here), (_, there) in zip(
            given + [(len(text.splitlines()), "nothing")] * len(wanted), wanted, strict=False
        ):
            if here != there:
                self.problems.add(
                    name,
                    f"line {line}",
                    f"{shown(here, 90)}, but the other files give {shown(there, 90)}.",
                    "Rating file, pool file and this file must be of the same release.",
                )
                return
        self.problems.add(name, "", "there are candidates that the rating file does not have.")

    def _note_what_is_not_restored(self) -> None:
        """Write each file anew and note those whose bytes an export cannot give back."""
        release, raw = self.release, self.raw
        anew = {
            csfcube.QUERIES: write_queries(
                release.rows, columns=release.columns, line_end=release.line_end
            ),
            csfcube.POOLS: write_pools(release.pools),
        }
        for facet, judged in release.annotations.items():
            anew[csfcube.annotations_name(facet)] = write_annotations(judged)
        if release.splits is not None:
            anew[csfcube.SPLITS] = write_splits(release.splits)
        different = [name for name, text in anew.items() if raw[name] != text]
        if self.has_changed_lines:
            different.append(csfcube.ABSTRACTS)
        if different:
            release.notes.append(
                f"Spaced or quoted otherwise than in the official release: {', '.join(different)}. "
                "An export gives the same content in the official spelling."
            )


def _there(path: Path | None) -> Path:
    """A file that `_Reader._require_files` has seen."""
    if path is None:
        raise ValueError("The files that a release needs were not checked.")
    return path


def _numbers_in(text: str) -> list[str] | None:
    """The annotators that a readable file names, first and second; None where it names none."""
    for line in text.splitlines():
        if line.startswith("difference: "):
            parts = line.split("; ")[1:]
            names = [part.partition(": ")[0] for part in parts]
            if all(name.startswith("annotator") for name in names):
                return [name.removeprefix("annotator") for name in names]
            return None
    return None


def _facts(text: str, starts: tuple[str, ...]) -> list[tuple[int, str]]:
    """The lines of a readable file that carry judgments, each with its number.

    Publication years stand beside identifiers and are text here: they are left out.
    """
    return [
        (number, line.partition("; YEAR: ")[0])
        for number, line in enumerate(text.split("\n"), start=1)
        if line.startswith(starts)
    ]
