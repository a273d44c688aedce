"""TREC's runs and qrels, which lie beside studies of every format.

Qrels are judgments, never ratings. Runs are rankings, and may give the pools.
"""

from formats.assemble import Assembly
from formats.files import SourceFile
from formats.literals import rewritten
from formats.records import Level, Place, PoolEntry, Run
from formats.strict import shown
from formats.trec.qrels import looks_like_qrels, read_qrels
from formats.trec.runs import looks_like_run, read_run

LABELS = {"run": "Run", "qrels": "Judgments made elsewhere"}
SHOWN_UNKNOWN = 20


def part_of(file: SourceFile) -> str:
    """`run`, `qrels`, or "" for another file."""
    if looks_like_run(file):
        return "run"
    return "qrels" if looks_like_qrels(file) else ""


def read_part(assembly: Assembly, file: SourceFile, part: str) -> None:
    """Read a run or qrels into the study; what is wrong is noted."""
    study, problems = assembly.study, assembly.problems
    if part == "qrels":
        judgments = read_qrels(file, problems, name=file.base, level=_level(assembly))
        study.judgments.append(judgments)
        study.notes += [judgments.remark] if judgments.remark else []
    elif run := read_run(file, problems):
        study.runs.append(run)
        study.notes += [run.remark] if run.remark else []


def _level(assembly: Assembly) -> Level:
    """Qrels name topics; where these are aspects, their numbers may be those of queries."""
    is_by_aspects = assembly.options.judged_by == "aspects" and not assembly.aspects
    return "query" if is_by_aspects else "topic"


def pool_runs(assembly: Assembly) -> None:
    """The documents of the runs as pools, run by run in the order of their files; once."""
    if assembly.are_runs_pooled:
        return
    assembly.are_runs_pooled = True
    files: dict[str, str] = {}
    for run in assembly.study.runs:
        if run.tag in files:
            assembly.problem(
                Place(run.file, 1, "6"),
                f"the run {shown(run.tag)} stands in {files[run.tag]} already.",
                "A tag names one run: keep one of the two, or give one another tag.",
            )
            continue
        files[run.tag] = run.file
        _pool_run(assembly, run)


def _pool_run(assembly: Assembly, run: Run) -> None:
    unknown: dict[str, int] = {}
    for line in run.lines:
        place = Place(run.file, line.line)
        target = assembly.pool_target(line.topic, place)
        if target is None and line.topic not in assembly.options.known_topics:
            unknown.setdefault(line.topic, line.line)
        if target is None:
            continue
        query, topic = target
        assembly.add_pool(PoolEntry(query, topic, line.document, (run.tag,), None, "", "", place))
    if unknown and len(unknown) == len(run.topics):
        has_topics = assembly.queries or assembly.options.known_topics
        other = "Is it a run over other topics?" if has_topics else "Bring the queries with it."
        assembly.problem(
            Place(run.file, min(unknown.values())),
            "the run shares no topic with the study.",
            rewritten(unknown, assembly.is_name) or other,
        )
    elif unknown:
        names = ", ".join(list(unknown)[:SHOWN_UNKNOWN])
        assembly.study.notes.append(
            f"{run.file}: topics that the study does not have ({len(unknown):,}): {names}."
        )
