"""Hashes of pools for the trail: who is in a pool, in which order and from which sources."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q

from audit.hashes import sha256_of
from datasets.models import Candidate, Import, Query
from datasets.models.imports import active

FIELDS = ["external_id", "document__external_id", "sources", "ranks", "position"]
ROWS_AT_ONCE = 2_000


def pool_hashes(
    queries: Any, *, imported: Import | None = None, using: str = DEFAULT_DB_ALIAS
) -> dict[str, str]:
    """{public id: hash of the pool} of these queries, a queryset. The candidates of an import that
    is being written count where it is named."""
    pools = Candidate.including_inactive.using(using).filter(
        active() | Q(imported=imported) if imported else active(), query__in=queries
    )
    rows = pools.order_by("query", "position", "pk").values_list("query__public_id", *FIELDS)
    hashes = dict.fromkeys(map(str, queries.values_list("public_id", flat=True)), EMPTY)
    for public_id, pool in groupby(rows.iterator(chunk_size=ROWS_AT_ONCE), key=itemgetter(0)):
        hashes[str(public_id)] = sha256_of([row[1:] for row in pool])
    return hashes


def pool_hash(query: Query) -> str:
    """Of one pool, as whoever changed it leaves it."""
    return pool_hashes(Query.objects.filter(pk=query.pk))[str(query.public_id)]


EMPTY = sha256_of([])
