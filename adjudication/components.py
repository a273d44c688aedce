"""The key components of several raters side by side: which of them differ."""

from dataclasses import dataclass
from typing import Any

from annotation.rating.components import WORDS


@dataclass(frozen=True)
class Cell:
    """One rater's mark of a component; `word` is empty if the rater does not have the component."""

    rater: Any
    word: str
    differs: bool


@dataclass(frozen=True)
class Line:
    """A component, in the words of the first rater who has it."""

    text: str
    cells: list[Cell]

    @property
    def holders(self):
        return [cell.rater for cell in self.cells if cell.word]

    @property
    def is_one_sided(self):
        """Some of the raters who split the aspect do not have it."""
        return len(self.holders) < len(self.cells)

    @property
    def differs(self):
        return any(cell.differs for cell in self.cells)


class Comparison:
    """Lines that differ, lines that only some raters have, and lines on which all agree.

    Two components are one when their texts are the same up to white space and case. Raters who
    did not split the aspect have no column; with fewer than one column there is nothing to show.
    """

    def __init__(self, raters):
        self.raters = [rater for rater in raters if rater.rating.components]
        self.without = [rater for rater in raters if not rater.rating.components]
        lines = self._lines()
        self.size = len(lines)
        self.differing = [line for line in lines if line.differs]
        self.one_sided = [line for line in lines if line.is_one_sided and not line.differs]
        self.same = [line for line in lines if not line.is_one_sided and not line.differs]

    def __bool__(self):
        return bool(self.raters)

    def _lines(self):
        texts, marks = {}, {}
        for rater in self.raters:
            for component in rater.rating.components:
                key = same_text(component["text"])
                texts.setdefault(key, component["text"])
                marks.setdefault((key, rater.letter), component["met"])
        return [self._line(key, text, marks) for key, text in texts.items()]

    def _line(self, key, text, marks):
        row_marks = [marks.get((key, rater.letter)) for rater in self.raters]
        differs = len({met for met in row_marks if met}) > 1
        cells = [
            Cell(rater, str(WORDS.get(met, "")), differs and met is not None)
            for rater, met in zip(self.raters, row_marks, strict=True)
        ]
        return Line(text, cells)


def same_text(text):
    """The text without the differences of spelling that do not count."""
    return " ".join(text.split()).casefold()
