"""Which keys an option may have."""

import pytest

from annotation.schemes.keys import HELD, LETTERS, key_problem

FREE = "Free are b c d i o p q r t v z."
TAKEN = {"a": "Alike", "1": "One"}


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("b", "2", ""),
        ("2", "2", ""),
        ("u", "2", f"The key “u” goes back to the last saved pair. {FREE}"),
        ("?", "2", f"The key “?” shows the list of keys. {FREE}"),
        ("a", "2", f"Alike has the key “a”. {FREE}"),
        ("1", "1", f"One has the key “1”. {FREE}"),
        ("3", "2", f"A digit is the key of its own value; this option stands for 2. {FREE}"),
        ("3", "", f"A digit is the key of its own value; this option stands for no value. {FREE}"),
    ],
)
def test_option_has_a_free_letter_or_its_own_digit(key, value, problem):
    assert key_problem(key, value=value, used_keys=TAKEN) == problem


@pytest.mark.parametrize("key", ["", "B", "bc", "10", "ä", " "])
def test_key_is_one_small_letter_or_one_digit(key):
    assert key_problem(key, value="10", used_keys={}).startswith("The key is one small letter, or")


def test_keys_that_pages_hold_are_never_offered():
    offered = key_problem("", value="", used_keys={}).partition("Free are ")[2].rstrip(".").split()

    assert offered == [letter for letter in LETTERS if letter not in HELD]
