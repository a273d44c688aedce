import uuid

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from adjudication.actions import give_first_value, reopen, take_topic
from adjudication.forms import LEAVE_OUT
from adjudication.models import Decision, FirstValue, TopicHold
from adjudication.raters import nameless
from adjudication.scale import Scale
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import lock_topic
from datasets.models import Membership
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import make_member, make_study, make_user
from tests.masks import without_tokens
from tests.shelf import shelved

QUEUE = "/collections/study/adjudicate/"


def pair_url(pair):
    return reverse("adjudication:decide-pair", args=[pair.public_id])


def topic_url(study, name="topic"):
    return reverse(f"adjudication:{name}", args=["study", study.topics[0].public_id])


def send(client, pair, option, **fields):
    data = {"option": option, "save_id": uuid.uuid4(), **fields}
    headers = {"HX-Request": "true"} if data.pop("htmx", False) else {}
    return client.post(pair_url(pair) + data.pop("query", ""), data, headers=headers)


# --- who gets in ---


@pytest.mark.parametrize(
    ("name", "status"),
    [
        (None, 302),
        ("dave", 404),
        ("ada", 404),
        ("alice", 403),
        ("bob", 403),
        ("lena", 403),
        ("carol", 200),
    ],
)
def test_the_queue_and_its_pairs_are_for_adjudicators(client, study, pair, name, status):
    make_user("Dave")
    if name:
        from accounts.models import User

        client.force_login(User.objects.get(email=f"{name}@example.org"))
    guidelines = reverse("adjudication:guidelines", args=[pair.public_id])

    for address in [QUEUE, pair_url(pair), guidelines]:
        response = client.get(address)
        assert response.status_code == status, address
        if name is None:
            assertRedirects(response, f"/sign-in/?next={address}", fetch_redirect_response=False)
    if name != "carol":
        assert client.get(topic_url(study)).status_code == status
        assert client.post(topic_url(study, "take-topic")).status_code == status
        assert send(client, pair, "identical").status_code == status
        assert (Decision.objects.count(), TopicHold.objects.count()) == (0, 0)


@pytest.mark.parametrize("address", [QUEUE, "topic", "guidelines"])
def test_reading_addresses_take_no_post(carol, study, pair, address):
    address = {
        "topic": topic_url(study),
        "guidelines": reverse("adjudication:guidelines", args=[pair.public_id]),
    }.get(address, address)

    assert carol.post(address).status_code == 405


@pytest.mark.parametrize("name", ["take-topic", "reopen-pair"])
def test_steps_take_no_get(carol, study, pair, name):
    address = (
        topic_url(study, name)
        if name == "take-topic"
        else reverse("adjudication:reopen-pair", args=[pair.public_id])
    )

    assert carol.get(address).status_code == 405


def test_reading_changes_no_row(carol, study, pair):
    from audit.models import Event

    before = Event.objects.count()

    carol.get(QUEUE)
    carol.get(topic_url(study), follow=True)
    carol.get(pair_url(pair))

    assert Event.objects.count() == before
    assert (TopicHold.objects.count(), FirstValue.objects.count()) == (0, 0)


def open_and_send(client, pair):
    return client.get(pair_url(pair)).status_code, send(client, pair, "identical").status_code


def test_what_is_not_in_the_queue_does_not_exist(carol, study, pair):
    disputed, agreed = study.batch.pairs.all()[1:]

    assert open_and_send(carol, agreed) == (404, 404)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Look again.")
    assert open_and_send(carol, disputed) == (404, 404)
    assert carol.get(topic_url(study)).status_code == 404
    assert carol.post(topic_url(study, "take-topic")).status_code == 404
    assert carol.get(f"/adjudicate/{uuid.uuid4()}/").status_code == 404
    assert Decision.objects.count() == 0


def test_a_pair_that_one_rated_does_not_exist_for_one(client, study, pair):
    alice = study.members["alice"]
    alice.is_adjudicator = True
    alice.save(update_fields=["is_adjudicator"])
    client.force_login(study.alice)

    assert open_and_send(client, pair) == (404, 404)
    assertContains(client.get(QUEUE), "No dispute waits for you")


