"""Reading BIRCO's JSON.

`{"query": {id: text}, "corpus": {id: text}, "qrel": {query: {document: relevance}}}`. The pool of
a query is what its qrel names. Relevance is a set of judgments, every decimal as it is written. A
ranking `{query: [document …]}` ranks a whole pool once, else it is refused.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from formats import literals, strict
from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.flat import sentences_of
from formats.grouping import grouped
from formats.literals import literal_of
from formats.reading import Options, Part, Recognition
from formats.records import (
    Document,
    Judgment,
    JudgmentSet,
    Place,
    PoolEntry,
    Query,
    Run,
    RunLine,
    Study,
)
from formats.strict import BadTextError, shown
from formats.trec.runs import tag_after
from formats.words import counted, listed

KEY = "birco"
KEYS = {"query", "corpus", "qrel"}
LABELS = {"task": "Task", "ranking": "Ranking"}
MAX_BYTES = 512 << 20
SHOWN = 5
NO_FACETS = "BIRCO has no place for facets; the exports BEIR and CSV have."
FIRST_BYTES = 1024
TASK = re.compile(rb'\s*\{\s*"(query|corpus|qrel)"\s*:\s*\{')
RANKING = re.compile(rb'\s*\{\s*"[^"]+"\s*:\s*\[\s*"')


def recognise(files: Files) -> Recognition | None:
    """Tasks and rankings, by their content."""
    parts = []
    for file, part in _parts(files):
        parts.append(Part(file.name, part, LABELS[part]))
    tasks = sum(part.key == "task" for part in parts)
    if not tasks:
        return None
    count = len(parts) - tasks
    rankings = f" and {counted(count, 'ranking')}" if count else ""
    return Recognition(KEY, 3, f"BIRCO: {counted(tasks, 'task')}{rankings}.",
                       tuple(parts), {}, LABELS)  # fmt: skip


def _parts(files: Files) -> Iterator[tuple[SourceFile, str]]:
    """Yield tasks, then rankings, by how they begin: other JSON may have gigabytes."""
    starts = {file: file.start(FIRST_BYTES) for file in data_files(files) if file.suffix == ".json"}
    yield from ((file, "task") for file, start in starts.items() if TASK.match(start))
    yield from ((file, "ranking") for file, start in starts.items() if RANKING.match(start))


def _value(file: SourceFile) -> dict[str, Any]:
    if file.size > MAX_BYTES:
        raise BadTextError(f"a file of {file.size:,} bytes; at most {MAX_BYTES:,} are read.")
    content = file.start(MAX_BYTES)
    strict.check_signature(content[:64])
    value = strict.parse_json(strict.decode(content), decoder=literals.DECODER)
    strict.check_storable(value)
    if not isinstance(value, dict):
        raise BadTextError(f"this is {strict.kind_of(value)}; expected an object.")
    return value


def read(files: Files, options: Options) -> Study:
    """The study that the files hold; raises BadInputError."""
    assembly = Assembly(Study(KEY, fingerprint=files.fingerprint), options)
    rankings = []
    for file, part in _parts(files):
        if not options.part_of(file.name, part):
            continue
        with assembly.problems.of(file.name):
            if part == "task":
                _Task(assembly, file).read(_value(file))
            else:
                rankings.append((file, _value(file)))
    for file, value in rankings:
        _read_ranking(assembly, file, value)
    assembly.study.notes += assembly.note_on_topics(NO_FACETS)
    return completed(assembly)


class _Task:
    def __init__(self, assembly: Assembly, file: SourceFile):
        self.assembly, self.file = assembly, file

    def at(self, key: str) -> Place:
        return Place(self.file.name, key=key)

    def read(self, value: dict[str, Any]) -> None:
        for key in sorted(KEYS):
            if not isinstance(value.get(key), dict):
                raise BadTextError(
                    f"{strict.kind_of(value.get(key))}; expected an object.",
                    "A task has query, corpus and qrel.",
                    key,
                )
        for query, text in value["query"].items():
            self._query(query, text)
        pooled = self._qrel(value["qrel"])
        for document, text in value["corpus"].items():
            self._document(document, text, pooled)

    def _query(self, query: str, text: Any) -> None:
        place = self.at(f"query {query}")
        if self.assembly.is_identifier(query, place, "identifier"):
            if not isinstance(text, str):
                self.assembly.problem(place, f"{strict.kind_of(text)}; expected text.")
                return
            self.assembly.add_query(Query(query, text, "", "", "", {}, place))

    def _document(self, document: str, text: Any, pooled: set[str]) -> None:
        place = self.at(f"corpus {document}")
        if not self.assembly.is_identifier(document, place, "identifier"):
            return
        if not isinstance(text, str):
            self.assembly.problem(place, f"{strict.kind_of(text)}; expected text.")
        elif document in pooled or self.assembly.options.keep_unpooled:
            # BIRCO's documents have no titles.
            self.assembly.add_document(Document(document, "", sentences_of(text), text, {}, place))
        else:
            self.assembly.study.unpooled_documents += 1

    def _qrel(self, qrel: dict[str, Any]) -> set[str]:
        judgments: list[Judgment] = []
        for query, entries in qrel.items():
            place = self.at(f"qrel {query}")
            target = self.assembly.pool_target(query, place)
            if target is None:
                self.assembly.problem(
                    place, f"the query {shown(query)} is not among the queries.", "Add its text."
                )
                continue
            if not isinstance(entries, dict):
                self.assembly.problem(place, f"{strict.kind_of(entries)}; expected an object.")
                continue
            for document, relevance in entries.items():
                self._entry(target, query, document, relevance, judgments)
        name, level = self.file.base.removesuffix(".json"), self.assembly.judged_level
        self.assembly.study.judgments.append(
            JudgmentSet(name, level, self.file.name, self.file.sha256, "", judgments)
        )
        return {judgment.document for judgment in judgments}

    def _entry(
        self,
        target: tuple[str, str | None],
        query: str,
        document: str,
        relevance: Any,
        judgments: list[Judgment],
    ) -> None:
        place = self.at(f"qrel {query}, {document}")
        if not self.assembly.is_identifier(document, place, "identifier"):
            return
        if isinstance(relevance, bool) or not isinstance(relevance, (int, float)):
            self.assembly.problem(
                place,
                f"the relevance is {strict.kind_of(relevance)}; expected a number.",
                "Write it without quotation marks.",
            )
            return
        judgments.append(Judgment(query, document, literal_of(relevance), "", place))
        self.assembly.add_pool(PoolEntry(target[0], target[1], document, (), None, "", "", place))


def _read_ranking(assembly: Assembly, file: SourceFile, value: dict[str, Any]) -> None:
    """A ranking as a run; scores fall by one from the number of documents."""
    pools = _pools_of_task(assembly.study, value)
    if value and pools and not value.keys() & pools.keys():
        assembly.problems.add(
            file.name, "",
            f"this ranking has none of the {len(pools):,} queries of the task; it has "
            f"{len(value):,} others, such as {', '.join(list(value)[:SHOWN])}.",
            "It belongs to another task. Leave it out.",
        )  # fmt: skip
        return
    lines: list[RunLine] = []
    for query, ranked in value.items():
        place = Place(file.name, key=f"query {query}")
        if query not in pools:
            assembly.problem(
                place, f"the query {shown(query)} is not among the queries.",
                "Is it a ranking for another task?",
            )  # fmt: skip
            continue
        if not isinstance(ranked, list):
            assembly.problem(place, f"{strict.kind_of(ranked)}; expected a list of document ids.")
        elif _is_whole(assembly, place, ranked, pools[query]):
            lines += [
                RunLine(query, document, rank, float(len(ranked) - rank + 1), 0)
                for rank, document in enumerate(ranked, start=1)
            ]
    lacking = [query for query in pools if query not in value]
    if lacking:
        assembly.problems.add(
            file.name, "", f"{len(lacking):,} queries are not ranked: {listed(lacking, SHOWN)}.",
            "A ranking has all queries of the task.",
        )  # fmt: skip
    assembly.study.runs.append(Run(tag_after(file), file.name, file.sha256, lines))


def _pools_of_task(study: Study, ranking: dict[str, Any]) -> dict[str, list[str]]:
    """The pools of the task with which a ranking shares most queries."""
    tasks: list[dict[str, list[str]]] = [
        grouped((row.subject, row.document) for row in judgments.judgments)
        for judgments in study.judgments
    ]
    return max(tasks, key=lambda pools: len(pools.keys() & ranking.keys()), default={})


def _is_whole(assembly: Assembly, place: Place, ranked: list[Any], pool: list[str]) -> bool:
    """Whether the whole pool is ranked once; what is wrong is noted."""
    if not all(isinstance(document, str) for document in ranked):
        assembly.problem(place, "a document id that is not text.", "Write ids in quotation marks.")
        return False
    twice = sorted(document for document, count in Counter(ranked).items() if count > 1)
    outside = sorted(set(ranked) - set(pool))
    lacking = sorted(set(pool) - set(ranked))
    for documents, message in (
        (twice, "documents that are ranked twice"),
        (outside, "documents that are not in the pool"),
        (lacking, "documents of the pool that are not ranked"),
    ):
        if documents:
            assembly.problem(
                place, f"{message}: {listed(documents, SHOWN)}.", "The whole pool is ranked once."
            )
    return not (twice or outside or lacking)
