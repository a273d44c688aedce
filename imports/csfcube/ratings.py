"""The ratings of a CSFCube release, compared with those that a collection has."""

from collections.abc import Set
from decimal import Decimal

from annotation.models import Pair
from datasets.models import Membership
from formats import csfcube
from imports import stored as stored_pairs
from imports.answers import BatchValues
from imports.run import grade_in_words, in_words

ANNOTATOR = "annotator"


class RatingsComparison:
    """The ratings of a release beside a collection's; what cannot come in goes to `problems`.

    `ratings` are those of new topics, `adjudicated` the grades {topic: {document: grade}} there.
    """

    def __init__(self, release, collection, by, problems):
        self.release, self.collection, self.by = release, collection, by
        self.problems = problems
        self.ratings: list[BatchValues] = []
        self.adjudicated: dict[str, dict[str, Decimal]] = {}

    def compare(self, new_topics: Set[str]) -> None:
        """Take the ratings of new topics; those of others must be as they are stored."""
        if not self.release.annotations:
            self.problems.add(
                csfcube.annotations_name("<facet>"),
                "",
                "ratings are asked for, but there is no rating file.",
                "Add the files, or import without ratings.",
            )
        self.stored = stored_pairs.stored_answers(self.collection)
        self.rated_topics = {topic_id for topic_id, _ in self.stored}
        hidden = stored_pairs.pairs_being_rated_by(self.by, self.collection)
        self.blind_topics = {topic_id for topic_id, _ in hidden}
        self.gold = self._stored_gold(
            row.topic_id for row in self.release.rows if row.topic_id not in new_topics
        )
        for row in self.release.rows:
            judged = self.release.annotations.get(row.facet, {}).get(row.paper_id)
            if judged is None:
                continue
            if row.topic_id in new_topics:
                self._take(row.topic_id, judged)
            else:
                self._compare_topic(row, judged)

    def _take(self, topic_id, judged):
        self.ratings.append(_as_batch(topic_id, judged.candidates, _answers_of(judged)))
        if judged.adjudicated is not None:
            grades = zip(judged.candidates, judged.adjudicated, strict=True)
            self.adjudicated[topic_id] = dict(grades)

    def _compare_topic(self, row, judged):
        name, place = csfcube.annotations_name(row.facet), f'key "{row.paper_id}"'
        if row.topic_id in self.blind_topics:
            self.problems.add(
                name,
                place,
                f"you hold or held a seat in {row.topic_id}, and not every seat is handed in.",
                "Ratings of this topic cannot be compared for you before that.",
            )
        elif row.topic_id not in self.rated_topics:
            self.problems.add(
                name,
                place,
                f"the topic {row.topic_id} is in the collection already, without these ratings.",
                "Ratings come in only together with their topic: import without ratings, or "
                "into a new collection.",
                about=row.topic_id,
            )
        else:
            self._list_differences(row.topic_id, judged, name, place)

    def _stored_gold(self, topic_ids):
        pairs = Pair.objects.filter(
            topic__collection=self.collection, topic__external_id__in=list(topic_ids)
        )
        return {
            (topic, document): value
            for topic, document, value in pairs.values_list(
                "topic__external_id", "document__external_id", "gold_value"
            )
        }

    def _list_differences(self, topic_id, judged, name, place):
        answers = _answers_of(judged)
        for index, document in enumerate(judged.candidates):
            in_file = {annotator: values[index] for annotator, values in answers.items()}
            in_store = self.stored.get((topic_id, document), {})
            gold = self.gold.get((topic_id, document))
            if in_file != in_store:
                self.problems.add(
                    name,
                    f"{place}, candidate {document}",
                    f"the ratings are {in_words(in_file)}, but {in_words(in_store)} are stored.",
                    "Stored ratings are never replaced.",
                    about=topic_id,
                )
            elif judged.adjudicated is not None and gold != judged.adjudicated[index]:
                self.problems.add(
                    name,
                    f"{place}, candidate {document}",
                    f"the adjudicated grade is {judged.adjudicated[index]}, but "
                    f"{grade_in_words(gold)} is stored.",
                    "Stored decisions are never replaced.",
                    about=topic_id,
                )

    def numbers(self):
        """{annotator: number} of those who get one from the readable files; a stored number that
        differs is a problem."""
        numbers_to_give = {}
        stored = dict(
            Membership.objects.filter(collection=self.collection)
            .exclude(external_id="")
            .values_list("external_id", "readable_id")
        )
        rows = {row.topic_id: row for row in self.release.rows}
        for topic_id, numbers in self.release.readable_numbers.items():
            row = rows[topic_id]
            ratings = self.release.annotations[row.facet][row.paper_id].ratings
            for annotator, number in zip(ratings, numbers, strict=True):
                external_id = f"{ANNOTATOR}{annotator}"
                stored_number = stored.get(external_id, "")
                if not stored_number:
                    numbers_to_give[external_id] = number
                elif stored_number != number:
                    self.problems.add(
                        csfcube.READABLE_FOLDER,
                        topic_id,
                        f"annotator {annotator} has the number {number} here, but {stored_number} "
                        "is stored.",
                        "The text files must be of the same release as before.",
                    )
        return numbers_to_give


def _answers_of(judged):
    """{annotator: values}, None where one could not judge."""
    return {
        f"{ANNOTATOR}{annotator}": [
            None if value == csfcube.CANNOT_JUDGE else value for value in values
        ]
        for annotator, values in judged.ratings.items()
    }


def _as_batch(topic_id, candidates, answers):
    """The ratings of one topic, whose lists run parallel to its candidates, as a batch."""
    per_document = zip(*answers.values(), strict=True)
    return BatchValues(
        name=topic_id,
        annotators=list(answers),
        values={
            (topic_id, document): list(values)
            for document, values in zip(candidates, per_document, strict=True)
        },
    )
