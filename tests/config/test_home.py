"""The home page: what to do next, and nothing about anybody else's work."""

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches
from annotation.progress.attention import undecidable_counts
from annotation.schemes.actions import edit_wording
from config.home import dispute_queues, studies_of
from config.own_work import OwnWork, open_seats
from datasets.models import Collection
from tests.adjudication.audits import make_audit
from tests.factories.studies import make_member, make_study, make_user
from tests.masks import without_tokens
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def study():
    return make_study(facets=("background", "method"))


def test_home_asks_a_visitor_to_sign_in(client):
    response = client.get("/")

    assert response.status_code == 302
    assert response["Location"] == "/sign-in/?next=/"


def test_home_lists_the_open_seats_of_the_person_alone(study):
    of_alice = set(study.alice.memberships.get().seats.all())

    assert {work.seat for work in open_seats(study.alice)} == of_alice
    assert open_seats(study.carol) == []


def test_home_counts_only_the_ratings_of_the_holder(study):
    study.rate("alice", study.first_pair("alice"), 2)

    begun = open_seats(study.alice)[0]

    assert (begun.rated, begun.size, begun.percent) == (1, 3, 33)


def test_what_a_predecessor_rated_is_neither_done_nor_to_do(study):
    study.rate("alice", study.first_pair("alice"), 2)
    eve = make_member(study.collection, "Eve", "annotator")
    assign_seat(seat=study.seat("alice"), member=eve, by=study.lena, reason="Alice is ill")

    [work] = open_seats(eve.user)

    assert (work.rated, work.size) == (0, 2)


def test_a_returned_seat_comes_first_with_its_reason(client, study):
    second = study.collection.batches.last()
    study.rate_all("alice", 2, second)
    study.hand_in("alice", second)
    study.rate("alice", study.first_pair("alice"), 2)
    return_seat(seat=study.seat("alice", second), by=study.lena, reason="Read rule 4 again.")
    client.force_login(study.alice)

    response = client.get("/")

    assert [work.seat.batch for work in open_seats(study.alice)] == [second, study.batch]
    assertContains(response, "Read rule 4 again.")


def test_home_of_an_annotator_does_not_change_with_what_another_one_does(client, study):
    client.force_login(study.alice)
    before = client.get("/").content

    study.rate_all("bob", 1)
    study.hand_in("bob")

    assert without_tokens(client.get("/").content) == without_tokens(before)


def test_disputes_reach_the_home_of_the_adjudicator_after_hand_in(client, study):
    study.rate_all("alice", 3)
    study.rate_all("bob", 1)
    carol = study.members["carol"]
    assert dispute_queues([carol]) == []

    study.hand_in("alice")
    study.hand_in("bob")

    [queue] = dispute_queues([carol])
    assert (queue.topic_count, queue.dispute_count) == (1, 3)
    client.force_login(study.carol)
    assertContains(client.get("/"), "3 disputes in 1 topic<")


def test_an_audit_reaches_the_home_of_its_adjudicator(client, study):
    study.finish(alice=1, bob=1)
    carol = study.members["carol"]
    make_audit(study, size=3)
    client.force_login(study.carol)

    [queue] = dispute_queues([carol])
    assert (queue.dispute_count, queue.audit_pair_count) == (0, 3)
    response = client.get("/")
    assertContains(response, "3 pairs to audit")
    assertNotContains(response, "No dispute waits for you")


def test_a_lead_sees_what_only_a_lead_can_unblock():
    study = make_study(assign=False)
    lena = study.members["lena"]
    waiting = [sentence for sentence, _, _ in studies_of([lena])[0].blocks]

    make_batches(collection=study.collection, by=study.lena)

    assert waiting == ["3 pairs are in no batch."]
    assert [s for s, _, _ in studies_of([lena])[0].blocks] == ["2 seats have nobody in them."]


def test_progress_of_a_lead_who_rates_leaves_that_batch_out(study):
    ludo = make_member(study.collection, "Ludo", "lead", "annotator")
    assign_seat(seat=study.seat("bob"), member=ludo, by=study.lena)
    study.rate_all("alice", 2)

    figures = studies_of([ludo])[0].figures

    assert (figures.pairs, figures.ratings_given, figures.hidden_batches) == (3, 0, 1)


def test_progress_of_several_collections_is_that_of_each(study):
    other = make_study(slug="other", candidates=2)
    waiting = make_study(slug="waiting", assign=False)
    study.finish(alice=[0, 1, None], bob=[0, 2, 1])
    everywhere = [
        make_member(each.collection, "Ludo", "lead", "annotator")
        for each in (study, other, waiting)
    ]
    assign_seat(seat=other.seat("bob"), member=everywhere[1], by=other.lena)
    other.rate_all("alice", 1)

    together = studies_of(everywhere)

    assert together == [each for member in everywhere for each in studies_of([member])]
    assert [each.figures.hidden_batches for each in together] == [0, 1, 0]
    assert [each.figures.waiting_pairs for each in together] == [0, 0, 3]


