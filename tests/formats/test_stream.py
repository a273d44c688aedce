"""Reading JSON in pieces gives what reading it at once gives, or says at which byte it cannot."""

import hashlib
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import stream
from formats.stream import JsonStream, elements_of
from formats.strict import BadTextError

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"]), max_size=4), inner, max_size=4
        )
    ),
    max_leaves=12,
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


def read(data, *, chunk_bytes=stream.CHUNK_BYTES):
    """The object in these bytes; lists go through `elements`, whose bytes are looked at."""
    members = {}
    reader = JsonStream(io.BytesIO(data), chunk_bytes=chunk_bytes)
    for key in reader.keys():  # noqa: SIM118 - no dictionary
        if reader.next_kind() == "[":
            members[key] = []
            for element in reader.elements():
                assert json.loads(data[reader.start : reader.end]) == element
                members[key].append(element)
        else:
            members[key] = reader.value()
    return members


@given(
    content=st.dictionaries(KEYS, VALUES, max_size=5),
    chunk_bytes=st.integers(1, 40),
    ensure_ascii=st.booleans(),
    indent=st.none() | st.integers(0, 2),
)
def test_any_object_is_read_alike_in_pieces_of_any_size(content, chunk_bytes, ensure_ascii, indent):
    data = json.dumps(content, ensure_ascii=ensure_ascii, indent=indent).encode()

    assert read(data, chunk_bytes=chunk_bytes) == content


@pytest.mark.parametrize("chunk_bytes", [1, 7, 1 << 20])
@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{"a": [1, 2', "byte 11", "the file ends too early"),
        ('{"a": [1, {"b": 2}, {"c"', "byte 24", "the file ends too early"),
        ('{"a": [1, "x', "byte 10", "Unterminated string"),
        ('{"a": [1 2]}', "byte 9", "Expecting a comma"),
        ('{"a": [1,]}', "byte 9", "Expecting value"),
        ('{"a": {"b": 1,}}', "byte 14", "Expecting property name"),
        ('{"a": 1} x', "byte 9", "Something follows the end"),
        ('{"é": [tru]}', "byte 8", "Expecting value"),
        ("[1]", "byte 0", "Expecting an object"),
        ("", "byte 0", "the file ends too early"),
        ("{a: 1}", "byte 1", "Expecting a key in double quotes"),
        ('{"a" 1}', "byte 5", "Expecting a colon"),
        ('{"a": 1, "a": 2}', "byte 9", "the key 'a' occurs twice in one object"),
        ('{"a": [{"b": 1, "b": 2}]}', "byte 7", "the key 'b' occurs twice in one object"),
        ('{"a": [NaN]}', "byte 7", "NaN is not a number in JSON"),
        ('{"a": -Infinity}', "byte 6", "-Infinity is not a number in JSON"),
        ('{"a": [1e999]}', "byte 7", "is too large"),
        ('{"a": ' + "9" * 5000 + "}", "byte 6", "a number of more digits than"),
        ('{"a": [' + "[" * 62 + "]" * 62 + "]}", "", ""),
        ('{"a": [' + "[" * 63 + "]" * 63 + "]}", "byte 7", "nested deeper"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "byte 7", "nested too deeply"),
        ('{"a": "\x01"}', "byte 7", "Invalid control character"),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_byte(text, place, message, chunk_bytes):
    if not message:
        read(text.encode(), chunk_bytes=chunk_bytes)
        return

    with pytest.raises(BadTextError) as caught:
        read(text.encode(), chunk_bytes=chunk_bytes)

    assert caught.value.place == place
    assert message in caught.value.message


@pytest.mark.parametrize("chunk_bytes", [1, 3, 100])
def test_bytes_that_are_not_utf_8_are_reported_with_their_place(chunk_bytes):
    with pytest.raises(BadTextError, match="byte 0xff is not UTF-8") as caught:
        read('{"é": ['.encode() + b'"\xff"]}', chunk_bytes=chunk_bytes)

    assert caught.value.place == "byte 9"


@pytest.mark.parametrize("chunk_bytes", [1, 3, 100])
@pytest.mark.parametrize(
    ("data", "members"),
    [
        (b'{"a": 1, "b": "x\xffx", "c": 3}', ["a"]),
        (b'{"a": 1, "b": 2\xff, "c": 3}', ["a", "b"]),
        (b'{"a": 1, "b": 2}\xff', ["a", "b"]),
    ],
)
def test_values_before_a_byte_that_is_not_utf_8_are_read(data, members, chunk_bytes):
    stream = JsonStream(io.BytesIO(data), chunk_bytes=chunk_bytes)
    keys = []

    def read_on():
        for key in stream.keys():  # noqa: SIM118 - no dictionary; it reads on
            stream.value()
            keys.append(key)

    with pytest.raises(BadTextError, match="byte 0xff is not UTF-8") as caught:
        read_on()

    assert keys == members
    assert caught.value.place == f"byte {data.index(0xFF)}"


def test_broken_json_before_a_byte_that_is_not_utf_8_is_reported_first():
    with pytest.raises(BadTextError, match="broken JSON") as caught:
        read(b'{"a": nothing, "b": "a long text \xff"}', chunk_bytes=100)

    assert caught.value.place == "byte 6"


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"\x80\x04\x95", "pickle"), (b"\x1f\x8b\x08", "gzip"), (b"PK\x03\x04", "zip")],
)
def test_other_files_under_this_name_are_recognised_by_their_content(data, kind):
    with pytest.raises(BadTextError, match=kind):
        JsonStream(io.BytesIO(data + b"x" * 100))


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"[1, nothing]", "byte 4"),
        (b"\xef\xbb\xbf[1, nothing]", "byte 7"),
        (b'\xef\xbb\xbf[1, "\xff"]', "byte 8"),
        (b"\xef\xbb\xbf[1] 2", "byte 7"),
        (b"\xef\xbb\xbf\xef\xbb\xbf[1]", ""),
        (b"\xef\xbb\xbf", "byte 3"),
        (b"", "byte 0"),
    ],
)
def test_the_bytes_of_a_list_are_counted_with_its_byte_order_mark(data, place):
    with pytest.raises(BadTextError) as caught:
        list(elements_of(io.BytesIO(data)))

    assert caught.value.place == place


@pytest.mark.parametrize("text", ["[]", " [ ] \n", '[1, [2], {"a": 3}]', "[1,2]\n\n"])
def test_elements_of_a_list_come_with_a_byte_order_mark_and_without(text):
    elements = json.loads(text)

    assert list(elements_of(io.BytesIO(text.encode()))) == elements
    assert list(elements_of(io.BytesIO(text.encode("utf-8-sig")))) == elements


def test_a_value_beyond_all_measure_is_refused(monkeypatch):
    monkeypatch.setattr(stream, "MAX_VALUE_CHARACTERS", 100)
    data = json.dumps({"a": ["x" * 50], "b": ["x" * 500]}).encode()

    with pytest.raises(BadTextError, match="a value of more than 100 characters") as caught:
        read(data, chunk_bytes=16)

    assert caught.value.place.startswith("byte ")


def test_progress_and_digest_are_of_all_bytes():
    data, positions = b'{"a": [1, 2, 3]}', []
    reader = JsonStream(io.BytesIO(data), chunk_bytes=4, progress=positions.append)

    assert [key for key in reader.keys() if list(reader.elements())] == ["a"]  # noqa: SIM118
    assert positions[-1] == len(data)
    assert reader.digest.hexdigest() == hashlib.sha256(data).hexdigest()
