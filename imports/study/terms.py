"""The option that a file's literal means in a collection's scheme, guessed for people to
correct."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from annotation.models import Option, Scheme
from formats.decimals import printed_grade
from formats.literals import decimal_of
from imports.answers import options_by_value

# What a literal can stand for that is no option, such as "n/a" or a choice "Skip".
CANNOT_JUDGE = "cannot-judge"
# {facet: {literal: key of an option, or that}}; the facet is "" where all share a scale.
Grades = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Matching:
    """People's matching of the values in files: grades to options, and raters to members.

    `people` is {name in the file: public id of a member}.
    """

    grades: Grades = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Matching":
        return cls(grades=settings.get("grades", {}), people=settings.get("people", {}))


class Terms:
    """The options of a scheme, and which of them each literal stands for."""

    def __init__(self, scheme: Scheme, grades: Grades) -> None:
        self.scheme = scheme
        self.version = scheme.current
        self.grades = grades
        self._known: dict[tuple[str, str], Option | None] = {}
        self._by_value: dict[str, dict[Decimal, Option]] = {}

    def scale(self, facet: str) -> str:
        """Under which name the options of a facet are matched: "" where all share a scale."""
        return "" if self.scheme.shares_a_scale else facet

    def options(self, facet: str) -> list[Option]:
        return list(self.scheme.scale_of(facet).option_list)

    def is_ordinal(self, facet: str) -> bool:
        """Whether the options of a facet have an order."""
        return self.scheme.scale_of(facet).is_ordinal

    def names(self, facet: str) -> dict[str, str]:
        """{option key: its name}, of those that people choose from."""
        options = self.version.words.options_for(facet)
        return {key: words.name for key, words in options.items()}

    def label(self, facet: str, option: Option, between: str = " · ") -> str:
        name = self.names(facet).get(option.key, option.key)
        return f"{printed_grade(option.value)}{between}{name}"

    def option(self, facet: str, literal: str) -> Option | None:
        """The option of a literal, as a person chose or as it is guessed; None if it is open."""
        key = (self.scale(facet), literal)
        if key not in self._known:
            key_chosen = self.grades.get(key[0], {}).get(literal)
            options = {option.key: option for option in self.options(facet)}
            self._known[key] = options.get(key_chosen) if key_chosen else self.guess(facet, literal)
        return self._known[key]

    def is_cannot_judge(self, facet: str, literal: str) -> bool:
        """Whether a person said that the literal is no grade. An option of that key goes before."""
        chosen = self.grades.get(self.scale(facet), {}).get(literal)
        return chosen == CANNOT_JUDGE and self.option(facet, literal) is None

    def guess(self, facet: str, literal: str) -> Option | None:
        """The option by its value, its key or name, or both behind each other ("2 Similar"). None
        where these name two: which of them was meant is for people to say."""
        text = " ".join(literal.split()).casefold()
        if option := self._of_value(facet, text) or self._of_name(facet, text):
            return option
        first, _, name = text.partition(" ")
        number = first.rstrip(".:)-=")
        # Any other word before a name may turn it round: "not relevant" is not "relevant".
        if _number_in(number) is None:
            return None
        by_name, by_value = self._of_name(facet, name), self._of_value(facet, number)
        if by_name and by_value and by_name.value != by_value.value:
            return None
        return by_name or by_value

    def _of_value(self, facet: str, text: str) -> Option | None:
        scale = self.scale(facet)
        if scale not in self._by_value:
            self._by_value[scale] = options_by_value(self.scheme.scale_of(facet))
        number = _number_in(text)
        return None if number is None else self._by_value[scale].get(number)

    def _of_name(self, facet: str, text: str) -> Option | None:
        names = self.names(facet)
        for option in self.options(facet):
            if text in (option.key.casefold(), names.get(option.key, "").casefold()) and text:
                return option
        return None


def _number_in(text: str) -> Decimal | None:
    """The finite number that a text is."""
    try:
        # Spreadsheets of many languages write 2,0.
        number = decimal_of(text)
        number = Decimal(text) if number is None else number
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
