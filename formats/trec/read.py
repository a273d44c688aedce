"""Reading a TREC collection: topics, documents as JSON lines or lines of id and text, runs, qrels.

Runs give the pools, unless pools are left out (`settings["pools"]` is false); qrels are judgments,
never ratings. Documents that no run has are counted and not kept.
"""

from collections import Counter

from formats.assemble import Assembly
from formats.completing import completed
from formats.credits import data_files
from formats.files import Files, SourceFile
from formats.named_documents import is_corpus, read_corpus
from formats.reading import Options, Part, Recognition, parts_in_order
from formats.records import Query, Study
from formats.runs_and_qrels import LABELS as LABELS_BESIDE
from formats.runs_and_qrels import part_of, pool_runs, read_part
from formats.trec.conversations import looks_like_conversations, read_conversations
from formats.trec.passages import looks_like_passages, read_passages
from formats.trec.topics import TrecTopic, looks_like_lines, looks_like_topics, read_topics

KEY = "trec"
LABELS = {"topics": "Topics", "documents": "Documents", **LABELS_BESIDE}
ORDER = ("topics", "run", "qrels", "documents")


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
    is_beside = not kinds.keys() - LABELS_BESIDE.keys()
    is_whole = "topics" in kinds and bool(kinds.keys() & LABELS_BESIDE.keys())
    certainty = 3 if has_markup or is_whole else 1 if is_beside else 2
    return Recognition(KEY, certainty, f"TREC: {contents}.", tuple(parts), {}, LABELS)


def _part_of(file: SourceFile) -> str:
    if looks_like_topics(file) or looks_like_conversations(file):
        return "topics"
    if part := part_of(file):
        return part
    if file.suffix in (".jsonl", ".ndjson"):
        return "documents" if is_corpus(file) else ""
    if looks_like_passages(file):
        return "documents"
    return "topics" if looks_like_lines(file) else ""


def read(files: Files, options: Options) -> Study:
    """The study that the files hold; raises BadInputError."""
    assembly = Assembly(Study(KEY, fingerprint=files.fingerprint), options)
    for file, part in parts_in_order(files, options, recognise(files), ORDER):
        assembly.report_on(file, files)
        with assembly.problems.of(file.name):
            if part == "topics":
                is_conversation = looks_like_conversations(file)
                for topic in (read_conversations if is_conversation else read_topics)(file):
                    _add_topic(assembly, topic)
            elif part in LABELS_BESIDE:
                read_part(assembly, file, part)
            else:
                if options.settings.get("pools", True):
                    pool_runs(assembly)
                if looks_like_lines(file):
                    read_passages(assembly, file)
                else:
                    read_corpus(assembly, file)
    if options.settings.get("pools", True):
        pool_runs(assembly)
    return completed(assembly)


def _add_topic(assembly: Assembly, topic: TrecTopic) -> None:
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
