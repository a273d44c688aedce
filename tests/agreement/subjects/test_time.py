"""Hours spent, pace, and the forecast of what is left."""

import re
import uuid
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from agreement.study.selection import selection_of
from agreement.subjects.registry import tables_of
from agreement.subjects.time.figures import time_of
from agreement.subjects.time.given import Period
from agreement.subjects.time.tables import makers_of
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Rating
from datasets.actions import change_programs
from tests.factories.studies import assign_all, make_member, make_study, make_topic
from tests.factories.tokens import token_of
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday


def time(study, by="lena", **parameters):
    member = study.members[by]
    return time_of(selection_of(member, member.user, parameters))


def of(study, name, report):
    return next((person for person in report.people if person.pk == study.members[name].pk), None)


def rate(study, name, seconds, *, batch=None, days=None):
    """The first pairs of the batch, each with its active seconds; a day of NOON's for each."""
    pairs = list((batch or study.batch).pairs.all())
    for number, active_seconds in enumerate(seconds):
        study.rate(name, pairs[number], 1, active_seconds=active_seconds)
        if days:
            given_at(
                study, name, pairs[number], NOON + timedelta(days=days[number], seconds=number)
            )


def series_of(selection):
    """The lines of the chart of days."""
    picture = makers_of(selection, {})["periods"]().picture
    return [series.column for series in picture.series]


def notes_of(selection):
    """What is said below the table of days."""
    return list(makers_of(selection, {})["periods"]().notes)


def given_at(study, name, pair, moment):
    member = study.members[name]
    Rating.objects.filter(pair=pair, annotator=member).update(created_at=moment)


def test_a_collection_without_pairs_has_no_hours_and_nothing_left():
    report = time(make_study(facets=()))

    assert (report.spent.answers, report.whole.answers_left, report.periods) == (0, 0, [])


def test_hours_and_pace_are_of_answers_with_a_recorded_time():
    study = make_study(candidates=5)
    rate(study, "alice", [30, 60, 90, 0])
    rate(study, "bob", [120])

    report = time(study)

    alice = of(study, "alice", report).spent
    assert (alice.answers, alice.timed, alice.untimed) == (4, 3, 1)
    assert alice.hours == pytest.approx(180 / 3600)
    assert alice.per_hour == pytest.approx(60)  # 3 pairs in 3 minutes
    assert (alice.mean_seconds, alice.median_seconds) == (60, 60)
    assert (report.spent.answers, report.spent.timed, report.spent.seconds) == (5, 4, 300)
    assert report.spent.per_hour == pytest.approx(48)


def test_nothing_recorded_is_not_no_time():
    study = make_study(candidates=2)
    rate(study, "alice", [0, 0])

    report = time(study)

    assert (report.spent.untimed, report.spent.hours, report.spent.per_hour) == (2, None, None)
    assert of(study, "bob", report).forecast.answers_left == 2
    assert of(study, "bob", report).forecast.hours is None
    assert report.whole.hours is None


def test_forecast_is_the_own_mean_times_the_pairs_left():
    study = make_study(candidates=14)
    rate(study, "alice", [10] * 9 + [200])  # mean 29, median 10
    rate(study, "bob", [40] * 9)  # one too few for a pace of his own

    report = time(study)

    alice, bob = of(study, "alice", report).forecast, of(study, "bob", report).forecast
    assert (alice.answers_left, alice.is_own) == (4, True)
    assert alice.hours == pytest.approx(4 * 29 / 3600)
    assert (bob.answers_left, bob.is_own) == (5, False)
    study_mean = (290 + 360) / 19
    assert bob.hours == pytest.approx(5 * study_mean / 3600)
    assert report.whole.answers_left == 9
    assert report.whole.hours == pytest.approx((4 * 29 + 5 * study_mean) / 3600)


def test_seats_of_nobody_are_left_at_the_studys_pace():
    study = make_study(candidates=12, assign=False)
    [batch] = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [batch], ["alice"])
    rate(study, "alice", [30] * 10)

    report = time(study)

    assert of(study, "alice", report).forecast.answers_left == 2
    assert (report.free.answers_left, report.whole.answers_left) == (12, 14)
    assert report.free.hours == pytest.approx(12 * 30 / 3600)
    [annotators] = [
        table
        for table in tables_of(selection_of(study.members["lena"], study.lena, {}), "time", {})
        if table.key == "annotators"
    ]
    assert annotators.cells("pace") == ["own", "study"]
    assert of(study, "bob", report) is None


