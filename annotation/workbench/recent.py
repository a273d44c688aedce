"""The holder's latest ratings in a seat."""

from dataclasses import dataclass

from django.db.models import Max

from annotation.models import Rating
from annotation.workbench.answers import answer_of_rating
from annotation.workbench.bench import Bench, Place

SHOWN = 10


@dataclass(frozen=True)
class Recent:
    """A pair with the answer that stands for it, in words."""

    place: Place
    title: str
    words: str
    topic: str = ""


def recent_ratings(bench: Bench) -> list[Recent]:
    """The holder's last ratings in this seat, that saved or changed last first."""
    ratings = (
        Rating.objects.filter(seat=bench.seat, annotator=bench.seat.holder_id)
        .annotate(last_save=Max("revisions__pk"))
        .select_related("pair__document", "pair__topic")
        .defer("pair__document__metadata", "pair__document__extra")
        .order_by("-last_save")[:SHOWN]
    )
    places = {place.step.pair_id: place for place in bench.places}
    return [
        Recent(
            place=places[rating.pair_id],
            title=rating.pair.document.heading,
            words=answer_of_rating(bench.terms, rating.pair.topic.facet, rating).words,
            topic=bench.topic_words(rating.pair.topic.text, rating.pair.topic.facet),
        )
        for rating in ratings
    ]
