"""Reading a collection into the records of an export, in a fixed number of statements."""

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet

from accounts.models import User
from agreement.study.filters import Channel
from annotation.models import Batch, Pair, ProgramSave, Rating, Scale, Scheme, SchemeVersion, Waiver
from datasets.models import Candidate, Collection, Document, Import, Membership, Topic, TopicPlace
from datasets.pseudonyms import pseudonym, published_name
from evaluation.definitions.reading import usual_protocol
from evaluation.protocols import Protocol
from evaluation.queries.reading import read_text_queries
from evaluation.sources.source import GOLD, OF_SEATS, Kind, Source
from formats.decimals import plain
from formats.grouping import grouped
from formats.papers import Paper
from releases.aspect_rows import read_aspect_rows
from releases.effect import effect_on_scores
from releases.pair_rows import People, SentRating, gold_pairs, sent_by_program, without_programs
from releases.records import Answered, JudgedTopic, Person, Study, WaivedRatings
from releases.sources import query_grades, source_pairs

COLLECTION_DETAILS = ("slug", "name", "description", "licence", "source", "citation")


def read_study(
    collection_id: int,
    *,
    using: str,
    by: User | None = None,
    source: Source = GOLD,
    protocol: Protocol | None = None,
    channel: Channel = Channel.ANY,
    with_answers: bool = True,
) -> Study:
    """The collection as `by` may see it: batches in which they still rate are left out.

    Without `by` (the server's own shell) nothing is left out. Another source puts its values in the
    place of gold. Beside a machine's values, or judgments from elsewhere, no answers of people are
    read. The protocol, by default the collection's usual one, defines missing values and measures
    the source's effect on the scores. The channel of pages leaves out pairs that a program rated.
    `with_answers`: pairs have their ratings and decisions; else these are only counted.
    """
    collection = Collection.objects.using(using).get(pk=collection_id)
    scheme = Scheme.objects.using(using).get(collection=collection)
    protocol = protocol or usual_protocol(collection)
    visible = _visible(collection, using, by, channel)
    persons = people(collection, using)
    text_queries = [query.record for query in read_text_queries(collection, using=using)]
    of_queries = query_grades(collection, source, text_queries, visible.blind)
    topics = {} if of_queries else _topics(collection, using)
    if not of_queries:
        if source.is_plain_gold:
            rows = gold_pairs(collection, visible.pairs, persons, with_answers, visible.by_program)
        else:
            rows = source_pairs(collection, visible.pairs, source, protocol.missing, by)
        for topic, pair in rows:
            topics[topic].pairs.append(pair)
    is_of_people = source.kind is Kind.GOLD or source.kind in OF_SEATS
    return Study(
        collection={key: getattr(collection, key) for key in COLLECTION_DETAILS},
        scheme=_scheme(scheme),
        topics=list(topics.values()),
        answered=_answered(visible, topics, persons) if is_of_people else [],
        waived=_waived(visible.pairs, persons) if is_of_people else [],
        left_to_programs=visible.left_out,
        pools=_pools(collection, using),
        extra=collection.extra,
        import_summaries=_import_summaries(collection, using),
        withheld_batches=visible.blind.count(),
        batches=visible.batches,
        papers=lambda: _papers(collection, using),
        aspect_rows=cache(
            lambda: read_aspect_rows(collection, visible.pairs, visible.blind, using)
        ),
        source=source,
        missing_values=protocol.missing,
        # Of all pairs, so it says nothing where some are left out.
        effect=None if visible.left_out else effect_on_scores(collection, source, protocol, by),
        facet_labels={facet.key: facet.sentence_labels for facet in scheme.facets.all()},
        text_queries=text_queries,
        query_grades=of_queries,
    )


@dataclass(frozen=True)
class Visible:
    """The pairs and batches that a reader may see; `blind` are the other batches.

    `by_program` are the ratings of these pairs that a program ever sent; `left_out` counts pairs
    that the channel leaves out.
    """

    pairs: QuerySet[Pair]
    blind: QuerySet[Batch]
    batches: list[str]
    by_program: list[SentRating]
    left_out: int


def _visible(collection: Collection, using: str, by: User | None, channel: Channel) -> Visible:
    of_collection = Pair.objects.using(using).filter(topic__collection=collection)
    pairs: QuerySet[Pair] = of_collection.visible_to_lead(by) if by else of_collection
    batches = Batch.objects.using(using).filter(collection=collection)
    blind = batches.blind_to(by) if by else batches.none()
    by_program = sent_by_program(pairs)
    left_out = 0
    if channel is Channel.PAGES:
        left_out = len({sent.pair for sent in by_program})
        pairs, by_program = without_programs(pairs), []
    others = batches.exclude(pk__in=blind.values("pk")).order_by("id")
    batch_ids = [str(public_id) for public_id in others.values_list("public_id", flat=True)]
    return Visible(pairs, blind, batch_ids, by_program, left_out)


def _import_summaries(collection: Collection, using: str) -> list[dict[str, Any]]:
    active = Import.objects.using(using).filter(collection=collection, state=Import.State.ACTIVE)
    return list(active.order_by("id").values_list("summary", flat=True))


def programs_rated(collection: Collection, by: User) -> bool:
    """Whether a program rated a pair that this lead may know of."""
    pairs = Pair.objects.visible_to_lead(by).filter(topic__collection=collection)
    # From the saves of programs, which are few or none, to their pairs.
    of_save = pairs.filter(ratings__revisions__program_save=OuterRef("pk"))
    return ProgramSave.objects.filter(Exists(of_save)).exists()


