import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html as lxml_html
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import Pair, Rating, RatingRevision
from annotation.rating.rate import MAX_NOTE_LENGTH
from annotation.reading.order import ordered_rows
from annotation.sampling.actions import draw_sample
from annotation.schemes.actions import edit_wording
from datasets.actions.members import remove_member
from datasets.models import Document
from tests.databases import on_sqlite
from tests.factories.studies import (
    assign_all,
    make_member,
    make_study,
    make_topic,
    make_user,
    ordered_pairs,
    put_in_batch,
)
from tests.masks import without_tokens

HTMX = {"HX-Request": "true"}


def url(name, study, *args, of="alice"):
    return reverse(f"annotation:{name}", args=[study.seat(of).public_id, *args])


def answer(study, **fields):
    """What the form of a first rating sends."""
    return {
        "save_id": uuid.uuid4(),
        "based_on": 0,
        "scheme_version": study.scheme.current.number,
        "answer": "similar",
        "own_reason": "",
        "note": "",
        "active_seconds": "12.5",
    } | fields


def texts_in(response):
    """The pairs that an answer to a script brings."""
    return lxml_html.fromstring(f"<div>{response.content.decode()}</div>").xpath("./*")


def take_seat(study):
    assign_seat(seat=study.seat("alice"), member=None, by=study.lena, reason="Alice is away.")


def first_pair(study):
    return ordered_pairs(study.seat("alice"))[0]


# --- who gets in ---

PAGES = ["seat", "rate-pair", "texts", "hand-in", "guidelines"]


def page_url(name, study):
    return url(name, study, *([1] if name == "rate-pair" else []))


@pytest.mark.parametrize("name", PAGES)
def test_a_visitor_is_sent_to_sign_in(client, study, name):
    address = page_url(name, study)

    response = client.get(address)

    assertRedirects(response, f"{reverse('accounts:sign-in')}?next={address}")


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("person", ["bob", "carol", "lena", "dave", "ada"])
def test_a_seat_exists_for_its_holder_alone(client, study, name, person):
    make_user("Dave")
    client.force_login(type(study.alice).objects.get(name=person.capitalize()))

    assert client.get(page_url(name, study)).status_code == 404
    if name in {"rate-pair", "hand-in"}:
        assert client.post(page_url(name, study), answer(study)).status_code == 404
    assert not Rating.objects.exists()


@pytest.mark.parametrize("name", PAGES)
def test_who_held_the_seat_is_told_that_a_lead_took_it_back(alice, study, name):
    address = page_url(name, study)
    take_seat(study)

    assertContains(alice.get(address), "A lead took it back", status_code=404)


def test_a_save_into_a_seat_that_was_taken_back_is_told_so_and_not_stored(alice, study):
    address = url("rate-pair", study, 1)
    take_seat(study)

    response = alice.post(address, answer(study), headers=HTMX)

    assertContains(response, 'id="refused"', status_code=404)
    assertContains(response, "A lead took it back", status_code=404)
    assert not Rating.objects.exists()


def test_who_was_removed_from_the_collection_is_told_nothing_of_the_seat(alice, study):
    address = url("seat", study)
    take_seat(study)
    remove_member(membership=study.members["alice"], by=study.lena)

    assertNotContains(alice.get(address), "took it back", status_code=404)


@pytest.mark.parametrize("name", PAGES)
def test_a_holder_who_lost_the_role_gets_nothing(alice, study, name):
    study.members["alice"].is_annotator = False
    study.members["alice"].is_lead = True
    study.members["alice"].save()

    assert alice.get(page_url(name, study)).status_code == 404


@pytest.mark.parametrize("position", [0, 4, 10**9])
def test_a_position_outside_the_batch_does_not_exist(alice, study, position):
    assert alice.get(url("rate-pair", study, position)).status_code == 404
    assert alice.post(url("rate-pair", study, position), answer(study)).status_code == 404


