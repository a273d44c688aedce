"""A DORIS-MAE file as a study, with its ratings and machine answers."""

from collections.abc import Container, Mapping
from typing import Any

from formats import doris_mae
from formats.doris_mae.records import Dataset
from formats.records import MachineAnswers, Place, PoolEntry, Published, Query, Rating, Study, Topic
from formats.sentences import joined

KIND = "doris-mae"
TEST_SET = "Test set"


def study_of(
    dataset: Dataset,
    *,
    model: str,
    run: str,
    before: Mapping[str, Any],
    known_documents: Container[str],
    known_aspects: Container[str],
) -> Study:
    """The study that a file is. Its answers are those of a run of a model; `before` is what the
    collection keeps of earlier files."""
    study = Study(KIND, notes=dataset.notes, fingerprint=dataset.digest)
    _add_documents(study, dataset)
    _add_queries(study, dataset)
    _add_aspects(study, dataset, known_aspects)
    _add_ratings(study, dataset)
    count, read = dataset.answers_count, dataset.answers
    study.machine = MachineAnswers(model, run, dataset.name, count, read)
    study.published = Published(
        pairs=dataset.pairs,
        extra=_extra(dataset, (model, run), before, known_documents, known_aspects),
        batch=TEST_SET,
        names={
            rating.rater: rating.rater.replace("_", " ").capitalize() for rating in study.ratings
        },
        counts={
            "abstracts_read": dataset.abstracts_read,
            "unparsed": dataset.unparsed,
            "unparsed_count": dataset.unparsed_count,
        },
    )
    return study


def _add_documents(study: Study, dataset: Dataset) -> None:
    for abstract in dataset.papers():
        document = abstract.as_document(dataset.name)
        # The file has it as one text, which its reader divided.
        text = joined(sentence.text for sentence in document.sentences)
        study.documents.keep(document._replace(text=text))


def _add_queries(study: Study, dataset: Dataset) -> None:
    """Queries with their pools."""
    for query in dataset.queries:
        place = Place(dataset.name, key=query.place)
        study.queries.append(
            Query(
                *(query.query_id, query.text, "", "", "", query.metadata, place),
                sentences=query.sentences,
                tree=query.tree,
                extra={"record": query.record},
            )
        )
        study.pool += [
            PoolEntry(query.query_id, None, abstract_id, (), None, "", "", place)
            for abstract_id in query.pool
        ]


def _add_aspects(study: Study, dataset: Dataset, known_aspects: Container[str]) -> None:
    """Those that a query has, here or in the collection, as topics."""
    unused = dataset.unused_aspects
    for aspect, text in dataset.aspects.items():
        if aspect not in unused or aspect in known_aspects:
            place = Place(dataset.name, key=f"{doris_mae.ID2TEXT}[{aspect}]")
            study.topics.append(Topic(aspect, "", text, (), {}, place))


def _add_ratings(study: Study, dataset: Dataset) -> None:
    """A set of annotators has the seats of a batch, in the order in which its first pair names
    them, and has rated each of its pairs."""
    seats: dict[frozenset[str], list[str]] = {}
    for rated in dataset.rated:
        place, overlap = Place(dataset.name, key=rated.place), len(rated.answers)
        annotators = seats.setdefault(frozenset(rated.answers), list(rated.answers))
        for seat, annotator in enumerate(annotators, start=1):
            value = rated.answers[annotator]
            grade = None if value is None else str(value)
            study.ratings.append(
                Rating(
                    *(rated.aspect_id, rated.abstract_id, annotator, grade, "", "", "", place),
                    batch=TEST_SET,
                    seat=str(seat),
                    overlap=overlap,
                )
            )


def _extra(
    dataset: Dataset,
    run: tuple[str, str],
    before: Mapping[str, Any],
    known_documents: Container[str],
    known_aspects: Container[str],
) -> dict[str, Any]:
    """Data that no row holds and an export needs: the keys of the file, entries without a row,
    unknown keys of rated pairs, and the name of the file's own run.

    Lists and JSON text, since PostgreSQL does not keep the order of an object's keys.
    """
    without_text = dict(before.get("without_text", [])) | dataset.without_text
    unused = dict(before.get("unused_aspects", [])) | dataset.unused_aspects
    used = {aspect for query in dataset.queries for aspect in query.aspects}
    records = {(aspect, abstract): record for aspect, abstract, record in before.get("rated", [])}
    records |= {rated.key: rated.record for rated in dataset.rated if rated.record}
    return {
        "keys": dataset.keys,
        "without_text": [
            [abstract, text]
            for abstract, text in without_text.items()
            if abstract not in dataset.offsets and abstract not in known_documents
        ],
        "unused_aspects": [
            [aspect, text]
            for aspect, text in unused.items()
            if aspect not in used and aspect not in known_aspects
        ],
        "rated": [[*key, record] for key, record in records.items()],
        "run": list(run) if dataset.answers_count else before.get("run"),
    }


def noted_run(extra: Mapping[str, Any]) -> tuple[str, str] | None:
    """(model, name) of the run that earlier files' answers went to."""
    run = extra.get("run")
    return (run[0], run[1]) if run else None
