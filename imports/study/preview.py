"""A dry run: what an import would do, in the words and figures of its page. As data (JSON)."""

from collections import Counter, defaultdict
from itertools import islice
from typing import Any

from annotation.models import Pair
from datasets.models import Document
from datasets.models.documents import beginning
from formats.decimals import printed_grade
from imports.answers import Answer
from imports.study.doubts import doubt
from imports.study.entries import Key, Verdict, in_words, is_gap, is_unmatched
from imports.study.importing import StudyMoving
from imports.study.terms import CANNOT_JUDGE

SHOWN_ROWS = 20
SHOWN_RATERS = 6
SHOWN_LITERALS = 50
NOT_MATCHED = "not matched yet"


def preview_of(moving: StudyMoving) -> dict[str, Any]:
    """The preview of a compared study: counts, people, grades, the first rows."""
    ratings = _Ratings(moving)
    return {
        "counts": moving.summary() | ratings.counts(),
        "people": ratings.people(),
        "grades": ratings.histograms(),
        "matrix": ratings.matrix(),
        "rows": ratings.first_rows(),
        "left_out": [
            {"sentence": entry.sentence, "place": entry.places} for entry in moving.study.left_out
        ],
        "left_out_count": moving.study.left_out_count,
        "left_out_in_words": moving.study.left_out_in_words,
        "judgments": [
            {"name": judgments.name, "file": judgments.file, "count": len(judgments.judgments)}
            for judgments in moving.study.judgments
        ],
        "runs": [
            {"name": run.tag, "file": run.file, "count": len(run.lines), "topics": len(run.topics)}
            for run in moving.study.runs
        ],
    }


