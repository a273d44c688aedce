"""Documents of runs that the collection does not have.

A run ranks a whole corpus, so that documents outside the pools are usual. A document that the
collection has neither a text nor a candidate of may be of another corpus.
"""

from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from audit.refusals import Invalid
from datasets.models import Candidate, Collection, Document
from datasets.runs.rankings import Oddity
from formats.literals import rewritten
from formats.records import RunLine
from formats.words import counted

SHOWN = 3
OTHERWISE = "It may be a run on another corpus, or write ids in another way, such as with a prefix."


@dataclass(frozen=True)
class KnownDocuments:
    """The ids of a collection's documents. `coming` are those of files that are to be stored."""

    collection: Collection
    coming: Container[str] = frozenset()

    @cached_property
    def ids(self) -> Set[str]:
        documents = Document.including_inactive.filter(collection=self.collection)
        return self._judged | set(documents.order_by().values_list("external_id", flat=True))

    @cached_property
    def _judged(self) -> set[str]:
        """The ids of candidates, which may have no text, and of documents that are no query."""
        candidates = Candidate.including_inactive.filter(query__collection=self.collection)
        documents = Document.including_inactive.filter(collection=self.collection, queries=None)
        ids = candidates.order_by().values_list("external_id", flat=True)
        return {*ids, *documents.order_by().values_list("external_id", flat=True)}

    def strangers(self, lines: Sequence[RunLine]) -> Oddity:
        """The lines about other documents, and the first of these: one more than is shown, where
        there are more."""
        known, coming = self.ids, self.coming
        names = (line.document for line in lines)
        unknown = [name for name in names if name not in known and name not in coming]
        oddity = Oddity(len(unknown))
        oddity.first = list(dict.fromkeys(unknown))[: SHOWN + 1]
        return oddity

    def refuse_strangers_alone(self, lines: Sequence[RunLine]) -> None:
        """Invalid for a run without a single document of the collection, where it has some."""
        strangers = self.strangers(lines)
        if not self._judged or strangers.count < len(lines):
            return
        names = sorted(self._judged)
        ranked = ", ".join(strangers.first[:SHOWN])
        raise Invalid(
            "None of its documents is one of the collection, which has "
            f"{counted(len(names), 'document')}, such as {', '.join(names[:SHOWN])}. "
            f"The file ranks {ranked}. "
            + (rewritten(strangers.first, self._judged.__contains__) or OTHERWISE)
        )


def strangers_in_words(report: Mapping[str, Any]) -> str:
    """A sentence about the lines that a run's report counts as about unknown documents; else ""."""
    oddity, lines = report.get("strangers", {}), report.get("lines", 0)
    if not (count := oddity.get("count", 0)):
        return ""
    share = f"{100 * count / lines:.0f}%" if 200 * count > lines else "under 1%"
    more = ", …" if len(oddity["first"]) > SHOWN else ""
    verb = "ranks a document" if count == 1 else "rank documents"
    return (
        f"{count:,} of {lines:,} lines ({share}) {verb} that the collection does not have: "
        f"{', '.join(oddity['first'][:SHOWN])}{more}."
    )
