"""One spelling of what is hashed, whichever database gives it back."""

import hashlib
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from annotation.models import SchemeVersion
from annotation.schemes.actions import load_definition
from audit.hashes import ContentHash, canonical, fill_hashes, rehash, sha256_of
from tests.damage import rewrite
from tests.factories.studies import make_collection


def test_values_that_are_equal_are_spelled_alike():
    assert canonical({"b": 1.0, "a": [1e16, (2.5, None)]}) == (
        b'{"a":[10000000000000000,[2.5,null]],"b":1}'
    )
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2.0, "a": 1.0})
    assert canonical([True, "1"]) == b'[true,"1"]'


def test_letters_of_any_script_are_spelled_as_they_are():
    assert canonical("Järvelin \u4e2d") == '"Järvelin \u4e2d"'.encode()
    assert canonical("half of a pair: \ud83d") == b'"half of a pair: \xed\xa0\xbd"'


def test_hash_is_the_sha256_of_the_spelling():
    assert sha256_of({"a": 1.0}) == hashlib.sha256(b'{"a":1}').hexdigest()


@pytest.mark.django_db
def test_row_carries_the_hash_of_its_texts():
    version = make_collection("study", load_definition("csfcube")).scheme.current
    field = SchemeVersion._meta.get_field("wording_sha256")

    made = SchemeVersion.objects.create(
        scheme=version.scheme, number=2, wording=version.wording, guidelines="Read."
    )

    expected = field.hash_of(version.wording, "Read.")
    assert made.wording_sha256 == expected
    assert SchemeVersion.objects.get(number=2).wording_sha256 == expected
    assert field.hash_of(version.wording, "") != expected

    made.guidelines = ""
    rehash(made)
    assert made.wording_sha256 == field.hash_of(version.wording, "")


def test_column_has_room_for_a_hash_and_no_form_shows_it():
    field = ContentHash(of=["title"], default="")

    assert (field.max_length, field.editable, field.default) == (64, False, "")
    assert field.deconstruct()[3]["of"] == ["title"]


@pytest.mark.django_db
def test_rows_from_before_the_column_are_hashed_by_its_migration():
    make_collection("study", load_definition("csfcube"))
    make_collection("other", load_definition("litsearch"))
    expected = dict(SchemeVersion.objects.values_list("pk", "wording_sha256"))
    rewrite(SchemeVersion.objects.all(), wording_sha256="")
    step = fill_hashes("annotation", "SchemeVersion")

    step.code(apps, SimpleNamespace(connection=connection))

    assert len(expected) == 2
    assert dict(SchemeVersion.objects.values_list("pk", "wording_sha256")) == expected
