"""Batches and seats, with as much of their progress as this lead may know; a person's own seats."""

from django.db.models import Count

from annotation.access import seats_at_work
from annotation.assigning.seats import shown_seats
from annotation.models import Rating
from annotation.progress.figures import Figures
from annotation.querysets import RatingQuerySet
from annotation.workbench.bench import Bench
from api.columns import Column, Convert, Kind, identifier
from api.resources.resource import Resource, Row
from api.viewer import Viewer
from datasets.models import Role, Scope, Topic


def _batches(viewer: Viewer) -> list[Row]:
    figures = Figures(viewer.member)
    topics = dict(
        Topic.objects.filter(collection=viewer.collection).values_list("pk", "external_id")
    )
    return [
        (
            batch.public_id,
            batch.name,
            batch.overlap,
            batch.way,
            [topics[pk] for pk in figures.sizes[batch.pk] if pk in topics],
            figures.sizes[batch.pk].total(),
            None if batch.pk in figures.blind else batch.pk in figures.handed_in,
            batch.drawn,
        )
        for batch in figures.batches.values()
    ]


def _seats(viewer: Viewer) -> list[Row]:
    figures = Figures(viewer.member)
    seats_of = shown_seats(figures)
    rows: list[Row] = []
    for pk, batch in figures.batches.items():
        for seat in seats_of.get(pk, []):
            progress = figures.progress(seat)
            rows.append(
                (
                    seat.public_id,
                    batch.public_id,
                    batch.name,
                    seat.ordinal,
                    seat.holder and seat.holder.public_id,
                    seat.holder_id and viewer.people[seat.holder_id],
                    progress.size,
                    progress.rated,
                    progress.is_handed_in,
                    seat.handed_in_at if progress.is_handed_in else None,
                    seat.return_reason if progress.is_handed_in is not None else None,
                )
            )
    return rows


def _benches(viewer: Viewer) -> list[Bench]:
    """The viewer's own seats. Nothing here depends on other seats of a batch."""
    seats = seats_at_work(viewer.user).filter(batch__collection=viewer.collection)
    return [Bench(seat) for seat in seats.order_by("batch__position", "batch", "pk")]


def _answers(viewer: Viewer) -> RatingQuerySet:
    """The viewer's own ratings."""
    return Rating.objects.visible_to(viewer.user).filter(annotator=viewer.member)


def _answered(viewer: Viewer) -> Convert:
    counts = dict(_answers(viewer).values_list("seat").annotate(Count("pk")))
    return lambda seat: counts.get(seat, 0)


def _own_ratings(viewer: Viewer) -> list[Row]:
    answers = _answers(viewer).select_related("option", "scheme_version")
    rating_of = {(rating.seat_id, rating.pair_id): rating for rating in answers}
    return [
        (
            bench.seat.public_id,
            step.position,
            step.facet,
            rating.option and rating.option.key,
            rating.option and rating.option.value,
            rating.cannot_judge,
            rating.note,
            rating.is_flagged,
            rating.components,
            rating.active_seconds,
            rating.scheme_version.number,
            rating.version,
        )
        for bench in _benches(viewer)
        for step in bench.walk.steps
        if (rating := rating_of.get((bench.seat.pk, step.pair_id)))
    ]


BATCHES = Resource(
    "batches",
    "Pairs that are handed out together.",
    (
        identifier("The batch's public id."),
        Column("name", "Its name."),
        Column("overlap", "How many people rate each pair.", Kind.INTEGER),
        Column("way", "topic or document: the order in which pairs come."),
        Column("topics", "The topics of its pairs.", Kind.TEXTS),
        Column("pairs", "How many pairs it has.", Kind.INTEGER),
        Column(
            "is_finished",
            "Whether every seat is handed in; null where you rate in it yourself and may not know.",
            Kind.FLAG,
        ),
        Column("drawn", "How it was drawn, where it is a sample.", Kind.DATA),
    ),
    _batches,
)
SEATS = Resource(
    "seats",
    "The seats of each batch. Of a batch that you rate in, hidden figures are null.",
    (
        identifier("The seat's public id."),
        Column("batch", "The batch's public id.", Kind.ID),
        Column("batch_name", "The batch's name."),
        Column("ordinal", "The seat's number in its batch.", Kind.INTEGER),
        Column("holder", "The public id of the member who holds it.", Kind.ID),
        Column("annotator", "The holder's pseudonym."),
        Column("size", "How many pairs it has.", Kind.INTEGER),
        Column("rated", "How many of them are rated.", Kind.INTEGER),
        Column("is_handed_in", "Whether it is handed in.", Kind.FLAG),
        Column("handed_in_at", "When.", Kind.TIME),
        Column("return_reason", "Why a lead gave it back."),
    ),
    _seats,
)
OWN_SEATS = Resource(
    "own-seats",
    "The seats that you hold. Their pairs are named by position alone.",
    (
        Column("id", "The seat's public id.", Kind.ID, "seat__public_id"),
        Column("way", "topic or document: the order in which pairs come.", path="seat__batch__way"),
        Column("size", "How many pairs it has.", Kind.INTEGER),
        Column(
            "answered", "How many of them you have answered.", Kind.INTEGER, "seat__pk", _answered
        ),
        Column(
            "scheme_version",
            "The version that new ratings are made under.",
            Kind.INTEGER,
            "version__number",
        ),
        Column("handed_in_at", "When you handed it in.", Kind.TIME, "seat__handed_in_at"),
        Column("return_reason", "Why a lead gave it back to you.", path="seat__return_reason"),
    ),
    _benches,
    roles=(Role.ANNOTATOR,),
)
OWN_RATINGS = Resource(
    "own-ratings",
    "Your answers in the seats that you hold, by seat and position.",
    (
        Column("seat", "The seat's public id.", Kind.ID),
        Column("position", "The pair's position in the seat.", Kind.INTEGER),
        Column("facet", "The facet; empty for an aspect."),
        Column("option", "The option that you chose; null for “cannot judge”."),
        Column("value", "The option's value.", Kind.NUMBER),
        Column("cannot_judge", "Your reason, where the pair cannot be judged."),
        Column("note", "Your note."),
        Column("is_flagged", "Whether you flagged it.", Kind.FLAG),
        Column("components", "Key components, with how far each is met.", Kind.DATA),
        Column("active_seconds", "Time spent on the pair.", Kind.NUMBER),
        Column("scheme_version", "The version you read.", Kind.INTEGER),
        Column("version", "How often you saved it.", Kind.INTEGER),
    ),
    _own_ratings,
    scope=Scope.RATINGS,
    roles=(Role.ANNOTATOR,),
)
