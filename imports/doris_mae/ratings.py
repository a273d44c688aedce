"""The ratings of a DORIS-MAE file beside those that a collection holds."""

from collections.abc import Iterable

from accounts.models import User
from datasets.models import Collection
from formats.doris_mae.records import Dataset, RatedPair
from formats.problems import Problems
from imports import stored as stored_pairs
from imports.answers import BatchValues
from imports.run import in_words

TEST_SET = "Test set"


def new_ratings_of(
    dataset: Dataset, collection: Collection, by: User | None, problems: Problems
) -> list[RatedPair]:
    """The rated pairs that the collection does not have. What differs from stored ratings is added
    to `problems`."""

    def refuse(rated: RatedPair, message: str, remedy: str, about: str = "") -> None:
        problems.add(dataset.name, rated.place, message, remedy, about=about)

    stored = stored_pairs.stored_answers(collection)
    pairs_in_store = stored_pairs.stored_pairs(collection) if dataset.rated else set()
    hidden = stored_pairs.pairs_being_rated_by(by, collection)
    new = []
    for rated in dataset.rated:
        stored_values = stored.get(rated.key, {})
        if rated.key not in pairs_in_store:
            new.append(rated)
        elif rated.key in hidden:
            refuse(
                rated,
                f"you hold or held a seat with aspect {rated.aspect_id} and abstract "
                f"{rated.abstract_id}, and not every seat is handed in.",
                "Ratings of this pair cannot be compared for you before that.",
            )
        elif not stored_values:
            refuse(
                rated,
                f"aspect {rated.aspect_id} with abstract {rated.abstract_id} is in the "
                "collection already, without these ratings.",
                "Ratings come in only together with their pair: leave them out, or import "
                "into a new collection.",
                about=rated.aspect_id,
            )
        elif rated.answers != stored_values:
            refuse(
                rated,
                f"the ratings are {in_words(rated.answers)}, "
                f"but {in_words(stored_values)} are stored.",
                "Stored ratings are never replaced.",
                about=rated.aspect_id,
            )
    return new


def as_batches(rated: Iterable[RatedPair]) -> list[BatchValues]:
    """A batch for each set of annotators, in seat order as the first of its pairs names them."""
    sets: dict[frozenset[str], list[RatedPair]] = {}
    for pair in rated:
        sets.setdefault(frozenset(pair.answers), []).append(pair)
    return [
        BatchValues(
            name=TEST_SET,
            annotators=list(group[0].answers),
            values={
                pair.key: [pair.answers[annotator] for annotator in group[0].answers]
                for pair in group
            },
        )
        for group in sets.values()
    ]
