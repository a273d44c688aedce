"""What the annotator's workbench shows.

Everything here depends on the holder's own seat alone: no other rating, no state of a pair, no
count, id, source or time of anybody else enters a context.
"""

import uuid
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from statistics import median

from django.urls import reverse
from django.utils.crypto import salted_hmac

from annotation import guidelines
from annotation.models import Facet, Option, Pair, Rating, Seat
from annotation.order import ordered_rows
from annotation.reading import sentences
from datasets.models import TopicPlace

OWN_REASON = "cannot-judge:own"


@dataclass(frozen=True)
class Place:
    """One pair's place in the strip. It knows whether there is an answer, never which."""

    position: int
    pair_id: int
    topic_id: int
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


@dataclass(frozen=True)
class Choice:
    """An option as the holder sees it: in the words of the version, for one facet."""

    key: str
    name: str
    shortcut: str
    definition: str


@dataclass(frozen=True)
class Reason:
    """A reason for "cannot judge"; `key` is what the form sends."""

    key: str
    name: str


@dataclass(frozen=True)
class Bench:
    """A seat at work: its places in the holder's order and the scheme it is rated under."""

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
    def size(self):
        return len(self.places)

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

    @property
    def reasons(self):
        return [
            Reason(f"cannot-judge:{reason['key']}", reason["name"])
            for reason in self.wording.get("cannot_judge_reasons", [])
        ]

    def place(self, position):
        """The place at a position counted from 1, or None."""
        return self.places[position - 1] if 1 <= position <= self.size else None

    def first_open(self):
        return next((place for place in self.places if place.is_open), None)

    def url_after(self, place, *, is_new):
        """Where the holder goes after saving this place, their first answer there or a change.

        The next pair without an answer, from here on and then from the start. Without any: a
        first answer leads to the hand-in page, a change to the next pair.
        """
        later = [*self.places[place.position :], *self.places[: place.position - 1]]
        following = next((other for other in later if other.is_open), None)
        if following is None and not is_new:
            following = self.place(place.position + 1)
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
    """Read a seat for work: four statements, whatever the size of its batch."""
    scheme = seat.batch.collection.scheme
    rows = ordered_rows(seat, "own__pk", "own__cannot_judge", "own__is_flagged")
    # A pair's address is the seat's and the position; resolving it per pair costs more than
    # everything else here.
    address = reverse("annotation:seat", args=[seat.public_id])
    return Bench(
        seat=seat,
        version=scheme.current,
        facets=list(scheme.facets.all()),
        options=list(scheme.options.filter(is_import_only=False)),
        places=[_place(address, position, row) for position, row in enumerate(rows, start=1)],
    )


def _place(address, position, row):
    if row["own__pk"] is None:
        state = "open"
    else:
        state = "cannot-judge" if row["own__cannot_judge"] else "rated"
    return Place(
        position=position,
        pair_id=row["pk"],
        topic_id=row["topic_id"],
        url=f"{address}{position}/",
        state=state,
        is_flagged=bool(row["own__is_flagged"]),
    )


def pair_context(bench, place, *, form=None, reason=""):
    """Context of one pair, for the page and for the fragment that is fetched ahead.

    `form` is a RatingForm refused for `reason`: its input is shown instead of the stored answer.
    """
    pair = Pair.objects.select_related("topic", "document").get(pk=place.pair_id)
    rating = None if place.is_open else Rating.objects.get(pair=pair, seat=bench.seat)
    facet_key = pair.topic.facet
    words = bench.version.words_for(facet_key)
    read = {"facets": bench.facets, "wording": bench.wording, "marked": facet_key}
    query = _query_of(pair.topic)
    query_sentences = sentences(query.document, **read) if query.document else []
    document_sentences = sentences(pair.document, **read)
    version = rating.version if rating else 0
    return {
        "bench": bench,
        "seat": bench.seat,
        "place": place,
        "previous": bench.place(place.position - 1),
        "following": bench.place(place.position + 1),
        # Which of the seat's topics this is: fragments of the same topic share their query.
        "topic_number": _topic_number(bench, place),
        "facet_key": facet_key,
        "facet_name": words.get("name", ""),
        "question": words.get("question", "") or pair.topic.text,
        "topic_text": pair.topic.text,
        "query": query,
        "query_sentences": query_sentences,
        "query_is_marked": any(sentence.is_marked for sentence in query_sentences),
        "document": pair.document,
        "document_sentences": document_sentences,
        "document_is_marked": any(sentence.is_marked for sentence in document_sentences),
        "choices": choices(bench, facet_key),
        "answer": answer_of_form(bench, form) if form else answer_of_rating(bench, rating),
        "based_on": version,
        "save_id": plain_save_id(bench.seat, place, version),
        "reason": reason,
        "seconds": rating.active_seconds if rating else Decimal(0),
    }


def choices(bench, facet_key):
    definitions = bench.version.words_for(facet_key).get("definitions", {})
    return [
        Choice(
            key=option.key,
            name=bench.wording["options"][option.key]["name"],
            shortcut=bench.wording["options"][option.key].get("shortcut", ""),
            definition=definitions.get(option.key, ""),
        )
        for option in bench.options
    ]


