"""Hashes of the judged texts for the trail: a hand-in is about these texts alone."""

from collections.abc import Iterable
from typing import Any

from django.db import DEFAULT_DB_ALIAS

from annotation.models import Pair
from audit.hashes import sha256_of
from datasets.models import Query, TopicPlace

# Of a revision, what replaying the trail must give; in this order where it is hashed.
ANSWER_FIELDS = [
    *("rating__public_id", "version", "rating__pair__public_id", "rating__seat__public_id"),
    *("rating__annotator__public_id", "rating__position", "option__key", "cannot_judge", "note"),
    *("is_flagged", "components", "active_seconds", "scheme_version__number"),
]
SEAT_FIELDS = [
    *("batch__public_id", "batch__name", "seat__public_id", "seat__ordinal", "seat__seed"),
    "member__public_id",
]


def in_words(row: Iterable[Any]) -> list[Any]:
    """A row of ids, texts and numbers as JSON has it."""
    return [
        value if value is None or isinstance(value, (bool, int, str, list)) else str(value)
        for value in row
    ]


def judged_texts(batch_id: int, using: str = DEFAULT_DB_ALIAS) -> dict[str, Any]:
    """Hashes of what the annotators of a batch read: {"pairs": of the texts of every pair with its
    topic and document, "queries": {external id: of its text}}."""
    pairs = Pair.including_inactive.using(using).filter(batch=batch_id)
    rows = pairs.order_by("public_id").values_list(
        "public_id",
        "topic__external_id",
        "topic__text_sha256",
        "document__external_id",
        "document__text_sha256",
        "side_text__text_sha256",
    )
    places = TopicPlace.objects.using(using).filter(topic__in=pairs.values("topic"))
    return {
        # A side text counts where there is one: earlier hashes knew of none.
        "pairs": sha256_of([in_words(row if row[-1] else row[:-1]) for row in rows]),
        "queries": query_texts(places.values("query"), using),
    }


def query_texts(queries: Any, using: str) -> dict[str, str]:
    """{external id: hash of the text}, without the links of its sentences to later aspects."""
    rows = Query.including_inactive.using(using).filter(pk__in=queries)
    texts = {}
    for external_id, document, text, sentences, *beside in rows.order_by("external_id").values_list(
        *("external_id", "document__text_sha256", "text", "sentences"),
        *("description", "narrative"),
    ):
        sha256 = document or sha256_of([text, [sentence["text"] for sentence in sentences]])
        texts[external_id] = sha256_of([sha256, *beside]) if any(beside) else sha256
    return texts