@pytest.mark.parametrize("name", ["seat", "texts", "guidelines"])
def test_pages_that_only_show_take_no_post(alice, study, name):
    assert alice.post(page_url(name, study)).status_code == 405


@pytest.mark.parametrize("name", ["rate-pair", "hand-in"])
def test_saving_and_handing_in_need_the_csrf_token(study, name):
    client = Client(enforce_csrf_checks=True)
    client.force_login(study.alice)

    response = client.post(page_url(name, study), answer(study))

    assert response.status_code == 403
    assert not Rating.objects.exists()


# --- what a pair shows ---


def test_the_seat_leads_to_the_first_pair_without_an_answer(alice, study):
    study.rate("alice", first_pair(study), 2)

    assertRedirects(alice.get(url("seat", study)), url("rate-pair", study, 2))


@pytest.mark.parametrize("handed_in", [False, True])
def test_the_seat_leads_to_the_hand_in_page_when_all_are_answered(alice, study, handed_in):
    study.rate_all("alice", [2, None, 1])
    if handed_in:
        study.hand_in("alice")

    assertRedirects(alice.get(url("seat", study)), url("hand-in", study))


def test_a_pair_shows_both_texts_with_the_facet_marked_and_the_definitions(alice, study):
    pair = first_pair(study)

    response = alice.get(url("rate-pair", study, 1))

    assertContains(response, "Title of q1</h2>")
    assertContains(response, f"Title of {pair.document.external_id}</h2>")
    assert response.content.count(b'<li class="on method"') == 2
    definitions = study.scheme.current.wording["facets"]["method"]["definitions"]
    for definition in definitions.values():
        assertContains(response, f'class="def" dir="auto">{definition}<')
    assertContains(response, 'Pair <b id="where">1</b> of 3')
    assert response["Cache-Control"] == "no-store"
    assert not response.has_header("ETag")


def test_labels_that_count_as_the_facet_are_marked_too(client, db):
    study = make_study(facets=("background",))
    client.force_login(study.alice)

    response = client.get(url("rate-pair", study, 1))

    # Background and objective, in query and candidate.
    assert response.content.count(b'<li class="on background"') == 4


@pytest.mark.parametrize(
    ("label", "why"),
    [("background_label", "No sentence is labelled Method"), (None, "Sentences have no labels")],
)
def test_a_document_without_a_sentence_of_the_facet_says_so(alice, study, label, why):
    for document in study.collection.documents.all():
        document.sentences = [{"text": f"{part} text.", "label": label} for part in ("A", "B")]
        document.save()

    response = alice.get(url("rate-pair", study, 1))

    assertContains(response, why, count=2)
    assertContains(response, ": all 2 are shown", count=2)
    assertNotContains(response, 'class="on')
    predicted = assertNotContains if label is None else assertContains
    predicted(response, "labels were predicted by a program")


def test_a_script_gets_the_pair_alone(alice, study):
    response = alice.get(url("texts", study) + "?at=2")

    [text] = texts_in(response)
    assert text.get("data-position") == "2"
    assertNotContains(response, "<html")


def test_text_of_papers_is_text(alice, study):
    hostile = "</li><script>alert(1)</script>{{ 7|add:7 }} \u202egnp.exe"
    for document in study.collection.documents.all():
        document.title = hostile
        document.sentences = [{"text": hostile, "label": "method_label"}]
        document.save()

    page = alice.get(url("rate-pair", study, 1)).content.decode()

    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;{{ 7|add:7 }}") == 4


def test_guidelines_are_shown_as_safe_html_with_the_facets_definitions(alice, study):
    version = study.scheme.current
    edit_wording(
        scheme=study.scheme,
        wording=version.wording,
        guidelines="# Rules\n\n<script>alert(1)</script> **Read.**",
        change_note="Read first.",
        by=study.lena,
    )

    page = alice.get(url("guidelines", study) + "?facet=method&pair=2")
    drawer = alice.get(url("rate-pair", study, 1))

    for response in (page, drawer):
        assertContains(response, "<strong>Read.</strong>")
        assertNotContains(response, "<script>alert")
        assertContains(response, "<bdi>Read first.</bdi>")
    assertContains(page, "Nothing in how the work is done carries over.")
    assertContains(page, f'href="{url("rate-pair", study, 2)}"')


