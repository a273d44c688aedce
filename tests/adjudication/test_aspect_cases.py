"""The adjudicator's screens where topics are aspects, rated by three under the majority rule."""

import uuid

import pytest
from django.urls import reverse
from lxml import html as lxml_html
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from adjudication.models import Decision
from annotation.models import Pair
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import make_aspect_study
from tests.shelf import shelved

HTMX = {"HX-Request": "true"}
QUEUE = "/collections/aspects/adjudicate/"
RATERS = ("alice", "bob", "erin")


def rate(study, topic, document, *options, components=((), (), ())):
    """The three rate one pair; components are (text, mark) for each of them."""
    pair = Pair.objects.get(topic__external_id=topic, document__external_id=document)
    for name, option, parts in zip(RATERS, options, components, strict=True):
        split = [{"text": text, "met": met} for text, met in parts]
        study.rate(name, pair, option, components=split)
    return pair


@shelved
def study(db):
    """A sample of several topics, handed in: A2 under d2 and B under d3 have no majority."""
    study = make_aspect_study(in_one_batch=True)
    for name in RATERS:
        study.rate_all(name, "agree")
    rate(
        study,
        "2",
        "d2",
        "disagree",
        "dispute",
        "concur",
        components=(
            [("robust", "met"), ("to noise", "not")],
            [("Robust", "partly"), ("measured", "met")],
            [],
        ),
    )
    rate(study, "3", "d3", None, "agree", "concur")
    for name in RATERS:
        study.hand_in(name)
    return study


@shelved
def pair(study):
    return Pair.objects.get(topic__external_id="2", document__external_id="d2")


def address(pair):
    return reverse("adjudication:decide-pair", args=[pair.public_id])


def page_of(response):
    return lxml_html.fromstring(response.content)


def text_of(element):
    return " ".join(element.text_content().split())


def send(client, pair, option, headers=None, **fields):
    sent = {"option": option, "save_id": uuid.uuid4(), **fields}
    return client.post(address(pair), sent, headers=headers or {})


def test_two_of_three_agree_without_an_adjudicator(study):
    states = dict(Pair.objects.values_list("state").distinct().values_list("state", "batch"))

    assert set(states) == {"agreed", "disputed"}
    assert Pair.objects.disputed().count() == 2
    # Dispute and agree stand for one value: with either of them twice there is a majority.
    other = make_aspect_study(slug="other", in_one_batch=True, annotators=())
    assert other.scheme.rule == "majority"


def test_the_queue_names_aspects_and_shortens_their_query(carol, study):
    response = carol.get(QUEUE)

    page = page_of(response)
    assert [text_of(row) for row in page.xpath("//ul[contains(@class, 'cases')]//h3")] == [
        "The method is robust to noise.",
        "The method states its uncertainty.",
    ]
    assertContains(response, "turbines. I want to hear faults in …</span>")
    assertContains(response, 'aria-label="Open The method is robust to noise."')
    assertNotContains(response, ">Aspect</span>")


def test_the_pair_shows_query_tree_raters_rule_and_options_beside_values(carol, pair):
    page = page_of(carol.get(address(pair)))

    marked = page.xpath("//ol[contains(@class, 'asks')]/li[@class='on']")
    assert [text_of(row) for row in marked] == [
        "asks for aspect A2The microphones are cheap, so the method must live with noise."
    ]
    [current] = page.xpath("//ol[@class='aspects']/li[@aria-current='step']")
    assert text_of(current) == "A2 The method is robust to noise. current"
    assert not page.xpath("//ol[@class='aspects']//a")
    assert sorted(text_of(row) for row in page.xpath("//span[@class='g']")) == [
        "0 · Disagree",
        "1 · Dispute",
        "2 · Concur",
    ]
    who = page.xpath(
        "//ul[@class='rater-list']//b[contains(@class, 'sign')]/following-sibling::span"
    )
    assert [text_of(row) for row in who if row.get("class") == "who"] == [
        "Annotator A",
        "Annotator B",
        "Annotator C",
    ]
    [rule] = page.xpath("//p[@class='rule']")
    assert text_of(rule) == (
        "The value that more than half of the seats gave is gold; "
        "where there is none, an adjudicator decides."
    )
    assert page.xpath("//h2[text()='Two grades apart']")


def test_options_of_one_value_are_told_apart(carol, pair):
    page = page_of(carol.get(address(pair)))

    picks = {
        pick.xpath("string(input/@value)"): pick for pick in page.xpath("//label[@class='pick']")
    }
    assert list(picks) == ["disagree", "dispute", "agree", "concur"]
    assert [picks[key].xpath("string(span[@class='num'])") for key in picks] == list("dpac")
    assert [picks[key].xpath("string(.//span[@class='lvl'])") for key in picks] == [
        "value 0",
        "value 1",
        "value 1",
        "value 2",
    ]
    [by] = picks["dispute"].xpath("span[@class='by']")
    letter = text_of(by).removeprefix("annotator ")
    assert text_of(picks["agree"].xpath("span[@class='by']")[0]) == f"same value as {letter}"
    assert not page.xpath("//input[@data-neither]")
    assert picks["agree"].xpath("input/@data-shortcut") == ["a"]
    assert picks["agree"].xpath("input/@data-words") == ["1 · Agree"]