def test_successor_has_only_what_is_unrated_in_the_seat():
    study = make_study(candidates=4)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    rate(study, "alice", [10])
    seat = study.seat("alice")
    assign_seat(seat=seat, member=study.members["erin"], by=study.lena, reason="she left")

    report = time(study)

    assert of(study, "alice", report).forecast.answers_left == 0
    assert of(study, "alice", report).spent.answers == 1
    assert of(study, "erin", report).forecast.answers_left == 3


def test_returned_seat_has_nothing_left_and_its_pairs_are_not_to_decide():
    study = make_study(candidates=2)
    study.finish(alice=[0, 1], bob=[0, 2])
    before = time(study)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="look again")

    after = time(study)

    assert (before.undecided, after.undecided) == (1, 0)
    assert after.whole.answers_left == 0


def test_days_are_the_two_weeks_up_to_the_last_rating_idle_ones_included():
    study = make_study(candidates=40)
    # Two long ago; then six within 13 days.
    rate(study, "alice", [60] * 8, days=[-30, -30, 0, 0, 0, 4, 12, 12])

    report = time(study)

    recent = of(study, "alice", report).forecast.recent
    assert (recent.since, recent.until) == (date(2026, 3, 1), date(2026, 3, 14))
    assert (recent.given, recent.days) == (6, 14)
    assert report.whole.recent == recent
    today = day_of(study)
    # 32 left, 6 in 14 days: 74.7 days.
    assert of(study, "alice", report).forecast.ends_on == today + timedelta(days=75)


def day_of(study):
    member = study.members["lena"]
    return selection_of(member, member.user, {}).everything.read_at.date()


def test_days_begin_with_the_first_rating_and_the_study_ends_with_the_last_person():
    study = make_study(candidates=20)
    rate(study, "alice", [60] * 4, days=[0, 0, 1, 1])  # 2 a day, 16 left: 8 days
    rate(study, "bob", [60] * 3, days=[0, 4, 9])  # 0.3 a day, 17 left: 57 days

    report = time(study)

    assert of(study, "alice", report).forecast.recent.per_day == 2
    assert of(study, "bob", report).forecast.recent.per_day == 0.3
    today = day_of(study)
    assert of(study, "alice", report).forecast.ends_on == today + timedelta(days=8)
    # At 7 in 10 days the study would have its 33 after 48 days.
    assert report.whole.ends_on == today + timedelta(days=57)


def test_what_came_at_once_is_no_pace_by_the_day():
    study = make_study(candidates=30)
    rate(study, "alice", [0] * 12)
    Rating.objects.update(created_at=NOON)
    rate(study, "bob", [60] * 12)

    report = time(study)

    assert report.of_file == 12
    assert of(study, "alice", report).forecast.recent is None
    # Bob's are live, but within ten minutes.
    assert of(study, "bob", report).forecast.recent is None
    assert report.whole.ends_on is None
    assert [(period.answers, period.people) for period in report.periods] == [(12, 1)]


def test_date_beyond_ten_years_is_not_told_nor_that_of_the_study_with_such_a_person():
    study = make_study(candidates=600)
    rate(study, "alice", [60, 60], days=[0, 13])
    rate(study, "bob", [60] * 20, days=[0] * 10 + [1] * 10)

    report = time(study)

    alice, bob = of(study, "alice", report).forecast, of(study, "bob", report).forecast
    assert alice.recent.per_day == pytest.approx(1 / 7)
    assert alice.ends_on is None
    assert bob.ends_on == day_of(study) + timedelta(days=58)
    # At 22 pairs in two weeks the study would have its 1,178 after two years.
    assert report.whole.recent.per_day == pytest.approx(22 / 14)
    assert report.whole.ends_on is None


def test_days_are_listed_without_gaps_and_a_long_study_by_the_week():
    study = make_study(candidates=9)
    rate(study, "alice", [3600, 1800, 60], days=[0, 0, 2])
    rate(study, "bob", [60], days=[2])
    short = time(study)
    assert series_of(selection_of(study.members["lena"], study.lena, {})) == ["answers"]
    study = make_study(candidates=3, slug="long")
    rate(study, "alice", [60] * 3, days=[0, 6, 100])  # Monday, Sunday, a Wednesday
    long = time(study)

    assert short.periods == [
        Period(date(2026, 3, 2), 2, 1, 1.5, 0),
        Period(date(2026, 3, 3), 0, 0, 0.0, 0),
        Period(date(2026, 3, 4), 2, 2, pytest.approx(120 / 3600), 0),
    ]
    assert not short.by_week
    assert long.by_week
    assert [period.answers for period in long.periods] == [2, *[0] * 13, 1]
    assert long.periods[0].start == date(2026, 3, 2)
    assert long.periods[-1].start == date(2026, 6, 8)