def test_a_topic_of_another_collection_does_not_exist(carol, study):
    other = make_study(slug="other")
    other.finish(alice=0, bob=3)

    address = reverse("adjudication:topic", args=["study", other.topics[0].public_id])

    assert carol.get(address).status_code == 404


# --- the queue ---


def test_the_queue_shows_each_topic_with_what_waits(carol, study):
    response = carol.get(QUEUE)

    [row] = response.context["waiting"]
    assert (row.waiting_count, row.widest, row.decided_count) == (2, "Three grades apart", 0)
    assertContains(response, "Title of q1")
    assertContains(response, "largest difference: three grades apart")


def test_a_topic_that_was_begun_is_continued_in_sight_and_by_name(carol, study, decide_as):
    decide_as(study.carol, study.batch.pairs.disputed()[0], 2, rationale="Why.")

    response = carol.get(QUEUE)

    assertContains(response, 'aria-label="Continue Title of q1')


def test_the_queue_moves_a_topic_to_the_decided_ones(carol, study, decide_as):
    for pair in study.batch.pairs.disputed():
        decide_as(study.carol, pair, 2, rationale="Why.")

    response = carol.get(QUEUE)

    assert response.context["waiting"] == []
    [row] = response.context["decided"]
    assert row.decided_count == 2
    assertContains(response, "Nothing is left to decide")


def test_the_queue_of_a_closed_collection_promises_no_change(carol, study, decide_as):
    for pair in study.batch.pairs.disputed():
        decide_as(study.carol, pair, 2, rationale="Why.")
    before = carol.get(QUEUE)
    lock_topic(topic=study.topics[0], by=study.lena)

    after = carol.get(QUEUE)

    assertContains(before, "you can change your decisions below")
    assertNotContains(after, "you can change your decisions below")
    assertContains(after, "The collection is closed.")


def test_the_queue_tells_other_adjudicators_who_has_a_topic_open(client, study, dora):
    take_topic(topic=study.topics[0], by=study.carol)

    client.force_login(dora)
    assertContains(client.get(QUEUE), "<b>Carol</b> has it open")
    client.force_login(study.carol)
    assertContains(client.get(QUEUE), "You have it open")


def test_opening_takes_the_topic_and_leads_to_the_largest_difference(carol, study, pair):
    response = carol.post(topic_url(study, "take-topic"), follow=True)

    assert response.redirect_chain[-1][0] == pair_url(pair)
    assert TopicHold.objects.get().adjudicator == study.members["carol"]


def test_opening_a_taken_topic_warns_and_leads_there_all_the_same(client, study, pair, dora):
    take_topic(topic=study.topics[0], by=study.carol)
    client.force_login(dora)

    response = client.post(topic_url(study, "take-topic"), follow=True)

    assert response.redirect_chain[-1][0] == pair_url(pair)
    assertContains(response, "Carol has this topic open too")


def test_a_topic_that_is_decided_opens_at_ones_first_decision(carol, study, decide_as):
    first, second = study.batch.pairs.disputed()
    decide_as(study.carol, second, 2)
    assertRedirects(carol.get(topic_url(study)), pair_url(first))

    decide_as(study.carol, first, 3)
    assertRedirects(carol.get(topic_url(study)), pair_url(first))


@pytest.mark.parametrize("count", [1, 3])
def test_the_queue_takes_the_same_number_of_statements(
    client, db, django_assert_num_queries, count
):
    study = make_study(facets=["background", "method", "result"][:count])
    for batch in study.collection.batches.all():
        study.finish(alice=0, bob=3, batch=batch)
    take_topic(topic=study.topics[0], by=study.carol)
    client.force_login(study.carol)

    with django_assert_num_queries(18):
        response = client.get(QUEUE)

    assert len(response.context["waiting"]) == count


@pytest.mark.parametrize("count", [1, 12])
def test_a_pair_takes_the_same_number_of_statements(client, db, django_assert_num_queries, count):
    study = make_study(candidates=count)
    study.finish(alice=0, bob=3)
    client.force_login(study.carol)
    pair = study.batch.pairs.first()

    with django_assert_num_queries(13):
        client.get(pair_url(pair))


