"""Writing the official files, byte for byte. Each function returns the text of one file."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formats.csfcube import PAPER_KEYS, RATING_KEY
from formats.csfcube.records import Annotations, JudgedCandidate, Pool, QueryRow
from formats.papers import Paper
from formats.spreadsheets import csv_text

GRADE_WORDS = {0: "Irrelevant (0)", 1: "Related (+1)", 2: "Similar (+2)", 3: "Identical (+3)"}


def write_queries(rows: Iterable[QueryRow], *, columns: Sequence[str], line_end: str) -> str:
    """queries-release.csv: one row per topic, in the order given."""
    fields = (row.fields | {"pid": row.paper_id, "facet": row.facet} for row in rows)
    lines = ([of_row.get(column, "") for column in columns] for of_row in fields)
    return csv_text([columns, *lines], line_end=line_end)


def write_pools(pools: Mapping[str, Pool]) -> str:
    """test-pid2pool-csfcube.json: {query paper: candidates with their sources}."""
    return json.dumps(
        {
            paper_id: {"cands": pool.candidates, "cand_source": pool.sources}
            for paper_id, pool in pools.items()
        }
    )


def write_annotations(annotations: Mapping[str, Annotations]) -> str:
    """test-pid2anns-csfcube-<facet>.json: {query paper: lists parallel to cands}.

    Minimum and maximum are taken with -1 ("gave none") included, as in the release.
    """
    content = {}
    for paper_id, judged in annotations.items():
        per_pair = list(zip(*judged.ratings.values(), strict=True))
        entry = {
            "cands": judged.candidates,
            "relevance_max": [max(values) for values in per_pair],
            "relevance_min": [min(values) for values in per_pair],
        }
        for annotator, values in judged.ratings.items():
            entry[f"{RATING_KEY}{annotator}"] = values
        if judged.adjudicated is not None:
            entry["relevance_adju"] = judged.adjudicated
        content[paper_id] = entry
    return json.dumps(content)


def write_splits(splits: Any) -> str:
    return json.dumps(splits, indent=1)


def paper_line(paper: Paper) -> str:
    """One line of the abstracts file."""
    values = {
        "paper_id": paper.paper_id,
        "metadata": paper.metadata,
        "title": paper.title,
        "abstract": [sentence["text"] for sentence in paper.sentences],
        "pred_labels": [sentence["label"] for sentence in paper.sentences],
        "pred_labels_truncated": False,
    }
    record = paper.record or [[key, None] for key in PAPER_KEYS]
    content = {key: values[key] if text is None else json.loads(text) for key, text in record}
    return json.dumps(content, ensure_ascii=False) + "\n"


def write_readable(
    query: Paper, candidates: Iterable[JudgedCandidate], *, numbers: Sequence[str]
) -> str:
    """readable_annotations/<pid>-<facet>-adju.txt: the whole record of one topic.

    `candidates` stand in the order of the rating file; they are written by descending
    adjudicated grade, ties in that order. `numbers` name the annotators, first and second.
    """
    parts = ["=" * 70, *_paper_head(query), *_paper_text(query)]
    for candidate in sorted(candidates, key=lambda candidate: -candidate.adjudicated):
        ratings = candidate.ratings
        grades_in_words = "; ".join(
            f"annotator{number}: {value}" for number, value in zip(numbers, ratings, strict=True)
        )
        parts += [
            "=" * 35,
            *_paper_head(candidate.paper),
            f"adju relevance: {_in_words(candidate.adjudicated)}",
            f"difference: {max(ratings) - min(ratings)}; {grades_in_words}",
            f"sources: {' - '.join(candidate.sources)}",
            *_paper_text(candidate.paper),
            "",
        ]
    return "\n".join(parts) + "\n"


def _in_words(grade: int) -> str:
    return GRADE_WORDS.get(grade, f"{grade:+d}")


def _paper_head(paper: Paper) -> list[str]:
    return [f"paper_id: {paper.paper_id}; YEAR: {paper.metadata.get('year')}"]


def _paper_text(paper: Paper) -> list[str]:
    lines = [f"{sentence['label']}: {sentence['text']}" for sentence in paper.sentences]
    return [f"TITLE: {paper.title}", "ABSTRACT: " + "\n".join(lines)]
