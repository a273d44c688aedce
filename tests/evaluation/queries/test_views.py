"""The pages of queries: the list, one query with its ranked pool, and statistics."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts.models import User
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import MachineRun
from datasets.models import Candidate, Document
from evaluation.queries.reading import read_text_queries
from evaluation.queries.reports import scale_of
from evaluation.queries.statistics import statistics
from evaluation.sources.choices import source_named
from evaluation.values import read_values
from tests.factories.definitions import add_binary
from tests.factories.studies import (
    make_aspect_query,
    make_aspect_study,
    make_member,
    make_study,
    make_user,
)
from tests.releases.test_levels import VALUES, make_run, rated
from tests.shelf import shelved

LIST = "/collections/aspects/queries/"
STATISTICS = "/collections/aspects/queries/statistics/"
ALL = {(topic, f"d{number}"): 2 for topic in VALUES for number in (1, 2, 3)}


@shelved
def study(db):
    """S is 5, 4 and 0 over four ids for d1, d2 and d3; see `rated`."""
    make_user("Dave")
    return rated()


def page_of(study, query_id="0"):
    query = study.collection.queries.get(external_id=query_id)
    return reverse("evaluation:query", args=[study.collection.slug, query.public_id])


def ranking(response):
    """[(rank, document, S, S/|Q|, relevant)] of the ranked pool; the rest is "" without a rank."""
    _, table = response.content.decode().split('<table class="tbl ranking">')
    rows = []
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table.split("<tbody>")[1], re.DOTALL):
        cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        words = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells]
        document = words[1].split()[-1]
        scored = words[2:5] if len(words) == 6 else ["", "", ""]
        rows.append((words[0], document, *scored, words[-1]))
    return rows


def sign_in(client, name):
    if name:
        client.force_login(User.objects.get(email=f"{name}@example.org"))


# Who


@pytest.mark.parametrize(
    ("name", "expected"),
    [("alice", 403), ("carol", 403), ("dave", 404), ("ada", 404), (None, 302), ("lena", 200)],
)
def test_only_leads_see_queries_and_scores(client, study, name, expected):
    sign_in(client, name)

    for address in [LIST, STATISTICS, page_of(study)]:
        assert client.get(address).status_code == expected


def test_other_methods_are_refused(lena, study):
    for address in [LIST, STATISTICS, page_of(study)]:
        assert lena.post(address).status_code == 405


# One query


def test_the_pool_is_ranked_with_what_is_relevant(lena, study):
    response = lena.get(page_of(study))

    assert ranking(response) == [
        ("1", "d1", "5", "1.250", "relevant", "4 of 4"),
        ("2", "d2", "4", "1.000", "relevant", "4 of 4"),
        ("3", "d3", "0", "0.000", "no", "4 of 4"),
    ]
    assertContains(response, "the same as A2, counts once")
    assertContains(response, "2 relevant.")


def test_the_key_of_the_values_has_the_shades_of_their_cells(lena, study):
    report = lena.get(page_of(study)).context["report"]

    shades = {cell.text: cell.heat for _, cells in report.heat for cell in cells}
    assert dict(report.legend) == shades


def test_the_address_chooses_aspects_with_their_sub_aspects(lena, study):
    """Aspect "3" has "2" below it: d1 has 0 + 1, d2 2 + 1, d3 0 + 0."""
    response = lena.get(page_of(study), {"aspect": "3"})

    assert ranking(response) == [
        ("1", "d2", "3", "1.500", "relevant", "2 of 2"),
        ("2", "d1", "1", "0.500", "no", "2 of 2"),
        ("3", "d3", "0", "0.000", "no", "2 of 2"),
    ]
    assertContains(response, 'value="3" checked')
    assertNotContains(response, 'value="0" checked')
    assertContains(response, "<code>0_3</code>", html=True)


def test_a_choice_whose_sentences_ask_for_more_says_so(lena, study):
    query = study.collection.queries.get()
    query.sentences[3]["topics"] = ["3", "0"]
    query.save()

    response = lena.get(page_of(study), {"aspect": "3"})

    assertContains(response, "its sentences also ask for A.")


def test_equal_scores_and_missing_values_are_shown_as_such(client, db):
    study = rated(but=["1"])
    client.force_login(study.lena)

    whole = ranking(client.get(page_of(study)))
    part = ranking(client.get(page_of(study), {"aspect": "3", "values": "gold"}))

    assert whole == [("–", f"d{n}", "", "", "", "3 of 4") for n in (1, 2, 3)]
    assert [row[0] for row in part] == ["1", "2", "3"]


def test_values_come_from_one_source_alone(lena, study):
    run = make_run(study, ALL | {("0", "d1"): None})

    response = lena.get(page_of(study), {"values": f"machine:{run.public_id}"})

    assert ranking(response) == [
        ("1=", "d2", "8", "2.000", "relevant", "4 of 4"),
        ("1=", "d3", "8", "2.000", "relevant", "4 of 4"),
        ("–", "d1", "", "", "", "3 of 4"),
    ]
    assertContains(response, "no value from this source")


def test_runs_and_aspects_that_are_not_there_are_refused(lena, study):
    other = MachineRun.objects.create(
        collection=rated_elsewhere().collection, model="gpt", name="theirs"
    )

    assert lena.get(page_of(study), {"values": f"machine:{other.public_id}"}).status_code == 404
    assert lena.get(page_of(study), {"values": "silver"}).status_code == 404
    assert lena.get(page_of(study), {"aspect": "1"}).status_code == 400


def rated_elsewhere():
    return make_aspect_study(slug="other", annotators=(), overlap=1)


def test_a_candidate_without_text_counts_in_the_pool_and_is_not_ranked(lena, study):
    Candidate.objects.create(
        query=study.collection.queries.get(), external_id="gone", document=None, position=9
    )

    response = lena.get(page_of(study))

    assertContains(response, "pool of 4, 3 with text")
    assert len(ranking(response)) == 3


def test_an_excluded_pair_is_marked_and_its_document_has_no_rank(lena, study):
    pair = study.collection.topics.get(external_id="1").pairs.get(document__external_id="d1")
    type(pair).objects.filter(pk=pair.pk).update(
        state="excluded", gold_origin="excluded", gold_value=None, gold_option=None
    )

    response = lena.get(page_of(study))

    assert ranking(response)[-1] == ("–", "d1", "", "", "", "3 of 4")
    assertContains(response, '<span class="vh">left out with a reason</span>', count=1)


def test_htmx_gets_the_scores_alone(lena, study):
    response = lena.get(page_of(study), headers={"HX-Request": "true"})

    assertNotContains(response, "<html")
    assertContains(response, 'hx-swap-oob="innerHTML"')
    assert "HX-Request" in response["Vary"]


@pytest.mark.parametrize("queries", [1, 3])
def test_pages_ask_as_much_for_three_queries_as_for_one(
    lena, study, queries, django_assert_num_queries
):
    for number in range(1, queries):
        make_aspect_query(study.collection, query_id=str(number), tree={"0": ["1"]})

    for address, count in [(LIST, 20), (STATISTICS, 19), (page_of(study), 21)]:
        with django_assert_num_queries(count):
            lena.get(address)


# Blindness


def test_a_lead_who_rates_sees_no_value_of_that_batch_and_learns_why(client, study):
    make_aspect_query(study.collection, query_id="1", tree={"9": []})
    [batch] = make_batches(collection=study.collection, by=study.lena)
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    assign_seat(seat=batch.seats.get(), member=nora, by=study.lena)
    run = make_run(study, {("9", "d1"): 2, ("9", "d2"): 2, ("9", "d3"): 2})
    client.force_login(nora.user)
    lead = Client()
    lead.force_login(study.lena)

    for values in ["gold", f"machine:{run.public_id}"]:
        hers = client.get(page_of(study, "1"), {"values": values})
        assertContains(hers, "3 pairs are left out here")
        assert [row[0] for row in ranking(hers)] == ["–", "–", "–"]
        assertContains(client.get(LIST, {"values": values}), "0 of 3")
        assertContains(client.get(STATISTICS, {"values": values}), "3 pairs are left out here")
    lenas = lead.get(page_of(study, "1"), {"values": f"machine:{run.public_id}"})
    assertNotContains(lenas, "left out here")
    assert [row[0] for row in ranking(lenas)] == ["1=", "1=", "1="]


# The list


def test_the_list_counts_pairs_and_complete_abstracts(lena, study):
    make_aspect_query(study.collection, query_id="1", tree={"3": ["8"]}, documents=("d3", "d4"))

    response = lena.get(LIST)

    assertContains(response, "12 of 12")
    assertContains(response, "3 of 3")
    assertContains(response, "1 of 4")  # "3" has a value for d3, "8" has none
    assertContains(response, "0 of 2")
    assertContains(response, page_of(study, "1"))


def test_texts_under_facets_are_listed_too(client, db):
    study = make_study(assign=False)
    study.collection.queries.update(document=None, text="What is it?")
    client.force_login(study.lena)
    [topic] = study.topics

    response = client.get("/collections/study/queries/")

    assertContains(response, "What is it?")
    assertContains(response, reverse("annotation:topic", args=["study", topic.public_id]))


def test_queries_that_are_papers_lead_to_their_topics(client, db):
    papers = make_study()
    client.force_login(papers.lena)
    [topic] = papers.topics
    address = reverse("annotation:topic", args=["study", topic.public_id])

    assertContains(client.get("/collections/study/queries/"), address)
    assertRedirects(client.get(page_of(papers, "q1")), address)
    assertContains(client.get("/collections/study/queries/statistics/"), "No queries with aspects")


def test_a_query_that_is_a_paper_without_a_title_is_called_by_its_beginning(client, db):
    papers = make_study()
    paper = papers.collection.queries.get().document
    Document.objects.filter(pk=paper.pk).update(title="", sentences=[{"text": "Why we sort."}])
    client.force_login(papers.lena)

    for page in ("queries/", "queries/?words=why+sort", "", "assign/"):
        assertContains(client.get(f"/collections/study/{page}"), "“Why we sort.”")


def test_a_query_of_another_collection_does_not_exist(lena, study):
    other = rated_elsewhere().collection.queries.get()

    address = reverse("evaluation:query", args=["aspects", other.public_id])

    assert lena.get(address).status_code == 404


def test_pages_lead_to_where_queries_are_written(lena, study):
    query = study.collection.queries.get()

    assertContains(lena.get(LIST), reverse("annotation:authoring", args=["aspects"]))
    assertContains(
        lena.get(page_of(study)), reverse("annotation:edit-query", args=[query.public_id])
    )


# Statistics


def of(study, run=None):
    collection = study.collection
    source = source_named(collection, f"machine:{run.public_id}" if run else "gold")
    return statistics(
        read_text_queries(collection),
        read_values(collection, user=study.lena, source=source),
        scale_of(collection),
    )


def test_statistics_per_type_and_in_all(study):
    query = make_aspect_query(study.collection, query_id="1", tree={"3": ["8"]})
    query.metadata = {"query_type": "NLP"}
    query.text = "Three words here"
    query.save()

    whole, ml, nlp = of(study)

    assert [(part.label, part.queries) for part in (whole, ml, nlp)] == [
        ("All queries", 2), ("ML", 1), ("NLP", 1),
    ]  # fmt: skip
    assert (nlp.words.least, whole.words.least, whole.words.greatest) == (3, 3, 36)
    assert (ml.ids.greatest, ml.aspects.greatest, ml.sub_aspects.greatest) == (4, 2, 2)
    # "3" is asked for by both queries over the same three documents, and counted once.
    assert (ml.pairs, nlp.pairs, whole.pairs) == (12, 6, 15)
    assert ml.values == {0: 6, 1000: 3, 2000: 3}
    assert whole.values == ml.values
    assert (nlp.valued, nlp.pairs_without_value) == (3, 3)
    assert (ml.scored, ml.unscored, nlp.scored, nlp.unscored) == (3, 0, 0, 3)
    assert (ml.relevant.mean, ml.without_relevant, nlp.relevant) == (2, 0, None)
    assert ml.mean_score == pytest.approx((1.25 + 1 + 0) / 3)
    assert sum(ml.scores.counts) == 3
    assert ml.scores.counts[10] == 1  # exactly 1 is in the step from 1 on
    assert [(size.count, size.with_relevant, size.unsettled) for size in ml.sub_queries] == [
        (1, 1, 0), (0, 0, 0),
    ]  # fmt: skip


def test_statistics_of_a_run_use_its_values_alone(study):
    run = make_run(study, ALL)

    whole, _ = of(study, run)

    assert whole.values == {0: 0, 1000: 0, 2000: 12}
    assert whole.mean_score == 2


def test_without_types_there_is_the_whole_alone(study):
    study.collection.queries.update(metadata={})

    assert [part.label for part in of(study)] == ["All queries"]


def test_a_query_is_scored_by_any_source_that_speaks_of_its_aspects(lena, study):
    response = lena.get(page_of(study), {"values": "seat:1"})

    by_gold = ranking(lena.get(page_of(study)))
    assert ranking(response) == by_gold  # the one seat agrees with gold
    choices = [value for value, _ in response.context["source"].choices]
    assert choices[:2] == ["gold", "seat:1"]
    assertContains(response, "First seat")


def test_values_are_read_by_a_mapping(lena, study):
    add_binary(study.collection)

    page = f"{page_of(study)}?mapping=binary"
    chosen = lena.get(page)
    [link] = set(
        re.findall(
            r'href="([^"]*statistics/[^"]*)"', lena.get(f"{LIST}?mapping=binary").content.decode()
        )
    )

    # Of the values over 2: d1 has two, d2 one.
    assert [row[1:3] for row in ranking(chosen)] == [("d1", "2"), ("d2", "1"), ("d3", "0")]
    assertContains(chosen, "by the mapping Binary, version 1")
    assert link.endswith("?mapping=binary.1")
    assert lena.get(f"{page_of(study)}?mapping=none").status_code == 400


def test_the_page_of_statistics_has_each_type_with_its_values_and_scores(lena, study):
    query = make_aspect_query(study.collection, query_id="1", tree={"3": ["8"]})
    query.metadata = {"query_type": "NLP"}
    query.save()

    page = lena.get(STATISTICS).content.decode()

    words = " ".join(re.sub(r"<[^>]+>", " ", page.split("<h1>")[1]).split())
    assert "ML 1 36.00 36\u201336 2.00 2\u20132" in words
    assert "ML 50.0% 6 25.0% 3 25.0% 3 0 NLP" in words
    assert "ML 1 1 3 0 0.75 2.00 2\u20132 0 NLP 1 0 0 3 not yet" in words
    assert "1 to below 1.1 33.3% 1 33.3% 1" in words
