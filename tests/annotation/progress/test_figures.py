"""What the figures of a lead's pages cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.progress.overview import overview


def plan_of(captured, column):
    """How PostgreSQL reads what is counted by a column, where it may not read a whole table."""
    [statement] = [query["sql"] for query in captured if f"{column}, COUNT(" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(step for (step,) in cursor)


@pytest.mark.postgres_only
def test_pairs_and_times_are_counted_from_their_indexes_alone(study):
    """A large study has half a million ratings, and the id of none is in these indexes."""
    study.finish(alice=[0, 1, 2], bob=[0, 1, 3])

    with CaptureQueriesContext(connection) as captured:
        overview(study.members["lena"])

    pairs, times = plan_of(captured, '"gold_origin"'), plan_of(captured, '"active_seconds"')
    assert "Index Only Scan using annotation_pair_counted" in pairs
    assert "Index Only Scan using annotation_rating_times" in times
