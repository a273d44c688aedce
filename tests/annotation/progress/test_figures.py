"""What the figures of a lead's pages cost."""

import re
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Pair, Rating
from annotation.progress.overview import overview
from datasets.models import Document, Import


def columns_read(captured, part, model):
    """The columns of the model's table that the statement with this part names."""
    [statement] = [query["sql"] for query in captured if part in query["sql"]]
    return set(re.findall(rf'"{model._meta.db_table}"\."(\w+)"', statement))


def columns_of_index(model, name):
    [index] = [index for index in model._meta.indexes if index.name == name]
    return {model._meta.get_field(field).column for field in index.fields}


@pytest.mark.once
def test_pairs_that_an_import_has_not_finished_are_not_counted(study):
    running = Import.objects.create(collection=study.collection, kind="study", fingerprint="f")
    paper = Document.objects.create(collection=study.collection, external_id="p9", title="Nine")
    Pair.objects.create(topic=study.topics[0], document=paper, imported=running)
    assert overview(study.members["lena"]).waiting_pairs == 0

    Import.objects.update(state=Import.State.ACTIVE, activated_at=timezone.now())

    assert overview(study.members["lena"]).waiting_pairs == 1


@pytest.mark.parametrize(
    ("model", "part", "index"),
    [
        (Pair, '"gold_origin", COUNT(', "annotation_pair_counted"),
        (Rating, " OFFSET ", "annotation_rating_times"),
    ],
)
def test_pairs_and_times_are_counted_from_their_indexes_alone(study, model, part, index):
    """A large study has half a million ratings, and the id of none is in these indexes."""
    for pair in study.batch.pairs.all():
        study.rate("alice", pair, 1, active_seconds=Decimal(9))

    with CaptureQueriesContext(connection) as captured:
        overview(study.members["lena"])

    columns = columns_read(captured, part, model)
    assert columns
    assert columns <= columns_of_index(model, index)
