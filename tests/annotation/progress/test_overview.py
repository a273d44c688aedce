"""The lead's first page: totals, topics, people, what to do next, and what a lead must not see."""

import re
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts.models import User
from adjudication.actions import decide
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import lock_topic, make_batches
from annotation.flags.actions import answer_flag
from annotation.models import Batch, FlagAnswer, Pair
from annotation.progress.figures import Figures
from annotation.progress.overview import overview, topic_rows
from datasets.models import Membership
from tests.adjudication.audits import make_audit, make_audit_study
from tests.factories.studies import (
    assign_all,
    make_aspect_query,
    make_aspect_study,
    make_member,
    make_study,
    make_topic,
    make_user,
)

pytestmark = pytest.mark.once

PAGE = "/collections/study/"
COLUMN = r'<th scope="col">(\w+)</th>'


def decide_all(study, value=3):
    for pair in Pair.objects.filter(topic__collection=study.collection, state="disputed"):
        decide(
            pair=pair,
            by=study.carol,
            save_id=pair.public_id,
            option=study.option(value),
            rationale="Both miss the point.",
        )


def make_rater(study):
    """Give a lead a seat beside Bob's, in place of Alice."""
    member = study.members["lena"]
    Membership.objects.filter(pk=member.pk).update(is_annotator=True)
    member.refresh_from_db()
    seat = study.seat("alice")
    assign_seat(seat=seat, member=member, by=study.lena)
    return member


def lead_steps(study):
    """Every address of a lead's pages: (method, address, data that would work)."""
    batch, topic = study.batch, study.topics[0]
    pair, seat = batch.pairs.first(), batch.seats.first()
    base = f"/collections/{study.collection.slug}/"
    return [
        ("get", f"{base}assign/", {}),
        ("get", f"{base}assign/plan/", {}),
        ("post", f"{base}assign/plan/", {"plan": ""}),
        ("post", f"{base}assign/batches/", {}),
        ("get", f"{base}details/", {}),
        ("post", f"{base}details/", {"name": "Renamed"}),
        ("get", f"{base}flags/", {}),
        ("get", f"{base}undecidable/", {}),
        ("get", f"{base}topics/{topic.public_id}/", {}),
        ("post", f"{base}topics/{topic.public_id}/lock/", {}),
        ("post", f"{base}topics/{topic.public_id}/unlock/", {"reason": "why"}),
        ("get", f"{base}scheme/edit/", {}),
        ("post", f"{base}scheme/edit/", {"preview": "1", "guidelines": "x"}),
        ("get", f"{base}scheme/rules/", {}),
        ("post", f"{base}scheme/rules/", {"rule": "majority", "overlap": 2}),
        ("get", f"/batches/{batch.public_id}/", {}),
        ("post", f"/batches/{batch.public_id}/overlap/", {"overlap": 3, "reason": "why"}),
        ("post", f"/seats/{seat.public_id}/assign/", {"holder": "", "member": ""}),
        ("post", f"/seats/{seat.public_id}/return/", {"reason": "why"}),
        ("get", f"/pairs/{pair.public_id}/history/", {}),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("alice", 403), ("carol", 403), ("dave", 404), ("ada", 404), (None, 302)],
)
def test_the_leads_pages_are_for_leads_alone(client, study, name, expected):
    make_user("Dave")
    if name:
        client.force_login(User.objects.get(email=f"{name}@example.org"))

    answers = {
        (method, address): getattr(client, method)(address, data).status_code
        for method, address, data in lead_steps(study)
    }

    assert answers == dict.fromkeys(answers, expected)


def test_the_lead_of_another_collection_gets_nothing_of_this_one(client, study):
    client.force_login(study.lena)
    other = make_study(slug="other")
    Membership.objects.filter(collection=other.collection, user=study.lena).update(
        removed_at=timezone.now()
    )
    foreign_topic = other.topics[0].public_id

    answers = [
        getattr(client, method)(address, data).status_code
        for method, address, data in lead_steps(other)
    ]
    mixed = client.get(f"/collections/study/topics/{foreign_topic}/")

    assert (set(answers), mixed.status_code) == ({404}, 404)


def test_pages_that_change_something_refuse_get(client, study):
    client.force_login(study.lena)
    gets = {address for method, address, _ in lead_steps(study) if method == "get"}
    posts = [a for method, a, _ in lead_steps(study) if method == "post" and a not in gets]

    assert {client.get(address).status_code for address in posts} == {405}


def test_an_annotator_is_sent_home_and_an_adjudicator_to_the_queue(client, study):
    client.force_login(study.alice)
    assertRedirects(client.get(PAGE), "/", fetch_redirect_response=False)

    client.force_login(study.carol)
    assertRedirects(
        client.get(PAGE), "/collections/study/adjudicate/", fetch_redirect_response=False
    )


