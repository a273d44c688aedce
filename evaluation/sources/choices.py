"""The sources of values that a lead may choose in a collection."""

import math
from dataclasses import replace

from django.db.models import Max

from annotation.models import Batch, MachineRun
from datasets.models import JudgmentSet, Membership
from datasets.pseudonyms import pseudonym
from evaluation.definitions.reading import mapping_named
from evaluation.sources.source import GOLD, Kind, Source, seat

MACHINE_PREFIX = "machine run "
COMBINED = {
    Kind.MAJORITY: "majority of seats",
    Kind.MEDIAN: "median of seats",
    Kind.HIGHEST: "highest rating",
    Kind.LOWEST: "lowest rating",
}


def sources_of(collection) -> list[Source]:
    """All there are, gold first. People by pseudonym: whoever ever held a seat, rated or not."""
    is_ordered = all(scale.is_ordinal for scale in collection.scheme.all_scales)
    using = collection._state.db
    batches = Batch.objects.using(using).filter(collection=collection)
    seats = batches.aggregate(most=Max("overlap"))["most"] or 0
    members = Membership.objects.using(using).filter(collection=collection)
    holders = members.filter(tenures__isnull=False).distinct()
    names = sorted(pseudonym(collection, member) for member in holders)
    return [
        GOLD,
        *(seat(ordinal) for ordinal in range(1, seats + 1)),
        *(
            Source(kind, name=words)
            for kind, words in COMBINED.items()
            # Mere labels have a majority, but no middle and no ends.
            if seats > 1 and (is_ordered or kind is Kind.MAJORITY)
        ),
        *(Source(Kind.MEMBER, name, f"annotator {name}") for name in names),
        *(
            Source(Kind.MACHINE, str(run.public_id), f"{MACHINE_PREFIX}{run}")
            for run in MachineRun.objects.using(using).filter(collection=collection)
        ),
        *(
            Source(Kind.JUDGMENTS, judged.key, f"judgments {judged.name}")
            for judged in JudgmentSet.objects.using(using).filter(collection=collection)
        ),
    ]


def source_named(collection, text: str, *, mapping: str = "", least: str = "") -> Source:
    """The source of an address, under a mapping (`binary`, or `binary.1` for an earlier version)
    and from the least relevant grade, where these are given.

    ValueError with a sentence for what the collection lacks, and for a grade that is no number.
    A machine run may also be called by its names.
    """
    requested = Source.read(text)
    sources = sources_of(collection)
    called = [source for source in sources if source.address == requested.address] or [
        source
        for source in sources
        if source.kind is requested.kind is Kind.MACHINE and requested.key in machine_names(source)
    ]
    if len(called) != 1:
        raise ValueError(_why_none(text, requested, sources, len(called)))
    return replace(
        called[0],
        mapping=mapping_named(collection, mapping) if mapping else None,
        least=_grade(least) if least else None,
    )


def machine_names(source: Source) -> list[str]:
    """The names of a machine run: its model and name, or its name alone."""
    full_name = source.name.removeprefix(MACHINE_PREFIX)
    return [full_name, full_name.partition(", ")[2]]


def _why_none(text: str, requested: Source, sources: list[Source], called: int) -> str:
    if requested.kind is Kind.MACHINE:
        names = "; ".join(
            machine_names(source)[0] for source in sources if source.kind is Kind.MACHINE
        )
        return (
            f"{'More than one' if called else 'No'} machine run is called {requested.key!r}. "
            f"The runs, as MODEL, NAME: {names or 'none'}."
        )
    others = ", ".join(source.address for source in sources if source.kind is requested.kind)
    return f"The collection has no source {text!r}{f'; it has {others}' if others else ''}."


def _grade(text: str) -> float:
    try:
        grade = float(text)
    except ValueError:
        grade = math.nan
    if not math.isfinite(grade):
        raise ValueError(f"The least relevant grade is {text!r}; expected a number.")
    return grade
