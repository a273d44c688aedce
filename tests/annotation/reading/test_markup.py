"""A text under the lens as HTML."""

import pytest
from lxml import html

from annotation.models import SideText
from annotation.reading.lens import lens
from annotation.reading.markup import CandidatePane, LensMarkup
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


def pane(title="A title", *, predicted=True, facet_name="Method", **details):
    view = lens([sentence("one", is_marked=True)], name="Method", nothing="")
    text = LensMarkup(view, predicted, numbered=False, asks=False, is_open=False)
    details = {"facet_key": "method", "is_labelled": True} | details
    return html.fromstring(CandidatePane(title, text, facet_name=facet_name, **details).html())


def test_all_that_a_candidate_brings_is_escaped():
    side_text = SideText(title="<i>side</i>", text="<i>beside</i>")

    page = pane("<i>$N$</i>", facet_name="<i>facet</i>", side_text=side_text)

    assert page.xpath("//*[contains(@class, 'doc-title')]")[0].text == "<i>N</i>"
    assert page.xpath("//*[@class='legend method']")[0].text_content().startswith("<i>facet</i>,")
    assert page.xpath("//*[@class='lens-side']//h3/text()") == ["<i>side</i>"]
    assert page.xpath("//*[@class='lens-side']//p/text()") == ["<i>beside</i>"]


def test_a_candidate_without_a_title_says_so():
    [title] = pane("").xpath("//h2")

    assert (title.text, title.get("class")) == ("Document without a title", "doc-title none")


@pytest.mark.parametrize(("number", "words"), [("", "Candidate"), ("2 of 12", "Candidate 2 of 12")])
def test_candidates_that_are_walked_through_are_counted(number, words):
    assert pane(number=number).xpath("//*[@class='eyebrow']/text()") == [words]


@pytest.mark.parametrize(
    ("details", "shown"), [({}, 1), ({"predicted": False}, 0), ({"is_labelled": False}, 0)]
)
def test_labels_of_a_program_are_called_so(details, shown):
    assert len(pane(**details).xpath("//*[contains(@class, 'legend')]")) == shown
