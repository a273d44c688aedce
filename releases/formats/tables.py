"""Ratings, decisions and gold as CSV, for spreadsheets and statistics programs.

People appear under pseudonyms alone, and no times are given. A cell that a spreadsheet would take
for a formula (it starts with = + - @, a tab, a carriage return or NUL) gets a single quote before
it. Readers take one quote off such a cell.
"""

from collections.abc import Iterable, Iterator

from formats.decimals import plain
from formats.spreadsheets import csv_text, escaped
from releases.formats import Choices, ExportFile
from releases.records import Choice, JudgedPair, JudgedTopic, Study

Row = list[object]

# The columns that name a pair.
NAMES = ["topic", "facet", "query", "document"]
# By whether a program ever sent the rating.
CHANNELS = {True: "program", False: "pages"}


def csv_files(study: Study, choices: Choices) -> list[ExportFile]:
    """ratings.csv, decisions.csv and gold.csv; notes and rationales only on request. Where pairs
    carry a text beside their document, side-texts.csv has them, in the columns of an import."""
    files = [
        ExportFile("ratings.csv", [_table(_ratings(study, choices.with_notes))]),
        ExportFile("decisions.csv", [_table(_decisions(study, choices.with_notes))]),
        ExportFile("gold.csv", [_table(_gold(study))]),
    ]
    if any(pair.side_text for pair in study.pairs):
        files.append(ExportFile("side-texts.csv", [_table(_side_texts(study))], has_gold=False))
    return files


def _table(rows: Iterable[Row]) -> str:
    return csv_text([escaped(str(cell)) for cell in row] for row in rows)


def _ratings(study: Study, with_notes: bool) -> Iterator[Row]:
    with_channel = study.names_programs
    yield [
        *NAMES, "batch", "overlap", "seat", "annotator", "option",
        "value", "cannot_judge", "flagged", "scheme_version",
        *(["channel"] if with_channel else []), *(["note"] if with_notes else []),
    ]  # fmt: skip
    for topic, pair in _pairs(study):
        for answer in pair.answers:
            yield [
                *_named(topic, pair),
                pair.batch,
                pair.overlap,
                answer.seat,
                answer.annotator.pseudonym,
                *_chosen(answer.choice),
                answer.cannot_judge,
                _yes(answer.is_flagged),
                answer.scheme_version,
                *([CHANNELS[answer.is_by_program]] if with_channel else []),
                *([answer.note] if with_notes else []),
            ]


def _decisions(study: Study, with_notes: bool) -> Iterator[Row]:
    """Every decision in the order made: earlier ones of a pair are history, not standing."""
    yield [
        *NAMES, "adjudicator", "option", "value",
        "exclusion_reason", "cause", "standing", *(["rationale"] if with_notes else []),
    ]  # fmt: skip
    for topic, pair in _pairs(study):
        for verdict in pair.verdicts:
            yield [
                *_named(topic, pair),
                verdict.adjudicator.pseudonym,
                *_chosen(verdict.choice),
                verdict.exclusion_reason,
                verdict.cause,
                _yes(verdict.is_standing),
                *([verdict.rationale] if with_notes else []),
            ]


def _gold(study: Study) -> Iterator[Row]:
    yield [*NAMES, "state", "origin", "option", "value"]
    for topic, pair in _pairs(study):
        yield [
            *_named(topic, pair),
            pair.state,
            pair.origin,
            pair.option,
            "" if pair.value is None else plain(pair.value),
        ]


def _side_texts(study: Study) -> Iterator[Row]:
    yield ["topic", "query", "document", "side_title", "side_text"]
    for topic, pair in _pairs(study):
        if side := pair.side_text:
            yield [topic.topic_id, topic.query, pair.document, side.title, side.text]


def _pairs(study: Study) -> Iterator[tuple[JudgedTopic, JudgedPair]]:
    """Sorted, so that the same state gives the same bytes."""
    for topic in sorted(study.topics, key=lambda topic: topic.topic_id):
        for pair in sorted(topic.pairs, key=lambda pair: pair.document):
            yield topic, pair


def _named(topic: JudgedTopic, pair: JudgedPair) -> Row:
    return [topic.topic_id, topic.facet, topic.query, pair.document]


def _chosen(choice: Choice | None) -> Row:
    """The option and its value."""
    return [choice.key, plain(choice.value)] if choice else ["", ""]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
