"""That random parts of pages hold no word that a test looks for."""

from django.middleware.csrf import get_token


def test_a_token_of_a_form_spells_no_name(rf):
    assert set(get_token(rf.get("/"))) <= set("QXZqxz")
