"""Rating by program: the seats of one's own, their pairs with texts, saves, handing in.

A collection lets programs rate only where a lead has turned it on, and such ratings say so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from facetwise.connection import Connection
from facetwise.texts import Option, Query, Text, options_of, query_of, text_of


@dataclass(frozen=True)
class Pair:
    """A query and a document as they are read at a position of a seat, and one's answer so far.

    `answers` are the options in the scheme's order, then the reasons why a pair cannot be judged.
    `answer` is the key of what stands, empty for none; `version` counts its saves.
    """

    position: int
    facet: str
    question: str
    query: Query
    document: Text
    side_text: dict[str, str] | None
    answers: list[Option]
    answer: str
    note: str
    version: int
    scheme_version: int
    standing: dict[str, Any] = field(repr=False)


class Seat:
    """A seat that the token's person holds: `for pair in seat.waiting(): seat.rate(pair, …)`."""

    def __init__(self, connection: Connection, home: str, row: dict[str, Any]) -> None:
        self._connection = connection
        self._home = f"{home}/own-seats/{row['id']}"
        self.id: str = row["id"]
        self.size: int = row["size"]
        self.answered: int = row["answered"]
        self.handed_in_at: str | None = row["handed_in_at"]
        self.return_reason: str = row["return_reason"] or ""

    def __repr__(self) -> str:
        return f"Seat({self.id!r}, {self.answered} of {self.size} answered)"

    def queue(self) -> pd.DataFrame:
        """Its pairs in the order of the pages: position, state, is_flagged."""
        rows = self._connection.get(f"{self._home}/pairs").json()
        return pd.DataFrame(rows, columns=["position", "state", "is_flagged"])

    def pair(self, position: int) -> Pair:
        """One pair with both texts."""
        row = self._connection.get(f"{self._home}/pairs/{position}").json()
        standing = row["standing"]
        return Pair(
            position=row["position"],
            facet=row["facet"],
            question=row["question"],
            query=query_of(row["query"]),
            document=text_of(row["document"]),
            side_text=row["side_text"],
            answers=options_of(row["answers"]),
            answer=standing["answer"]["choice"] or "",
            note=standing["answer"]["note"],
            version=int(standing["version"]),
            scheme_version=int(standing["schemeVersion"]),
            standing=standing,
        )

    def waiting(self) -> Iterator[Pair]:
        """The pairs without an answer, in order, each read when it is its turn."""
        queue = self.queue()
        for position in queue.loc[queue["state"] == "open", "position"]:
            yield self.pair(int(position))

    def rate(
        self,
        pair: Pair,
        answer: str,
        *,
        note: str = "",
        is_flagged: bool = False,
        own_reason: str = "",
        active_seconds: float = 0.0,
    ) -> int:
        """Keep an answer, the key of one of `pair.answers`; returns its version.

        A save that may have got lost on its way is sent again and counts once. Refused with 409
        where the answer was changed since the pair was read.
        """
        sent = {
            "answer": answer,
            "based_on": pair.version,
            "scheme_version": pair.scheme_version,
            "note": note,
            "is_flagged": is_flagged,
            "active_seconds": round(active_seconds, 1),
        } | ({"own_reason": own_reason} if own_reason else {})
        path = f"{self._home}/pairs/{pair.position}"
        version = int(self._connection.ask("PUT", path, json=sent).json()["version"])
        self.answered += not pair.answer
        return version

    def hand_in(self) -> None:
        """Close the seat. Every pair needs an answer first."""
        self._connection.ask("POST", f"{self._home}/hand-in")