def test_a_stranger_cannot_tell_that_the_collection_exists(client, study):
    client.force_login(make_user("Dave"))

    assert client.get(PAGE).status_code == client.get("/collections/no-such/").status_code == 404


def test_totals_follow_the_work(study):
    study.rate("alice", study.batch.pairs.first(), 2)
    report = overview(study.members["lena"])
    assert (report.pairs, report.ratings_given, report.ratings_wanted) == (3, 1, 6)
    assert (report.disputes, report.gold_total) == (0, 0)

    study.rate_all("alice", [2, 2, 2])
    study.rate_all("bob", [2, 1, None])
    study.hand_in("alice")
    study.hand_in("bob")
    report = overview(study.members["lena"])
    assert (report.ratings_given, report.ratings_to_go) == (6, 0)
    assert (report.disputes, report.decided, report.open_disputes) == (2, 0, 2)
    assert report.gold == {"consensus": 1, "adjudicated": 0, "excluded": 0}

    decide_all(study)
    report = overview(study.members["lena"])
    assert (report.disputes, report.decided) == (2, 2)
    assert report.gold == {"consensus": 1, "adjudicated": 2, "excluded": 0}


def test_an_agreed_pair_that_an_audit_sent_to_an_adjudicator_is_no_dispute(client, db):
    study = make_audit_study()
    audit = make_audit(study, size=4)
    for audited in audit.audited_pairs.all():
        decide(
            pair=audited.pair,
            by=study.carol,
            audit=audit,
            save_id=audited.public_id,
            option=study.option(1),
        )

    totals = overview(study.members["lena"])
    [row] = topic_rows(Figures(study.members["lena"]))

    controls = audit.audited_pairs.filter(is_control=True).count()
    assert (totals.disputes, totals.decided) == (row.disputes, row.decided) == (2, controls)
    assert totals.gold["adjudicated"] == 4 + controls
    client.force_login(study.lena)
    page = reverse("agreement:pairs", args=["study"])
    assertContains(client.get(page, {"list": "disputes", "cell": "all"}), "2 pairs")


def test_waiting_pairs_want_as_many_ratings_as_the_scheme_says(study):
    make_topic(study.collection, "q2", candidates=4)

    report = overview(study.members["lena"])

    assert (report.waiting_pairs, report.ratings_wanted) == (4, 3 * 2 + 4 * 2)


def test_a_topic_moves_through_its_states(study):
    lena = study.members["lena"]

    def state():
        return overview(lena).topics[0].state

    new = make_study(slug="new", assign=False)
    assert overview(new.members["lena"]).topics[0].state == "waiting"
    [batch] = make_batches(collection=new.collection, by=new.lena)
    assert overview(new.members["lena"]).topics[0].state == "unassigned"
    for seat, name in zip(batch.seats.all(), ["alice", "bob"], strict=True):
        assign_seat(seat=seat, member=new.members[name], by=new.lena)
    assert overview(new.members["lena"]).topics[0].state == "rating"
    study.finish(alice=[0, 1, 2], bob=[0, 1, 3])
    assert state() == "adjudication"
    decide_all(study)
    assert state() == "done"
    lock_topic(topic=study.topics[0], by=study.lena)
    assert state() == "locked"


def test_a_topic_with_new_candidates_waits_again_although_its_batch_is_done(study):
    study.finish(alice=0, bob=0)
    document = make_topic(study.collection, "q2", candidates=1).pairs.get().document
    Pair.objects.create(topic=study.topics[0], document=document, position=9)

    row = overview(study.members["lena"]).topics[0]

    assert (row.state, row.waiting, row.pairs) == ("waiting", 1, 4)


def test_progress_is_shown_for_each_seat(study):
    study.rate("alice", study.batch.pairs.first(), 2)

    row = overview(study.members["lena"]).topics[0]

    assert [(seat.ordinal, seat.rated, seat.size) for seat in row.lists] == [(1, 1, 3), (2, 0, 3)]
    assert [person.name for person in row.people] == ["Alice", "Bob"]


@pytest.mark.parametrize(
    ("overlap", "bars"),
    [(1, ["Ratings"]), (2, ["First", "Second"]), (3, ["First", "Second and on"])],
)
def test_the_bars_of_progress_are_named_as_there_are(client, db, overlap, bars):
    study = make_study(assign=False, overlap=overlap)
    client.force_login(study.lena)
    assertNotContains(client.get(PAGE), "Disputes decided</span>")
    make_batches(collection=study.collection, by=study.lena)

    page = client.get(PAGE).content.decode()

    key = page.partition('<p class="end key">')[2].partition("</p>")[0]
    assert re.findall(r"</svg>([^<]+)</span>", key) == [*bars, "Disputes decided"]


