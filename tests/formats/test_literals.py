"""Values of files as they are written."""

from decimal import Decimal

import pytest

from formats.literals import (
    AS_WHOLE_NUMBERS,
    DECODER,
    WITHOUT_ZEROS,
    decimal_of,
    identifier_of,
    literal_of,
    number_of,
    rewritten,
)
from formats.strict import BadTextError

pytestmark = pytest.mark.once


@pytest.mark.parametrize("literal", ["-2", "\u22122", " \u22122,0 ", "-2."])
def test_a_minus_may_be_the_one_of_typesetting(literal):
    assert decimal_of(literal) == Decimal(-2)


@pytest.mark.parametrize("literal", ["\u2212", "\u2212\u22122", "2\u2212", "\u2212-2", "1\u22122"])
def test_a_minus_elsewhere_makes_no_number(literal):
    assert decimal_of(literal) is None


@pytest.mark.parametrize(
    ("literal", "number"),
    [
        ("2", "2"),
        ("2.50", "2.50"),
        ("2,5", "2.5"),
        (".5", "0.5"),
        (",5", "0.5"),
        ("2.", "2"),
        ("+2", "2"),
        ("007", "7"),
        (" 2 \n", "2"),
        ("9" * 300, "9" * 300),
    ],
)
def test_a_grade_is_the_number_that_is_written(literal, number):
    assert decimal_of(literal) == Decimal(number)


@pytest.mark.parametrize(
    "literal",
    [
        "", " ", "-", ".", ",", "two", "1e3", "1.000,5", "1,000.5", "1 000", "1_0", "nan", "inf",
        "\u0662", "\u00b2", "2\n3", "0x1", "9" * 301, "--1", "1-", "½",
    ],
)  # fmt: skip
def test_what_may_mean_several_numbers_or_none_is_none(literal):
    assert decimal_of(literal) is None


@pytest.mark.parametrize(
    ("literal", "number"),
    [("2,5", "2.5"), ("\u22122", "-2"), ("1e3", "1000"), ("-2.5E-1", "-0.25"), (" 4.e0 ", "4")],
)
def test_a_grade_made_elsewhere_may_have_an_exponent(literal, number):
    assert number_of(literal) == Decimal(number)


@pytest.mark.parametrize(
    "literal",
    ["", "two", "nan", "inf", "-Infinity", "1_0", "1e400", "1e1000000", "2,5e1", "\u0662", "e3"],
)
def test_what_no_score_can_be_computed_with_is_no_number(literal):
    assert number_of(literal) is None


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("1.50", "1.50"), ("2e0", "2e0"), ("-0.0", "-0.0"), ("0.1000", "0.1000"),
        ("12345678901234567890", "12345678901234567890"), ("7", "7"), ("null", ""),
        ("true", "true"), ("false", "false"), ('"1.50 "', "1.50 "),
    ],
)  # fmt: skip
def test_a_number_of_json_is_kept_as_it_was_written(text, literal):
    assert literal_of(DECODER.decode(text)) == literal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1e999", "the number '1e999' is too large"),
        (f"0.{'1' * 300}", "is too large"),
        ("9" * 301, "a number of 301 digits"),
        ("NaN", "NaN is not a number in JSON"),
        ('{"a": 1.5, "a": 1.5}', "the key 'a' occurs twice"),
    ],
)
def test_numbers_that_know_how_they_were_written_have_no_loophole(text, message):
    with pytest.raises(BadTextError, match=message):
        DECODER.decode(text)


@pytest.mark.parametrize(("value", "kind"), [([], "a list"), ({}, "an object")])
def test_a_cell_that_holds_many_values_has_no_literal(value, kind):
    with pytest.raises(BadTextError, match=f"{kind}; expected text or a number"):
        literal_of(value)


@pytest.mark.parametrize(
    ("value", "identifier"),
    [("007", "007"), (" d1\n", "d1"), ("", ""), (None, ""), (7, "7"), (0, "0"), (-1, "-1"),
     (10**30, "1" + "0" * 30), ("1e5", "1e5"), ("1.0", "1.0"), ("日本", "日本")],
)  # fmt: skip
def test_an_identifier_is_text_or_a_whole_number(value, identifier):
    assert identifier_of(value) == identifier


@pytest.mark.parametrize(
    ("value", "message", "remedy"),
    [
        (1.0, "the identifier 1.0 is a decimal number; expected text.", "It may have been a whole"),
        (1.5, "the identifier 1.5 is a decimal number; expected text.", "Write it as text: in"),
        (True, "the identifier true is true or false; expected text.", "Write it as text: in"),
        (["a"], 'the identifier ["a"] is a list; expected text.', "Write it as text: in JSON"),
        ({}, "the identifier {} is an object; expected text.", "Write it as text: in JSON"),
    ],
)
def test_other_values_are_no_identifiers_and_the_remedy_says_why(value, message, remedy):
    with pytest.raises(BadTextError) as caught:
        identifier_of(value)

    assert caught.value.message == message
    assert caught.value.remedy.startswith(remedy)


@pytest.mark.parametrize(
    ("names", "known", "other", "why"),
    [
        (["7"], ["007"], "007", WITHOUT_ZEROS),
        (["007"], ["7"], "7", WITHOUT_ZEROS),
        (["0"], ["00"], "00", WITHOUT_ZEROS),
        (["00"], ["0"], "0", WITHOUT_ZEROS),
        (["7.0"], ["7"], "7", AS_WHOLE_NUMBERS),
        (["7"], ["7.0"], "7.0", AS_WHOLE_NUMBERS),
        (["007.0"], ["7"], "7", AS_WHOLE_NUMBERS),
        (["007"], ["7.0"], "7.0", AS_WHOLE_NUMBERS),
        (["7"], ["7".zfill(15)], "7".zfill(15), WITHOUT_ZEROS),
        # The first of several, as it is most likely that.
        (["7"], ["007", "07", "7.0"], "7.0", AS_WHOLE_NUMBERS),
        (["a", "8", "7"], ["007"], "007", WITHOUT_ZEROS),
    ],
)
def test_an_id_that_was_written_anew_is_told_with_the_one_that_it_was(names, known, other, why):
    [name] = [name for name in names if name not in ("a", "8")]

    assert rewritten(names, known.__contains__) == (
        f"There is {other}, the same number as {name}: {why}"
    )


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("7", ["7"]),
        ("7", ["70", "7.00", "8"]),
        ("7", ["7".zfill(16)]),
        ("7.5", ["7", "75"]),
        ("a7", ["7"]),
        ("", ["0"]),
        (".0", ["0"]),
    ],
)
def test_other_numbers_are_no_remedy(name, known):
    assert rewritten([name], known.__contains__) == ""
