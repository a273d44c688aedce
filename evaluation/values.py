"""Reading the values of one source for pages of queries."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal

from annotation.models import Pair
from datasets.models import Document, Topic
from evaluation.scores import scaled
from evaluation.sources.pairs import grades_of_pairs
from evaluation.sources.source import Kind


@dataclass(frozen=True)
class Values:
    """`of` is {topic: {document: value in thousandths}}, in the collection's own ids.

    `excluded` are the (topic, document) that the gold leaves out with a reason; `withheld` counts
    the pairs of unfinished batches in which the reader holds or held a seat: nothing of them is
    read, from whatever source.
    """

    of: dict[str, dict[str, int]]
    excluded: set[tuple[str, str]]
    withheld: int


def read_values(collection, *, user, source, topics=None):
    """The values of a source that `user`, a lead, may see; `topics` (the collection's own ids)
    narrows them to some."""
    aspect_topics = Topic.objects.filter(collection=collection, facet="")
    if topics is not None:
        aspect_topics = aspect_topics.filter(external_id__in=topics)
    topic_ids = dict(aspect_topics.values_list("pk", "external_id"))
    pairs = Pair.objects.filter(topic__in=aspect_topics).order_by()
    visible = pairs.visible_to_lead(user)
    document_ids = dict(
        Document.objects.filter(collection=collection).values_list("pk", "external_id")
    )
    scores, excluded = defaultdict(dict), set()
    for topic, document, value, origin in _rows(collection, visible, source, user):
        if origin == Pair.Origin.EXCLUDED:
            excluded.add((topic_ids[topic], document_ids[document]))
        else:
            scores[topic_ids[topic]][document_ids[document]] = scaled(value)
    return Values(dict(scores), excluded, pairs.count() - visible.count())


def _rows(collection, visible, source, user):
    """(topic, document, value, where gold comes from or "") of pairs with a value. Gold without a
    mapping also gives the pairs that it leaves out."""
    if source.is_plain_gold:
        decided = visible.exclude(gold_origin="")
        yield from decided.values_list("topic", "document", "gold_value", "gold_origin").iterator()
        return
    grades = grades_of_pairs(collection, source, user)
    rows = visible.values_list("pk", "topic", "document", "gold_origin")
    for pk, topic, document, origin in rows.iterator():
        if pk in grades:
            # Three decimal places are what a page shows; a median may have more.
            yield topic, document, Decimal(str(round(grades[pk], 3))), ""
        elif source.kind is Kind.GOLD and origin == Pair.Origin.EXCLUDED:
            yield topic, document, None, origin
