"""What the figures of a lead's pages cost."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.progress.overview import overview


def plan_of(captured, part):
    """How PostgreSQL runs the statement with this part, where it may not read a whole table."""
    [statement] = [query["sql"] for query in captured if part in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(step for (step,) in cursor)


@pytest.mark.postgres_only
def test_pairs_and_times_are_counted_from_their_indexes_alone(study):
    """A large study has half a million ratings, and the id of none is in these indexes."""
    for pair in study.batch.pairs.all():
        study.rate("alice", pair, 1, active_seconds=Decimal(9))

    with CaptureQueriesContext(connection) as captured:
        overview(study.members["lena"])

    pairs, times = plan_of(captured, '"gold_origin", COUNT('), plan_of(captured, " OFFSET ")
    assert "Index Only Scan using annotation_pair_counted" in pairs
    assert "Index Only Scan using annotation_rating_times" in times
