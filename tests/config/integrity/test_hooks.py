"""What goes to a webhook: its kind, ids and counts, and nothing that could tell a value."""

import json
import uuid
from types import SimpleNamespace

import pytest

from config.integrity.hooks import _hosts, _is_plain

NAMED = str(uuid.UUID(int=7))
SENT = {
    "id": NAMED,
    "kind": "batch.completed",
    "at": "2026-03-02T04:05:06Z",
    "collection": "study",
    "subject": {"type": "batch", "id": NAMED},
    "counts": {"pairs": 3, "seats": 2},
}


def is_plain(body, kind="batch.completed"):
    hook = SimpleNamespace(collection=SimpleNamespace(slug="study"))
    text = body if isinstance(body, str) else json.dumps(body)
    return _is_plain(SimpleNamespace(public_id=NAMED, kind=kind, hook=hook, body=text))


def test_a_body_of_its_kind_with_ids_and_counts_is_plain():
    assert is_plain(SENT)
    assert is_plain(SENT | {"counts": {}})


def test_a_test_is_about_its_webhook():
    of_a_test = SENT | {"kind": "test", "subject": {"type": "webhook", "id": NAMED}, "counts": {}}

    assert is_plain(of_a_test, kind="test")


@pytest.mark.parametrize(
    "change",
    [
        {"note": "She said 2."},
        {"id": str(uuid.UUID(int=8))},
        {"kind": "decision.made"},
        {"at": "on Monday Alice rated 2"},
        {"at": 2},
        {"collection": "other"},
        {"subject": {"type": "batch", "id": NAMED, "value": 2}},
        {"subject": {"type": "Alice", "id": NAMED}},
        {"subject": {"type": "pair", "id": NAMED}},
        {"subject": {"type": "batch", "id": "value 2"}},
        {"subject": {"type": "batch", "id": 2}},
        {"subject": ["type", "id"]},
        {"subject": None},
        {"counts": {"pairs": "2"}},
        {"counts": {"pairs": 2.5}},
        {"counts": {"pairs": True}},
        {"counts": {"value": 2}},
        {"counts": {"Alice: similar": 1}},
        {"counts": [2]},
    ],
    ids=repr,
)
def test_a_body_that_says_anything_else_is_found(change):
    assert not is_plain(SENT | change)


@pytest.mark.parametrize("name", SENT)
def test_a_body_that_lacks_something_is_found(name):
    assert not is_plain({key: value for key, value in SENT.items() if key != name})


@pytest.mark.parametrize("text", ["", "{", "[]", "2", "null"])
def test_a_body_that_is_no_object_is_found(text):
    assert not is_plain(text)


def test_a_delivery_of_a_kind_that_there_is_not_is_found():
    assert not is_plain(SENT | {"kind": "value.told"}, kind="value.told")


@pytest.mark.parametrize(
    ("address", "is_same"),
    [
        ("https://lab.example.org/hooks?key=x", True),
        ("https://LAB.example.org:8443/", True),
        ("https://elsewhere.example.net/lab.example.org", False),
        ("https://elsewhere.example.net/?to=lab.example.org", False),
        ("https://lab.example.org.elsewhere.net/", False),
    ],
)
def test_a_host_is_another_wherever_else_its_name_stands(address, is_same):
    assert ("lab.example.org" in _hosts(address)) == is_same
