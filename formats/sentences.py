"""The sentences of a query's text, guessed for people to correct, with their links."""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Any

# Quotation marks and brackets; by number those that look like others in code.
_OPENING = "\"'\u201c\u2018([«「『\uff08《【"
_CLOSING = "\"'\u201d\u2019)]»」』\uff09》】"
# A mark that may end a sentence, with closing signs after it. The pattern looks ahead at the first
# word of the next sentence and a point behind it, past white space and opening signs. It begins at
# the first of several marks alone: a row of dots is looked through once, not once from each dot.
_END = re.compile(
    rf"(?<![.?!…])[.?!…]++[{re.escape(_CLOSING)}]*+(?=\s++[{re.escape(_OPENING)}]*+([^\W_]\w*+\.?))"
)
# Marks that end a sentence without white space after them: of Chinese and Japanese, Hindi and its
# neighbours, Arabic and Urdu, Amharic, Burmese, Khmer and Armenian. With closing signs they need
# it, since what follows a quotation mostly belongs to its sentence.
_MARKS = "。｡\uff01\uff1f।॥؟\u06d4።፧။។\u0589"
# They belong to the sentence that they follow.
_EMOJI = "[\u2600-\u27bf\u200d\ufe0f\U0001f000-\U0001faff]*+"
_FULL_STOP = re.compile(
    rf"(?<![{_MARKS}\uff0e])(?:[{_MARKS}]|\uff0e(?!\d))++"
    rf"(?:[{re.escape(_CLOSING)}]++(?=[\s{re.escape(_OPENING)}])|{_EMOJI}(?![{re.escape(_CLOSING)}]))"
)
# After these, and closing signs and emoji behind them, nobody writes a space.
_UNSPACED = re.compile(rf"[。｡\uff0e\uff01\uff1f][」』\uff09》】]*{_EMOJI}\Z")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")

# A point after these ends no sentence: a name or a number follows.
_BINDING = {
    "e.g", "i.e", "cf", "vs", "resp", "approx", "viz", "ca",
    "dr", "prof", "mr", "mrs", "ms", "st",
    "fig", "figs", "eq", "eqs", "eqn", "sec", "secs", "ch", "tab", "ref", "refs", "no", "nos",
    "vol", "pp", "vgl", "bzw", "bzgl", "sog", "insb", "urt", "beschl", "az",
}  # fmt: skip
# Of two words, in French and Spanish.
_BINDING_TWO = {"p.ex", "p.ej"}
# Of these, plain words in other places: they bind a number only.
_BINDING_NUMBERS = {
    "no", "nos", "sec", "secs", "ch", "tab", "ref", "refs", "vol", "pp", "ca", "para", "paras",
    "thm", "thms", "prop", "props", "lem", "cor", "def", "defs",
    "abs", "gem", "nr", "nrn", "rn", "rdnr", "rz", "ziff", "bd", "kap", "abb", "aufl",
}  # fmt: skip
# Of single letters that begin with a small one: "z. B.", "i. S. d.", "e.g.".
_LETTERS = re.compile(r"(?<!\w)(?:[^\W\d_]\.\s*)+[^\W\d_]\Z")
_TIMES = {"a.m", "p.m"}
# German writes ordinals with a point: "am 3. Mai", "die 2. Kammer", "in der II. Instanz". Before
# others than months "am" is none of these words: "I am 45. My knee hurts."
_ORDINAL = re.compile(r"(?:\d{1,2}|[IVX]+)\Z")
_BEFORE_ORDINALS = {
    "der", "die", "das", "den", "dem", "des", "im", "vom", "zum", "zur", "beim",
}  # fmt: skip
_MONTHS = {
    "Januar", "Jänner", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
    "Oktober", "November", "Dezember",
}  # fmt: skip


# Characters that hold the two words before a mark.
LOOKED_BACK = 1000


def split_sentences(text: str) -> list[str]:
    """The sentences of a text in reading order, each without white space around it.

    A sentence ends with ".", "?", "!" or "…" before white space and a capital letter, a digit or a
    letter without case; not after an abbreviation ("e.g.", "et al.", "Fig.") or an initial. The
    full stops of other scripts ("。", "।", "؟") need no white space. An empty line ends one too.
    Inside a sentence every character stays as it was, so that the words of the text are those of
    its sentences, in order.
    """
    return [
        sentence
        for paragraph in _PARAGRAPH.split(text)
        for sentence in _split_paragraph(paragraph)
        if sentence
    ]