# --- the pair ---


def test_a_reopened_pair_says_why_and_what_one_had_decided(carol, study, pair, decide_as):
    decide_as(study.carol, pair, 3)
    reopen(pair=pair, by=study.lena, reason="The guideline changed.")

    response = carol.get(pair_url(pair))

    assertContains(response, "A lead reopened this pair, for which you had decided")
    assertContains(response, "<b>3 · Near-identical</b>", html=True)
    assertContains(response, '<q dir="auto">The guideline changed.</q>')

    decide_as(study.carol, pair, 0)
    assertNotContains(carol.get(pair_url(pair)), "The guideline changed.")


def test_another_adjudicator_reads_why_a_pair_was_reopened_and_not_what_was_decided(
    client, study, pair, dora, decide_as
):
    decide_as(study.carol, pair, 3)
    reopen(pair=pair, by=study.lena, reason="A second opinion.")
    client.force_login(dora)

    response = client.get(pair_url(pair))

    assertContains(response, "A lead reopened this pair: ")
    assertNotContains(response, "had decided")


def test_why_a_pair_was_reopened_waits_for_a_first_value(client, study, pair, dora, decide_as):
    decide_as(study.carol, pair, 3)
    reopen(pair=pair, by=study.lena, reason="It is no 3.")
    hide_ratings(study)
    client.force_login(dora)
    assertNotContains(client.get(pair_url(pair)), "It is no 3.")

    give_first_value(pair=pair, by=dora, option=study.option(1))

    assertContains(client.get(pair_url(pair)), "It is no 3.")


def test_the_pair_shows_ratings_notes_flags_and_times(client, db):
    study = make_study(candidates=1)
    pair = study.batch.pairs.get()
    study.rate("alice", pair, 0, note="Another task.", active_seconds=19)
    study.rate("bob", pair, None, cannot_judge="Garbled.", is_flagged=True, active_seconds=130)
    study.hand_in("alice")
    study.hand_in("bob")
    client.force_login(study.carol)

    response = client.get(pair_url(pair))

    for shown in ["0 · Irrelevant", "Another task.", "19 s", "Garbled.", "2 min 10 s", "Flagged"]:
        assertContains(response, shown)
    assertContains(response, "One cannot judge")
    assertContains(response, "Nothing in how the work is done carries over.")  # a definition


def test_options_say_which_annotators_gave_them(carol, study, pair):
    case = carol.get(pair_url(pair)).context["case"]

    assert [len(choice.by) for choice in case.choices] == [1, 0, 0, 1]
    assert {rater.letter for choice in case.choices for rater in choice.by} == {"A", "B"}


def test_nothing_says_who_rated_or_where_a_paper_comes_from(carol, study, pair, decide_as):
    for name in ["alice", "bob"]:
        member = study.members[name]
        member.name = member.user.name = f"Rater {name}"
        member.save(update_fields=["name"])
        member.user.save(update_fields=["name"])
    decide_as(study.carol, study.batch.pairs.all()[1], 2)
    member = study.members["alice"]
    ratings = [str(rating.public_id) for rating in pair.ratings.all()]
    seats = [str(seat.public_id) for seat in study.batch.seats.all()]

    for address in [QUEUE, pair_url(pair), topic_url(study)]:
        response = carol.get(address, follow=True)
        for hidden in [
            *("Rater alice", "Rater bob", "alice@", "bob@", str(member.public_id)),
            *("Secret Author", "Secret Venue", "secret_source", "2001"),
            *ratings,
            *seats,
        ]:
            assertNotContains(response, hidden)


def test_the_order_of_the_ratings_tells_nothing_of_seats_and_never_changes(db):
    study = make_study(candidates=40)
    study.finish(alice=0, bob=3)

    def letters():
        scale = Scale(study.scheme, "method")
        pairs = study.batch.pairs.select_related("topic__collection")
        return [nameless(pair, study.carol, scale)[0].rating.annotator.name for pair in pairs]

    order = letters()
    assert order == letters()
    # Of 40 fair throws fewer than 8 or more than 32 heads come once in 30,000 studies.
    assert 8 <= order.count("Alice") <= 32


