"""The tables of the page of time. People appear under pseudonyms alone."""

from collections.abc import Mapping
from functools import partial

from agreement.study.selection import Selection
from agreement.subjects.time.figures import (
    LEAST_TIMED,
    Forecast,
    Recent,
    Spent,
    time_of,
)
from agreement.tables.table import Bars, Cell, Column, Kind, Lines, Makers, Series, Table
from datasets.models import Membership
from datasets.pseudonyms import pseudonym

SPENT = (
    Column("answers", "Ratings", Kind.COUNT),
    Column("untimed", "No time recorded", Kind.COUNT),
    Column("hours", "Hours spent", Kind.HOURS),
    Column("per_hour", "Pairs per hour", Kind.NUMBER),
    Column("median_seconds", "Median per pair", Kind.SECONDS),
    Column("mean_seconds", "Mean per pair", Kind.SECONDS),
)
RECORDED = "Hours and pace are of ratings with a recorded active time."


def makers_of(selection: Selection, parameters: Mapping[str, str]) -> Makers:
    makers = {
        "annotators": _annotators,
        "facets": _facets,
        "periods": _periods,
        "decisions": _decisions,
    }
    return {key: partial(make, selection) for key, make in makers.items()}


def _annotators(selection: Selection) -> Table:
    report = time_of(selection)
    names = {member.pk: name for name, member in selection.choices.annotators.items()}
    people = [
        (names[person.pk], *_spent(person.spent), *_forecast(person.forecast))
        for person in report.people
    ]
    nobody = ("Nobody yet", *[None] * len(SPENT), *_forecast(report.free))
    return Table(
        "annotators",
        "Hours spent and hours left, by annotator",
        (
            Column("annotator", "Annotator"),
            *SPENT,
            Column("left", "Pairs left", Kind.COUNT),
            Column("pace", "Pace taken", printed=False),
            Column("hours_left", "Hours left", Kind.HOURS),
            Column("per_day", "Pairs per day", Kind.NUMBER),
            Column("ends_on", "Done on"),
        ),
        [*people, nobody] if report.free.left else people,
        notes=(
            RECORDED,
            "Hours left are the pairs left times the mean time per pair: the own where at least "
            f"{LEAST_TIMED} times are recorded, else the study's. Pairs per day: the two weeks of "
            "calendar days (UTC) up to the last rating.",
            f"{report.waiting:,} pairs that wait for a batch are not in it.",
        ),
        picture=Bars(
            (Series("hours", "Spent"), Series("hours_left", "Left")), "hours", as_shares=False
        ),
    )


def _facets(selection: Selection) -> Table:
    report = time_of(selection)
    return Table(
        "facets",
        "Hours spent, by facet",
        (Column("facet", "Facet"), *SPENT, Column("left", "Pairs left", Kind.COUNT)),
        [
            *((facet.name, *_spent(facet.spent), facet.left) for facet in report.facets),
            ("The pairs chosen", *_spent(report.spent), report.whole.left),
        ],
        notes=(RECORDED, "A pair is left once for every seat that has not rated it."),
        picture=Bars((Series("hours", "Spent"),), "hours", as_shares=False)
        if report.facets
        else None,
    )


def _periods(selection: Selection) -> Table:
    report = time_of(selection)
    unit = "week" if report.by_week else "day"
    return Table(
        "periods",
        f"Ratings and decisions by {unit}",
        (
            Column("start", "Week from" if report.by_week else "Day"),
            Column("answers", "Ratings", Kind.COUNT),
            Column("people", "Annotators", Kind.COUNT),
            Column("hours", "Hours", Kind.HOURS),
            Column("decisions", "Decisions", Kind.COUNT),
        ),
        [
            (f"{period.start}", period.answers, period.people, period.hours, period.decisions)
            for period in report.periods
        ],
        notes=(
            f"By calendar {unit} (UTC) in which a rating was first given.",
            f"{report.of_file:,} ratings came many at a moment, as those of an import do, and are "
            "left out.",
        ),
        picture=Lines((Series("answers", "Ratings"), Series("decisions", "Decisions")), unit),
    )


def _decisions(selection: Selection) -> Table:
    report = time_of(selection)
    members = Membership.objects.filter(
        pk__in=[adjudicator.pk for adjudicator in report.adjudicators]
    )
    names = {member.pk: pseudonym(selection.collection, member) for member in members}
    return Table(
        "decisions",
        "Decisions",
        (
            Column("adjudicator", "Adjudicator"),
            Column("decisions", "Decisions", Kind.COUNT),
            Column("per_day", "Decisions per day", Kind.NUMBER),
            Column("last_on", "Last one on"),
        ),
        [
            (names[adjudicator.pk], adjudicator.decisions, *_recent(adjudicator.recent))
            for adjudicator in report.adjudicators
        ],
        notes=("When a decision was made is recorded; how long it took is not.",),
    )


def _spent(spent: Spent) -> tuple[Cell, ...]:
    return (
        spent.answers,
        spent.untimed,
        spent.hours,
        spent.per_hour,
        spent.median_seconds,
        spent.mean_seconds,
    )


def _forecast(forecast: Forecast) -> tuple[Cell, ...]:
    pace = "own" if forecast.is_own else "study"
    return (
        forecast.left,
        None if forecast.seconds_each is None else pace,
        forecast.hours,
        forecast.recent.per_day if forecast.recent else None,
        f"{forecast.ends_on}" if forecast.ends_on else None,
    )


def _recent(recent: Recent | None) -> tuple[Cell, ...]:
    return (recent.per_day, f"{recent.until}") if recent else (None, None)