def test_of_seats_that_are_handed_in_no_rating_is_counted(study):
    study.finish(alice=[0, 1, 2], bob=[0, 1, 3])

    with CaptureQueriesContext(connection) as captured:
        figures = Figures(study.members["lena"])

    assert [figures.progress(seat).rated for seat in figures.seats[study.batch.pk]] == [3, 3]
    assert "annotation_rating" not in "".join(query["sql"] for query in captured)


def test_differences_are_shown_only_when_every_seat_is_handed_in(study):
    study.rate_all("alice", 0)
    study.rate_all("bob", 3)
    study.hand_in("alice")
    assert overview(study.members["lena"]).topics[0].disputes is None

    study.hand_in("bob")

    assert overview(study.members["lena"]).topics[0].disputes == 3


def test_people_have_their_progress_and_median_time(study):
    for pair, seconds in zip(study.batch.pairs.all(), [40, 10, 10], strict=True):
        study.rate("alice", pair, 1, active_seconds=Decimal(seconds))
    first, second = study.batch.pairs.all()[:2]
    study.rate("bob", first, 1, active_seconds=Decimal(4))
    study.rate("bob", second, 1, active_seconds=Decimal(7))

    rows = overview(study.members["lena"]).people

    figures = [(row.member.name, row.answered, row.to_rate, row.median_seconds) for row in rows]
    assert figures == [("Alice", 3, 3, 10.0), ("Bob", 2, 3, 5.5)]


def test_ratings_without_a_time_have_no_median(study):
    study.rate("alice", study.batch.pairs.first(), 1)

    with CaptureQueriesContext(connection) as captured:
        alice, _ = overview(study.members["lena"]).people

    assert alice.median_seconds is None
    # Of an imported study these are all ratings: they are not counted in vain.
    assert not [query["sql"] for query in captured if '"active_seconds" = ' in query["sql"]]


def test_times_of_many_people_are_read_in_parts(study, monkeypatch):
    """SQLite refuses a statement of more than 500 parts."""
    for name, seconds in [("alice", [8, 0, 2]), ("bob", [0.3, 12, 0.7])]:
        for pair, took in zip(study.batch.pairs.all(), seconds, strict=True):
            study.rate(name, pair, 1, active_seconds=Decimal(str(took)))
    study.hand_in("alice")
    monkeypatch.setattr("annotation.progress.overview.PEOPLE_AT_ONCE", 1)

    rows = overview(study.members["lena"]).people

    assert [row.median_seconds for row in rows] == [5.0, 0.7]


def test_a_time_counts_for_who_gave_the_rating_and_not_for_who_holds_the_seat(study):
    study.rate("alice", study.batch.pairs.first(), 1, active_seconds=Decimal(9))
    eve = make_member(study.collection, "Eve", "annotator")
    assign_seat(seat=study.seat("alice"), member=eve, by=study.lena, reason="Alice is ill.")

    rows = {row.member.name: row for row in overview(study.members["lena"]).people}

    assert (rows["Alice"].median_seconds, rows["Eve"].median_seconds) == (9.0, None)


def test_a_successor_is_asked_only_for_what_is_left(study):
    study.rate("alice", study.batch.pairs.first(), 1)
    eve = make_member(study.collection, "Eve", "annotator")
    assign_seat(seat=study.seat("alice"), member=eve, by=study.lena, reason="Alice is ill.")

    rows = {row.member.name: row for row in overview(study.members["lena"]).people}

    assert (rows["Eve"].answered, rows["Eve"].to_rate) == (0, 2)
    assert (rows["Alice"].answered, rows["Alice"].to_rate) == (0, 0)


@pytest.mark.parametrize("who", ["holds", "held"])
def test_a_lead_who_rates_sees_their_own_figures_alone(study, who):
    lena = make_rater(study)
    study.members["dan"] = make_member(study.collection, "Dan", "annotator")
    pairs = list(study.batch.pairs.all())
    study.rate("bob", pairs[0], 3, is_flagged=True, active_seconds=Decimal(9))
    study.rate("bob", pairs[1], 0)
    study.rate("lena", pairs[0], 1, active_seconds=Decimal(5))
    if who == "held":
        seat = study.seat("lena")
        assign_seat(seat=seat, member=study.members["dan"], by=study.lena, reason="Too busy.")

    report = overview(lena)

    assert report.hidden_batches == 1
    assert (report.pairs, report.ratings_given, report.flagged_pairs) == (0, 0, 0)
    assert all(entry.rated is None or who == "holds" for entry in report.topics[0].lists)
    bob = next(row for row in report.people if row.member.name == "Bob")
    assert (bob.answered, bob.to_rate, bob.hidden_seats, bob.median_seconds) == (0, 0, 1, None)
    assert {row.member.name: row.median_seconds for row in report.people}["Lena"] == 5.0