def test_a_decision_is_saved_and_leads_to_the_next_pair(carol, study, pair):
    following = study.batch.pairs.all()[1]

    response = send(carol, pair, "identical", cause="granularity", reason="Same task.")

    assertRedirects(response, pair_url(following))
    decision = Decision.objects.get()
    assert (decision.pair, decision.option.key, decision.cause, decision.rationale) == (
        pair,
        "identical",
        "granularity",
        "Same task.",
    )


def test_the_last_decision_of_a_topic_leads_back_to_the_queue(carol, study, pair, decide_as):
    decide_as(study.carol, study.batch.pairs.all()[1], 2)

    response = send(carol, pair, "identical")

    assertRedirects(response, QUEUE)
    [message] = get_messages(response.wsgi_request)
    assert "Every dispute of q1_method is decided" in str(message)


def test_a_change_in_a_finished_topic_leads_to_its_next_decided_pair(carol, study, decide_as):
    first, second, *_ = study.batch.pairs.all()
    decide_as(study.carol, first, 3)
    decide_as(study.carol, second, 2)

    def change(pair):
        page = carol.get(pair_url(pair))
        assertContains(page, "data-revisits")
        based_on = page.context["form"]["based_on"].value()
        return send(carol, pair, "identical", based_on=based_on, reason="The same task.")

    assertRedirects(change(first), pair_url(second))
    assertRedirects(change(second), QUEUE)


def test_a_pair_is_left_out_with_a_reason(carol, pair):
    send(carol, pair, LEAVE_OUT, reason="The abstract is cut off.")

    decision = Decision.objects.get()
    assert (decision.option, decision.exclusion_reason, decision.rationale) == (
        None,
        "The abstract is cut off.",
        "",
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"option": ""}, "Choose a grade, or leave the pair out."),
        ({"option": "splendid"}, "Select a valid choice"),
        ({"option": LEAVE_OUT}, "Say why the pair is left out."),
        ({"option": LEAVE_OUT, "reason": "  "}, "Say why the pair is left out."),
        ({"option": "related"}, "No annotator gave this grade. Say why you decide so."),
        ({"option": "identical", "cause": "weather"}, "Select a valid choice"),
        ({"option": "identical", "reason": "x" * 5001}, "at most 5000 characters"),
        ({"option": "identical", "reason": "a\0b"}, "Null characters are not allowed."),
        ({"option": "identical", "save_id": "7"}, "Enter a valid UUID."),
        ({"option": "identical", "based_on": "7"}, "Enter a valid UUID."),
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_input_that_does_not_hold_is_refused(carol, pair, fields, sentence, htmx):
    fields = dict(fields)

    response = send(carol, pair, fields.pop("option"), htmx=htmx, **fields)

    assertContains(response, sentence, status_code=422)
    assert Decision.objects.count() == 0


def test_what_was_typed_stays_in_a_refused_form(carol, pair):
    response = send(carol, pair, "", reason="Kept words.", cause="granularity")

    form = response.context["form"]
    assert (form["reason"].value(), form["cause"].value()) == ("Kept words.", "granularity")
    assertContains(response, "Kept words.", status_code=422)


def test_a_scripts_save_names_what_was_kept_and_brings_the_pair_it_asks_for(carol, study, pair):
    save_id, following = uuid.uuid4(), study.batch.pairs.all()[1]

    response = send(carol, pair, "identical", save_id=save_id, ahead=following.public_id, htmx=True)

    assertContains(response, f'data-save-id="{save_id}"')
    assertContains(response, f'data-id="{following.public_id}"')
    assertNotContains(response, "<html")


def test_a_save_sent_twice_is_one_decision(carol, pair):
    save_id = uuid.uuid4()

    answers = [
        send(carol, pair, "identical", save_id=save_id, htmx=True).status_code for _ in range(3)
    ]

    assert answers == [200, 200, 200]
    assert Decision.objects.count() == 1