# --- saving ---


def test_a_plain_form_saves_and_goes_to_the_next_pair_without_an_answer(alice, study):
    pairs = ordered_pairs(study.seat("alice"))
    study.rate("alice", pairs[1], 1)

    # A browser counts a line's end once, and sends two characters for it.
    note = "\n".join(["why"] * (MAX_NOTE_LENGTH // 4))

    response = alice.post(
        url("rate-pair", study, 1),
        answer(study, note=note.replace("\n", "\r\n"), is_flagged="on"),
    )

    assertRedirects(response, url("rate-pair", study, 3) + "?saved=1")
    rating = Rating.objects.get(pair=pairs[0])
    assert (rating.option.key, rating.note, rating.is_flagged) == ("similar", note, True)
    assert (float(rating.active_seconds), rating.position) == (12.5, 1)
    assertContains(alice.get(response.url), "Pair 1 saved.")


def test_the_last_pair_leads_to_the_hand_in_page_and_a_change_to_the_next(alice, study):
    for pair in ordered_pairs(study.seat("alice"))[1:]:
        study.rate("alice", pair, 1)

    finished = alice.post(url("rate-pair", study, 1), answer(study))
    changed = alice.post(url("rate-pair", study, 1), answer(study, based_on=1, answer="related"))

    assert finished.url == url("hand-in", study) + "?saved=1"
    assert changed.url == url("rate-pair", study, 2) + "?saved=1"


def test_cannot_judge_takes_a_reason_of_the_scheme_or_own_words(alice, study):
    reason = study.scheme.current.wording["cannot_judge_reasons"][1]

    alice.post(url("rate-pair", study, 1), answer(study, answer=f"cannot-judge:{reason['key']}"))
    alice.post(
        url("rate-pair", study, 2),
        answer(study, answer="cannot-judge:own", own_reason="A poster."),
    )

    reasons = Rating.objects.order_by("position").values_list("cannot_judge", "option")
    assert list(reasons) == [(reason["name"], None), ("A poster.", None)]
    page = alice.get(url("rate-pair", study, 2))
    assertContains(page, "Stored: <b>Cannot judge: A poster.</b>")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"answer": ""}, "Choose a grade, or say why you cannot judge the pair."),
        ({"answer": "excellent"}, "This grade is not part of the scheme."),
        ({"answer": "cannot-judge:nonsense"}, "This grade is not part of the scheme."),
        ({"answer": "cannot-judge:own"}, "Say in your own words why"),
        ({"answer": "cannot-judge:own", "own_reason": "x" * 201}, "longer than 200 characters"),
        ({"note": "x" * 5001}, "The note is longer than 5,000 characters."),
        ({"note": "nul \x00 here"}, "Null characters are not allowed."),
        ({"save_id": "7"}, "save_id: Enter a valid UUID."),
        ({"based_on": "-1"}, "based_on: "),
        ({"based_on": "two"}, "based_on: "),
        ({"scheme_version": "99"}, "This version of the scheme does not exist."),
        ({"active_seconds": "-3"}, "active_seconds: "),
        ({"active_seconds": "NaN"}, "active_seconds: "),
        ({"active_seconds": "90000"}, "active_seconds: "),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_refused_save_says_why_and_keeps_the_input(alice, study, fields, sentence, headers):
    fields = {"note": "my thought", "answer": "related"} | fields

    response = alice.post(url("rate-pair", study, 1), answer(study, **fields), headers=headers)

    assertContains(response, sentence, status_code=422)
    assert not RatingRevision.objects.exists()
    if not headers and fields["answer"] == "related":
        assertContains(response, 'data-words="1 · Related" checked', status_code=422)
        assertContains(response, fields["note"].split("\x00")[0], status_code=422)


