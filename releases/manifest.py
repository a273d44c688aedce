"""The manifest of an export: its files with their hashes, and how they came about."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

from django.conf import settings

from evaluation.protocols import Missing
from evaluation.sources.source import OF_SEATS, Kind, Source
from formats.decimals import plain
from releases.formats import SIZES, Choices
from releases.formats.levels import JudgedQuery, judged_queries, level_counts, level_notes
from releases.formats.registry import ExportFormat
from releases.records import JudgedTopic, Person, QueryGrades, Study

Json = dict[str, Any]

NAME = "manifest.json"
# Names of the kinds of sources whose own word is too short.
FROM = {Kind.MACHINE: "machine run", Kind.JUDGMENTS: "judgments made elsewhere"}


@cache
def product_version() -> str:
    text = (settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def manifest(
    study: Study,
    files: Sequence[Json],
    *,
    export_format: ExportFormat,
    choices: Choices,
    trail: Json | None,
) -> Json:
    """The manifest as a dictionary; no clock time and no path, so that it repeats.

    `export_format` is the registry's; `trail` is the seal over what led to this state, None
    where a part of it is withheld.
    """
    queries_of = {
        level: judged_queries(study, level, rule=choices.rule)
        for level in export_format.levels(study, choices)
    }
    levels = level_counts(queries_of)
    return {
        "format": export_format.key,
        "made_with": f"Facetwise {product_version()}",
        "collection": study.collection,
        "scheme": study.scheme,
        "values": _values(study.source, study.missing_values),
        **({"effect_on_scores": study.effect} if study.effect else {}),
        **({"channel": str(choices.channel)} if choices.channel else {}),
        "is_incomplete": study.is_incomplete,
        "missing": study.missing,
        "with_notes": choices.with_notes,
        "counts": _query_counts(study.query_grades, chain.from_iterable(queries_of.values()))
        if study.query_grades
        else counts(study),
        "levels": levels,
        **({"sub_queries": {"rule": str(choices.rule)}} if SIZES.keys() & levels.keys() else {}),
        "annotators": _annotators(study),
        **({"not_blind": _not_blind(study, choices)} if study.waived else {}),
        "notes": [*export_format.notes(study, choices), *level_notes(levels)],
        "trail": trail,
        "files": files,
    }


def _values(source: Source, missing: Missing) -> Json:
    """The source of these values, with the mapping's version and grades, and the treatment of pairs
    without a value from a seat."""
    if source.is_plain_gold:
        return {"from": "gold"}
    values = {"from": FROM.get(source.kind, str(source.kind)), **source.data}
    # Gold is never missing in a complete export, and sets of others have no missing values.
    return values | ({"missing_value": str(missing)} if source.kind in OF_SEATS else {})


def counts(study: Study) -> Json:
    """Pairs by where their gold comes from, by grade and by facet. Grades of different scales are
    not added up, unless a mapping makes them alike."""
    facets = dict.fromkeys([*study.scheme["facets"], *(topic.facet for topic in study.topics)])
    whole = _counts(study, study.topics)
    if "scales" in study.scheme and not study.source.mapping:
        del whole["grades"]
    return {
        **whole,
        "facets": {
            facet or "aspects": _counts(study, topics)
            for facet in facets
            if (topics := [topic for topic in study.topics if topic.facet == facet])
        },
    }


def _counts(study: Study, topics: Sequence[JudgedTopic]) -> Json:
    ids = {topic.topic_id for topic in topics}
    answered = [part for part in study.answered if part.topic_id in ids]
    pairs = [pair for topic in topics for pair in topic.pairs]
    grades = Counter(pair.value for pair in pairs if pair.value is not None)
    origins = Counter(pair.origin or "none" for pair in pairs)
    return {
        "topics": len(topics),
        "pairs": len(pairs),
        "gold": sum(grades.values()),
        "ratings": sum(part.ratings for part in answered),
        "cannot_judge": sum(part.cannot_judge for part in answered),
        **_sent(part.by_program for part in answered),
        "origins": dict(sorted(origins.items())),
        "grades": {plain(value): grades[value] for value in sorted(grades)},
    }


def _query_counts(source: QueryGrades, queries: Iterable[JudgedQuery]) -> Json:
    """The same of judgments of whole queries that are in the files. Their pairs are a query with a
    document of its pool."""
    graded = {query.query_id: query.graded for query in queries if query.graded}
    grades = Counter(
        source.of[query][document] for query, documents in graded.items() for document in documents
    )
    total = sum(grades.values())
    return {
        "topics": 0,
        source.level: len(graded),
        "pairs": total,
        "gold": total,
        "ratings": 0,
        "cannot_judge": 0,
        "origins": {str(Kind.JUDGMENTS): total},
        "grades": {plain(grade): grades[grade] for grade in sorted(grades)},
        "facets": {},
    }


def _annotators(study: Study) -> list[Json]:
    """The raters under pseudonym and number, with their counts."""
    answered, sent = Counter[Person](), Counter[Person]()
    for part in study.answered:
        answered[part.annotator] += part.ratings
        sent[part.annotator] += part.by_program
    return [
        {"pseudonym": person.pseudonym, "number": person.number, "ratings": count}
        | _sent([sent[person]])
        for person, count in sorted(answered.items(), key=lambda item: item[0].pseudonym)
    ]


def _sent(counts: Iterable[int]) -> Json:
    """The number of ratings that programs sent; absent if they sent none."""
    total = sum(counts)
    return {"by_program": total} if total else {}


def _not_blind(study: Study, choices: Choices) -> list[Json]:
    """Ratings that are not independent of the others'. The reasons may name people, as notes may,
    so they come only with the notes."""
    return [
        {"pseudonym": waiver.annotator.pseudonym, "batch": waiver.batch, "ratings": waiver.count}
        | ({"reason": waiver.reason} if choices.with_notes else {})
        for waiver in study.waived
    ]


def as_json(content: Json) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
