"""The labelling interface of a Label Studio project (XML): its controls that give one grade, and
sentences on what else is in it.

Read as of Label Studio 1.23. A document type, and so an entity, is refused.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from formats.strict import BadTextError, shown

STARS = 5  # of a Rating that says no number
MOST_DIGITS = 3
# "2 Similar", "2: Similar", "2 - Similar"
NUMBERED = re.compile(r"(?P<value>\d{1,3})(?:\s*[-:.)=])?\s+(?P<name>\S.*)\Z", re.DOTALL)
WRITTEN_OUT = {"TextArea": "it is free text, and every rating has a note"}


@dataclass(frozen=True)
class Choice:
    """A grade: its name, its number, its key, and what a hint says of it."""

    name: str
    value: str
    hotkey: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Control:
    """A question with one grade as its answer. `question` is the heading right before it.

    `is_numbered`: the file has the numbers of its grades; else they count from 0 in its order.
    """

    name: str
    question: str
    choices: list[Choice]
    is_numbered: bool = True


@dataclass
class Interface:
    """`changes` are sentences on what is not as in the file."""

    controls: list[Control] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)


@dataclass
class Tag:
    name: str
    attributes: Mapping[str, str]
    children: list["Tag"] = field(default_factory=list)

    def get(self, attribute: str) -> str:
        return self.attributes.get(attribute, "").strip()

    @property
    def in_words(self) -> str:
        return f"{self.name} “{self.get('name')}”"

    @property
    def choices(self) -> list["Tag"]:
        return [tag for tag in self.children if tag.name == "Choice"]


def read_interface(text: str) -> Interface:
    """BadTextError with a sentence for what is no labelling interface."""
    root = _parsed(text)
    if root.name != "View":
        raise BadTextError(
            f"the outermost tag is <{root.name}>; expected <View>.",
            "Copy the whole labelling interface.",
        )
    interface = Interface()
    for tag, question in _with_questions(root):
        why = _why_not(tag)
        if why:
            interface.changes.append(f"{tag.in_words} is left out: {why}.")
        elif tag.name == "Rating":
            interface.controls.append(_rating(tag, question))
        else:
            interface.controls.append(_choices(tag, question))
        if not why:
            interface.changes += _changed(tag)
    return interface


def _parsed(text: str) -> Tag:
    outside = Tag("", {})
    path = [outside]

    def start(name: str, attributes: dict[str, str]) -> None:
        tag = Tag(name, attributes)
        path[-1].children.append(tag)
        path.append(tag)

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: path.pop()
    parser.StartDoctypeDeclHandler = _refuse_declaration
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise BadTextError(f"it is no XML: {error}.", "Copy the whole interface.") from None
    return outside.children[0]


def _refuse_declaration(*_: object) -> NoReturn:
    raise BadTextError("it declares a document type.", "Leave the line <!DOCTYPE …> out.")


def _with_questions(root: Tag) -> Iterator[tuple[Tag, str]]:
    """The controls, which are those that name what they are of, in the order of the file, each
    with the words of the heading right before it."""
    waiting = [root]
    heading = ""
    while waiting:
        tag = waiting.pop()
        if tag.get("toName"):
            yield tag, "" if "$" in heading else heading
        else:
            waiting += reversed(tag.children)
        heading = tag.get("value") if tag.name == "Header" else ""


def _why_not(tag: Tag) -> str:
    """Why no scale can be made of a control; "" where one can."""
    if tag.name.endswith("Labels"):
        return "it marks parts of a text or of a picture"
    if tag.name not in ("Choices", "Rating"):
        return WRITTEN_OUT.get(tag.name, "it does not give one grade")
    if "true" in (tag.get("perRegion").lower(), tag.get("perItem").lower()):
        return "it asks for grades of parts, and a pair has one"
    if tag.name == "Rating":
        stars = tag.get("maxRating") or str(STARS)
        is_short = stars.isdecimal() and len(stars) <= MOST_DIGITS
        return "" if is_short and int(stars) > 1 else f"maxRating is {shown(stars)}"
    if tag.get("choice").lower() == "multiple":
        return "it takes several answers at once"
    if not tag.choices:
        return "its choices are not in the file"
    if any(choice.children for choice in tag.choices):
        return "its choices are a tree"
    return ""


def _rating(tag: Tag, question: str) -> Control:
    stars = range(1, int(tag.get("maxRating") or STARS) + 1)
    return Control(tag.get("name"), question, [Choice(str(star), str(star)) for star in stars])


def _choices(tag: Tag, question: str) -> Control:
    numbered = [_numbered(_text_of(choice)) for choice in tag.choices]
    is_numbered = len({value for value, _ in numbered if value}) == len(numbered)
    if not is_numbered:
        numbered = [(str(number), _text_of(choice)) for number, choice in enumerate(tag.choices)]
    choices = [
        Choice(name, value, choice.get("hotkey"), choice.get("hint"))
        for (value, name), choice in zip(numbered, tag.choices, strict=True)
    ]
    return Control(tag.get("name"), question, choices, is_numbered)


def _numbered(text: str) -> tuple[str, str]:
    """(number, name) of "2 Similar"; a number alone is both."""
    if match := NUMBERED.match(text):
        return match["value"], match["name"]
    return (text, text) if text.isdecimal() and len(text) <= MOST_DIGITS else ("", text)


def _text_of(choice: Tag) -> str:
    """As exports have it."""
    return choice.get("alias") or choice.get("value")


def _changed(tag: Tag) -> Iterator[str]:
    """Sentences on how a control that is taken differs here."""
    if tag.get("visibleWhen") or tag.get("whenTagName"):
        yield f"{tag.in_words} was asked under a condition. Here it is asked of every pair."
