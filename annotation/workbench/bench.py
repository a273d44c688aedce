"""A seat at work: its places in the order in which the holder walks through them."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from django.urls import reverse

from annotation.models import Batch, Facet, Option, Seat
from annotation.order import walked_rows


@dataclass(frozen=True)
class Place:
    """One pair's place in the strip. It knows whether there is an answer, never which.

    `position` is the pair's address, the same in both ways to work; `number` counts the places
    in the order in which they are walked through. `group` counts the topics, or the documents,
    that the walk goes through one after the other.
    """

    position: int
    number: int
    group: int
    starts_group: bool
    pair_id: int
    topic_id: int
    document_id: int
    url: str
    state: str  # "open", "rated" or "cannot-judge"
    is_flagged: bool = False

    @property
    def is_open(self):
        return self.state == "open"

    @property
    def words(self):
        words = {"open": "not rated", "rated": "rated", "cannot-judge": "cannot judge"}[self.state]
        return f"{words}, flagged" if self.is_flagged else words

    @property
    def brief(self):
        """Beside an aspect in the tree."""
        return {"open": "to do", "rated": "rated", "cannot-judge": "cannot judge"}[self.state]


@dataclass(frozen=True)
class Bench:
    """A seat at work: its places as they are walked through, and the scheme it is rated under."""

    seat: Seat
    version: object
    facets: list[Facet]
    options: list[Option]
    places: list[Place] = field(repr=False)

    @property
    def wording(self):
        return self.version.wording

    @property
    def is_read_only(self):
        return self.seat.handed_in_at is not None

    @property
    def is_by_document(self):
        return self.seat.batch.way == Batch.Way.BY_DOCUMENT

    @property
    def size(self):
        return len(self.places)

    @property
    def group_count(self):
        return self.places[-1].group if self.places else 0

    @property
    def open_count(self):
        return sum(place.is_open for place in self.places)

    @property
    def answered_count(self):
        return self.size - self.open_count

    @property
    def cannot_judge_count(self):
        return sum(place.state == "cannot-judge" for place in self.places)

    @property
    def flagged_count(self):
        return sum(place.is_flagged for place in self.places)

    @cached_property
    def hand_in_url(self):
        return reverse("annotation:hand-in", args=[self.seat.public_id])

    @cached_property
    def _by_position(self):
        return {place.position: place for place in self.places}

    def place(self, position):
        """The place at a position counted from 1, or None."""
        return self._by_position.get(position)

    def beside(self, place, step):
        """The place `step` places on in the walk, or None beyond an end."""
        number = place.number + step
        return self.places[number - 1] if 1 <= number <= self.size else None

    def first_open(self):
        return next((place for place in self.places if place.is_open), None)

    def of_document(self, document_id):
        """{topic: place} of the pairs of one document."""
        return {p.topic_id: p for p in self.places if p.document_id == document_id}

    def rank_of(self, place, name):
        """How many different values `name` took up to this place's, by position, counted from 1.

        So a script can tell whether two pairs share a topic or a document, which itself it does
        not know.
        """
        by_position = sorted(self.places, key=lambda other: other.position)
        seen = dict.fromkeys(getattr(other, name) for other in by_position)
        return list(seen).index(getattr(place, name)) + 1

    def url_after(self, place, *, is_new):
        """Where the holder goes after saving this place, their first answer there or a change.

        The next pair without an answer, from here on and then from the start. Without any: a
        first answer leads to the hand-in page, a change to the next pair.
        """
        later = [*self.places[place.number :], *self.places[: place.number - 1]]
        following = next((other for other in later if other.is_open), None)
        if following is None and not is_new:
            following = self.beside(place, 1)
        return following.url if following else self.hand_in_url

    def with_answer(self, place, revision):
        """The same bench after a save."""
        saved = replace(
            place,
            state="rated" if revision.option_id else "cannot-judge",
            is_flagged=revision.is_flagged,
        )
        places = [saved if other.pair_id == place.pair_id else other for other in self.places]
        return replace(self, places=places)


def open_bench(seat):
    """Read a seat for work: four statements by topic, at most six by document, in any batch."""
    scheme = seat.batch.collection.scheme
    version = scheme.current
    rows = walked_rows(seat, "own__pk", "own__cannot_judge", "own__is_flagged")
    return Bench(
        seat=seat,
        version=version,
        facets=list(scheme.facets.all()) if version.wording["facets"] else [],
        options=list(scheme.options.filter(is_import_only=False)),
        places=list(_places(seat, rows)),
    )


def _places(seat, rows):
    # A pair's address is the seat's and the position; resolving it per pair costs more than
    # everything else here.
    address = reverse("annotation:seat", args=[seat.public_id])
    grouped_by = "document_id" if seat.batch.way == Batch.Way.BY_DOCUMENT else "topic_id"
    group, last = 0, None
    for number, row in enumerate(rows, start=1):
        starts_group = row[grouped_by] != last
        group, last = group + starts_group, row[grouped_by]
        yield Place(
            position=row["position"],
            number=number,
            group=group,
            starts_group=starts_group,
            pair_id=row["pk"],
            topic_id=row["topic_id"],
            document_id=row["document_id"],
            url=f"{address}{row['position']}/",
            state=_state(row),
            is_flagged=bool(row["own__is_flagged"]),
        )


def _state(row):
    if row["own__pk"] is None:
        return "open"
    return "cannot-judge" if row["own__cannot_judge"] else "rated"
