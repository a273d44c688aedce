"""What a document without a title is called in lists."""

import pytest

from datasets.models.documents import BEGINNING, beginning


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", ""),
        ("It finds cracks.", "“It finds cracks.”"),
        # Fifteen words of four letters would be 74 characters; a sixteenth begins within the 80.
        (" ".join(["word"] * 30), f"“{' '.join(['word'] * 15)} …”"),
        ("語" * 100, f"“{'語' * (BEGINNING - 1)}…”"),
    ],
)
def test_its_name_is_its_first_whole_words(text, name):
    assert beginning([{"text": text}]) == name


def test_its_name_has_no_space_after_a_chinese_full_stop():
    assert beginning([{"text": "第一句。"}, {"text": "第二句。"}]) == "“第一句。第二句。”"
