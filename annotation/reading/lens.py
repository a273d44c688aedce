"""A text under the lens of a facet or an aspect: the sentences about it in sight, the rest folded.

Reading order and labels stay as they are: the text is cut into runs, nothing is moved or copied.
"""

from collections import Counter
from dataclasses import dataclass

from annotation.reading.texts import Sentence, ShownQuery
from formats.words import counted

NO_LABELS = "Sentences have no labels here"


@dataclass(frozen=True)
class Run:
    """Sentences that follow each other, all marked or none. `place` says where they stand among
    the marked ones: "before", "between" or "after"; "marked" are these themselves.

    `start` counts from 1 in the whole text.
    """

    place: str
    start: int
    sentences: list[Sentence]

    @property
    def is_marked(self) -> bool:
        return self.place == "marked"

    @property
    def numbered(self) -> list[tuple[str, Sentence]]:
        """The sentences with their numbers in the whole text, as they are printed."""
        return [
            (str(number), sentence) for number, sentence in enumerate(self.sentences, self.start)
        ]

    @property
    def words(self) -> str:
        return f"{counted(len(self.sentences), 'sentence')} {self.place}"

    @property
    def labels(self) -> str:
        """The labels of the folded sentences, as "4 Background, 2 Method"."""
        counts = Counter(sentence.tag for sentence in self.sentences if sentence.tag)
        return ", ".join(f"{count} {tag}" for tag, count in counts.items())


@dataclass(frozen=True)
class Lens:
    """A text in runs. `line` stands above where nothing is folded before the first marked one, so
    that two texts side by side stay level; empty where neither folds anything."""

    runs: list[Run]
    line: str

    @property
    def size(self) -> int:
        return sum(len(run.sentences) for run in self.runs)

    @property
    def before(self) -> Run | None:
        """The folded sentences at the beginning."""
        return self.runs[0] if self.runs and self.runs[0].place == "before" else None

    @property
    def rest(self) -> list[Run]:
        return self.runs[1:] if self.before else self.runs

    @property
    def is_folded(self) -> bool:
        return any(run.place in ("before", "between", "after") for run in self.runs)

    @property
    def is_marked(self) -> bool:
        return any(run.is_marked for run in self.runs)

    @property
    def is_labelled(self) -> bool:
        return any(sentence.tag for run in self.runs for sentence in run.sentences)


def lens(sentences: list[Sentence], *, name: str, nothing: str) -> Lens:
    """`name` is what is marked ("Result", "Aspect A"); `nothing` the line where nothing is."""
    if not any(sentence.is_marked for sentence in sentences):
        runs = [Run("whole", 1, sentences)] if sentences else []
        return Lens(runs, nothing if sentences else "")
    runs = []
    last = max(i for i, sentence in enumerate(sentences) if sentence.is_marked)
    start = 0
    for end in range(1, len(sentences) + 1):
        if end < len(sentences) and sentences[end].is_marked == sentences[start].is_marked:
            continue
        place = "marked" if sentences[start].is_marked else _place(start, last)
        runs.append(Run(place, start + 1, sentences[start:end]))
        start = end
    line = f"{name} begins with the first sentence" if runs[0].is_marked else ""
    return Lens(runs, line)


def _place(start: int, last: int) -> str:
    if start == 0:
        return "before"
    return "between" if start < last else "after"


def query_lens(shown: ShownQuery, facet_name: str) -> Lens:
    """The query's text under the topic's facet or aspect."""
    if facet_name:
        nothing = _nothing_labelled(shown.sentences, facet_name)
        return lens(shown.sentences, name=facet_name, nothing=nothing)
    if shown.aspect and shown.is_linked:
        mark = shown.aspect.mark
        nothing = f"No sentence is linked to aspect {mark}: {_all(shown.sentences)}"
        return lens(shown.sentences, name=f"Aspect {mark}", nothing=nothing)
    return lens(shown.sentences, name="", nothing="")


def candidate_lens(sentences: list[Sentence], shown: ShownQuery, facet_name: str) -> Lens:
    """The document beside it."""
    if facet_name:
        nothing = _nothing_labelled(sentences, facet_name)
        return lens(sentences, name=facet_name, nothing=nothing)
    has_line = bool(query_lens(shown, "").line) or shown.is_marked
    nothing = f"{NO_LABELS}: {_all(sentences)}" if has_line else ""
    return lens(sentences, name="", nothing=nothing)


def _nothing_labelled(sentences: list[Sentence], facet_name: str) -> str:
    has_labels = any(sentence.tag for sentence in sentences)
    why = f"No sentence is labelled {facet_name}" if has_labels else NO_LABELS
    return f"{why}: {_all(sentences)}"


def _all(sentences: list[Sentence]) -> str:
    count = len(sentences)
    return "the text is shown whole" if count == 1 else f"all {count} are shown"