def test_an_option_for_imports_alone_cannot_be_chosen(alice, study):
    study.scheme.scales.get().options.create(
        key="unknown", value=9, is_import_only=True, position=9
    )

    response = alice.post(url("rate-pair", study, 1), answer(study, answer="unknown"))

    assert response.status_code == 422
    assertNotContains(alice.get(url("rate-pair", study, 1)), "unknown")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_same_save_twice_is_one_rating_and_the_same_answer(alice, study, headers):
    sent = answer(study)

    answers = [alice.post(url("rate-pair", study, 1), sent, headers=headers) for _ in range(3)]

    outcomes = {(r.status_code, r.get("Location"), without_tokens(r.content)) for r in answers}
    assert len(outcomes) == 1
    assert RatingRevision.objects.count() == 1


def test_the_form_of_a_page_sends_the_same_save_after_a_reload(alice, study):
    pages = [alice.get(url("rate-pair", study, 1)).content.decode() for _ in range(2)]
    save_ids = [re.search(r'name="save_id" value="([^"]+)"', page)[1] for page in pages]
    alice.post(url("rate-pair", study, 1), answer(study, save_id=save_ids[0]))

    after = alice.get(url("rate-pair", study, 1)).content.decode()

    assert save_ids[0] == save_ids[1]
    assert uuid.UUID(save_ids[0]).version == 4
    assert re.search(r'name="save_id" value="([^"]+)"', after)[1] != save_ids[0]


def test_the_answer_to_a_script_names_the_rating_and_brings_no_text(alice, study):
    sent = answer(study, is_flagged="on")

    response = alice.post(url("rate-pair", study, 1), sent, headers=HTMX)

    saved = lxml_html.fromstring(response.content)
    edition = saved.attrib.pop("data-edition")
    assert saved.attrib == {
        "id": "saved",
        "data-save-id": str(sent["save_id"]),
        "data-position": "1",
        "data-version": "1",
        "data-state": "rated",
        "data-flagged": "",
    }
    assert f'data-edition="{edition}"' in alice.get(url("rate-pair", study, 1)).content.decode()
    assert saved.text_content().strip() == ""


def test_a_stale_edit_is_answered_with_both_versions_and_changes_nothing(alice, study):
    study.rate("alice", first_pair(study), 0, note="in the other tab")

    for headers in ({}, HTMX):
        sent = answer(study, note="in this tab")
        response = alice.post(url("rate-pair", study, 1), sent, headers=headers)

        assertContains(response, "in the other tab", status_code=409)
        assertContains(response, "in this tab", status_code=409)
        assertContains(response, 'name="based_on" value="1"', status_code=409)
    assert list(RatingRevision.objects.values_list("note")) == [("in the other tab",)]


def test_an_answer_older_than_the_page_knew_is_told_from_one_of_another_window(alice, study):
    study.rate("alice", first_pair(study), 0)

    newer = alice.post(url("rate-pair", study, 1), answer(study, based_on=0), headers=HTMX)
    older = alice.post(url("rate-pair", study, 1), answer(study, based_on=2), headers=HTMX)

    assertContains(newer, "changed in another window", status_code=409)
    assertContains(older, "restored from a backup", status_code=409)
    assertNotContains(older, "another window", status_code=409)


def test_the_plain_page_with_both_versions_can_save_the_own_one(alice, study):
    study.rate("alice", first_pair(study), 0)
    page = alice.post(url("rate-pair", study, 1), answer(study, note="mine")).content.decode()
    form = page[page.index('aria-labelledby="mine-head"') :]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    fields["note"] = re.search(r'<textarea name="note" hidden>(.*)</textarea>', form)[1]

    alice.post(url("rate-pair", study, 1), fields)

    rating = Rating.objects.get()
    assert (rating.version, rating.option.key, rating.note) == (2, "similar", "mine")


