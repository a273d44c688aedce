"""Values of files as they are written."""

from decimal import Decimal

import pytest

from formats.literals import decimal_of

pytestmark = pytest.mark.once


@pytest.mark.parametrize("literal", ["-2", "\u22122", " \u22122,0 ", "-2."])
def test_a_minus_may_be_the_one_of_typesetting(literal):
    assert decimal_of(literal) == Decimal(-2)


@pytest.mark.parametrize("literal", ["\u2212", "\u2212\u22122", "2\u2212", "\u2212-2", "1\u22122"])
def test_a_minus_elsewhere_makes_no_number(literal):
    assert decimal_of(literal) is None