def test_a_plain_form_sent_twice_is_one_decision(carol, study, pair):
    save_id = carol.get(pair_url(pair)).context["form"]["save_id"].value()

    for _ in range(2):
        response = send(carol, pair, "identical", save_id=save_id)
        assertRedirects(response, pair_url(study.batch.pairs.all()[1]))

    assert Decision.objects.count() == 1


def test_the_same_choice_after_a_reopening_is_a_decision_of_its_own(carol, study, pair):
    for _ in range(2):
        save_id = carol.get(pair_url(pair)).context["form"]["save_id"].value()
        send(carol, pair, "identical", save_id=save_id)
        pair.refresh_from_db()
        assert pair.state == "adjudicated"
        reopen(pair=pair, by=study.lena, reason="A second look.")

    assert Decision.objects.count() == 2


def test_a_decision_can_be_revisited_and_changed(carol, study, pair):
    send(carol, pair, "identical", reason="First thoughts.")
    form = carol.get(pair_url(pair)).context["form"]
    assert (form["option"].value(), form["reason"].value()) == ("identical", "First thoughts.")

    send(carol, pair, "irrelevant", based_on=form["based_on"].value())

    assert Decision.objects.get(superseded_at=None).option.key == "irrelevant"


def test_a_change_made_in_another_tab_is_shown_beside_ones_own(carol, study, pair, decide_as):
    first = decide_as(study.carol, pair, 3)
    second = decide_as(study.carol, pair, 0, based_on=first.public_id)

    response = send(carol, pair, "related", based_on=first.public_id, reason="My reason.")

    assertContains(response, "What stands now is 0 · Irrelevant", status_code=409)
    form = response.context["form"]
    assert (form["option"].value(), form["reason"].value()) == ("related", "My reason.")
    assert form["based_on"].value() == str(second.public_id)
    assert pair.decisions.get(superseded_at=None) == second


def test_of_two_adjudicators_the_second_gets_a_sentence_and_goes_on(
    client, study, pair, dora, decide_as
):
    client.force_login(dora)
    client.get(pair_url(pair))
    decide_as(study.carol, pair, 3, rationale="Carol's own words.")

    plain, scripted = send(client, pair, "irrelevant"), send(client, pair, "irrelevant", htmx=True)

    for response in [plain, scripted]:
        assertContains(response, "decided meanwhile", status_code=409)
        assertNotContains(response, "Carol", status_code=409)
        assertNotContains(response, "Near-identical", status_code=409)
    assertContains(plain, pair_url(study.batch.pairs.all()[1]), status_code=409)
    assert pair.decisions.get().adjudicator == study.members["carol"]


def test_a_decision_of_somebody_else_is_not_shown(client, study, pair, dora, decide_as):
    decide_as(study.carol, pair, 3)
    client.force_login(dora)

    response = client.get(pair_url(pair))
    assertContains(response, "Another adjudicator has decided this pair.", status_code=404)
    assertContains(response, pair_url(study.batch.pairs.all()[1]), status_code=404)
    assertNotContains(response, "Near-identical", status_code=404)
    places = client.get(pair_url(study.batch.pairs.all()[1])).context["strip"].places
    assert [place.pair for place in places] == [study.batch.pairs.all()[1]]


def test_a_save_kept_by_somebody_else_on_the_same_device_is_refused(client, study, pair, dora):
    client.force_login(dora)

    response = send(client, pair, "identical", adjudicator=study.members["carol"].public_id)

    assertContains(response, "Somebody else made this decision", status_code=422)
    assert Decision.objects.count() == 0


def test_a_locked_topic_can_be_read_and_not_changed(carol, study, pair, decide_as):
    decision = decide_as(study.carol, pair, 3)
    decide_as(study.carol, study.batch.pairs.all()[1], 2)
    lock_topic(topic=study.topics[0], by=study.lena)

    response = carol.get(pair_url(pair))
    assertContains(response, "Lena locked this topic")
    assertNotContains(response, "Save and next")
    response = send(carol, pair, "irrelevant", based_on=decision.public_id)
    assertContains(response, "has locked topic q1_method", status_code=423)
    assert pair.decisions.get() == decision