def test_a_save_id_with_another_answer_is_refused_and_both_are_shown(alice, study):
    sent = answer(study)
    alice.post(url("rate-pair", study, 1), sent)

    plain = alice.post(url("rate-pair", study, 1), sent | {"answer": "related"})
    script = alice.post(url("rate-pair", study, 1), sent | {"answer": "related"}, headers=HTMX)

    assertContains(plain, "1 · Related", status_code=422)
    assertContains(script, "already sent with another answer", status_code=422)
    assert RatingRevision.objects.get().option.key == "similar"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_after_hand_in_nothing_is_saved_and_the_reason_is_reported(alice, study, headers):
    study.rate_all("alice", 1)
    study.hand_in("alice")

    response = alice.post(url("rate-pair", study, 1), answer(study, based_on=1), headers=headers)

    assertContains(response, "This batch is handed in.", status_code=423)
    assert not RatingRevision.objects.filter(version=2).exists()
    if not headers:
        assertContains(response, "kept here: 2 · Similar", status_code=423)


def test_a_rating_made_under_an_older_wording_keeps_that_version(alice, study):
    version = study.scheme.current
    edit_wording(
        scheme=study.scheme,
        wording=version.wording,
        guidelines="New.",
        change_note="clearer",
        by=study.lena,
    )

    alice.post(url("rate-pair", study, 1), answer(study, scheme_version=version.number))

    assert Rating.objects.get().scheme_version == version


# --- handing in ---


def test_hand_in_is_refused_while_a_pair_has_no_answer(alice, study):
    study.rate("alice", first_pair(study), 2)

    response = alice.post(url("hand-in", study))

    assertContains(response, "2 pairs have no answer yet.", status_code=409)
    assert study.seat("alice").handed_in_at is None


def test_hand_in_closes_the_seat_and_its_pages_are_read_only(alice, study):
    study.rate_all("alice", 1)

    response = alice.post(url("hand-in", study))

    assertRedirects(response, url("hand-in", study))
    assert study.seat("alice").handed_in_at is not None
    page = alice.get(url("rate-pair", study, 1))
    assertContains(page, "You handed this batch in on")
    assertContains(page, '<fieldset class="scale-set" id="scale" tabindex="-1" disabled>')
    assertContains(page, 'data-words="1 · Related" checked')
    assertNotContains(page, "Save and next")


@pytest.mark.parametrize(
    ("candidates", "heading"), [(1, "The pair has an answer"), (2, "All 2 pairs have an answer")]
)
def test_the_hand_in_page_counts_the_pairs_that_have_an_answer(db, client, candidates, heading):
    study = make_study(candidates=candidates)
    study.rate_all("alice", 1)
    client.force_login(study.alice)

    assertContains(client.get(url("hand-in", study)), f"<h1>{heading}</h1>")


def test_the_hand_in_page_shows_own_pairs_by_answer(alice, study):
    pairs = ordered_pairs(study.seat("alice"))
    study.rate("alice", pairs[0], None)
    study.rate("alice", pairs[1], 3, is_flagged=True, active_seconds=70)
    study.rate("bob", pairs[2], 2, note="Mine alone.")

    response = alice.get(url("hand-in", study))

    context = response.context
    assert {
        column.key: [pair.place.position for pair in column.pairs]
        for column in context["columns"]
        if column.total
    } == {"": [3], "identical": [2], "cannot-judge": [1]}
    assertContains(response, "median 70 s a pair, 1 min in all")
    assertNotContains(response, "Mine alone.")


def test_titles_name_the_page_and_the_collection(alice, study):
    study.rate_all("alice", 2)
    first, second, _ = (row["position"] for row in ordered_rows(study.seat("alice")))
    pair, hand_in = url("rate-pair", study, first), url("hand-in", study)

    pages = {
        "Pair 1 of 3": alice.get(pair),
        "Two answers for pair 1": alice.post(pair, answer(study, answer="identical")),
        "Pairs 1 and 2": alice.get(hand_in, {"compare": f"{first},{second}"}),
        "Hand in": alice.get(hand_in),
        "Your last ratings": alice.get(url("recent", study)),
        "Guidelines": alice.get(url("guidelines", study)),
    }

    for name, page in pages.items():
        assert f"<title>{name} · Study · Facetwise</title>" in page.content.decode()


