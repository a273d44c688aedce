"""Importing a CSFCube release: documents, queries, pools and topics; on request also its ratings
and the decisions on them, so that a finished study can be moved in."""

import hashlib
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection, transaction

from adjudication.models import Decision
from annotation import importing as pairs_in
from annotation.actions.schemes import create_scheme, load_definition
from annotation.actions.settle import lock_pairs
from annotation.models import Pair
from datasets.formats import csfcube
from datasets.formats.csfcube.read import read_release
from datasets.formats.problems import BadInputError, Problems
from datasets.importing import csfcube as datasets_in
from datasets.importing import life
from datasets.models import Import, Membership, Role

KIND = "csfcube"
SCHEME = "csfcube"
ADJUDICATOR = "adjudicator"
ANNOTATOR = "annotator"
LISTED = 100


@dataclass(frozen=True)
class Outcome:
    """What an import did. `imported` is None when everything was there already."""

    imported: Import | None
    summary: dict

    @property
    def sentence(self):
        if self.imported is None:
            return "Everything in these files is in the collection already. Nothing was changed."
        counts = [
            (self.summary["papers"], "paper"),
            (self.summary["topics"], "topic"),
            (self.summary["pairs"], "pair"),
            (self.summary["ratings"], "rating"),
            (self.summary["decisions"], "decision"),
        ]
        added = [f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
        changed = self.summary["changed"]
        said = f"Added {', '.join(added)}." if added else "Nothing was added."
        return said + (f" {changed:,} stored entries were updated." if changed else "")


def import_csfcube(*, sources, collection, by, with_ratings=False, progress=None, effect=None):
    """Bring a CSFCube release into a collection, whole or not at all.

    `sources` is what `find_in_folder` or `find_sources` made of the files. What the collection
    holds already is compared: new topics and candidates are added, their pairs wait for a batch;
    another text, label or rating on a rated pair is refused. `progress(done, total, stage)` is
    told how far it is. `effect` is a context manager for the last transaction, by default one of
    its own.

    Raises BadInputError with everything that is wrong, or ImportRunningError.
    """
    sweep_dead_imports()
    progress = progress or (lambda done, total, stage: None)
    collection.refresh_from_db()
    facets, grades = _terms(collection)
    release = read_release(
        sources,
        facets=facets,
        grades=grades,
        progress=lambda done, total: progress(done, total, "Reading the files"),
    )
    fingerprint = hashlib.sha256(f"{release.fingerprint} {with_ratings}".encode()).hexdigest()
    latest = collection.imports.filter(state=Import.State.ACTIVE).first()
    if latest and (latest.kind, latest.fingerprint) == (KIND, fingerprint):
        return Outcome(None, latest.summary)

    progress(0, 0, "Comparing with what is stored")
    writer = life.begin(collection=collection, kind=KIND, fingerprint=fingerprint, by=by)
    try:
        moving = _Moving(release, writer, with_ratings=with_ratings)
        try:
            moving.compare()
        except BadInputError:
            life.discard(writer.imported)
            raise
        if moving.is_empty:
            life.discard(writer.imported)
            return Outcome(None, moving.summary())
        moving.write(progress)
        with (effect or _own_transaction)() as result:
            imported = moving.activate(by=by)
            outcome = Outcome(imported, imported.summary)
            result["message"] = outcome.sentence
    except BaseException:
        # Inside a larger transaction its rollback takes the rows away.
        if not connection.in_atomic_block:
            writer.close()
            life.abandon(writer.imported)
            sweep_dead_imports()
        raise
    finally:
        writer.close()
    return outcome


@contextmanager
def _own_transaction():
    with transaction.atomic():
        yield {}


def _terms(collection):
    """Facets and grades of the collection's scheme, or of the one that it is about to get."""
    scheme = getattr(collection, "scheme", None)
    if scheme is None:
        definition = load_definition(SCHEME)
        facets = [facet["key"] for facet in definition["facets"]]
        return facets, [Decimal(option["value"]) for option in definition["options"]]
    return scheme.facets.values_list("key", flat=True), pairs_in.options_by_value(scheme)


class _Moving:
    """One import, from comparing to the last transaction."""

    def __init__(self, release, writer, *, with_ratings):
        self.release, self.writer, self.with_ratings = release, writer, with_ratings
        self.collection = writer.imported.collection
        self.problems = Problems()
        self.ratings, self.adjudicated = {}, {}
        self.numbers = {}  # annotators who get the number of the readable files
        self.decided = {}  # (topic, document): the option that an adjudicator gave

    # Comparing

    def compare(self):
        release, collection = self.release, self.collection
        self.found = datasets_in.plan(release, collection)
        self.pairs = pairs_in.plan_pairs(
            {row.topic_id: release.judged(row) for row in release.rows}, collection
        )
        self._refuse_retold_papers()
        if self.with_ratings:
            self._compare_ratings()
            self._compare_numbers()
        self.problems.raise_any()

    @property
    def is_empty(self):
        return self.found.is_empty and not self.pairs.new and not self.numbers

    def _refuse_retold_papers(self):
        retold = {paper.paper_id: paper for paper in self.found.retold}
        for paper_id in sorted(
            pairs_in.rated_documents(self.collection, retold, by=self.writer.imported.created_by)
        ):
            self.problems.add(
                csfcube.ABSTRACTS,
                f"line {retold[paper_id].line}",
                f"the title, text or labels of {paper_id} differ from what was rated.",
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
        new_topics = {row.topic_id for row in self.found.topics}
        stored_topics = [row.topic_id for row in release.rows if row.topic_id not in new_topics]
        stored = pairs_in.stored_answers(stored_topics, self.collection)
        rated_topics = {topic_id for topic_id, _ in stored}
        gold = self._stored_gold(stored_topics)
        # A comparison would tell an annotator what the others gave.
        blind_topics = pairs_in.topics_being_rated_by(
            self.writer.imported.created_by, self.collection
        )
        for row in release.rows:
            judged = release.annotations.get(row.facet, {}).get(row.paper_id)
            if judged is None:
                continue
            answers = {
                f"{ANNOTATOR}{annotator}": [
                    None if value == csfcube.CANNOT_JUDGE else value for value in values
                ]
                for annotator, values in judged.ratings.items()
            }
            name, place = csfcube.annotations_name(row.facet), f'key "{row.paper_id}"'
            if row.topic_id in new_topics:
                self.ratings[row.topic_id] = pairs_in.TopicRatings(judged.candidates, answers)
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
            here = {annotator: values[index] for annotator, values in answers.items()}
            there = stored.get((row.topic_id, document), {})
            if here != there:
                self.problems.add(
                    name,
                    f"{place}, candidate {document}",
                    f"the ratings are {_told(here)}, but {_told(there)} are stored.",
                    "Stored ratings are never replaced.",
                )
            elif judged.adjudicated is not None:
                stored_gold = gold.get((row.topic_id, document))
                if stored_gold != judged.adjudicated[index]:
                    known = "none" if stored_gold is None else f"{stored_gold.normalize():f}"
                    self.problems.add(
                        name,
                        f"{place}, candidate {document}",
                        f"the adjudicated grade is {judged.adjudicated[index]}, but {known} "
                        "is stored.",
                        "Stored decisions are never replaced.",
                    )

    def _compare_numbers(self):
        """Who gets a number of the readable files; a stored number that differs is a problem."""
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
                known = stored.get(external_id, "")
                if not known:
                    self.numbers[external_id] = number
                elif known != number:
                    self.problems.add(
                        csfcube.READABLE_FOLDER,
                        topic_id,
                        f"annotator {annotator} has the number {number} here, but {known} is "
                        "stored.",
                        "The text files must be of the same release as before.",
                    )

    # Writing

    def write(self, progress):
        writer, release = self.writer, self.release
        scheme = self._scheme()
        total = self._row_count()

        def told(done):
            progress(min(done, total), total, "Writing")

        documents = datasets_in.write(self.found, release, writer, told)
        options = pairs_in.options_by_value(scheme)
        batches = pairs_in.write_pairs(
            self.pairs,
            self.ratings,
            writer,
            documents,
            options=options,
            decide=self._decide_with(options),
            progress=told,
        )
        if not self.ratings:
            return
        names = {
            external_id: f"Annotator {external_id.removeprefix(ANNOTATOR)}"
            for ratings in self.ratings.values()
            for external_id in ratings.answers
        }
        members = pairs_in.write_members(
            sorted(names), writer, names=names, role=Role.ANNOTATOR.value
        )
        pairs_in.write_ratings(
            batches,
            self.ratings,
            members,
            writer,
            version=scheme.current,
            options=options,
            progress=told,
        )
        if self.decided:
            self._write_decisions()

    def _decide_with(self, options):
        """Decides a pair which the raters dispute, or on which the file has another grade."""

        def decide(pair, topic_id, document_id):
            grades = self.adjudicated.get(topic_id)
            if grades is None:
                return
            option = options[grades[document_id]]
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
                by=self.writer.imported.created_by,
            )
        return scheme

    def _row_count(self):
        ratings = sum(
            len(ratings.candidates) * len(ratings.answers) for ratings in self.ratings.values()
        )
        found = self.found
        rows = len(found.papers) + len(found.queries) + len(found.candidates)
        return rows + 2 * len(found.topics) + self.pairs.count + ratings

    def _write_decisions(self):
        [adjudicator] = pairs_in.write_members(
            [ADJUDICATOR],
            self.writer,
            names={ADJUDICATOR: "Adjudicator"},
            role=Role.ADJUDICATOR.value,
        ).values()
        pair_ids = pairs_in.pair_ids_of(self.writer.imported)
        self.writer.insert(
            Decision,
            (
                Decision(pair_id=pair_ids[key], adjudicator=adjudicator, option=option)
                for key, option in self.decided.items()
            ),
        )

    # The last transaction

    def activate(self, *, by):
        retold = [paper.paper_id for paper in self.found.retold]
        if retold:
            # Raters lock the pair before they rate: nobody rates one of these until we are done.
            lock_pairs(
                Pair.including_inactive.filter(
                    document__collection=self.collection, document__external_id__in=retold
                )
            )
            self._refuse_retold_papers()
            self.problems.raise_any()
        datasets_in.apply_changes(self.found, self.release, self.collection)
        for external_id, number in self.numbers.items():
            Membership.objects.filter(collection=self.collection, external_id=external_id).update(
                readable_id=number
            )
        return self.writer.activate(by=by, summary=self.summary())

    def summary(self):
        found, release = self.found, self.release
        changed = [found.retold, found.annotated, found.resourced, found.reworded]
        return {
            "papers": len(found.papers),
            "queries": len(found.queries),
            "candidates": len(found.candidates),
            "topics": len(found.topics),
            "pairs": self.pairs.count,
            "ratings": sum(
                len(ratings.candidates) * len(ratings.answers) for ratings in self.ratings.values()
            ),
            "decisions": len(self.decided),
            "changed": sum(map(len, changed)),
            "papers_read": release.papers_read,
            "with_ratings": self.with_ratings,
            "with_readable": bool(release.readable_numbers),
            "without_text": release.without_text[:LISTED],
            "without_text_count": len(release.without_text),
            "notes": release.notes,
        }


def _told(answers):
    """Ratings in words: "annotator1 2, annotator2 none"."""
    parts = []
    for annotator, value in answers.items():
        grade = "none" if value is None else f"{Decimal(value).normalize():f}"
        parts.append(f"{annotator or 'somebody'} {grade}")
    return ", ".join(parts) or "none"


def sweep_dead_imports():
    """Delete the hidden rows of imports whose process died; run at a worker's start, too."""
    for imported in life.dead_imports():
        life.delete_in_chunks(Decision.objects.filter(pair__imported=imported))
        pairs_in.delete_rows(imported)
        life.delete_rows(imported)
        life.mark_swept(imported)
