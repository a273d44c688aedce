"""Studies for tests, built through the product's own actions, so that none is impossible."""

import uuid
from dataclasses import dataclass, field

from accounts.models import User
from annotation.assigning.actions.assign import hand_in
from annotation.assigning.actions.batches import hand_out, make_batches, set_way
from annotation.models import Batch, Pair, Seat, Tenure
from annotation.rating.rate import rate_pair
from annotation.reading.order import ordered_rows
from annotation.schemes.actions import create_scheme, load_definition
from audit.actions import event, record, record_all
from audit.transactions import one_transaction
from audit.verbs import Verb
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
    user = user or User.objects.filter(email=f"{name.lower()}@example.org").first()
    user = user or make_user(name)
    flags = {f"is_{role}": True for role in roles}
    member = Membership.objects.create(collection=collection, user=user, name=name, **flags)
    record(Verb.ACCEPT_INVITATION, member, by=user, after={"roles": member.roles})
    return member


def document_of(collection, external_id, **fields):
    """A paper that is not stored yet."""
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
    return Document(collection=collection, external_id=external_id, **{**defaults, **fields})


def make_document(collection, external_id, **fields):
    document = document_of(collection, external_id, **fields)
    document.save()
    return document


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
        documents = Document.objects.bulk_create(
            document_of(collection, f"{query_id}c{number}") for number in range(1, candidates + 1)
        )
        Candidate.objects.bulk_create(
            Candidate(
                query=query,
                external_id=document.external_id,
                document=document,
                sources=["secret_source"],
                position=position,
            )
            for position, document in enumerate(documents)
        )
    topic = Topic.objects.create(
        collection=collection,
        external_id=f"{query_id}_{facet}",
        facet=facet,
        position=collection.topics.count(),
    )
    TopicPlace.objects.create(topic=topic, query=query)
    Pair.objects.bulk_create(
        Pair(topic=topic, document=candidate.document, position=candidate.position)
        for candidate in query.candidates.select_related("document")
    )
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
        """The option of that value, the first where several share it; or the one of that key."""
        options = self.scheme.options.filter(is_import_only=False)
        return options.get(key=value) if isinstance(value, str) else options.filter(value=value)[0]

    def seat(self, name, batch=None):
        return (batch or self.batch).seats.get(holder=self.members[name])

    def rate(self, name, pair, value, *, based_on=None, **details):
        """Rate as that annotator; `value` None is "cannot judge"."""
        seat = self.seat(name, pair.batch)
        if based_on is None:
            rating = pair.ratings.filter(seat=seat).first()
            based_on = rating.version if rating else 0
        chosen = None if value is None else self.option(value)
        details = {"scheme_version": self.scheme.current, "based_on": based_on} | details
        return self._rate(name, seat, pair, chosen, **details)

    def rate_all(self, name, values, batch=None):
        """Rate the pairs of a batch in pool order: one value for each, or one for all.

        What all ratings share is read once: most of the tests' studies are made here.
        """
        batch = batch or self.batch
        pairs = list(batch.pairs.all())
        if not isinstance(values, (list, tuple)):
            values = [values] * len(pairs)
        seat = self.seat(name, batch)
        versions = dict(seat.ratings.values_list("pair", "version"))
        options = {value: None if value is None else self.option(value) for value in set(values)}
        current = self.scheme.current
        for pair, value in zip(pairs, values, strict=True):
            based_on = versions.get(pair.pk, 0)
            self._rate(name, seat, pair, options[value], based_on=based_on, scheme_version=current)

    def _rate(self, name, seat, pair, chosen, **details):
        answer = {"option": chosen, "cannot_judge": "" if chosen else "garbled text"}
        return rate_pair(
            seat=seat,
            pair_id=pair.pk,
            by=self.members[name].user,
            **{"save_id": uuid.uuid4(), **answer, **details},
        )

    def hand_in(self, name, batch=None):
        return hand_in(seat=self.seat(name, batch), by=self.members[name].user)

    def finish(self, batch=None, **values):
        """The annotators named rate every pair, each with their values, and hand in."""
        for name, given in values.items():
            self.rate_all(name, given, batch)
            self.hand_in(name, batch)

    def first_pair(self, name):
        return ordered_pairs(self.seat(name))[0]


def make_collection(slug, definition):
    """A collection judged by a scheme, made by the site admin Ada."""
    ada = User.objects.filter(email="ada@example.org").first() or make_user(
        "Ada", is_site_admin=True
    )
    collection = Collection.objects.create(
        slug=slug, name="Study", licence="CC BY 4.0", citation="The study (2026)"
    )
    create_scheme(collection=collection, definition=definition, by=ada)
    return collection


def add_cast(study, *more):
    """The usual members of a study; `more` are names of further annotators."""
    annotators = [(name, "annotator") for name in ("Alice", "Bob", *more)]
    for name, role in [*annotators, ("Carol", "adjudicator"), ("Lena", "lead")]:
        study.members[name.lower()] = make_member(study.collection, name, role)


def assign_all(study, batches, names):
    """Give the seats of every batch to these members, in their order.

    The rows that `assign_seat` makes of free seats, at once: most tests begin so.
    """
    members = [study.members[name] for name in names]
    seats = list(Seat.objects.filter(batch__in=batches, ordinal__lte=len(members)))
    for seat in seats:
        seat.holder = members[seat.ordinal - 1]
        seat.handovers += 1
    Tenure.objects.bulk_create(
        Tenure(batch_id=seat.batch_id, seat=seat, member=seat.holder) for seat in seats
    )
    Seat.objects.bulk_update(seats, ["holder", "handovers"])
    record_all(
        event(
            "assign seat",
            seat,
            by=study.lena,
            collection=study.collection,
            before={"holder": None},
            after={"holder": seat.holder.public_id},
        )
        for seat in seats
    )