def test_facets_have_their_own_time_and_the_filter_chooses_one():
    study = make_study(facets=("background", "method"), candidates=4)
    first, second = study.collection.batches.all()
    rate(study, "alice", [30, 60], batch=first)
    rate(study, "alice", [90, 90, 90], batch=second)

    report, chosen = time(study), time(study, facet="method")

    rows = {
        facet.key: (facet.spent.answers, facet.spent.seconds, facet.answers_left)
        for facet in report.facets
    }
    assert rows == {"background": (2, 90, 6), "method": (3, 270, 5)}
    assert [facet.key for facet in chosen.facets] == ["background", "method"]
    assert chosen.spent.seconds == 270
    assert of(study, "alice", chosen).forecast.answers_left == 1
    assert chosen.whole.answers_left == 5


def test_period_chooses_what_was_done_and_not_what_is_left():
    study = make_study(candidates=6)
    rate(study, "alice", [60, 60, 60], days=[0, 1, 2])

    report = time(study, **{"from": "2026-03-03", "to": "2026-03-03"})

    assert report.spent.answers == 1
    assert of(study, "alice", report).forecast.answers_left == 3
    assert of(study, "bob", report).forecast.answers_left == 6


def test_pairs_that_a_program_rated_are_still_to_be_rated_by_others():
    study = make_study()
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    study.collection.refresh_from_db()
    token, _ = token_of(study.members["alice"])
    study.rate("alice", study.batch.pairs.first(), 1, token=token)

    report = time(study, channel="pages")

    assert (report.spent.answers, report.whole.answers_left) == (0, 5)


def test_decisions_within_a_moment_are_counted_without_a_pace():
    study = make_study(candidates=8)
    study.finish(alice=0, bob=2)
    for pair in study.batch.pairs.all()[:4]:
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(2))

    report = time(study)

    [carol] = report.adjudicators
    assert (carol.pk, carol.decisions) == (study.members["carol"].pk, 4)
    assert report.undecided == 4
    # All within a moment: no pace.
    assert (carol.recent, report.decided_by) == (None, None)
    assert (report.decisions_of_file, report.periods) == (4, [])
    assert (
        "16 ratings and 4 decisions"
        in notes_of(selection_of(study.members["lena"], study.lena, {}))[-1]
    )


def test_decisions_have_a_pace_by_the_day():
    """Four on two days, as the arrays have them: decisions in the database are never rewritten."""
    study = make_study(candidates=8)
    study.finish(alice=0, bob=2)
    for pair in study.batch.pairs.all()[:4]:
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(2))
    member = study.members["lena"]
    selection = selection_of(member, study.lena, {})
    days = np.full(8, np.nan)
    days[:4] = NOON.timestamp() + np.array([0, 1, 2, 3]) * 8 * 3600
    selection.__dict__["everything"] = replace(selection.everything, decided_at=days)

    report = time_of(selection)

    assert (report.decisions_recent.given, report.decisions_recent.days) == (4, 2)
    assert report.decided_by == selection.everything.read_at.date() + timedelta(days=2)
    assert [period.decisions for period in report.periods if period.decisions] == [2, 2]
    assert series_of(selection) == ["decisions"]
    assert notes_of(selection)[1:] == [
        "Left out, since they came at once, as those of an import do: 16 ratings."
    ]


# --- blindness -----------------------------------------------------------------------------------


@shelved
def leading():
    """Nora leads, and rates beside Alice in the first of two batches."""
    study = make_study(facets=("background", "method"), candidates=4, assign=False)
    study.members["nora"] = make_member(study.collection, "Nora", "lead", "annotator")
    first, second = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [first], ["alice", "nora"])
    assign_all(study, [second], ["alice", "bob"])
    return study