def test_components_stand_side_by_side_with_what_differs_first(carol, pair):
    page = page_of(carol.get(address(pair)))

    rows = page.xpath("//table[@class='compared']/tbody/tr")
    assert [row.get("class") for row in rows] == ["differs", "one-sided", "one-sided"]
    assert text_of(rows[0].xpath("th")[0]).lower() == "≠differs: robust"
    assert sorted(text_of(cell) for cell in rows[0].xpath("td/strong")) == ["Met", "Partly"]
    assert {text_of(row.xpath("th/span")[0]) for row in rows[1:]} == {"to noise", "measured"}
    assert "–does not have it" in {text_of(cell) for cell in rows[1].xpath("td")}
    assertContains(carol.get(address(pair)), ": no components.")


def test_without_components_nothing_is_compared(carol, study):
    pair = Pair.objects.get(topic__external_id="3", document__external_id="d3")

    response = carol.get(address(pair))

    assertNotContains(response, "Key components")
    assertContains(response, "One cannot judge")


def test_hidden_ratings_hide_their_components(carol, study, pair):
    hide_ratings(study)

    before = carol.get(address(pair))
    send(carol, pair, "concur")
    after = carol.get(address(pair))

    for response, is_shown in [(before, False), (after, True)]:
        assert ("Key components" in response.content.decode()) == is_shown
        assert ("robust</span>" in response.content.decode().lower()) == is_shown


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_value_that_none_of_the_three_gave_needs_a_rationale(carol, study, headers):
    pair = Pair.objects.get(topic__external_id="3", document__external_id="d3")

    refused = send(carol, pair, "disagree", headers=headers)
    send(carol, pair, "dispute", headers=headers)

    assertContains(refused, "No annotator gave this grade.", status_code=422)
    # Somebody agreed: dispute is another option of that value.
    assert Decision.objects.get().option.key == "dispute"
    assert (
        send(
            carol, pair, "disagree", based_on=Decision.objects.get().public_id, reason="It says so."
        ).status_code
        == 302
    )


def test_an_imported_value_without_a_label_is_named_as_such(carol, study, pair):
    level = study.scheme.options.get(key="level-2")
    concur = pair.ratings.get(option__key="concur")
    type(concur).objects.filter(pk=concur.pk).update(option=level)

    page = page_of(carol.get(address(pair)))

    assert "2 · label not recorded" in [text_of(row) for row in page.xpath("//span[@class='g']")]
    [pick] = [p for p in page.xpath("//label[@class='pick']") if p.xpath("input[@value='concur']")]
    assert text_of(pick.xpath("span[@class='by']")[0]).startswith("same value as ")
    assert not pick.xpath("input[@data-neither]")


def test_a_study_of_samples_is_decided_topic_after_topic(carol, study, pair):
    other = Pair.objects.get(topic__external_id="3", document__external_id="d3")
    assertRedirects(carol.get(topic_address(study, pair)), address(pair))

    response = send(carol, pair, "concur")

    assertRedirects(response, topic_address(study, other), target_status_code=302)
    assert carol.get(response.url).url == address(other)
    last = send(carol, other, "concur")
    assertRedirects(last, QUEUE)


def topic_address(study, pair):
    return reverse("adjudication:topic", args=[study.collection.slug, pair.topic.public_id])


def test_a_script_is_sent_on_to_the_next_topic_by_the_queue(carol, study, pair):
    page = page_of(carol.get(address(pair)))
    onward = page.get_element_by_id("bench").get("data-queue")
    send(carol, pair, "concur", headers=HTMX)
    other = Pair.objects.get(topic__external_id="3", document__external_id="d3")

    assertRedirects(carol.get(onward), topic_address(study, other), target_status_code=302)

    send(carol, other, "concur", headers=HTMX)
    assertContains(carol.get(onward), "Nothing is left to decide")


@pytest.mark.parametrize("documents", [("d1",), [f"d{n}" for n in range(1, 9)]])
def test_a_case_costs_the_same_statements_in_any_batch(
    client, db, django_assert_num_queries, documents
):
    study = make_aspect_study(in_one_batch=True, query={"documents": documents})
    for name, option in zip(RATERS, ["disagree", "dispute", "concur"], strict=True):
        study.rate_all(name, option)
        study.hand_in(name)
    client.force_login(study.carol)
    first = address(Pair.objects.first())

    with django_assert_num_queries(12):
        client.get(first)
