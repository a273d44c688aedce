"""The obstacles to a complete export, counted without reading a rating."""

from dataclasses import dataclass, field

from django.db.models import Count, Q

from annotation.models import Batch, Pair
from datasets.models import Collection, Query
from releases.formats.registry import FORMATS, Holds
from releases.records import MISSING

WORDS = {**MISSING, "waiting": "waiting for a batch"}


@dataclass
class Checks:
    """Pairs as one lead may count them. `withheld` are batches in which they still rate."""

    pairs: int = 0
    gold: int = 0
    excluded: int = 0
    missing: dict[str, int] = field(default_factory=dict)  # by what is missing, as a list names it
    withheld: int = 0

    @property
    def missing_in_words(self):
        """[(what is missing, how many, the cell of the list of these pairs)]"""
        return [(WORDS[key], count, key) for key, count in self.missing.items()]

    @property
    def missing_count(self):
        return sum(self.missing.values())

    @property
    def is_complete(self):
        return self.pairs > 0 and not self.lacks_gold

    @property
    def lacks_gold(self):
        """Whether an export of gold alone would be refused for this lead."""
        return bool(self.missing or self.withheld)


def checks(collection, user):
    result = Checks(withheld=Batch.objects.filter(collection=collection).blind_to(user).count())
    pairs = Pair.objects.filter(topic__collection=collection).visible_to_lead(user)
    if waiting := pairs.waiting().count():
        result.missing["waiting"] = waiting
    rows = pairs.order_by().values_list("state", "gold_origin").annotate(count=Count("pk"))
    for state, origin, count in rows:
        result.pairs += count
        if origin == Pair.Origin.EXCLUDED:
            result.excluded += count
        elif origin:
            result.gold += count
        elif handed_out := count - (waiting if state == Pair.State.OPEN else 0):
            result.missing[state] = handed_out
    return result


def unfit_formats(collection: Collection) -> dict[str, str]:
    """{key: why not} of the formats that have no words for what the collection judges."""
    queries = Query.objects.filter(collection=collection).annotate(is_text=Q(document=None))
    unfit = set()
    for is_text, facet in queries.order_by().values_list("is_text", "topics__facet").distinct():
        if is_text or facet == "":
            unfit.add(Holds.PAPERS)
        if not is_text or facet:
            unfit.add(Holds.TEXTS)
    return {
        export_format.key: f"{export_format.name} does not fit: it holds {export_format.holds}."
        for export_format in FORMATS.values()
        if export_format.holds in unfit
    }
