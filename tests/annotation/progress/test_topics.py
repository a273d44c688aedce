"""One topic, flags, disputes that nobody may decide, and the history of a pair."""

from copy import deepcopy

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from adjudication.actions import decide, reopen
from adjudication.models import Decision
from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import lock_topic, raise_overlap, set_way
from annotation.models import Pair
from annotation.progress.history import history
from annotation.schemes.actions import edit_wording, load_definition
from datasets.models import Candidate, Membership
from tests.factories.studies import (
    make_aspect_study,
    make_collection,
    make_member,
    make_study,
    make_topic,
)

PAGE = "/collections/study/"


def topic_page(study):
    return f"{PAGE}topics/{study.topics[0].public_id}/"


def pair_page(pair):
    return f"/pairs/{pair.public_id}/"


def settle_dispute(study, pair, value, **more):
    pair.refresh_from_db()
    return decide(
        pair=pair,
        by=study.carol,
        save_id=more.pop("save_id", pair.public_id),
        option=study.option(value),
        **more,
    )


# --- the topic ---


def test_the_lead_sees_who_gave_what(lena, study):
    study.finish(alice=[0, 2, None], bob=[0, 3, 1])

    response = lena.get(topic_page(study))

    cells = [
        [
            (cell.rating.annotator.name, cell.rating.option and int(cell.rating.option.value))
            for cell in row.cells
        ]
        for row in response.context["pair_rows"]
    ]
    assert cells == [
        [("Alice", 0), ("Bob", 0)],
        [("Alice", 2), ("Bob", 3)],
        [("Alice", None), ("Bob", 1)],
    ]
    assertContains(response, "cannot judge")


def test_options_of_one_value_are_shown_by_their_names(client, db):
    study = make_aspect_study()
    pair = study.first_pair("alice")
    study.rate("alice", pair, "agree")
    study.rate("bob", pair, "dispute")
    study.rate("erin", pair, "concur")
    client.force_login(study.lena)

    page = client.get(f"/collections/aspects/topics/{pair.topic.public_id}/")
    [row] = [row for row in page.context["pair_rows"] if row.pair == pair]

    assert [cell.name for cell in row.cells] == ["Agree", "Dispute", ""]
    assertContains(page, "<b>1</b> Dispute")
    assertContains(page, "<b>2</b> <span")


def test_open_seats_leave_open_cells(lena, study):
    study.rate("bob", study.batch.pairs.first(), 1)

    [row, *_] = lena.get(topic_page(study)).context["pair_rows"]

    assert [cell and cell.rating.annotator.name for cell in row.cells] == [None, "Bob"]


def test_the_filter_shows_pairs_of_one_state(lena, study):
    study.finish(alice=[0, 2, 1], bob=[0, 3, 1])

    response = lena.get(topic_page(study), {"state": "disputed"}, headers={"HX-Request": "true"})

    assert [row.pair.state for row in response.context["pair_rows"]] == ["disputed"]
    assertNotContains(response, "<html")
    assertContains(response, "All 3")


def test_a_rating_lead_sees_no_pair_of_the_batch(lena, study):
    Membership.objects.filter(pk=study.members["lena"].pk).update(is_annotator=True)
    study.members["lena"].refresh_from_db()
    assign_seat(seat=study.seat("alice"), member=study.members["lena"], by=study.lena)
    study.rate("bob", study.batch.pairs.first(), 3, note="Bob's own words.", is_flagged=True)

    pages = [topic_page(study), f"/batches/{study.batch.public_id}/", f"{PAGE}flags/"]
    answers = [lena.get(page) for page in pages]

    assert lena.get(pair_page(study.batch.pairs.first())).status_code == 404
    for answer in answers:
        assertNotContains(answer, "Bob&#x27;s own words.")
        assertNotContains(answer, "Title of q1c1")
    assertContains(answers[0], "3 pairs are left out")


@pytest.mark.parametrize("candidates", [1, 3, 50])
def test_pages_of_pairs_cost_the_same_for_one_pair_and_for_fifty(
    client, db, candidates, django_assert_num_queries
):
    study = make_study(candidates=candidates)
    study.rate_all("alice", 1)
    study.rate("alice", study.batch.pairs.first(), 2, is_flagged=True)
    client.force_login(study.lena)

    with django_assert_num_queries(21):
        client.get(topic_page(study))
    with django_assert_num_queries(28):
        client.get(f"/batches/{study.batch.public_id}/")
    with django_assert_num_queries(12):
        client.get(f"{PAGE}flags/")


