"""Reading TREC topics: XML, SGML whose tags are not closed, lines of id and text.

The words that topics have after their tags ("Number:", "Description:") are no content. A
declaration of XML entities is refused, since resolving one may fill any memory.
"""

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from formats import strict
from formats.files import SourceFile
from formats.literals import identifier_of
from formats.records import Place
from formats.strict import BadTextError, shown
from formats.text_lines import text_lines
from formats.trec.lines import first_lines

MAX_BYTES = 64 << 20
# Each looks at a letter a few times at most, whatever the file holds: what is taken is not given
# back (`*+`), and nothing is looked for inside of a name.
DECLARATION = re.compile(r"<!\s*+(ENTITY|DOCTYPE[^<>\[]*+\[)", re.IGNORECASE)
TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*+)([^<>]*?)(/?)>")
ATTRIBUTE = re.compile(r"""(?<![\w.-])([\w.-]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""")
BLOCKS = {"top", "topic"}
# The tags of thirty years of tracks; TREC-COVID asks in `query` and `question`.
FIELD_OF = {
    **dict.fromkeys(("num", "number", "qid"), "id"),
    "query": "title",
    **dict.fromkeys(("desc", "question"), "description"),
    "narr": "narrative",
}
CONTENT_WORDS = re.compile(
    r"\s*+(Number|Topic|Title|Description|Narrative|Domain|Definition\(s\))\s*+:", re.IGNORECASE
)


@dataclass
class TrecTopic:
    """A topic: id, title, description, narrative; `others` are the texts of other tags."""

    place: Place
    id: str = ""
    title: str = ""
    description: str = ""
    narrative: str = ""
    others: dict[str, str] = field(default_factory=dict)


def looks_like_topics(file: SourceFile) -> bool:
    """Whether a file begins with tags of topics."""
    start = file.start(16384).decode("utf-8", "replace").lower()
    return bool(re.search(r"<(top|topic)[\s>]", start))


def looks_like_lines(file: SourceFile) -> bool:
    """Whether the first lines are an id, a tab and a text, and no header. Where the ids come again
    and again, the lines are a pool: a query and one of its documents."""
    if file.suffix not in (".tsv", ".txt", ".tab"):
        return False
    cells = [line.split("\t") for line in first_lines(file)]
    is_lines = all(len(cell) == 2 and cell[0].strip() and " " not in cell[0] for cell in cells)
    is_pool = 4 * len({cell[0] for cell in cells}) <= 3 * len(cells)
    return bool(cells) and is_lines and not is_pool and not _is_header(cells[0])


def _is_header(cells: list[str]) -> bool:
    names = {"id", "qid", "query-id", "query_id", "query", "text", "topic", "question", "_id"}
    return all(cell.strip().lower() in names for cell in cells)


def read_topics(file: SourceFile) -> Iterator[TrecTopic]:
    """Yield the topics of a file; raises BadTextError where it cannot be read."""
    if looks_like_topics(file):
        yield from _marked_up(file)
    else:
        yield from read_lines(file)


def read_lines(file: SourceFile) -> Iterator[TrecTopic]:
    """Yield (id, text) of each line; raises BadTextError."""
    for number, line in text_lines(file):
        name, tab, text = line.rstrip("\r\n").partition("\t")
        if not line.strip():
            continue
        if not tab:
            raise BadTextError("there is no tab.", "A line is an id, a tab, a text.",
                               f"line {number:,}")  # fmt: skip
        yield TrecTopic(Place(file.name, number), identifier_of(name), text.strip())


def _marked_up(file: SourceFile) -> Iterator[TrecTopic]:
    if file.size > MAX_BYTES:
        raise BadTextError(f"a file of {file.size:,} bytes.", "Topics are small: is this one?")
    content = file.start(MAX_BYTES).removeprefix(strict.BOM)
    strict.check_signature(content[:64], markup=True)
    text = strict.decode(content)
    strict.check_storable(text)
    declaration = DECLARATION.search(text)
    if declaration:
        line = text.count("\n", 0, declaration.start()) + 1
        raise BadTextError(
            "the file declares XML entities.",
            "Remove the declaration, and write the texts in full.",
            f"line {line}",
        )
    yield from _Markup(text, file.name).topics()


class _Markup:
    """Goes through tags; a tag ends where it is closed, or where the next begins."""

    def __init__(self, text: str, name: str):
        self.text, self.name = text, name
        self.line, self.counted = 1, 0

    def topics(self) -> Iterator[TrecTopic]:
        topic: _Parts | None = None
        tag, start = "", 0
        for match in TAG.finditer(self.text):
            closing, name = match[1], match[2].lower()
            if topic is not None and tag:
                topic.put(tag, self.text[start : match.start()])
            tag, start = ("" if closing or match[4] else name), match.end()
            if name not in BLOCKS:
                continue
            tag = ""
            if topic is not None:
                yield topic.whole()
                topic = None
            if not closing:
                topic = _Parts(Place(self.name, self._line_at(match.start())))
                for key, value in ATTRIBUTE.findall(match[3]):
                    topic.put(key.lower(), value.strip("\"'"))
        if topic is not None:
            raise BadTextError(
                "the last topic is not closed.", "Is the end of the file missing?",
                f"line {topic.place.line:,}",
            )  # fmt: skip

    def _line_at(self, position: int) -> int:
        self.line += self.text.count("\n", self.counted, position)
        self.counted = position
        return self.line


class _Parts:
    """The contents of a topic's tags; a tag may come many times, and its texts are joined."""

    def __init__(self, place: Place):
        self.place = place
        self.texts: defaultdict[str, list[str]] = defaultdict(list)

    def put(self, tag: str, text: str) -> None:
        heading = CONTENT_WORDS.match(text)
        content = " ".join(html.unescape(text[heading.end() if heading else 0 :]).split())
        if content:
            self.texts[FIELD_OF.get(tag, tag)].append(content)

    def whole(self) -> TrecTopic:
        place = f"line {self.place.line:,}"
        numbers = self.texts.pop("id", None)
        if not numbers:
            raise BadTextError("a topic without number.", "Every topic has one.", place)
        texts = {field: " ".join(parts) for field, parts in self.texts.items()}
        title, description, narrative = (
            texts.pop(field, "") for field in ("title", "description", "narrative")
        )
        if not (title or description):
            raise BadTextError(
                f"the topic {shown(numbers[0])} asks for nothing.",
                "Write a title or a description.",
                place,
            )
        return TrecTopic(self.place, numbers[0], title, description, narrative, texts)
