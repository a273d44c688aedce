"""The study that people work on, and their sessions."""

import math

from bench.killing.people import Desk

LARGEST = 40  # pairs of a topic: small enough that hand-ins and disputes come all along


def build(*, ratings, annotators, slug="killed"):
    """A study for so many ratings, two for each pair; returns [(cookie, desks)], one for each.

    `ratings` is rounded up to topics of one size. Annotators 1 and 2 share topics, 3 and 4, and
    so on.
    """
    from django.conf import settings
    from django.db import transaction
    from django.test import Client
    from django.urls import reverse

    from annotation.assigning.actions.assign import assign_seat
    from annotation.assigning.actions.batches import make_batches
    from tests.factories.studies import make_member, make_study, make_topic

    assert annotators % 2 == 0, "an even number of annotators"
    topics = max(math.ceil(ratings / 2 / LARGEST), annotators // 2)
    size = math.ceil(ratings / 2 / topics)
    with transaction.atomic():
        study = make_study(slug=slug, facets=(), assign=False)
        for number in range(topics):
            make_topic(study.collection, query_id=f"q{number}", candidates=size)
        members = [
            make_member(study.collection, f"Annotator{number}", "annotator")
            for number in range(annotators)
        ]
        desks = {member: [] for member in members}
        for number, batch in enumerate(make_batches(collection=study.collection, by=study.lena)):
            first = 2 * number % annotators
            for seat, member in zip(batch.seats.all(), members[first : first + 2], strict=True):
                assign_seat(seat=seat, member=member, by=study.lena)
                address = reverse("annotation:seat", args=[seat.public_id])
                desks[member].append(Desk(address, batch.name, seat.ordinal, size))
    cookies = {}
    for member in members:
        client = Client()
        client.force_login(member.user)
        name = settings.SESSION_COOKIE_NAME
        cookies[member] = (name, client.cookies[name].value)
    return [(cookies[member], desks[member]) for member in members]


def cookie_of(email):
    """(name, value) of a session of that person."""
    from django.conf import settings
    from django.test import Client

    from accounts.models import User

    client = Client()
    client.force_login(User.objects.get(email=email))
    name = settings.SESSION_COOKIE_NAME
    return name, client.cookies[name].value
