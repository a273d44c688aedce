import pickle

import pytest

from formats.strict import (
    BadTextError,
    check_depth,
    check_identifier,
    check_line_ends,
    check_signature,
    check_storable,
    cut,
    decode,
    kind_of,
    parse_json,
    shown,
)


def message_of(function, *args):
    with pytest.raises(BadTextError) as caught:
        function(*args)
    return f"{caught.value.place} {caught.value.message}".strip()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,}', "line 1, column 8 broken JSON: Illegal trailing comma before end of object."),
        ('{"a": "b\n}', "line 1, column 9 broken JSON: Invalid control character."),
        ('{"a":\n tru}', "line 2, column 2 broken JSON: Expecting value."),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "the key 'c' occurs twice in one object."),
        ('{"a": 1, "b": 2, "b": 3}', "the key 'b' occurs twice in one object."),
        ("NaN", "NaN is not a number in JSON."),
        ('{"a": -Infinity}', "-Infinity is not a number in JSON."),
        ("1e999", "the number '1e999' is too large."),
        ("9" * 5000, "a number of 5,000 digits; at most 300 are read."),
        ("[" * 100 + "]" * 100, "the JSON is nested deeper than 64 levels."),
        ("[" * 100_000, "the JSON is nested too deeply."),
    ],
)
def test_json_with_a_loophole_is_refused(text, message):
    refusal = message_of(parse_json, text)

    if "trailing comma" in message:  # Python 3.13 says more than 3.11
        assert refusal.startswith("line 1, column ")
    else:
        assert refusal == message


def test_json_of_64_levels_is_read():
    assert parse_json("[" * 64 + "]" * 64)


def test_line_of_broken_json_is_that_of_the_file():
    with pytest.raises(BadTextError) as caught:
        parse_json('{"a": ]', first_line=12)

    assert caught.value.place == "line 12, column 7"


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        *[(pickle.dumps({"a": 1}, protocol), "pickle") for protocol in (2, 3, 4, 5)],
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"PK\x03\x04rest", "zip"),
        (b"BZh91AY", "bzip2"),
        (b"PAR1", "Parquet"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"\xff\xfe{\x00", "UTF-16"),
        ("id,text".encode("utf-16-le"), "UTF-16"),
        ("id,text".encode("utf-16-be"), "UTF-16"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b" <!doctype html>", "HTML"),
        (b"<svg xmlns=", "HTML or XML"),
    ],
)
def test_what_is_no_text_is_recognised_by_content(start, kind):
    assert kind in message_of(check_signature, start)


def test_bytes_that_are_not_utf8_are_named_with_their_place():
    assert message_of(decode, b"fine\nna\xefve") == "line 2, byte 3 byte 0xef is not UTF-8."


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xff", "line 1, byte 1"),
        (b"\n\n\xff", "line 3, byte 1"),
        (b"a\r\nb\xc3", "line 2, byte 2"),
        ("é\n日本".encode() + b"\xff", "line 2, byte 7"),
        # The byte order mark is three bytes of the file.
        (b"\xef\xbb\xbfa\xff", "line 1, byte 5"),
        (b"\xed\xa0\x80", "line 1, byte 1"),
        (b"\xc0\x80", "line 1, byte 1"),
    ],
)
def test_bytes_are_counted_from_the_beginning_of_their_line(data, place):
    assert message_of(decode, data).startswith(f"{place} byte 0x")


def test_the_line_of_bytes_is_that_of_the_file():
    with pytest.raises(BadTextError) as caught:
        decode(b"fine\n\xff", first_line=12)

    assert caught.value.place == "line 13, byte 1"


def test_a_byte_order_mark_belongs_to_no_text_and_inside_of_one_it_stays():
    assert decode("\ufeffa\ufeff".encode()) == "a\ufeff"
    assert decode("\ufeffa".encode(), first_line=2) == "\ufeffa"
    assert decode(b"") == decode(b"\xef\xbb\xbf") == ""


@pytest.mark.parametrize("value", ["a\x00b", {"k": ["a\x00"]}, {"\x00": 1}])
def test_nul_is_refused_wherever_it_stands(value):
    assert "NUL character (U+0000)" in message_of(check_storable, value)


def test_lone_surrogates_are_refused():
    value = parse_json('{"title": "a\\ud800"}')

    assert "lone surrogate U+D800) at position 2" in message_of(check_storable, value)


@pytest.mark.parametrize(
    "text",
    [
        "\u202eright to left\u202c",
        "zero\u200bwidth",
        "line\u2028separator",
        "astral \U0001f600",
        "<script>alert(1)</script>",
        "tab\tand\nnewline",
        "x" * 1_000_000,
    ],
)
def test_odd_text_is_kept(text):
    check_storable({"title": text})


@pytest.mark.parametrize("value", [10**400, [1, 10**400], {"a": {"b": -(10**400)}}])
def test_numbers_of_more_digits_than_databases_keep_are_refused(value):
    assert message_of(check_storable, value) == "a number of 401 digits; at most 300 are read."


