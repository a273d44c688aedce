"""Texts that a script fetches ahead, a dozen at a time, and what a process keeps of a seat."""

import json
import uuid

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from lxml import html

from annotation.access import get_seat
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import set_way
from annotation.models import Rating, Seat
from annotation.schemes.actions import edit_wording
from annotation.workbench import cache
from tests.annotation.workbench.saving import save
from tests.factories.studies import (
    make_aspect_query,
    make_aspect_study,
    make_member,
    make_study,
    make_topic,
    ordered_pairs,
    put_in_batch,
)

pytestmark = pytest.mark.django_db


def fetch(client, seat, *positions, known=(), status=200):
    """The pairs that an answer brings, as elements."""
    address = reverse("annotation:texts", args=[seat.public_id])
    response = client.get(address, {"at": positions, "known": known})
    assert response.status_code == status
    return html.fromstring(f"<div>{response.content.decode()}</div>").xpath("./div")


def titles(texts):
    return [text.xpath("string(.//*[@id='candidate']//h2)") for text in texts]


def page(client, seat, position=1):
    response = client.get(reverse("annotation:rate-pair", args=[seat.public_id, position]))
    return html.fromstring(response.content)


def edition_of(page):
    return page.xpath("string(//*[@id='bench']/@data-edition)")


# --- what comes ---


def test_a_dozen_pairs_come_at_once_in_the_order_asked_for(client):
    study = make_study(candidates=13)
    client.force_login(study.alice)
    seat = study.seat("alice")
    in_order = [pair.document.title for pair in ordered_pairs(seat)]

    texts = fetch(client, seat, *range(13, 1, -1))

    assert [text.get("data-position") for text in texts] == [str(n) for n in range(13, 1, -1)]
    assert titles(texts) == in_order[1:13][::-1]


@pytest.mark.parametrize("positions", [(), tuple(range(1, 14)), (1, 14), (0,), ("one",)])
def test_no_position_too_many_and_an_unknown_one_are_refused(client, positions):
    study = make_study(candidates=13)
    client.force_login(study.alice)

    fetch(client, study.seat("alice"), *positions, status=400)


def test_the_query_comes_once_and_not_to_a_script_that_has_it(client):
    study = make_study(candidates=4)
    client.force_login(study.alice)
    seat = study.seat("alice")
    shown = page(client, seat).xpath("//*[@id='pair']")[0].get("data-query-key")

    alone = fetch(client, seat, 2, 3)
    beside_the_page = fetch(client, seat, 2, 3, known=[shown])

    assert [len(text.xpath(".//*[@id='scale']")) for text in alone] == [1, 0]
    assert [len(text.xpath(".//*[contains(@class, 'query')]")) for text in alone] == [1, 0]
    assert not any(text.xpath(".//*[@id='scale']") for text in beside_the_page)
    assert len(set(titles(beside_the_page))) == 2


def test_a_later_pair_of_a_topic_is_small(client):
    study = make_study(candidates=3)
    client.force_login(study.alice)
    for document in study.collection.documents.all():
        document.sentences = [{"text": "x" * 150, "label": "method_label"}] * 8
        document.save()

    _, later = fetch(client, study.seat("alice"), 2, 3)

    assert len(html.tostring(later)) < 4_000


def test_a_paper_comes_again_where_another_facet_is_marked_in_it(client):
    study = make_study(facets=("method", "result"), candidates=1)
    second = study.collection.batches.last()
    put_in_batch(study, second.pairs.all(), study.batch)
    client.force_login(study.alice)

    texts = fetch(client, study.seat("alice"), 1, 2)

    marked = [
        text.xpath("string(.//*[@id='candidate']//li[@class[contains(., 'on ')]]/@class)")
        for text in texts
    ]
    assert marked == ["on method", "on result"]


def test_under_one_abstract_the_paper_comes_once_and_the_tree_with_every_pair(client):
    study = make_aspect_study(in_one_batch=True, way="document")
    client.force_login(study.alice)
    seat = study.seat("alice")
    first = [row.position for row in cache.walk(get_seat(study.alice, seat.public_id)).steps[:4]]

    texts = fetch(client, seat, *first)

    assert [len(text.xpath(".//*[@id='candidate']")) for text in texts] == [1, 0, 0, 0]
    assert [len(text.xpath(".//*[@class='tree']")) for text in texts] == [1, 1, 1, 1]
    current_marks = [text.xpath("string(.//li[@aria-current]/span[@class='id'])") for text in texts]
    assert current_marks == ["A", "A1", "A2", "B"]


def test_a_topic_of_two_queries_brings_the_query_of_each_pair(client):
    study = make_aspect_study(in_one_batch=True)
    other = make_aspect_query(study.collection, query_id="1", tree={"9": ["3"]}, documents=("d9",))
    other.sentences = [{"text": "Something else altogether.", "topics": ["3"]}]
    other.save()
    new = type(study.batch.pairs.first()).objects.filter(batch=None)
    put_in_batch(study, new, study.batch)
    client.force_login(study.alice)
    seat = study.seat("alice")
    of_topic = {
        pair.document.external_id: position
        for position, pair in enumerate(ordered_pairs(seat), start=1)
        if pair.topic.external_id == "3"
    }

    texts = fetch(client, seat, of_topic["d1"], of_topic["d9"])

    queries = [text.xpath("string(.//*[contains(@class, 'query')])") for text in texts]
    assert ["wind turbines" in query for query in queries] == [True, False]
    assert ["Something else" in query for query in queries] == [False, True]


