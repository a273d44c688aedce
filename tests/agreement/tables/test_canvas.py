"""Marks and words as SVG, and what of a text XML cannot hold."""

from xml.etree import ElementTree

import pytest

from agreement.tables.canvas import Canvas

SVG = "{http://www.w3.org/2000/svg}"


def marks_of(draw):
    """What a drawing has in its file, beside the ground: (tag, attributes, text)."""
    canvas = Canvas(100, 50)
    draw(canvas)
    root = ElementTree.fromstring(canvas.file(title="Any"))  # noqa: S314 - our own
    _, _, _, _, *marks = root
    return [(mark.tag.removeprefix(SVG), mark.attrib, mark.text) for mark in marks]


def words_of(**options):
    [(_, attributes, _)] = marks_of(lambda canvas: canvas.words(10, 20, "text", **options))
    return attributes


def test_line_goes_from_one_place_to_another():
    [mark] = marks_of(lambda canvas: canvas.line(1, 2, 3.25, 4.04, "ax zero"))

    assert mark == (
        "line",
        {"class": "ax zero", "x1": "1", "y1": "2", "x2": "3.2", "y2": "4"},
        None,
    )


def test_box_has_a_corner_and_two_sides():
    [mark] = marks_of(lambda canvas: canvas.box(1, 2, 30, 4, "s1"))

    place = {"x": "1", "y": "2", "width": "30", "height": "4"}
    assert mark == ("rect", {"class": "s1", **place}, None)


def test_trend_is_one_line_through_all_points():
    [mark] = marks_of(lambda canvas: canvas.trend([(0, 1.06), (2, 3), (4.5, 0)]))

    assert mark == ("polyline", {"class": "trend", "points": "0,1.1 2,3 4.5,0"}, None)


def test_words_stand_around_the_middle_of_their_line():
    # The letters of a line of 11 pixels reach 4 below the middle.
    assert words_of() == {"x": "10", "y": "24"}


def test_words_have_a_look_and_a_side_where_they_are_given_one():
    assert words_of(look="quiet", anchor="end") == {
        "class": "quiet",
        "x": "10",
        "y": "24",
        "text-anchor": "end",
    }


def test_file_says_its_size_and_what_it_is_of():
    root = ElementTree.fromstring(  # noqa: S314 - our own
        Canvas(624, 50.5).file(title="A & B", about="All <pairs>.")
    )

    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
        "624",
        "50.5",
        "0 0 624 50.5",
    )
    assert [root.findtext(f"{SVG}{name}") for name in ("title", "desc")] == [
        "A & B",
        "All <pairs>.",
    ]


def test_picture_of_a_page_is_named_for_who_does_not_see_it():
    picture = Canvas(10, 20).svg(title='"A" & B')

    root = ElementTree.fromstring(picture)  # noqa: S314 - our own
    assert (root.get("role"), root.get("aria-label")) == ("img", '"A" & B')
    assert root.get("viewBox") == "0 0 10 20"


@pytest.mark.parametrize("character", ["\x01", "\x0c", "\x1b", "\ufffe", "\uffff"])
def test_what_xml_cannot_hold_is_replaced_wherever_it_stands(character):
    text = f"a{character}b"
    canvas = Canvas(10, 10)
    canvas.words(0, 0, text)

    for drawing in (canvas.file(title=text, about=text), canvas.svg(title=text)):
        ElementTree.fromstring(drawing)  # noqa: S314 - our own
        assert character not in drawing
        assert drawing.count("a\ufffdb") > 1


def test_letters_of_every_script_stay_as_they_are():
    text = "Größe 𝛼 of 論文 \t\N{GRINNING FACE}"

    [(_, _, shown)] = marks_of(lambda canvas: canvas.words(0, 0, text))

    assert shown == text
