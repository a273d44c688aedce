"""A person's own keys: one letter for one thing on a page, and never a grade's."""

from types import SimpleNamespace

import pytest

from accounts import keys
from accounts.keys import ACTS, collisions, differing, keymap, keys_of


def person(**chosen):
    return SimpleNamespace(keys=chosen)


@pytest.fixture(autouse=True)
def nothing_else_has_letters(monkeypatch):
    monkeypatch.setattr(keys, "letter_owners", [])


def refused(**chosen):
    return collisions(person(), keys_of(person()) | chosen)


def test_the_usual_keys_collide_nowhere():
    assert refused() == {}


def test_a_letter_twice_on_one_page_is_refused_for_both():
    assert set(refused(back="f")) == {"back", "flag"}


def test_a_letter_may_mean_another_thing_on_another_page():
    assert ACTS["causes"].key == ACTS["take-suggestion"].key
    assert refused(compare="s") == {}


@pytest.mark.parametrize("key", ["2", "", "ab", "é", "?", " "])
def test_only_one_plain_letter_can_be_a_key(key):
    assert set(refused(back=key)) == {"back"}


def test_the_letter_of_an_option_is_refused(monkeypatch):
    monkeypatch.setattr(keys, "letter_owners", [lambda user: {"d": "“Disagree” in Study"}])

    assert refused(back="d") == {"back": "“d” already chooses “Disagree” in Study."}


def test_two_keys_can_be_exchanged():
    assert refused(flag="n", note="f") == {}


def test_only_what_differs_is_kept():
    assert differing(keys_of(person()) | {"back": "b"}) == {"back": "b"}


def test_a_page_gets_its_own_keys_without_those_that_options_have():
    keys_of_page = keymap(person(back="b"), keys.RATE, option_keys={"s"})

    assert keys_of_page["b"] == "back"
    assert "u" not in keys_of_page
    assert "cannot-judge" not in keys_of_page.values()
    assert "compare" not in keys_of_page.values()
