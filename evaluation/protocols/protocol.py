"""A protocol: which measures, what counts as relevant, and how topics are put together, as data."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Self

from evaluation.measures import Measure, parse, without_least
from formats.decimals import printed_grade

MOST_MEASURES = 40


class Undefined(StrEnum):
    """The value of a topic on which a measure has none: 0, or the topic is left out."""

    ZERO = "zero"
    LEFT_OUT = "left out"


class Missing(StrEnum):
    """The grade of a pair without a value from the source: unjudged, or the scale's lowest."""

    UNJUDGED = "unjudged"
    LOWEST = "lowest"


class Summary(StrEnum):
    """The summary over topics: their mean; the mean of the means of two folds; the mean of 1,000
    bootstrap means, as BIRCO prints it."""

    MEAN = "mean"
    FOLDS = "mean of folds"
    BOOTSTRAP = "mean of bootstrap means"


@dataclass(frozen=True)
class Protocol:
    """`measures` are names, the first is what runs are sorted by. `least` is the least relevant
    grade for every measure that does not name one. `left_out` are documents that no ranking and no
    topic has. `query_paper_counts`: a query paper that is judged stays among the documents.
    `errors`: standard errors are shown, the standard deviation of 1,000 bootstrap means.
    """

    key: str
    name: str
    measures: tuple[str, ...]
    least: float = 1.0
    undefined: Undefined = Undefined.ZERO
    missing: Missing = Missing.UNJUDGED
    summary: Summary = Summary.MEAN
    query_paper_counts: bool = True
    errors: bool = False
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.measures) <= MOST_MEASURES:
            raise ValueError(
                f"The protocol has {len(self.measures)} measures; expected 1 to {MOST_MEASURES}."
            )
        for name in self.measures:
            parse(name, self.least)

    def relevant_from(self, least: float) -> Self:
        """The same with another least relevant grade, also of measures that name the usual one."""
        measures = tuple(without_least(name, self.least) for name in self.measures)
        return replace(self, measures=measures, least=least)

    @property
    def parsed(self) -> tuple[Measure, ...]:
        return tuple(dict.fromkeys(parse(name, self.least) for name in self.measures))

    def measure(self, name: str) -> Measure:
        """One of its measures, or any other that is asked for by name."""
        return parse(name, self.least)

    @property
    def data(self) -> dict[str, Any]:
        """As it is written down; `read` takes it back."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """ValueError with a sentence for what is no protocol."""
        names = {entry.name for entry in fields(cls)}
        if unknown := sorted(data.keys() - names):
            raise ValueError(
                f"A protocol has no {unknown[0]!r}; expected {', '.join(sorted(names))}."
            )
        try:
            return cls(
                **dict(data)
                | {
                    "measures": tuple(str(measure) for measure in data["measures"]),
                    "least": float(data.get("least", cls.least)),
                    "undefined": Undefined(data.get("undefined", cls.undefined)),
                    "missing": Missing(data.get("missing", cls.missing)),
                    "summary": Summary(data.get("summary", cls.summary)),
                    "left_out": tuple(str(document) for document in data.get("left_out", ())),
                }
            )
        except KeyError as error:
            raise ValueError(f"The protocol lacks {error.args[0]!r}.") from None
        except TypeError:
            raise ValueError("The protocol lacks a key or a name.") from None

    @property
    def in_words(self) -> list[tuple[str, str]]:
        """(what, how), as every table prints it."""
        return [
            ("Protocol", f"{self.name} ({SUMMARIES[self.summary]})"),
            (
                "Relevant",
                f"grade {printed_grade(self.least)} or more, where a measure names no other",
            ),
            ("No value on a topic", UNDEFINED[self.undefined]),
            ("No value from the source", MISSING[self.missing]),
            ("A run without a topic", "counts as 0 there"),
            *([("Standard errors", ERRORS)] if self.errors else []),
            *([("Left out", f"documents {', '.join(self.left_out)}")] if self.left_out else []),
            *([] if self.query_paper_counts else [("Left out", "the query paper itself")]),
        ]


SUMMARIES = {
    Summary.MEAN: "mean over topics",
    Summary.FOLDS: "mean of the means of two folds",
    Summary.BOOTSTRAP: "mean of 1,000 bootstrap means over topics, seed 42",
}

ERRORS = "after \u00b1: the standard deviation of 1,000 bootstrap means over topics"
UNDEFINED = {Undefined.ZERO: "counts as 0", Undefined.LEFT_OUT: "the topic is left out"}
MISSING = {
    Missing.UNJUDGED: "unjudged, so not relevant",
    Missing.LOWEST: "counts as the lowest grade",
}


@cache
def shipped() -> dict[str, Protocol]:
    """The protocols that come with the program, by key, in the order in which they are offered."""
    protocols = [
        Protocol.read(json.loads(file.read_text(encoding="utf-8")))
        for file in sorted(files(__package__).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".json")
    ]
    order = ["trec", "csfcube", "csfcube-topics", "doris-mae", "birco", "litsearch"]
    return {
        protocol.key: protocol
        for protocol in sorted(protocols, key=lambda protocol: order.index(protocol.key))
    }
