"""The official CSFCube files of a collection.

A topic's lists of ratings are its seats by ordinal, each under the number of its annotator. A
seat that changed hands carries the numbers of all who rated in it, joined by "+".
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import quote

from formats import csfcube
from formats.csfcube.records import Annotations, JudgedCandidate, Pool, QueryRow
from formats.csfcube.write import (
    paper_line,
    write_annotations,
    write_pools,
    write_queries,
    write_readable,
    write_splits,
)
from formats.papers import Paper
from releases.formats import Choices, ExportFile, UnfitError, whole
from releases.records import Answer, JudgedPair, JudgedTopic, Person, Study

LONGEST_NAME = 180


def csfcube_files(study: Study, choices: Choices) -> list[ExportFile]:
    """All files of the release, as far as the collection has what they hold."""
    papers = {paper.paper_id: paper for paper in study.papers()}
    rows = [_row(topic, papers) for topic in study.topics]
    extra = study.extra.get("csfcube", {})
    pools = {
        query: Pool([candidate for candidate, _ in pool], [list(sources) for _, sources in pool])
        for query, pool in study.pools.items()
    }
    files = [
        ExportFile(
            csfcube.QUERIES,
            [
                write_queries(
                    rows,
                    columns=extra.get("columns", csfcube.QUERY_COLUMNS),
                    line_end=extra.get("line_end", "\r\n"),
                )
            ],
            has_gold=False,
        ),
        ExportFile(csfcube.ABSTRACTS, map(paper_line, papers.values()), has_gold=False),
        ExportFile(csfcube.POOLS, [write_pools(pools)], has_gold=False),
    ]
    if "splits" in extra:
        files.append(
            ExportFile(csfcube.SPLITS, [write_splits(json.loads(extra["splits"]))], has_gold=False)
        )
    order = extra.get("annotations", {})
    for facet in study.scheme["facets"]:
        topics = _in_file_order(study.topics, facet, order.get(facet, []))
        if topics:
            judged = {topic.query: annotations(topic) for topic in topics}
            files.append(ExportFile(csfcube.annotations_name(facet), [write_annotations(judged)]))
    files += [_readable(topic, papers, pools) for topic in study.topics if topic.gold]
    return files


def _row(topic: JudgedTopic, papers: Mapping[str, Paper]) -> QueryRow:
    query = papers[topic.query]
    year = query.metadata.get("year")
    fields = topic.metadata or {
        "year": "" if year is None else str(year),
        "title": query.title,
        "paper type": "",
    }
    return QueryRow(topic.query, topic.facet, fields, line=0)


def _in_file_order(
    topics: Iterable[JudgedTopic], facet: str, order: Sequence[str]
) -> list[JudgedTopic]:
    """Topics of a facet with gold: as the imported file had them, then the others."""
    place = {paper_id: index for index, paper_id in enumerate(order)}
    facet_topics = [topic for topic in topics if topic.facet == facet and topic.gold]
    return sorted(facet_topics, key=lambda topic: place.get(topic.query, len(place)))


def annotations(topic: JudgedTopic) -> Annotations:
    """The judged pairs of a topic as parallel lists; excluded and undecided pairs are left out."""
    pairs = topic.gold
    seats = {len(pair.answers) for pair in pairs}
    if len(seats) > 1:
        raise UnfitError(
            f"{topic.topic_id} has pairs with {min(seats)} and with {max(seats)} ratings; the "
            "CSFCube format has as many lists as annotators for all pairs of a query. Choose TREC "
            "or CSV."
        )
    names = _seat_names(topic, lambda annotator: annotator.number)
    ratings = {
        name: [_grade(pair.answers[seat], topic, pair) for pair in pairs]
        for seat, name in enumerate(names)
    }
    return Annotations(
        candidates=[pair.document for pair in pairs],
        ratings=ratings,
        adjudicated=[
            whole(value, topic.topic_id, document) for document, value in topic.grades.items()
        ],
    )


def _seat_names(topic: JudgedTopic, number_of: Callable[[Person], str]) -> list[str]:
    """The number of each seat's annotator; several of a seat that changed hands."""
    answers_of_seats = zip(*(pair.answers for pair in topic.gold), strict=True)
    return [
        "+".join(dict.fromkeys(number_of(answer.annotator) for answer in answers))
        for answers in answers_of_seats
    ]


def _grade(answer: Answer, topic: JudgedTopic, pair: JudgedPair) -> int:
    if answer.choice is None:
        return csfcube.CANNOT_JUDGE
    return whole(answer.choice.value, topic.topic_id, pair.document)


def mixed_seats(study: Study) -> list[str]:
    """Topics in which one list of ratings comes from several annotators."""
    return [
        topic.topic_id
        for topic in study.topics
        if topic.facet and topic.gold and any("+" in name for name in annotations(topic).ratings)
    ]


def _readable(
    topic: JudgedTopic, papers: Mapping[str, Paper], pools: Mapping[str, Pool]
) -> ExportFile:
    judged = annotations(topic)
    pool = pools.get(topic.query, Pool([], []))
    sources = dict(zip(pool.candidates, pool.sources, strict=True))
    numbers = _seat_names(topic, lambda annotator: annotator.readable_number)
    per_pair = zip(*judged.ratings.values(), strict=True)
    candidates = [
        JudgedCandidate(papers[document], list(ratings), grade, sources.get(document, []))
        for document, ratings, grade in zip(
            judged.candidates, per_pair, judged.adjudicated or [], strict=True
        )
    ]
    text = write_readable(papers[topic.query], candidates, numbers=numbers)
    return ExportFile(f"{csfcube.READABLE_FOLDER}/{_file_stem(topic)}-adju.txt", [text])


def _file_stem(topic: JudgedTopic) -> str:
    """Identifiers come from strangers: what is not plain is escaped, so that none is a path."""
    stem = f"{quote(topic.query, safe='')}-{topic.facet}"
    if len(stem) > LONGEST_NAME:
        raise UnfitError(f"The identifier {topic.query} is too long for a file name. Choose CSV.")
    return stem


def csfcube_notes(study: Study, choices: Choices) -> list[str]:
    """Notes for the manifest: what the files cannot hold, and which seats changed hands."""
    notes = _not_given_back(study)
    if mixed := mixed_seats(study):
        notes.append(f"Seats that changed hands: {', '.join(mixed)}.")
    return notes


def _not_given_back(study: Study) -> list[str]:
    imports = [summary for summary in study.import_summaries if "papers_read" in summary]
    if not imports:
        return []
    notes = [note for summary in imports for note in summary["notes"]]
    stored = sum(summary["papers"] for summary in imports)
    in_file = max(summary["papers_read"] for summary in imports)
    if in_file > stored:
        notes.append(
            f"{csfcube.ABSTRACTS} has the {stored:,} papers of the pools; the imported file had "
            f"{in_file:,} lines."
        )
    if "splits" not in study.extra.get("csfcube", {}):
        notes.append(f"No {csfcube.SPLITS} was imported, so there is none here.")
    if not any(summary["with_ratings"] for summary in imports):
        notes.append(
            "The ratings were made in Facetwise, not imported: annotators are numbered in the "
            "order in which they got their first seat."
        )
    elif not any(summary["with_readable"] for summary in imports):
        notes.append(
            f"No {csfcube.READABLE_FOLDER} were imported: the text files number the annotators "
            "as the rating files do."
        )
    return list(dict.fromkeys(notes))
