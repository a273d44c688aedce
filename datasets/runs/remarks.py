"""What a run that was brought in lacks or contradicts, in sentences."""

from datasets.models import Level, Run
from datasets.runs.report import Listing, coverage
from datasets.runs.strangers import strangers_in_words
from formats.words import counted

SHOWN = 3


def remarks_on(run: Run) -> list[str]:
    """All of them: ranks that its order does not follow, and what the run and the collection do not
    share."""
    return [*_contradiction(run), *gaps_of_run(run)]


def gaps_of_run(run: Run) -> list[str]:
    """The differences between the run and the collection, a sentence for each kind."""
    report, subject = coverage(run), Level(run.level).singular
    kinds = [
        (subject, "not ranked", report.missing),
        (subject, "unknown to the collection", report.unknown),
        ("document", "outside the pools", report.outside),
    ]
    sentences = [
        f"{_counted(listing, noun)} {words}." for noun, words, listing in kinds if listing.count
    ]
    strangers = strangers_in_words(run.report)
    return [*sentences, *([strangers] if strangers else [])]


def _contradiction(run: Run) -> list[str]:
    count = run.report.get("contradictions", {}).get("count", 0)
    if not count:
        return []
    says = counted(count, "rank says", "ranks say")
    taken = "ranks" if run.order == Run.Order.RANK else "scores"
    return [f"{says} the reverse of the scores; the documents are in the order of the {taken}."]


def _counted(listing: Listing, noun: str) -> str:
    """ "1 document (d1 for q1) is", "24 topics (a, b, c and 21 more) are"."""
    names = ", ".join(listing.first[:SHOWN])
    more = f" and {listing.count - SHOWN:,} more" if listing.count > SHOWN else ""
    verb = "is" if listing.count == 1 else "are"
    return f"{counted(listing.count, noun)} ({names}{more}) {verb}"