def test_the_same_page_tells_a_rating_lead_nothing_of_what_the_others_do(client, study):
    """Two worlds: Bob has done nothing, or everything; the lead who rates beside him sees one."""
    make_rater(study)
    client.force_login(study.lena)
    pages = [PAGE, "/collections/study/assign/", f"/batches/{study.batch.public_id}/"]
    pages += [
        f"/collections/study/topics/{study.topics[0].public_id}/",
        "/collections/study/flags/",
    ]
    before = [_text(client.get(page)) for page in pages]

    study.rate_all("bob", [3, None, 0])
    study.rate("bob", study.batch.pairs.first(), 2, note="My note.", is_flagged=True)
    study.hand_in("bob")

    assert [_text(client.get(page)) for page in pages] == before


def _text(response):
    """The page without what differs from one answer to the next."""
    assert response.status_code == 200
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())
    return re.sub(r'"X-CSRFToken": "[^"]*"', "", text)


def test_the_rating_leads_page_opens_when_every_seat_is_handed_in(study):
    lena = make_rater(study)
    study.rate_all("bob", 3)
    study.rate_all("lena", 3)
    study.hand_in("bob")
    study.hand_in("lena")

    report = overview(lena)

    assert (report.hidden_batches, report.pairs, report.gold_total) == (0, 3, 3)


def test_flagged_pairs_are_counted_once_and_agreed_ones_too(study):
    for name in ["alice", "bob"]:
        study.rate(name, study.batch.pairs.first(), 1, is_flagged=True)

    report = overview(study.members["lena"])

    assert (report.flagged_pairs, report.flags_to_answer) == (1, 1)


def test_answered_flags_are_no_more_to_do(client, study):
    first, second, _ = study.batch.pairs.all()
    for pair in (first, second):
        study.rate("alice", pair, 1, is_flagged=True)
    flagged = [first.ratings.get(), second.ratings.get()]
    client.force_login(study.lena)

    assertContains(client.get(PAGE), "2 flagged pairs</a> to answer")
    answer_flag(rating=flagged[0], by=study.lena, kind=FlagAnswer.Kind.REPLY, text="Yes.")
    assertContains(client.get(PAGE), "1 flagged pair</a> to answer")
    answer_flag(rating=flagged[1], by=study.lena, kind=FlagAnswer.Kind.DISCUSSED)
    done = client.get(PAGE)
    assertContains(done, "?show=all")
    assertContains(done, "2 flagged pairs</a> are answered")


def test_disputes_that_every_adjudicator_rated_are_counted(client, study):
    study.finish(alice=0, bob=1)
    client.force_login(study.lena)
    assertNotContains(client.get(PAGE), "no adjudicator may decide")

    Membership.objects.filter(collection=study.collection, name="Carol").update(
        is_adjudicator=False, is_annotator=True
    )
    Membership.objects.filter(collection=study.collection, name="Bob").update(is_adjudicator=True)

    assertContains(client.get(PAGE), "no adjudicator may decide")
    assert overview(study.members["lena"]).undecidable_pairs == 3


def test_disputes_without_an_adjudicator_lead_to_the_members_page(client, study):
    study.finish(alice=0, bob=1)
    Membership.objects.filter(name="Carol").update(is_adjudicator=False, is_lead=True)
    client.force_login(study.lena)

    assertContains(client.get(PAGE), "3 disputes and no adjudicator")


def test_the_filter_is_in_the_address_and_shows_one_state(client, study):
    make_topic(study.collection, "q2")
    client.force_login(study.lena)

    response = client.get(PAGE, {"state": "waiting"})

    assert [row.topic.external_id for row in response.context["rows"]] == ["q2_method"]
    assertContains(response, "All 2")


@pytest.mark.parametrize("state", ["no-such-state", "", "'\"<script>"])
def test_an_unknown_filter_shows_all_topics(client, study, state):
    client.force_login(study.lena)

    response = client.get(PAGE, {"state": state})

    assert len(response.context["rows"]) == 1


def test_htmx_gets_the_topics_alone(client, study):
    client.force_login(study.lena)

    response = client.get(PAGE, headers={"HX-Request": "true"})

    assertContains(response, 'id="topics"')
    assertNotContains(response, "<html")


