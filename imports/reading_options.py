"""The options that a reader is given: the scheme of a collection, and what is stored in it."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Scheme
from audit.refusals import Refused
from datasets.models import Collection, Document, Query, Topic, TopicPlace
from formats.reading import Options
from formats.records import PLAIN_FACET
from imports.run import Progress

Settings = Mapping[str, Any]


def reading_options(collection: Collection, settings: Settings, progress: Progress) -> Options:
    """A reader's options for a collection: its scheme, and the stored identifiers."""
    scheme = Scheme.objects.filter(collection=collection).first()
    if scheme is None:
        raise Refused(f"{collection} has no scheme yet. Give it one before data come in.")
    facets = tuple(scheme.facets.values_list("key", flat=True))
    judged_by = "facets" if facets else "aspects"
    if facets == (PLAIN_FACET,):
        judged_by = "plain"
    return Options(
        judged_by=judged_by,  # type: ignore[arg-type]  # one of the three words
        facets=facets,
        facet_names={words.name: key for key, words in scheme.current.words.facets.items()},
        mapping=settings.get("mapping") or {},
        keep_unpooled=bool(settings.get("keep_unpooled")),
        answers_to_come=scheme.overlap if settings.get("answers_to_come") else 0,
        settings=settings.get("settings") or {},
        known_documents=_stored(Document, collection),
        known_queries=dict(
            Query.objects.filter(collection=collection).values_list("external_id", "text")
        ),
        known_topics=_stored_topics(collection),
        progress=lambda done, total: progress(done, total, "Reading the files"),
    )


def _stored(model: Any, collection: Collection) -> frozenset[str]:
    rows = model.objects.filter(collection=collection)
    return frozenset(rows.values_list("external_id", flat=True))


def _stored_topics(collection: Collection) -> dict[str, list[str]]:
    """The stored topics by name, with the queries in which each stands."""
    topics: dict[str, list[str]] = {topic: [] for topic in _stored(Topic, collection)}
    places = TopicPlace.objects.filter(topic__collection=collection).order_by("id")
    for topic, query in places.values_list("topic__external_id", "query__external_id"):
        if query not in topics[topic]:
            topics[topic].append(query)
    return topics
