"""Adjudicating by program: the disputed pairs with their ratings, and decisions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from facetwise.connection import Connection
from facetwise.texts import Option, Query, Text, options_of, query_of, text_of


@dataclass(frozen=True)
class Case:
    """A disputed pair as its adjudicator reads it.

    `ratings` has a row for each rater, by letter; None while the scheme asks for a first grade of
    one's own. `causes` are the keys that a decision may name. `decision` is the id of one's own
    decision that stands, `reopened` why a lead reopened the pair.
    """

    id: str
    topic: str
    facet: str
    question: str
    query: Query
    document: Text
    side_text: dict[str, str] | None
    options: list[Option]
    causes: list[str]
    ratings: pd.DataFrame | None
    decision: str | None
    reopened: str | None


class Desk:
    """The adjudicator's queue: `for case in desk.waiting(): desk.decide(case, …)`."""

    def __init__(self, connection: Connection, home: str) -> None:
        self._connection = connection
        self._home = f"{home}/adjudication"

    def queue(self) -> pd.DataFrame:
        """The waiting disputes, in the order of the pages: pair, topic, facet, title."""
        return pd.DataFrame(
            self._connection.rows(self._home), columns=["pair", "topic", "facet", "title"]
        )

    def case(self, pair: str) -> Case:
        """One pair, by its public id."""
        row = self._connection.get(f"{self._home}/{pair}").json()
        decision = row["decision"]
        return Case(
            id=row["id"],
            topic=row["topic"],
            facet=row["facet"],
            question=row["question"],
            query=query_of(row["query"]),
            document=text_of(row["document"]),
            side_text=row["side_text"],
            options=options_of(row["options"]),
            causes=[cause["key"] for cause in row["causes"]],
            ratings=None if row["ratings"] is None else pd.DataFrame(row["ratings"]),
            decision=decision and decision["id"],
            reopened=row["reopened"],
        )

    def waiting(self) -> Iterator[Case]:
        """The waiting disputes, each read when its turn comes."""
        for pair in self.queue()["pair"]:
            yield self.case(pair)

    def decide(
        self, case: Case, option: str | None, *, reason: str = "", cause: str = ""
    ) -> dict[str, Any]:
        """Set the pair's gold to an option by its key; None leaves the pair out, with a reason.

        Returns what was `kept`: the decision with its `id`, or a first grade where the scheme asks
        for one before it shows the ratings. Raises TypeError where `option` is neither: tables
        hold NaN where a rater could not judge.
        """
        if not (option is None or isinstance(option, str)):
            raise TypeError(f"an option is named by its key, not by {option!r}; None leaves it out")
        sent = {"option": option, "reason": reason, "cause": cause}
        if case.decision:
            sent["based_on"] = case.decision
        return dict(self._connection.ask("POST", f"{self._home}/{case.id}", json=sent).json())
