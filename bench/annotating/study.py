"""A study of batches of one size, large enough for a closed loop."""

import math
from dataclasses import dataclass

# An abstract of a usual length: 8 sentences, 1.3 kB.
SENTENCE = (
    "We study how paper {paper} bears on question {number} of a long abstract, since what a page "
    "costs depends on what stands on it, and readers take their time over every sentence."
)
LABELS = ["background", "objective", "method", "method", "result", "result", "other", "other"]


@dataclass(frozen=True)
class Desk:
    """A seat as its annotator needs it."""

    address: str
    size: int


def build(*, size, annotators, pairs_each, slug):
    """A study in batches of `size`; returns [(session key, desks)], one for each annotator.

    Annotators 1 and 2 share their batches, 3 and 4, and so on. Each gets `pairs_each` pairs or a
    few more, and at least one batch.
    """
    from django.db import transaction
    from django.test import Client
    from django.urls import reverse

    from annotation.assigning.actions.assign import assign_seat
    from annotation.assigning.actions.batches import make_batches
    from annotation.models import Pair
    from datasets.models import Document, Query, Topic, TopicPlace
    from tests.factories.studies import make_member, make_study

    def paper(number):
        sentences = [
            {"text": SENTENCE.format(paper=number, number=at), "label": f"{label}_label"}
            for at, label in enumerate(LABELS, start=1)
        ]
        return Document(
            collection=study.collection,
            external_id=f"d{number}",
            title=f"Paper {number} of many",
            sentences=sentences,
            metadata={"year": 2001},
        )

    tables = math.ceil(annotators / 2)  # at which two sit
    topics = tables * math.ceil(pairs_each / size)
    with transaction.atomic():
        study = make_study(slug=slug, facets=(), assign=False)
        documents = Document.objects.bulk_create(paper(number) for number in range(size + topics))
        queries = Query.objects.bulk_create(
            Query(
                collection=study.collection,
                external_id=f"q{number}",
                document=documents[size + number],
                position=number,
            )
            for number in range(topics)
        )
        new_topics = Topic.objects.bulk_create(
            Topic(
                collection=study.collection,
                external_id=f"q{number}_method",
                facet="method",
                position=number,
            )
            for number in range(topics)
        )
        TopicPlace.objects.bulk_create(
            TopicPlace(topic=topic, query=query)
            for topic, query in zip(new_topics, queries, strict=True)
        )
        Pair.objects.bulk_create(
            (
                Pair(topic=topic, document=document, position=position)
                for topic in new_topics
                for position, document in enumerate(documents[:size])
            ),
            batch_size=1000,
        )
        members = [
            make_member(study.collection, f"{slug}{number}", "annotator")
            for number in range(2 * tables)
        ]
        desks = {member: [] for member in members}
        for number, batch in enumerate(make_batches(collection=study.collection, by=study.lena)):
            first = 2 * (number % tables)
            for seat, member in zip(batch.seats.all(), members[first : first + 2], strict=True):
                assign_seat(seat=seat, member=member, by=study.lena)
                desks[member].append(Desk(reverse("annotation:seat", args=[seat.public_id]), size))
    people = []
    for member in members[:annotators]:
        client = Client()
        client.force_login(member.user)
        people.append((client.session.session_key, desks[member]))
    return people
