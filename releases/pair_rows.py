"""The judged pairs of an export: gold, with the ratings and decisions it comes from."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from adjudication.models import Decision
from annotation import models
from annotation.models import Batch, Option, Pair, ProgramSave, Rating
from datasets.models import Collection, Document
from formats.grouping import grouped
from releases.records import Answer, Choice, JudgedPair, Person, SideText, Verdict

People = Mapping[int, Person]


class SentRating(NamedTuple):
    """A rating that a program ever sent, by database ids."""

    rating: int
    pair: int
    topic: int
    annotator: int


def sent_by_program(pairs: QuerySet[Pair]) -> list[SentRating]:
    saves = ProgramSave.objects.using(pairs.db).filter(revision__rating__pair__in=pairs.order_by())
    names = ["pk", "pair", "pair__topic", "annotator"]
    rows = saves.values_list(*(f"revision__rating__{name}" for name in names)).distinct()
    return [SentRating(*row) for row in rows]


def without_programs(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """The pairs that no program ever rated."""
    saves = ProgramSave.objects.using(pairs.db)
    return pairs.exclude(pk__in=saves.values("revision__rating__pair"))


def gold_pairs(
    collection: Collection,
    pairs: QuerySet[Pair],
    persons: People,
    with_answers: bool,
    by_program: Sequence[SentRating],
) -> Iterator[tuple[int, JudgedPair]]:
    """(topic, JudgedPair) in order. Names are joined here: a collection may have 165,144 pairs,
    and one string for each document takes far less room than one for each pair."""
    answers = _answers(pairs, persons, by_program) if with_answers else {}
    verdicts = _verdicts(pairs, persons) if with_answers else {}
    side_texts = _side_texts(pairs) if with_answers else {}
    documents = document_ids(pairs)
    of_collection = Batch.objects.using(pairs.db).filter(collection=collection)
    batches = {
        pk: (name, overlap)
        for pk, name, overlap in of_collection.values_list("pk", "name", "overlap")
    }
    unfinished = set(of_collection.unfinished().values_list("pk", flat=True))
    options = dict(Option.objects.using(pairs.db).values_list("pk", "key"))
    rows = pairs.order_by("position", "id").values_list(
        "pk", "topic", "document", "batch", "state", "gold_origin", "gold_value", "gold_option"
    )
    for pk, topic, document, batch, state, origin, value, option in rows.iterator():
        name, overlap = batches.get(batch, ("", 0))
        yield (
            topic,
            JudgedPair(
                document=documents[document],
                batch=name,
                state=state,
                origin=origin,
                value=value,
                option=options.get(option, ""),
                overlap=overlap,
                is_handed_in=batch not in unfinished,
                answers=answers.get(pk, ()),
                verdicts=verdicts.get(pk, ()),
                side_text=side_texts.get(pk),
            ),
        )


def document_ids(pairs: QuerySet[Pair]) -> dict[int, str]:
    """{database id: the collection's own id} of every document that is judged."""
    judged = Document.objects.using(pairs.db).filter(pk__in=pairs.order_by().values("document"))
    return dict(judged.values_list("pk", "external_id"))


def _answers(
    pairs: QuerySet[Pair], persons: People, by_program: Sequence[SentRating]
) -> dict[int, list[Answer]]:
    """{pair: its Answers by seat}, from plain rows: there may be half a million."""
    answers: defaultdict[int, list[Answer]] = defaultdict(list)
    choices, sent = _choices(pairs), {row.rating for row in by_program}
    ratings = Rating.objects.using(pairs.db).filter(pair__in=pairs).order_by("seat__ordinal")
    rows = ratings.values_list(
        "pk",
        "pair",
        "seat__ordinal",
        "annotator",
        "option",
        "cannot_judge",
        "note",
        "is_flagged",
        "scheme_version__number",
    )
    for pk, pair, seat, annotator, option, cannot_judge, note, flag, version in rows.iterator():
        answers[pair].append(
            Answer(
                seat=seat,
                annotator=persons[annotator],
                choice=choices.get(option),
                cannot_judge=cannot_judge,
                note=note,
                is_flagged=flag,
                scheme_version=version,
                is_by_program=pk in sent,
            )
        )
    return answers


def _verdicts(pairs: QuerySet[Pair], persons: People) -> dict[int, list[Verdict]]:
    """{pair: its Verdicts in the order made}."""
    choices = _choices(pairs)
    decisions = Decision.objects.using(pairs.db).filter(pair__in=pairs).order_by("id")
    rows = decisions.values_list(
        "pair",
        "adjudicator",
        "option",
        "exclusion_reason",
        "cause",
        "rationale",
        "superseded_at",
    )
    return grouped(
        (
            pair,
            Verdict(
                adjudicator=persons[adjudicator],
                choice=choices.get(option),
                exclusion_reason=reason,
                cause=cause,
                rationale=rationale,
                is_standing=superseded_at is None,
            ),
        )
        for pair, adjudicator, option, reason, cause, rationale, superseded_at in rows.iterator()
    )


def _side_texts(pairs: QuerySet[Pair]) -> dict[int, SideText]:
    rows = models.SideText.objects.using(pairs.db).filter(pair__in=pairs)
    return {
        pair: SideText(title, text)
        for pair, title, text in rows.values_list("pair", "title", "text").iterator()
    }


def _choices(pairs: QuerySet[Pair]) -> dict[int, Choice]:
    options = Option.objects.using(pairs.db).values_list("pk", "key", "value")
    return {pk: Choice(key, value) for pk, key, value in options}
