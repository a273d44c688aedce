"""A text under the lens, and the candidate's pane around it, as HTML.

An answer carries a dozen texts with some hundred sentences, while other people wait for their
saves. A template takes ten times as long for each sentence.
"""

import functools
from dataclasses import dataclass
from html import escape
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotation.models import SideText
from annotation.reading.formulas import plain_formulas
from annotation.reading.lens import Lens, Run
from annotation.reading.texts import Sentence

FOLDED = {"before", "between", "after"}


@dataclass(frozen=True)
class LensMarkup:
    """The sentences of a lens as markup.

    `predicted` where a program gave the labels: their rule is dashed; `numbered` where sentences
    have numbers even if they have labels; `asks` where the text is itself the query; `is_open`
    where the reader wants nothing folded.
    """

    lens: Lens
    predicted: bool
    numbered: bool
    asks: bool
    is_open: bool

    @functools.cached_property
    def _size(self) -> str:
        return str(self.lens.size)

    @functools.cached_property
    def _has_numbers(self) -> bool:
        """Whether sentences have numbers: they do if no sentence has a label."""
        return not self.asks and (
            self.numbered
            or not any(sentence.tag for run in self.lens.runs for sentence in run.sentences)
        )

    @functools.cached_property
    def _is_bare(self) -> bool:
        """Nothing stands beside the sentences: nobody has said which of the query ask for what, or
        there is one alone, which needs no number."""
        if self.asks:
            return not self.lens.is_marked and not self.lens.line
        return self._has_numbers and self.lens.size == 1

    @functools.cached_property
    def _is_folded(self) -> bool:
        return self.lens.is_folded

    def html(self) -> SafeString:
        """The folded beginning, then all other sentences in one box."""
        lens, before = self.lens, self.lens.before
        line = (
            f'<p class="ctx-none">{icon("info")}<span>{escape(lens.line)}</span></p>'
            if lens.line
            else ""
        )
        beginning = self._run(before) if before else ""
        rest = "".join(map(self._run, lens.rest))
        return SafeString(f'{line}{beginning}<div class="from">{rest}</div>')

    def _run(self, run: Run) -> str:
        if run.place not in FOLDED:
            return self._sentences(run)
        labels = run.labels
        beside = f'<span class="of">{escape(labels)}</span>' if labels else ""
        return (
            f'<details class="ctx {run.place}"{" open" if self.is_open else ""}>'
            f"<summary><b>{escape(run.words)}</b>{beside}</summary>"
            f"{self._sentences(run)}</details>"
        )

    def _sentences(self, run: Run) -> str:
        ways = {
            "predicted": self.predicted,
            "plain": self._has_numbers,
            "asks": self.asks,
            "bare": self._is_bare,
        }
        classes = " ".join(["sents", *(name for name, holds in ways.items() if holds)])
        lines = [
            f'<li class="{escape(sentence.classes)}" value="{number}">'
            f'<span class="tag">{self._tag(number, sentence)}</span>'
            f'<span class="txt">{escape(plain_formulas(sentence.text))}</span></li>\n'
            for number, sentence in run.numbered
        ]
        return f'<ol class="{classes}" start="{run.start}" dir="auto">{"".join(lines)}</ol>'

    def _tag(self, number: str, sentence: Sentence) -> str:
        """The tag beside a sentence as HTML: its label, or its number."""
        if self.asks:
            hidden_words = '<span class="vh">asks for aspect </span>'
            return hidden_words + escape(sentence.tag) if sentence.is_marked else ""
        if self._has_numbers:
            return number if self._size != "1" else ""
        hidden_words = (
            '<span class="vh">, the facet in question:</span>' if sentence.is_marked else ""
        )
        nth = f'<span class="nth">{number} of {self._size}</span>' if self._is_folded else ""
        return escape(sentence.tag) + hidden_words + nth


@dataclass(frozen=True)
class CandidatePane:
    """The document beside the query, under the same lens.

    `facet_name` is shown where sentences of papers may be labelled with the facet. `number` says
    which of the candidates this is, as "2 of 12", where they are walked through one by one.
    `side_text` is what the pair carries, if anything.
    """

    title: str
    text: LensMarkup
    facet_key: str
    facet_name: str
    is_labelled: bool
    number: str = ""
    side_text: SideText | None = None

    def html(self) -> SafeString:
        title = escape(plain_formulas(self.title)) or "Document without a title"
        text = (
            '<div class="lens-text" tabindex="0" role="group" aria-label="Text of the candidate">'
            f'<div class="inner">{self.text.html()}{self._legend}</div></div>'
        )
        return SafeString(
            '<section class="pane candidate" id="candidate" aria-label="Candidate">'
            f'<div class="lens-head"><p class="eyebrow">{f"Candidate {self.number}".rstrip()}</p>'
            f'<h2 class="doc-title{"" if self.title else " none"}" dir="auto">{title}</h2></div>'
            f"{self._with_side_text(text)}</section>"
        )

    @property
    def _legend(self) -> str:
        lens = self.text.lens
        if not (self.is_labelled and self.text.predicted and lens.is_labelled):
            return ""
        words = "These labels were predicted by a program and may be wrong."
        if lens.is_marked:
            rule = "label predicted by a program: it may be wrong"
            words = f'<span><i class="dash"></i>{escape(self.facet_name)}, {rule}</span>'
        return f'<p class="legend {escape(self.facet_key)}">{words}</p>'

    def _with_side_text(self, text: str) -> str:
        if not self.side_text:
            return text
        beside = render_to_string("annotation/side_text.html", {"side_text": self.side_text})
        return (
            f'<div class="sided">{text}<div class="lens-side" tabindex="0" role="group" '
            f'aria-label="Beside the candidate">{beside}</div></div>'
        )


def wants_whole_texts(user: Any) -> bool:
    """Whether this reader wants nothing folded."""
    return bool(user) and user.display.get("lens") == "whole"


def candidate_pane(
    user: Any, document: Any, lens: Lens, *, predicted: Any, numbered: Any, **details: Any
) -> SafeString:
    """The pane as `user` reads it; `details` are fields of `CandidatePane`."""
    text = LensMarkup(
        lens, bool(predicted), bool(numbered), asks=False, is_open=wants_whole_texts(user)
    )
    return CandidatePane(document.title, text, **details).html()


@functools.cache
def icon(name: str) -> SafeString:
    """An icon as `icon.html` prints it."""
    return render_to_string("icon.html", {"name": name})
