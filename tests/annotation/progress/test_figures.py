"""What the figures of a lead's pages cost."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Pair
from annotation.progress.overview import overview
from datasets.models import Document, Import


def plan_of(captured, part):
    """How PostgreSQL runs the statement with this part where an index can answer it alone, however
    small the tables are."""
    [statement] = [query["sql"] for query in captured if part in query["sql"]]
    with connection.cursor() as cursor:
        for way in ("seqscan", "bitmapscan", "sort"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(step for (step,) in cursor)


@pytest.mark.once
def test_pairs_that_an_import_has_not_finished_are_not_counted(study):
    running = Import.objects.create(collection=study.collection, kind="study", fingerprint="f")
    paper = Document.objects.create(collection=study.collection, external_id="p9", title="Nine")
    Pair.objects.create(topic=study.topics[0], document=paper, imported=running)
    assert overview(study.members["lena"]).waiting_pairs == 0

    Import.objects.update(state=Import.State.ACTIVE, activated_at=timezone.now())

    assert overview(study.members["lena"]).waiting_pairs == 1


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
