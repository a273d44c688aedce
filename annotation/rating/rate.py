"""Rating a pair."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypedDict
from uuid import UUID

from accounts.known_sessions import KnownSession
from accounts.models import User
from annotation.models import (
    Option,
    Pair,
    ProgramSave,
    Rating,
    RatingRevision,
    SchemeVersion,
    Seat,
)
from annotation.rating.components import MAX_COMPONENT_LENGTH, MAX_COMPONENTS, Met
from annotation.rating.settle import settle_rated
from annotation.rating.standing import STANDING
from audit.actions import event
from audit.models import Event
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from audit.statements import Select, change, insert, insert_with, insertion
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Token


class SeatClosed(Locked):
    """The seat is handed in."""


class SeatMoved(Refused):
    """The seat's walk or wording is another than when it was read: read it again."""

    status = 503


class SessionMoved(Refused):
    """The session is another than when it was read, or over: read it again."""

    status = 503


class SaveIdReused(Invalid):
    """The save was sent before with something else in it."""


class ProgramsMayNotRate(Refused):
    """The collection's leads have not let programs rate in it."""

    status = 403


class StaleEdit(Stale):
    """Another tab or device changed the rating since this page was opened."""


CHOOSE = "Choose a grade, or say why you cannot judge the pair."
NO_SUCH_GRADE = "This grade is not part of the scheme."
NO_PROGRAMS = "Programs do not rate in this collection. A lead can let them."
NO_SESSION = UUID(int=0), ""
MAX_NOTE_LENGTH = 5_000
MAX_ACTIVE_SECONDS = Decimal("86400")

RATING = Select(lambda pk: Rating.objects.filter(pk=pk).select_related("option"), int)


class GivenAnswer(TypedDict):
    """The fields of an `Answer` that a save brings."""

    option: Option | None
    cannot_judge: str
    note: str
    is_flagged: bool
    active_seconds: Decimal
    components: list[dict[str, str]]
    scheme_version: SchemeVersion


@one_transaction
def rate_pair(
    *,
    seat: Seat,
    pair_id: int,
    by: User,
    save_id: UUID,
    based_on: int,
    scheme_version: SchemeVersion,
    option: Option | None = None,
    cannot_judge: str = "",
    note: str = "",
    is_flagged: bool = False,
    active_seconds: Decimal = Decimal(0),
    components: Sequence[dict[str, str]] = (),
    position: int = 0,
    token: Token | None = None,
    session: KnownSession | None = None,
) -> RatingRevision:
    """Keep one answer of the seat's holder for a pair and settle the pair; return the revision.

    `seat` may have been read some time before. Under its lock the action asks whether it is still
    its holder's, open, and walked through as it was. The pair is read under its own lock. `save_id`
    is the client's UUID for this save: the same save sent again returns the revision it made the
    first time and changes nothing. `based_on` is the version of the rating that the holder had in
    view, 0 for none. `active_seconds` is the whole time spent on the pair so far. `components` are
    key components as `Answer` holds them; `position` is the pair's number in the walk through the
    batch, as it is at the first save. `token` is that of a program which sends the save, where it
    is no person at a page. `session` is the one that signed `by` in, as it was read some time
    before; without it the caller has read it for this save.

    Raises SaveIdReused, StaleEdit (with the current rating), SessionMoved, SeatMoved, SeatClosed,
    Invalid, NotAllowed.
    """
    answer = GivenAnswer(
        option=option,
        cannot_judge=cannot_judge,
        note=note,
        is_flagged=is_flagged,
        active_seconds=active_seconds,
        components=list(components),
        scheme_version=scheme_version,
    )
    standing = _standing(seat, pair_id, save_id, by, token, session)
    current = standing[0]
    if current.is_kept:
        return _replayed(seat, current, save_id, based_on, answer)
    if current.handed_in_at is not None:
        raise SeatClosed("This batch is handed in. Ask a lead to return it if you need a change.")
    _check(answer, seat, scale=current.scale)
    rating = _based_on(standing, seat, based_on)
    options_of_others = [
        Option(value=row.value) if row.value is not None else None
        for row in standing
        if row.rating and row.rated_in != seat.pk
    ]

    before = _trace(rating, seat) if rating else None
    rating = _rate(rating, answer, pair=current, seat=seat, position=position)
    beside = {"token": token.public_id} if token else {}
    rated = insertion(rating_event(rating, before, pair=current, seat=seat, by=by, beside=beside))
    revision = RatingRevision(
        rating=rating, version=rating.version, save_id=save_id, saved_by=by, **answer
    )
    settling = settle_rated(current, [*options_of_others, option])
    if before is None:
        insert_with(revision, "rating", after=[rated, settling])
    else:
        insert(revision, after=[change(rating, ["version", *answer]), rated, settling])
    if token:
        ProgramSave.objects.create(revision=revision, token=token)
    return revision


