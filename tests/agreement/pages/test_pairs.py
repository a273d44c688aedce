"""The page of a pair, and lists of pairs."""

from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from annotation.assigning.actions.assign import return_seat
from annotation.models import Pair, SideText
from tests.factories.studies import make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Pairs rated 0 and 3, 1 and 2, 2 and 2 by Alice and Bob."""
    study = make_study(candidates=3)
    study.rate("alice", study.batch.pairs.first(), 0, note="nothing shared")
    study.rate_all("bob", [3, 2, 2])
    for pair, value in zip(study.batch.pairs.all()[1:], [1, 2], strict=True):
        study.rate("alice", pair, value)
    study.hand_in("alice")
    study.hand_in("bob")
    return study


def pair_page(pair, query=""):
    return reverse("agreement:pair", args=[pair.public_id]) + query


def list_page(study, query):
    return reverse("agreement:pairs", args=[study.collection.slug]) + query


def test_a_lead_reads_both_texts_with_what_was_said_of_them(client, study):
    pair = study.batch.pairs.first()
    client.force_login(study.lena)

    response = client.get(pair_page(pair))

    for text in ("How q1 does it.", "How q1c1 does it.", "nothing shared", "They differ by 3"):
        assertContains(response, text)


def test_a_dispute_waits_for_an_adjudicator_once_its_batch_is_handed_in(client, study):
    address = pair_page(study.batch.pairs.first())
    client.force_login(study.lena)

    page = client.get(address)

    assertContains(page, "It waits for an adjudicator.")
    # Lena is none: the queue would refuse her.
    assertNotContains(page, reverse("adjudication:queue", args=[study.collection.slug]))

    return_seat(seat=study.seat("bob"), by=study.lena, reason="Read 1 again.")

    assertContains(client.get(address), "once all seats of its batch are handed in")


def test_the_decision_stands_with_its_reason_and_can_be_reopened(client, study):
    import uuid

    pair = study.batch.pairs.first()
    decide(
        pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(3),
        rationale="the same trick",
    )  # fmt: skip
    client.force_login(study.lena)

    response = client.get(pair_page(pair))

    assertContains(response, "the same trick")
    assertContains(response, reverse("adjudication:reopen-pair", args=[pair.public_id]))


def test_gold_on_which_the_raters_agree_leads_to_audits(client, study):
    client.force_login(study.lena)
    agreed = study.batch.pairs.last()
    audits = reverse("agreement:audits", args=[study.collection.slug])

    assertContains(client.get(pair_page(agreed)), f'draw an <a href="{audits}">audit</a>')
    reopening = client.post(
        reverse("adjudication:reopen-pair", args=[agreed.public_id]),
        {"reason": "It is wrong."},
        follow=True,
    )
    assertContains(reopening, "Its raters agree; an adjudicator decides such pairs in an audit.")


def test_a_list_leads_from_pair_to_pair(client, study, monkeypatch):
    first, second, third = study.batch.pairs.all()
    query = f"?list=topic&cell={study.topics[0].public_id}"
    client.force_login(study.lena)

    response = client.get(pair_page(first, query))

    assertContains(response, "<b>1</b> of 3 pairs", html=False)
    assertContains(response, f'href="{pair_page(second)}?list=topic')
    assertContains(response, "This is the first pair.")

    # A tick for each, as narrow as in a list of 24, unless there were too many.
    last = client.get(pair_page(third, query))
    assert last.context["bar"].ticks == [
        ("0.00%", "3.33%", False),
        ("4.17%", "3.33%", False),
        ("8.33%", "3.33%", True),
    ]
    assertContains(last, f'href="{pair_page(second)}?list=topic')
    assertContains(last, "This is the last pair.")
    monkeypatch.setattr("agreement.pages.pairs.MOST_TICKS", 2)
    assert last.context["bar"].ticks == []


def test_a_pair_without_list_has_no_bar(client, study):
    client.force_login(study.lena)

    assertNotContains(client.get(pair_page(study.batch.pairs.first())), "listbar")


def test_a_cell_of_the_disagreements_opens_its_pairs(client, study):
    client.force_login(study.lena)
    address = list_page(study, "?list=confusion&cell=0%2C3")
    disagreements = reverse("agreement:disagreements", args=[study.collection.slug])
    assertContains(client.get(disagreements), address.replace("&", "&amp;"))

    response = client.get(address)

    assertContains(response, "1 pair: an earlier seat 0, a later one 3")
    assertContains(response, pair_page(study.batch.pairs.first()))


def test_the_pairs_behind_a_number_are_searched_and_come_in_pages(client, study, monkeypatch):
    monkeypatch.setattr("agreement.pages.pairs.AT_A_TIME", 1)
    client.force_login(study.lena)
    second = study.batch.pairs.all()[1]
    query = f"?list=topic&cell={study.topics[0].public_id}"

    pages = client.get(list_page(study, query + "&page=2"))
    searched = client.get(list_page(study, f"{query}&words={second.document.external_id}"))

    for page in (pages, searched):
        assert [row.pair for row in page.context["pair_rows"]] == [second]
        assertContains(page, "3 pairs: topic")
    assertContains(client.get(list_page(study, query + "&words=none")), "No pair of the list")


def test_queries_are_searched_under_the_filters(client, study):
    client.force_login(study.lena)
    address = reverse("agreement:queries", args=[study.collection.slug])
    key = study.topics[0].external_id

    searched = client.get(address, {"words": key, "sort": "best"})

    assertContains(searched, '<input type="hidden" name="sort" value="best">', html=True)
    assertContains(searched, study.topics[0].public_id)
    assertContains(client.get(address, {"words": "none"}), "has these words")


def test_an_unknown_list_is_reported(client, study):
    client.force_login(study.lena)

    assert client.get(list_page(study, "")).url == reverse(
        "agreement:disagreements", args=[study.collection.slug]
    )
    assert client.get(list_page(study, "?list=secrets")).status_code == 400
    assert client.get(list_page(study, "?list=topic&cell=none")).status_code == 404


def test_the_address_of_a_history_leads_to_the_page_of_the_pair(client, study):
    pair = study.batch.pairs.first()
    client.force_login(study.lena)

    response = client.get(reverse("agreement:pair-history", args=[pair.public_id]))

    assert response.url == pair_page(pair, "#history")


def test_the_text_beside_a_document_is_shown_on_its_page_and_named_in_lists(client, db):
    study = make_study(assign=False)
    pair = Pair.objects.order_by("pk").first()
    SideText.objects.create(pair=pair, title="Answer of the model", text="It is <so>.")
    client.force_login(study.lena)

    page = client.get(reverse("agreement:pair", args=[pair.public_id]))
    topic = client.get(reverse("annotation:topic", args=["study", pair.topic.public_id]))

    assertContains(page, "It is &lt;so&gt;.")
    assertContains(topic, "with: Answer of the model")