@dataclass(frozen=True)
class Answer:
    """An answer as the form holds it: `choice` is an option's key or a reason's, or empty."""

    choice: str = ""
    own_reason: str = ""
    note: str = ""
    is_flagged: bool = False
    # For people: "2 · Similar", or the reason why the pair cannot be judged.
    words: str = ""


def answer_of_rating(bench, rating):
    """The stored answer; a reason that is not, or no longer, in the scheme's list is an own one."""
    if rating is None:
        return Answer()
    if rating.option_id:
        # An imported rating may hold an option that nobody can choose.
        keys = {option.pk: option.key for option in bench.options}
        choice, own_reason = keys.get(rating.option_id, ""), ""
    else:
        listed = {reason.name: reason.key for reason in bench.reasons}
        choice = listed.get(rating.cannot_judge, OWN_REASON)
        own_reason = rating.cannot_judge if choice == OWN_REASON else ""
    return Answer(
        choice=choice,
        own_reason=own_reason,
        note=rating.note,
        is_flagged=rating.is_flagged,
        words=_words(bench, choice, own_reason),
    )


def answer_of_form(bench, form):
    """What was typed and chosen, valid or not."""
    choice = form["answer"].value() or ""
    own_reason = form["own_reason"].value() or ""
    return Answer(
        choice=choice,
        own_reason=own_reason,
        note=form["note"].value() or "",
        is_flagged=bool(form["is_flagged"].value()),
        words=_words(bench, choice, own_reason),
    )


def _words(bench, choice, own_reason):
    if choice.startswith("cannot-judge:"):
        names = {reason.key: reason.name for reason in bench.reasons}
        return f"Cannot judge: {own_reason if choice == OWN_REASON else names.get(choice, '')}"
    option = bench.wording["options"].get(choice)
    if option is None:
        return "No grade of the scale"
    return f"{option['shortcut']} · {option['name']}" if option.get("shortcut") else option["name"]


def conflict_context(bench, place, form, rating):
    """The stored answer beside the one that was sent, and what sending the latter again takes."""
    version = rating.version if rating else 0
    return {
        "bench": bench,
        "seat": bench.seat,
        "place": place,
        "title": Pair.objects.select_related("document").get(pk=place.pair_id).document.title,
        "stored": answer_of_rating(bench, rating),
        "mine": answer_of_form(bench, form),
        "based_on": version,
        "save_id": plain_save_id(bench.seat, place, version),
        "scheme_version": form.cleaned_data["scheme_version"],
        "active_seconds": form.cleaned_data["active_seconds"],
    }


def plain_save_id(seat, place, version):
    """The save's UUID in a page without script: the same for the same pair, holder and version.

    So a double click, a reload and the back button send the same save. It tells nothing: it is a
    keyed hash of what the holder knows.
    """
    value = f"{seat.public_id}:{seat.holder.public_id}:{place.position}:{version}"
    digest = salted_hmac("annotation.workbench.save_id", value, algorithm="sha256").digest()
    return uuid.UUID(bytes=digest[:16], version=4)


def _topic_number(bench, place):
    return list(dict.fromkeys(other.topic_id for other in bench.places)).index(place.topic_id) + 1


def _query_of(topic):
    """The first query that the topic stands in."""
    at = TopicPlace.objects.filter(topic=topic).select_related("query__document").first()
    return at.query


def guidelines_context(bench, facet_key, *, top):
    """The guidelines with the definitions for one facet before them.

    `top` is the level of their first headings: they are a page, or a drawer in one.
    """
    return {
        "bench": bench,
        "seat": bench.seat,
        "facet_name": bench.version.words_for(facet_key).get("name", ""),
        "choices": choices(bench, facet_key),
        "guidelines": guidelines.render(bench.version.guidelines, top=top),
    }


def hand_in_context(bench):
    """What the holder checks before handing in: their own answers' state, and their own time."""
    seconds = list(
        Rating.objects.filter(
            seat=bench.seat, annotator=bench.seat.holder, active_seconds__gt=0
        ).values_list("active_seconds", flat=True)
    )
    return {
        "bench": bench,
        "seat": bench.seat,
        "places": bench.places,
        "open_places": [place for place in bench.places if place.is_open],
        "cannot_judge_places": [p for p in bench.places if p.state == "cannot-judge"],
        "flagged_places": [place for place in bench.places if place.is_flagged],
        "median_seconds": median(seconds) if seconds else None,
        "total_minutes": int(sum(seconds) // 60),
        "next_seat": _next_seat(bench.seat),
    }


def _next_seat(seat):
    """Another open seat of the same person in the collection, for when this one is done."""
    own = Seat.objects.of(seat.holder.user_id).open()
    others = own.filter(batch__collection=seat.batch.collection_id)
    return others.exclude(pk=seat.pk).order_by("batch__position", "batch_id").first()
