"""Which rows of a table of decisions are decisions that stand."""

import pytest

from formats.records import Place
from formats.strict import BadTextError
from formats.tables.cells import Cells
from formats.tables.decisions import why_no_decision


def row(**cells):
    return Cells({name: name for name in cells}, Place("gold.csv", 2), cells)


@pytest.mark.parametrize("standing", ["", "yes", " YES ", "true", True])
@pytest.mark.parametrize("origin", ["", "adjudicated", " Excluded "])
def test_what_somebody_decided_and_stands_is_a_decision(standing, origin):
    assert why_no_decision(row(standing=standing, origin=origin)) == ""
    assert why_no_decision(row()) == ""


@pytest.mark.parametrize("standing", ["no", "False", False])
def test_what_a_later_decision_replaced_is_none_whatever_its_origin(standing):
    for origin in ("", "consensus", "adjudicated"):
        assert why_no_decision(row(standing=standing, origin=origin)) == (
            "A decision that a later one took the place of."
        )


def test_gold_by_agreement_and_of_other_origins_is_none():
    assert why_no_decision(row(origin=" Consensus ")) == (
        "Gold by agreement: it follows from the ratings."
    )
    assert why_no_decision(row(origin="model")) == (
        "Gold of the origin 'model', which nobody decided."
    )


@pytest.mark.parametrize("standing", ["maybe", "1", "0", "ja"])
def test_a_word_that_does_not_say_it_is_refused(standing):
    with pytest.raises(BadTextError) as caught:
        why_no_decision(row(standing=standing, origin="consensus"))

    assert caught.value.message == f"'{standing}' does not say whether the decision stands."
    assert caught.value.remedy == "Write yes or no, or match no column with it."