# --- the strip and its filters ---


@shelved
def mixed(db):
    """Differences of 1, 3, none and "cannot judge", in this order of the pool."""
    study = make_study(candidates=4)
    study.finish(alice=[1, 0, 2, None], bob=[2, 3, 2, 1])
    return study


def test_filters_count_and_lead_through_the_pairs_of_one_gap(client, mixed):
    client.force_login(mixed.carol)
    one_apart, three_apart, _, unable = mixed.batch.pairs.all()

    strip = client.get(pair_url(three_apart)).context["strip"]
    assert [(f.label, f.count) for f in strip.filters] == [
        ("All", 3),
        ("1 apart", 1),
        ("2 or more", 1),
        ("Cannot judge", 1),
    ]
    assert [place.pair for place in strip.places] == [three_apart, one_apart, unable]

    strip = client.get(pair_url(three_apart) + "?show=one").context["strip"]
    assert (strip.next_open.pair, strip.next.pair, strip.previous) == (one_apart, one_apart, None)
    assert client.get(pair_url(three_apart) + "?show=nonsense").context["strip"].gap_key == ""


def test_after_the_last_pair_of_a_filter_the_rest_of_the_topic_follows(client, mixed):
    client.force_login(mixed.carol)
    one_apart, three_apart, *_ = mixed.batch.pairs.all()

    response = send(client, one_apart, "similar", query="?show=one")

    assertRedirects(response, pair_url(three_apart))


def test_after_the_last_pair_the_first_that_was_left_follows(client, mixed):
    client.force_login(mixed.carol)
    _, three, _, unable = mixed.batch.pairs.all()

    response = send(client, unable, "related")

    assertRedirects(response, pair_url(three))


# --- ratings hidden until a first own value ---


def test_hidden_ratings_tell_nothing_before_the_first_value(client, db):
    """Worlds that differ in the ratings alone look the same to the adjudicator."""
    study = make_study(candidates=2)
    hide_ratings(study)
    pair, other = study.batch.pairs.all()
    study.rate("alice", other, 0)
    study.rate("bob", other, 1)
    client.force_login(study.carol)

    def world(alice, bob, note):
        study.rate("alice", pair, alice, note=note, is_flagged=bool(note))
        study.rate("bob", pair, bob, active_seconds=len(note))
        for name in ["alice", "bob"]:
            study.hand_in(name)
        answers = [
            client.get(QUEUE),
            client.get(pair_url(pair)),
            client.get(topic_url(study), follow=True),
            send(client, pair, LEAVE_OUT, save_id=uuid.UUID(int=1)),
            send(client, pair, "", save_id=uuid.UUID(int=1), htmx=True),
        ]
        for name in ["alice", "bob"]:
            return_seat(seat=study.seat(name), by=study.lena, reason="Again.")
        return [without_tokens(answer.content) for answer in answers]

    first = world(0, 3, "")
    assert b"Ratings hidden" in first[1]
    assert b"largest difference" not in first[0]
    assert world(2, 1, "A note.") == first
    assert world(None, 2, "Another note.") == first


def test_the_first_value_opens_the_ratings(carol, study, pair):
    hide_ratings(study)
    assertNotContains(carol.get(pair_url(pair)), "Three grades apart")

    response = send(carol, pair, "related")

    assertRedirects(response, pair_url(pair))
    assert FirstValue.objects.get().option.key == "related"
    assert Decision.objects.count() == 0
    response = carol.get(pair_url(pair))
    assertContains(response, "Three grades apart")
    assert response.context["form"]["option"].value() == "related"

    send(carol, pair, "identical")
    assert Decision.objects.get().option.key == "identical"


def test_a_first_value_that_comes_after_anothers_decision_is_reported(
    client, study, pair, dora, decide_as
):
    hide_ratings(study)
    give_first_value(pair=pair, by=study.carol, option=study.option(3))
    decide_as(study.carol, pair, 3)
    client.force_login(dora)

    response = send(client, pair, "related")

    assertContains(response, "decided by another adjudicator", status_code=409)
    assertNotContains(response, "Three grades apart", status_code=409)
    assert FirstValue.objects.count() == 1