def put_in_batch(study, pairs, batch):
    """Move pairs into a batch, or with None out of any, as if it had been made so: before anybody
    held a seat, since from then on the database refuses it."""
    tenures = Tenure.objects.filter(batch__collection=study.collection)
    held = list(tenures)
    tenures.delete()
    pairs.update(batch=batch)
    Tenure.objects.bulk_create(held)


def make_study(
    *, facets=("method",), candidates=3, slug="study", assign=True, definition="csfcube", **scheme
):
    """A collection with one query judged under `facets`, its batches assigned to Alice and Bob."""
    collection = make_collection(slug, load_definition(definition) | scheme)
    topics = [make_topic(collection, facet=facet, candidates=candidates) for facet in facets]
    study = Study(collection, topics)
    add_cast(study)
    if assign:
        lena = study.members["lena"].user
        assign_all(study, make_batches(collection=collection, by=lena), ["alice", "bob"])
    return study


# What somebody looks for, the topics that each sentence asks for, and the aspects of the query with
# their sub-aspects. "2" stands under two aspects, as a text that occurs twice does.
ASPECT_QUERY = [
    ("I look after the bearings of wind turbines.", []),
    ("I want to hear faults in them before they break.", ["0"]),
    ("The microphones are cheap, so the method must live with noise.", ["1", "2"]),
    ("It should say how sure it is.", ["3"]),
]
ASPECT_TEXTS = {
    "0": "The paper detects faults in machines.",
    "1": "The method works on sound.",
    "2": "The method is robust to noise.",
    "3": "The method states its uncertainty.",
}
ASPECT_TREE = {"0": ["1", "2"], "3": ["2"]}


def make_aspect_query(collection, query_id="0", tree=None, documents=("d1", "d2", "d3")):
    """A text query with its aspects as topics and a pool; a pair for every topic and document.

    Topics and documents that the collection has already are used again.
    """
    tree = ASPECT_TREE if tree is None else tree
    query = Query.objects.create(
        collection=collection,
        external_id=query_id,
        text=" ".join(text for text, _ in ASPECT_QUERY),
        sentences=[{"text": text, "topics": topics} for text, topics in ASPECT_QUERY],
        metadata={"query_type": "ML"},
        position=collection.queries.count(),
    )
    pool = []
    for position, external_id in enumerate(documents):
        document = collection.documents.filter(external_id=external_id).first()
        pool.append(document or make_document(collection, external_id))
        Candidate.objects.create(
            query=query,
            external_id=external_id,
            document=pool[-1],
            sources=["secret_source"],
            position=position,
        )
    for position, (aspect, below) in enumerate(tree.items()):
        place = _place(query, aspect, position)
        for sub_position, sub_aspect in enumerate(below):
            _place(query, sub_aspect, sub_position, parent=place)
    for topic in query.topics.distinct():
        for position, document in enumerate(pool):
            Pair.objects.get_or_create(
                topic=topic, document=document, defaults={"position": position}
            )
    return query


def _place(query, external_id, position, parent=None):
    topic, _ = Topic.objects.get_or_create(
        collection=query.collection,
        external_id=external_id,
        defaults={
            "text": ASPECT_TEXTS.get(external_id, f"The paper does {external_id}."),
            "position": query.collection.topics.count(),
        },
    )
    return TopicPlace.objects.create(topic=topic, query=query, parent=parent, position=position)


def make_aspect_study(
    *,
    slug="aspects",
    annotators=("alice", "bob", "erin"),
    way="topic",
    in_one_batch=False,
    query=None,
    also=(),
    **scheme,
):
    """A collection with one text query of four aspects over three documents, judged by Alice, Bob
    and Erin under the majority rule. One batch per topic, or one with all pairs.

    `query` holds other arguments of `make_aspect_query`. `also` names documents that are judged
    under the first aspect alone.
    """
    collection = make_collection(slug, load_definition("doris-mae") | scheme)
    topics = make_aspect_query(collection, **query or {}).topics.distinct()
    study = Study(collection, list(topics))
    for document in also:
        study.topics[0].pairs.create(document=make_document(collection, document), position=9)
    add_cast(study, *(name.title() for name in annotators[2:]))
    if in_one_batch:
        pairs = Pair.objects.filter(topic__collection=collection)
        batch = Batch(name="all", overlap=collection.scheme.overlap, way=way)
        drawn = [(batch, list(pairs.values_list("pk", flat=True)))]
        batches = one_transaction(hand_out)(drawn, collection=collection, by=study.lena)
    else:
        batches = make_batches(collection=collection, by=study.lena)
        for batch in batches:
            set_way(batch=batch, way=way, by=study.lena)
    assign_all(study, batches, annotators)
    return study


def ordered_pairs(seat):
    """The pairs by position; their texts are loaded when they are asked for."""
    pairs = (
        seat.batch.pairs.select_related("topic", "document")
        .defer("document__title", "document__sentences", "document__metadata", "document__extra")
        .in_bulk()
    )
    return [pairs[row["pk"]] for row in ordered_rows(seat)]
