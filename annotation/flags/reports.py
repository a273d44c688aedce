"""Flagged pairs with what was said of them, as a lead reads them."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef

from annotation.models import FlagAnswer, Pair, Rating
from annotation.progress.attention import flagged_pairs
from annotation.progress.figures import facet_names, titles
from annotation.progress.pairs import NamedRating, pair_rows
from annotation.schemes.examples import possible_examples
from formats.grouping import grouped


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


@dataclass(frozen=True)
class ListedFlag:
    """A flagged pair without its ratings: a long list is searched and cut into pages by it.
    `ratings` are the keys of those that are flagged."""

    pair: int
    topic: int
    facet: str
    names: str  # of topic and paper
    ratings: frozenset[int]
    is_open: bool


def listed_flags(*, collection, user) -> list[ListedFlag]:
    """Every flagged pair that a lead may read, in the order of topics and pools."""
    flagged = (
        Rating.objects.visible_to(user)
        .filter(is_flagged=True, seat__batch__collection=collection)
        .annotate(is_answered=Exists(FlagAnswer.objects.filter(rating=OuterRef("pk"))))
        .order_by()
    )
    ratings_of, waiting = defaultdict(set), set()
    for pair, rating, is_answered in flagged.values_list("pair", "pk", "is_answered"):
        ratings_of[pair].add(rating)
        if not is_answered:
            waiting.add(pair)
    pairs = flagged_pairs(collection=collection, user=user).values_list(
        *("pk", "topic", "topic__facet"),
        *("topic__external_id", "document__title", "document__external_id"),
    )
    return [
        ListedFlag(
            pair, topic, facet, " ".join(names), frozenset(ratings_of[pair]), pair in waiting
        )
        for pair, topic, facet, *names in pairs
    ]


def text_of_flags(*, collection, user) -> Callable[[ListedFlag], str]:
    """What a flag is searched by: topic and paper, query, facet, and all that was noted."""
    title_of, facet_name_of = titles(collection), facet_names(collection.scheme)
    pairs = flagged_pairs(collection=collection, user=user).order_by().values("pk")
    notes = Rating.objects.visible_to(user).filter(pair__in=pairs).exclude(note="").order_by("seat")
    notes_of = grouped(notes.values_list("pair", "note"))

    def text(flag: ListedFlag) -> str:
        about = [title_of.get(flag.topic, ""), facet_name_of.get(flag.facet, "")]
        return " ".join([flag.names, *about, *notes_of[flag.pair]])

    return text


def flag_rows(*, collection, user, pairs: Iterable[int] | None = None) -> list[FlagRow]:
    """The flagged pairs that a lead may read, or some by their keys, in the order of topics and
    pools."""
    title_of, facet_name_of = titles(collection), facet_names(collection.scheme)
    flagged = flagged_pairs(collection=collection, user=user)
    if pairs is not None:
        flagged = flagged.filter(pk__in=list(pairs))
    rows = pair_rows(flagged, scheme=collection.scheme, user=user)
    examples = set(
        possible_examples().filter(pk__in=flagged.values("pk")).values_list("pk", flat=True)
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
    answers = FlagAnswer.objects.filter(rating__in=flagged)
    answers = answers.select_related("given_by", "scheme_version")
    return grouped((answer.rating_id, answer) for answer in answers)
