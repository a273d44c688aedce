"""A labelling interface as a draft: facets, scales, and what is not as in the file."""

import pytest

from annotation.schemes.actions import load_definition
from annotation.schemes.draft import Draft
from annotation.schemes.files import MAX_BYTES
from annotation.schemes.interface import read_brought
from audit.refusals import Invalid

PRESENT = Draft.of_definition(load_definition("csfcube")).definition()


def brought(*tags):
    return read_brought(f"<View>{''.join(tags)}</View>".encode(), "ours.xml", PRESENT)


def rating(name, stars=3):
    return f'<Rating name="{name}" toName="text" maxRating="{stars}"/>'


def test_several_controls_are_a_facet_each_and_share_a_scale_where_it_is_one():
    shared = brought(rating("method"), rating("result")).draft
    apart = brought(rating("method"), rating("result", 4)).draft

    assert [facet.key for facet in shared.facets] == ["method", "result"]
    [scale] = shared.scales
    assert [option.value for option in scale.options] == ["1", "2", "3"]
    assert [len(scale.options) for scale in apart.scales] == [3, 4]


def test_a_heading_is_the_question_and_the_name_of_a_control_is_read_as_words():
    [facet] = brought('<Header value="How alike is it done?"/>', rating("same_method")).draft.facets

    assert (facet.key, facet.name) == ("same_method", "Same method")
    assert facet.question == "How alike is it done?"


def test_a_control_called_relevance_is_plain_relevance():
    assert brought(rating("relevance")).draft.kind == "relevance"


def test_what_an_interface_does_not_say_is_that_of_the_scheme_or_is_asked_for():
    draft = brought(rating("method")).draft

    assert [cause["key"] for cause in draft.causes] == [row["key"] for row in PRESENT["causes"]]
    assert {problem.field for problem in draft.problems()} == {
        "title",
        *(f"facet-0-definition-{place}" for place in range(3)),
    }


def test_names_that_are_no_keys_are_replaced_and_named():
    draft, changes = brought(rating("Relevance Score"), rating("关联"), rating("关联"))

    assert [facet.key for facet in draft.facets] == ["relevance-score", "facet", "facet-2"]
    assert changes[0] == "The control “Relevance Score” is called relevance-score here."


def test_hints_are_definitions_and_keys_that_are_taken_are_others():
    draft, changes = brought(
        '<Choices name="a" toName="t">'
        '<Choice value="No" hotkey="u" hint="Nothing of it"/>'
        '<Choice value="Yes" hotkey="z"/>'
        '<Choice value="yes!" hotkey="2"/></Choices>'
    )

    assert draft.facets[0].definitions == ["Nothing of it", "", ""]
    [scale] = draft.scales
    assert [option.key for option in scale.options] == ["no", "yes", "yes-2"]
    assert [option.shortcut for option in scale.options] == ["0", "z", "2"]
    assert changes == [
        "The grades of “a” do not each have a whole number of their own in the file, from 0 on. "
        "They count from 0 in its order: see that the lowest comes first.",
        "Keys of “a” that are taken here are others now: No (u).",
    ]


@pytest.mark.parametrize("values", [("1 No", "1 Yes"), ("-1 Bad", "0 No"), ("0.5 So", "1 Yes")])
def test_numbers_that_are_not_kept_are_told(values):
    choices = "".join(f'<Choice value="{value}"/>' for value in values)

    draft, [change] = brought(f'<Choices name="a" toName="t">{choices}</Choices>')

    assert [option.value for option in draft.scales[0].options] == ["0", "1"]
    assert "do not each have a whole number of their own in the file, from 0 on" in change


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<View", "ours.xml: it is no XML"),
        (b"\xef\xbb\xbf <a/>", "ours.xml: the outermost tag is <a>"),
        (b'<View><TextArea name="a" toName="t"/></View>', "no control that gives one grade. Text"),
        (b"<\xff", "is not UTF-8"),
        (b"<" * (MAX_BYTES + 1), "larger than a scheme can be"),
        (b"{", "broken JSON"),
    ],
)
def test_what_gives_no_draft_is_refused_with_a_sentence(data, message):
    with pytest.raises(Invalid, match=message):
        read_brought(data, "ours.xml", PRESENT)
