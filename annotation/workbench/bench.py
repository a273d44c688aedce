"""A seat at work: its places in the order in which the holder walks through them."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import TextChoices
from django.urls import reverse

from annotation.models import Batch, Rating, Seat
from annotation.workbench import cache
from annotation.workbench.cache import Step
from formats.grouping import in_chunks
from formats.whole_numbers import whole_number

LOOKED_UP_AT_ONCE = 100
MAX_POSITION = 99_999


class PlaceState(TextChoices):
    """How a pair stands in its seat; scripts and style sheets have the values as classes."""

    OPEN = "open", "not rated"
    RATED = "rated", "rated"
    CANNOT_JUDGE = "cannot-judge", "cannot judge"


@dataclass(frozen=True)
class Place:
    """One pair's place in the strip. It knows whether there is an answer, never which."""

    step: Step
    url: str
    state: PlaceState = PlaceState.OPEN
    is_flagged: bool = False

    @property
    def position(self):
        return self.step.position

    @property
    def number(self):
        return self.step.number

    @property
    def is_open(self):
        return self.state == PlaceState.OPEN

    @property
    def words(self):
        return f"{self.state.label}, flagged" if self.is_flagged else self.state.label

    @property
    def brief(self):
        """Beside an aspect in the tree."""
        return "to do" if self.is_open else self.state.label


@dataclass(frozen=True)
class Bench:
    """A seat at work: its pairs as they are walked through, and the terms they are rated under.

    Which of them have an answer is read, in one statement, when it is first asked for: a save does
    not need it.
    """

    seat: Seat

    @cached_property
    def terms(self):
        return cache.terms(self.seat)

    @cached_property
    def walk(self):
        return cache.walk(self.seat)

    @property
    def version(self):
        return self.terms.version

    @property
    def facets(self):
        return self.terms.facets

    @cached_property
    def spans_topics(self):
        """Whether a document may stand here more than once, each time under another topic."""
        return len({step.topic_id for step in self.walk.steps}) > 1

    def topic_words(self, text, facet):
        """What tells a pair from others with the same document: the aspect, or the facet."""
        return (text or self.version.words.shown_name(facet)) if self.spans_topics else ""

    def is_labelled(self, facet):
        """Whether sentences of papers may carry labels of this facet."""
        return any(
            scheme_facet.key == facet and scheme_facet.sentence_labels
            for scheme_facet in self.facets
        )

    @cached_property
    def edition(self):
        return cache.edition(self.seat)

    @property
    def is_read_only(self):
        return self.seat.handed_in_at is not None

    @property
    def is_by_document(self):
        return self.seat.batch.way == Batch.Way.BY_DOCUMENT

    @property
    def size(self):
        return len(self.walk)

    @property
    def group_count(self):
        return self.walk.steps[-1].group if self.walk else 0

    @cached_property
    def places(self):
        """The places of all pairs, in the order of the walk."""
        answers = Rating.objects.filter(seat=self.seat, annotator=self.seat.holder_id)
        states = {
            pair: (PlaceState.CANNOT_JUDGE if cannot_judge else PlaceState.RATED, is_flagged)
            for pair, cannot_judge, is_flagged in answers.values_list(
                "pair", "cannot_judge", "is_flagged"
            )
        }
        return [
            Place(step, self.url(step), *states.get(step.pair_id, ())) for step in self.walk.steps
        ]

    @property
    def open_count(self):
        return sum(place.is_open for place in self.places)

    @property
    def answered_count(self):
        return self.size - self.open_count

    @property
    def cannot_judge_count(self):
        return sum(place.state == PlaceState.CANNOT_JUDGE for place in self.places)

    @property
    def flagged_count(self):
        return sum(place.is_flagged for place in self.places)

    @cached_property
    def hand_in_url(self):
        return reverse("annotation:hand-in", args=[self.seat.public_id])

    @cached_property
    def _seat_url(self):
        return reverse("annotation:seat", args=[self.seat.public_id])

    def url(self, step):
        # The seat's address and the position; resolving it per pair costs more than all else here.
        return f"{self._seat_url}{step.position}/"

    def place(self, position):
        """The place at a position counted from 1, or None."""
        step = self.walk.at(position)
        return self.places[step.number - 1] if step else None

    def beside(self, step, by):
        """The place `by` steps on in the walk, or None beyond an end."""
        number = step.number + by
        return self.places[number - 1] if 1 <= number <= self.size else None

    def first_open(self):
        return next((place for place in self.places if place.is_open), None)

    def url_after(self, step, *, is_new):
        """The holder's next address after a save, whether it was a first answer or a change.

        The next pair without an answer, from here on and then from the start. Without any: a
        first answer leads to the hand-in page, a change to the next pair.
        """
        following = self._first_unanswered(self.walk.after(step))
        if following is None and not is_new and step.number < self.size:
            following = self.walk.steps[step.number]
        return self.url(following) if following else self.hand_in_url

    def _first_unanswered(self, steps):
        """The first of these steps without an answer, or None. Who works in order has few to
        skip, so that the size of the batch does not count."""
        for some in in_chunks(steps, LOOKED_UP_AT_ONCE):
            pairs = [step.pair_id for step in some]
            ratings = Rating.objects.filter(seat=self.seat, pair__in=pairs)
            answered = set(ratings.values_list("pair", flat=True))
            for step in some:
                if step.pair_id not in answered:
                    return step
        return None


def position_of(text: str) -> int | None:
    """The position that an address names; None where it names none."""
    return whole_number(text, most=MAX_POSITION)
