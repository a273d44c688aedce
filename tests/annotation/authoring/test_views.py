"""The pages on which a lead writes queries, with and without htmx."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.assigning.actions.batches import make_batches
from annotation.models import Pair
from datasets.models import Document, Query, Topic, TopicPlace
from tests.factories.studies import make_aspect_query, make_aspect_study, make_study
from tests.shelf import shelved

HTMX = {"HX-Request": "true"}


@shelved
def study(db):
    return make_aspect_study()


@shelved
def query(study):
    """Aspects 10 (with 11) and 12 over d1, e1, e2; its pairs wait."""
    return make_aspect_query(
        study.collection, "1", {"10": ["11"], "12": []}, documents=("d1", "e1", "e2")
    )


def url(name, query):
    return reverse(f"annotation:{name}", args=[query.public_id])


def place(query, topic):
    return query.places.get(topic__external_id=topic)


def change(client, query, topic, do, **more):
    data = {"place": place(query, topic).pk, "do": do}
    headers = more.pop("headers", {})
    return client.post(url("change-aspect", query), data | more, headers=headers)


def shape(query):
    return [
        (place.topic.external_id, [sub.topic.external_id for sub in place.children.all()])
        for place in query.places.filter(parent=None).order_by("position")
    ]


def test_a_written_query_leads_to_its_page(lena, study):
    address = reverse("annotation:new-query", args=[study.collection.slug])

    answer = lena.post(address, {"text": "One thing. Another.", "query_type": "NLP", "notes": "n"})

    written = Query.objects.get(external_id="1")
    assertRedirects(answer, url("edit-query", written))
    assert written.metadata == {"query_type": "NLP", "notes": "n"}
    assertContains(lena.get(url("edit-query", written)), "One thing.\nAnother.\n")


def test_an_empty_text_is_reported_at_its_field(lena, study):
    address = reverse("annotation:new-query", args=[study.collection.slug])

    answer = lena.post(address, {"text": " "})

    assertContains(answer, "Write the query&#x27;s text.", status_code=422)
    assert Query.objects.count() == 1


def test_the_list_names_queries_and_what_they_lack(lena, study, query):
    Query.objects.create(collection=study.collection, external_id="2", text="Empty one.")

    answer = lena.get(reverse("annotation:authoring", args=[study.collection.slug]))

    assertContains(answer, url("edit-query", query))
    assertContains(answer, "no aspects yet")
    assertContains(answer, "hints")


def test_the_list_takes_the_same_statements_for_one_query_and_three(
    lena, study, query, django_assert_max_num_queries
):
    address = reverse("annotation:authoring", args=[study.collection.slug])
    for number in ["2", "3"]:
        make_aspect_query(study.collection, number, {"20": ["21"]})

    with django_assert_max_num_queries(9):
        lena.get(address)


def test_a_collection_without_aspects_says_where_its_queries_come_from(client, db):
    study = make_study()
    client.force_login(study.lena)
    slug, paper = study.collection.slug, study.collection.queries.get()

    assertContains(client.get(reverse("annotation:authoring", args=[slug])), "come by an import")
    assertContains(client.get(reverse("annotation:new-query", args=[slug])), "judges no aspects")
    assertContains(client.get(url("edit-query", paper)), "This query is a paper")
    assertContains(client.get(url("pool", paper)), "This query is a paper")
    refused = client.post(reverse("annotation:new-query", args=[slug]), {"text": "One."})
    assertContains(refused, "judges no aspects", status_code=409)
    refused = client.post(url("add-aspect", paper), {"text": "One."})
    assert refused.status_code == 409
    assert not paper.places.filter(topic__text="One.").exists()


def test_the_page_shows_text_tree_links_and_hints(lena, query):
    answer = lena.get(url("edit-query", query))

    assertContains(answer, "The microphones are cheap")
    assertContains(answer, "Make aspect B a sub-aspect of the one above")
    assertContains(answer, "Aspect A has no sentence of the query.")
    assertContains(answer, "9 pairs, 9 in no batch")


def test_corrected_sentences_are_saved(lena, query):
    page = lena.get(url("edit-query", query))

    answer = lena.post(
        url("edit-query", query),
        {"sentences": "One thing.\n\nAnother.", "seen": page.context["seen"]},
    )

    assertRedirects(answer, url("edit-query", query))
    query.refresh_from_db()
    assert [sentence["text"] for sentence in query.sentences] == ["One thing.", "Another."]


def test_a_stale_correction_is_reported_and_the_typed_text_kept(lena, query):
    answer = lena.post(url("edit-query", query), {"sentences": "Typed here.", "seen": "other"})

    assertContains(answer, "changed meanwhile", status_code=409)
    assertContains(answer, "Typed here.", status_code=409)
    assertContains(answer, 'aria-describedby="sentences-hint sentences-error"', status_code=409)
    assertContains(answer, 'id="sentences-error">', status_code=409)


def test_a_fixed_text_is_shown_without_a_field(lena, study):
    held = make_aspect_study(slug="held")
    lena.force_login(held.lena)

    answer = lena.get(url("edit-query", held.collection.queries.get()))

    assertContains(answer, "Fixed, since an aspect is handed out")
    assertNotContains(answer, 'name="sentences"')


def test_type_and_notes_are_saved(lena, query):
    lena.post(url("describe-query", query), {"query_type": "CV", "notes": ""})

    query.refresh_from_db()
    assert query.metadata == {"query_type": "CV"}


def test_ticked_boxes_are_saved_and_with_htmx_only_the_hints_come_back(lena, query):
    seen = lena.get(url("edit-query", query)).context["seen"]

    plain = lena.post(url("link-sentences", query), {"seen": seen, "s1": ["10", "12"]})
    swapped = lena.post(
        url("link-sentences", query),
        {"seen": seen, "s1": ["10", "12"], "s2": ["11"]},
        headers=HTMX,
    )

    assertRedirects(plain, url("edit-query", query))
    assert swapped.content.strip().startswith(b'<section class="panel" id="hints"')
    assertNotContains(swapped, "Aspect A1 has no sentence")
    query.refresh_from_db()
    assert [sentence["topics"] for sentence in query.sentences] == [["10", "12"], ["11"], [], []]


def test_stale_links_are_reported(lena, query):
    answer = lena.post(url("link-sentences", query), {"seen": "other", "s1": ["10"]}, headers=HTMX)

    assertContains(answer, "changed meanwhile", status_code=409)


def test_an_aspect_is_added_and_the_field_keeps_the_focus(lena, query):
    parent = place(query, "12").pk

    answer = lena.post(
        url("add-aspect", query), {"text": "It is fast.", "parent": parent}, headers=HTMX
    )

    assert shape(query) == [("10", ["11"]), ("12", ["13"])]
    assertContains(answer, "It is fast.")
    assertContains(answer, 'id="new-aspect"')
    assert answer.content.count(b"autofocus") == 1
    assertContains(answer, f'<option value="{parent}" selected>')


def test_without_htmx_the_page_opens_at_the_new_aspect(lena, query):
    answer = lena.post(url("add-aspect", query), {"text": "It is fast.", "parent": ""})

    added = place(query, "13").pk
    assertRedirects(
        answer, f"{url('edit-query', query)}#aspect-{added}", fetch_redirect_response=False
    )


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_refused_aspect_is_reported_and_the_typed_text_kept(lena, query, headers):
    answer = lena.post(
        url("add-aspect", query),
        {"text": "The paper does 12.", "parent": place(query, "12").pk},
        headers=headers,
    )

    assertContains(answer, "cannot be its own sub-aspect", status_code=422)
    assertContains(answer, 'value="The paper does 12."', status_code=422)
    assertContains(answer, 'aria-describedby="new-aspect-hint new-aspect-error"', status_code=422)
    assertContains(answer, 'id="new-aspect-error">', status_code=422)


def test_a_moved_aspect_keeps_the_focus_on_what_was_pressed(lena, query):
    moved = change(lena, query, "12", "nest", headers=HTMX)
    pk = place(query, "12").pk

    assert shape(query) == [("10", ["11", "12"])]
    # It cannot be nested again, so the focus is on the aspect as such.
    assertContains(moved, f'id="aspect-{pk}" tabindex="-1" class="sub" autofocus')
    again = change(lena, query, "12", "up", headers=HTMX)
    assert shape(query) == [("10", ["12", "11"])]
    assert again.content.count(b"autofocus") == 1
    back = change(lena, query, "12", "down", headers=HTMX)
    assertContains(back, f'id="aspect-{pk}" tabindex="-1" class="sub" autofocus')


def test_every_step_works_as_a_plain_form(lena, query):
    for do in ["up", "down", "nest", "unnest"]:
        pk = place(query, "12").pk
        answer = change(lena, query, "12", do)
        assertRedirects(
            answer, f"{url('edit-query', query)}#aspect-{pk}", fetch_redirect_response=False
        )
    answer = change(lena, query, "12", "remove")

    assertRedirects(answer, f"{url('edit-query', query)}#aspects", fetch_redirect_response=False)
    assert shape(query) == [("10", ["11"])]


def test_after_a_removal_the_focus_is_on_what_moved_up(lena, query):
    answer = change(lena, query, "10", "remove", headers=HTMX)

    assertContains(answer, f'id="aspect-{place(query, "11").pk}" tabindex="-1" autofocus')


def test_an_edited_aspect_is_saved_or_told_why_not(lena, query):
    change(lena, query, "12", "edit", text="Something else.")
    refused = change(lena, query, "12", "edit", text="The paper does 10.", headers=HTMX)

    assert place(query, "12").topic.text == "Something else."
    assertContains(refused, "stands there already", status_code=422)
    field = f"text-{place(query, '12').pk}-error"
    assertContains(refused, f'aria-describedby="{field}" autofocus>The paper', status_code=422)
    assertContains(refused, f'does 10.</textarea><p class="error" id="{field}">', status_code=422)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"do": "fly"}, 422),
        ({"place": "0"}, 409),
        ({"place": "x"}, 409),
        ({"place": "9" * 5000}, 409),
    ],
)
def test_nonsense_changes_nothing(lena, query, data, status):
    before = shape(query)
    data = {"place": place(query, "12").pk, "do": "up"} | data

    assert lena.post(url("change-aspect", query), data).status_code == status
    assert shape(query) == before


def test_a_place_of_another_query_is_none_of_this_one(lena, study, query):
    other = make_aspect_query(study.collection, "2", {"20": []}, documents=())
    data = {"place": place(other, "20").pk, "do": "remove"}

    assert lena.post(url("change-aspect", query), data).status_code == 409
    assert shape(other) == [("20", [])]


def test_a_fixed_aspect_has_no_buttons_and_is_refused(lena):
    study = make_aspect_study(slug="held")
    query = study.collection.queries.get()
    lena.force_login(study.lena)

    page = lena.get(url("edit-query", query))
    answer = change(lena, query, "0", "down", headers=HTMX)

    assertNotContains(page, f'id="up-{place(query, "0").pk}"')
    assertContains(page, "fixed: handed out, locked or rated")
    assertContains(answer, "a seat of batch 0. This aspect stays as it is.", status_code=423)


def test_text_that_looks_like_markup_is_shown_as_text(lena, study, query):
    lena.post(url("add-aspect", query), {"text": "<script>alert(1)</script>", "parent": ""})

    page = lena.get(url("edit-query", query))

    assertNotContains(page, "<script>alert(1)")
    assertContains(page, "&lt;script&gt;alert(1)")


def test_a_query_that_came_by_an_import_is_removed_while_no_batch_has_it(client, db):
    study = make_study(facets=("method",), assign=False)
    client.force_login(study.lena)
    query = study.collection.queries.get()
    words = "Remove the query, its topics and its pool"
    assertContains(client.get(url("edit-query", query)), words)

    make_batches(collection=study.collection, by=study.lena)
    refused = client.post(url("remove-query", query))

    assertContains(refused, "Pairs of it are handed out in batch", status_code=423)
    assertNotContains(client.get(url("edit-query", query)), words)
    assert study.collection.queries.get() == query


@pytest.mark.parametrize("person", ["alice", "carol"])
def test_only_leads_write(client, study, query, person):
    client.force_login(getattr(study, person))

    assert client.get(url("edit-query", query)).status_code == 403
    assert client.post(url("add-aspect", query), {"text": "One."}).status_code == 403


def test_a_query_is_removed_once_it_has_no_aspects(lena, study, query):
    refused = lena.post(url("remove-query", query))
    empty = Query.objects.create(collection=study.collection, external_id="2", text="Empty.")
    assertContains(lena.get(url("edit-query", empty)), "Remove the query and its pool")

    removed = lena.post(url("remove-query", empty), follow=True)

    assertContains(refused, "The query has aspects.", status_code=409)
    assertContains(removed, "Query 2 is removed.")
    assert not Query.objects.filter(external_id="2").exists()


# --- the pool ---


def upload(name="c.jsonl", text='{"_id": "n1", "title": "T", "text": "One. Two."}\n'):
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile(name, text.encode())


def test_pasted_ids_are_added_and_counted(lena, study, query):
    answer = lena.post(
        url("add-candidates", query), {"ids": "d2\n d1 \n\n", "source": "run"}, follow=True
    )

    assertRedirects(answer, url("pool", query))
    assertContains(answer, "1 new in the pool, 1 there already. 3 new pairs wait for a batch.")
    assertContains(answer, "secret_source, run")


def test_unknown_ids_are_reported_and_the_paste_kept(lena, query):
    answer = lena.post(url("add-candidates", query), {"ids": "d2\nnowhere"})

    assertContains(answer, "has the id nowhere", status_code=422)
    assertContains(answer, "d2\nnowhere</textarea>", status_code=422)
    assert query.candidates.count() == 3


def test_an_uploaded_file_is_added(lena, study, query):
    answer = lena.post(url("add-corpus", query), {"file": upload(), "source": ""}, follow=True)

    assertContains(answer, "1 new in the pool, 1 new in the collection. 3 new pairs wait")
    assert Pair.objects.waiting().filter(document__external_id="n1").count() == 3


def test_a_broken_file_names_its_lines_and_stores_nothing(lena, query):
    text = '{"_id": "n1", "title": "T", "text": "One."}\n{"_id": "n 2"}\n'

    answer = lena.post(url("add-corpus", query), {"file": upload(text=text)})

    assertContains(answer, "c.jsonl, line 2:", status_code=422)
    assertContains(answer, "There is 1 problem with the input.", status_code=422)
    assert not Document.objects.filter(external_id="n1").exists()


def test_a_name_of_a_file_is_never_markup(lena, query):
    answer = lena.post(url("add-corpus", query), {"file": upload("<b>.jsonl", "[]")})

    assertContains(answer, "&lt;b&gt;.jsonl, line 1", status_code=422)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(lena, query, monkeypatch):
    monkeypatch.setattr("annotation.authoring.views.pools.MAX_CORPUS_BYTES", 10)

    answer = lena.post(url("add-corpus", query), {"file": upload()})

    assertContains(answer, "Nothing was read.", status_code=413)


def test_ticked_candidates_are_removed(lena, query):
    answer = lena.post(url("remove-candidates", query), {"candidate": ["e1", "e2"]}, follow=True)

    assertContains(answer, "2 removed from the pool.")
    assert [candidate.external_id for candidate in query.candidates.all()] == ["d1"]


def test_nothing_ticked_and_what_is_handed_out_is_reported(lena, study, query):
    first = study.collection.queries.get(external_id="0")

    nothing = lena.post(url("remove-candidates", query), {})
    handed_out = lena.post(url("remove-candidates", first), {"candidate": "d1"})
    hostile = lena.post(url("remove-candidates", query), {"candidate": ["e1", "\x00"]})

    assertContains(nothing, "Tick the candidates", status_code=422)
    assertContains(handed_out, "handed out in batch", status_code=423)
    assertContains(hostile, "a NUL character", status_code=422)
    assert query.candidates.count() == 3


def test_a_large_pool_comes_in_pages(lena, query, monkeypatch):
    monkeypatch.setattr("annotation.authoring.views.pools.PAGE_SIZE", 2)

    first, second = lena.get(url("pool", query)), lena.get(url("pool", query) + "?page=2")

    assertContains(first, "Title of e1")
    assertNotContains(first, "Title of e2")
    assertContains(second, "Title of e2")


def test_a_pool_is_searched(lena, query):
    Document.objects.filter(external_id="e2").update(title="", sentences=[{"text": "We sort e2."}])
    searched = lena.get(url("pool", query) + "?words=sort E2")

    assertContains(searched, "“We sort e2.”")
    assertNotContains(searched, "Title of e1")
    assertContains(lena.get(url("pool", query) + "?words=nothing"), "No candidate has these words")


def test_a_text_query_of_a_study_without_aspects_has_pages_without_them(client, db):
    study = make_study()
    query = Query.objects.create(
        collection=study.collection, external_id="t1", text="What for?", position=9
    )
    topic = Topic.objects.create(
        collection=study.collection, external_id="t1_method", facet="method", position=9
    )
    TopicPlace.objects.create(topic=topic, query=query)
    client.force_login(study.lena)

    listed = client.get(reverse("annotation:authoring", args=[study.collection.slug]))
    page, pool = client.get(url("edit-query", query)), client.get(url("pool", query))

    assertContains(listed, "Queries come by an import")
    assertContains(page, "What for?")
    for response in (page, pool):
        assertNotContains(response, "aspect")
