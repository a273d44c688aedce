"""Hashes of pools for the trail: who is in a pool, in which order and from which sources."""

import functools
import hashlib
import json
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from audit.hashes import canonical, plain_json
from datasets.models import Candidate, Import, Query
from datasets.models.imports import active_in_list

FIELDS = ["external_id", "document__external_id", "position"]
# Of JSON the text, of which pools have the same few again and again.
JSON_TEXTS = [Cast(name, TextField()) for name in ("sources", "ranks")]
ROWS_AT_ONCE = 2_000


def pool_hashes(
    queries: Any, *, imported: Import | None = None, using: str = DEFAULT_DB_ALIAS
) -> dict[str, str]:
    """{public id: hash of the pool} of these queries, a queryset. The candidates of an import that
    is being written count where it is named."""
    shown = active_in_list() | Q(imported=imported) if imported else active_in_list()
    rows = (
        Candidate.including_inactive.using(using)
        .filter(shown, query__in=queries)
        .order_by("query", "position", "pk")
        .values_list("query", *JSON_TEXTS, *FIELDS)
    )
    names = {key: str(public_id) for key, public_id in queries.values_list("pk", "public_id")}
    hashes = dict.fromkeys(names.values(), EMPTY)
    for query, pool in groupby(rows.iterator(chunk_size=ROWS_AT_ONCE), key=itemgetter(0)):
        spelled = [(*map(_spelled, row[1:3]), *row[3:]) for row in pool]
        hashes[names[query]] = hashlib.sha256(plain_json(spelled)).hexdigest()
    return hashes


def pool_hash(query: Query) -> str:
    """Of one pool, as whoever changed it leaves it."""
    return pool_hashes(Query.objects.filter(pk=query.pk))[str(query.public_id)]


@functools.lru_cache(maxsize=1_000)
def _spelled(text: str) -> str:
    """JSON in the spelling of either database, which write it in their own ways."""
    return canonical(json.loads(text)).decode("utf-8", "surrogatepass")


EMPTY = hashlib.sha256(plain_json([])).hexdigest()
