"""The last step of reading a study: topics are made, and all records compared with each other."""

from collections import Counter
from collections.abc import Iterable, Sequence

from formats.assemble import Assembly
from formats.gaps import completed_ratings, handover_notes, with_overlap
from formats.grouping import grouped
from formats.literals import rewritten
from formats.records import (
    MAX_TOPIC_ID_LENGTH,
    PLAIN_FACET,
    Decision,
    Place,
    PoolEntry,
    Query,
    Rating,
    Study,
    Topic,
    TopicPlace,
    topic_id,
)
from formats.strict import shown
from formats.words import listed

NO_POOL = (
    "Nothing is pooled, so nobody can rate yet: qrels and other judgments made elsewhere are no "
    "pool. Bring a run, or a pool as a table."
)
LISTED = 20
LISTED_PLACES = 3


def completed(assembly: Assembly) -> Study:
    """The whole study; raises BadInputError."""
    assembly.problems.raise_any()
    study = assembly.study
    _keep_query_documents(assembly)
    _make_topics(assembly)
    study.queries = [query_entry.record for query_entry in assembly.queries.values()]
    _pool_what_is_rated(assembly)
    study.pool = list(assembly.pool.values())
    study.decisions = list(assembly.decisions.values())
    _check_query_documents(assembly)
    _check_pool(assembly)
    _check_answered(assembly, assembly.ratings.values())
    _check_answered(assembly, assembly.decisions.values())
    _check_overlaps(assembly)
    assembly.problems.raise_any()
    ratings = with_overlap(assembly.ratings.values(), assembly.options.answers_to_come)
    study.ratings = completed_ratings(ratings)
    study.notes += [*_repeated_texts(study.queries), *handover_notes(assembly.ratings.values())]
    is_pooled = study.pool or study.runs or assembly.options.known_topics
    if study.judgments and study.queries and not is_pooled:
        study.notes.append(NO_POOL)
    return study


def _keep_query_documents(assembly: Assembly) -> None:
    """A paper that is a query may be a candidate, too; another paper of its id may not."""
    documents = assembly.study.documents
    for query, document in assembly.query_documents.items():
        if query in documents and documents[query][1:4] != document[1:4]:
            document = document._replace(id=f"query-{query}")
            query_entry = assembly.queries[query]
            query_entry.record = query_entry.record._replace(document=document.id)
        if document.id not in documents:
            documents.keep(document)


def _make_topics(assembly: Assembly) -> None:
    study, judged_by = assembly.study, assembly.options.judged_by
    if judged_by == "aspects":
        _check_aspects(assembly)
        study.topics = list(assembly.aspects.values())
        return
    all_facets = (PLAIN_FACET,) if judged_by == "plain" else assembly.options.facets
    for entry in assembly.queries.values():
        query = entry.record
        for facet, metadata in (entry.facets or {facet: {} for facet in all_facets}).items():
            name = topic_id(query.id, facet)
            if assembly.are_two_topics(name, query.id, query.place):
                continue
            if len(name) > MAX_TOPIC_ID_LENGTH:
                assembly.problem(query.place, f"the identifier {shown(name)} is too long.")
            places = (TopicPlace(query.id),)
            study.topics.append(Topic(name, facet, "", places, metadata, query.place))


def _check_aspects(assembly: Assembly) -> None:
    for aspect in assembly.aspects.values():
        if not aspect.text:
            assembly.problem(
                aspect.place, f"the aspect {aspect.id} has no text.", "Write what it asks for."
            )
        for query, parent in aspect.places:
            if not assembly.is_query(query):
                assembly.problem(
                    aspect.place,
                    f"the query {shown(query)} of the aspect {aspect.id} is not among the queries.",
                    rewritten([query], assembly.is_query) or "Add it to them, or correct the id.",
                )
            if parent is not None and not _is_in_tree(assembly, parent, query):
                assembly.problem(
                    aspect.place,
                    f"the aspect {shown(parent)} above {aspect.id} is not an aspect of the "
                    f"query {query}.",
                    "Name an aspect of the same query.",
                )


def _is_in_tree(assembly: Assembly, aspect: str, query: str) -> bool:
    """Whether an aspect stands at the top of a query; a tree has two levels."""
    aspect_entry = assembly.aspects.get(aspect)
    return aspect_entry is not None and TopicPlace(query, None) in aspect_entry.places


def _check_query_documents(assembly: Assembly) -> None:
    for query in assembly.study.queries:
        if query.document and not _has_text(assembly, query.document):
            assembly.problem(
                query.place,
                f"the document {shown(query.document)} of the query {query.id} has no text.",
                _rewritten(assembly, query.document) or "Add it to the documents.",
            )