def test_lead_who_rates_knows_of_their_own_seat_alone(leading):
    first, second = leading.collection.batches.all()
    rate(leading, "alice", [60, 60, 60], batch=first)
    rate(leading, "nora", [30], batch=first)
    rate(leading, "alice", [60], batch=second)

    nora, lena = time(leading, by="nora"), time(leading, by="lena")

    assert nora.spent.answers == 1
    assert nora.withheld_batches == 1
    assert of(leading, "nora", nora).forecast.answers_left == 3
    alice = of(leading, "alice", nora)
    assert (alice.forecast.answers_left, alice.withheld_seats, alice.spent.answers) == (3, 1, 1)
    # The seat is of a batch of "background", and nobody else's.
    method = time(leading, by="nora", facet="method")
    assert (of(leading, "alice", method).withheld_seats, method.withheld_batches) == (0, 0)
    assert of(leading, "bob", nora).withheld_seats == 0
    assert lena.withheld_batches == 0
    assert of(leading, "alice", lena).forecast.answers_left == 1 + 3


def masked(page):
    return re.sub(r"\d\d:\d\d:\d\d|csrf[^>]*>|X-CSRFToken[^}]*", "", page.content.decode())


def all_of(client, slug):
    """The page and its files, as the client sees them."""
    tables = ("annotators", "facets", "periods", "decisions")
    files = [reverse("agreement:table", args=[slug, "time", table, "csv"]) for table in tables]
    return [masked(client.get(page)) for page in (reverse("agreement:time", args=[slug]), *files)]


def test_others_progress_in_a_withheld_batch_changes_nothing_on_the_page(client, leading):
    first, second = leading.collection.batches.all()
    rate(leading, "alice", [60], batch=second)
    rate(leading, "nora", [30], batch=first)
    client.force_login(leading.nora)
    slug = leading.collection.slug

    before = all_of(client, slug)
    rate(leading, "alice", [10, 20, 30, 40], batch=first)
    given = all_of(client, slug)
    leading.hand_in("alice", first)
    handed_in = all_of(client, slug)
    leading.rate_all("nora", 1, first)
    leading.hand_in("nora", first)
    finished = all_of(client, slug)

    assert before == given == handed_in
    assert finished != handed_in


# --- the page ------------------------------------------------------------------------------------


def test_page_tells_names_and_files_pseudonyms(client):
    study = make_study(candidates=12)
    rate(study, "alice", [60] * 11)
    client.force_login(study.lena)

    page = client.get(reverse("agreement:time", args=[study.collection.slug]))
    file = client.get(
        reverse("agreement:table", args=[study.collection.slug, "time", "annotators", "csv"])
    )

    assertContains(page, "Alice")
    assertContains(page, "11 ratings given")
    assertContains(page, 'aria-label="11 ratings: rated then"')
    assertContains(page, "study&#x27;s pace")
    assertNotContains(file, "Alice")
    assert "A-" in file.content.decode()


def test_page_says_what_is_not_recorded(client):
    study = make_study(candidates=3)
    rate(study, "alice", [0, 0])
    client.force_login(study.lena)

    page = client.get(reverse("agreement:time", args=[study.collection.slug]))

    assertContains(page, "2 ratings given, all without a recorded time")
    assertContains(page, "All ratings came at once")


def test_pairs_that_wait_are_told_apart(client):
    study = make_study(candidates=3)
    rate(study, "alice", [60])
    make_topic(study.collection, query_id="q2", facet="result", candidates=5)
    client.force_login(study.lena)

    report = time(study)
    page = client.get(reverse("agreement:time", args=[study.collection.slug]))

    assert (report.waiting, report.waiting_answers) == (5, 10)
    assert report.waiting_hours == pytest.approx(10 * 60 / 3600)
    assert report.whole.answers_left == 2 + 3
    assertContains(page, "for which nobody has been asked")


@pytest.mark.parametrize(
    ("candidates", "note"),
    [(1, "Not in it: 1 pair without a batch."), (2, "Not in it: 2 pairs without a batch.")],
)
def test_table_says_how_many_pairs_are_without_a_batch(candidates, note):
    study = make_study(candidates=1)
    make_topic(study.collection, query_id="q2", candidates=candidates)
    selection = selection_of(study.members["lena"], study.lena, {})

    assert makers_of(selection, {})["annotators"]().notes[-1] == note


@pytest.mark.parametrize("facets", [("method",), ("background", "method", "result")])
def test_number_of_statements_does_not_grow(django_assert_num_queries, facets):
    study = make_study(facets=facets, candidates=2)
    rate(study, "alice", [60])
    member = study.members["lena"]
    selection = selection_of(member, study.lena, {})
    assert selection.everything.size

    with django_assert_num_queries(4):
        tables_of(selection, "time", {})