def joined(sentences: Iterable[str]) -> str:
    """The text of sentences: a space between two, but after the full stops of Chinese and
    Japanese."""
    parts: list[str] = []
    for sentence in sentences:
        if parts and not _UNSPACED.search(parts[-1]):
            parts.append(" ")
        parts.append(sentence)
    return "".join(parts)


def is_same_text(sentences: Iterable[str], others: Iterable[str]) -> bool:
    """Whether both are one text: where its sentences end is a guess, which gets better."""
    return "".join("".join(sentences).split()) == "".join("".join(others).split())


def _split_paragraph(text: str) -> Iterator[str]:
    start = 0
    for end in _FULL_STOP.finditer(text):
        yield from _split_at_points(text[start : end.end()])
        start = end.end()
    yield from _split_at_points(text[start:])


def _split_at_points(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        # The last words decide; the whole sentence each time would be slow where it has no end.
        before = text[max(start, end.start() - LOOKED_BACK) : end.start()]
        if _ends_sentence(before, end.group(), end.group(1)):
            yield text[start : end.end()].strip()
            start = end.end()
    yield text[start:].strip()


def _ends_sentence(before: str, mark: str, following: str) -> bool:
    if following[0].islower():
        return False
    if not mark.startswith(".") or mark.startswith(".."):
        return True
    words = before.split()
    word = words[-1].lstrip(_OPENING) if words else ""
    previous = words[-2].lstrip(_OPENING) if len(words) > 1 else ""
    lower = word.lower()
    if lower in _BINDING_NUMBERS or word == "Art":
        return not following[0].isdigit()
    if lower in _BINDING or (lower == "al" and previous.lower() == "et"):
        return False
    if previous + word in _BINDING_TWO or _is_letters(words[-4:]):
        return False
    if word == "v" and previous[:1].isupper() and following[0].isupper():
        return False  # the parties of a case: "Roe v. Wade"
    return not (_is_single(word, previous, following) or _is_ordinal(word, previous, following))


def _is_letters(words: list[str]) -> bool:
    """Whether they end with "z. B", "i. S. d" or "e.g", which a time of the day is not."""
    letters = _LETTERS.search(" ".join(words))
    return letters is not None and letters[0][0].islower() and letters[0] not in _TIMES


def _is_single(word: str, previous: str, following: str) -> bool:
    """Whether it is the J of "J. Smith", the S of "S. 14", the i of "i. S. d." or a letter without
    case, as Arabic has for a title; the C of "hepatitis C. The" or "C. 20" is none, nor is "I"."""
    if len(word) != 1 or not word.isalpha() or word == "I":
        return False
    is_caseless = word.lower() == word.upper()
    is_name = word.isupper() and (not previous or previous[0].isupper())
    is_page = following[0].isdigit() and (word.islower() or word == "S")
    return is_caseless or is_name or is_page or following[1:] == "."


def _is_ordinal(word: str, previous: str, following: str) -> bool:
    is_said = previous.lower() in _BEFORE_ORDINALS or following in _MONTHS
    return is_said and not following[0].isdigit() and _ORDINAL.match(word) is not None


def with_links(old: list[dict[str, Any]], texts: list[str]) -> list[dict[str, Any]]:
    """Sentences for new `texts` that keep the links to topics of the `old` ones they come from.

    Both kinds are as in `Query.sentences`. A sentence that was there keeps its links wherever it
    stands. Another one comes from an old one when half of the words of either are found in the
    other, in order: so one that is split, joined with another, or reworded a little stays linked.
    """
    old_words = [
        (word, index) for index, sentence in enumerate(old) for word in sentence["text"].split()
    ]
    new_words = [(word, index) for index, text in enumerate(texts) for word in text.split()]
    matcher = SequenceMatcher(
        a=[word for word, _ in old_words], b=[word for word, _ in new_words], autojunk=False
    )
    shared: dict[tuple[int, int], int] = {}
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            link = old_words[block.a + offset][1], new_words[block.b + offset][1]
            shared[link] = shared.get(link, 0) + 1
    topics_by_text = {sentence["text"]: sentence["topics"] for sentence in old}
    sentences: list[dict[str, Any]] = [
        {"text": text, "topics": list(topics_by_text.get(text, []))} for text in texts
    ]
    for (was, now), words in sorted(shared.items()):
        shorter = min(len(old[was]["text"].split()), len(texts[now].split()))
        if 2 * words >= shorter and texts[now] not in topics_by_text:
            topics = sentences[now]["topics"]
            topics += [topic for topic in old[was]["topics"] if topic not in topics]
    return sentences
