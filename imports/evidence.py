"""Hashes in the trail for an import that brought ratings, machine scores or candidates, since these
have no events of their own."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q

from adjudication.models import Decision
from annotation.models import Batch, MachineScore, RatingRevision, Tenure
from annotation.reading.text_hashes import ANSWER_FIELDS, SEAT_FIELDS, in_words, judged_texts
from audit.hashes import canonical
from datasets.models import Candidate, Import, Query
from datasets.pool_hashes import pool_hashes
from formats.grouping import in_chunks

LOOKED_UP_AT_ONCE = 500

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
    """Hashes of an import's seats, ratings, decisions and machine scores; empty where it brought
    none."""
    # By the batch, which the import brought; a pair may have been there before its ratings.
    revisions = RatingRevision.objects.filter(rating__seat__batch__imported=imported)
    revisions = revisions.order_by("pk")
    answers = RowsHash.over(revisions.values_list(*ANSWER_FIELDS).iterator())
    scores = RowsHash.over(score_rows(imported.public_id))
    if not answers.count and not scores.count:
        return {}
    tenures = Tenure.objects.filter(batch__imported=imported).order_by("pk")
    decisions = Decision.objects.filter(pair__batch__imported=imported).order_by("pk")
    return {
        "seats": RowsHash.over(tenures.values_list(*SEAT_FIELDS)).sha256,
        "ratings": answers.sha256,
        "decisions": RowsHash.over(decisions.values_list(*DECISION_FIELDS)).sha256,
        "scores": scores.sha256,
    }


def score_rows(imported: UUID | str, using: str = DEFAULT_DB_ALIAS) -> Iterator[tuple[Any, ...]]:
    """The machine scores that an import brought."""
    scores = MachineScore.including_inactive.using(using).filter(imported__public_id=imported)
    fields = ["run__public_id", "pair__public_id", "value", "response"]
    return scores.order_by("pk").values_list(*fields).iterator()


def text_evidence(imported: Import) -> dict[str, Any]:
    """{batch: hashes of what was judged in it}, of the batches that an import brought."""
    batches = Batch.including_inactive.filter(imported=imported)
    return {str(batch.public_id): judged_texts(batch.pk) for batch in batches}


def pool_evidence(imported: Import, changed: Iterable[int] | None = None) -> dict[str, str]:
    """{query: hash of its pool}, of the queries and candidates that an import brought, or of the
    stored candidates that it `changed`, by key."""
    if changed is None:
        candidates = Candidate.including_inactive.filter(imported=imported)
        queries = Q(imported=imported) | Q(pk__in=candidates.values("query"))
        return pool_hashes(Query.including_inactive.filter(queries), imported=imported)
    hashes: dict[str, str] = {}
    for chunk in in_chunks(list(changed), LOOKED_UP_AT_ONCE):
        queries = Q(pk__in=Candidate.objects.filter(pk__in=chunk).values("query"))
        queries &= ~Q(public_id__in=hashes)
        hashes |= pool_hashes(Query.including_inactive.filter(queries), imported=imported)
    return hashes
