"""The controls of the pages of runs: values, protocol, and the topics that count."""

from collections.abc import Iterator

from agreement.pages.frame import Control
from evaluation.definitions.reading import mappings_of, protocols_of
from evaluation.measures import Measure
from evaluation.protocols import Summary
from evaluation.runs.available import levels_of
from evaluation.runs.evaluation import ALL, Evaluation
from evaluation.sources.choices import sources_of
from formats.decimals import printed_grade


def controls_of(evaluation: Evaluation) -> list[Control]:
    """What every page of runs lets a lead choose, as far as there is a choice."""
    sources = [(source.address, source.in_words) for source in sources_of(evaluation.collection)]
    by_key = protocols_of(evaluation.collection)
    # An earlier version that the address names is offered beside the latest.
    by_key |= {evaluation.protocol.key: evaluation.protocol}
    protocols = [
        (
            protocol.key,
            f"{protocol.name}{', two folds' if protocol.summary is Summary.FOLDS else ''}",
        )
        for protocol in by_key.values()
    ]
    return [
        Control("values", "Values of", sources, evaluation.source.address),
        *_mapping_control(evaluation),
        *_least_control(evaluation),
        Control("protocol", "Protocol", protocols, evaluation.protocol.key),
        *_narrowing_controls(evaluation),
    ]


def _narrowing_controls(evaluation: Evaluation) -> Iterator[Control]:
    """The level of the runs, and the topics that count."""
    levels = levels_of(evaluation.collection)
    if len(levels) > 1:
        options = [(level.value, level.label) for level in levels]
        yield Control("level", "Runs of", options, evaluation.level)
    if folds := evaluation.folds.get(evaluation.facet):
        options = [(ALL, "all topics"), *((fold, fold) for fold in folds)]
        yield Control("fold", "Fold", options, evaluation.fold)
    if evaluation.tags:
        options = [("", "any"), *((tag, tag.replace("=", ": ")) for tag in evaluation.tags)]
        yield Control("tag", "Queries", options, evaluation.tag)


def _mapping_control(evaluation: Evaluation) -> list[Control]:
    current = evaluation.source.mapping
    mappings = mappings_of(evaluation.collection, current)
    if not mappings:
        return []
    options = [
        ("", "values as they are"),
        *((mapping.address, mapping.in_words) for mapping in mappings),
    ]
    return [Control("mapping", "Mapping", options, current.address if current else "")]


def _least_control(evaluation: Evaluation) -> list[Control]:
    """From which grade on a document is relevant, where there is more than one to choose."""
    mapping, least = evaluation.source.mapping, evaluation.source.least
    grades = (
        {float(grade) for *_, grade in mapping.grades} if mapping else set(evaluation.scale.values)
    )
    above = {grade for grade in grades if grade > min(grades)}
    if least is not None:
        above.add(least)
    if not above or (len(above) == 1 and mapping is None):
        return []
    options = [
        ("", "as the protocol says"),
        *((f"{grade:g}", printed_grade(grade)) for grade in sorted(above)),
    ]
    return [Control("least", "Relevant from", options, "" if least is None else f"{least:g}")]


def measure_control(evaluation: Evaluation, measure: Measure) -> Control:
    names = [(parsed.name, parsed.name) for parsed in evaluation.protocol.parsed]
    return Control("measure", "Measure", names, measure.name)
