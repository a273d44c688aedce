"""abstracts-csfcube-preds.jsonl: a paper on each line; those that are pooled are kept."""

import hashlib
import json
from collections.abc import Mapping, Set
from typing import Any

from formats import csfcube, strict
from formats.csfcube.reading import FETCH_AGAIN, FIRST_BYTES, MAX_LINE_BYTES, Reading, given_file
from formats.csfcube.write import paper_line
from formats.papers import Paper
from formats.records import Place
from formats.strict import BadTextError, shown


def read_papers(reading: Reading) -> None:
    name, path = csfcube.ABSTRACTS, given_file(reading.sources.abstracts)
    paper_ids = set(reading.release.pools)
    paper_ids.update(row.paper_id for row in reading.release.rows)
    for pool in reading.release.pools.values():
        paper_ids.update(pool.candidates)
    for judged in reading.release.annotations.values():
        paper_ids.update(*(annotations.candidates for annotations in judged.values()))
    total, done, digest = path.stat().st_size, 0, hashlib.sha256()
    with path.open("rb") as file:
        try:
            strict.check_signature(file.read(FIRST_BYTES))
        except BadTextError as error:
            reading.refuse(Place(name), error.message, error.remedy)
            return
        file.seek(0)
        line = 0
        while line_bytes := file.readline(MAX_LINE_BYTES + 1):
            line += 1
            done += len(line_bytes)
            digest.update(line_bytes)
            if len(line_bytes) > MAX_LINE_BYTES:
                reading.refuse(
                    Place(name, key=f"line {line}"),
                    f"the line is longer than {MAX_LINE_BYTES // 2**20} MB.",
                    "Each paper stands on a line of its own.",
                )
                return
            if line_bytes.strip():
                _read_paper(reading, line_bytes, line, paper_ids)
            if line % 1000 == 0:
                reading.progress(done, total)
    reading.progress(total, total)
    reading.release.papers_read = line
    reading.digests.append(f"{name} {digest.hexdigest()}")


def _read_paper(reading: Reading, line_bytes: bytes, line: int, paper_ids: Set[str]) -> None:
    """Keep a line's paper if it is wanted; other lines need only be JSON with an identifier."""
    try:
        content = strict.parse_json(strict.decode(line_bytes, first_line=line), first_line=line)
        if not isinstance(content, dict) or "paper_id" not in content:
            raise BadTextError("expected an object with a paper_id.", FETCH_AGAIN)
        paper_id = content["paper_id"]
        strict.check_identifier(paper_id)
        if paper_id not in paper_ids:
            return
        if paper_id in reading.release.offsets:
            first = reading.release.paper(paper_id).place
            raise BadTextError(
                f"the paper {paper_id} stands in {first} already.",
                "Keep one of the two lines.",
            )
        paper = _paper(content, f"line {line}")
    except BadTextError as error:
        reading.refuse_text(Place(csfcube.ABSTRACTS, key=f"line {line}"), error)
        return
    if paper.sentences:
        reading.release.keep(paper)
        if paper_line(paper).encode() != line_bytes:
            reading.has_changed_lines = True


def _paper(content: Any, place: str) -> Paper:
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
    labels = _labels(content, len(sentences))
    column_keys = {"paper_id", "title", "abstract", "pred_labels"}
    return Paper(
        paper_id=paper_id,
        title=title,
        sentences=[
            {"text": text, "label": label} for text, label in zip(sentences, labels, strict=True)
        ],
        metadata=metadata or {},
        record=[
            [key, None if key in column_keys and value is not None else json.dumps(value)]
            for key, value in content.items()
        ],
        place=place,
    )


def _labels(content: Mapping[str, Any], count: int) -> list[str | None]:
    """The label of each of so many sentences, as they were predicted."""
    paper_id, labels = content["paper_id"], content.get("pred_labels")
    if labels is None:
        return [None] * count
    if not isinstance(labels, list) or len(labels) != count:
        raise BadTextError(
            f"{paper_id} has {count:,} sentences, but pred_labels has "
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
    return labels