@pytest.mark.parametrize("value", ["1936997", "fw-1001", "arXiv:1234.5", "é", "../../etc/passwd"])
def test_identifiers_without_white_space_are_taken(value):
    check_identifier(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a b", "white space (U+0020) at position 2"),
        ("a\tb", "white space (U+0009)"),
        ("a\n", "white space (U+000A)"),
        ("a\u00a0b", "white space (U+00A0)"),
        ("a\u2028b", "white space (U+2028)"),
        ("a\x07", "control character (U+0007)"),
        ("a\u202eb", "invisible or control character (U+202E)"),
        ("a\u200bb", "invisible or control character (U+200B)"),
        ("", "empty identifier"),
        ("x" * 201, "201 characters"),
        (12, "is a number; expected text"),
        (None, "is null; expected text"),
        (True, "is true or false; expected text"),
    ],
)
def test_identifiers_that_would_break_a_line_of_qrels_are_refused(value, message):
    assert message in message_of(check_identifier, value)


@pytest.mark.parametrize(
    "start",
    [
        b"", b"id,text\n", b"{", b"[", "é".encode(), b"PK,title\n", b"P", b"BZ2 is a format\n",
        b"\x00", b"a\x00b\x00c\x00d", b"ab\x00\x00cdef", " <a".encode("utf-16-le")[:6],
    ],
)  # fmt: skip
def test_texts_are_taken_whatever_they_begin_with(start):
    check_signature(start)


def test_markup_is_taken_where_it_may_be():
    check_signature(b"<top>", markup=True)
    check_signature(b"  <?xml", markup=True)
    assert "a zip archive" in message_of(lambda: check_signature(b"PK\x03\x04", markup=True))


@pytest.mark.parametrize(
    ("start", "remedy"),
    [
        (b"\xff\xfea\x00", "Save it as UTF-8."),
        ("id,text\n".encode("utf-16-be"), "Save it as UTF-8."),
        (b"\xef\xbb\xbf{", "Save it as UTF-8 without one."),
        (b"%PDF-1.7", "Convert it to the plain file that the name promises."),
        (b"<html>", "Was a web page saved instead of the file?"),
    ],
)
def test_what_is_no_text_is_told_with_what_helps(start, remedy):
    with pytest.raises(BadTextError) as caught:
        check_signature(start)

    assert caught.value.remedy == remedy


@pytest.mark.parametrize(
    "start", [b"", b"a,b", b"a,b\n1,2\n", b"a,b\r\n1,2\r\n", b"a,b\r", b"\n\r"]
)
def test_lines_end_as_on_unix_or_windows(start):
    check_line_ends(start)


@pytest.mark.parametrize("start", [b"a,b\r1,2\r", b"a,b\r1,2", b"\ra"])
def test_lines_that_end_as_on_the_oldest_macs_are_refused(start):
    with pytest.raises(BadTextError, match=r"its lines end with a carriage return alone \(CR\)"):
        check_line_ends(start)


def test_depth_counts_lists_and_objects_alike_and_nothing_else():
    check_depth([[{"a": [1, "[[[["]}]], limit=4)
    check_depth("[" * 100, limit=1)
    check_depth([], limit=1)
    check_depth([[1]] * 1000, limit=2)

    with pytest.raises(BadTextError, match="nested deeper than 3 levels"):
        check_depth([[{"a": [1]}]], limit=3)


def test_numbers_of_as_many_digits_as_are_kept_are_taken():
    check_storable([10**299, {"a": -(10**299)}, 0, True, None, 1.5])
    assert parse_json("9" * 300) == int("9" * 300)
    assert message_of(parse_json, "9" * 301) == "a number of 301 digits; at most 300 are read."


def test_a_long_decimal_is_refused_before_it_is_a_number():
    assert parse_json("1." + "0" * 298) == 1.0
    assert message_of(parse_json, "1." + "0" * 299).endswith(" is too large.")


def test_identifiers_of_as_many_characters_as_fit_are_taken():
    check_identifier("é" * 200)
    check_identifier("\U0001f600")
    check_identifier("\ue000")  # of private use, which somebody can see

    assert message_of(check_identifier, "é" * 201) == (
        "an identifier of 201 characters; at most 200 fit."
    )


@pytest.mark.parametrize("character", ["\ud800", "\u2029", "\u3000", "\u00ad", "\ufeff", "\x7f"])
def test_what_nobody_sees_in_an_identifier_is_named_by_its_code(character):
    message = message_of(check_identifier, f"ab{character}")

    assert f"(U+{ord(character):04X}) at position 3." in message
    assert character not in message


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"), (True, "true or false"), (1, "a number"), (1.5, "a decimal number"),
        ("a", "text"), ([], "a list"), ({}, "an object"), ((), "something else"),
    ],
)  # fmt: skip
def test_values_are_called_as_people_call_them(value, kind):
    assert kind_of(value) == kind


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        ("it's", '"it\'s"'),
        ("a\nb\u200b", "'a\\nb\\u200b'"),
        ("é", "'é'"),
        # Composed otherwise, it looks the same and is another.
        ("e\u0301", "'e\\u0301'"),
        (7, "7"),
        (None, "null"),
        (["é"], '["\\u00e9"]'),
        ("x" * 58, f"'{'x' * 58}'"),
        ("x" * 59, f"'{'x' * 58}…"),
    ],
)
def test_a_value_in_a_sentence_is_quoted_short_and_seen_whole(value, text):
    assert shown(value) == text
    assert len(shown(value)) <= 60


def test_a_text_is_cut_to_so_many_characters():
    assert (cut("abc", 3), cut("abcd", 3), cut("", 0)) == ("abc", "ab…", "")