def _repeated_texts(queries: Iterable[Query]) -> list[str]:
    """A note on texts that stand twice: most likely a slip, but nothing is wrong with them."""
    of_text = grouped(
        ((query.text, query.description, query.narrative), f"{query.id} ({query.place})")
        for query in queries
        if query.text
    )
    same = [listed(names, LISTED_PLACES) for names in of_text.values() if len(names) > 1]
    if not same:
        return []
    return [
        f"Queries with the same text ({len(same):,}), each of which is rated by itself: "
        f"{listed(same, LISTED, '; ')}."
    ]


def _has_text(assembly: Assembly, document: str) -> bool:
    documents = assembly.study.documents
    is_here = document in documents and document not in documents.without_text
    return is_here or document in assembly.options.known_documents


def _rewritten(assembly: Assembly, document: str) -> str:
    def is_known(name: str) -> bool:
        # Documents that nothing names were seen, and not kept.
        is_left = bool(assembly.study.unpooled_documents) and name in assembly.checked_ids
        return is_left or _has_text(assembly, name)

    return rewritten([document], is_known)


def _pool_what_is_rated(assembly: Assembly) -> None:
    """Without a pool, the rated documents are the pool, in the order of their first rating.

    A table of side texts, such as we export beside ratings, names the pairs that have one and
    is no pool.
    """
    if not all(entry.side_text and not entry.sources for entry in assembly.pool.values()):
        return
    answers: Iterable[Rating | Decision] = (
        *assembly.ratings.values(),
        *assembly.decisions.values(),
    )
    places = _places_by_topic(assembly)
    for answer in answers:
        for query in places.get(answer.topic, ()):
            key = query, answer.topic, answer.document
            if not {key, (query, None, answer.document)} & assembly.pool.keys():
                assembly.pool[key] = PoolEntry(
                    query, answer.topic, answer.document, (), None, "", "", answer.place
                )


def _places_by_topic(assembly: Assembly) -> dict[str, list[str]]:
    return {
        topic.id: list(dict.fromkeys(place.query for place in topic.places))
        for topic in assembly.study.topics
    }


def _check_pool(assembly: Assembly) -> None:
    lacking: set[str] = set()
    rated = {document for _, document, _ in assembly.ratings}
    for entry in assembly.pool.values():
        if not assembly.is_query(entry.query):
            assembly.problem_once(
                entry.place,
                f"the query {shown(entry.query)} is not among the queries.",
                rewritten([entry.query], assembly.is_query) or "Add it to them, or correct the id.",
            )
        if not _has_text(assembly, entry.document):
            lacking.add(entry.document)
            remedy = _rewritten(assembly, entry.document)
            if remedy and entry.document not in rated:
                message = f"the document {shown(entry.document)} of a pool has no text."
                assembly.problem_once(entry.place, message, remedy)
    if others := assembly.study.documents.without_text - lacking:
        assembly.study.notes.append(
            f"Documents without text, which are not kept {_listed(sorted(others))}."
        )


def _listed(names: Sequence[str]) -> str:
    """How many there are, and the first of them."""
    more = " and others" if len(names) > LISTED else ""
    return f"({len(names):,}): {', '.join(names[:LISTED])}{more}"


def _check_answered(assembly: Assembly, answers: Iterable[Rating | Decision]) -> None:
    pooled = assembly.pool.keys()
    places = _places_by_topic(assembly)
    reported: set[tuple[str, str, Place]] = set()
    for answer in answers:
        topic, document = answer.topic, answer.document
        if not _has_text(assembly, document):
            message = f"the document {shown(document)} is rated and has no text."
            remedy = _rewritten(assembly, document) or "Add it to the documents, or correct the id."
        elif topic in places and not any(
            (query, None, document) in pooled or (query, topic, document) in pooled
            for query in places[topic]
        ):
            message = f"the document {document} is rated for {topic} and in none of its pools."
            remedy = "Add it to the pool, or correct the id."
        else:
            continue
        # A row may hold the answers of many raters, each in a column: its ids are wrong once.
        row = answer.place.at("")
        if (topic, document, row) not in reported:
            reported.add((topic, document, row))
            assembly.problem_once(row, message, remedy)


def _check_overlaps(assembly: Assembly) -> None:
    """All rows of a pair name one overlap, which is enough for its answers."""
    counts = Counter((rating.topic, rating.document) for rating in assembly.ratings.values())
    first: dict[tuple[str, str], Rating] = {}
    for rating in assembly.ratings.values():
        if not rating.overlap:
            continue
        pair = rating.topic, rating.document
        named, count = first.setdefault(pair, rating), counts[pair]
        if rating.overlap != named.overlap:
            assembly.problem(
                rating.place,
                f"the overlap of {rating.topic}, {rating.document} is {rating.overlap} here, and "
                f"{named.overlap} in {named.place}.",
                "Write the same number in each row of a pair.",
            )
        elif rating is named and rating.overlap < count:
            assembly.problem(
                rating.place,
                f"the overlap of {rating.topic}, {rating.document} is {rating.overlap}, and "
                f"{count} people rated it.",
                "Correct the number, or match no column with the overlap.",
            )
