"""Importing a study into a collection, whatever its format."""

import hashlib
import json
from collections.abc import Container, Mapping
from typing import Any

from adjudication.models import Decision
from annotation.models import Batch, Pair, SideText
from annotation.rating.settle import set_decision
from datasets.actions import change_details
from datasets.models import Collection, Membership, Role, Topic
from formats.records import Study
from imports import pairs as pairs_in
from imports.answers import Answer, BatchRatings
from imports.life import Writer
from imports.machine import NewScores
from imports.run import Moving, Writing, remarks_on
from imports.study import further, late, rows
from imports.study.batches import as_batches
from imports.study.compare import Comparison, refuse_members
from imports.study.entries import Key, Resolved, Verdict
from imports.study.plan import Plan
from imports.study.resolve import Resolver
from imports.study.runs_and_judgments import Beside
from imports.study.terms import Matching

LISTED = 100


class StudyMoving(Moving):
    """A study on its way in.

    What the collection holds already is compared: new topics and candidates are added, new pairs
    wait for a batch; another text of what is in a held batch, and another rating, is refused.
    Ratings come in as finished batches, with their pairs or of pairs that wait for a batch; a
    decision also on a pair that was rated before. A published dataset is compared as a whole (see
    `Published`).

    `matching` is people's choice for grades and raters, `reading` how the files were read (data);
    `fills` are values for empty fields of the collection (licence, citation, source).
    """

    changes: Plan
    resolved: Resolved
    writer: Writer

    def __init__(
        self,
        study: Study,
        collection: Collection,
        by: Any,
        *,
        matching: Matching | None = None,
        reading: Mapping[str, Any] | None = None,
        fills: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(collection, by)
        self.study = study
        self.kind = study.format
        self.matching = matching or Matching()
        self.reading = reading or {}
        self.fills = fills or {}
        self.ratings: list[BatchRatings] = []
        self.late_ratings: list[BatchRatings] = []
        # {stored pair with further ratings: all of its answers, and how many it is to have}
        self.further_answers: dict[Key, tuple[list[Answer], int]] = {}
        self.members: dict[str, Membership] = {}

    @property
    def fingerprint(self) -> str:
        settings = [
            self.study.fingerprint,
            {facet: dict(grades) for facet, grades in self.matching.grades.items()},
            dict(self.matching.people),
            dict(self.reading),
            dict(self.fills),
        ]
        return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()

    # Comparing

    def compare(self) -> None:
        resolver = Resolver(self.study, self.collection, self.matching, self.problems)
        self.resolved = resolver.resolve()
        self.terms, self.facets = resolver.terms, resolver.facets
        refuse_members(self.study, self.resolved, self.problems)
        self.comparison = Comparison(
            self.study,
            self.resolved,
            self.collection,
            self.problems,
            by=self.by,
        )
        self.changes = self.comparison.compare()
        self.pairs = self.changes.pairs
        batch = ""
        if published := self.study.published:
            batch = published.batch
            self._leave_out_agreed_verdicts()
        self.changes.fills = {
            name: value
            for name, value in self.fills.items()
            if value and not getattr(self.collection, name)
        }
        self.ratings = as_batches(self.resolved, self.changes.answered, batch)
        self.late_ratings = as_batches(self.resolved, self.changes.late)
        for seat in self.changes.further:
            for key, answer in seat.answers.items():
                stored = list(self.comparison.answers.stored.answers[key].values())
                answers, _ = self.further_answers.setdefault(key, (stored, seat.overlap))
                answers.append(answer)
        self.beside = Beside(self.study, self.collection, self.by)
        self.beside.compare(self.problems)
        self.scores = NewScores(self.study.machine, self.collection)
        self.scores.compare(self.problems)

    def _leave_out_agreed_verdicts(self) -> None:
        """A published grade on which the raters agree is theirs, and no decision."""
        for key in self.changes.answered:
            if verdict := self.resolved.verdicts.get(key):
                pair = self._rated(key)
                if pair.gold_origin and verdict.option and pair.gold_value == verdict.option.value:
                    del self.resolved.verdicts[key]

    @property
    def is_empty(self) -> bool:
        return self.changes.is_empty and self.beside.is_empty and not self.scores.count

    # Writing

    def write(self, writer: Writer, writing: Writing) -> None:
        documents = rows.write(self.changes, self.study, writer, writing)
        batches = pairs_in.write_pairs(
            self.pairs, self.ratings, writer, documents, decide=self.decide, progress=writing
        )
        self._write_side_texts(writer)
        self.writer = writer
        self.members = self._write_members(writer)
        if self.ratings:
            self._write_ratings(
                batches, self.ratings, pairs_in.pair_ids_of(writer.imported), writing
            )
        if self.scores.count:
            self.scores.write(writer, writing)

    def _write_ratings(
        self,
        batches: list[Batch],
        ratings: list[BatchRatings],
        pair_ids: Mapping[Key, int],
        progress: Writing | None = None,
    ) -> None:
        """Ratings of pairs that are in their batches, and the decisions on these pairs."""
        pairs_in.write_ratings(
            batches,
            ratings,
            self.members,
            self.writer,
            version=self.collection.scheme.current,
            pair_ids=pair_ids,
            progress=progress,
        )
        verdicts = self.resolved.verdicts
        keys = [
            key for batch_ratings in ratings for key in batch_ratings.answers if key in verdicts
        ]
        self.writer.insert(Decision, (self._decision(verdicts[key], pair_ids[key]) for key in keys))

    def decide(self, pair: Pair, topic_id: str, document_id: str) -> None:
        """Set what an adjudicator decided on a pair."""
        if verdict := self.resolved.verdicts.get((topic_id, document_id)):
            set_decision(pair, verdict.option)

    def _write_side_texts(self, writer: Writer) -> None:
        """Before anybody holds a seat: from then on they are fixed."""
        if not self.resolved.side_texts:
            return
        pair_ids = pairs_in.pair_ids_of(writer.imported)
        writer.insert(
            SideText,
            (
                SideText(pair_id=pair_ids[key], title=side.title, text=side.text)
                for key, side in self.resolved.side_texts.items()
                if key in pair_ids
            ),
        )

    def _write_members(self, writer: Writer) -> dict[str, Membership]:
        """{name in the file: member} of all who rated or decided on what is new."""
        all_ratings = [*self.ratings, *self.late_ratings]
        raters = {rater for ratings in all_ratings for rater in ratings.annotators}
        raters |= {seat.rater for seat in self.changes.further}
        deciders = {self.resolved.verdicts[key].adjudicator for key in self._decided()}
        people = self.resolved.raters | self.resolved.adjudicators
        members = {}
        unknown: dict[str, list[str]] = {}
        for name in sorted(raters | deciders):
            if member := people[name].member:
                members[name] = member
                continue
            unknown[name] = [
                role
                for role, group in [(Role.ANNOTATOR, raters), (Role.ADJUDICATOR, deciders)]
                if name in group
            ]
        names = {name: people[name].name for name in unknown}
        return members | pairs_in.write_people(unknown, writer, names=names)

    def _decision(self, verdict: Verdict, pair_id: int) -> Decision:
        causes = self.terms.version.words.cause_names
        return Decision(
            pair_id=pair_id,
            adjudicator=self.members[verdict.adjudicator],
            option=verdict.option,
            exclusion_reason=verdict.exclusion,
            cause=verdict.cause if verdict.cause in causes else "",
            rationale=_rationale(verdict.cause, verdict.rationale, causes),
        )

    def _decided(self) -> list[Key]:
        """Pairs on which this brings a decision."""
        rated = {*self.changes.answered, *self.changes.late}
        return [key for key in self.resolved.verdicts if key in rated] + self.changes.decided

    @property
    def row_count(self) -> int:
        changes = self.changes
        counted = len(changes.documents) + len(changes.queries) + len(changes.topics)
        counted += len(changes.candidates) + self.pairs.count
        return counted + self._ratings_count() + self.scores.count

    def _ratings_count(self) -> int:
        count = sum(ratings.count for ratings in [*self.ratings, *self.late_ratings])
        return count + sum(len(seat.answers) for seat in self.changes.further)

    # The last transaction

    @property
    def growing_topics(self) -> Container[str]:
        return self.pairs.new.keys()

    @property
    def stakes(self) -> list[int]:
        """Topics of stored queries that get another place, or candidate, by this."""
        changes = self.changes
        moved = {topic for topic, _ in changes.places}
        for query in [*changes.queries, *changes.rearranged, *changes.extended]:
            moved.update(query.aspects)
        grown = {query for query, _, _ in changes.candidates}
        topics = Topic.objects.filter(collection=self.collection)
        placed = topics.filter(places__query__external_id__in=grown)
        moved.update(placed.values_list("external_id", flat=True))
        return list(topics.filter(external_id__in=moved).values_list("pk", flat=True))

    @property
    def changed_candidates(self) -> list[int]:
        return [candidate.pk for candidate in self.changes.resourced]

    def apply(self) -> None:
        changes = self.changes
        self.comparison.refuse_changes_of_what_is_fixed()
        self.problems.raise_any()
        rows.apply_changes(changes, self.study, self.collection)
        if changes.fills:
            change_details(collection=self.collection, by=self.by, **changes.fills)
        if self.late_ratings:
            self._apply_late_ratings()
        if changes.further:
            further.write_further(
                changes.further,
                changes.rated_batches,
                self.members,
                self.writer,
                self.collection.scheme.current,
            )
        if changes.decided:
            late.decide_stored(
                changes.decided,
                self.resolved,
                self.comparison.answers.stored.pairs,
                self._decision,
                self.writer,
            )

    @property
    def answers_last(self) -> bool:
        return bool(self.late_ratings)

    def _apply_late_ratings(self) -> None:
        """Rate pairs that were stored without ratings, and with them the rest of their topics."""
        pair_ids = pairs_in.pair_ids_of(self.writer.imported)
        stored, settled = self.comparison.answers.stored.pairs, {}
        for key in self.changes.late:
            if key not in pair_ids:
                pair_ids[key] = stored.key_of(key)
            settled[key] = self.settled(key)
        batches = pairs_in.write_batches(self.late_ratings, self.writer)
        late.join_batches(batches, self.late_ratings, pair_ids, settled)
        self._write_ratings(batches, self.late_ratings, pair_ids)

    def settled(self, key: Key) -> Pair:
        """An unsaved pair as its ratings and a decision leave it."""
        if (
            key in self.further_answers
            and key in (stored := self.comparison.answers.stored).decided
        ):
            gold = stored.gold[key]
            state = Pair.State.EXCLUDED if gold is None else Pair.State.ADJUDICATED
            return Pair(state=state, gold_value=gold)
        pair = self._rated(key)
        self.decide(pair, *key)
        return pair

    def _rated(self, key: Key) -> Pair:
        pair = Pair()
        facet = self.facets[key[0]]
        if key in self.further_answers:
            answers, overlap = self.further_answers[key]
        else:
            answers = list(self.resolved.answers[key].values())
            overlap = self.resolved.overlaps.get(key, 0)
        pairs_in.settle_answers(
            pair, answers, scheme=self.terms.scheme, facet=facet, overlap=overlap
        )
        return pair

    def follow_up(self) -> None:
        self.beside.store()

    @property
    def remarks(self) -> list[str]:
        return [*remarks_on(self.summary()), *self.study.left_out_in_words]

    def summary(self) -> dict[str, Any]:
        changes = self.changes
        without_text = self.resolved.without_text
        published = self.study.published
        return {
            "papers": len(changes.documents),
            "queries": len(changes.queries),
            "candidates": len(changes.candidates),
            "topics": len(changes.topics),
            "pairs": self.pairs.count,
            "ratings": self._ratings_count(),
            "decisions": len(self._decided()),
            "machine_scores": self.scores.count,
            "machine_run": self.scores.name,
            "runs": len(self.beside.runs),
            "judgment_sets": len(self.beside.judgment_sets),
            "changed": changes.changed_count,
            "unpooled": self.study.unpooled_documents,
            "with_ratings": bool(self.study.ratings),
            "without_text": without_text[:LISTED],
            "without_text_count": len(without_text),
            "filled": sorted(changes.fills),
            "notes": [*further.in_words(changes.further), *self.study.notes, *self.beside.notes][
                :LISTED
            ],
            **(published.counts if published else {}),
        }


def _rationale(cause: str, rationale: str, causes: Mapping[str, str]) -> str:
    """A cause that the scheme does not know stays readable, in front of the rationale."""
    return "\n\n".join(part for part in [cause if cause not in causes else "", rationale] if part)
