"""A text under the lens as HTML."""

import pytest
from lxml import html

from annotation.reading.lens import lens
from annotation.reading.markup import LensMarkup
from annotation.reading.texts import Sentence


def sentence(text, tag="Method", *, is_marked=False):
    return Sentence(text, tag=tag, facet="method", is_marked=is_marked)


def printed(sentences, *, predicted=False, numbered=False, asks=False, is_open=False):
    view = lens(sentences, name="Method", nothing="Nothing is labelled Method")
    return html.fromstring(LensMarkup(view, predicted, numbered, asks, is_open).html())


def test_texts_and_labels_are_escaped_wherever_they_stand():
    nasty = sentence("<b>1 & 2</b>", tag="<i>", is_marked=True)

    for ways in ({}, {"asks": True}, {"numbered": True}):
        page = printed([sentence("before"), nasty], **ways)

        assert page.xpath("//*[@class='txt']")[-1].text == "<b>1 & 2</b>"
        assert not page.xpath("//i | //li//b")


def test_what_is_not_about_the_facet_is_folded_with_its_count():
    page = printed([sentence("one"), sentence("two", is_marked=True), sentence("three")])

    assert page.xpath("//details/summary/b/text()") == ["1 sentence before", "1 sentence after"]
    assert page.xpath("//details[@open]") == []
    assert page.xpath("//*[@class='nth']/text()") == ["1 of 3", "2 of 3", "3 of 3"]
    assert page.xpath("//ol/@start") == ["1", "2", "3"]
    assert "".join(page.xpath("//*[@class='from']//*[@class='txt']/text()")) == "twothree"


def test_a_reader_of_whole_texts_finds_nothing_closed():
    page = printed([sentence("one"), sentence("two", is_marked=True)], is_open=True)

    assert len(page.xpath("//details[@open]")) == 1


@pytest.mark.parametrize(
    ("ways", "classes", "tags"),
    [
        ({"predicted": True}, "sents predicted", ["Method", "Method, the facet in question:"]),
        ({"numbered": True}, "sents plain", ["1", "2"]),
        ({"asks": True}, "sents asks", ["", "asks for aspect Method"]),
    ],
)
def test_sentences_carry_their_label_or_their_number(ways, classes, tags):
    page = printed([sentence("one"), sentence("two", is_marked=True)], **ways)

    assert set(page.xpath("//ol/@class")) == {classes}
    shown = [
        tag.text_content().removesuffix(f"{n} of 2")
        for n, tag in enumerate(page.xpath("//*[@class='tag']"), 1)
    ]
    assert shown == tags


def test_sentences_are_numbered_where_none_has_a_label():
    bare, labelled = sentence("one", tag=""), sentence("two")

    assert printed([bare, bare]).xpath("//*[@class='tag']/text()") == ["1", "2"]
    assert printed([bare, labelled]).xpath("//*[@class='tag']/text()") == ["Method"]


def test_a_single_sentence_without_label_has_no_number_and_no_room_for_one():
    page = printed([sentence("one")], numbered=True)

    assert page.xpath("//*[@class='tag']/text()") == []
    assert page.xpath("//ol/@class") == ["sents plain bare"]


def test_nothing_stands_beside_a_query_of_which_no_sentence_is_linked():
    view = lens([sentence("one", tag="")], name="", nothing="")
    linked = lens([sentence("one", tag="")], name="Aspect A", nothing="None is linked to A")

    classes = [
        html.fromstring(LensMarkup(each, False, False, True, False).html()).xpath("//ol/@class")
        for each in (view, linked)
    ]

    assert classes == [["sents asks bare"], ["sents asks"]]