def _standing(
    seat: Seat,
    pair_id: int,
    save_id: UUID,
    by: User,
    token: Token | None,
    session: KnownSession | None,
) -> Sequence[Any]:
    """The rows of `STANDING`, at least one, if this person, or this program for them, rates in the
    seat."""
    credentials = session.credentials if session else NO_SESSION
    standing: Sequence[Any] = STANDING.rows(seat.pk, pair_id, save_id, *credentials)
    if not standing:
        raise NotAllowed("This pair is not in the batch.")
    current = standing[0]
    if session and not current.is_signed_in:
        raise SessionMoved("You were signed out a moment ago. Nothing was saved; sign in again.")
    is_annotator = current.is_annotator and current.removed_at is None
    if current.user != by.pk or current.holder != seat.holder_id or not is_annotator:
        raise NotAllowed("This seat is held by somebody else.")
    if not _is_as_read(seat, current):
        raise SeatMoved("This batch was changed a moment ago. Nothing was saved; send it again.")
    if token and not seat.batch.collection.programs_may_rate:
        raise ProgramsMayNotRate(NO_PROGRAMS)
    return standing


def _is_as_read(seat: Seat, current: Any) -> bool:
    """Whether the walk through a seat is still as it was read, and the wording too, where it was
    read along (`seats_at_work`)."""
    version = getattr(seat, "version_id", current.version_id)
    as_read = seat.handovers, seat.seed, seat.batch.way, version
    return as_read == (current.handovers, current.seed, current.way, current.version_id)


def _based_on(standing: Sequence[Any], seat: Seat, based_on: int) -> Rating | None:
    """The rating of this seat that the save is based on; None where there is none yet."""
    key = next((row.rating for row in standing if row.rated_in == seat.pk), None)
    rating: Rating | None = RATING.first(key) if key else None
    if rating and rating.annotator_id != seat.holder_id:
        raise NotAllowed("This pair was rated by an earlier holder of the seat.")
    if based_on != (rating.version if rating else 0):
        raise StaleEdit(
            "The stored rating is not the version that this one is based on.", current=rating
        )
    return rating


def _rate(
    rating: Rating | None, answer: GivenAnswer, *, pair: Pair, seat: Seat, position: int
) -> Rating:
    """The next version of the rating, or a new one, still to be written."""
    if rating is None:
        return Rating(pair=pair, seat=seat, annotator=seat.holder, position=position, **answer)
    rating.version += 1
    for field, value in answer.items():
        setattr(rating, field, value)
    return rating


def _replayed(
    seat: Seat, pair: Pair, save_id: UUID, based_on: int, answer: GivenAnswer
) -> RatingRevision:
    """The revision that the same save made the first time."""
    revision = RatingRevision.objects.get(save_id=save_id)
    is_the_same = (
        revision.rating.seat_id == seat.pk
        and revision.rating.pair_id == pair.pk
        and revision.rating.annotator_id == seat.holder_id
        and revision.version == based_on + 1
        and all(getattr(revision, field) == value for field, value in answer.items())
    )
    if not is_the_same:
        raise SaveIdReused("This save was already sent with another answer. Nothing was changed.")
    return revision


def _check(answer: GivenAnswer, seat: Seat, *, scale: int) -> None:
    option, version = answer["option"], answer["scheme_version"]
    if (option is None) == (not answer["cannot_judge"]):
        raise Invalid(CHOOSE)
    if option and (option.scale_id != scale or option.is_import_only):
        raise Invalid(NO_SUCH_GRADE)
    if version.scheme.collection_id != seat.batch.collection_id:
        raise Invalid("This scheme version belongs to another collection.")
    if len(answer["note"]) > MAX_NOTE_LENGTH:
        raise Invalid(f"The note is longer than {MAX_NOTE_LENGTH:,} characters.")
    if not 0 <= answer["active_seconds"] <= MAX_ACTIVE_SECONDS:
        raise Invalid("The active time must lie between 0 and 86,400 seconds.")
    _check_components(answer["components"], version)


def _check_components(components: Sequence[Mapping[str, str]], version: SchemeVersion) -> None:
    if components and not version.asks_components:
        raise Invalid("The scheme does not ask for key components.")
    if len(components) > MAX_COMPONENTS:
        raise Invalid(f"There are more than {MAX_COMPONENTS} key components.")
    for component in components:
        if not 0 < len(component["text"].strip()) <= MAX_COMPONENT_LENGTH:
            raise Invalid(f"A key component has 1 to {MAX_COMPONENT_LENGTH} characters.")
        if component["met"] not in set(Met):
            raise Invalid("Mark each key component as met, partly met or not met.")


def rating_event(
    rating: Rating,
    before: Mapping[str, Any] | None,
    *,
    pair: Pair,
    seat: Seat,
    by: User | None,
    beside: Mapping[str, Any],
) -> Event:
    """The event of a rating as it is about to be written, and as it was before. `beside` names the
    program that sent it, or the import that brought it and its annotator."""
    after = _trace(rating, seat) | {
        "position": rating.position,
        "active_seconds": rating.active_seconds,
        "scheme_version": rating.scheme_version.number,
        **beside,
    }
    return event(
        verb=Verb.RATE if before is None else Verb.CHANGE_RATING,
        subject=pair,
        by=by,
        collection=seat.batch.collection,
        before=before,
        after=after,
    )


def _trace(rating: Rating, seat: Seat) -> dict[str, Any]:
    return {
        "rating": rating.public_id,
        "seat": seat.public_id,
        "version": rating.version,
        "option": rating.option.key if rating.option else None,
        "cannot_judge": rating.cannot_judge,
        "note": rating.note,
        "is_flagged": rating.is_flagged,
        "components": rating.components,
    }
