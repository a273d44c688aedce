"""Reading a dataset of ir_datasets by its id, where that library is installed.

It fetches what it does not have yet, so that this is for the command alone. Qrels are judgments
and give the pools; of the documents those are kept that something judges, unless asked otherwise.
"""

from collections.abc import Iterator
from typing import Any

from formats.assemble import Assembly
from formats.completing import completed
from formats.files import Files
from formats.flat import sentences_of
from formats.problems import BadInputError, Problem
from formats.reading import Options, Recognition
from formats.records import Document, Judgment, JudgmentSet, Place, PoolEntry, Query, Study

KEY = "ir_datasets"
TITLES, TEXTS = ("title",), ("text", "abstract", "body", "contents")
QUERY_TEXTS = ("text", "title", "query", "question")
DESCRIPTIONS, NARRATIVES = ("description",), ("narrative",)


def recognise(files: Files) -> Recognition | None:
    """No file is one of these datasets."""
    return None


def read(files: Files, options: Options) -> Study:
    """The datasets that `settings["ids"]` names; raises BadInputError."""
    names = [str(name) for name in options.settings.get("ids") or [""]]
    datasets = {name: _load(name) for name in names}
    study = Study(KEY, fingerprint=f"ir_datasets:{','.join(names)}")
    assembly = Assembly(study, options)
    for name, dataset in datasets.items():
        for query in _each(dataset, "queries"):
            _add_query(assembly, query, Place(name, key=f"query {query.query_id}"))
        if dataset.has_qrels():
            _add_judgments(assembly, dataset, name)
    document_ids = assembly.wanted
    for name, dataset in datasets.items():
        for document in _each(dataset, "docs"):
            place = Place(name, key=f"document {document.doc_id}")
            _add_document(assembly, document, place, document_ids)
    return completed(assembly)


def _load(name: str) -> Any:
    try:
        import ir_datasets

        return ir_datasets.load(name)
    except ImportError:
        message = "ir_datasets is not installed."
        remedy = "Install it (pip install ir-datasets), or import the files of the dataset."
    except KeyError:
        message = "ir_datasets has no dataset of this name."
        remedy = "Names are of the form collection/subset/split."
    raise BadInputError([Problem(name, "", message, remedy)], 1)


def _each(dataset: Any, kind: str) -> Iterator[Any]:
    if getattr(dataset, f"has_{kind}")():
        yield from getattr(dataset, f"{kind}_iter")()


def _field(record: Any, names: tuple[str, ...]) -> str:
    return next((str(getattr(record, name)) for name in names if getattr(record, name, None)), "")


def _others(record: Any, *used_groups: tuple[str, ...]) -> dict[str, Any]:
    """The other fields of a record that JSON can hold."""
    names = {name for group in used_groups for name in group} | {"query_id", "doc_id"}
    return {
        name: value
        for name, value in record._asdict().items()
        if name not in names and isinstance(value, (str, int, float, bool))
    }


def _add_query(assembly: Assembly, query: Any, place: Place) -> None:
    if assembly.is_identifier(str(query.query_id), place, "identifier"):
        assembly.add_query(
            Query(
                str(query.query_id),
                _field(query, QUERY_TEXTS),
                "",
                _field(query, DESCRIPTIONS),
                _field(query, NARRATIVES),
                _others(query, QUERY_TEXTS, DESCRIPTIONS, NARRATIVES),
                place,
            )
        )


def _add_judgments(assembly: Assembly, dataset: Any, name: str) -> None:
    judgments: dict[tuple[str, str], Judgment] = {}
    for qrel in dataset.qrels_iter():
        query, document = str(qrel.query_id), str(qrel.doc_id)
        place = Place(name, key=f"qrel {query} {document}")
        judgment = Judgment(query, document, str(qrel.relevance), "", place)
        earlier = judgments.setdefault((query, document), judgment)
        if earlier is not judgment:
            _add_repeated(assembly, judgment, earlier)
            continue
        target = assembly.pool_target(query, place)
        if target and assembly.is_identifier(document, place, "document"):
            assembly.add_pool(PoolEntry(*target, document, (), None, "", "", place))
    grades: dict[int, str] = dataset.qrels_defs()
    note = "; ".join(f"{value}: {words}" for value, words in sorted(grades.items()))
    assembly.study.judgments.append(
        JudgmentSet(name, assembly.judged_level, name, "", note, list(judgments.values()))
    )


def _add_repeated(assembly: Assembly, judgment: Judgment, earlier: Judgment) -> None:
    if judgment.literal == earlier.literal:
        assembly.study.leave_out(judgment.place, "The same judgment stands there twice.")
        return
    assembly.problem(
        judgment.place,
        f"the document is judged as {earlier.literal} and as {judgment.literal}.",
        "Import the dataset's files instead, with one grade for each query and document.",
    )


def _add_document(
    assembly: Assembly, document: Any, place: Place, document_ids: set[str] | None
) -> None:
    name = str(document.doc_id)
    if document_ids is not None and name not in document_ids:
        assembly.study.unpooled_documents += 1
    elif assembly.is_identifier(name, place, "identifier"):
        text = _field(document, TEXTS)
        assembly.add_document(
            Document(
                name,
                _field(document, TITLES),
                sentences_of(text),
                text,
                _others(document, TITLES, TEXTS),
                place,
            )
        )
