"""Pairs by where they stand, as the overview and the page of exports count them: straight from the
database, since a lead may look at them the moment that they change."""

from uuid import UUID

from django.http import Http404
from django.urls import reverse

from agreement.pairs.made import Made, Maker, wrong
from agreement.study.selection import Selection
from annotation.models import Batch, Pair
from annotation.progress.figures import DECIDED, SENT_ON
from annotation.querysets import PairQuerySet
from datasets.models import Topic

OPEN_DISPUTE = "disputed and open"
# Of pairs without gold, by the cell that names them: those in no batch, and those handed out that
# stand at a state. What all seats have answered is not handed in, whether they agree or not, until
# they all are: only then is a difference a dispute.
LACKING = {
    "waiting": "waiting for a batch",
    Pair.State.OPEN: "not rated",
    Pair.State.PARTIAL: "partly rated",
    Pair.State.AGREED: "not handed in",
    Pair.State.DISPUTED: OPEN_DISPUTE,
}
# The states of pairs that went to the adjudicator, by the cell that names them.
DISPUTES = {
    "all": ("disputed", SENT_ON),
    "decided": ("disputed and decided", DECIDED),
    "open": (OPEN_DISPUTE, [Pair.State.DISPUTED]),
}


def _lacking(selection: Selection, cell: str) -> Made:
    if cell not in LACKING:
        raise wrong(cell, f"one of {', '.join(LACKING)}")
    pairs = _pairs(selection).without_gold()
    if cell == "waiting":
        chosen = pairs.waiting()
    elif cell == Pair.State.DISPUTED:
        chosen = pairs.disputed().handed_in()
    else:
        states = [cell, Pair.State.DISPUTED] if cell == Pair.State.AGREED else [cell]
        chosen = pairs.filter(state__in=states, batch__in=Batch.objects.unfinished())
    return LACKING[cell], _page(selection, "releases:exports"), _ids(chosen)


def _settled(selection: Selection, cell: str) -> Made:
    """Pairs with gold, of one origin where the cell names it."""
    origins = Pair.Origin.values
    if cell and cell not in origins:
        raise wrong(cell, f"one of {', '.join(origins)}, or nothing")
    pairs = _pairs(selection).filter(gold_origin__in=[cell] if cell else origins)
    words = f"gold, {Pair.Origin(cell).label}" if cell else "gold"
    return words, _page(selection, "annotation:collection"), _ids(pairs)


def _disputes(selection: Selection, cell: str) -> Made:
    """Pairs that went to the adjudicator; of one topic where its public id follows in the cell."""
    name, _, public_id = cell.partition(",")
    if name not in DISPUTES:
        raise wrong(cell, f"one of {', '.join(DISPUTES)}")
    words, states = DISPUTES[name]
    pairs = _pairs(selection).handed_in().filter(state__in=states)
    pairs = pairs.exclude(pk__in=pairs.decided_in_audits().values("pk"))
    if public_id:
        topic = _topic_of(selection, public_id)
        words, pairs = f"topic {topic.external_id}, {words}", pairs.filter(topic=topic)
    return words, _page(selection, "annotation:collection"), _ids(pairs)


def _topic(selection: Selection, cell: str) -> Made:
    """The pairs of a topic, by its public id, in one state where the cell names one after it."""
    public_id, _, state = cell.partition(",")
    topic = _topic_of(selection, public_id)
    pairs = _pairs(selection).filter(topic=topic)
    if state and state not in Pair.State.values:
        raise wrong(cell, f"a topic, or a topic and one of {', '.join(Pair.State.values)}")
    pairs = pairs.filter(state=state) if state else pairs
    back = reverse("annotation:topic", args=[selection.collection.slug, topic.public_id])
    words = f"topic {topic.external_id}" + (f", {Pair.State(state).label}" if state else "")
    return words, back + (f"?state={state}" if state else ""), _ids(pairs)


def _pairs(selection: Selection) -> PairQuerySet:
    pairs = Pair.objects.filter(topic__collection=selection.collection)
    return pairs.visible_to_lead(selection.viewer)


def _ids(pairs: PairQuerySet) -> list[int]:
    ordered = pairs.order_by("topic__position", "topic_id", "position", "pk")
    return list(ordered.values_list("pk", flat=True))


def _page(selection: Selection, name: str) -> str:
    return reverse(name, args=[selection.collection.slug])


def _topic_of(selection: Selection, public_id: str) -> Topic:
    try:
        return Topic.objects.get(collection=selection.collection, public_id=UUID(public_id))
    except (ValueError, Topic.DoesNotExist):
        raise Http404("There is no such topic.") from None


LISTS: dict[str, Maker] = {
    "lacking": _lacking,
    "with-gold": _settled,
    "disputes": _disputes,
    "topic": _topic,
}