def test_home_takes_the_same_statements_for_one_collection_that_is_led_and_for_three(
    client, study, django_assert_num_queries
):
    client.force_login(study.lena)
    client.get("/")
    with django_assert_num_queries(14):
        client.get("/")
    for slug in ("second", "third"):
        make_study(slug=slug)

    with django_assert_num_queries(14):
        assertContains(client.get("/"), "gold for 0 of", count=3)


def test_disputes_of_hundreds_of_collections_are_counted_in_parts(db, django_assert_num_queries):
    """SQLite refuses a statement of more than 500 parts."""
    collections = [Collection(pk=number) for number in range(1, 202)]

    with django_assert_num_queries(3):
        assert undecidable_counts(collections) == {}
    assert undecidable_counts([]) == {}


def test_home_of_a_site_admin_links_accounts_and_collections_but_no_study(client, study):
    client.force_login(make_user("Root", is_site_admin=True))

    response = client.get("/")

    assertContains(response, "/people/")
    assertNotContains(response, study.collection.name)


def test_home_tells_a_person_without_a_collection_what_happens_next(client, db):
    client.force_login(make_user("Dave"))

    assertContains(client.get("/"), "A lead invites you by a link.")


def test_open_seats_take_the_same_statements_for_one_and_for_three(django_assert_num_queries):
    study = make_study()
    with django_assert_num_queries(4):
        open_seats(study.alice)
    three = make_study(facets=("background", "method", "result"), slug="three")
    alice = three.members["alice"].user
    study.seat("alice").batch.seats.update(holder=None, handovers=2)

    with django_assert_num_queries(4):
        assert len(open_seats(alice)) == 3


def test_home_says_that_the_wording_changed_since_one_last_rated(client, study):
    client.force_login(study.alice)
    study.rate("alice", study.first_pair("alice"), 1)
    said = "The wording changed since you last rated:"
    assertNotContains(client.get("/"), said)
    edit_wording(
        scheme=study.scheme,
        wording=study.scheme.current.wording,
        guidelines="Count tasks alone.",
        change_note="After round one.",
        by=study.lena,
    )

    response = client.get("/")

    assertContains(response, said)
    assertContains(response, "After round one.")
    study.rate("alice", study.first_pair("alice"), 2)
    assertNotContains(client.get("/"), said)


# --- the way into the work ---


def test_home_goes_on_with_the_batch_worked_on_last(study):
    second = study.collection.batches.last()
    study.rate("alice", study.first_pair("alice"), 2)
    study.rate("alice", second.pairs.first(), 2)

    work = OwnWork(study.alice)

    assert work.next.seat == study.seat("alice", second)
    assert [w.seat for w in work.groups[0].works] == [study.seat("alice")]


def test_home_goes_on_with_the_next_batch_once_the_last_one_is_handed_in(study):
    second = study.collection.batches.last()
    study.rate_all("alice", 2, second)
    study.hand_in("alice", second)

    work = OwnWork(study.alice)

    assert work.next.seat == study.seat("alice")
    assert [w.seat for w in work.handed_in] == [study.seat("alice", second)]


def test_of_two_returned_batches_home_goes_on_with_the_one_worked_on(study):
    second = study.collection.batches.last()
    for batch in (study.batch, second):
        study.rate_all("alice", 2, batch)
        study.hand_in("alice", batch)
        return_seat(seat=study.seat("alice", batch), by=study.lena, reason="Look again.")
    study.rate("alice", second.pairs.first(), 3)

    assert OwnWork(study.alice).next.seat == study.seat("alice", second)


def test_plain_relevance_is_no_facet_that_people_are_told_of(db):
    study = make_study(definition="trec-graded", facets=["relevance"])

    assert [work.facets for work in open_seats(study.alice)] == [[]]


def test_progress_and_pace_of_a_collection_are_the_persons_own(study):
    pair = study.first_pair("alice")
    study.rate("alice", pair, 2, active_seconds=30)
    study.rate("bob", pair, 2, active_seconds=900)

    [group] = OwnWork(study.alice).groups

    assert (group.rated, group.size, group.pace) == (1, 6, 30)


def test_batches_are_more_only_beside_the_one_that_home_goes_on_with(client, study):
    make_study(facets=("background", "method", "result"), slug="three")
    study.rate("alice", study.first_pair("alice"), 2)
    client.force_login(study.alice)

    page = client.get("/")

    assertContains(page, "1 more batch to rate")
    assertContains(page, "3 batches to rate")


def test_home_filters_batches_by_words_of_their_titles(study):
    [group] = OwnWork(study.alice).groups

    assert OwnWork(study.alice, words=group.works[0].title).groups[0].shown == group.works
    assert OwnWork(study.alice, words="no such title").groups[0].shown == []


def test_a_handed_in_batch_stays_readable_from_home(client, study):
    study.rate_all("alice", 2)
    study.hand_in("alice")
    client.force_login(study.alice)

    response = client.get("/")

    assertContains(response, f"/seats/{study.seat('alice').public_id}/hand-in/")
