"""CSFCube's half as neutral records, for what is compared with its own importer."""

from formats.csfcube import CANNOT_JUDGE
from formats.csfcube.read import read_release
from formats.csfcube.sources import find_in_folder
from formats.records import (
    Decision,
    Document,
    Place,
    PoolEntry,
    Query,
    Rating,
    Sentence,
    Study,
    Topic,
    TopicPlace,
)

FACETS = ["background", "method", "result"]
PLACE = Place("csfcube")


def csfcube_study(folder):
    """The release in `folder` with its ratings and adjudicated grades."""
    scales = dict.fromkeys(FACETS, range(4))
    release = read_release(find_in_folder(folder), scales=scales)
    study = Study("csfcube")
    for paper in release.papers():
        sentences = tuple(
            Sentence(sentence["text"], sentence["label"]) for sentence in paper.sentences
        )
        study.documents.keep(Document(paper.paper_id, paper.title, sentences, None, {}, PLACE))
    for paper_id, pool in release.pools.items():
        study.queries.append(Query(paper_id, "", paper_id, "", "", {}, PLACE))
        for candidate, sources in zip(pool.candidates, pool.sources, strict=True):
            study.pool.append(
                PoolEntry(paper_id, None, candidate, tuple(sources), None, "", "", PLACE)
            )
    for row in release.rows:
        places = (TopicPlace(row.paper_id),)
        study.topics.append(Topic(row.topic_id, row.facet, "", places, {}, PLACE))
        _add_answers(study, row.topic_id, release.annotations[row.facet][row.paper_id])
    return study


def _add_answers(study, topic, annotations):
    for position, candidate in enumerate(annotations.candidates):
        for rater, grades in annotations.ratings.items():
            grade = grades[position]
            literal = None if grade == CANNOT_JUDGE else str(grade)
            reason = "not rated" if literal is None else ""
            study.ratings.append(
                Rating(topic, candidate, f"annotator{rater}", literal, reason, "", "", PLACE)
            )
        # The file has an adjudicated grade for every pair; only disagreements were decided.
        if len({grades[position] for grades in annotations.ratings.values()}) > 1:
            grade = str(annotations.adjudicated[position])
            study.decisions.append(
                Decision(topic, candidate, "adjudicator", grade, "", "", "", "", PLACE)
            )


def written(study, folder):
    """The tables of a study as files in a new folder."""
    from formats.tables.write import write_tables

    folder.mkdir()
    for name, data in write_tables(study):
        (folder / name).write_bytes(data)
    return folder
