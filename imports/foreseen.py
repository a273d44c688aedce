"""The counts of a dry run in sentences, for the command."""

from collections.abc import Iterator, Mapping
from typing import Any

from formats.words import counted
from imports.run import added_in_words


def counts_in_words(counts: Mapping[str, Any]) -> Iterator[str]:
    yield "Dry run: nothing was written."
    added = added_in_words(counts)
    changed = counts["changed"]
    also = f"; {counted(changed, 'stored entry')} would be updated" if changed else ""
    yield f"{added or 'Nothing'} would be added{also}."
    if not_rated := counts.get("not_rated"):
        yield (
            "Ratings that are “cannot judge: not rated”, since others of the batch rated the "
            f"pair: {not_rated:,}."
        )
    if rated := counts.get("rated_pairs"):
        decided = f", {counts['decided']:,} are decided" if counts["decided"] else ""
        yield (
            f"Of {counted(rated, 'rated pair')} {counts['agreed']:,} agree by the rule{decided} "
            f"and {counts['to_adjudicate']:,} go to the adjudicator's queue."
        )
    to_rate = counts.get("to_rate")
    if (short := counts.get("short")) and not to_rate:
        yield (
            f"Rated pairs with fewer ratings than the scheme asks for: {short:,}. They are taken "
            "for finished; where the others are still to come, add --answers-to-come."
        )
    if to_rate:
        yield (
            f"Pairs with fewer ratings than their overlap: {to_rate:,}. They stay undecided, and "
            "their batches have free seats for the others."
        )
