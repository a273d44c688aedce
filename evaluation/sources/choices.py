"""Which sources of values a collection has for a lead."""

from django.db.models import Max

from annotation.models import Batch, MachineRun
from datasets.models import JudgmentSet, Membership
from datasets.pseudonyms import pseudonym
from evaluation.sources.source import GOLD, Kind, Source, seat

COMBINED = {
    Kind.MAJORITY: "majority of seats",
    Kind.MEDIAN: "median of seats",
    Kind.HIGHEST: "highest rating",
    Kind.LOWEST: "lowest rating",
}


def sources_of(collection) -> list[Source]:
    """All there are, gold first. People by pseudonym: whoever ever held a seat, rated or not."""
    is_ordered = all(scale.is_ordinal for scale in collection.scheme.all_scales)
    batches = Batch.objects.filter(collection=collection)
    seats = batches.aggregate(most=Max("overlap"))["most"] or 0
    members = Membership.objects.filter(collection=collection, tenures__isnull=False).distinct()
    names = sorted(pseudonym(collection, member) for member in members)
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
        *machine_runs_of(collection),
        *(
            Source(Kind.JUDGMENTS, one.key, f"judgments {one.name}")
            for one in JudgmentSet.objects.filter(collection=collection)
        ),
    ]


def machine_runs_of(collection) -> list[Source]:
    return [
        Source(Kind.MACHINE, str(run.public_id), f"machine run {run}")
        for run in MachineRun.objects.filter(collection=collection)
    ]


def source_named(collection, text: str) -> Source:
    """The source of an address; ValueError with a sentence for one that the collection lacks."""
    wanted = Source.read(text)
    for source in sources_of(collection):
        if source.address == wanted.address:
            return source
    raise ValueError(f"The collection has no source {text!r}.")
