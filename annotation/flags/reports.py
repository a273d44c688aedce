"""Flagged pairs with what was said of them, as a lead reads them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from annotation.flags.querysets import possible_examples
from annotation.models import FlagAnswer, Pair, Rating
from annotation.progress.attention import flagged_pairs
from annotation.progress.figures import facet_names, titles
from annotation.progress.pairs import NamedRating, pair_rows


@dataclass
class FlagRow:
    """A flagged pair: all its ratings, and the answers to their flags by rating."""

    pair: Pair
    ratings: list[NamedRating]
    query: str
    facet_name: str
    can_be_example: bool
    answers: dict[int, list[FlagAnswer]] = field(default_factory=dict)

    @property
    def flags(self) -> list[tuple[Rating, list[FlagAnswer]]]:
        """(flagged rating, its answers)."""
        flagged = [answer.rating for answer in self.ratings if answer.rating.is_flagged]
        return [(rating, self.answers.get(rating.pk, [])) for rating in flagged]

    @property
    def is_open(self) -> bool:
        return any(not answers for _, answers in self.flags)

    def has(self, rating_id: int | None) -> bool:
        return any(rating.pk == rating_id for rating, _ in self.flags)


def flag_rows(*, collection, user) -> list[FlagRow]:
    """The flagged pairs that a lead may read, in the order of topics and pools."""
    title_of, facet_name_of = titles(collection), facet_names(collection.scheme)
    pairs = flagged_pairs(collection=collection, user=user)
    rows = pair_rows(pairs, scheme=collection.scheme, user=user)
    examples = set(
        possible_examples().filter(pk__in=pairs.values("pk")).values_list("pk", flat=True)
    )
    answers = _answers(rating for row in rows for rating in row.ratings)
    return [
        FlagRow(
            pair=row.pair,
            ratings=row.ratings,
            query=title_of.get(row.pair.topic_id, row.pair.topic.external_id),
            facet_name=facet_name_of.get(row.pair.topic.facet, ""),
            can_be_example=row.pair.pk in examples,
            answers=answers,
        )
        for row in rows
    ]


def flag_row(pair: Pair, ratings: list[NamedRating]) -> FlagRow:
    """One pair that a lead may read, with its ratings as `pair_rows` gives them."""
    can_be_example = possible_examples().filter(pk=pair.pk).exists()
    return FlagRow(pair, ratings, "", "", can_be_example, _answers(ratings))


def _answers(ratings: Iterable[NamedRating]) -> dict[int, list[FlagAnswer]]:
    flagged = [rating.rating.pk for rating in ratings if rating.rating.is_flagged]
    answers = defaultdict(list)
    for answer in FlagAnswer.objects.filter(rating__in=flagged).select_related(
        "given_by", "scheme_version"
    ):
        answers[answer.rating_id].append(answer)
    return answers
