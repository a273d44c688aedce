"""The steps that a new study still lacks before its first rating, worked out from its rows."""

from dataclasses import dataclass
from typing import Self

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from annotation.models import Batch, Pair, Rating, Scheme, Seat
from annotation.progress.rows import Overview
from datasets.models import Collection, Membership, Run, Topic
from formats.words import counted


@dataclass(frozen=True)
class Step:
    """A step of setting up; `missing` is what blocks a rating, empty once the step is done.

    `is_waiting` says that another step comes first. `route` is the page on which it is done.
    """

    key: str
    title: str
    words: str
    missing: str
    route: str
    is_waiting: bool = False

    @property
    def is_done(self) -> bool:
        return not self.missing


@dataclass(frozen=True)
class SettingUp:
    """Nothing of it is stored: two leads see the same, and a step may be taken in any order."""

    steps: list[Step]

    @property
    def missing(self) -> list[Step]:
        return [step for step in self.steps if not step.is_done]

    @property
    def done_count(self) -> int:
        return len(self.steps) - len(self.missing)

    @property
    def next(self) -> Step | None:
        """The first step that is missing and waits for none."""
        return next((step for step in self.missing if not step.is_waiting), None)


@dataclass(frozen=True)
class Stock:
    """Counts of a collection's rows. `is_at_work`: somebody rated, or the viewer holds a seat of an
    unfinished batch and must not learn whether anybody did."""

    topic_count: int
    pair_count: int
    people_count: int
    waiting_pairs: int
    free_seats: int
    has_runs: bool
    is_at_work: bool

    @classmethod
    def of(cls, collection: Collection, viewer: User) -> Self:
        """In one statement, since it is asked for on every page of the way: people are counted, of
        the rest it is asked whether there are any."""
        pairs = Pair.objects.filter(topic__collection=OuterRef("pk"))
        batches = Batch.objects.filter(collection=OuterRef("pk"))
        people = Membership.objects.annotators().filter(collection=OuterRef("pk"))
        raters = people.filter(user__is_active=True).order_by().values("collection")
        rows = Collection.objects.filter(pk=collection.pk).values(
            topic_count=Exists(Topic.objects.filter(collection=OuterRef("pk"))),
            pair_count=Exists(pairs),
            people_count=Coalesce(Subquery(raters.annotate(count=Count("pk")).values("count")), 0),
            waiting_pairs=Exists(pairs.waiting()),
            free_seats=Exists(Seat.objects.filter(batch__collection=OuterRef("pk"), holder=None)),
            has_runs=Exists(Run.objects.filter(system__collection=OuterRef("pk"))),
            is_at_work=Q(Exists(Rating.objects.filter(pair__topic__collection=OuterRef("pk"))))
            | Q(Exists(batches.blind_to(viewer))),
        )
        return cls(**rows.get())


def setting_up(report: Overview, scheme: Scheme, *, has_runs: bool = False) -> SettingUp | None:
    """The steps, as long as one is missing; None for a study at work."""
    stock = Stock(
        topic_count=len(report.topics),
        pair_count=report.pairs,
        people_count=len(report.people),
        waiting_pairs=report.waiting_pairs,
        free_seats=report.free_seats,
        has_runs=has_runs,
        is_at_work=bool(report.ratings_given or report.hidden_batches),
    )
    return steps_of(stock, scheme)


def way_of(collection: Collection, viewer: User) -> SettingUp | None:
    """The same steps for the line above each page of the setup. It counts nothing."""
    scheme = Scheme.objects.filter(collection=collection).first()
    return steps_of(Stock.of(collection, viewer), scheme) if scheme else None


def steps_of(stock: Stock, scheme: Scheme) -> SettingUp | None:
    people, overlap = stock.people_count, scheme.overlap
    needed = max(0, overlap - people)
    unassigned = stock.waiting_pairs + stock.free_seats
    steps = [
        Step(
            "scheme",
            "Scheme",
            f"{scheme.title}. {scheme.rule_in_words}",
            "",
            "annotation:write-scheme",
        ),
        Step(
            "data",
            "Data",
            f"{counted(stock.topic_count, 'topic')}."
            if stock.topic_count
            else "Queries and the texts of documents, and ratings if there are any.",
            "" if stock.topic_count else "Queries and documents",
            "imports:import",
        ),
        Step(
            "pool",
            "Pool",
            f"{counted(stock.pair_count, 'pair')}."
            if stock.pair_count
            else "Which documents are judged for each query: imported, or drawn from runs.",
            "" if stock.pair_count else "A pool of documents for each query",
            "imports:runs-pool" if stock.has_runs else "datasets:runs",
            is_waiting=not stock.topic_count,
        ),
        Step(
            "people",
            "People",
            f"Each pair is rated by {overlap}, without seeing each other's ratings. "
            f"{counted(people, 'annotator') if people else 'No annotators'} so far.",
            counted(needed, "more annotator") if needed else "",
            "datasets:people",
        ),
        Step(
            "seats",
            "Batches and seats",
            "By a balanced plan that you see before it is applied, or by hand.",
            "Batches with seats given out" if unassigned or not stock.pair_count else "",
            "annotation:assign"
            if stock.waiting_pairs or not stock.pair_count
            else "annotation:plan",
            is_waiting=not stock.pair_count or bool(needed),
        ),
    ]
    steps_left = SettingUp(steps)
    return steps_left if steps_left.missing and not stock.is_at_work else None
