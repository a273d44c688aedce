"""The ratings and decisions of a study, against those that are stored. Nothing here writes."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from annotation.models import Option
from datasets.models import Collection
from formats.problems import Problems
from formats.records import MAX_OVERLAP, Place
from formats.words import counted
from imports import stored as stored_pairs
from imports.answers import NOWHERE, Answer
from imports.run import grade_in_words
from imports.study.entries import Key, Resolved, Verdict, in_words, is_gap
from imports.study.further import MAX_FURTHER_ANSWERS, RatedBatches
from imports.study.late import MAX_LATE_ANSWERS, StoredAnswers
from imports.study.plan import Plan

INTO_ANOTHER = "or import into a new collection."
LEAVE_OUT = f"Leave it out, {INTO_ANOTHER}"


class AnswerComparison:
    """Adds to the plan what comes in, and to `problems` what is refused."""

    def __init__(
        self,
        resolved: Resolved,
        collection: Collection,
        problems: Problems,
        plan: Plan,
        *,
        by: Any,
        is_published: bool,
    ) -> None:
        self.resolved, self.collection, self.problems = resolved, collection, problems
        self.plan, self.by, self.is_published = plan, by, is_published
        # Of stored pairs: answers of raters who have none there, {(pair, rater): answer}, and
        # decisions.
        self.further: dict[tuple[Key, str], Answer] = {}
        self.verdicts: dict[Key, Verdict] = {}

    def compare(self) -> None:
        """Say in the plan which answers come in; compare those of pairs that have some."""
        new = self.plan.pairs.keys
        answers, verdicts = self.resolved.answers, self.resolved.verdicts
        answered = [key for key in answers if key in new]
        stored_keys = [key for key in {**answers, **verdicts} if key not in new]
        if not stored_keys:
            self.plan.answered = answered
            return
        self.stored = StoredAnswers(self.collection, {topic for topic, _ in stored_keys})
        hidden = stored_pairs.pairs_being_rated_by(self.by, self.collection)
        late = [key for key in stored_keys if self._is_late(key, hidden)]
        completed = self._take_further_ratings()
        for key, verdict in self.verdicts.items():
            self._compare_verdict(key, verdict, is_completed=key in completed)
        # A topic's ratings make one batch, which its pairs join at one time.
        topics = {topic for topic, _ in late}
        self.plan.answered = [key for key in answered if key[0] not in topics]
        self.plan.late = [key for key in answered if key[0] in topics] + late
        self._bound_late_answers()

    def _is_late(self, key: Key, hidden: set[Key]) -> bool:
        """Whether a stored pair takes the ratings of these files; else compare or refuse them."""
        in_file = self.resolved.answers.get(key, {})
        verdict = self.resolved.verdicts.get(key)
        place = (
            next(iter(in_file.values())).place if in_file else verdict.place if verdict else NOWHERE
        )
        name = f"{key[0]} with {key[1]}"
        if key in hidden:
            self.problems.at(
                place,
                f"you hold or held a seat with {name}, and not every seat is handed in.",
                "Ratings of this pair cannot be compared for you before that.",
            )
            return False
        if in_file and not self.stored.answers.get(key):
            reason = (
                "is in the collection already, without these ratings"
                if self.is_published
                else self.stored.pairs.why_not_rated(key)
            )
            if reason:
                self.problems.at(
                    place,
                    f"the pair {name} {reason}.",
                    f"Leave these ratings out, {INTO_ANOTHER}",
                    about=key[0],
                )
            return not reason
        before = self.problems.total
        self._compare_ratings(key, in_file)
        if self.is_published:
            if self.problems.total > before:
                return False  # what else differs follows from it
            self._refuse_lacking_ratings(key, in_file, place)
        if verdict:
            self.verdicts[key] = verdict
        return False

    def _bound_late_answers(self) -> None:
        plan = self.plan
        late = [answer for key in plan.late for answer in self.resolved.answers[key].values()]
        further = [answer for seat in plan.further for answer in seat.answers.values()]
        for answers, most, which in [
            (late, MAX_LATE_ANSWERS, "of topics whose pairs are in the collection already"),
            (further, MAX_FURTHER_ANSWERS, "further ones of pairs that have some"),
        ]:
            if len(answers) > most:
                self.problems.at(
                    answers[0].place,
                    f"{len(answers):,} ratings are {which}.",
                    f"Bring at most {most:,} of them at a time: split the file by topics.",
                )

    def _compare_ratings(self, key: Key, in_file: dict[str, Answer]) -> None:
        in_store = self.stored.answers.get(key, {})
        for rater, answer in in_file.items():
            if is_gap(answer) and not self.is_published:
                continue  # an empty field contradicts nothing
            member = self.resolved.raters[rater].member
            stored = in_store.get(member.pk) if member else None
            if stored is None and self.is_published:
                self._refuse_rating(key, rater, answer, "no rating of theirs is stored")
            elif stored is None:
                self.further[key, rater] = answer
            elif self._differs(stored, answer):
                self._refuse_rating(
                    *(key, rater, answer, f"{_in_words(stored)} is stored"),
                    remedy="Stored ratings are never replaced.",
                )

    def _refuse_rating(
        self, key: Key, rater: str, answer: Answer, reason: str, *, remedy: str = LEAVE_OUT
    ) -> None:
        name = f"{key[0]} with {key[1]}"
        self.problems.at(
            answer.place,
            f"the rater {rater} gives {name} {_in_words(answer)}, but {reason}.",
            remedy,
            about=key[0],
        )

    def _take_further_ratings(self) -> set[Key]:
        """Plan the seats of raters who have no ratings of stored pairs yet, or refuse their
        ratings. Returns the pairs that all seats of their batch have answered by that."""
        if not self.further:
            return set()
        by_batch: dict[int, dict[str, dict[Key, Answer]]] = defaultdict(lambda: defaultdict(dict))
        for (key, rater), answer in self.further.items():
            by_batch[self.stored.pairs.batch_of(key)][rater][key] = answer
        batches = RatedBatches(self.collection, by_batch)
        completed: set[Key] = set()
        for batch in batches.by_id.values():
            answers = by_batch[batch.pk]
            for rater, given in list(answers.items()):
                for key, answer in list(given.items()):
                    if reason := batches.why_not(batch, self.resolved.raters[rater], key):
                        self._refuse_rating(key, rater, answer, reason)
                        del given[key]
                if not given:
                    del answers[rater]
            if not answers:
                continue
            overlap = max(
                self.resolved.overlaps.get(key, 0) for given in answers.values() for key in given
            )
            seats = batch.seats_for(answers, self.resolved.raters, overlap)
            if seats[0].overlap > MAX_OVERLAP:
                rater, given = list(answers.items())[-1]
                key, answer = next(iter(given.items()))
                self._refuse_rating(key, rater, answer, f"a pair has at most {MAX_OVERLAP} ratings")
                continue
            self.plan.further += seats
            self.plan.rated_batches[batch.pk] = batch
            if batch.is_finished_by(seats):
                completed.update(batch.pairs)
        return completed

    def _differs(self, stored: Answer, answer: Answer) -> bool:
        """A published dataset has values alone, without labels, reasons and notes."""
        if self.is_published:
            return _value_of(stored.option) != _value_of(answer.option)
        return stored[:3] != answer[:3]

    def _refuse_lacking_ratings(self, key: Key, in_file: dict[str, Answer], place: Place) -> None:
        """A published dataset has every rating of a pair of which it has any."""
        members = [self.resolved.raters[rater].member for rater in in_file]
        others = self.stored.answers[key].keys() - {member.pk for member in members if member}
        if others:
            self.problems.at(
                place,
                f"{counted(len(others), 'stored rating')} of {key[0]} with {key[1]} "
                f"{'is' if len(others) == 1 else 'are'} not in the file.",
                "Stored ratings are never taken away.",
                about=key[0],
            )

    def _compare_verdict(self, key: Key, verdict: Verdict, *, is_completed: bool) -> None:
        """`is_completed` says that the pair gets its last ratings by these files."""
        value = _value_of(verdict.option)
        stored, is_decided = self.stored.gold.get(key), key in self.stored.decided
        if value == stored and (is_decided or (value is not None and not is_completed)):
            return
        name = f"the decision on {key[0]} with {key[1]}"
        if is_decided or self.is_published:
            self.problems.at(
                verdict.place,
                f"{name} is {grade_in_words(value)}, but {grade_in_words(stored)} is stored.",
                "Stored decisions are never replaced.",
                about=key[0],
            )
            return
        reason = self.stored.pairs.why_not_decided(key, is_completed=is_completed)
        person = self.resolved.adjudicators[verdict.adjudicator]
        if person.member and person.member.pk in self.stored.answers.get(key, {}):
            reason = f"rests on a rating of {person.name}, who would decide on it"
        if reason:
            self.problems.at(
                verdict.place,
                f"{name}: the pair {reason}.",
                "Add the ratings that it decides between, or leave the decision out.",
                about=key[0],
            )
            return
        self.plan.decided.append(key)


def _value_of(option: Option | None) -> Decimal | None:
    return option.value if option else None


def _in_words(answer: Answer) -> str:
    words = in_words(answer)
    return f'{words} with the note "{answer.note}"' if answer.note else words