def test_the_hand_in_page_names_the_query_and_the_facet(alice, study):
    [query] = study.collection.queries.all()

    assertContains(alice.get(url("hand-in", study)), f"{query.document.title}, Method")
    # Of a text of many lines the first ones tell which it is.
    Document.objects.filter(pk=query.document_id).update(title="A woman of 36 years. " * 9)
    assertContains(alice.get(url("hand-in", study)), '<p class="sub long" dir="auto">A woman of')


def test_the_hand_in_page_of_several_facets_names_their_query_alone(client, db):
    study = make_study(facets=("method", "result"), assign=False)
    [query] = study.collection.queries.all()
    sample = {"name": "Pilot", "size": 6, "overlap": 2, "seed": "7"}
    batches = draw_sample(collection=study.collection, by=study.lena, **sample)
    assign_all(study, batches, ["alice", "bob"])
    client.force_login(study.alice)

    page = client.get(url("hand-in", study))

    assert page.context["title"] == query.document.title


def test_own_pairs_read_as_people_do_and_without_a_title_by_their_beginning(client, db):
    study = make_study(candidates=2, assign=False)
    titled, untitled = Document.objects.filter(pk__in=study.topics[0].pairs.values("document"))
    Document.objects.filter(pk=titled.pk).update(title="Sorting in $O(n \\log n)$")
    Document.objects.filter(pk=untitled.pk).update(title="")
    assign_all(study, make_batches(collection=study.collection, by=study.lena), ["alice", "bob"])
    study.rate_all("alice", 2)
    client.force_login(study.alice)

    columns, recent = (client.get(url(name, study)) for name in ("hand-in", "recent"))
    papers = [client.get(url("rate-pair", study, position)) for position in (1, 2)]

    for page in (columns, recent):
        assertContains(page, "Sorting in O(n log n)")
        assertContains(page, f"“{untitled.sentences[0]['text']}")
    assert [b"Document without a title" in paper.content for paper in papers].count(True) == 1


def test_the_hand_in_page_filters_and_orders_own_pairs(alice, study):
    pairs = ordered_pairs(study.seat("alice"))
    study.rate("alice", pairs[0], 2, active_seconds=5)
    study.rate("alice", pairs[1], 2, note="Odd one", active_seconds=9)
    study.rate("alice", pairs[2], 2, is_flagged=True, active_seconds=7)

    def shown(query):
        columns = alice.get(f"{url('hand-in', study)}?{query}").context["columns"]
        return [pair.place.position for column in columns for pair in column.pairs]

    assert shown("") == [2, 3, 1]
    assert shown("order=rated") == [1, 2, 3]
    assert shown("order=time") == [2, 3, 1]
    assert shown("flagged=on") == [3]
    assert shown("noted=on&words=odd") == [2]
    assert shown("words=nothing+has+this") == []


def test_two_pairs_stand_side_by_side_and_a_change_there_comes_back(alice, study):
    study.rate_all("alice", 1)
    address = f"{url('hand-in', study)}?compare=1,3"

    page = lxml_html.fromstring(alice.get(address).content)

    form = page.xpath("//form[@data-position='3']")[0]
    fields = {field.name: field.value for field in form.inputs if field.value is not None}
    response = alice.post(form.get("action"), dict(fields, answer="similar"))
    assertRedirects(response, address, fetch_redirect_response=False)
    rating = Rating.objects.get(
        pair=ordered_pairs(study.seat("alice"))[2], seat=study.seat("alice")
    )
    assert (rating.option.key, rating.version, rating.revisions.count()) == ("similar", 2, 2)


