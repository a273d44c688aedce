"""The pages of the section as their viewers meet them; what a lead who rates never learns."""

import re
import uuid
from html import unescape
from itertools import cycle

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from adjudication.actions import decide
from agreement.pages.frame import page_name
from agreement.tables.columns import ASPECT, TOPIC
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from datasets.models import Collection, Membership
from datasets.pseudonyms import pseudonym
from tests.factories.studies import make_document, make_member, make_study, make_user
from tests.shelf import shelved

pytestmark = pytest.mark.django_db

PAGES = [
    "agreement:agreement",
    "agreement:queries",
    "agreement:annotators",
    "agreement:disagreements",
    "agreement:facets",
    "agreement:pool",
    "agreement:working",
    "agreement:input",
]
WITH_SCREEN = [name for name in PAGES if name != "agreement:input"]


@shelved
def study():
    study = make_study(candidates=3)
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1])
    return study


def address(study, name, **query):
    return reverse(name, args=[study.collection.slug], query=query)


@pytest.mark.parametrize("name", PAGES)
def test_everybody_else_is_refused(client, study, name):
    home = address(study, name)

    assertRedirects(
        client.get(home),
        f"{reverse('accounts:sign-in')}?next={home}",
        fetch_redirect_response=False,
    )
    client.force_login(make_user("Dave"))
    assert client.get(home).status_code == 404
    for person in (study.alice, study.carol):
        client.force_login(person)
        assert client.get(home).status_code == 403


@pytest.mark.parametrize("name", PAGES)
def test_page_only_reads(lena, study, name):
    assert lena.post(address(study, name)).status_code == 405


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("parameter", ["facet", "batch", "from", "summary"])
def test_unknown_filter_is_a_bad_request(lena, study, name, parameter):
    assert lena.get(address(study, name, **{parameter: "best"})).status_code == 400


@pytest.mark.parametrize("name", WITH_SCREEN)
def test_htmx_gets_the_changing_part_and_the_address_to_show(lena, study, name):
    home = address(study, name, facet="method", **{"cannot-judge": "drop", "query": ""})

    fragment = lena.get(home, headers={"HX-Request": "true"})

    assertNotContains(fragment, "<html")
    assertContains(fragment, 'id="figures"')
    assert "HX-Request" in fragment["Vary"]
    assert "?facet=method&cannot-judge=drop" in fragment["HX-Push-Url"]


@pytest.mark.parametrize("name", WITH_SCREEN)
def test_links_to_the_other_pages_keep_the_filters(lena, study, name):
    page = lena.get(address(study, name, facet="method", summary="mean"))

    for other in PAGES[1:4]:
        assertContains(page, f"{address(study, other)}?facet=method&amp;summary=mean")


@pytest.mark.parametrize("name", WITH_SCREEN)
@pytest.mark.parametrize("topics", [0, 1, 3])
def test_number_of_statements_does_not_grow(lena, name, topics, django_assert_max_num_queries):
    study = make_study(slug=f"with-{topics}", facets=("background", "method", "result")[:topics])
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 1, 2], bob=[0, 1, 1], batch=batch)
    lena.get(address(study, name))

    with django_assert_max_num_queries(25):
        assert lena.get(address(study, name)).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_collection_without_ratings_says_so(client, name):
    study = make_study(assign=False)
    client.force_login(study.lena)

    assert client.get(address(study, name)).status_code == 200


def test_page_of_facets_is_called_by_what_it_shows():
    assert page_name("agreement:facets", TOPIC) == "Facets"
    assert page_name("agreement:facets", ASPECT) == "Grades"


@pytest.mark.parametrize("name", PAGES[1:])
def test_collection_without_a_scheme_has_no_figures(client, study, name):
    bare = Collection.objects.create(slug="bare", name="Bare")
    Membership.objects.create(collection=bare, user=study.lena, name="Lena", is_lead=True)
    client.force_login(study.lena)

    assert client.get(reverse(name, args=["bare"])).status_code == 404


def test_queries_come_worst_first_and_lead_to_their_disputes(client):
    study = make_study(facets=("background", "method", "result"))
    first, second, _third = study.collection.batches.all()
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1], batch=first)
    study.finish(alice=[0, 1, 2], bob=[1, 0, 2], batch=second)
    client.force_login(study.lena)

    page = client.get(address(study, "agreement:queries", measure="percent")).content.decode()
    best = client.get(
        address(study, "agreement:queries", measure="percent", sort="best")
    ).content.decode()

    def places(text):
        return [text.rindex(f">q1_{facet}") for facet in ("method", "background", "result")]

    assert places(page) == sorted(places(page))
    assert places(best)[0] > places(best)[1]
    assert "list=undecided&amp;topic=q1_method" in page
    assert "not yet: 3 pairs with a seat not handed in" in page
    assert client.get(address(study, "agreement:queries", sort="random")).status_code == 400


