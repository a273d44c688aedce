import pytest
from django.core.exceptions import BadRequest

from accounts.parameters import is_yes


def test_yes_and_no_have_few_words():
    for word in ("1", "yes", "true", "on"):
        assert is_yes({"all": word}, "all")
    for word in ("", "0", "no", "false", "off"):
        assert not is_yes({"all": word}, "all")


def test_a_name_alone_says_what_its_page_takes_it_for():
    assert is_yes({"all": ""}, "all", bare=True)
    assert not is_yes({"all": "0"}, "all", bare=True)
    assert not is_yes({}, "all", bare=True)


@pytest.mark.parametrize("word", ["2", "YES", "-1", " "])
def test_any_other_word_is_refused(word):
    with pytest.raises(BadRequest, match=r"expected 1 for yes or 0 for no\.$"):
        is_yes({"all": word}, "all")