def people(collection: Collection, using: str) -> dict[int, Person]:
    """{membership id: Person}; the same person has the same names in every export.

    The pseudonym is an HMAC of the membership under the collection's key, so that nobody without
    the key can tell who it is. Numbers are those of the imported files, else the next free ones
    in the order in which people got their first seat.
    """
    members = list(
        Membership.objects.using(using)
        .filter(collection=collection)
        .select_related("imported")
        .annotate(first_seat=Min("tenures__id"))
        .order_by(F("first_seat").asc(nulls_last=True), "id")
    )
    used_numbers = {number for member in members if (number := _file_number(member))}
    taken_readable = {member.readable_id for member in members if member.readable_id}
    person_of = {}
    for member in members:
        number = _file_number(member) or _next_free(used_numbers)
        readable = member.readable_id
        if not readable:
            readable = number if number not in taken_readable else _next_free(taken_readable)
        person_of[member.pk] = Person(pseudonym(collection, member), number, readable)
        used_numbers.add(number)
        taken_readable.add(readable)
    return person_of


def _file_number(member: Membership) -> str:
    name = published_name(member)
    prefix, number = name[:9], name[9:].removeprefix("_")
    return number if prefix == "annotator" and number else ""


def _next_free(used_numbers: Set[str]) -> str:
    return next(
        str(number) for number in range(1, len(used_numbers) + 2) if str(number) not in used_numbers
    )


def _scheme(scheme: Scheme) -> dict[str, Any]:
    version = scheme.current
    terms = {
        "title": scheme.title,
        "version": version.number,
        "overlap": scheme.overlap,
        "rule": scheme.rule,
        "rule_in_words": scheme.rule_in_words,
        "facets": [facet.key for facet in scheme.facets.all()],
    }
    if scheme.shares_a_scale:
        return terms | _scale(scheme.scale_of(""), version)
    return terms | {"scales": {scale.facet: _scale(scale, version) for scale in scheme.all_scales}}


def _scale(scale: Scale, version: SchemeVersion) -> dict[str, Any]:
    """The options of a scale, whether they have an order, and the rule's distance on it."""
    return {
        "rule_distance": None if scale.distance is None else plain(scale.distance),
        "is_ordinal": scale.is_ordinal,
        "options": [
            {
                "key": option.key,
                "value": plain(option.value),
                "name": version.words.option_name(scale.facet, option.key, unnamed=option.key),
            }
            for option in scale.option_list
        ],
    }


def _topics(collection: Collection, using: str) -> dict[int, JudgedTopic]:
    topics = {
        topic.pk: JudgedTopic(topic.external_id, topic.facet, "", topic.metadata, text=topic.text)
        for topic in Topic.objects.using(using).filter(collection=collection)
    }
    places = (
        TopicPlace.objects.using(using)
        .filter(topic__in=topics)
        .order_by("position", "id")
        .values_list("topic", "query__external_id", "query__document__external_id", "query__text")
    )
    for pk, query, paper, text in places:
        topic = topics[pk]
        if not topic.query:
            topic.query, topic.paper, topic.query_text = query, paper or "", text
    return topics


def _answered(
    visible: Visible, topics: Mapping[int, JudgedTopic], persons: People
) -> list[Answered]:
    """The number of each person's ratings in each topic, in one statement for all people."""
    sent = Counter((row.topic, row.annotator) for row in visible.by_program)
    rows = (
        Rating.objects.using(visible.pairs.db)
        .filter(pair__in=visible.pairs)
        .order_by()
        .values_list("pair__topic", "annotator")
        .annotate(ratings=Count("pk"), cannot_judge=Count("pk", filter=Q(option=None)))
    )
    return [
        Answered(
            topics[topic].topic_id,
            persons[annotator],
            ratings,
            cannot_judge,
            sent[topic, annotator],
        )
        for topic, annotator, ratings, cannot_judge in rows
    ]


def _waived(pairs: QuerySet[Pair], persons: People) -> list[WaivedRatings]:
    reasons = {
        (batch, member): reason
        for batch, member, reason in Waiver.objects.using(pairs.db).values_list(
            "batch", "member", "reason"
        )
    }
    rows = (
        Rating.objects.using(pairs.db)
        .waived()
        .filter(pair__in=pairs)
        .order_by("seat__batch", "annotator")
        .values_list("seat__batch", "seat__batch__name", "annotator")
        .annotate(ratings=Count("pk"))
    )
    return [
        WaivedRatings(persons[annotator], name, ratings, reasons[batch, annotator])
        for batch, name, annotator, ratings in rows
    ]


def _pools(collection: Collection, using: str) -> dict[str, list[tuple[str, list[str]]]]:
    candidates = (
        Candidate.objects.using(using)
        .filter(query__collection=collection)
        .order_by("query__position", "query_id", "position", "id")
        .values_list("query__external_id", "external_id", "sources")
    )
    return grouped((query, (candidate, sources)) for query, candidate, sources in candidates)


def _papers(collection: Collection, using: str) -> Iterator[Paper]:
    documents = Document.objects.using(using).filter(collection=collection)
    for document in documents.order_by("position", "id").iterator(chunk_size=500):
        yield Paper(
            paper_id=document.external_id,
            title=document.title,
            sentences=document.sentences,
            metadata=document.metadata,
            record=document.extra.get("record", []),
        )
