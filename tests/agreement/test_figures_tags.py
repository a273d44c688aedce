"""Rows as HTML: what people wrote is text wherever it stands."""

import lxml.html
import pytest

from agreement.tables.cells import Words
from agreement.tables.shown import ShownTable
from agreement.tables.table import Beside, Column, Grid, Head, Kind, Table
from agreement.templatetags.figures import rows_html, words_html

EVIL = "\"><script>alert('1')</script>&amp;"


def body_of(table):
    return lxml.html.fromstring(f"<table>{rows_html(ShownTable(table, str))}</table>")


@pytest.mark.parametrize(
    "beside",
    [
        Beside(),
        Beside(links={"words": f"/there/?{EVIL}"}, below={"words": EVIL}),
        Beside(head=Head(EVIL, f"/there/?{EVIL}", (EVIL,))),
        Beside(missing={"value": EVIL}, why={"value": EVIL}),
        Beside(instead=EVIL),
    ],
    ids=["texts", "links", "head", "missing", "instead"],
)
def test_what_people_wrote_is_text_in_every_part_of_a_row(beside):
    columns = (Column("name", "Name"), Column("words", "Words"), Column("value", "V", Kind.NUMBER))

    body = body_of(Table("key", "Title", columns, [(EVIL, EVIL, None)], beside=[beside]))

    assert not body.xpath("//script")
    assert EVIL in body.xpath("//th")[0].text_content()
    texts = [*body.xpath("//th//text() | //td//text()"), *body.xpath("//@title | //@href")]
    assert {text.removeprefix("/there/?") for text in texts} - {EVIL} <= {"–", " "}


def test_values_of_a_scale_are_text_in_small_cross_tables():
    columns = (Column("name", "Name"), Column("pairs", "Pairs", Kind.COUNT))
    grid = Grid("Grid", "pairs", [EVIL, "1"], "first", "second")
    beside = [Beside(grid=[[1, 2], [3, 4]])]

    body = body_of(Table("key", "Title", columns, [("A", 10)], beside=beside, grid=grid))

    [drawing] = body.xpath("//*[@role='img']")
    assert EVIL in drawing.get("aria-label")
    assert [child.tag for child in drawing] == ["svg"]


def test_words_after_a_link_stand_outside_it():
    text = words_html(Words("3", "/there/?a=1&b=2", "3 pairs", "opens", " of 4"))

    assert text == '<a class="opens" href="/there/?a=1&amp;b=2" aria-label="3 pairs">3</a> of 4'
