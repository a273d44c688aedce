"""Importing a CSFCube release: documents, queries, pools and topics; on request also its ratings
and the decisions on them, so that a finished study can be moved in."""

import hashlib
from decimal import Decimal

from adjudication.models import Decision
from annotation.models import Pair
from annotation.reading.fixed import held_documents, is_held, lock_batches
from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Refused
from datasets.models import Membership, Role
from formats import csfcube
from formats.csfcube.read import read_release
from imports import pairs as pairs_in
from imports import stored as stored_pairs
from imports.csfcube import rows as datasets_in
from imports.run import Moving, carry_out, grade_in_words, in_words, no_progress

KIND = "csfcube"
SCHEME = "csfcube"
ADJUDICATOR = "adjudicator"
ANNOTATOR = "annotator"
LISTED = 100


def import_csfcube(
    *, sources, collection, by, with_ratings=False, progress=no_progress, effect=None
):
    """Bring a CSFCube release into a collection, whole or not at all.

    `sources` is what `find_in_folder` or `find_sources` made of the files. What the collection
    holds already is compared: new topics and candidates are added, their pairs wait for a batch;
    another text or label of a paper in a held batch, and another rating, is refused.
    `progress(done, total, stage)` is told how far it is. `effect` is a context manager for the
    last transaction, by default one of its own.

    Raises BadInputError with everything that is wrong, or ImportRunningError.
    """
    moving = read_moving(sources, collection, by, with_ratings=with_ratings, progress=progress)
    return carry_out(moving, progress=progress, effect=effect)


def read_moving(sources, collection, by, *, with_ratings, progress=no_progress):
    """The release, read and ready to be compared and written."""
    collection.refresh_from_db()
    release = read_release(
        sources,
        scales=_scales(collection),
        progress=lambda done, total: progress(done, total, "Reading the files"),
    )
    return _Moving(release, collection, by, with_ratings=with_ratings)


def _scales(collection):
    """{facet: its values} of the collection's scheme, or of the one that it is about to get."""
    scheme = getattr(collection, "scheme", None)
    if scheme is None:
        definition = load_definition(SCHEME)
        values = [Decimal(option["value"]) for option in definition["options"]]
        return {facet["key"]: values for facet in definition["facets"]}
    facets = list(scheme.facets.values_list("key", flat=True))
    if not facets:
        raise Refused(
            f"{collection} judges aspects of queries, and a CSFCube release brings facets of "
            "papers. Import it into a collection with a scheme for facets."
        )
    return {facet: set(pairs_in.options_by_value(scheme.scale_of(facet))) for facet in facets}


