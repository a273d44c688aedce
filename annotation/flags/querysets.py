"""Answers to flags that a person may see."""

from collections.abc import Iterable

from django.db.models import Count, F, QuerySet

from annotation.models import FlagAnswer, Seat


def answers_for_holder(seat: Seat) -> QuerySet[FlagAnswer]:
    """Answers to the flags that the seat's holder set in it, in the order of the answers.

    The holder reads them once the seat is handed in, not while it is returned: a lead's words may
    rest on what others rated.
    """
    if not seat.handed_in_at:
        return FlagAnswer.objects.none()
    return (
        FlagAnswer.objects.filter(rating__seat=seat, rating__annotator=seat.holder_id)
        .select_related("rating__pair__document", "scheme_version")
        .order_by("id")
    )


def answer_counts(seats: Iterable[Seat]) -> dict[int, int]:
    """{seat: how many answers its holder reads}, of those handed in."""
    handed_in = [seat.pk for seat in seats if seat.handed_in_at]
    return dict(
        FlagAnswer.objects.filter(
            rating__seat__in=handed_in, rating__annotator=F("rating__seat__holder")
        )
        .values_list("rating__seat")
        .annotate(Count("pk"))
    )