def test_going_back_in_history_gets_the_whole_page(client, study):
    client.force_login(study.lena)

    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}

    assertContains(client.get(PAGE, headers=headers), "<html")


def test_an_empty_collection_says_what_to_do_first(client, db):
    study = make_study(facets=())
    client.force_login(study.lena)

    response = client.get(PAGE)

    assertContains(response, "Missing before the first rating")
    assertContains(response, "2 annotators so far")


def test_before_the_pool_there_are_no_pairs_rather_than_all_ratings(client, db):
    study = make_study(candidates=0, assign=False)
    client.force_login(study.lena)

    assertContains(client.get(PAGE), "no pairs yet")


def test_titles_are_shown_as_text(client, study):
    document = study.topics[0].queries.get().document
    document.title = "<script>alert(1)</script>"
    document.save()
    client.force_login(study.lena)

    assertNotContains(client.get(PAGE), "<script>alert(1)")


@pytest.mark.parametrize("topics", [1, 3, 50])
def test_the_page_costs_the_same_for_one_topic_and_for_fifty(
    client, study, topics, django_assert_num_queries
):
    for number in range(topics - 1):
        make_topic(study.collection, f"q{number + 2}", candidates=1)
    make_batches(collection=study.collection, by=study.lena)
    for batch in Batch.objects.filter(collection=study.collection)[1:]:
        assign_seat(seat=batch.seats.first(), member=study.members["alice"], by=study.lena)
    client.force_login(study.lena)

    with django_assert_num_queries(18):
        client.get(PAGE)


@pytest.mark.parametrize("annotators", [2, 20])
def test_the_page_costs_the_same_for_two_annotators_and_for_twenty(
    client, db, annotators, django_assert_num_queries
):
    study = make_study(assign=False)
    for number in range(1, annotators // 2):
        make_topic(study.collection, f"q{number + 1}", candidates=1)
    more = {
        f"a{at}": make_member(study.collection, f"A{at}", "annotator")
        for at in range(annotators - 2)
    }
    study.members.update(more)
    names = ["alice", "bob", *more]
    batches = make_batches(collection=study.collection, by=study.lena)
    for at, batch in enumerate(batches):
        raters = names[2 * at : 2 * at + 2]
        assign_all(study, [batch], raters)
        for rater in raters:
            study.rate(rater, batch.pairs.first(), 1, active_seconds=Decimal(9))
    client.force_login(study.lena)

    with django_assert_num_queries(21):
        response = client.get(PAGE)

    medians = [row.median_seconds for row in response.context["report"].people]
    assert medians == [9.0] * annotators


def test_an_aspect_is_listed_with_the_queries_that_ask_for_it(db):
    study = make_aspect_study()
    shared = study.topics[0].external_id
    make_aspect_query(study.collection, "1", tree={shared: ["new"], "other": [shared]})

    rows = {row.topic.external_id: row.queries for row in overview(study.members["lena"]).topics}

    assert rows.pop(shared) == ["0", "1"]
    assert rows.pop("new") == rows.pop("other") == ["1"]
    assert set(map(tuple, rows.values())) == {("0",)}


def test_columns_are_named_for_what_the_scheme_judges(client, study):
    aspects = make_aspect_study()
    client.force_login(study.lena)
    of_facets = client.get(PAGE).content.decode()
    client.force_login(aspects.lena)
    of_aspects = client.get(f"/collections/{aspects.collection.slug}/").content.decode()

    assert re.findall(COLUMN, of_facets)[:2] == ["Query", "Facet"]
    assert re.findall(COLUMN, of_aspects)[:2] == ["Aspect", "Query"]


def test_every_topic_row_leads_to_its_topic(client, study):
    client.force_login(study.lena)

    address = reverse("annotation:topic", args=["study", study.topics[0].public_id])

    assertContains(client.get(PAGE), f'href="{address}"')


def test_figures_of_one_topic_are_those_of_the_whole(db):
    """Pages of a topic or a batch count it alone; what they count is the same."""
    study = make_study(facets=("background", "method"))
    study.finish(study.collection.batches.first(), alice=[0, 1, None], bob=[0, 2, 1])
    whole = Figures(study.members["lena"])

    for topic, row in zip(study.topics, topic_rows(whole), strict=True):
        alone = Figures(study.members["lena"], topic=topic)
        assert topic_rows(alone, topic=topic) == [row]
        for batch in alone.batches.values():
            of_batch = Figures(study.members["lena"], batch=batch)
            for seat in whole.seats[batch.pk]:
                assert of_batch.progress(seat) == alone.progress(seat) == whole.progress(seat)