@pytest.mark.parametrize("query", ["compare=1", "compare=1,1", "compare=1,99", "compare=x,y"])
def test_positions_that_cannot_be_compared_show_the_columns(alice, study, query):
    assert "columns" in alice.get(f"{url('hand-in', study)}?{query}").context


def test_a_save_leads_nowhere_but_to_the_seats_own_pages(alice, study):
    fields = answer(study, then="https://example.org/")

    response = alice.post(url("rate-pair", study, 1), fields)

    assert response["Location"].startswith(url("rate-pair", study, 2))


def test_the_last_ten_ratings_are_own_ones_the_newest_first(alice, study):
    pairs = ordered_pairs(study.seat("alice"))
    study.rate("alice", pairs[1], 2)
    study.rate("alice", pairs[0], 1)
    study.rate("bob", pairs[2], 3)

    response = alice.get(url("recent", study))

    shown = [(item.place.position, item.words) for item in response.context["recent"]]
    assert shown == [(1, "1 · Related"), (2, "2 · Similar")]


def test_a_returned_seat_shows_the_leads_reason(alice, study):
    study.rate_all("alice", 1)
    study.hand_in("alice")
    return_seat(seat=study.seat("alice"), by=study.lena, reason="Pair 2 looks odd.")

    for address in (url("rate-pair", study, 1), url("hand-in", study)):
        assertContains(alice.get(address), "A lead returned this batch to you: Pair 2 looks odd.")


def test_after_hand_in_the_next_open_seat_is_offered(client, db):
    study = make_study(facets=("method", "result"))
    first, second = study.collection.batches.all()
    study.rate_all("alice", 1, first)
    study.hand_in("alice", first)
    client.force_login(study.alice)

    address = reverse("annotation:hand-in", args=[study.seat("alice", first).public_id])

    next_address = reverse("annotation:seat", args=[study.seat("alice", second).public_id])
    assertContains(client.get(address), next_address)


# --- order ---


def test_the_order_is_that_of_the_seed_and_holder_and_differs_between_them(db):
    study = make_study(candidates=12)

    orders = {
        name: [pair.document.external_id for pair in ordered_pairs(study.seat(name))]
        for name in ("alice", "bob")
    }

    again = [pair.document.external_id for pair in ordered_pairs(study.seat("alice"))]
    assert orders["alice"] == again
    assert orders["alice"] != orders["bob"]
    assert sorted(orders["alice"]) == sorted(orders["bob"])


def test_topics_stay_together(db):
    study = make_study(candidates=3)
    other = make_topic(study.collection, query_id="q2", candidates=3)
    put_in_batch(study, other.pairs.all(), study.batch)

    topics = [pair.topic.external_id for pair in ordered_pairs(study.seat("alice"))]

    assert topics == ["q1_method"] * 3 + ["q2_method"] * 3


def test_a_successor_gets_what_the_predecessor_left_and_sees_nothing_of_it(client, study):
    done = first_pair(study)
    study.rate("alice", done, 3, note="by the predecessor", is_flagged=True)
    erin = make_member(study.collection, "Erin", "annotator")
    seat = study.seat("alice")
    assign_seat(seat=seat, member=erin, by=study.lena, reason="Alice left.")
    seat.refresh_from_db()
    client.force_login(erin.user)

    pages = [
        client.get(reverse("annotation:rate-pair", args=[seat.public_id, position]))
        for position in (1, 2)
    ]

    assert done.pk not in [row["pk"] for row in ordered_rows(seat)]
    for page in pages:
        assertContains(page, "of 2")
        assertNotContains(page, "by the predecessor")
        assertNotContains(page, f"Title of {done.document.external_id}")
        assertNotContains(page, ", flagged")


# --- cost ---


@pytest.mark.parametrize("candidates", [3, 30])
def test_a_pair_costs_the_same_queries_in_any_batch(
    client, db, django_assert_num_queries, candidates
):
    study = make_study(candidates=candidates)
    client.force_login(study.alice)
    pair, overview = url("rate-pair", study, 1), url("hand-in", study)

    for page in (pair, overview):
        client.get(page)  # from here on the walk and the wording are kept

    with django_assert_num_queries(6):
        client.get(pair)
    with django_assert_num_queries(7):
        client.get(overview)


