"""The ratings that figures were computed from, so that a reader can compute them again."""

from collections.abc import Iterator

import numpy as np

from agreement.study.ratings import Ratings
from agreement.study.rows import ORIGINS
from agreement.study.selection import Selection
from annotation.models import Option
from datasets.models import Document
from formats.spreadsheets import csv_text, escaped

COLUMNS = [
    "topic",
    "facet",
    "document",
    "seat",  # by ordinal, from 1
    "annotator",  # a pseudonym
    "value",  # empty for "cannot judge"
    "option",  # empty for "cannot judge"
    "gold",  # empty where there is none
    "gold_origin",  # consensus, adjudicated, excluded; empty where there is none
    "counts_before",  # yes where the topic has every seat handed in
    "counts_after",  # yes where moreover no pair of it is left to decide
]


def ratings_csv(selection: Selection) -> str:
    """One line per rating of every pair that is handed in and that the viewer may see, in the
    order of topics, pools and seats; lines end in LF. People appear under pseudonyms alone."""
    return csv_text([COLUMNS, *_lines(selection)])


def _lines(selection: Selection) -> Iterator[list]:
    ratings: Ratings = selection.chosen.only(selection.chosen.is_finished)
    documents = dict(
        Document.objects.filter(collection=selection.collection).values_list("pk", "external_id")
    )
    options = Option.objects.filter(scale__scheme__collection=selection.collection)
    key_of = dict(options.values_list("pk", "key"))
    people = selection.choices.pseudonyms
    origins = {code: name.value for name, code in ORIGINS.items()} | {0: ""}
    for pair in range(ratings.size):
        number = ratings.topic[pair]
        topic, progress = ratings.topics[number], selection.progress[number]
        for seat in np.flatnonzero(ratings.is_answered[:, pair]).tolist():
            option = int(ratings.option[seat, pair])
            yield [
                escaped(topic.key),
                topic.facet,
                escaped(documents[int(ratings.document[pair])]),
                seat + 1,
                people[int(ratings.annotator[seat, pair])],
                _number(ratings.values[seat, pair]),
                key_of.get(option, ""),
                _number(ratings.gold[pair]),
                origins[int(ratings.origin[pair])],
                "yes" if progress.is_rated else "no",
                "yes" if progress.is_decided else "no",
            ]


def _number(value) -> str:
    return "" if np.isnan(value) else f"{value:g}"
