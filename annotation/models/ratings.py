"""Ratings and every revision of them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.models.batches import Pair, Seat
from annotation.models.schemes import Option, SchemeVersion
from annotation.querysets import RatingQuerySet
from audit.constraints import check, unique
from audit.models import PublicRow
from datasets.models import Membership, Token


class Answer(models.Model):
    """An option, or "cannot judge" with a reason; never both, never neither.

    `components` are the key components into which the annotator split the aspect, as a list of
    {"text": str, "met": "met", "partly" or "not"}; empty where the scheme does not ask for them.

    A save writes every index of these tables, so they have those alone that somebody searches by.
    """

    option = models.ForeignKey(
        Option, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    cannot_judge = models.CharField(max_length=200, blank=True)
    note = models.TextField(blank=True)
    is_flagged = models.BooleanField(default=False)
    components = models.JSONField(default=list, blank=True)
    active_seconds = models.DecimalField(max_digits=8, decimal_places=1, default=0)
    scheme_version = models.ForeignKey(
        SchemeVersion, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    version = models.PositiveIntegerField(default=1)

    class Meta:
        abstract = True
        constraints = [
            check(
                "option_or_cannot_judge",
                Q(option__isnull=False, cannot_judge="")
                | (Q(option__isnull=True) & ~Q(cannot_judge="")),
            ),
            check("seconds_positive", Q(active_seconds__gte=0)),
        ]


class Rating(PublicRow, Answer):
    """The standing answer of one seat for one pair; `version` counts its revisions from 1.

    A rating keeps its author when the seat is given to somebody else.
    """

    # Constraints and indexes below begin with each of these three.
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    annotator = models.ForeignKey(
        Membership, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    position = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = RatingQuerySet.as_manager()

    class Meta(Answer.Meta):
        constraints = [
            *Answer.Meta.constraints,
            unique("once_per_seat", "pair", "seat"),
            unique("once_per_annotator", "pair", "annotator"),
        ]
        indexes = [
            models.Index(fields=["seat", "pair"], name="annotation_rating_seat_pair"),
            # For medians of times, and for the few that are flagged among very many.
            models.Index(fields=["annotator", "active_seconds"], name="annotation_rating_times"),
            models.Index(
                fields=["seat"], condition=Q(is_flagged=True), name="annotation_rating_flags"
            ),
            # The state of a large study is read without its ratings; a first save writes nothing.
            models.Index(
                fields=["pair", "version"],
                condition=Q(version__gt=1),
                name="annotation_rating_changed",
            ),
        ]

    def __str__(self):
        return f"rating of {self.pair_id} in seat {self.seat_id}"


class RatingRevision(Answer):
    """One acknowledged save, kept for ever: triggers refuse UPDATE and DELETE.

    `save_id` is made by the client; a save sent again is recognised by it.
    """

    # The constraint on versions begins with it.
    rating = models.ForeignKey(
        Rating, on_delete=models.PROTECT, related_name="revisions", db_index=False
    )
    save_id = models.UUIDField(unique=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    saved_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta(Answer.Meta):
        ordering = ["rating", "version"]
        constraints = [*Answer.Meta.constraints, unique("version_once", "rating", "version")]

    def __str__(self):
        return f"revision {self.version} of rating {self.rating_id}"


class ProgramSave(models.Model):
    """A save that a program sent, and with whose token. Triggers refuse UPDATE and DELETE.

    A table of its own, so that the saves of people cost nothing more.
    """

    revision = models.OneToOneField(
        RatingRevision, on_delete=models.PROTECT, related_name="program_save"
    )
    token = models.ForeignKey(Token, on_delete=models.PROTECT, related_name="+")

    def __str__(self):
        return f"program of revision {self.revision_id}"
