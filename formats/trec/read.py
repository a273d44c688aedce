"""Reading a TREC collection: topics, documents as JSON lines or lines of id and text, runs, qrels.

Runs give the pools, unless pools are left out (`settings["pools"]` is false); qrels are judgments,
never ratings. Documents that no run has are counted and not kept.
"""

from collections import Counter

from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files, texts_beside
from formats.files import Files, SourceFile
from formats.named_documents import is_corpus, read_corpus
from formats.reading import Options, Part, Recognition, parts_in_order
from formats.records import Level, Place, PoolEntry, Query, Run, Study
from formats.strict import BadTextError, shown
from formats.trec.conversations import looks_like_conversations, read_conversations
from formats.trec.passages import looks_like_passages, read_passages
from formats.trec.qrels import looks_like_qrels, read_qrels
from formats.trec.runs import looks_like_run, read_run
from formats.trec.topics import TrecTopic, looks_like_lines, looks_like_topics, read_topics

KEY = "trec"
LABELS = {
    "topics": "Topics",
    "documents": "Documents",
    "run": "Run",
    "qrels": "Judgments made elsewhere",
}
ORDER = ("topics", "run", "qrels", "documents")
SHOWN_UNKNOWN = 20


def recognise(files: Files) -> Recognition | None:
    """TREC's files among the files, each by its content."""
    parts = [
        Part(file.name, key, LABELS[key]) for file in data_files(files) if (key := _part_of(file))
    ]
    kinds = Counter(part.key for part in parts)
    if not kinds.keys() - {"documents"}:
        return None
    contents = ", ".join(
        f"{LABELS[key].lower()} ({kinds[key]})" if kinds[key] > 1 else LABELS[key].lower()
        for key in ORDER
        if key in kinds
    )
    has_markup = any(looks_like_topics(file) for file in data_files(files))
    # Runs and qrels lie beside studies of every format.
    is_whole = "topics" in kinds and bool(kinds.keys() & {"run", "qrels"})
    certainty = 3 if has_markup or is_whole else 2
    return Recognition(KEY, certainty, f"TREC: {contents}.", tuple(parts), {}, LABELS)


def _part_of(file: SourceFile) -> str:
    if looks_like_topics(file) or looks_like_conversations(file):
        return "topics"
    if looks_like_run(file):
        return "run"
    if looks_like_qrels(file):
        return "qrels"
    if file.suffix in (".jsonl", ".ndjson"):
        return "documents" if is_corpus(file) else ""
    if looks_like_passages(file):
        return "documents"
    return "topics" if looks_like_lines(file) else ""


def read(files: Files, options: Options) -> Study:
    """The study that the files hold; raises BadInputError."""
    study = Study(KEY, texts_beside=texts_beside(files), fingerprint=files.fingerprint)
    assembly = Assembly(study, options)
    for file, part in parts_in_order(files, options, recognise(files), ORDER):
        assembly.report_on(file, files)
        try:
            if part == "topics":
                is_conversation = looks_like_conversations(file)
                for topic in (read_conversations if is_conversation else read_topics)(file):
                    add_topic(assembly, topic)
            elif part == "run":
                run = read_run(file, assembly.problems)
                if run:
                    study.runs.append(run)
            elif part == "qrels":
                study.judgments.append(
                    read_qrels(
                        file,
                        assembly.problems,
                        name=file.base,
                        level=_level(assembly),
                    )
                )
            else:
                if options.settings.get("pools", True):
                    pool_runs(assembly)
                if looks_like_lines(file):
                    read_passages(assembly, file)
                else:
                    read_corpus(assembly, file)
        except BadTextError as error:
            assembly.problems.add(file.name, error.place, error.message, error.remedy)
    if options.settings.get("pools", True):
        pool_runs(assembly)
    study.notes += [run.remark for run in study.runs if run.remark]
    study.notes += [judgments.remark for judgments in study.judgments if judgments.remark]
    return completed(assembly)


def _level(assembly: Assembly) -> Level:
    """Qrels name topics; where these are aspects, their numbers may be those of queries."""
    is_by_aspects = assembly.options.judged_by == "aspects" and not assembly.aspects
    return "query" if is_by_aspects else "topic"


def add_topic(assembly: Assembly, topic: TrecTopic) -> None:
    if assembly.is_identifier(topic.id, topic.place, "number"):
        # A topic may ask in its description alone.
        assembly.add_query(
            Query(
                topic.id,
                topic.title or topic.description,
                "",
                topic.description if topic.title else "",
                topic.narrative,
                dict(topic.others),
                topic.place,
            )
        )


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
        target = assembly.pool_target(line.topic)
        if target is None and line.topic not in assembly.options.known_topics:
            unknown.setdefault(line.topic, line.line)
        if target is None:
            continue
        query, topic = target
        place = Place(run.file, line.line)
        assembly.add_pool(PoolEntry(query, topic, line.document, (run.tag,), None, "", "", place))
    if unknown and len(unknown) == len(run.topics):
        first = min(unknown.values())
        assembly.problem(
            Place(run.file, first),
            "the run shares no topic with the study.",
            "Is it a run over other topics?",
        )
    elif unknown:
        names = ", ".join(list(unknown)[:SHOWN_UNKNOWN])
        assembly.study.notes.append(
            f"{run.file}: topics that the study does not have ({len(unknown):,}): {names}."
        )