def test_pairs_of_a_batch_and_of_a_topic_come_in_pages(lena, study, monkeypatch):
    monkeypatch.setattr("annotation.progress.pairs.PAGE_SIZE", 2)
    study.rate_all("alice", [0, 2, 1])
    pairs = list(study.batch.pairs.all())
    first, second, third = pairs

    def shown(address, **parameters):
        rows = lena.get(address, parameters).context["pair_rows"]
        return [
            (row.pair, [cell and int(cell.rating.option.value) for cell in row.cells])
            for row in rows
        ]

    for address in (f"/batches/{study.batch.public_id}/", topic_page(study)):
        assert shown(address) == [(first, [0, None]), (second, [2, None])]
        assert shown(address, page=2) == [(third, [1, None])]
        assert shown(address, words=third.document.external_id) == [(third, [1, None])]
    assertContains(lena.get(address, {"page": 2}), "All 3")
    assert shown(address, order="title", page=2) == [(third, [1, None])]
    assert shown(address, state=Pair.State.DISPUTED) == []


def test_a_topic_without_pairs_says_what_its_query_lacks(lena, study):
    without_pool = make_topic(study.collection, "q2", candidates=0)
    without_texts = make_topic(study.collection, "q3", candidates=0)
    query = without_texts.queries.get()
    Candidate.objects.create(query=query, external_id="c1", position=0)

    def page_of(topic):
        return lena.get(f"{PAGE}topics/{topic.public_id}/")

    assertContains(page_of(without_pool), "Its query has no candidates yet.")
    assertContains(page_of(without_texts), "None of its candidates has a text")


def test_a_topic_is_locked_when_every_pair_has_gold(lena, study):
    assertNotContains(lena.get(topic_page(study)), f"{topic_page(study)}lock/")

    study.finish(alice=1, bob=1)

    assertContains(lena.get(topic_page(study)), f"{topic_page(study)}lock/")

    response = lena.post(f"{topic_page(study)}lock/")

    assertRedirects(response, topic_page(study))
    study.topics[0].refresh_from_db()
    assert (study.topics[0].is_locked, study.topics[0].locked_by) == (True, study.lena)


def test_a_topic_with_open_disputes_is_not_locked(lena, study):
    study.finish(alice=1, bob=2)

    response = lena.post(f"{topic_page(study)}lock/", follow=True)

    assertContains(response, "3 pairs have no gold yet.")
    study.topics[0].refresh_from_db()
    assert not study.topics[0].is_locked


def test_unlocking_needs_a_reason(lena, study):
    study.finish(alice=1, bob=1)
    lock_topic(topic=study.topics[0], by=study.lena)

    response = lena.post(f"{topic_page(study)}unlock/", {"reason": " "})
    assertContains(response, "Say why.", status_code=422)
    assert lena.get(topic_page(study)).context["topic"].is_locked

    lena.post(f"{topic_page(study)}unlock/", {"reason": "A wrong abstract."})
    assert not lena.get(topic_page(study)).context["topic"].is_locked


def test_all_locked_topics_are_unlocked_at_once_with_a_reason(lena, study):
    overview = reverse("annotation:collection", args=[study.collection.slug])
    unlock = reverse("annotation:unlock-topics", args=[study.collection.slug])
    study.finish(alice=1, bob=1)
    lock_topic(topic=study.topics[0], by=study.lena)
    assertContains(lena.get(overview, {"state": "locked"}), f'action="{unlock}"')

    assertContains(lena.post(unlock, {"reason": " "}, follow=True), "Say why.")
    assert study.collection.topics.get().is_locked

    response = lena.post(unlock, {"reason": "A definition changed."}, follow=True)
    assertContains(response, "Unlocked 1 topic. Decisions can change again.")
    assert not study.collection.topics.get().is_locked
    assertContains(lena.post(unlock, {"reason": "Again."}, follow=True), "No topic is locked.")


@pytest.mark.parametrize("slug", ["other", "no-such"])
def test_a_topic_is_found_under_its_own_collection_only(lena, study, slug):
    make_study(slug="other")

    address = f"/collections/{slug}/topics/{study.topics[0].public_id}/"

    assert lena.get(address).status_code == 404
    assert lena.post(f"{address}lock/").status_code == 404


@pytest.mark.parametrize(
    ("facets", "sentence"),
    [
        (("method",), "1 topic is locked. Its gold is final."),
        (("method", "result"), "2 topics are locked. Their gold is final."),
    ],
)
def test_topics_that_are_done_are_locked_with_a_sentence(client, db, facets, sentence):
    study = make_study(facets=facets)
    for batch in study.collection.batches.all():
        study.finish(batch, alice=1, bob=1)
    client.force_login(study.lena)

    assertContains(client.post(f"{PAGE}topics/lock-done/", follow=True), sentence)


# --- flags ---


