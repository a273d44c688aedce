"""What a run that was brought in lacks or contradicts, in sentences."""

from datasets.models import Run
from datasets.runs.report import Listing, coverage
from datasets.runs.strangers import strangers_in_words

SHOWN = 3
SINGULAR = {
    "topics": "topic",
    "queries": "query",
    "sub-queries": "sub-query",
    "documents": "document",
}


def remarks_on(run: Run) -> list[str]:
    """All of them: ranks that its order does not follow, and what it and the collection have not
    in common."""
    return [*_contradiction(run), *gaps_of_run(run)]


def gaps_of_run(run: Run) -> list[str]:
    """The differences between the run and the collection, a sentence for each kind."""
    report, level = coverage(run), run.get_level_display()
    kinds = [
        (level, "not ranked", report.missing),
        (level, "unknown to the collection", report.unknown),
        ("documents", "outside the pools", report.outside),
    ]
    sentences = [
        f"{_counted(listing, nouns)} {words}." for nouns, words, listing in kinds if listing.count
    ]
    strangers = strangers_in_words(run.report)
    return [*sentences, *([strangers] if strangers else [])]


def _contradiction(run: Run) -> list[str]:
    count = run.report.get("contradictions", {}).get("count", 0)
    if not count:
        return []
    says = "1 rank says" if count == 1 else f"{count:,} ranks say"
    taken = "ranks" if run.order == Run.Order.RANK else "scores"
    return [f"{says} the reverse of the scores; the documents are in the order of the {taken}."]


def _counted(listing: Listing, nouns: str) -> str:
    """ "1 document (d1 for q1) is", "24 topics (a, b, c and 21 more) are"."""
    names = ", ".join(listing.first[:SHOWN])
    more = f" and {listing.count - SHOWN:,} more" if listing.count > SHOWN else ""
    noun, verb = (SINGULAR[nouns], "is") if listing.count == 1 else (nouns, "are")
    return f"{listing.count:,} {noun} ({names}{more}) {verb}"
