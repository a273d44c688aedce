"""The labelling interface of a Label Studio project: what becomes a control, and what is left."""

import pytest

from formats.peers.label_studio_interface import Choice, Control, read_interface
from formats.strict import BadTextError


def view(*tags):
    return f"<View>{''.join(tags)}</View>"


def choices(*texts, **attributes):
    given = {"name": "grade", "toName": "text", **attributes}
    written = " ".join(f'{name}="{value}"' for name, value in given.items())
    inside = "".join(f'<Choice value="{text}"/>' for text in texts)
    return f"<Choices {written}>{inside}</Choices>"


def test_grades_with_numbers_keep_them_and_the_heading_before_is_the_question():
    text = view(
        '<Text name="text" value="$text"/>',
        '<Header value="How similar?"/>',
        choices("0 Irrelevant", "1: Related", "2 - Similar"),
    )

    interface = read_interface(text)

    assert interface.controls == [
        Control(
            "grade",
            "How similar?",
            [Choice("Irrelevant", "0"), Choice("Related", "1"), Choice("Similar", "2")],
        )
    ]
    assert interface.changes == []


@pytest.mark.parametrize(
    "texts", [("No", "Yes"), ("1 No", "Yes"), ("1 No", "1 Yes"), ("2-3 papers", "4-5")]
)
def test_grades_without_numbers_count_from_0_in_their_order(texts):
    [control] = read_interface(view(choices(*texts))).controls

    assert [(choice.value, choice.name) for choice in control.choices] == list(
        zip(("0", "1"), texts, strict=True)
    )
    assert not control.is_numbered


def test_an_alias_is_the_name_and_keys_and_hints_are_kept():
    choice = '<Choice value="Not at all" alias="0" hotkey="n" hint="Nothing of it"/>'
    text = view(f'<Choices name="a" toName="t">{choice}<Choice value="1"/></Choices>')

    [control] = read_interface(text).controls

    assert control.choices == [Choice("0", "0", "n", "Nothing of it"), Choice("1", "1")]


@pytest.mark.parametrize(("stars", "highest"), [('maxRating="4"', "4"), ("", "5")])
def test_stars_count_from_1(stars, highest):
    [control] = read_interface(view(f'<Rating name="a" toName="t" {stars}/>')).controls

    assert [control.choices[0].value, control.choices[-1].name] == ["1", highest]


def test_a_heading_from_the_tasks_or_not_right_before_is_no_question():
    text = view(
        '<Header value="Facet: $facet"/>',
        '<Rating name="a" toName="t"/>',
        '<Header value="Paper"/><Text name="t" value="$t"/>',
        '<View><Rating name="b" toName="t"/></View>',
    )

    assert [control.question for control in read_interface(text).controls] == ["", ""]


@pytest.mark.parametrize(
    ("tag", "why"),
    [
        ('<TextArea name="a" toName="t"/>', "it is free text, and every rating has a note"),
        ('<Labels name="a" toName="t"/>', "it marks parts of a text or of a picture"),
        ('<BrushLabels name="a" toName="t"/>', "it marks parts of a text or of a picture"),
        ('<Taxonomy name="a" toName="t"/>', "it does not give one grade"),
        ('<Rating name="a" toName="t" maxRating="many"/>', "maxRating is 'many'"),
        ('<Rating name="a" toName="t" perRegion="true"/>', "it asks for grades of parts"),
        (choices("1", "2", name="a", choice="multiple"), "it takes several answers at once"),
        (choices(name="a", value="$options"), "its choices are not in the file"),
        (
            '<Choices name="a" toName="t"><Choice value="1"><Choice value="2"/></Choice></Choices>',
            "its choices are a tree",
        ),
    ],
)
def test_what_gives_no_single_grade_is_left_out_with_a_sentence(tag, why):
    interface = read_interface(view(tag))

    assert interface.controls == []
    [sentence] = interface.changes
    assert "“a” is left out: " in sentence
    assert why in sentence


def test_a_condition_is_named_and_the_control_is_taken():
    interface = read_interface(view(choices("0", "1", visibleWhen="choice-selected")))

    assert len(interface.controls) == 1
    assert interface.changes == [
        "Choices “grade” was asked under a condition. Here it is asked of every pair."
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<View>", "it is no XML"),
        ("<View/><View/>", "it is no XML"),
        ("<html></html>", "the outermost tag is <html>; expected <View>"),
        ('<!DOCTYPE View [<!ENTITY a "b">]><View>&a;</View>', "it declares a document type"),
        ("<View>&a;</View>", "it is no XML"),
        ("<View>" * 100_000, "it is no XML"),
        (f"{'<a>' * 100_000}{'</a>' * 100_000}", "expected <View>"),
    ],
    ids=["open", "two", "page", "entity", "unknown entity", "deep", "deep and whole"],
)
def test_anything_else_is_refused(text, message):
    with pytest.raises(BadTextError, match=message):
        read_interface(text)
