"""A test collection with its details and rules of sign-in."""

import secrets
from typing import Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from accounts.sessions import DEFAULT_IDLE_HOURS, DEFAULT_LEAD_IDLE_HOURS
from audit.constraints import check
from audit.models import PublicRow

HOUR, DAY = 1, 24
IDLE_CHOICES = [
    (1 * HOUR, "1 hour without use"),
    (4 * HOUR, "4 hours without use"),
    (12 * HOUR, "12 hours without use"),
    (1 * DAY, "1 day without use"),
    (3 * DAY, "3 days without use"),
    (7 * DAY, "1 week without use"),
    (14 * DAY, "2 weeks without use"),
]


def pseudonym_key():
    return secrets.token_hex(32)


class Collection(PublicRow):
    """One test collection being built, with what every export of it carries."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=160)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=200, blank=True)
    source = models.TextField(blank=True)
    citation = models.TextField(blank=True)
    # What an import found beside the study itself (evaluation splits, unknown keys), for export.
    extra = models.JSONField(default=dict, blank=True)
    pseudonym_key = models.CharField(max_length=64, default=pseudonym_key, editable=False)
    # How long a session may be idle; of all that hold for a person the strictest counts.
    idle_hours = models.PositiveSmallIntegerField(
        "sessions of annotators and adjudicators end after",
        choices=IDLE_CHOICES,
        default=DEFAULT_IDLE_HOURS,
    )
    lead_idle_hours = models.PositiveSmallIntegerField(
        "sessions of leads end after", choices=IDLE_CHOICES, default=DEFAULT_LEAD_IDLE_HOURS
    )
    leads_need_second_factor = models.BooleanField("leads need a second factor", default=False)
    # A lead who looks at scores of runs while people rate may steer what is rated next.
    scores_wait_for_locking = models.BooleanField(
        "scores of runs stay closed until every topic is locked", default=False
    )
    # Off, since a seat in which a script rates is how a model's answers get into human data.
    programs_may_rate = models.BooleanField("programs may rate", default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            check(
                "idle_hours_known",
                Q(idle_hours__in=list(dict(IDLE_CHOICES)))
                & Q(lead_idle_hours__in=list(dict(IDLE_CHOICES))),
            ),
        ]

    def __str__(self):
        return self.name

    @property
    def collection(self) -> Self:
        """Itself, as whatever it holds has its collection: events are about either."""
        return self
