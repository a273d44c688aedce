"""Problems of an input, collected, so that people see all of them at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from formats.records import Place
from formats.strict import BadTextError

SHOWN_PROBLEMS = 100
# What a table of all problems may hold.
KEPT_PROBLEMS = 5_000


@dataclass(frozen=True)
class Problem:
    """One thing wrong: in which file, where in it (line or key), what, and what helps.

    `about` is the topic, by its external id, whose stored ratings the message quotes.
    """

    file: str
    place: str
    message: str
    remedy: str = ""
    about: str = ""
    # Apart from `place` where they are known, to sort by and for tables.
    line: int = 0
    column: str = ""

    def __str__(self) -> str:
        location = f"{self.file}, {self.place}" if self.place else self.file
        return f"{location}: {self.message}" + (f" {self.remedy}" if self.remedy else "")


class BadInputError(ValueError):
    """The input is refused. `problems` are the first hundred of `total`, `kept` some more."""

    def __init__(self, problems: list[Problem], total: int) -> None:
        self.kept, self.total = problems, total
        self.problems = problems[:SHOWN_PROBLEMS]
        super().__init__(self.sentence)

    @property
    def sentence(self) -> str:
        if self.total == 1:
            return "There is 1 problem with the input. Nothing was stored."
        listed = len(self.problems)
        shown = ""
        if self.total > SHOWN_PROBLEMS:
            shown = f" The first {listed} are listed."
        elif self.total > listed:
            shown = f" Listed: {listed}. The others are the same in further rows."
        return f"There are {self.total:,} problems with the input. Nothing was stored.{shown}"


class Problems:
    """Collects problems; keeps the first thousands and counts the rest."""

    def __init__(self) -> None:
        self.kept: list[Problem] = []
        self.total = 0

    @property
    def first(self) -> list[Problem]:
        return self.kept[:SHOWN_PROBLEMS]

    def add(
        self, file: str, place: str, message: str, remedy: str = "", *, about: str = ""
    ) -> None:
        self.total += 1
        if len(self.kept) < KEPT_PROBLEMS:
            self.kept.append(Problem(file, place, message, remedy, about))

    def at(self, place: Place, message: str, remedy: str = "", *, about: str = "") -> None:
        """The same, with the place of a record."""
        self.total += 1
        if len(self.kept) < KEPT_PROBLEMS:
            self.kept.append(
                Problem(place.file, place.inside, message, remedy, about, place.line, place.column)
            )

    @contextmanager
    def of(self, file: str) -> Iterator[None]:
        """A file, as it is read: text that cannot be read further is a problem of it."""
        try:
            yield
        except BadTextError as error:
            self.add(file, error.place, error.message, error.remedy)

    def raise_any(self) -> None:
        if self.total:
            raise BadInputError(self.kept, self.total)
