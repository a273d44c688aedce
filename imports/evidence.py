"""Hashes in the trail for an import that brought ratings, since these have no events of their
own."""

import hashlib
from collections.abc import Iterable
from typing import Any

from adjudication.models import Decision
from annotation.models import Batch, RatingRevision, Tenure
from annotation.reading.text_hashes import ANSWER_FIELDS, SEAT_FIELDS, in_words, judged_texts
from audit.hashes import canonical
from datasets.models import Import

DECISION_FIELDS = [
    *("public_id", "pair__public_id", "adjudicator__public_id", "option__key"),
    *("exclusion_reason", "cause", "rationale"),
]


class RowsHash:
    """A hash over rows, in the order in which they are added."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self.count = 0

    def add(self, row: Iterable[Any]) -> None:
        self._digest.update(canonical(in_words(row)) + b"\n")
        self.count += 1

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    @classmethod
    def over(cls, rows: Iterable[Iterable[Any]]) -> "RowsHash":
        rows_hash = cls()
        for row in rows:
            rows_hash.add(row)
        return rows_hash


def answer_evidence(imported: Import) -> dict[str, Any]:
    """Hashes of an import's seats, ratings and decisions; empty where it brought none."""
    # By the batch, which the import brought; a pair may have been there before its ratings.
    revisions = RatingRevision.objects.filter(rating__seat__batch__imported=imported)
    revisions = revisions.order_by("pk")
    answers = RowsHash.over(revisions.values_list(*ANSWER_FIELDS).iterator())
    if not answers.count:
        return {}
    tenures = Tenure.objects.filter(batch__imported=imported).order_by("pk")
    decisions = Decision.objects.filter(pair__batch__imported=imported).order_by("pk")
    return {
        "seats": RowsHash.over(tenures.values_list(*SEAT_FIELDS)).sha256,
        "ratings": answers.sha256,
        "decisions": RowsHash.over(decisions.values_list(*DECISION_FIELDS)).sha256,
    }


def text_evidence(imported: Import) -> dict[str, Any]:
    """{batch: hashes of what was judged in it}, of the batches that an import brought."""
    batches = Batch.including_inactive.filter(imported=imported)
    return {str(batch.public_id): judged_texts(batch.pk) for batch in batches}
