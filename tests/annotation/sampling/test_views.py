"""Drawing samples on pages, and batches of many topics on the lead's pages."""

from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.assigning.actions.batches import make_batches
from annotation.models import Batch, Pair
from annotation.sampling.actions import draw_sample
from tests.factories.studies import assign_all, make_aspect_query, make_aspect_study, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Nine pairs in batches and 24 that wait."""
    study = make_aspect_study()
    tree = {"10": ["11"], "12": ["13"]}
    make_aspect_query(study.collection, "1", tree, documents=[f"e{n}" for n in range(6)])
    return study


@shelved
def address(study):
    return reverse("annotation:samples", args=[study.collection.slug])


CHOICE = {
    "name": "Pilot",
    "size": 6,
    "overlap": 2,
    "stratify": "level",
    "parts": 1,
    "way": "document",
    "seed": "7",
}


def test_the_page_offers_the_samples_of_the_paper(lena, address):
    answer = lena.get(address)

    assertContains(answer, "24 pairs are in no batch.")
    assertContains(answer, "Development: 90 pairs, 2 annotators")
    assertContains(answer, "Test: 250 pairs, 3 annotators")
    assertNotContains(answer, "Draw 90 pairs")


def test_without_a_waiting_pair_there_is_nothing_to_choose(lena, study, address):
    make_batches(collection=study.collection, by=study.lena)

    answer = lena.get(address)

    assertContains(answer, "No pair waits for a batch")
    assertNotContains(answer, "Show what it draws")


def test_the_paper_s_samples_are_drawn_in_two_clicks(lena, study, address):
    documents = [f"f{n}" for n in range(300)]
    make_aspect_query(study.collection, "2", {"20": []}, documents=documents)

    seen = lena.get(address, {"preset": "test"})
    choice = seen.context["form"].cleaned_data
    answer = lena.post(address, choice)

    assertContains(seen, "Draw 250 pairs")
    batch = Batch.objects.get(name="Test")
    assertRedirects(answer, reverse("annotation:batch", args=[batch.public_id]))
    assert (batch.pairs.count(), batch.overlap) == (250, 3)
    assert batch.drawn["seed"] == choice["seed"]


def test_a_choice_is_shown_before_it_is_drawn(lena, study, address):
    answer = lena.get(address, CHOICE)

    assertContains(answer, "Draw 6 pairs")
    assertContains(answer, "sub-aspect")
    assert [(part.name, part.size, part.drawn) for part in answer.context["strata"]] == [
        ("aspect", 12, 3), ("sub-aspect", 12, 3),
    ]  # fmt: skip
    assert not Batch.objects.filter(name="Pilot").exists()


def test_more_than_waits_is_reported_without_a_button(lena, address):
    answer = lena.get(address, CHOICE | {"size": 25})

    assertContains(answer, "Only 24 pairs wait")
    assertNotContains(answer, "Draw 25")


def test_a_choice_that_makes_no_sense_is_reported_at_its_field(lena, address):
    answer = lena.get(address, CHOICE | {"overlap": 0, "stratify": "mood"})
    posted = lena.post(address, CHOICE | {"overlap": 0})

    assertContains(answer, "greater than or equal to 1")
    assert posted.status_code == 422
    assert not Batch.objects.filter(name="Pilot").exists()


def test_what_is_drawn_is_what_was_shown_in_as_many_batches(lena, study, address):
    answer = lena.post(address, CHOICE | {"parts": 2}, follow=True)

    assertRedirects(answer, reverse("annotation:assign", args=[study.collection.slug]))
    assertContains(answer, "Pilot, part 2 of 2")
    assertContains(answer, "6 pairs drawn into 2 batches.")


def test_a_draw_that_others_were_faster_than_is_reported(lena, study, address):
    draw_sample(
        collection=study.collection, name="First", size=20, overlap=2, seed="1", by=study.lena
    )

    answer = lena.post(address, CHOICE)

    assertContains(answer, "4 pairs wait for a batch.", status_code=422)


def test_a_csfcube_collection_is_sampled_too(client, db):
    study = make_study(assign=False)
    client.force_login(study.lena)
    address = reverse("annotation:samples", args=[study.collection.slug])

    assertContains(client.get(address, CHOICE | {"size": 3}), "Draw 3 pairs")
    client.post(address, CHOICE | {"size": 3})

    assert Batch.objects.get(name="Pilot").pairs.count() == 3


# --- batches of many topics ---


@shelved
def batch(study):
    [batch] = draw_sample(
        collection=study.collection,
        name="Pilot",
        size=20,
        overlap=2,
        seed="7",
        stratify="level",
        by=study.lena,
    )
    assign_all(study, [batch], ["alice", "bob"])
    return batch


def page_of(batch):
    return reverse("annotation:batch", args=[batch.public_id])


def test_the_page_of_a_sample_says_what_it_is(lena, batch):
    answer = lena.get(page_of(batch))

    assertContains(answer, '<h1 dir="auto">Pilot</h1>')
    assertContains(answer, "of 4 topics")
    assertContains(answer, "20 of the 24 that no batch held")
    assertContains(answer, "in proportion to: aspect or sub-aspect, or facet")
    assertContains(answer, "<code>7</code>")
    assertContains(answer, "The value that more than half of the seats gave is gold")


def test_pairs_of_a_sample_name_their_topics_in_order(lena, batch):
    answer = lena.get(page_of(batch))

    topics = [row.pair.topic.external_id for row in answer.context["pair_rows"]]
    assert topics == sorted(topics)
    assertContains(answer, "The paper does 10.")


def test_the_lead_switches_the_way_to_work(lena, study, batch):
    address = reverse("annotation:set-way", args=[batch.public_id])

    answer = lena.post(address, {"way": "document"}, follow=True)

    batch.refresh_from_db()
    assert batch.way == Batch.Way.BY_DOCUMENT
    assertRedirects(answer, page_of(batch))
    assertContains(answer, 'value="document" checked')
    assertContains(answer, "An abstract is read once")


def test_an_unknown_way_is_reported(lena, batch):
    answer = lena.post(reverse("annotation:set-way", args=[batch.public_id]), {"way": "sideways"})

    assertContains(answer, "Choose one of the two ways", status_code=422)


def test_a_batch_of_one_topic_has_no_way_to_choose(lena, study):
    answer = lena.get(page_of(study.batch))

    assertNotContains(answer, "Way to work")
    assertContains(answer, "The paper detects faults in machines.")


def test_a_sample_is_named_by_itself_where_batches_are_assigned(lena, study, batch):
    answer = lena.get(reverse("annotation:assign", args=[study.collection.slug]))

    [row] = [row for row in answer.context["rows"] if row.batch == batch]
    assert row.title == "Pilot"
    assert row.is_mixed


def test_progress_of_a_topic_counts_its_own_pairs_of_the_sample(lena, study, batch):
    for pair in batch.pairs.filter(topic__external_id="10"):
        study.rate("alice", pair, 1)

    answer = lena.get(reverse("annotation:collection", args=[study.collection.slug]))

    [row] = [topic for topic in answer.context["report"].topics if topic.topic.external_id == "10"]
    size = batch.pairs.filter(topic__external_id="10").count()
    assert [(seat.rated, seat.size) for seat in row.lists] == [(size, size), (0, size)]


def test_a_topic_of_a_sample_says_what_keeps_it_from_being_locked(lena, study, batch):
    study.finish(batch, alice=1, bob=1)
    topic = Pair.objects.waiting().filter(topic__pairs__batch=batch).first().topic
    address = reverse("annotation:lock-topic", args=[study.collection.slug, topic.public_id])

    answer = lena.post(address, follow=True)

    topic.refresh_from_db()
    assert not topic.is_locked
    assertContains(answer, "no gold yet")


def test_the_page_of_an_aspect_shows_the_query_s_text(lena, study):
    topic = study.collection.topics.get(external_id="3")

    answer = lena.get(reverse("annotation:topic", args=[study.collection.slug, topic.public_id]))

    assertContains(answer, "It should say how sure it is.")
    assertContains(answer, "asks for it")


def test_many_topics_come_in_pages(lena, study, monkeypatch):
    monkeypatch.setattr("annotation.progress.views.overview.PAGE_SIZE", 3)
    address = reverse("annotation:collection", args=[study.collection.slug])

    first, last = lena.get(address), lena.get(address, {"state": "waiting", "page": 2})

    assert [row.topic.external_id for row in first.context["rows"]] == ["0", "1", "2"]
    assert [row.topic.external_id for row in last.context["rows"]] == ["13"]
    assertContains(last, "?state=waiting&amp;page=1")
