"""The texts of a pair, and its possible answers."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Text:
    """A title and sentences, each with its label, which is empty where it has none."""

    title: str
    sentences: list[str]
    labels: list[str]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Query(Text):
    """What is searched for, with TREC's description and narrative, empty where it has none."""

    description: str
    narrative: str


@dataclass(frozen=True)
class Option:
    """An option by its key."""

    key: str
    name: str
    definition: str


def text_of(row: dict[str, Any]) -> Text:
    sentences = row["sentences"]
    return Text(
        row["title"],
        [sentence["text"] for sentence in sentences],
        [sentence["label"] for sentence in sentences],
    )


def query_of(row: dict[str, Any]) -> Query:
    text = text_of(row)
    return Query(text.title, text.sentences, text.labels, row["description"], row["narrative"])


def options_of(rows: list[dict[str, str]]) -> list[Option]:
    return [Option(row["key"], row["name"], row["definition"]) for row in rows]
