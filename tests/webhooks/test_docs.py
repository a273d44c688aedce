"""docs/webhooks.md says what is sent, and its code checks a real signature."""

import re
import time
from pathlib import Path

import pytest

from webhooks.kinds import BY_NAME, TEST
from webhooks.signing import signature

TEXT = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def is_from_facetwise():
    names = {}
    exec(re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)[1], names)  # noqa: S102 - our own page
    return names["is_from_facetwise"]


def test_the_code_of_the_docs_takes_what_was_signed(is_from_facetwise):
    header = signature("whsec_x", b'{"a":1}', int(time.time()))

    assert is_from_facetwise("whsec_x", header, b'{"a":1}')


def test_the_code_of_the_docs_refuses_what_was_not(is_from_facetwise):
    now = int(time.time())
    header = signature("whsec_x", b'{"a":1}', now)

    assert not is_from_facetwise("whsec_x", header, b'{"a":2}')
    assert not is_from_facetwise("whsec_y", header, b'{"a":1}')
    old = signature("whsec_x", b'{"a":1}', now - 3600)
    assert not is_from_facetwise("whsec_x", old, b'{"a":1}')
    assert not is_from_facetwise("whsec_x", old.replace(str(now - 3600), str(now)), b'{"a":1}')


def test_the_table_names_every_kind():
    rows = re.findall(r"^\| (`.+?`) \|", TEXT, re.MULTILINE)

    assert {name for row in rows for name in re.findall(r"`([\w.]+)`", row)} == {*BY_NAME, TEST}
