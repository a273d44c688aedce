"""The lead's page of flags, and what the annotator reads of the answers."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from annotation.flags import views
from annotation.flags.actions import answer_flag
from annotation.models import FlagAnswer
from config.own_work import OwnWork
from tests.shelf import shelved


@shelved
def flagged(study):
    study.rate_all("alice", 2)
    rating = study.rate("alice", study.batch.pairs.first(), 2, is_flagged=True, note="sure?").rating
    study.rate("alice", study.batch.pairs.last(), 0, is_flagged=True)
    return rating


def flags_page(study, show=""):
    return reverse("annotation:flags", args=[study.collection.slug]) + show


def send(client, rating, **fields):
    return client.post(reverse("annotation:answer-flag", args=[rating.public_id]), fields)


def test_an_answer_takes_the_flag_off_the_list_of_those_to_answer(client, study, flagged):
    client.force_login(study.lena)

    response = send(client, flagged, kind="reply", text="Yes,\r\nsince the task is the same.")

    assert response.url == flags_page(study)
    assert FlagAnswer.objects.get().text == "Yes,\nsince the task is the same."
    assertNotContains(client.get(response.url), "since the task is the same")
    assertContains(client.get(flags_page(study, "?show=all")), "since the task is the same")


def test_a_refused_answer_keeps_what_was_written(client, study, flagged):
    client.force_login(study.lena)

    response = send(client, flagged, kind="rule", text="Count it.", with_example="on")

    assertContains(response, "cannot be an example yet", status_code=409)
    assertContains(response, "Count it.", status_code=409)
    assert not FlagAnswer.objects.exists()
    assertContains(response, f'aria-describedby="text-{flagged.pk}-error"', status_code=409)
    assertContains(response, f'id="text-{flagged.pk}-error">Not saved. ', status_code=409)


def test_flags_come_in_pages_and_are_searched(client, study, flagged, monkeypatch):
    monkeypatch.setattr("annotation.flags.views.PAGE_SIZE", 1)
    client.force_login(study.lena)
    last = study.batch.pairs.last().ratings.get()

    pages = [client.get(flags_page(study, f"?page={page}")) for page in (1, 2)]
    searched = client.get(flags_page(study, "?words=SURE"))
    refused = send(client, last, kind="rule", text="Count it.", with_example="on")
    # Two lines of the query are enough, however long it is.
    assertContains(searched, '<span class="clip2">for <a')

    assert [row.pair for page in pages for row in page.context["rows"]] == [
        flagged.pair,
        last.pair,
    ]
    assert [row.pair for row in searched.context["rows"]] == [flagged.pair]
    assertContains(client.get(flags_page(study, "?words=none&show=all")), "No flagged pair has")
    assertContains(refused, "Count it.", status_code=409)  # on the second page


def test_what_was_said_is_read_for_the_flags_of_the_page_alone(client, study, flagged, monkeypatch):
    monkeypatch.setattr("annotation.flags.views.PAGE_SIZE", 1)
    chosen = []
    read = views.flag_rows
    monkeypatch.setattr(
        views, "flag_rows", lambda **about: chosen.append(about["pairs"]) or read(**about)
    )
    client.force_login(study.lena)

    client.get(flags_page(study, "?page=2"))

    assert chosen == [[study.batch.pairs.last().pk]]


@pytest.mark.parametrize("fields", [{"text": "no kind"}, {"kind": "praise", "text": "x"}])
def test_an_unknown_kind_is_refused(client, study, flagged, fields):
    client.force_login(study.lena)

    assert send(client, flagged, **fields).status_code == 422


def test_the_page_takes_as_many_statements_for_three_flags_as_for_one(
    client, study, flagged, django_assert_max_num_queries
):
    client.force_login(study.lena)
    with django_assert_max_num_queries(100) as statements:
        client.get(flags_page(study))
    study.rate("bob", study.batch.pairs.first(), 2, is_flagged=True)
    study.rate("bob", study.batch.pairs.last(), 2, is_flagged=True)

    with django_assert_max_num_queries(len(statements)):
        client.get(flags_page(study))


def test_an_annotator_reads_the_answer_once_their_seat_is_handed_in(client, study, flagged):
    answer_flag(rating=flagged, by=study.lena, kind="reply", text="Yes, the task is the same.")
    client.force_login(study.alice)
    address = reverse("annotation:hand-in", args=[study.seat("alice").public_id])
    assertNotContains(client.get(address), "Yes, the task is the same.")
    assert OwnWork(study.alice).handed_in == []

    study.hand_in("alice")

    assertContains(client.get(address), "Yes, the task is the same.")
    assert [work.answer_count for work in OwnWork(study.alice).handed_in] == [1]
    assertContains(client.get("/"), "1 answer<")
