"""Judgments that were made elsewhere, as grades of topics or of whole queries."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

import numpy as np

from audit.refusals import Invalid
from datasets.models import JudgmentSet, Level, Topic
from datasets.runs.reading import literals_of
from evaluation.sources import mapping as mappings
from evaluation.sources.grading import Grading
from formats.literals import number_of

# {topic or query: {document: grade}}
Grades = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Elsewhere:
    """A set of judgments as grades at a level. `are_sums`: of complex queries they are S, not
    S / |Q|; None where only the grades themselves may tell."""

    level: Level
    grades: Grades
    are_sums: bool | None = None

    def without(self, pairs: Set[tuple[str, str]]) -> "Elsewhere":
        """Without these (topic, document)."""
        grades = {
            subject: {
                document: grade
                for document, grade in of_documents.items()
                if (subject, document) not in pairs
            }
            for subject, of_documents in self.grades.items()
        }
        return replace(self, grades=grades)

    def averages(
        self, sizes: Mapping[str, int], scale: tuple[float, ...]
    ) -> dict[str, dict[str, float]]:
        """The grades of the topics or queries in `sizes`, which has their numbers of aspects. Sums
        over aspects become averages."""
        grades = {name: dict(self.grades[name]) for name in self.grades if name in sizes}
        is_sum = are_sums(grades, sizes, scale) if self.are_sums is None else self.are_sums
        if not is_sum:
            return grades
        return {
            name: {document: total / sizes[name] for document, total in of_documents.items()}
            for name, of_documents in grades.items()
        }


def judgments_of(collection, key: str, mapping: mappings.Mapping | None = None) -> Elsewhere:
    """Invalid with a sentence where a grade is no number. By a mapping a grade counts as what
    the options of its value do; sets of whole queries have none."""
    judgment_set = JudgmentSet.objects.using(collection._state.db).get(
        collection=collection, key=key
    )
    grades: dict[str, dict[str, float]] = {}
    for subject, literals in literals_of(judgment_set).items():
        try:
            grades[subject] = {document: _number(text) for document, text in literals.items()}
        except ValueError as error:
            [literal] = error.args
            raise Invalid(
                f"The judgments {judgment_set.name} have the grade {literal!r} for {subject}, "
                "which is no number, so no ranking can be measured by them."
            ) from None
    elsewhere = Elsewhere(Level(judgment_set.level), grades)
    return (
        elsewhere
        if mapping is None
        else _mapped_elsewhere(collection, judgment_set.name, elsewhere, mapping)
    )


def _number(literal: str) -> float:
    """A grade as a number; ValueError with what is none."""
    number = number_of(literal)
    if number is None:
        raise ValueError(literal)
    return float(number)


def _mapped_elsewhere(
    collection, name: str, elsewhere: Elsewhere, mapping: mappings.Mapping
) -> Elsewhere:
    if elsewhere.level != Level.TOPICS:
        raise Invalid(
            f"The judgments {name} are of {elsewhere.level.label}, and a mapping is of the options "
            "of single topics. Choose no mapping."
        )
    grading, scheme = Grading.of(collection.scheme, mapping), collection.scheme
    topics = Topic.objects.using(collection._state.db).filter(collection=collection)
    facets = dict(topics.values_list("external_id", "facet"))
    grades = {}
    for subject, of_documents in elsewhere.grades.items():
        if subject in facets:
            values = np.array(list(of_documents.values()), dtype=float)
            mapped = grading.values(values, scheme.scale_of(facets[subject]).facet)
            grades[subject] = dict(zip(of_documents, mapped.tolist(), strict=True))
    return Elsewhere(elsewhere.level, grades)


def are_sums(grades: Grades, sizes: Mapping[str, int], scale: tuple[float, ...]) -> bool:
    """Whether grades of complex queries are S, not S / |Q|: whole numbers, some of them above all
    that one aspect can have."""
    if not any(size > 1 for size in sizes.values()):
        return False
    values = np.array([grade for of_topic in grades.values() for grade in of_topic.values()])
    highest = max(scale, default=0)
    return bool(len(values) and (values == np.round(values)).all() and values.max() > highest)
