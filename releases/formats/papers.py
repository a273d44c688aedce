"""The texts of papers as retrieval formats hold them: one title, one text."""

from formats.doris_mae.entries import UNTITLED
from formats.papers import Paper
from formats.sentences import joined


def title_of(paper: Paper) -> str:
    """Its title; "" where an import only gave it a name because it had none."""
    return "" if paper.title == UNTITLED.format(paper.paper_id) else paper.title


def text_of(paper: Paper, labels: list[str] | None = None) -> str:
    """Its sentences, or those with one of these labels, as one text."""
    return joined(
        sentence["text"]
        for sentence in paper.sentences
        if labels is None or sentence["label"] in labels
    )
