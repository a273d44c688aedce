"""The filters of figures: read from an address and written back into links."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any, Self

import numpy as np
from django.core.exceptions import BadRequest
from django.db.models import Exists
from django.utils.http import urlencode

from accounts.parameters import one_of
from agreement.statistics import CannotJudge, Method, SummaryKind
from agreement.study.ratings import Ratings
from agreement.study.rows import Mask
from agreement.tables.columns import METHODS
from annotation.models import Batch, ProgramSave, SchemeVersion
from datasets.models import Membership, Query
from datasets.pseudonyms import pseudonym
from formats.records import ALL_FACETS

ALL = ALL_FACETS
HANDED_IN = "handed-in"  # of batches: those whose every seat is
# The names in an address, in the order in which they are written.
NAMES = {
    "facet": "facet",
    "query": "query",
    "annotator": "annotator",
    "batch": "batch",
    "since": "from",
    "until": "to",
    "version": "version",
    "channel": "channel",
    "summary": "summary",
    "cannot_judge": "cannot-judge",
    "method": "bootstrap",
    "resampled": "resampled",
}


class Channel(StrEnum):
    """By which way ratings came. PAGES leaves out the pairs that a program ever rated."""

    ANY = ""
    PAGES = "pages"


class Resampled(StrEnum):
    """The unit that bootstrap intervals resample. Of a single query it is always its pairs.

    FITS: topics for what summarises topics, since it speaks of topics like these; pairs for what
    puts all pairs together. TOPICS: queries under a facet, or aspects. QUERIES: whole queries with
    all of their topics, which are alike.
    """

    FITS = "fits"
    PAIRS = "pairs"
    TOPICS = "topics"
    QUERIES = "queries"
    BOTH = "both"


@dataclass(frozen=True)
class Choices:
    """The choices of a collection's filters: value in the address, name on the screen.

    `batches` and `annotators` lead from the value in the address to a database id as well.
    """

    facets: dict[str, str]
    queries: dict[str, str]
    annotators: dict[str, Membership]
    batches: dict[str, Batch]
    versions: list[int]
    # Whether all facets are judged on one scale; if not, figures are of one facet at a time.
    shares_a_scale: bool = True
    # The facets whose grades have no order; ALL among them where the shared scale has none.
    unordered: frozenset[str] = frozenset()
    # Whether programs rated at all; ids of the pairs that they did, read when asked for.
    has_program_saves: bool = False
    by_program: Callable[[], list[int]] = list

    @property
    def pseudonyms(self) -> dict[int, str]:
        """{annotator's membership: pseudonym}"""
        return {member.pk: key for key, member in self.annotators.items()}

    @property
    def batch_names(self) -> dict[str, str]:
        """{value in the address: name on the screen} of the batch filter, where it leaves pairs
        out."""
        names = {key: batch.name for key, batch in self.batches.items()}
        return {HANDED_IN: "all that are handed in"} | names

    @property
    def facet_values(self) -> list[str]:
        """The values of the facet filter, the default first."""
        if self.shares_a_scale or not self.facets:
            return [ALL, *self.facets]
        return list(self.facets)


@dataclass(frozen=True)
class Filters:
    """The pairs of a facet, of a query, that an annotator rated, of a batch or of all that are
    handed in, last rated in a period (both days included, UTC), rated under one version of the
    scheme alone, rated by people at pages alone. Empty is all.

    People are named by their pseudonym, so that an address can be sent to anybody. Without filters
    of pairs a topic counts once all its pairs are done; with them, once the chosen pairs are.
    """

    facet: str = ALL
    query: str = ""
    annotator: str = ""
    batch: str = ""
    since: date | None = None
    until: date | None = None
    version: int | None = None
    channel: Channel = Channel.ANY
    summary: SummaryKind = SummaryKind.MEDIAN
    cannot_judge: CannotJudge = CannotJudge.LOWEST
    method: Method = Method.PERCENTILE
    resampled: Resampled = Resampled.FITS

    @classmethod
    def read(cls, parameters, choices: Choices) -> Self:
        """From an address; BadRequest with a sentence for a value there is not."""

        def value(field: str, among: Iterable[str]) -> str:
            return one_of(parameters, NAMES[field], among)

        version = value("version", ["", *map(str, choices.versions)])
        filters = cls(
            facet=value("facet", choices.facet_values),
            query=value("query", ["", *choices.queries]),
            annotator=value("annotator", ["", *choices.annotators]),
            batch=value("batch", ["", HANDED_IN, *choices.batches]),
            since=_day("from", parameters.get("from", "")),
            until=_day("to", parameters.get("to", "")),
            version=int(version) if version else None,
            channel=Channel(value("channel", Channel)),
            summary=SummaryKind(value("summary", SummaryKind)),
            cannot_judge=CannotJudge(value("cannot_judge", CannotJudge)),
            method=Method(value("method", METHODS)),
            resampled=Resampled(value("resampled", Resampled)),
        )
        if filters.facet in choices.unordered:
            filters = filters.of_labels
        if filters.since and filters.until and filters.since > filters.until:
            raise BadRequest(
                f"The period ends on {filters.until}, before it begins on {filters.since}."
            )
        return filters

    def address(self, **changes) -> str:
        """The query string that leads here; `changes` are fields, or parameters of one page."""
        values = self._beside_the_default | changes
        pairs = [
            (name, str(values[field]))
            for field, name in NAMES.items()
            if field in values and values[field] != getattr(Filters, field)
        ]
        more = [(name, value) for name, value in changes.items() if name not in NAMES and value]
        return urlencode([*pairs, *more])

    @cached_property
    def _beside_the_default(self) -> dict[str, Any]:
        """The fields that are not as they are without a choice. A page has hundreds of links."""
        values = {field: getattr(self, field) for field in NAMES}
        return {field: value for field, value in values.items() if value != getattr(Filters, field)}

    @property
    def of_labels(self) -> Self:
        """The filters for grades without an order, which have no lowest value."""
        if self.cannot_judge is not CannotJudge.LOWEST:
            return self
        return replace(self, cannot_judge=CannotJudge.DROP)

    @property
    def facet_key(self) -> str:
        """The facet as figures are keyed by it: "" for all."""
        return "" if self.facet == ALL else self.facet

    @property
    def chooses_pairs(self) -> bool:
        """Whether some pairs of a topic may be chosen and others not."""
        return bool(
            self.annotator or self.batch or self.since or self.until or self.version or self.channel
        )

    def chosen(self, ratings: Ratings, choices: Choices) -> Ratings:
        """The pairs that the filters name, and the topics that they are of."""
        topics = [
            number
            for number, topic in enumerate(ratings.topics)
            if self.facet in (ALL, topic.facet) and (not self.query or self.query in topic.queries)
        ]
        ratings = ratings.of_topics(topics)
        if not self.chooses_pairs:
            return ratings
        mask = np.ones(ratings.size, dtype=bool)
        if self.batch == HANDED_IN:
            mask &= ratings.is_finished
        elif self.batch:
            mask &= ratings.batch == choices.batches[self.batch].pk
        if self.annotator:
            mask &= (ratings.annotator == choices.annotators[self.annotator].pk).any(axis=0)
        if self.version:
            mask &= _all_answers(ratings, ratings.version == self.version)
        if self.channel:
            mask &= ratings.is_withheld | ~np.isin(ratings.pair, choices.by_program())
        if self.since or self.until:
            last = np.where(ratings.is_answered, ratings.given_at, -np.inf).max(
                axis=0, initial=-np.inf
            )
            mask &= ratings.is_answered.any(axis=0)
            mask &= (last >= _start(self.since)) & (last < _end(self.until))
        selected = ratings.only(mask)
        return selected.of_topics(np.unique(selected.topic).tolist())


@dataclass(frozen=True)
class LongLists:
    """The choices of which a large study has thousands: queries by id, batches by public id."""

    queries: dict[str, str]
    batches: dict[str, Batch]


def read_long_lists(collection) -> LongLists:
    return LongLists(
        {
            query.external_id: str(query)
            for query in Query.objects.filter(collection=collection)
            .select_related("document")
            .only("external_id", "text", "document__title")
        },
        {
            str(batch.public_id): batch
            for batch in Batch.objects.filter(collection=collection).only("public_id", "name")
        },
    )


def read_choices(collection, lists: LongLists | None = None) -> Choices:
    """The choices of a lead: names of queries, people and batches, never of ratings."""
    lists = lists or read_long_lists(collection)
    scheme = collection.scheme
    words = scheme.current.words
    facets = {facet.key: words.facet_name(facet.key) for facet in scheme.shown_facets}
    used = set(collection.topics.values_list("facet", flat=True))
    # Who ever held a seat, rated or not: that a colleague has begun is not for everybody to know.
    annotators = Membership.objects.filter(collection=collection, tenures__isnull=False).distinct()
    # By the token, since tokens are few and ratings are many.
    saves = ProgramSave.objects.filter(token__membership__collection=collection)
    versions = (
        SchemeVersion.objects.filter(scheme__collection=collection)
        .order_by("number")
        .values_list("number", Exists(saves))
    )
    return Choices(
        facets={key: name for key, name in facets.items() if key in used},
        queries=lists.queries,
        annotators={pseudonym(collection, member): member for member in annotators},
        batches=lists.batches,
        versions=[number for number, _ in versions],
        shares_a_scale=scheme.shares_a_scale,
        unordered=frozenset(
            facet
            for facet in [ALL, *facets]
            if (scheme.shares_a_scale or facet != ALL)
            and not scheme.scale_of(facet if facet != ALL else "").is_ordinal
        ),
        has_program_saves=any(has_saves for _, has_saves in versions),
        by_program=lambda: list(saves.values_list("revision__rating__pair", flat=True).distinct()),
    )


def _all_answers(ratings: Ratings, mask: Mask) -> Mask:
    """Pairs with an answer, all of whose answers are in the mask."""
    nobody_else = np.logical_and.reduce(mask | ~ratings.is_answered, axis=0)
    return np.logical_or.reduce(ratings.is_answered, axis=0) & nobody_else


def _day(name, text):
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"{name} is {text!r}; expected a day such as 2026-11-21.") from None


def _start(day):
    return -np.inf if day is None else datetime.combine(day, time(), UTC).timestamp()


def _end(day):
    """The first moment after the day, in seconds since 1970; never for no day."""
    return np.inf if day is None else _start(day) + timedelta(days=1).total_seconds()


def list_address(kind: str, cell: str, filters: str = "") -> str:
    """`list=values&cell=0,3&facet=method`; `filters` is an address of `Filters`."""
    list_parameters = urlencode({"list": kind, "cell": cell} if cell else {"list": kind})
    return f"{list_parameters}&{filters}" if filters else list_parameters
