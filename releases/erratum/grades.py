"""The grades that an export holds, read from its files as they were offered.

Nothing is asked of the database: an export does not change, and the collection does.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from formats.csfcube import annotations_name
from formats.decimals import plain
from formats.records import topic_id
from formats.spreadsheets import unescaped
from releases.erratum.changes import Grade
from releases.erratum.reading import MISREAD, TOPICS, Exported, NotComparable

# (topic, document, value, option) as a file has them.
Line = tuple[str, str, str, str]


def grades_of(exported: Exported) -> dict[str, dict[str, Grade]]:
    """{topic or query: {document: its grade}}, read at each call, since they take much room.

    NotComparable where a file is gone, is not the one that was offered, or cannot be read.
    """
    grades: defaultdict[str, dict[str, Grade]] = defaultdict(dict)
    known: dict[tuple[str, str], Grade] = {}
    try:
        for topic, document, value, option in READERS[exported.format](exported):
            grade = known.get((value, option))
            if grade is None:
                number = Decimal(value)
                if not number.is_finite():
                    raise ValueError("A grade is no number.")
                grade = known[value, option] = Grade(plain(number), option)
            if document in grades[topic]:
                raise ValueError("A pair has two grades.")
            grades[topic][document] = grade
    except MISREAD:
        raise NotComparable(f"{exported.name}: its grades cannot be read.") from None
    return dict(grades)


def _trec(exported: Exported) -> Iterator[Line]:
    is_of_topics = exported.unit == TOPICS
    name = "qrels-all.txt" if is_of_topics else f"qrels-{exported.unit}.txt"
    for line in exported.text(name).splitlines():
        topic, _, document, grade = line.split()
        yield topic, document, grade, ""


def _beir(exported: Exported) -> Iterator[Line]:
    for line in exported.text("qrels/test.tsv").splitlines()[1:]:
        query, document, grade = line.split("\t")
        yield query, document, grade, ""


def _birco(exported: Exported) -> Iterator[Line]:
    content = json.loads(exported.text("birco.json"), parse_float=str, parse_int=str)
    for query, grades in content["qrel"].items():
        for document, grade in grades.items():
            yield query, document, grade, ""


def _csv(exported: Exported) -> Iterator[Line]:
    rows = csv.reader(io.StringIO(exported.text("gold.csv"), newline=""))
    head = next(rows, [])
    topic, document, value, option = map(head.index, ("topic", "document", "value", "option"))
    for row in rows:
        if row[value]:
            names = unescaped(row[topic]), unescaped(row[document])
            yield *names, unescaped(row[value]), unescaped(row[option])


def _csfcube(exported: Exported) -> Iterator[Line]:
    for facet in exported.scheme["facets"]:
        name = annotations_name(facet)
        if not exported.has(name):
            continue
        for query, judged in json.loads(exported.text(name), parse_int=str).items():
            topic = topic_id(query, facet)
            pairs = zip(judged["cands"], judged["relevance_adju"], strict=True)
            for document, grade in pairs:
                yield topic, document, grade, ""


READERS: dict[str, Callable[[Exported], Iterable[Line]]] = {
    "trec": _trec,
    "csfcube": _csfcube,
    "csv": _csv,
    "birco": _birco,
    "beir": _beir,
}
