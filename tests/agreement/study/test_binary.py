"""Rows in PostgreSQL's binary form, beside those of its driver."""

import pytest
from django.db import DatabaseError, transaction

from agreement.models import TopicCopy
from agreement.study.binary import rows_in_binary
from tests.factories.studies import make_study

pytestmark = [pytest.mark.django_db, pytest.mark.postgres_only]


def test_rows_are_those_that_the_driver_reads():
    first, second = make_study(facets=("method", "result")).topics
    every_byte = bytes(range(256)) * 300
    TopicCopy.objects.create(
        topic=first, state="a'%s\\", pairs=every_byte, ratings=b"", decisions=b"\0"
    )
    TopicCopy.objects.create(topic=second, state="b", pairs=b"\\x", ratings=b"%", decisions=b"'")
    columns = ("topic_id", "state", "pairs", "ratings", "decisions")
    rows = (
        TopicCopy.objects.filter(state__in=["a'%s\\", "b"]).order_by("topic").values_list(*columns)
    )

    read = [
        (int.from_bytes(topic), str(state, "utf-8"), *map(bytes, arrays))
        for topic, state, *arrays in rows_in_binary(rows)
    ]

    assert read == [(pk, state, *map(bytes, arrays)) for pk, state, *arrays in rows]
    assert read[0][2] == every_byte


def test_no_rows_are_none():
    assert list(rows_in_binary(TopicCopy.objects.values_list("topic_id"))) == []


def test_an_error_of_the_database_is_one_to_django():
    rows = TopicCopy.objects.extra(select={"n": "1 / 0"}).values_list("n")
    TopicCopy.objects.create(topic_id=1, state="", pairs=b"", ratings=b"", decisions=b"")

    with pytest.raises(DatabaseError), transaction.atomic():
        list(rows_in_binary(rows))
