"""How values are printed."""

import pytest

from annotation.templatetags.annotation_words import duration


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "less than a minute"), (59, "59 min"), (120, "2 h"), (199, "3 h 19 min")],
)
def test_minutes_are_told_in_hours_once_they_are_many(minutes, words):
    assert duration(minutes) == words