def test_flagged_pairs_are_listed_with_every_note_also_agreed_ones(lena, study):
    first, second, third = study.batch.pairs.all()
    study.rate("alice", first, 1, is_flagged=True, note="Is a survey a method?")
    study.rate("bob", first, 1, note="A survey, as I read it.")
    study.rate("alice", second, 2, note="Unflagged.")
    study.rate("bob", second, 2)
    study.rate("bob", third, None, is_flagged=True)

    response = lena.get(f"{PAGE}flags/")

    assert [row.pair for row in response.context["rows"]] == [first, third]
    assert first.__class__.objects.get(pk=first.pk).state == "agreed"
    assertContains(response, "Is a survey a method?")
    assertContains(response, "A survey, as I read it.")
    assertNotContains(response, "Unflagged.")


def test_a_flag_taken_back_is_not_listed(lena, study):
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 1, is_flagged=True)
    study.rate("alice", pair, 1, is_flagged=False)

    assertContains(lena.get(f"{PAGE}flags/"), "Nothing is flagged")


def test_notes_are_shown_as_text(lena, study):
    note = "<img src=x onerror=alert(1)> {{ 7|add:7 }}"
    study.rate("alice", study.batch.pairs.first(), 1, is_flagged=True, note=note)

    for page in [f"{PAGE}flags/", pair_page(study.batch.pairs.first()), topic_page(study)]:
        response = lena.get(page)
        assertNotContains(response, "<img")
        assertContains(response, "&lt;img src=x onerror=alert(1)&gt; {{ 7|add:7 }}")


# --- what nobody may decide ---


def test_disputes_that_every_adjudicator_rated_are_listed_with_their_raters(lena, study):
    study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    assertContains(lena.get(f"{PAGE}undecidable/"), "There are none")

    Membership.objects.filter(name="Carol").update(is_adjudicator=False, is_lead=True)
    Membership.objects.filter(name="Alice").update(is_adjudicator=True)

    [row] = lena.get(f"{PAGE}undecidable/").context["rows"]
    assert row.pair == study.batch.pairs.all()[1]
    assert [answer.rating.annotator.name for answer in row.ratings] == ["Alice", "Bob"]


def test_another_adjudicator_who_did_not_rate_makes_it_decidable(lena, study):
    study.finish(alice=0, bob=1)
    Membership.objects.filter(name="Alice").update(is_adjudicator=True)

    assertContains(lena.get(f"{PAGE}undecidable/"), "There are none")


# --- history ---


def entries_of(pair):
    """(who, what, before, after) of each entry about a rating or a decision."""
    pair = Pair.objects.select_related("topic__collection", "batch").get(pk=pair.pk)
    return [
        (entry.person, entry.event, entry.before, entry.after)
        for entry in history(pair)
        if entry.icon in {"pencil", "rotate-ccw", "scale"}
    ]


def ratings_of(pair, name):
    return [entry for entry in history(pair) if entry.person == name]


def test_every_change_of_a_rating_and_a_decision_is_listed_in_order(study):
    pair = study.batch.pairs.first()
    study.rate_all("alice", 1)
    study.rate("alice", pair, 2)
    study.rate_all("bob", 0)
    study.rate("bob", pair, None, cannot_judge="Cut off.")
    study.hand_in("alice")
    study.hand_in("bob")
    first = settle_dispute(study, pair, 2)
    settle_dispute(
        study,
        pair,
        3,
        save_id=study.collection.public_id,
        based_on=first.public_id,
        rationale="On second thought.",
    )
    reopen(pair=pair, by=study.lena, reason="New guideline.")

    assert entries_of(pair) == [
        ("Alice", "rated in seat 1", "", "1 Related"),
        ("Alice", "changed the rating in seat 1", "1 Related", "2 Similar"),
        ("Bob", "rated in seat 2", "", "0 Irrelevant"),
        ("Bob", "changed the rating in seat 2", "0 Irrelevant", "Cannot judge: Cut off."),
        ("Carol", "decided", "", "2 Similar"),
        ("Carol", "changed the decision", "2 Similar", "3 Near-identical"),
        ("Lena", "reopened the decision", "3 Near-identical", ""),
    ]


def test_the_history_has_the_names_that_grades_had_when_they_were_given(study):
    pair = study.batch.pairs.first()
    study.rate_all("alice", 1)
    study.finish(bob=0)
    wording = deepcopy(study.scheme.current.wording)
    wording["options"]["related"]["name"] = "Touching"
    edit_wording(scheme=study.scheme, wording=wording, guidelines="", change_note="", by=study.lena)
    study.rate("alice", pair, 1, note="Still.")
    study.hand_in("alice")
    settle_dispute(study, pair, 1)

    assert entries_of(pair) == [
        ("Alice", "rated in seat 1", "", "1 Related"),
        ("Bob", "rated in seat 2", "", "0 Irrelevant"),
        ("Alice", "changed the rating in seat 1", "1 Related", "1 Touching"),
        ("Carol", "decided", "", "1 Touching"),
    ]


