"""A web process's memory of the seats at work.

- `seat_for_save`: a seat as it was read for its holder's last saves. A save holds it against the
  database under its locks, and reads it anew where anything is different.
- `terms`: a version of a scheme with its facets, its options and what is chosen from. They never
  change; a change of wording is another version.
- `walk`: the order of a seat's pairs, by what it follows from (`walk_key`). The pairs of a batch
  are fixed once somebody held a seat of it, and so is how they are shown
  (`annotation/reading/fixed.py`).

None of them holds a text of a paper or anybody's rating. Who holds a seat, whether it is open and
what is answered is read from the database each time.
"""

import hashlib
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from annotation.access import get_seat
from annotation.models import Batch, Facet, Scale, SchemeVersion
from annotation.reading.order import walked_rows
from annotation.workbench.answers import make_choices
from audit.shelf import Shelf

MAX_VERSIONS = 100
MAX_FACETS = 20  # of a version; an address may name others
MAX_SEATS = 500  # 5 kB each
# Places of all seats together; 200 bytes each.
MAX_PLACES = 50_000


@dataclass(frozen=True)
class Terms:
    """The terms of rating: a version of the scheme, the facets that it shows, and its scales by
    facet, or the shared scale alone."""

    version: SchemeVersion
    facets: list[Facet]
    scales: dict[str, Scale]

    @property
    def labels_facets(self):
        """Whether sentences of papers carry labels that count as facets."""
        return any(facet.sentence_labels for facet in self.facets)

    def options_of(self, facet):
        """The options to choose from for topics under a facet, by its key; none of another."""
        scale = self.scale_of(facet)
        return scale.offered if scale else []

    def scale_of(self, facet):
        """The scale for topics under a facet, by its key; None of another."""
        return self.scales.get("") or self.scales.get(facet)

    def choices_of(self, facet):
        """The same as they are shown, in the words of the version."""
        return self._choices.get(facet, lambda: make_choices(self, facet))

    @cached_property
    def _choices(self):
        return Shelf(MAX_FACETS)


@dataclass(frozen=True, slots=True)
class Step:
    """A pair in the walk through a seat.

    `position` is the pair's address, the same in both ways to work; `number` counts the steps.
    `group` counts the topics, or the documents, that the walk goes through one after the other.
    """

    position: int
    number: int
    group: int
    starts_group: bool
    pair_id: int
    topic_id: int
    document_id: int
    facet: str


class Walk:
    """The pairs of a seat in the order in which its holder works through them."""

    def __init__(self, steps):
        self.steps = tuple(steps)

    @cached_property
    def _by_position(self):
        return {step.position: step for step in self.steps}

    def __len__(self):
        return len(self.steps)

    def at(self, position):
        """The step at a position counted from 1, or None."""
        return self._by_position.get(position)

    def after(self, step):
        """All other steps: those that follow, then those before, from the start."""
        yield from islice(self.steps, step.number, None)
        yield from islice(self.steps, step.number - 1)

    def of_document(self, document_id):
        """{topic: step} of the pairs of one document."""
        return self._by_document[document_id]

    @cached_property
    def _by_document(self):
        by_document = defaultdict(dict)
        for step in self.steps:
            by_document[step.document_id][step.topic_id] = step
        return by_document

    @cached_property
    def topic_numbers(self):
        """{topic: how many topics there are up to it, by position}; see `document_numbers`."""
        return self._numbers("topic_id")

    @cached_property
    def document_numbers(self):
        """The same of documents: with it a script knows whether two pairs share a document, which
        itself it does not know."""
        return self._numbers("document_id")

    def _numbers(self, name):
        in_order = sorted(self.steps, key=lambda step: step.position)
        values = dict.fromkeys(getattr(step, name) for step in in_order)
        return {value: number for number, value in enumerate(values, start=1)}


_seats = Shelf(MAX_SEATS)
_terms = Shelf(MAX_VERSIONS)
_walks = Shelf(MAX_PLACES)


def seat_for_save(user, public_id):
    """The seat of its holder, as it was when this process last read it for a save.

    It is shared by requests, and so is not to be changed.
    """
    return _seats.get((user.pk, public_id), lambda: get_seat(user, public_id))


def forget_seat(user, public_id):
    _seats.drop((user.pk, public_id))


def terms(seat):
    """The current terms of a seat; `get_seat` read the version."""

    def read():
        version = SchemeVersion.objects.select_related("scheme").get(pk=seat.version_id)
        scheme = version.scheme
        return Terms(
            version=version,
            facets=list(scheme.shown_facets) if version.words.facets else [],
            scales={scale.facet: scale for scale in scheme.all_scales},
        )

    return _terms.get((seat.batch.collection.public_id, seat.version_id), read)


def walk(seat):
    """The walk of its holder through a seat, whose row was read for this request."""
    return _walks.get(walk_key(seat), lambda: Walk(_steps(seat)), weigh=len)


def walk_key(seat):
    """The key of a seat's order: all that it follows from besides the pairs themselves.

    A seat may come back to somebody who held it before, when others have rated in it: so it counts
    how often it changed hands.
    """
    return seat.public_id, seat.holder.public_id, seat.handovers, seat.seed, seat.batch.way


def edition(seat):
    """One word for what a seat's pages show now: its walk and its wording.

    A script that holds texts of another edition does not show them any more. It follows from the
    holder's own seat alone.
    """
    rests_on = "\x1f".join(map(str, [*walk_key(seat), seat.version_id]))
    return hashlib.sha256(rests_on.encode()).hexdigest()[:16]


def _steps(seat):
    grouped_by = "document_id" if seat.batch.way == Batch.Way.BY_DOCUMENT else "topic_id"
    group, last = 0, None
    for number, row in enumerate(walked_rows(seat), start=1):
        starts_group = row[grouped_by] != last
        group, last = group + starts_group, row[grouped_by]
        yield Step(
            position=row["position"],
            number=number,
            group=group,
            starts_group=starts_group,
            pair_id=row["pk"],
            topic_id=row["topic_id"],
            document_id=row["document_id"],
            facet=sys.intern(row["topic__facet"]),
        )
