"""Decisions on disputed pairs, and audits of agreed ones."""

import uuid
from datetime import timedelta

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from annotation.models import Batch, Option, Pair
from audit.constraints import check, unique
from audit.models import PublicRow, by_account
from datasets.models import Collection, Membership, Query, Topic


class Decision(PublicRow):
    """An adjudicator's value for a pair, or its exclusion. Rows are only ever superseded.

    One standing decision per pair: `superseded_at` is null for it alone. A change by its author
    or a reopening by a lead sets `superseded_at`, `superseded_by` and, for a reopening, why.
    """

    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="decisions")
    adjudicator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="decisions")
    option = models.ForeignKey(Option, on_delete=models.PROTECT, null=True, related_name="+")
    exclusion_reason = models.TextField(blank=True)
    cause = models.SlugField(max_length=60, blank=True)
    rationale = models.TextField(blank=True)
    save_id = models.UUIDField(unique=True, default=uuid.uuid4)
    decided_at = models.DateTimeField(db_default=Now(), editable=False)
    superseded_at = models.DateTimeField(null=True, editable=False)
    superseded_by = by_account(null=True)
    reopening_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            unique("one_standing_per_pair", "pair", condition=Q(superseded_at__isnull=True)),
            check(
                "option_or_exclusion",
                Q(option__isnull=False, exclusion_reason="")
                | (Q(option__isnull=True) & ~Q(exclusion_reason="")),
            ),
            check(
                "standing_is_not_reopened", Q(superseded_at__isnull=False) | Q(reopening_reason="")
            ),
        ]

    def __str__(self):
        return f"decision on {self.pair_id}"

    @property
    def reason(self):
        """The rationale, or why the pair is left out."""
        return self.rationale or self.exclusion_reason


class FirstValue(models.Model):
    """The value an adjudicator gave before the scheme let them see the ratings."""

    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="first_values")
    adjudicator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    option = models.ForeignKey(Option, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [unique("once", "pair", "adjudicator")]

    def __str__(self):
        return f"first value for {self.pair_id}"


HOLD = timedelta(minutes=30)


def held(path: str = "") -> Q:
    """The condition of holds that are not over; `path` leads to one, as `topic__hold__` does.

    A hold that reaches further than any can was taken while the clock was ahead, and is over.
    """
    now = timezone.now()
    return Q((f"{path}until__gt", now), (f"{path}until__lt", now + 2 * HOLD))


class TopicHold(models.Model):
    """An adjudicator has a topic open; others see that until `until`."""

    topic = models.OneToOneField(Topic, on_delete=models.PROTECT, related_name="hold")
    adjudicator = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="holds")
    until = models.DateTimeField()

    def __str__(self):
        return f"{self.topic} held by {self.adjudicator}"

    @property
    def seconds_left(self):
        """0 for one that is over, as by `held`."""
        left = self.until - timezone.now()
        return left.total_seconds() if timedelta(0) < left < 2 * HOLD else 0


class Audit(PublicRow):
    """A random sample of agreed pairs that adjudicators decide without seeing the ratings.

    Disputed pairs are mixed in as controls, so that nobody can tell what the annotators did. The
    `size` agreed pairs were drawn from `population`, the `control_count` disputed ones from
    `control_population`, both from the seed. `facet`, `query` or `batch` is what the audit is
    limited to, none of them for the whole collection. Closing it makes its figures final.
    """

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="audits")
    name = models.CharField(max_length=200)
    seed = models.CharField(max_length=80)
    facet = models.SlugField(max_length=60, blank=True)
    query = models.ForeignKey(Query, on_delete=models.PROTECT, null=True, related_name="+")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, null=True, related_name="+")
    size = models.PositiveIntegerField()
    population = models.PositiveIntegerField()
    control_count = models.PositiveIntegerField()
    control_population = models.PositiveIntegerField()
    adjudicators = models.ManyToManyField(Membership, related_name="audits")
    drawn_by = by_account()
    drawn_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_by = by_account(null=True)
    closed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            unique(
                "name_in_collection",
                "collection",
                "name",
                violation_error_message="Another audit of this collection has this name.",
            ),
            check("size_of_population", Q(size__gte=1, size__lte=F("population"))),
            check("controls_of_population", Q(control_count__lte=F("control_population"))),
            check(
                "limited_once",
                Q(query__isnull=True, batch__isnull=True)
                | Q(facet="", batch__isnull=True)
                | Q(facet="", query__isnull=True),
            ),
            check(
                "closed_at_and_by_together",
                Q(closed_at__isnull=True, closed_by__isnull=True)
                | Q(closed_at__isnull=False, closed_by__isnull=False),
            ),
        ]

    def __str__(self):
        return self.name

    @property
    def is_open(self):
        return self.closed_at is None

    @property
    def limits_in_words(self):
        if self.facet:
            return f"facet {self.facet}"
        if self.query:
            return f"query {self.query.external_id}"
        return f"batch {self.batch.name}" if self.batch else "the whole collection"


class AuditedPair(PublicRow):
    """A pair of an audit, at its place in the shuffled order.

    `consensus` is the gold value of an agreed pair when it was drawn; a control has none. While
    the audit is open, `decision` is the standing decision that was made in it; closing the audit
    ends every change to the row. `has_changed` says that the ratings were others by the time of
    the decision, so that it says nothing of the consensus that was drawn.
    """

    audit = models.ForeignKey(Audit, on_delete=models.PROTECT, related_name="audited_pairs")
    pair = models.ForeignKey(Pair, on_delete=models.PROTECT, related_name="audited")
    position = models.PositiveIntegerField()
    is_control = models.BooleanField()
    consensus = models.DecimalField(max_digits=6, decimal_places=3, null=True)
    decision = models.OneToOneField(
        Decision, on_delete=models.PROTECT, null=True, related_name="audited_pair"
    )
    has_changed = models.BooleanField(default=False)
    # As its audit is; here too, so that the database keeps a pair to one open audit.
    is_open = models.BooleanField(default=True)

    class Meta:
        ordering = ["audit", "position"]
        constraints = [
            unique("once_per_audit", "audit", "pair"),
            unique("position_once", "audit", "position"),
            unique("one_open_audit", "pair", condition=Q(is_open=True)),
            check(
                "consensus_iff_agreed",
                Q(is_control=True, consensus__isnull=True)
                | Q(is_control=False, consensus__isnull=False),
            ),
            check("changed_when_decided", Q(decision__isnull=False) | Q(has_changed=False)),
        ]

    def __str__(self):
        return f"{self.audit}, pair {self.position}"
