"""The holder's own pairs in columns by what they answered, before and after handing in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from accounts.parameters import is_yes
from annotation.models import Pair, Rating
from annotation.workbench.bench import MAX_POSITION, Bench, Place
from datasets.models.documents import beginning
from formats.whole_numbers import whole_number

ORDERS = {
    "marked": "Notes and flags first",
    "rated": "As rated",
    "title": "By title",
    "time": "Longest time first",
}
ROWS_ON_A_PAGE = 200  # of each column
CANNOT_JUDGE = "cannot-judge"


@dataclass(frozen=True)
class OwnPair:
    """A pair with the holder's answer, or without one; `column` is an option's key."""

    place: Place
    title: str
    facet: str
    topic: str = ""
    column: str = ""
    note: str = ""
    reason: str = ""
    seconds: float = 0
    version: int = 0

    @property
    def is_marked(self) -> bool:
        return bool(self.note) or self.place.is_flagged

    @property
    def text(self) -> str:
        """The text that a filter searches."""
        return f"{self.title}\n{self.topic}\n{self.note}\n{self.reason}".casefold()


@dataclass(frozen=True)
class Filters:
    """The filters and the order of the holder's pairs."""

    words: str = ""
    is_flagged: bool = False
    has_note: bool = False
    order: str = "marked"
    page: int = 1

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Filters":
        order = query.get("order", "")
        return cls(
            words=query.get("words", "").strip()[:200],
            is_flagged=is_yes(query, "flagged"),
            has_note=is_yes(query, "noted"),
            order=order if order in ORDERS else "marked",
            page=whole_number(query.get("page", ""), most=MAX_POSITION) or 1,
        )

    def let_through(self, pair: OwnPair) -> bool:
        if self.is_flagged and not pair.place.is_flagged:
            return False
        if self.has_note and not pair.note:
            return False
        return all(word in pair.text for word in self.words.casefold().split())

    def sort_key(self, pair: OwnPair) -> tuple[object, ...]:
        first: object = {
            "marked": not pair.is_marked,
            "title": pair.title.casefold(),
            "time": -pair.seconds,
        }.get(self.order, 0)
        return first, pair.place.number


@dataclass
class Column:
    """The pairs of one option, of "cannot judge", or without an answer."""

    key: str
    name: str
    cap: str = ""  # what stands in the square before the name
    total: int = 0
    pairs: list[OwnPair] = field(default_factory=list)
    page: int = 1

    @property
    def count(self) -> str:
        """As "3 of 72" where a filter holds some back."""
        count = len(self.pairs)
        return f"{count:,}" if count == self.total else f"{count:,} of {self.total:,}"

    @property
    def shown(self) -> list[OwnPair]:
        start = (self.page - 1) * ROWS_ON_A_PAGE
        return self.pairs[start : start + ROWS_ON_A_PAGE]

    @property
    def page_count(self) -> int:
        return -(-len(self.pairs) // ROWS_ON_A_PAGE)


def own_pairs(bench: Bench) -> list[OwnPair]:
    """All pairs of the seat in the holder's own order, with the holder's own answers alone."""
    ratings = {
        rating.pair_id: rating
        for rating in Rating.objects.filter(
            seat=bench.seat, annotator=bench.seat.holder_id
        ).select_related("option")
    }
    in_batch = Pair.objects.filter(batch=bench.seat.batch_id)
    pairs = {
        pk: (title, facet, bench.topic_words(text, facet))
        for pk, title, facet, text in in_batch.values_list(
            "pk", "document__title", "topic__facet", "topic__text"
        )
    }
    if not all(title for title, *_ in pairs.values()):
        untitled = in_batch.filter(document__title="").values_list("pk", "document__sentences")
        for pk, sentences in untitled:
            pairs[pk] = beginning(sentences), *pairs[pk][1:]
    return [
        _own_pair(place, *pairs[place.step.pair_id], ratings.get(place.step.pair_id))
        for place in bench.places
    ]


def _own_pair(place: Place, title: str, facet: str, topic: str, rating: Rating | None) -> OwnPair:
    if rating is None:
        return OwnPair(place, title, facet, topic)
    return OwnPair(
        place,
        title,
        facet,
        topic,
        column=rating.option.key if rating.option else CANNOT_JUDGE,
        note=rating.note,
        reason=rating.cannot_judge,
        seconds=float(rating.active_seconds),
        version=rating.version,
    )


def columns(bench: Bench, pairs: Iterable[OwnPair], filters: Filters) -> list[Column]:
    """A column for each option in the order of its scale, one for "cannot judge", and, first, one
    for what has no answer yet, if there is any. Facets that share a scale share its columns."""
    pairs = list(pairs)
    offered = {
        facet: {choice.key: choice for choice in bench.terms.choices_of(facet)}
        for facet in dict.fromkeys(pair.facet for pair in pairs)
    }
    unanswered, undecided = Column("", "No answer yet"), Column(CANNOT_JUDGE, "Cannot judge")
    by_option: dict[tuple[str, str, str], Column] = {}
    for of_facet in offered.values():
        for choice in of_facet.values():
            cap = choice.shortcut or choice.value
            by_option.setdefault(
                (choice.key, choice.name, cap), Column(choice.key, choice.name, cap)
            )
    for pair in pairs:
        choice = offered[pair.facet].get(pair.column)
        if choice:
            column = by_option[choice.key, choice.name, choice.shortcut or choice.value]
        else:
            # An imported rating may hold an option that nobody can choose.
            column = undecided if pair.column else unanswered
        column.total += 1
        if filters.let_through(pair):
            column.pairs.append(pair)
    shown = [*([unanswered] if unanswered.total else []), *by_option.values(), undecided]
    for column in shown:
        column.page = filters.page
        column.pairs.sort(key=filters.sort_key)
    return shown
