"""Rating a pair."""

from decimal import Decimal
from uuid import UUID

from django.db.models import Exists

from annotation.models import Pair, ProgramSave, Rating, RatingRevision, Seat
from annotation.rating.components import MAX_COMPONENT_LENGTH, MAX_COMPONENTS, Met
from annotation.rating.settle import RULES, locked, settle_rated
from audit.actions import record
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from audit.statements import Select, insert, update
from audit.transactions import one_transaction


class SeatClosed(Locked):
    """The seat is handed in."""


class SaveIdReused(Invalid):
    """The save was sent before with something else in it."""


class ProgramsMayNotRate(Refused):
    """The collection's leads have not let programs rate in it."""

    status = 403


class StaleEdit(Stale):
    """Another tab or device changed the rating since this page was opened."""


NO_PROGRAMS = "Programs do not rate in this collection. A lead can let them."
MAX_NOTE_LENGTH = 5_000
MAX_ACTIVE_SECONDS = Decimal("86400")

# What a save reads, in this order, each with the lock that holds until it is committed.
SEAT = Select(
    lambda seat: (
        Seat.objects.select_for_update(no_key=True)
        .filter(pk=seat)
        .values_list("holder", "handed_in_at")
    ),
    int,
)
# The seat's lock is held by then: a save that is sent again sees what it made the first time.
PAIR = Select(
    lambda pair, batch, save_id: locked(Pair.objects.filter(pk=pair, batch=batch)).annotate(
        is_kept=Exists(RatingRevision.objects.filter(save_id=save_id))
    ),
    int,
    int,
    UUID,
)
RATINGS = Select(lambda pair: Rating.objects.filter(pair=pair).select_related("option"), int)


@one_transaction
def rate_pair(
    *,
    seat,
    pair,
    by,
    save_id,
    based_on,
    scheme_version,
    option=None,
    cannot_judge="",
    note="",
    is_flagged=False,
    active_seconds=Decimal(0),
    components=(),
    position=0,
    token=None,
):
    """Keep one answer of the seat's holder for a pair and settle the pair; return the revision.

    `seat` is as it was read for this request; whether it is still its holder's, and open, is asked
    under its lock. `save_id` is the client's UUID for this save: the same save sent again returns
    the revision it made the first time and changes nothing. `based_on` is the version of the rating
    that the holder had in view, 0 for none. `active_seconds` is the whole time spent on the pair so
    far. `components` are key components as `Answer` holds them; `position` is the pair's number in
    the walk through the batch, as it is at the first save. `token` is that of a program which sends
    the save, where it is no person at a page.

    Raises SaveIdReused, StaleEdit (with the current rating), SeatClosed, Invalid, NotAllowed.
    """
    answer = {
        "option": option,
        "cannot_judge": cannot_judge,
        "note": note,
        "is_flagged": is_flagged,
        "active_seconds": active_seconds,
        "components": list(components),
        "scheme_version": scheme_version,
    }
    # Locks are taken in one order everywhere: batch, seat, pair.
    holder, handed_in_at = SEAT.first(seat.pk)
    if holder is None or holder != seat.holder_id or seat.holder.user_id != by.pk:
        raise NotAllowed("This seat is held by somebody else.")
    if token and not seat.batch.collection.programs_may_rate:
        raise ProgramsMayNotRate(NO_PROGRAMS)
    pair = PAIR.first(pair.pk, seat.batch_id, save_id)
    if pair is None:
        raise NotAllowed("This pair is not in the batch.")
    if pair.is_kept:
        return _replayed(seat, pair, save_id, based_on, answer)
    if handed_in_at:
        raise SeatClosed("This batch is handed in. Ask a lead to return it if you need a change.")
    _check(answer, seat)
    rules = RULES.first(pair.pk)
    if option and (option.scale_id != rules.pk or option.is_import_only):
        raise Invalid("This grade is not part of the scheme.")

    # All ratings of the pair, the holder's own last.
    ratings = sorted(RATINGS.rows(pair.pk), key=lambda other: other.seat_id == seat.pk)
    rating = ratings.pop() if ratings and ratings[-1].seat_id == seat.pk else None
    if rating and rating.annotator_id != seat.holder_id:
        raise NotAllowed("This pair was rated by an earlier holder of the seat.")
    current = rating.version if rating else 0
    if based_on != current:
        raise StaleEdit("This rating was changed in another window.", current=rating)

    before = _trace(rating, seat) if rating else None
    if rating is None:
        rating = Rating(
            pair=pair, seat=seat, annotator=seat.holder, position=position, version=1, **answer
        )
        insert(rating)
    else:
        rating.version = current + 1
        for field, value in answer.items():
            setattr(rating, field, value)
        update(rating, ["version", *answer])
    revision = RatingRevision(
        rating=rating, version=rating.version, save_id=save_id, saved_by=by, **answer
    )
    insert(revision)
    if token:
        ProgramSave.objects.create(revision=revision, token=token)
    record(
        verb="rate" if before is None else "change rating",
        subject=pair,
        by=by,
        collection=seat.batch.collection,
        before=before,
        after=_trace(rating, seat)
        | {
            "position": rating.position,
            "active_seconds": rating.active_seconds,
            "scheme_version": scheme_version.number,
        }
        | ({"token": token.public_id} if token else {}),
    )
    settle_rated(pair, [*ratings, rating], rules=rules)
    return revision


def _replayed(seat, pair, save_id, based_on, answer):
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


def _check(answer, seat):
    option, version = answer["option"], answer["scheme_version"]
    if (option is None) == (not answer["cannot_judge"]):
        raise Invalid("Choose a grade, or say why you cannot judge the pair.")
    if version.scheme.collection_id != seat.batch.collection_id:
        raise Invalid("This scheme version belongs to another collection.")
    if len(answer["note"]) > MAX_NOTE_LENGTH:
        raise Invalid(f"The note is longer than {MAX_NOTE_LENGTH:,} characters.")
    if not 0 <= answer["active_seconds"] <= MAX_ACTIVE_SECONDS:
        raise Invalid("The active time must lie between 0 and 86,400 seconds.")
    _check_components(answer["components"], version)


def _check_components(components, version):
    if components and not version.asks_components:
        raise Invalid("The scheme does not ask for key components.")
    if len(components) > MAX_COMPONENTS:
        raise Invalid(f"There are more than {MAX_COMPONENTS} key components.")
    for component in components:
        if not 0 < len(component["text"].strip()) <= MAX_COMPONENT_LENGTH:
            raise Invalid(f"A key component has 1 to {MAX_COMPONENT_LENGTH} characters.")
        if component["met"] not in set(Met):
            raise Invalid("Mark each key component as met, partly met or not met.")


def _trace(rating, seat):
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
