"""Reports on queries: the list, and one query with its ranked pool and heat map."""

from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse

from annotation.models import Option, Pair
from annotation.reading.aspects import TreePlace
from datasets.models import Document
from evaluation.points import decimals
from evaluation.queries.reading import ReadQuery
from evaluation.scores import (
    SCALE,
    Aspect,
    Place,
    SubQuery,
    ValueTable,
    aspects_beyond,
    ranking,
    scaled,
    score,
    sub_query,
)
from evaluation.values import Values
from formats.decimals import printed_grade

# Steps of the heat ramp from the lowest to the highest value of the scale.
HEAT = ["h1", "h2", "h3", "h4", "h5"]


def table_of(query: ReadQuery, values: Values) -> ValueTable:
    return ValueTable.of(query.tree.ids, query.record.documents, values.of)


def shown(thousandths: int) -> str:
    """A value or a sum as people write it: 5, 0.5."""
    return printed_grade(Decimal(thousandths) / SCALE)


def scale_of(collection) -> tuple[int, ...]:
    """The values of the collection's scale in thousandths, lowest first."""
    values = Option.objects.filter(scale__scheme__collection=collection)
    return tuple(sorted({scaled(value) for value in values.values_list("value", flat=True)}))


@dataclass(frozen=True)
class QueryRow:
    """One line of the list. `pairs` are ids times documents, `valued` those with a value;
    `complete` are the documents with a value for every id."""

    query: ReadQuery
    sub_aspects: int
    documents: int
    pairs: int
    valued: int
    complete: int

    @property
    def percent(self) -> int | None:
        """Rounded down, so that 100 means all."""
        return 100 * self.valued // self.pairs if self.pairs else None


def query_row(query: ReadQuery, values: Values) -> QueryRow:
    table = table_of(query, values)
    scores = score(table, [table.ids])
    return QueryRow(
        query=query,
        sub_aspects=len(table.ids) - len(query.tree.aspects),
        documents=len(table.documents),
        pairs=table.is_known.size,
        valued=int(table.is_known.sum()),
        complete=int(scores.is_complete.sum()),
    )


@dataclass(frozen=True)
class Ranked:
    """A document of the ranked pool."""

    place: Place
    title: str

    @property
    def rank(self) -> str:
        """3, or 3= where others have the same score; "" without one."""
        if self.place.rank is None:
            return ""
        return f"{self.place.rank}{'=' if self.place.is_tied else ''}"

    @property
    def total(self) -> str:
        return "" if self.place.total is None else shown(self.place.total)

    @property
    def score(self) -> str:
        """To three decimals; the exports have it in full."""
        return "" if self.place.score is None else decimals(float(self.place.score), 3)


@dataclass(frozen=True)
class Cell:
    """One aspect of one document: its value, or why there is none, and the address of the pair."""

    text: str
    heat: str
    why_none: str
    url: str


@dataclass(frozen=True)
class QueryReport:
    """A query seen through some of its aspects, with the values of one source."""

    query: ReadQuery
    chosen: tuple[Aspect, ...]
    part: SubQuery
    beyond: tuple[str, ...]  # marks of the aspects that its sentences also ask for
    ranked: list[Ranked]
    heat: list[tuple[TreePlace, list[Cell]]]
    legend: list[tuple[str, str]]  # what the shades of the heat map mean

    @property
    def is_whole(self) -> bool:
        return len(self.chosen) == len(self.query.tree.aspects)

    @property
    def chosen_ids(self) -> list[str]:
        return [aspect.id for aspect in self.chosen]

    @property
    def complete(self) -> int:
        return sum(document.place.rank is not None for document in self.ranked)

    @property
    def relevant(self) -> int:
        return sum(document.place.is_relevant for document in self.ranked)


def query_report(query: ReadQuery, values: Values, *, aspects, scale, why_none) -> QueryReport:
    """`aspects` are some of the query's, `scale` its values in thousandths, and `why_none` what a
    cell without a value says."""
    part = sub_query(query.tree, aspects)
    table = table_of(query, values)
    titles = dict(
        Document.objects.filter(
            collection=query.row.collection_id, external_id__in=table.documents
        ).values_list("external_id", "title")
    )
    ranked = [Ranked(place, titles[place.document]) for place in ranking(score(table, [part.ids]))]
    urls = _pair_urls(query, part.ids, table.documents)
    marks = {place.topic_id: place.mark for place in reversed(query.places) if place.level == 0}

    def cell(place: TreePlace, document: str) -> Cell:
        url = urls.get((place.topic_id, document), "")
        value = values.of.get(place.topic_id, {}).get(document)
        if value is not None:
            return Cell(shown(value), heat_of(value, scale), "", url)
        if (place.topic_id, document) in values.excluded:
            return Cell("\u00d7", "none", "left out with a reason", url)
        return Cell("\u00b7", "none", why_none, url)

    return QueryReport(
        query=query,
        chosen=tuple(aspects),
        part=part,
        beyond=tuple(marks[aspect.id] for aspect in aspects_beyond(query.tree, aspects)),
        ranked=ranked,
        heat=[
            (place, [cell(place, document.place.document) for document in ranked])
            for place in query.places
            if place.topic_id in part.ids and not place.same_as
        ],
        legend=[
            (shown(value), heat_of(value, scale))
            # Of a scale with many decimals its ends say enough.
            for value in (scale if len(scale) <= len(HEAT) else (scale[0], scale[-1]))
        ],
    )


@dataclass(frozen=True)
class LinkedSentence:
    """A sentence of the query with the marks of what it was linked to; `is_chosen` if it asks for
    an aspect that counts."""

    text: str
    marks: list[str]
    is_chosen: bool


def linked_sentences(query: ReadQuery, aspects) -> list[LinkedSentence]:
    ids = {aspect.id for aspect in aspects}
    mark_of = {place.topic_id: place.mark for place in query.places if not place.same_as}
    return [
        LinkedSentence(
            text=sentence.text,
            marks=sorted(mark_of[aspect_id] for aspect_id in sentence.ids if aspect_id in mark_of),
            is_chosen=any(link & ids for link in links),
        )
        for sentence, links in zip(query.tree.sentences, query.tree.links, strict=True)
    ]


def _pair_urls(query: ReadQuery, topics, documents) -> dict[tuple[str, str], str]:
    """The pages of the pairs behind the cells, as lists of their topics, by aspect and document."""
    pairs = Pair.objects.filter(
        topic__collection=query.row.collection_id,
        topic__external_id__in=topics,
        document__external_id__in=documents,
    ).values_list("topic__external_id", "document__external_id", "public_id", "topic__public_id")
    return {
        (topic, document): f"{reverse('agreement:pair', args=[pair])}?list=topic&cell={cell}"
        for topic, document, pair, cell in pairs
    }


def heat_of(value: int, scale) -> str:
    """The step of the ramp for a value; those beyond the scale have the step of its ends."""
    low, high = scale[0], scale[-1]
    if high == low:
        return HEAT[0]
    step = (value - low) * (len(HEAT) - 1) // (high - low)
    return HEAT[min(max(step, 0), len(HEAT) - 1)]