class _Ratings:
    """The ratings of a study, counted."""

    def __init__(self, moving: StudyMoving) -> None:
        self.moving, self.study = moving, moving.study
        self.raters = list(moving.resolved.raters)
        self.batches = [*moving.ratings, *moving.late_ratings]
        self.further = moving.changes.further
        rated = [key for batch in self.batches for key in batch.answers]
        # In order, each once.
        self.rated = dict.fromkeys([*rated, *moving.further_answers])

    def counts(self) -> dict[str, int]:
        states: Counter[str] = Counter()
        for key in self.rated:
            if not self._is_unmatched(key):
                states[self.moving.settled(key).state] += 1
        entries = [
            answer
            for batch in self.batches
            for answers in batch.answers.values()
            for answer in answers
        ]
        entries += [answer for seat in self.further for answer in seat.answers.values()]
        return {
            "topics_in_all": len(self.moving.resolved.pairs),
            "queries_in_all": len(self.moving.resolved.pools),
            "rated_pairs": len(self.rated),
            "given": sum(answer.option is not None for answer in entries),
            "not_rated": sum(map(is_gap, entries)),
            "unmatched": sum(map(is_unmatched, entries)),
            "cannot_judge": sum(
                answer.option is None and not is_gap(answer) and not is_unmatched(answer)
                for answer in entries
            ),
            "agreed": states[Pair.State.AGREED],
            "decided": states[Pair.State.ADJUDICATED] + states[Pair.State.EXCLUDED],
            "to_adjudicate": states[Pair.State.DISPUTED],
            "to_rate": states[Pair.State.PARTIAL],
            "short": self._short(),
            "batches": len(self.batches),
            "further": len(self.further),
        }

    def _is_unmatched(self, key: Key) -> bool:
        """Whether a grade of the pair is not matched yet, so that nobody knows what comes of it."""
        resolved = self.moving.resolved
        verdict = resolved.verdicts.get(key)
        entries: list[Answer | Verdict] = list(self._answers(key))
        entries += [verdict] if verdict else []
        return any(map(is_unmatched, entries))

    def _answers(self, key: Key) -> list[Answer]:
        """All answers of a rated pair, stored ones among them."""
        stored, _ = self.moving.further_answers.get(key, ([], 0))
        return stored or list(self.moving.resolved.answers[key].values())

    def _short(self) -> int:
        """How many rated pairs have fewer answers than the scheme asks for."""
        overlap = self.moving.collection.scheme.overlap
        answers = map(self._answers, self.rated)
        return sum(sum(not is_gap(answer) for answer in given) < overlap for given in answers)

    def people(self) -> list[dict[str, Any]]:
        answer_counts: Counter[str] = Counter()
        gaps: Counter[str] = Counter()
        batches: Counter[str] = Counter()
        seats: dict[str, set[int]] = defaultdict(set)
        for answers in self.moving.resolved.answers.values():
            for rater, answer in answers.items():
                (gaps if is_gap(answer) else answer_counts)[rater] += 1
        for batch in self.batches:
            for ordinal, rater in enumerate(batch.annotators, start=1):
                batches[rater] += 1
                seats[rater].add(ordinal)
        for seat in self.further:
            batches[seat.rater] += 1
            seats[seat.rater].add(seat.ordinal)
        return [
            {
                "name": person.name,
                "member": str(person.member.public_id) if person.member else "",
                "given": answer_counts[person.external_id],
                "not_rated": gaps[person.external_id],
                "batches": batches[person.external_id],
                "seats": sorted(seats[person.external_id]),
            }
            for person in self.moving.resolved.raters.values()
        ]

    def histograms(self) -> list[dict[str, Any]]:
        """The literals of the files on each scale, what each stands for, and who gave it."""
        terms, facets = self.moving.terms, self.moving.facets
        counts: dict[str, dict[str, Counter[str]]] = {}
        for rating in self.study.ratings:
            if rating.grade is None or rating.topic not in facets:
                continue
            scale = terms.scale(facets[rating.topic])
            literals = counts.setdefault(scale, {})
            literals.setdefault(rating.grade, Counter())[rating.rater] += 1
        return [self._histogram(scale, literals) for scale, literals in counts.items()]

    def _histogram(self, scale: str, literals: dict[str, Counter[str]]) -> dict[str, Any]:
        terms = self.moving.terms
        options = terms.options(scale)
        option_of = {literal: terms.option(scale, literal) for literal in literals}
        order = {option.key: position for position, option in enumerate(options)}
        ordered = sorted(
            literals,
            key=lambda literal: (
                order.get(getattr(option_of[literal], "key", ""), len(order)),
                literal,
            ),
        )
        raters = self.raters if len(self.raters) <= SHOWN_RATERS else []
        most = max((max(counts.values()) for counts in literals.values()), default=1)
        rows = [
            {
                "literal": literal,
                "option": self._meaning(scale, literal),
                "total": literals[literal].total(),
                "counts": [literals[literal][rater] for rater in raters],
                "shares": [round(100 * literals[literal][rater] / most, 1) for rater in raters],
            }
            for literal in ordered[:SHOWN_LITERALS]
        ]
        return {
            "scale": scale,
            "raters": raters,
            "rows": rows,
            "more": max(0, len(ordered) - SHOWN_LITERALS),
            "options": [
                {"key": option.key, "label": terms.label(scale, option)} for option in options
            ],
            "doubt": doubt(terms, scale, literals, option_of),
        }

    def _meaning(self, scale: str, literal: str) -> str:
        """The key of what a literal stands for, "" where that is open."""
        option = self.moving.terms.option(scale, literal)
        if option:
            return option.key
        return CANNOT_JUDGE if self.moving.terms.is_cannot_judge(scale, literal) else ""

    def matrix(self) -> dict[str, Any] | None:
        """One rater against the other, where exactly two rate on one scale."""
        terms = self.moving.terms
        if len(self.raters) != 2:
            return None
        first, second = self.raters
        cells: Counter[tuple[Any, Any]] = Counter()
        for answers in self.moving.resolved.answers.values():
            if first in answers and second in answers:
                a, b = answers[first].option, answers[second].option
                if a and b:
                    cells[a.value, b.value] += 1
        resolved, facets = self.moving.resolved, self.moving.facets
        scales = {terms.scale(facets[topic]) for topic, _ in resolved.answers}
        if len(scales) != 1 or not cells:
            return None
        values = sorted({option.value for option in terms.options(scales.pop())})
        most = max(cells.values())
        return {
            "raters": [first, second],
            "values": [printed_grade(value) for value in values],
            "rows": [
                [
                    {"count": cells[a, b], "step": _step(cells[a, b], most), "diagonal": a == b}
                    for b in values
                ]
                for a in values
            ],
            "pairs": cells.total(),
        }

    def first_rows(self) -> dict[str, Any]:
        """The first pairs as they will stand: what each rater said, and what comes of it."""
        shown: list[dict[str, Any]] = []
        total = sum(map(len, self.moving.resolved.pairs.values()))
        raters = self.raters if len(self.raters) <= SHOWN_RATERS else []
        keys = (
            (topic, document)
            for topic, documents in self.moving.resolved.pairs.items()
            for document in documents
        )
        shown_keys = list(islice(keys, SHOWN_ROWS))
        titles = self._titles({document for _, document in shown_keys})
        for key in shown_keys:
            answers = self.moving.resolved.answers.get(key, {})
            shown.append(
                {
                    "topic": key[0],
                    "document": key[1],
                    "title": titles.get(key[1], ""),
                    "answers": [self._answer_in_words(key, answers.get(rater)) for rater in raters],
                    **self._outcome(key),
                }
            )
        return {"raters": raters, "shown": shown, "total": total}

    def _titles(self, documents: set[str]) -> dict[str, str]:
        """What documents of the files or of the collection are called."""
        collection = self.moving.collection
        stored = Document.objects.filter(collection=collection, external_id__in=documents)
        titles = {document.external_id: document.heading for document in stored}
        for name in documents:
            if name in self.study.documents:
                record = self.study.documents[name]
                texts = [{"text": sentence.text} for sentence in record.sentences]
                titles[name] = record.title or beginning(texts)
        return titles

    def _answer_in_words(self, key: Key, answer: Answer | None) -> dict[str, Any]:
        if answer is None:
            return {"text": "", "name": "", "step": 0}
        if is_unmatched(answer):
            return {"text": NOT_MATCHED, "name": "", "step": 0}
        if answer.option is None:
            return {"text": "cannot judge", "name": answer.reason, "step": 0}
        facet = self.moving.facets[key[0]]
        values = sorted({option.value for option in self.moving.terms.options(facet)})
        return {
            "text": in_words(answer),
            "name": self.moving.terms.names(facet).get(answer.option.key, ""),
            "step": _step(values.index(answer.option.value), len(values) - 1),
        }

    def _outcome(self, key: Key) -> dict[str, str]:
        if key not in self.rated:
            state = "waits for a batch" if not self.moving.resolved.answers.get(key) else "stored"
            return {"state": state, "kind": ""}
        if self._is_unmatched(key):
            return {"state": NOT_MATCHED, "kind": "warn"}
        pair = self.moving.settled(key)
        value = "" if pair.gold_value is None else f" · {printed_grade(pair.gold_value)}"
        return {
            Pair.State.AGREED: {"state": f"agreed{value}", "kind": "ok"},
            Pair.State.ADJUDICATED: {"state": f"decided{value}", "kind": "ok"},
            Pair.State.EXCLUDED: {"state": "left out", "kind": ""},
            Pair.State.PARTIAL: {"state": "waits for more ratings", "kind": ""},
        }.get(Pair.State(pair.state), {"state": "to adjudicate", "kind": "warn"})


def _step(count: int, most: int) -> int:
    """One of the four steps of the ramp by which a figure is shaded."""
    return 0 if not count else min(3, 1 + int(2.999 * count / max(most, 1)))