def test_titles_are_shown_as_text(lena, study):
    document = study.topics[0].places.get().query.document
    document.title = "<script>alert(1)</script>"
    document.save()

    page = lena.get(address(study, "agreement:queries"))

    assertContains(page, "&lt;script&gt;alert(1)&lt;/script&gt;")
    assertNotContains(page, "<script>alert")


@shelved
def rating_lead():
    """Alice leads as well. Her own batch is unfinished; another one is Bob's and Erin's."""
    study = make_study(facets=("method", "result"), assign=False)
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    rated_by_lead, rated_by_others = make_batches(collection=study.collection, by=study.lena)
    for batch, names in [(rated_by_lead, ["alice", "bob"]), (rated_by_others, ["bob", "erin"])]:
        for seat, holder in zip(batch.seats.all(), names, strict=True):
            assign_seat(seat=seat, member=study.members[holder], by=study.lena)
    study.finish(bob=[0, 1, 2], erin=[0, 1, 1], batch=rated_by_others)
    study.rated_by_lead, study.rated_by_others = rated_by_lead, rated_by_others
    return study


def masked(response):
    """An answer without the clock, the token of its form, and the number of a job."""
    text = re.sub(r'X-CSRFToken": "[^"]*', "", response.content.decode())
    text = re.sub(r'csrfmiddlewaretoken" value="[^"]*', "", text)
    return response.status_code, re.sub(r"State of [^<]* UTC", "", text)


def everything_a_lead_may_open(client, study, stress):
    """Every page, and every filter on one of them; under --full every filter on every page."""
    bob = pseudonym(study.collection, study.members["bob"])
    queries = [
        {},
        {"annotator": bob},
        {"batch": str(study.rated_by_lead.public_id)},
        {"from": "2020-01-01"},
        {"version": "1"},
        {"topic": "q1_method"},
        {"facet": "method", "cannot-judge": "drop", "summary": "pooled"},
    ]
    names = [*PAGES, "agreement:agreement-csv", "agreement:agreement-json"]
    selection = stress(
        [(name, {}) for name in names] + list(zip(cycle(names), queries, strict=False)),
        [(name, query) for name in names for query in queries],
    )
    selection.append(("agreement:report", {}))
    return [masked(client.get(address(study, name, **query))) for name, query in selection]


def test_lead_with_an_open_seat_sees_the_same_whatever_the_others_do(client, rating_lead, stress):
    study = rating_lead
    client.force_login(study.alice)
    before = everything_a_lead_may_open(client, study, stress)

    study.rate_all("bob", [1, None, 3], study.rated_by_lead)
    # Another lead's look fills the copies that all leads share.
    client.force_login(study.lena)
    pages_before = everything_a_lead_may_open(client, study, stress)
    client.force_login(study.alice)
    during = everything_a_lead_may_open(client, study, stress)
    study.hand_in("bob", study.rated_by_lead)
    after = everything_a_lead_may_open(client, study, stress)

    assert before == during == after
    assert pages_before != during


def test_lead_sees_the_topic_once_every_seat_is_handed_in(client, rating_lead):
    study = rating_lead
    client.force_login(study.alice)
    assertContains(client.get(address(study, "agreement:queries")), "Left out for you")

    study.finish(bob=[1, 1, 3], batch=study.rated_by_lead)
    study.finish(alice=[1, 1, 3], batch=study.rated_by_lead)

    page = client.get(address(study, "agreement:queries", measure="percent"))
    assertNotContains(page, "Left out for you")
    assertContains(page, "100.00")


def test_a_page_says_what_a_second_wave_leaves_out_and_leads_to_its_figures(lena, study):
    home = address(study, "agreement:queries", measure="percent")
    assertNotContains(lena.get(home), "handed in belong")

    study.topics[0].pairs.create(document=make_document(study.collection, "late"), position=9)
    page = lena.get(home)
    assertContains(page, "3 pairs of batches that are handed in belong to topics that are not")
    [link] = re.findall(r'href="([^"]*batch=handed-in[^"]*)"', page.text)

    page = lena.get(unescape(link))
    assertContains(page, "66.67")
    assertNotContains(page, "handed in belong")


def test_decision_is_on_the_pages_at_once(lena, study):
    assertContains(lena.get(address(study, "agreement:queries")), "list=undecided")

    decide(
        pair=study.batch.pairs.disputed().get(),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(2),
    )

    assertNotContains(lena.get(address(study, "agreement:queries")), "list=undecided")
    assertContains(lena.get(address(study, "agreement:disagreements")), "100.0%")
