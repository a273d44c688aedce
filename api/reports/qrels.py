"""The rows of qrels under any source of values, for one viewer."""

import math
from collections.abc import Callable
from decimal import Decimal

from django.db.models import QuerySet

from annotation.models import Pair
from api.resources.judged import visible_pairs
from api.resources.runs import MACHINE_SCORES
from api.viewer import Viewer
from audit.refusals import Invalid, Refused
from datasets.models import JudgmentSet, Level, Topic
from datasets.runs.reading import literals_of
from evaluation.protocols import Missing
from evaluation.sources.elsewhere import judgments_of
from evaluation.sources.pairs import grades_of_pairs
from evaluation.sources.reading import Judging
from evaluation.sources.source import Kind as SourceKind
from evaluation.sources.source import Source
from formats.literals import number_of
from releases.checks import checks
from releases.formats import UnfitError, whole

# What a pair is about, as files of qrels name it.
NAMED = ("topic__external_id", "document__external_id")


def qrels_of(
    viewer: Viewer, source: Source, missing: Missing, facet: str, is_incomplete_welcome: bool
) -> list[tuple[str, str, Decimal]]:
    """(topic, document, grade) of every pair that the source has a value for.

    Gold that is not complete is refused, as an export of it would be.
    """
    if source.kind is SourceKind.JUDGMENTS:
        return _judged_elsewhere(viewer, source, facet)
    if source.kind not in (SourceKind.GOLD, SourceKind.MACHINE):
        return _of_seats(viewer, source, missing, facet, is_incomplete_welcome)
    if source.kind is SourceKind.GOLD and not is_incomplete_welcome:
        lacks_grades = Judging.of_pairs(viewer.collection, viewer.user).unmapped(source)
        if lacks_grades or checks(viewer.collection, viewer.user).lacks_gold:
            raise Refused(
                "The gold is not complete. Finish it, or ask with all=1 for the pairs that have "
                "a value."
            )
    pairs = visible_pairs(viewer)
    pairs = pairs.filter(topic__facet=facet) if facet else pairs
    if source.mapping is not None:
        return _mapped(viewer, pairs, source)
    if source.kind is SourceKind.GOLD:
        pairs = pairs.filter(gold_value__isnull=False)
        return list(pairs.values_list(*NAMED, "gold_value"))
    scores = MACHINE_SCORES.rows(viewer)
    assert isinstance(scores, QuerySet)  # noqa: S101 - as it is declared
    scores = scores.filter(run__public_id=source.key, value__isnull=False, pair__in=pairs)
    return list(scores.values_list(*(f"pair__{path}" for path in NAMED), "value"))


def _mapped(viewer: Viewer, pairs: QuerySet, source: Source) -> list[tuple[str, str, Decimal]]:
    """The grades by gold or a machine run. Pairs that gold leaves out have none, as in exports."""
    grades = grades_of_pairs(viewer.collection, source, viewer.user)
    rows = pairs.exclude(gold_origin=Pair.Origin.EXCLUDED).values_list("pk", *NAMED)
    return [
        (topic, document, Decimal(repr(grades[pk]))) for pk, topic, document in rows if pk in grades
    ]


def _judged_elsewhere(viewer: Viewer, source: Source, facet: str) -> list[tuple[str, str, Decimal]]:
    judgment_set = JudgmentSet.objects.get(collection=viewer.collection, key=source.key)
    of_facet = _of_facet(judgment_set, facet)
    if source.mapping is not None:
        elsewhere = judgments_of(viewer.collection, source.key, source.mapping).grades
        return [
            (topic, document, Decimal(repr(grade)))
            for topic, grades in elsewhere.items()
            for document, grade in grades.items()
            if of_facet(topic) and not math.isnan(grade)
        ]
    rows = []
    for topic, literals in literals_of(judgment_set).items():
        for document, literal in literals.items() if of_facet(topic) else ():
            grade = number_of(literal)
            if grade is None:
                raise Invalid(
                    "These judgments have a grade that is not a number. Their literals are at "
                    f"judgments/{judgment_set.public_id}/grades."
                )
            rows.append((topic, document, grade))
    return rows


def _of_facet(judgment_set: JudgmentSet, facet: str) -> Callable[[str], bool]:
    """Whether a topic is under a facet, "" for all. Invalid for judgments of whole queries, which
    are under none."""
    if not facet:
        return lambda topic: True
    level = Level(judgment_set.level)
    if level is not Level.TOPICS:
        raise Invalid(
            f"The judgments {judgment_set.name} are of {level.label}, which are under no facet. "
            "Ask without one."
        )
    topics = Topic.objects.filter(collection=judgment_set.collection_id, facet=facet)
    return set(topics.values_list("external_id", flat=True)).__contains__


def _of_seats(
    viewer: Viewer, source: Source, missing: Missing, facet: str, is_incomplete_welcome: bool
) -> list[tuple[str, str, Decimal]]:
    judging = Judging.of(viewer.collection, viewer.user)
    counts, topics = judging.counts(source), judging.ratings.topics
    if not is_incomplete_welcome and (judging.left_out or not all(counts)):
        raise Refused(
            f"Not every seat is handed in, so {source.in_words} is not complete. Wait, or ask with "
            "all=1 for the topics whose every seat is."
        )
    grades = judging.grades(source, missing).tolist()
    return [
        (topics[topic].key, document, Decimal(repr(grade)))
        for topic, document, grade in zip(
            judging.ratings.topic.tolist(), judging.documents, grades, strict=True
        )
        if counts[topic] and not math.isnan(grade) and facet in ("", topics[topic].facet)
    ]


def whole_grade(grade: Decimal, topic: str, document: str) -> int:
    try:
        return whole(grade, topic, document)
    except UnfitError as error:
        raise Invalid(str(error)) from None
