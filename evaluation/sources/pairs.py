"""The grade of every pair by a source of values, for lists and files of values."""

import numpy as np

from annotation.models import Pair
from audit.refusals import Invalid
from datasets.models import JudgmentSet, Level
from evaluation.protocols import Missing
from evaluation.sources.elsewhere import judgments_of
from evaluation.sources.reading import Judging
from evaluation.sources.source import OF_SEATS, Kind, Source


def grades_of_pairs(
    collection,
    source: Source,
    viewer,
    *,
    missing: Missing = Missing.UNJUDGED,
    may_keep: bool = True,
) -> dict[int, float]:
    """{pair: its grade} of the pairs that the viewer may see and the source grades.

    Pairs that gold leaves out with a reason have none, and seats have none before the whole batch
    is handed in. `missing` says how a pair counts to which a seat gave no value. Invalid with a
    sentence for judgments that are not of topics.
    """
    if source.kind is Kind.JUDGMENTS:
        return _judged(collection, source, viewer)
    judging = Judging.of_pairs(collection, viewer, may_keep=may_keep)
    ratings = judging.ratings
    grades = judging.grades(source, missing)
    is_known = ~np.isnan(grades) & ~ratings.is_withheld
    if source.kind in OF_SEATS:
        is_known &= ratings.is_finished
    return dict(zip(ratings.pair[is_known].tolist(), grades[is_known].tolist(), strict=True))


def _judged(collection, source: Source, viewer) -> dict[int, float]:
    using = collection._state.db
    elsewhere = judgments_of(collection, source.key, source.mapping)
    if elsewhere.level != Level.TOPICS:
        judged = JudgmentSet.objects.using(using).get(collection=collection, key=source.key)
        raise Invalid(
            f"The judgments {judged.name} are of {elsewhere.level.label}, not of single topics. "
            "Download them as qrels from their own page."
        )
    pairs = Pair.objects.using(using).filter(topic__collection=collection)
    if viewer is not None:
        pairs = pairs.visible_to_lead(viewer)
    rows = pairs.exclude(gold_origin=Pair.Origin.EXCLUDED).order_by()
    pair_names = rows.values_list("pk", "topic__external_id", "document__external_id")
    return {
        pk: grade
        for pk, topic, document in pair_names.iterator()
        if (grade := elsewhere.grades.get(topic, {}).get(document)) is not None and grade == grade
    }
