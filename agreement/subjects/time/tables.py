"""The tables of the page of time. People appear under pseudonyms alone."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from django.utils.dateformat import format as date_format

from agreement.study.selection import Selection
from agreement.subjects.time.figures import LEAST_TIMED, Forecast, TimeReport, time_of
from agreement.subjects.time.given import Period, Recent, Spent
from agreement.tables.cells import printed
from agreement.tables.table import (
    Bars,
    Beside,
    Cell,
    Column,
    Kind,
    Lines,
    Makers,
    Pairs,
    Series,
    Table,
)
from datasets.models import Membership
from datasets.pseudonyms import pseudonym
from formats.words import counted

SPENT = (
    Column("answers", "Ratings", Kind.COUNT),
    Column("untimed", "No time recorded", Kind.COUNT, on_page=False),
    Column("hours", "Hours spent", Kind.HOURS),
    Column("per_hour", "Pairs per hour", Kind.NUMBER),
    Column("median_seconds", "Median per pair", Kind.SECONDS, on_page=False),
    Column("mean_seconds", "Mean per pair", Kind.SECONDS),
)
STUDY_PACE = "at the study's pace"
RECORDED = "Hours and pace are of ratings with a recorded active time."


def makers_of(
    selection: Selection,
    parameters: Mapping[str, str],
    members: Mapping[int, Membership] | None = None,
) -> Makers:
    """On a page people have the names of `members`, and the study a line of its own; files have
    pseudonyms."""
    return {
        "annotators": partial(_annotators, selection, members),
        "facets": partial(_facets, selection),
        "periods": partial(_periods, selection),
        "decisions": partial(_decisions, selection, members),
    }


def _annotators(selection: Selection, members: Mapping[int, Membership] | None) -> Table:
    report = time_of(selection)
    keys = selection.choices.pseudonyms
    names = {pk: member.name for pk, member in members.items()} if members else keys
    rows = [
        (names[person.pk], *_spent(person.spent), *_forecast(person.forecast))
        for person in report.people
    ]
    beside = [
        _beside(
            person.spent,
            person.forecast,
            person.withheld_seats,
            Pairs("answers", keys[person.pk], names[person.pk]),
        )
        for person in report.people
    ]
    if report.free.answers_left:
        rows.append(("Nobody yet", *[None] * len(SPENT), *_forecast(report.free)))
        beside.append(_beside_nobody())
    if members:
        rows.append(("The study", *_spent(report.spent), *_forecast(report.whole)))
        beside.append(_beside(report.spent, report.whole, look="sum"))
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
            Column("ends_on", "Done on", is_date=True),
        ),
        rows,
        notes=(
            RECORDED,
            "Hours left are the pairs left times the mean time per pair: the own where at least "
            f"{LEAST_TIMED} times are recorded, else the study's. Pairs per day: the two weeks of "
            "calendar days (UTC) up to the last rating.",
            f"Not in it: {counted(report.waiting, 'pair')} without a batch.",
        ),
        picture=Bars(
            (Series("hours", "Spent", "s2"), Series("hours_left", "Left", "s0")),
            "hours",
            as_shares=False,
        ),
        beside=beside,
    )


def _beside(
    spent: Spent,
    forecast: Forecast,
    withheld_seats: int = 0,
    answers: Pairs | None = None,
    *,
    look: str = "",
) -> Beside:
    """Of a person, whose answers are a list, or of the study."""
    beside = _beside_spent(spent)
    below, missing = dict(beside.below), dict(beside.missing)
    if withheld_seats:
        below["left"] = f"and {counted(withheld_seats, 'seat')} withheld from you"
    if forecast.answers_left:
        missing |= {"hours_left": "not known", "per_day": "no pace yet", "ends_on": "not known"}
        if forecast.recent:
            missing["ends_on"] = "in ten years or more"
        if not forecast.is_own and not look:
            below["hours_left"] = STUDY_PACE
    else:
        missing |= {"hours_left": "none", "per_day": "none"}
        missing["ends_on"] = "done" if spent.answers else ""
    if forecast.recent:
        below["per_day"] = f"to {date_format(forecast.recent.until, 'j M')}"
    links = {"answers": answers} if answers else {}
    return Beside(links, missing, below=below, look=look)


def _beside_nobody() -> Beside:
    """Of seats that nobody holds."""
    missing = dict.fromkeys((column.key for column in SPENT), "seats that nobody holds")
    missing |= {"hours_left": "not known", "per_day": "", "ends_on": "not assigned"}
    return Beside(missing=missing, below={"hours_left": STUDY_PACE})


def _beside_spent(spent: Spent, look: str = "") -> Beside:
    timed = ("hours", "per_hour", "mean_seconds")
    if not spent.timed:
        return Beside(missing=dict.fromkeys(timed, "no time recorded"), look=look)
    below = {"mean_seconds": f"median {printed(spent.median_seconds, Kind.SECONDS)}"}
    if spent.untimed:
        below["answers"] = f"{spent.untimed:,} without a time"
    return Beside(below=below, look=look)


def _facets(selection: Selection) -> Table | None:
    report = time_of(selection)
    if not report.facets:
        return None
    return Table(
        "facets",
        "Hours spent, by facet",
        (Column("facet", "Facet"), *SPENT, Column("left", "Pairs left", Kind.COUNT)),
        [
            *((facet.name, *_spent(facet.spent), facet.answers_left) for facet in report.facets),
            ("The pairs chosen", *_spent(report.spent), report.whole.answers_left),
        ],
        notes=(RECORDED, "A pair is left once for every seat that has not rated it."),
        picture=Bars((Series("hours", "Spent"),), "hours", as_shares=False),
        beside=[
            *(
                _beside_spent(facet.spent, "chosen" * (facet.key == selection.filters.facet))
                for facet in report.facets
            ),
            _beside_spent(report.spent, "sum"),
        ],
    )


def _periods(selection: Selection) -> Table:
    report = time_of(selection)
    unit = "week" if report.by_week else "day"
    notes = [f"By calendar {unit} (UTC) in which a rating was first given."]
    counts = (report.of_file, "rating"), (report.decisions_of_file, "decision")
    if of_file := " and ".join(counted(count, noun) for count, noun in counts if count):
        notes.append(f"Left out, since they came at once, as those of an import do: {of_file}.")
    # A line of zeros alone says less than none.
    drawn = [Series("answers", "Ratings"), Series("decisions", "Decisions")]
    if report.periods and not any(period.answers for period in report.periods):
        drawn = drawn[1:]
    elif not any(period.decisions for period in report.periods):
        drawn = drawn[:1]
    return Table(
        "periods",
        f"Ratings and decisions by {unit}",
        (
            Column("start", "Week from" if report.by_week else "Day", is_date=True),
            Column("answers", "Ratings", Kind.COUNT),
            Column("people", "Annotators", Kind.COUNT),
            Column("hours", "Hours", Kind.HOURS),
            Column("decisions", "Decisions", Kind.COUNT),
        ),
        [
            (f"{period.start}", period.answers, period.people, period.hours, period.decisions)
            for period in report.periods
        ],
        notes=tuple(notes),
        picture=Lines(tuple(drawn), unit),
        beside=[_beside_period(report, period) for period in report.periods],
    )


def _beside_period(report: TimeReport, period: Period) -> Beside:
    """Ratings that came many at a moment are in no list of a period, so that none opens."""
    end = period.start + timedelta(days=6 if report.by_week else 0)
    answers = Pairs("period", f"{period.start},{end}", "rated then")
    return Beside({} if report.of_file else {"answers": answers})


def _decisions(selection: Selection, members: Mapping[int, Membership] | None) -> Table:
    report = time_of(selection)
    people = members or Membership.objects.in_bulk([decided.pk for decided in report.adjudicators])
    keys = {
        decided.pk: pseudonym(selection.collection, people[decided.pk])
        for decided in report.adjudicators
    }
    names = {pk: member.name for pk, member in members.items()} if members else keys
    return Table(
        "decisions",
        "Decisions",
        (
            Column("adjudicator", "Adjudicator"),
            Column("decisions", "Decisions", Kind.COUNT),
            Column("per_day", "Decisions per day", Kind.NUMBER),
            Column("last_on", "Last one on", is_date=True),
        ),
        [
            (names[adjudicator.pk], adjudicator.decisions, *_recent(adjudicator.recent))
            for adjudicator in report.adjudicators
        ],
        notes=("When a decision was made is recorded; how long it took is not.",),
        beside=[
            Beside(
                {"decisions": Pairs("decisions", keys[adjudicator.pk], names[adjudicator.pk])},
                missing={"per_day": "no pace yet", "last_on": "not known"},
            )
            for adjudicator in report.adjudicators
        ],
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
        forecast.answers_left,
        None if forecast.seconds_each is None else pace,
        forecast.hours,
        forecast.recent.per_day if forecast.recent else None,
        f"{forecast.ends_on}" if forecast.ends_on else None,
    )


def _recent(recent: Recent | None) -> tuple[Cell, ...]:
    return (recent.per_day, f"{recent.until}") if recent else (None, None)
