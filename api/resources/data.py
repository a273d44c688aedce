"""The collection itself, who is in it, and what is judged."""

from api.columns import Column, Convert, Kind, identifier
from api.resources.resource import Resource, is_none, pseudonym_of
from api.viewer import Viewer
from datasets.models import (
    Candidate,
    Collection,
    Document,
    Invitation,
    Membership,
    Query,
    Role,
    Topic,
)

EVERY_ROLE = (Role.ANNOTATOR, Role.ADJUDICATOR, Role.LEAD)


def _queries(viewer: Viewer) -> Convert:
    return lambda topic: viewer.queries.get(topic, [])


COLLECTION = Resource(
    "collection",
    "The collection of the token, with what every export of it carries.",
    (
        identifier("The collection's public id."),
        Column("slug", "Its name in addresses."),
        Column("name", "Its name."),
        Column("description", "What it is."),
        Column("licence", "Under which terms its data may be used."),
        Column("source", "Where its data come from."),
        Column("citation", "How to cite it."),
        Column("programs_may_rate", "Whether tokens may rate in it.", Kind.FLAG),
        Column("created_at", "When it was made.", Kind.TIME),
    ),
    lambda viewer: Collection.objects.filter(pk=viewer.collection.pk),
    roles=EVERY_ROLE,
)
MEMBERS = Resource(
    "members",
    "Who belongs to the collection. Ratings and exports name people by their pseudonyms.",
    (
        identifier("The member's public id."),
        Column("pseudonym", "The person's name in exports.", path="pk", convert=pseudonym_of),
        Column("name", "The name that leads see."),
        Column("email", "The account's address; null for imported people.", path="user__email"),
        Column("is_annotator", "Whether they rate.", Kind.FLAG),
        Column("is_adjudicator", "Whether they decide.", Kind.FLAG),
        Column("is_lead", "Whether they lead.", Kind.FLAG),
        Column(
            "is_imported",
            "Whether they are known from an import alone and cannot sign in.",
            Kind.FLAG,
            "user",
            is_none,
        ),
    ),
    lambda viewer: Membership.objects.current().filter(collection=viewer.collection),
)
INVITATIONS = Resource(
    "invitations",
    "Links by which somebody may still become a member. Their secrets are not kept.",
    (
        identifier("The invitation's public id."),
        Column("role", "The role that it gives."),
        Column("email", "The person it is for, if named."),
        Column("member", "Whose place it hands over.", Kind.ID, "membership__public_id"),
        Column("created_at", "When it was made.", Kind.TIME),
        Column("expires_at", "Until when it works.", Kind.TIME),
    ),
    # As the page of members lists them.
    lambda viewer: Invitation.objects.working().filter(collection=viewer.collection),
)
DOCUMENTS = Resource(
    "documents",
    "The papers, with everything that was imported of them.",
    (
        identifier("The document's public id."),
        Column("document", "The id that the collection gives it.", path="external_id"),
        Column("title", "Its title."),
        Column("sentences", "Its abstract: `text` and `label` of each sentence.", Kind.DATA),
        Column("metadata", "Authors, year, venue and the like, as imported.", Kind.DATA),
    ),
    lambda viewer: Document.objects.filter(collection=viewer.collection),
    filters={"document": "external_id"},
)
QUERIES = Resource(
    "queries",
    "What is searched for: a paper, or a text.",
    (
        identifier("The query's public id."),
        Column("query", "The id that the collection gives it.", path="external_id"),
        Column("document", "The paper that it is.", path="document__external_id"),
        Column("text", "Its text, unless it is a paper."),
        Column("sentences", "The text's sentences, with the topics each asks for.", Kind.DATA),
        Column("description", "TREC's description."),
        Column("narrative", "TREC's narrative."),
        Column("metadata", "Further data from its import.", Kind.DATA),
    ),
    lambda viewer: Query.objects.filter(collection=viewer.collection),
    filters={"query": "external_id"},
)
TOPICS = Resource(
    "topics",
    "What is judged against: a query under a facet, or an aspect. Their ids stand in the qrels.",
    (
        identifier("The topic's public id."),
        Column("topic", "The id that the collection gives it.", path="external_id"),
        Column("facet", "Its facet; empty for an aspect."),
        Column("text", "The text of an aspect."),
        Column("queries", "The queries it stands in.", Kind.TEXTS, "pk", _queries),
        Column("metadata", "Further data from its import.", Kind.DATA),
        Column("locked_at", "When its decisions were locked.", Kind.TIME),
    ),
    lambda viewer: Topic.objects.filter(collection=viewer.collection),
    filters={"topic": "external_id", "facet": "facet"},
)
POOLS = Resource(
    "pools",
    "The candidates of each query, in the order of its pool.",
    (
        Column("query", "The query.", path="query__external_id"),
        Column("document", "The candidate.", path="external_id"),
        Column("position", "Its place in the pool, from 0.", Kind.INTEGER),
        Column("sources", "What put it there.", Kind.TEXTS),
        Column("ranks", "The ranks of runs, where the pool came from runs.", Kind.DATA),
    ),
    lambda viewer: Candidate.objects.filter(query__collection=viewer.collection),
    filters={"query": "query__external_id", "document": "external_id"},
)
