"""What one check cannot read hides nothing that the others find."""

import pytest
from django.db import OperationalError

from config.integrity.checking import sentences_of


def webhook_findings(event, *, host):
    yield f"{host} is another host."
    yield f"{event['kinds']} are other kinds."


def test_a_check_says_what_it_found():
    assert list(sentences_of(webhook_findings, {"kinds": 2}, host="a.org")) == [
        "a.org is another host.",
        "2 are other kinds.",
    ]


@pytest.mark.parametrize(("event", "error"), [(None, "TypeError"), ({}, "KeyError('kinds')")])
def test_a_check_that_meets_another_shape_says_where_it_stopped(event, error):
    *before, stopped = sentences_of(webhook_findings, event, host="a.org")

    assert before == ["a.org is another host."]
    assert stopped.startswith(f"The check webhook_findings stopped at {error}")
    assert stopped.endswith(": a row, an event or a file is not as it was written.")


def test_a_database_that_is_away_is_no_finding():
    def row_findings():
        raise OperationalError("database is locked")

    with pytest.raises(OperationalError):
        list(sentences_of(row_findings))
