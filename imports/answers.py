"""Ratings made elsewhere, in the terms of a collection: options, and batches to be."""

from dataclasses import dataclass
from typing import NamedTuple

from annotation.models import Option
from formats.records import Place

# Rating files say that somebody gave no rating, not why.
NOT_IN_FILE = "No rating in the imported file"
NOWHERE = Place("")


class Answer(NamedTuple):
    """One rater's answer for a pair: an option, or the reason why they could not judge it.

    `place` is the place of the answer in a file, or of the pair.
    """

    option: Option | None
    reason: str = ""
    note: str = ""
    place: Place = NOWHERE


@dataclass(frozen=True)
class BatchRatings:
    """Ratings made elsewhere that become one batch, of one topic or of many.

    `annotators` are names in the file, in seat order; `answers` maps (topic, document), by
    external ids and in the file's order, to what each of them gave. Their seats are handed in;
    where `overlap` asks for more, the others are free, and the pairs wait for them.
    """

    name: str
    annotators: list[str]
    answers: dict[tuple[str, str], list[Answer]]
    overlap: int = 0

    @property
    def seats(self) -> int:
        return max(self.overlap, len(self.annotators))

    @property
    def count(self):
        return len(self.annotators) * len(self.answers)


def options_by_value(scale):
    """{value: the option that an imported value of a scale stands for}.

    Where options share a value, nobody knows which of them was chosen; only an option made for
    imports can stand for it.
    """
    options = {}
    for option in sorted(scale.option_list, key=lambda option: option.is_import_only):
        if option.value in options and not option.is_import_only:
            options[option.value] = None
        else:
            options[option.value] = option
    return {value: option for value, option in options.items() if option}
