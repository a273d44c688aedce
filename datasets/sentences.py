"""The sentences of a query's text: a pure function that guesses, for people to correct."""

import re

# Quotation marks and brackets, the curly ones by number: in code they look like others.
_OPENING = "\"'\u201c\u2018([«"
_CLOSING = "\"'\u201d\u2019)]»"
# A mark that may end a sentence and what may close after it; the first letter or digit after white
# space and what may open the next sentence is looked at and left.
_END = re.compile(rf"[.?!…]++[{re.escape(_CLOSING)}]*+(?=\s++[{re.escape(_OPENING)}]*+([^\W_]))")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")

# After these a point ends no sentence, whatever follows: something they belong to does.
_BINDING = {
    "e.g", "i.e", "cf", "vs", "resp", "approx", "viz", "ca",
    "dr", "prof", "mr", "mrs", "ms", "st",
    "fig", "figs", "eq", "eqs", "eqn", "sec", "secs", "ch", "tab", "ref", "refs", "no", "nos",
    "vol", "pp",
}  # fmt: skip
# Of these, plain words in other places: they bind a number only.
_BINDING_NUMBERS = {"no", "nos", "sec", "secs", "ch", "tab", "ref", "refs", "vol", "pp", "ca"}


def split_sentences(text):
    """The sentences of a text in reading order, each without white space around it.

    A sentence ends with ".", "?", "!" or "…" before white space and a capital letter, a digit or a
    letter without case; not after an abbreviation ("e.g.", "et al.", "Fig.") or an initial. An
    empty line ends one too. Inside a sentence every character stays as it was, so that the words
    of the text are those of its sentences, in order.
    """
    return [
        sentence
        for paragraph in _PARAGRAPH.split(text)
        for sentence in _split_paragraph(paragraph)
        if sentence
    ]


def _split_paragraph(text):
    start = 0
    for end in _END.finditer(text):
        if _ends_sentence(text[start : end.start()], end.group(), end.group(1)):
            yield text[start : end.end()].strip()
            start = end.end()
    yield text[start:].strip()


def _ends_sentence(before, mark, following):
    if following.islower():
        return False
    if not mark.startswith(".") or mark.startswith(".."):
        return True
    words = before.split()
    word = words[-1].lstrip(_OPENING) if words else ""
    lower = word.lower()
    if lower in _BINDING_NUMBERS:
        return not following.isdigit()
    if lower in _BINDING or (lower == "al" and len(words) > 1 and words[-2].lower() == "et"):
        return False
    return not _is_initial(word, words[-2] if len(words) > 1 else "")


def _is_initial(word, previous):
    """Whether it is the J of "J. Smith"; the C of "vitamin C. The" is none, nor is "I"."""
    is_letter = len(word) == 1 and word.isupper() and word != "I"
    return is_letter and (not previous or previous[0].isupper())
