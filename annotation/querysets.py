"""Querysets of pairs and ratings: unrated, disputed, visible to a person."""

from typing import Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from datasets.models.imports import active_in_list


def _seats() -> QuerySet:
    return apps.get_model("annotation.Seat")._default_manager.all()


class BatchQuerySet(models.QuerySet):
    def handed_in(self) -> Self:
        """Batches whose every seat is handed in: only then do disputes reach the adjudicator."""
        return self.filter(~Exists(_seats().filter(batch=OuterRef("pk"), handed_in_at=None)))

    def unfinished(self) -> Self:
        return self.filter(Exists(_seats().filter(batch=OuterRef("pk"), handed_in_at=None)))

    def blind_to(self, user: User | int) -> Self:
        """Unfinished batches in which this person holds or ever held a seat.

        Of these they see what an annotator sees, whatever other role they have.
        """
        tenures = apps.get_model("annotation.Tenure")._default_manager
        return self.unfinished().filter(
            Exists(tenures.filter(batch=OuterRef("pk"), member__user=user))
        )


class PairQuerySet(models.QuerySet):
    def waiting(self) -> Self:
        """Pairs that no batch has handed out yet."""
        return self.filter(batch=None)

    def disputed(self) -> Self:
        return self.filter(state="disputed")

    def decided_in_audits(self) -> Self:
        """Agreed pairs that went to an adjudicator for an audit alone, so that they are no
        disputes. Audits are a floor above; the reverse relations are known here without importing
        them."""
        return self.filter(
            decisions__superseded_at=None,
            decisions__audited_pair__is_control=False,
            decisions__audited_pair__has_changed=False,
        )

    def handed_in(self) -> Self:
        """Pairs whose batch has every seat handed in."""
        return self.filter(
            Q(batch__isnull=False)
            & ~Exists(_seats().filter(batch=OuterRef("batch"), handed_in_at=None))
        )

    def without_gold(self) -> Self:
        return self.filter(gold_origin="")

    def with_query(self) -> Any:
        """Annotated with `query_id`: the query that a pair is shown with.

        A topic may stand in several; it is the first whose pool holds the document. (Where none
        does, the first that the topic stands in.)
        """
        pools = apps.get_model("datasets.Candidate").objects.filter(
            query=OuterRef("query"), document=OuterRef(OuterRef("document"))
        )
        places = apps.get_model("datasets.TopicPlace").objects.filter(
            active_in_list("query__"), topic=OuterRef("topic")
        )
        in_order = places.alias(holds=Exists(pools)).order_by(
            "-holds", "query__position", "query_id"
        )
        return self.annotate(query_id=Subquery(in_order.values("query")[:1]))

    def visible_to_lead(self, user: User | int) -> Self:
        """All pairs but those of unfinished batches in which the lead holds or held a seat.

        The batches are a list of their own, which the database makes once; a question to be asked
        of each pair took it three times as long.
        """
        return self.exclude(
            batch__in=apps.get_model("annotation.Batch")._default_manager.blind_to(user)
        )


class SeatQuerySet(models.QuerySet):
    def of(self, user: User | int | None) -> Self:
        """Seats that this person holds as a current annotator of the collection."""
        return self.filter(holder__user=user, holder__removed_at=None, holder__is_annotator=True)

    def open(self) -> Self:
        return self.filter(handed_in_at=None)

    def handed_in(self) -> Self:
        return self.filter(handed_in_at__isnull=False)


class RatingQuerySet(models.QuerySet):
    def waived(self) -> Self:
        """Ratings of people who could have read others' ratings of the batch before: a waiver let
        them rate all the same."""
        waivers = apps.get_model("annotation.Waiver")._default_manager.filter(
            batch=OuterRef("seat__batch"), member=OuterRef("annotator")
        )
        return self.filter(Exists(waivers))

    def visible_to(self, user: User) -> Self:
        """The one spelling of blindness: whose ratings a signed-in person may read.

        - everybody: their own;
        - a lead: all of their collections, but not those of an unfinished batch in which they
          hold or ever held a seat;
        - an adjudicator: those of disputed and decided pairs whose batch is wholly handed in,
          but not of pairs that they rated.
        """
        batches = apps.get_model("annotation.Batch")._default_manager
        members = apps.get_model("datasets.Membership")._default_manager.filter(
            collection=OuterRef("pair__topic__collection"), user=user, removed_at=None
        )
        as_annotator = Q(annotator__user=user)
        in_blind_batch = Exists(batches.filter(pk=OuterRef("pair__batch")).blind_to(user))
        handed_in = Exists(batches.filter(pk=OuterRef("pair__batch")).handed_in())
        rated_by_them = Exists(
            self.model._default_manager.filter(pair=OuterRef("pair"), annotator__user=user)
        )
        as_lead = Exists(members.filter(is_lead=True)) & ~in_blind_batch
        as_adjudicator = (
            Exists(members.filter(is_adjudicator=True))
            & Q(pair__state__in=["disputed", "adjudicated", "excluded"])
            & handed_in
            & ~rated_by_them
        )
        return self.filter(as_annotator | as_lead | as_adjudicator)
