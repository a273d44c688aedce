"""The obstacles to a complete export, counted without reading a rating."""

from collections import Counter
from dataclasses import dataclass, field

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Count, F, Q

from accounts.models import User
from agreement.pairs.standing import LACKING
from annotation.models import Batch, Pair
from datasets.models import Candidate, Collection, Document, Query
from releases.formats.registry import FORMATS, Holds

# As a file of numbered documents writes one: no sign, no zero before it.
NUMBER = r"\A(0|[1-9][0-9]*)\Z"


@dataclass
class Checks:
    """Pairs as one lead may count them. `withheld` are batches in which they still rate."""

    pairs: int = 0
    gold: int = 0  # with a final value, or excluded
    excluded: int = 0
    missing: dict[str, int] = field(default_factory=dict)  # by what is missing, as a list names it
    withheld: int = 0

    @property
    def missing_in_words(self) -> list[tuple[str, int, str]]:
        """[(what is missing, how many, the cell of the list of these pairs)]"""
        return [(LACKING[key], count, key) for key, count in self.missing.items()]

    @property
    def missing_count(self) -> int:
        return sum(self.missing.values())

    @property
    def is_complete(self) -> bool:
        return self.pairs > 0 and not self.lacks_gold

    @property
    def lacks_gold(self) -> bool:
        """Whether an export of gold alone would be refused for this lead."""
        return bool(self.missing or self.withheld)


def checks(collection: Collection, user: User) -> Checks:
    result = Checks(withheld=Batch.objects.filter(collection=collection).blind_to(user).count())
    pairs = Pair.objects.filter(topic__collection=collection).visible_to_lead(user)
    if waiting := pairs.waiting().count():
        result.missing["waiting"] = waiting
    rows = pairs.order_by().values_list("state", "gold_origin").annotate(count=Count("pk"))
    lacking: Counter[str] = Counter({Pair.State.OPEN: -waiting})
    for state, origin, count in rows:
        result.pairs += count
        if origin:
            result.gold += count
            result.excluded += count if origin == Pair.Origin.EXCLUDED else 0
        else:
            lacking[state] += count
    if differing := lacking[Pair.State.DISPUTED]:
        lacking[Pair.State.DISPUTED] = disputes = pairs.disputed().handed_in().count()
        lacking[Pair.State.AGREED] += differing - disputes
    result.missing |= {key: lacking[key] for key in LACKING if lacking[key]}
    return result


def unfit_formats(collection: Collection, using: str = DEFAULT_DB_ALIAS) -> dict[str, str]:
    """{key: why not} of the formats that have no words for what the collection judges."""
    unfit = _unfit_kinds(collection, using)
    reasons = {}
    for export_format in FORMATS.values():
        if export_format.holds in unfit:
            reasons[export_format.key] = f"it holds {export_format.holds}"
        elif export_format.holds is Holds.PAPERS and (names := _other_names(collection, using)):
            query, paper = names
            reasons[export_format.key] = (
                f"it calls a query by its paper, and {query} is the paper {paper}"
            )
        elif export_format.numbers_documents and (name := _not_a_number(collection, using)):
            reasons[export_format.key] = (
                f"it numbers its documents, and {name} is not a whole number"
            )
    return {key: f"{FORMATS[key].name} does not fit: {reason}." for key, reason in reasons.items()}


def _unfit_kinds(collection: Collection, using: str) -> set[Holds]:
    queries = Query.objects.using(using).filter(collection=collection)
    kinds = queries.annotate(is_text=Q(document=None)).order_by()
    unfit = set()
    for is_text, facet in kinds.values_list("is_text", "topics__facet").distinct():
        if is_text or facet == "":
            unfit.add(Holds.PAPERS)
        if not is_text or facet:
            unfit.add(Holds.TEXTS)
    return unfit


def _other_names(collection: Collection, using: str) -> tuple[str, str] | None:
    """A query that is a paper of another name, and this name."""
    queries = Query.objects.using(using).filter(collection=collection, document__isnull=False)
    others = queries.exclude(external_id=F("document__external_id")).order_by("pk")
    return others.values_list("external_id", "document__external_id").first()


def _not_a_number(collection: Collection, using: str) -> str | None:
    """An id of a document, or of a paper that a pool names, which is no whole number."""
    documents = Document.objects.using(using).filter(collection=collection)
    candidates = Candidate.objects.using(using).filter(query__collection=collection)
    for rows in (documents, candidates):
        others = rows.exclude(external_id__regex=NUMBER).order_by("pk")
        if name := others.values_list("external_id", flat=True).first():
            return name
    return None
