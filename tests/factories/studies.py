"""Studies for tests, built through the product's own actions, so that none is impossible."""

import uuid
from dataclasses import dataclass, field

from accounts.models import User
from annotation.actions.assign import assign_seat, hand_in
from annotation.actions.batches import make_batches
from annotation.actions.rate import rate_pair
from annotation.actions.schemes import create_scheme, load_definition
from annotation.models import Pair
from annotation.order import ordered_pairs
from datasets.models import (
    Candidate,
    Collection,
    Document,
    Membership,
    Query,
    Topic,
    TopicPlace,
)

PASSWORD = "correct horse battery staple"


def make_user(name, **fields):
    """An account of that first name; signs in with PASSWORD."""
    return User.objects.create_user(
        f"{name.lower()}@example.org", PASSWORD, **{"name": name, **fields}
    )


def make_member(collection, name, *roles, user=None):
    return Membership.objects.create(
        collection=collection,
        user=user
        or User.objects.filter(email=f"{name.lower()}@example.org").first()
        or make_user(name),
        name=name,
        **{f"is_{role}": True for role in roles},
    )


def make_document(collection, external_id, **fields):
    defaults = {
        "title": f"Title of {external_id}",
        "sentences": [
            {"text": f"Why {external_id} matters.", "label": "background_label"},
            {"text": f"What {external_id} sets out to do.", "label": "objective_label"},
            {"text": f"How {external_id} does it.", "label": "method_label"},
            {"text": f"What {external_id} finds.", "label": "result_label"},
        ],
        "metadata": {"year": 2001, "authors": ["Secret Author"], "venue": "Secret Venue"},
    }
    return Document.objects.create(
        collection=collection, external_id=external_id, **{**defaults, **fields}
    )


def make_topic(collection, query_id="q1", facet="method", candidates=3):
    """A query document with a pool, and its pairs under one facet, waiting for a batch."""
    query = Query.objects.filter(collection=collection, external_id=query_id).first()
    if query is None:
        query = Query.objects.create(
            collection=collection,
            external_id=query_id,
            document=make_document(collection, query_id),
            position=collection.queries.count(),
        )
        for position in range(candidates):
            external_id = f"{query_id}c{position + 1}"
            Candidate.objects.create(
                query=query,
                external_id=external_id,
                document=make_document(collection, external_id),
                sources=["secret_source"],
                position=position,
            )
    topic = Topic.objects.create(
        collection=collection,
        external_id=f"{query_id}_{facet}",
        facet=facet,
        position=collection.topics.count(),
    )
    TopicPlace.objects.create(topic=topic, query=query)
    for candidate in query.candidates.all():
        Pair.objects.create(topic=topic, document=candidate.document, position=candidate.position)
    return topic


@dataclass
class Study:
    """A collection with the usual cast: annotators Alice and Bob, adjudicator Carol, lead Lena.

    `batch` is the first topic's; its seats are Alice's and Bob's.
    """

    collection: Collection
    topics: list[Topic]
    members: dict[str, Membership] = field(default_factory=dict)

    def __getattr__(self, name):
        members = self.__dict__.get("members", {})
        if name in members:
            return members[name].user
        raise AttributeError(name)

    @property
    def scheme(self):
        return self.collection.scheme

    @property
    def batch(self):
        return self.collection.batches.first()

    def option(self, value):
        return self.scheme.options.get(value=value)

    def seat(self, name, batch=None):
        return (batch or self.batch).seats.get(holder=self.members[name])

    def rate(self, name, pair, value, *, based_on=None, **details):
        """Rate as that annotator; `value` None is "cannot judge"."""
        seat = self.seat(name, pair.batch)
        rating = pair.ratings.filter(seat=seat).first()
        if based_on is None:
            based_on = rating.version if rating else 0
        answer = {"option": None, "cannot_judge": "garbled text"}
        if value is not None:
            answer = {"option": self.option(value), "cannot_judge": ""}
        return rate_pair(
            seat=seat,
            pair=pair,
            by=self.members[name].user,
            **{
                "save_id": uuid.uuid4(),
                "based_on": based_on,
                "scheme_version": self.scheme.current,
                **answer,
                **details,
            },
        )

    def rate_all(self, name, values, batch=None):
        """Rate the pairs of a batch in pool order: one value for each, or one for all."""
        pairs = list((batch or self.batch).pairs.all())
        if not isinstance(values, (list, tuple)):
            values = [values] * len(pairs)
        for pair, value in zip(pairs, values, strict=True):
            self.rate(name, pair, value)

    def hand_in(self, name, batch=None):
        return hand_in(seat=self.seat(name, batch), by=self.members[name].user)

    def finish(self, *, alice, bob, batch=None):
        """Both annotators rate every pair and hand in."""
        for name, values in [("alice", alice), ("bob", bob)]:
            self.rate_all(name, values, batch)
            self.hand_in(name, batch)

    def first_pair(self, name):
        return ordered_pairs(self.seat(name))[0]


def make_study(*, facets=("method",), candidates=3, slug="study", assign=True, **scheme):
    """A collection with one query judged under `facets`, its batches assigned to Alice and Bob."""
    ada = User.objects.filter(email="ada@example.org").first() or make_user(
        "Ada", is_site_admin=True
    )
    collection = Collection.objects.create(
        slug=slug, name="Study", licence="CC BY 4.0", citation="The study (2026)"
    )
    definition = load_definition("csfcube") | scheme
    create_scheme(collection=collection, definition=definition, by=ada)
    topics = [make_topic(collection, facet=facet, candidates=candidates) for facet in facets]
    study = Study(collection, topics)
    for name, role in [
        ("Alice", "annotator"),
        ("Bob", "annotator"),
        ("Carol", "adjudicator"),
        ("Lena", "lead"),
    ]:
        study.members[name.lower()] = make_member(collection, name, role)
    if assign:
        lena = study.members["lena"].user
        for batch in make_batches(collection=collection, by=lena):
            for seat, name in zip(batch.seats.all(), ["alice", "bob"], strict=False):
                assign_seat(seat=seat, member=study.members[name], by=lena)
    return study