def test_a_pair_left_out_unseen_stays_hidden(carol, study, pair):
    hide_ratings(study)

    send(carol, pair, LEAVE_OUT, reason="Cut off.")

    assertNotContains(carol.get(pair_url(pair)), "Three grades apart")
    assert Decision.objects.get().exclusion_reason == "Cut off."


def test_hidden_ratings_have_neither_filter_nor_gap_in_the_strip(carol, study, pair):
    hide_ratings(study)
    give_first_value(pair=pair, by=study.carol, option=study.option(1))

    strip = carol.get(pair_url(pair) + "?show=more").context["strip"]

    assert (strip.filters, strip.gap_key) == ([], "")
    assert {place.gap for place in strip.places} == {None}


# --- reopening ---


@pytest.mark.parametrize(
    ("name", "status"), [("dave", 404), ("alice", 403), ("carol", 403), ("lena", 302)]
)
def test_only_a_lead_reopens(client, study, pair, decide_as, name, status):
    from accounts.models import User

    make_user("Dave")
    decide_as(study.carol, pair, 3)
    client.force_login(User.objects.get(email=f"{name}@example.org"))

    address = reverse("adjudication:reopen-pair", args=[pair.public_id])
    response = client.post(address, {"reason": "A second look."})

    assert response.status_code == status
    pair.refresh_from_db()
    assert pair.state == ("disputed" if name == "lena" else "adjudicated")
    if name == "lena":
        assertRedirects(
            response,
            reverse("agreement:pair", args=[pair.public_id]),
            fetch_redirect_response=False,
        )


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("", "Say why. The reason is kept in the history."),
        ("a\x00b", "Null characters are not allowed."),
        ("x" * 1001, "at most 1000 characters"),
    ],
)
def test_a_reopening_without_a_reason_changes_nothing(
    client, study, pair, decide_as, reason, sentence
):
    decide_as(study.carol, pair, 3)
    client.force_login(study.lena)

    address = reverse("adjudication:reopen-pair", args=[pair.public_id])
    response = client.post(address, {"reason": reason})

    [message] = get_messages(response.wsgi_request)
    assert sentence in str(message)
    pair.refresh_from_db()
    assert pair.state == "adjudicated"


def test_a_lead_who_rates_the_batch_cannot_reopen_its_pairs(client, study, pair, decide_as):
    decide_as(study.carol, pair, 3)
    alice = study.members["alice"]
    alice.is_lead = True
    alice.save(update_fields=["is_lead"])
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Again.")
    client.force_login(study.alice)

    address = reverse("adjudication:reopen-pair", args=[pair.public_id])

    assert client.post(address, {"reason": "Mine."}).status_code == 404


def test_an_adjudicator_in_an_unfinished_batch_sees_nothing_of_it(client, study, pair):
    from annotation.assigning.actions.batches import raise_overlap

    erin = make_member(study.collection, "Erin", "annotator")
    raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="A third opinion.")
    assign_seat(seat=study.batch.seats.get(ordinal=3), member=erin, by=study.lena)
    # Who was an adjudicator before would be given no seat of it.
    Membership.objects.filter(pk=erin.pk).update(is_adjudicator=True)

    for user in [erin.user, study.carol]:
        client.force_login(user)
        assert open_and_send(client, pair) == (404, 404)
        assertContains(client.get(QUEUE), "No dispute waits for you")


def test_labels_without_an_order_stand_by_their_names_alone(client, study, pair):
    study.scheme.scales.update(is_ordinal=False, distance=None)
    client.force_login(study.carol)

    response = client.get(pair_url(pair))

    for rating in pair.ratings.all():
        name = study.scheme.current.words.options[rating.option.key].name
        assertContains(response, f'<span class="g">{name}</span>')
        assertContains(response, f'data-words="{name}"')
    assertNotContains(response, "Values given")
    assertNotContains(response, 'class="lvl"')