class _Moving(Moving):
    """One release on its way in."""

    kind = KIND

    def __init__(self, release, collection, by, *, with_ratings):
        super().__init__(collection, by)
        self.release, self.with_ratings = release, with_ratings
        self.ratings = []  # a BatchValues for each new topic that has some
        self.adjudicated = {}
        self.numbers = {}  # annotators who get the number of the readable files
        self.decided = {}  # (topic, document): the option that an adjudicator gave

    @property
    def fingerprint(self):
        parts = f"{self.release.fingerprint} {self.with_ratings}"
        return hashlib.sha256(parts.encode()).hexdigest()

    # Comparing

    def compare(self):
        release, collection = self.release, self.collection
        self.changes = datasets_in.plan(release, collection)
        self.pairs = stored_pairs.plan_pairs(
            {row.topic_id: release.judged(row) for row in release.rows}, collection
        )
        self._refuse_retold_papers()
        if self.with_ratings:
            self._compare_ratings()
            self._compare_numbers()

    @property
    def is_empty(self):
        return self.changes.is_empty and not self.pairs.new and not self.numbers

    def _refuse_retold_papers(self):
        retold = {paper.paper_id: paper for paper in self.changes.retold}
        for paper_id, batch in sorted(held_documents(self.collection, retold).items()):
            self.problems.add(
                csfcube.ABSTRACTS,
                f"line {retold[paper_id].line}",
                f"the title, text or labels of {paper_id} differ from what is stored. "
                f"{is_held(batch)}",
                "Leave the paper as it is, or import into a new collection.",
            )

    def _compare_ratings(self):
        release = self.release
        if not release.annotations:
            self.problems.add(
                csfcube.annotations_name("<facet>"),
                "",
                "ratings are asked for, but there is no rating file.",
                "Add the files, or import without ratings.",
            )
        new_topics = {row.topic_id for row in self.changes.topics}
        stored_topics = [row.topic_id for row in release.rows if row.topic_id not in new_topics]
        stored = stored_pairs.stored_answers(self.collection)
        rated_topics = {topic_id for topic_id, _ in stored}
        gold = self._stored_gold(stored_topics)
        blind_topics = {
            topic_id for topic_id, _ in stored_pairs.pairs_being_rated_by(self.by, self.collection)
        }
        for row in release.rows:
            judged = release.annotations.get(row.facet, {}).get(row.paper_id)
            if judged is None:
                continue
            answers = _answers_of(judged)
            name, place = csfcube.annotations_name(row.facet), f'key "{row.paper_id}"'
            if row.topic_id in new_topics:
                self.ratings.append(_as_batch(row.topic_id, judged.candidates, answers))
                if judged.adjudicated is not None:
                    self.adjudicated[row.topic_id] = dict(
                        zip(judged.candidates, judged.adjudicated, strict=True)
                    )
            elif row.topic_id in blind_topics:
                self.problems.add(
                    name,
                    place,
                    f"you hold or held a seat in {row.topic_id}, and not every seat is handed in.",
                    "Ratings of this topic cannot be compared for you before that.",
                )
            elif row.topic_id not in rated_topics:
                self.problems.add(
                    name,
                    place,
                    f"the topic {row.topic_id} is in the collection already, without these "
                    "ratings.",
                    "Ratings come in only together with their topic: import without ratings, or "
                    "into a new collection.",
                    about=row.topic_id,
                )
            else:
                self._list_differences(row, judged, answers, stored, gold, name, place)

    def _stored_gold(self, topic_ids):
        return {
            (topic, document): value
            for topic, document, value in Pair.objects.filter(
                topic__collection=self.collection, topic__external_id__in=topic_ids
            ).values_list("topic__external_id", "document__external_id", "gold_value")
        }

    def _list_differences(self, row, judged, answers, stored, gold, name, place):
        for index, document in enumerate(judged.candidates):
            in_file = {annotator: values[index] for annotator, values in answers.items()}
            in_store = stored.get((row.topic_id, document), {})
            if in_file != in_store:
                self.problems.add(
                    name,
                    f"{place}, candidate {document}",
                    f"the ratings are {in_words(in_file)}, but {in_words(in_store)} are stored.",
                    "Stored ratings are never replaced.",
                    about=row.topic_id,
                )
            elif judged.adjudicated is not None:
                stored_gold = gold.get((row.topic_id, document))
                if stored_gold != judged.adjudicated[index]:
                    self.problems.add(
                        name,
                        f"{place}, candidate {document}",
                        f"the adjudicated grade is {judged.adjudicated[index]}, but "
                        f"{grade_in_words(stored_gold)} is stored.",
                        "Stored decisions are never replaced.",
                        about=row.topic_id,
                    )

    def _compare_numbers(self):
        """Note which annotators get a number from the readable files; a stored number that differs
        is a problem."""
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
                    self.numbers[external_id] = number
                elif stored_number != number:
                    self.problems.add(
                        csfcube.READABLE_FOLDER,
                        topic_id,
                        f"annotator {annotator} has the number {number} here, but {stored_number} "
                        "is stored.",
                        "The text files must be of the same release as before.",
                    )

    # Writing

    def write(self, writer, progress):
        release = self.release
        scheme = self._scheme()
        total = self._row_count()

        def writing(done):
            progress(min(done, total), total, "Writing")

        documents = datasets_in.write(self.changes, release, writer, writing)
        options = pairs_in.OptionsOfTopics(scheme)
        ratings = [batch_ratings.in_options(options) for batch_ratings in self.ratings]
        batches = pairs_in.write_pairs(
            self.pairs,
            ratings,
            writer,
            {external_id: document.pk for external_id, document in documents.items()},
            decide=self._decide_with(options),
            progress=writing,
        )
        if not self.ratings:
            return
        names = {
            external_id: f"Annotator {external_id.removeprefix(ANNOTATOR)}"
            for ratings in self.ratings
            for external_id in ratings.annotators
        }
        roles = {external_id: [Role.ANNOTATOR.value] for external_id in sorted(names)}
        members = pairs_in.write_people(roles, writer, names=names)
        pairs_in.write_ratings(
            batches, ratings, members, writer, version=scheme.current, progress=writing
        )
        if self.decided:
            self._write_decisions(writer)

    def _decide_with(self, options):
        """Decides a pair which the raters dispute, or on which the file has another grade."""

        def decide(pair, topic_id, document_id):
            grades = self.adjudicated.get(topic_id)
            if grades is None:
                return
            option = options[topic_id][grades[document_id]]
            if pair.gold_origin and pair.gold_value == option.value:
                return
            pair.state, pair.gold_origin = Pair.State.ADJUDICATED, Pair.Origin.ADJUDICATED
            pair.gold_value, pair.gold_option = option.value, option
            self.decided[topic_id, document_id] = option

        return decide

    def _scheme(self):
        scheme = getattr(self.collection, "scheme", None)
        if scheme is None:
            scheme = create_scheme(
                collection=self.collection,
                definition=load_definition(SCHEME),
                by=self.by,
            )
        return scheme

    def _row_count(self):
        changes = self.changes
        rows = len(changes.papers) + len(changes.queries) + len(changes.candidates)
        return rows + 2 * len(changes.topics) + self.pairs.count + self._ratings_count()

    def _ratings_count(self):
        return sum(ratings.count for ratings in self.ratings)

    def _write_decisions(self, writer):
        [adjudicator] = pairs_in.write_people(
            {ADJUDICATOR: [Role.ADJUDICATOR.value]}, writer, names={ADJUDICATOR: "Adjudicator"}
        ).values()
        pair_ids = pairs_in.pair_ids_of(writer.imported)
        writer.insert(
            Decision,
            (
                Decision(pair_id=pair_ids[key], adjudicator=adjudicator, option=option)
                for key, option in self.decided.items()
            ),
        )

    # The last transaction

    def apply(self):
        if self.changes.retold:
            lock_batches(self.collection)
            self._refuse_retold_papers()
            self.problems.raise_any()
        datasets_in.apply_changes(self.changes, self.release, self.collection)
        for external_id, number in self.numbers.items():
            Membership.objects.filter(collection=self.collection, external_id=external_id).update(
                readable_id=number
            )

    def summary(self):
        changes, release = self.changes, self.release
        changed = [changes.retold, changes.annotated, changes.resourced, changes.reworded]
        return {
            "papers": len(changes.papers),
            "queries": len(changes.queries),
            "candidates": len(changes.candidates),
            "topics": len(changes.topics),
            "pairs": self.pairs.count,
            "ratings": self._ratings_count(),
            "decisions": len(self.decided),
            "machine_scores": 0,
            "changed": sum(map(len, changed)),
            "papers_read": release.papers_read,
            "with_ratings": self.with_ratings,
            "with_readable": bool(release.readable_numbers),
            "without_text": release.without_text[:LISTED],
            "without_text_count": len(release.without_text),
            "notes": release.notes,
        }


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
    return pairs_in.BatchValues(
        name=topic_id,
        annotators=list(answers),
        values={
            (topic_id, document): list(values)
            for document, values in zip(candidates, per_document, strict=True)
        },
    )