def test_a_pair_that_is_rated_brings_how_it_stands(client):
    study = make_study(candidates=2)
    client.force_login(study.alice)
    study.rate("alice", study.first_pair("alice"), 3, note="why", is_flagged=True, active_seconds=7)

    rated, open_ = fetch(client, study.seat("alice"), 1, 2)

    assert json.loads(rated.get("data-standing")) == {
        "version": 1,
        "seconds": 7,
        "schemeVersion": 1,
        "answer": {
            "choice": "identical",
            "own_reason": "",
            "note": "why",
            "is_flagged": True,
            "components": [],
        },
    }
    assert json.loads(open_.get("data-standing"))["version"] == 0


# --- nothing stale is shown ---


def test_after_a_change_of_wording_pages_texts_and_saves_name_another_edition(client):
    study = make_study()
    client.force_login(study.alice)
    seat = study.seat("alice")
    before = edition_of(page(client, seat))
    wording = json.loads(json.dumps(study.scheme.current.wording))
    wording["facets"]["method"]["question"] = "Asked anew?"
    wording["options"]["similar"]["name"] = "Named anew"

    edit_wording(scheme=study.scheme, wording=wording, guidelines="", change_note="", by=study.lena)

    [text] = fetch(client, seat, 2)
    after = edition_of(page(client, seat))
    saved = html.fromstring(save(client, seat, 1).content)
    assert before != after
    assert text.get("data-edition") == saved.get("data-edition") == after
    assert "Asked anew?" in text.xpath("string(.//legend)")
    assert "Named anew" in text.xpath(".//*[@class='grade']/@data-name")
    assert json.loads(text.get("data-standing"))["schemeVersion"] == 2
    assert Rating.objects.get().scheme_version.number == 1  # what was read ahead


def test_after_a_change_of_way_the_walk_is_the_new_one_at_the_same_addresses(client):
    study = make_aspect_study(in_one_batch=True)
    client.force_login(study.alice)
    seat = study.seat("alice")
    before = edition_of(page(client, seat)), titles(fetch(client, seat, 5))

    set_way(batch=study.batch, way="document", by=study.lena)

    after = edition_of(page(client, seat)), titles(fetch(client, seat, 5))
    assert before[0] != after[0]
    assert before[1] == after[1]
    walked = cache.walk(get_seat(study.alice, seat.public_id)).steps
    assert [step.position for step in walked] != sorted(step.position for step in walked)
    assert save(client, seat, 5, answer="agree").status_code == 200
    assert Rating.objects.get().pair.document.title == after[1][0]


def test_after_a_reassignment_the_old_holder_gets_nothing_and_the_new_one_the_rest(client):
    study = make_study(candidates=3)
    client.force_login(study.alice)
    seat = study.seat("alice")
    done = study.first_pair("alice")
    fetch(client, seat, 1, 2, 3)
    study.rate("alice", done, 2)
    erin = make_member(study.collection, "Erin", "annotator")

    assign_seat(seat=seat, member=erin, by=study.lena, reason="Alice left.")

    fetch(client, seat, 2, status=404)
    assert save(client, seat, 2).status_code == 404
    client.force_login(erin.user)
    fetch(client, seat, 3, status=400)
    assert done.document.title not in titles(fetch(client, seat, 1, 2))


def test_a_seat_that_comes_back_leaves_out_what_others_rated_meanwhile(client):
    study = make_study(candidates=3)
    client.force_login(study.alice)
    seat = study.seat("alice")
    before = edition_of(page(client, seat))
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    assign_seat(seat=seat, member=study.members["erin"], by=study.lena)
    rated = study.first_pair("erin")
    study.rate("erin", rated, 2)

    assign_seat(seat=seat, member=study.members["alice"], by=study.lena, reason="Alice is back.")

    assert edition_of(page(client, seat)) != before
    assert rated.document.title not in titles(fetch(client, seat, 1, 2))
    fetch(client, seat, 3, status=400)


# --- what it rests on ---


@pytest.mark.both
def test_a_change_of_holder_that_is_not_counted_is_refused_by_the_database():
    study = make_study()
    erin = make_member(study.collection, "Erin", "annotator")

    with pytest.raises(IntegrityError, match="handover_counted"), transaction.atomic():
        Seat.objects.filter(pk=study.seat("alice").pk).update(holder=erin)


@pytest.mark.both
def test_no_pair_joins_or_leaves_a_batch_of_which_somebody_held_a_seat():
    study = make_study()
    waiting = make_topic(study.collection, query_id="q2").pairs.all()
    Seat.objects.filter(batch=study.batch).update(holder=None, handovers=2)

    with pytest.raises(IntegrityError, match="held_batch"), transaction.atomic():
        waiting.update(batch=study.batch)
    with pytest.raises(IntegrityError, match="held_batch"), transaction.atomic():
        study.batch.pairs.update(batch=None)
    pair = waiting.last()
    pair.pk, pair.public_id, pair.batch = None, uuid.uuid4(), study.batch
    pair.topic = study.topics[0]
    with pytest.raises(IntegrityError, match="held_batch"), transaction.atomic():
        pair.save(force_insert=True)


def test_facets_that_an_address_makes_up_are_not_all_kept():
    terms = cache.Terms(version=make_study().scheme.current, facets=[], scales={})

    for number in range(3 * cache.MAX_FACETS):
        terms.choices_of(f"made-up-{number}")

    assert len(terms._choices._values) == cache.MAX_FACETS