@pytest.mark.parametrize("candidates", [4, 30])
def test_a_save_costs_the_same_queries_for_the_first_and_the_last_rater(
    client, db, django_assert_num_queries, candidates
):
    study = make_study(candidates=candidates)
    study.rate("bob", first_pair(study), 1)
    client.force_login(study.alice)
    for position in (1, 2):  # by the first the session is known, by the second the seat
        client.post(url("rate-pair", study, position), answer(study), headers=HTMX)

    for position in (3, 4):
        address, sent = url("rate-pair", study, position), answer(study)
        with django_assert_num_queries(7 if on_sqlite() else 4):
            client.post(address, sent, headers=HTMX)


# --- labels without an order ---


def test_labels_without_an_order_stand_by_their_names_alone(client, study):
    study.scheme.scales.update(is_ordinal=False, distance=None)
    study.rate("alice", first_pair(study), 2)
    client.force_login(study.alice)

    for name in ("rate-pair", "hand-in", "recent"):
        page = client.get(url(name, study, *([1] if name == "rate-pair" else [])))
        assertContains(page, "Similar")
        assertNotContains(page, "2 · Similar")
        assertNotContains(page, 'class="lvl"')


# --- blindness ---


def test_no_answer_holds_anything_of_anybody_else(alice, study):
    pairs = ordered_pairs(study.seat("alice"))
    study.rate("alice", pairs[0], 1)
    bobs = [
        study.rate("bob", pair, 3, note="bob was here", is_flagged=True).rating for pair in pairs
    ]
    study.hand_in("bob")
    secret = {"Bob", "bob@example.org", "bob was here", "Secret", "secret_source", "2001"}
    secret |= {document.external_id for document in study.collection.documents.all()} - {"q1"}
    secret |= {str(pair.public_id) for pair in pairs} | {str(r.public_id) for r in bobs}
    secret |= {str(o.public_id) for o in [*study.topics, study.batch, study.collection]}
    secret |= {str(study.seat("bob").public_id), str(study.members["bob"].public_id)}
    secret |= {study.topics[0].external_id, study.batch.name, "disputed", "agreed", "partial"}
    # Titles of the factory name the document; here they must not.
    for document in study.collection.documents.all():
        document.title = "A title"
        document.sentences = [{"text": "A sentence.", "label": "method_label"}]
        document.save()

    answers = [
        alice.get(url("rate-pair", study, 1)),
        alice.get(url("texts", study) + "?at=1&at=2&at=3"),
        alice.post(url("rate-pair", study, 2), answer(study), headers=HTMX),
        alice.post(url("rate-pair", study, 1), answer(study), headers=HTMX),
        alice.post(url("rate-pair", study, 1), answer(study)),
        alice.post(url("rate-pair", study, 3), answer(study, answer="")),
        alice.post(url("hand-in", study)),
        alice.get(url("hand-in", study)),
        alice.get(url("guidelines", study)),
    ]

    assert Pair.objects.filter(state="disputed").exists()
    for response in answers:
        whole = response.content.decode() + str(dict(response.headers))
        assert {word for word in secret if word in whole} == set()


def test_answers_are_the_same_bytes_whatever_the_other_annotator_did(client, study):
    def walk():
        client.force_login(study.alice)
        return [
            (response.status_code, response.get("Location"), without_tokens(response.content))
            for response in (
                client.get(url("rate-pair", study, 1)),
                client.get(url("texts", study) + "?at=1&at=2&at=3"),
                client.get(url("hand-in", study)),
                client.post(url("hand-in", study)),
                client.get(url("seat", study)),
            )
        ]

    before = walk()
    study.rate_all("bob", [3, None, 0])
    study.hand_in("bob")

    assert walk() == before