def test_a_decision_of_an_import_is_listed_although_the_trail_does_not_name_its_pair(study):
    study.finish(alice=0, bob=1)
    pair, carol = study.batch.pairs.first(), study.members["carol"]
    Decision.objects.create(pair=pair, adjudicator=carol, option=study.option(2))

    assert entries_of(pair)[-1] == ("Carol", "decided", "", "2 Similar")


def test_an_exclusion_is_shown_with_its_reason(study):
    pair = study.batch.pairs.first()
    study.finish(alice=0, bob=1)
    pair.refresh_from_db()
    decide(pair=pair, by=study.carol, save_id=pair.public_id, exclusion_reason="Not a paper.")

    assert entries_of(pair)[-1] == ("Carol", "decided", "", "Excluded: Not a paper.")


def test_seats_batch_and_topic_are_part_of_the_history(lena, study):
    study.finish(alice=1, bob=1)
    return_seat(seat=study.seat("alice"), by=study.lena, reason="Please look at pair 2 again.")
    eve = make_member(study.collection, "Eve", "annotator")
    assign_seat(seat=study.seat("alice"), member=eve, by=study.lena, reason="Alice left.")
    raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="Low agreement.")

    response = lena.get(pair_page(study.batch.pairs.first()))

    for words in [
        "put the pair into batch q1_method",
        "handed in seat 2",
        "returned seat 1 to its holder",
        "Please look at pair 2 again.",
        "gave seat 1 to Eve",
        "Alice left.",
        "asked for more ratings of the batch",
        "Low agreement.",
    ]:
        assertContains(response, words)


def test_notes_flags_and_times_are_listed_when_they_change(study):
    pair = study.batch.pairs.first()
    study.rate("alice", pair, 1, note="First thought.", is_flagged=True, active_seconds=12)
    study.rate("alice", pair, 1, note="", is_flagged=False, active_seconds=20)

    details = [entry.details for entry in ratings_of(pair, "Alice")]

    assert details == [
        [
            ("Scheme", "version 1"),
            ("Active time", "12 s"),
            ("Note", "First thought."),
            ("Flag", "set"),
        ],
        [
            ("Scheme", "version 1"),
            ("Active time", "20 s"),
            ("Note", "removed"),
            ("Flag", "taken back"),
        ],
    ]


def test_key_components_are_listed_when_they_change(db):
    study = make_aspect_study()
    pair = study.first_pair("alice")
    split = [{"text": "sound", "met": "met"}, {"text": "few examples", "met": "partly"}]
    study.rate("alice", pair, "agree", components=split)
    study.rate("alice", pair, "concur", components=split)
    study.rate("alice", pair, "concur", components=[])

    changes = [dict(entry.details).get("Key components") for entry in ratings_of(pair, "Alice")]

    assert changes == ["sound: met; few examples: partly", None, "removed"]


def test_a_changed_way_to_work_is_listed(db):
    study = make_aspect_study(in_one_batch=True)
    set_way(batch=study.batch, way="document", by=study.lena)

    [entry] = [entry for entry in history(study.first_pair("alice")) if "order" in entry.event]

    assert entry.person == "Lena"
    assert entry.before == "one topic over its documents"
    assert entry.after == "one document under all its topics"


def test_a_decided_pair_can_be_reopened_from_its_history(lena, study):
    pair = study.batch.pairs.first()
    study.finish(alice=0, bob=1)
    assertNotContains(lena.get(pair_page(pair)), "Reopen")
    settle_dispute(study, pair, 1)
    assertContains(lena.get(pair_page(pair)), f'action="/pairs/{pair.public_id}/reopen/"')

    lena.post(f"/pairs/{pair.public_id}/reopen/", {"reason": "New guideline."})

    pair.refresh_from_db()
    assert pair.state == "disputed"


@pytest.mark.parametrize("is_finished", [False, True])
def test_an_annotator_is_told_the_same_of_a_history_before_and_after(client, study, is_finished):
    """A refusal that changed with the batch's end would tell of the other annotator."""
    if is_finished:
        study.finish(alice=1, bob=1)
    client.force_login(study.alice)

    assert client.get(pair_page(study.batch.pairs.first())).status_code == 403


def test_a_query_that_is_a_text_is_not_called_an_abstract(client, db):
    collection = make_collection("empty", load_definition("trec-graded"))
    topic = make_topic(collection, facet="relevance")
    lena = make_member(collection, "Lena", "lead")
    client.force_login(lena.user)
    address = reverse("annotation:topic", args=["empty", topic.public_id])
    paper = client.get(address)
    sentences = [{"text": "What changes bread?", "topics": []}]
    collection.queries.update(document=None, text="What changes bread?", sentences=sentences)

    text = client.get(address)

    assertContains(paper, "<summary>The query's abstract</summary>")
    assertContains(text, "<summary>The query's text</summary>")
