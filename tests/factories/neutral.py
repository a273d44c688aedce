"""A small study in the neutral form, made by hand: what a reader of any format gives."""

from itertools import zip_longest

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
    topic_id,
)


class Neutral:
    """Builds a study record by record; each stands on a line of its own in `study.csv`."""

    def __init__(self, format="tables"):
        self.study = Study(format)
        self.lines = 0

    def place(self):
        self.lines += 1
        self.study.fingerprint = str(self.lines)
        return Place("study.csv", self.lines)

    def document(self, document_id, text="Why. How.", title="", **metadata):
        sentences = [Sentence(f"{part.strip('.')}.") for part in text.split(". ")] if text else []
        self.study.documents.keep(
            Document(
                document_id,
                title or f"Title of {document_id}",
                tuple(sentences),
                text,
                metadata,
                self.place(),
            )
        )
        return self

    def query(self, query_id, *, text="", document="", facets=(), description="", narrative=""):
        self.study.queries.append(
            Query(query_id, text, document, description, narrative, {}, self.place())
        )
        for facet in facets:
            self.topic(topic_id(query_id, facet), query_id, facet=facet)
        return self

    def topic(self, topic, query, *, facet="", text="", parent=None):
        places = (TopicPlace(query, parent),)
        self.study.topics.append(Topic(topic, facet, text, places, {}, self.place()))
        return self

    def pool(self, query, *documents, topic=None, sources=("bm25",), side=("", "")):
        for document in documents:
            self.study.pool.append(
                PoolEntry(query, topic, document, tuple(sources), None, *side, self.place())
            )
        return self

    def rate(self, topic, document, note="", reason="", batch="", seats=(), overlap=0, **grades):
        """Ratings by rater; None is "cannot judge". `seats` are theirs, in this order."""
        for (rater, grade), seat in zip_longest(grades.items(), seats, fillvalue=""):
            grade = None if grade is None else str(grade)
            place = self.place()
            self.study.ratings.append(
                Rating(topic, document, rater, grade, reason, note, "", place, batch, seat, overlap)
            )
        return self

    def decide(self, topic, document, grade, adjudicator="", *, reason="", cause="", rationale=""):
        grade = None if grade is None else str(grade)
        self.study.decisions.append(
            Decision(
                topic, document, adjudicator, grade, reason, cause, rationale, "", self.place()
            )
        )
        return self


def small_study():
    """Two query papers under two facets, three candidates each, without ratings."""
    neutral = Neutral()
    for query in ("q1", "q2"):
        neutral.document(query)
        for number in (1, 2, 3):
            neutral.document(f"{query}c{number}")
        neutral.query(query, document=query, facets=["background", "method"])
        neutral.pool(query, *(f"{query}c{number}" for number in (1, 2, 3)))
    return neutral


def rated_study():
    """One topic of three candidates, which two people rated: they agree on the first alone."""
    neutral = Neutral().document("q1")
    for number in (1, 2, 3):
        neutral.document(f"c{number}")
    neutral.query("q1", document="q1", facets=["method"]).pool("q1", "c1", "c2", "c3")
    neutral.rate("q1_method", "c1", ann=3, ben=3)
    neutral.rate("q1_method", "c2", ann=0, ben=2)
    return neutral.rate("q1_method", "c3", ann=1)
