"""The drawing of an audit and its order: the same seed on the same state draws the same pairs."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from adjudication.models import AuditedPair, Decision, FirstValue, TopicHold, held
from annotation.models import Batch, Pair, Rating
from annotation.sampling.drawing import Drawable, draw, rank
from datasets.models import Candidate, Query, TopicPlace


@dataclass(frozen=True)
class Limits:
    """The limits of an audit: one facet by its key, one query or one batch; or none."""

    facet: str = ""
    query: Query | None = None
    batch: Batch | None = None

    def of(self, pairs):
        if self.facet:
            pairs = pairs.filter(topic__facet=self.facet)
        if self.query:
            places = TopicPlace.objects.filter(topic=OuterRef("topic"), query=self.query)
            pooled = Candidate.objects.filter(query=self.query, document=OuterRef("document"))
            pairs = pairs.filter(Exists(places), Exists(pooled))
        if self.batch:
            pairs = pairs.filter(batch=self.batch)
        return pairs


def agreed_pairs(*, collection, adjudicators, limits):
    """Pairs with gold by consensus that these adjudicators could decide without knowing them."""
    pairs = Pair.objects.filter(state=Pair.State.AGREED, gold_origin=Pair.Origin.CONSENSUS)
    return _unknown_pairs(pairs, collection, adjudicators, limits)


def control_pairs(*, collection, adjudicators, limits):
    """Disputed pairs that wait for a decision and that these adjudicators do not know yet.

    Not those of topics that somebody has open in the queue: their ratings are being looked at.
    """
    holds = TopicHold.objects.filter(held(), topic=OuterRef("topic"))
    pairs = Pair.objects.disputed().filter(~Exists(holds))
    return _unknown_pairs(pairs, collection, adjudicators, limits)


def _unknown_pairs(pairs, collection, adjudicators, limits):
    """Those of the pairs that are handed in, of open topics, in no other open audit, and never
    rated nor decided by any of the adjudicators.

    A lead may see all of them: nobody is blind to a batch that is handed in.
    """
    of_pair = {"pair": OuterRef("pk")}
    exposures = [
        Rating.objects.filter(**of_pair, annotator__in=adjudicators),
        Decision.objects.filter(**of_pair, adjudicator__in=adjudicators),
        FirstValue.objects.filter(**of_pair, adjudicator__in=adjudicators),
        AuditedPair.objects.filter(**of_pair, is_open=True),
    ]
    return limits.of(
        pairs.handed_in().filter(
            *(~Exists(rows) for rows in exposures),
            topic__collection=collection,
            topic__locked_at=None,
        )
    )


def drawables(pairs):
    """The pairs with the identifiers that exports carry, as `annotation.sampling` wants them."""
    rows = pairs.order_by().values_list("pk", "topic__external_id", "document__external_id")
    return [Drawable(pk, f"{topic}\x1f{document}") for pk, topic, document in rows]


def drawn_in_order(agreed, controls, *, size, control_count, seed):
    """[(pair id, is a control)] in the order in which the audit is worked through.

    The order has a hash of its own. In the order of the draw the two kinds would not mix: a large
    share of the few controls is drawn, but a small share of the many agreed pairs.
    """
    sample = [(pair, False) for pair in draw(agreed, total=size, seed=seed)]
    sample += [(pair, True) for pair in draw(controls, total=control_count, seed=seed)]
    sample.sort(key=lambda entry: rank(seed, f"order\x1f{entry[0].identity}"))
    return [(pair.key, is_control) for pair, is_control in sample]
