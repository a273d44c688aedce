"""How values are printed."""

import pytest

from annotation.templatetags.annotation_words import duration, file_size


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "less than a minute"), (59, "59 min"), (120, "2 h"), (199, "3 h 19 min")],
)
def test_minutes_are_told_in_hours_once_they_are_many(minutes, words):
    assert duration(minutes) == words


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "1 byte"), (999, "999 bytes"), (2340, "2.3 kB"), (200 * 10**6, "200 MB")],
)
def test_sizes_are_told_in_the_units_of_the_settings(count, words):
    assert file_size(count) == words.replace(" ", "\N{NO-BREAK SPACE}" if count > 999 else " ")
