"""Pairs, the batches they are handed out in, and the seats that are rated."""

import secrets

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.models.schemes import Option
from annotation.querysets import BatchQuerySet, PairQuerySet, SeatQuerySet
from audit.constraints import check, unique
from audit.hashes import ContentHash
from audit.models import CreatedRow, PublicRow, by_account
from datasets.models import ActiveManager, Collection, Document, Imported, Membership, Topic
from formats.records import MAX_OVERLAP


def seat_seed():
    return secrets.token_hex(16)


class Batch(PublicRow, CreatedRow, Imported):
    """Pairs handed out together, with as many seats as its overlap.

    `drawn` says how a sample was drawn: purpose, size, seed, strata and the number of pairs it was
    drawn from; null for a batch that is no sample.
    """

    class Way(models.TextChoices):
        """In which order the pairs are worked through. It never changes a pair's address."""

        BY_TOPIC = "topic", "one topic over its documents"
        BY_DOCUMENT = "document", "one document under all its topics"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="batches")
    name = models.CharField(max_length=260)
    overlap = models.PositiveSmallIntegerField()
    way = models.CharField(max_length=8, choices=Way, default=Way.BY_TOPIC)
    drawn = models.JSONField(null=True, editable=False)
    position = models.PositiveIntegerField(default=0)

    objects = ActiveManager.from_queryset(BatchQuerySet)()

    class Meta:
        verbose_name_plural = "batches"
        ordering = ["position", "id"]
        constraints = [
            unique("name_in_collection", "collection", "name"),
            check("overlap_1_to_9", Q(overlap__gte=1, overlap__lte=MAX_OVERLAP)),
            check("way_known", Q(way__in=["topic", "document"])),
        ]

    def __str__(self):
        return self.name


class Pair(PublicRow, Imported):
    """One topic with one document: the unit that is rated."""

    class State(models.TextChoices):
        """The state of a pair. It changes only inside the transaction that causes the change."""

        OPEN = "open", "open"  # no seat has answered
        PARTIAL = "partial", "partly rated"  # some seats have answered
        AGREED = "agreed", "agreed"  # all have, and the rule accepts the values
        DISPUTED = "disputed", "disputed"  # all have, and the rule does not
        ADJUDICATED = "adjudicated", "adjudicated"  # a decision with a value stands
        EXCLUDED = "excluded", "excluded"  # a decision to leave the pair out stands

    class Origin(models.TextChoices):
        CONSENSUS = "consensus", "consensus"
        ADJUDICATED = "adjudicated", "adjudicated"
        EXCLUDED = "excluded", "excluded"

    # A constraint and an index begin with it.
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="pairs", db_index=False)
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="pairs")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, null=True, related_name="pairs")
    position = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=11, choices=State, default=State.OPEN)
    gold_origin = models.CharField(max_length=11, choices=Origin, blank=True)
    gold_value = models.DecimalField(max_digits=6, decimal_places=3, null=True)
    # Null beside a value when raters agreed on the value with different options.
    gold_option = models.ForeignKey(
        Option, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )

    objects = ActiveManager.from_queryset(PairQuerySet)()

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            unique("once_per_topic", "topic", "document"),
            check(
                "state_known",
                Q(state__in=["open", "partial", "agreed", "disputed", "adjudicated", "excluded"]),
            ),
            check(
                "origin_fits_state",
                Q(state="agreed", gold_origin__in=["", "consensus"])
                | Q(state="adjudicated", gold_origin="adjudicated")
                | Q(state="excluded", gold_origin="excluded")
                | Q(state__in=["open", "partial", "disputed"], gold_origin=""),
            ),
            check(
                "value_iff_origin",
                Q(gold_origin__in=["consensus", "adjudicated"], gold_value__isnull=False)
                | Q(
                    gold_origin__in=["", "excluded"],
                    gold_value__isnull=True,
                    gold_option__isnull=True,
                ),
            ),
            check("without_batch_is_open", Q(batch__isnull=False) | Q(state="open")),
        ]
        # Reports count a large collection's pairs from this index alone.
        indexes = [
            models.Index(
                fields=["topic", "batch", "state", "gold_origin", "imported"],
                name="annotation_pair_counted",
            )
        ]

    def __str__(self):
        return f"{self.topic.external_id} {self.document.external_id}"


class SideText(models.Model):
    """A text shown beside the document of a pair, under its title, such as a model's answer.

    It is judged with the pair: triggers refuse any change once somebody held a seat of its batch.
    """

    pair = models.OneToOneField(Pair, on_delete=models.PROTECT, related_name="side_text")
    title = models.CharField(max_length=200)
    text = models.TextField()
    text_sha256 = ContentHash(of=["title", "text"])

    class Meta:
        constraints = [check("is_titled", ~Q(title="") & ~Q(text=""))]

    def __str__(self):
        return self.title


class Seat(PublicRow):
    """One of a batch's k places, held by one annotator at a time.

    `seed` and the holder give the order in which the holder sees the pairs. `handovers` counts how
    often the seat got another holder or none; a trigger refuses a change that does not count.
    """

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="seats")
    ordinal = models.PositiveSmallIntegerField()
    holder = models.ForeignKey(
        Membership, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    handovers = models.PositiveIntegerField(default=0, editable=False)
    seed = models.CharField(max_length=32, default=seat_seed, editable=False)
    handed_in_at = models.DateTimeField(null=True, editable=False)
    # Why the lead gave the seat back to its holder; empty again once it is handed in.
    return_reason = models.TextField(blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["batch", "ordinal"]
        constraints = [
            unique("ordinal_once_per_batch", "batch", "ordinal"),
            unique("holder_once_per_batch", "batch", "holder"),
            check("ordinal_1_to_9", Q(ordinal__gte=1, ordinal__lte=MAX_OVERLAP)),
            check("handed_in_by_a_holder", Q(handed_in_at__isnull=True) | Q(holder__isnull=False)),
        ]

    def __str__(self):
        return f"{self.batch}, seat {self.ordinal}"


class Tenure(models.Model):
    """A member's time as holder of a seat. It is unique by batch and member: whoever held a seat of
    a batch never holds another seat of it.

    `could_read_since` is written by the database: the first moment at which, while every seat of
    the batch was handed in, the member was a lead, or an adjudicator of pairs that they had not
    rated. From then on their ratings in it are fixed.
    """

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="tenures")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="tenures")
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="tenures")
    since = models.DateTimeField(db_default=Now(), editable=False)
    could_read_since = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [unique("once_per_batch", "batch", "member")]

    def __str__(self):
        return f"{self.member} in {self.seat}"


class Waiver(PublicRow):
    """A lead lets a member rate in a batch although they could have read its ratings before.

    Triggers refuse UPDATE and DELETE, and a waiver for oneself. `given_by` is null for seats that
    were taken before the rule existed.
    """

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="waivers")
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="waivers")
    reason = models.TextField()
    given_by = by_account(null=True)
    given_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["batch", "id"]
        constraints = [
            unique("once_per_member", "batch", "member"),
            check("has_a_reason", ~Q(reason="")),
        ]

    def __str__(self):
        return f"{self.member} in {self.batch}"
