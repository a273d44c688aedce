"""Rows from plain tuples are those that unsaved instances would make."""

import gc
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import MachineRun, MachineScore, Pair
from datasets.models import Candidate, Document, Import
from imports.bulk_rows import PlainInsert, PlainUpdate
from imports.life import without_cycle_search
from tests.factories.studies import make_study
from tests.shelf import shelved

FIELDS = ["imported_id", "run_id", "pair_id", "value", "response", "extra"]


@shelved
def study(db):
    return make_study(candidates=3)


@shelved
def run(study):
    return MachineRun.objects.create(collection=study.collection, model="gpt", name="first")


def columns_of(row):
    names = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
    return {name: getattr(row, name) for name in names}


def test_plain_rows_equal_those_of_bulk_create(study, run):
    first, second, _ = study.batch.pairs.all()
    imported = Import.objects.create(
        collection=study.collection,
        kind="test",
        state=Import.State.ACTIVE,
        activated_at=timezone.now(),
    )
    values = (imported.pk, run.pk, Decimal("1.5"), "Ünïcode\n'quoted'", {"record": {"a": [1]}})
    by_name = dict(zip([name for name in FIELDS if name != "pair_id"], values, strict=True))
    MachineScore.objects.bulk_create([MachineScore(pair=first, **by_name)])

    PlainInsert(MachineScore, FIELDS).execute([(*values[:2], second.pk, *values[2:])])

    by_bulk, plain = MachineScore.objects.order_by("id")
    assert columns_of(plain) == columns_of(by_bulk) | {"pair_id": second.pk}


def test_fields_that_are_not_given_get_their_defaults_row_by_row(study):
    topic, documents = study.topics[0], study.collection.documents.all()
    Pair.objects.filter(topic=topic).delete()

    PlainInsert(Pair, ["topic_id", "document_id"]).execute(
        (topic.pk, document.pk) for document in documents
    )

    pairs = Pair.objects.filter(topic=topic)
    assert len(pairs) == len({pair.public_id for pair in pairs}) == len(documents)
    assert {(pair.state, pair.gold_origin, pair.position, pair.batch) for pair in pairs} == {
        ("open", "", 0, None)
    }


def test_the_databases_own_rules_hold_for_plain_rows(study, run):
    pair = study.batch.pairs.first()

    with pytest.raises(IntegrityError), transaction.atomic():
        PlainInsert(MachineScore, FIELDS).execute([(None, run.pk, pair.pk, None, "", {})] * 2)

    assert not MachineScore.objects.exists()


def test_nothing_is_inserted_where_there_are_no_rows(study, django_assert_num_queries):
    with django_assert_num_queries(0):
        PlainInsert(MachineScore, FIELDS).execute([])


def test_the_search_for_cycles_goes_on_after_an_import_that_failed():
    @without_cycle_search()
    def fail():
        raise ValueError(f"searching: {gc.isenabled()}")

    with pytest.raises(ValueError, match="searching: False"):
        fail()

    assert gc.isenabled()


def test_plain_update_changes_the_fields_of_its_rows_alone(study):
    first, second, third = Candidate.objects.order_by("pk")
    update = PlainUpdate(Candidate, ["sources", "ranks", "document_id"])

    update.execute([(["a"], {"t": {"a": 1}}, None, first.pk), (["b"], {}, None, second.pk)])

    rows = Candidate.objects.order_by("pk").values_list("sources", "ranks", "document")
    assert list(rows) == [
        (["a"], {"t": {"a": 1}}, None),
        (["b"], {}, None),
        (third.sources, third.ranks, third.document_id),
    ]


def test_plain_rows_have_the_hashes_of_their_texts(study):
    sentences = [{"text": "Ünïcode", "label": None}]
    text = {"title": "Title", "sentences": sentences}
    Document.objects.create(collection=study.collection, external_id="first", **text)
    fields = ["collection_id", "external_id", "title", "sentences"]

    PlainInsert(Document, fields).execute([(study.collection.pk, "other", "Title", sentences)])

    first, other = Document.objects.filter(external_id__in=["first", "other"]).order_by("pk")
    changed = {"external_id": "other", "public_id": other.public_id}
    assert columns_of(other) == columns_of(first) | changed
    assert other.text_sha256


def test_rows_of_unequal_length_are_refused(study):
    with pytest.raises(ValueError, match="zip"):
        PlainInsert(Candidate, ["query_id", "external_id"]).ready([(1, "a"), (1,)])
