"""What a person, or a program of theirs, may read of what an import brought."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Batch
from datasets.models import Collection

# What tells how much was rated.
COUNTS_OF_RATINGS = {"ratings", "decisions", "with_ratings"}
# Sentences on the files, which name raters and their seats.
NOTES = {"notes"}


def rates_in(collection: Collection, user: Any) -> bool:
    """Whether the person still rates in a batch of the collection, so that nothing about ratings
    may be told to them: an import does not say of which batch its ratings are."""
    return Batch.objects.filter(collection=collection).blind_to(user).exists()


def readable(
    summary: Mapping[str, Any], *, rates: bool, may_read_ratings: bool = True
) -> dict[str, Any]:
    """A summary for somebody who `rates` in the collection, or for a program that may not read
    ratings: neither learns who rated."""
    hidden = COUNTS_OF_RATINGS | NOTES if rates else set() if may_read_ratings else NOTES
    return {name: value for name, value in summary.items() if name not in hidden}
