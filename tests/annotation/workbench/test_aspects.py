"""The annotator's workbench where topics are aspects of a text query."""

import re
import uuid

import pytest
from django.urls import reverse
from lxml import html as lxml_html
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.assigning.actions.batches import set_way
from annotation.models import Pair, Rating
from annotation.reading.order import walked_rows
from annotation.schemes.actions import edit_wording
from tests.databases import on_sqlite
from tests.factories.studies import (
    make_aspect_query,
    make_aspect_study,
    make_study,
    ordered_pairs,
    put_in_batch,
)
from tests.masks import without_tokens
from tests.shelf import shelved

HTMX = {"HX-Request": "true"}
MET, PARTLY, NOT = "met", "partly", "not"


@shelved
def study(db):
    """One batch of all twelve pairs, worked through by topic."""
    return make_aspect_study(in_one_batch=True)


@shelved
def by_document(study):
    """The same, worked through by document."""
    set_way(batch=study.batch, way="document", by=study.lena)
    return study


def url(name, study, *args, of="alice"):
    return reverse(f"annotation:{name}", args=[study.seat(of).public_id, *args])


def answer(study, option="agree", **fields):
    return {
        "save_id": uuid.uuid4(),
        "based_on": 0,
        "scheme_version": study.scheme.current.number,
        "answer": option,
        "active_seconds": "5.0",
    } | fields


def components(*parts):
    """Fields of the form for ("text", mark) each."""
    fields = {}
    for n, (text, met) in enumerate(parts, start=1):
        fields |= {f"component-{n}": text, f"met-{n}": met}
    return fields


def position_of(study, topic, document):
    for position, pair in enumerate(ordered_pairs(study.seat("alice")), start=1):
        if (pair.topic.external_id, pair.document.external_id) == (topic, document):
            return position
    raise LookupError(topic, document)


def walk(study, of="alice"):
    """The positions in the order in which they are worked through."""
    return [row["position"] for row in walked_rows(study.seat(of))]


def tree(response):
    """Of every aspect shown: mark, text, whether it is the current one, and what stands beside."""
    page = lxml_html.fromstring(response.content)
    return [
        (
            row.findtext("span[@class='id']"),
            row.findtext("p"),
            row.get("aria-current") == "step",
            " ".join("".join(row.xpath("*[contains(@class, 'st')]")[0].itertext()).split())
            if row.xpath("*[contains(@class, 'st')]")
            else "",
        )
        for row in page.xpath("//ol[@class='aspects']/li")
    ]


# --- what a pair shows ---


def test_the_sentences_that_ask_for_the_aspect_are_marked_with_its_letter(alice, study):
    response = alice.get(url("rate-pair", study, position_of(study, "2", "d1")))

    page = lxml_html.fromstring(response.content)
    marked = page.xpath("//ol[contains(@class, 'asks')]/li[@class='on']")
    assert [row.xpath("string(span[@class='txt'])") for row in marked] == [
        "The microphones are cheap, so the method must live with noise."
    ]
    assert marked[0].xpath("string(span[@class='tag'])") == "asks for aspect A2"
    assert len(page.xpath("//ol[contains(@class, 'asks')]/li")) == 4


def test_the_aspect_is_the_question_and_the_tree_shows_own_states_alone(alice, study):
    study.rate("alice", pair_of(study, "0", "d1"), "concur", note="mine")
    study.rate("alice", pair_of(study, "3", "d1"), None)
    study.rate("bob", pair_of(study, "2", "d1"), "disagree", note="his")

    response = alice.get(url("rate-pair", study, position_of(study, "1", "d1")))

    assert tree(response) == [
        ("A", "The paper detects faults in machines.", False, "rated, aspect A"),
        ("A1", "The method works on sound.", True, "current"),
        ("A2", "The method is robust to noise.", False, "to do, aspect A2"),
        ("B", "The method states its uncertainty.", False, "cannot judge, aspect B"),
        ("B1", "The method is robust to noise.", False, "same as A2"),
    ]
    page = lxml_html.fromstring(response.content)
    [legend] = page.xpath("//fieldset[@id='scale']/legend")
    assert legend.findtext("span[@class='lead']") == "How far does the abstract answer this aspect?"
    [aspect] = legend.xpath(".//span[@class='on']")
    assert " ".join(aspect.text_content().split()) == "A1 The method works on sound."


def pair_of(study, topic, document):
    return Pair.objects.get(topic__external_id=topic, document__external_id=document)


def test_an_aspect_outside_the_seats_batch_is_text_alone(client, db):
    study = make_aspect_study()  # a batch for each topic
    client.force_login(study.alice)
    batch = study.collection.batches.get(name="1")

    response = client.get(
        reverse("annotation:rate-pair", args=[study.seat("alice", batch).public_id, 1])
    )

    assert [(mark, beside) for mark, _, _, beside in tree(response)] == [
        ("A", ""),
        ("A1", "current"),
        ("A2", ""),
        ("B", ""),
        ("B1", "same as A2"),
    ]


def test_a_query_without_sentences_is_shown_as_its_text(alice, study):
    study.collection.queries.update(sentences=[], text="Anything on bearings?")

    response = alice.get(url("rate-pair", study, 1))

    assertContains(response, '<p class="ask" dir="auto">Anything on bearings?</p>')
    assertNotContains(response, "sentence of the query")


def test_a_query_whose_sentences_ask_for_nothing_yet_says_nothing_of_it(alice, study):
    [query] = study.collection.queries.all()
    plain = [{"text": sentence["text"], "topics": []} for sentence in query.sentences]
    study.collection.queries.update(sentences=plain)
    assertNotContains(alice.get(url("rate-pair", study, 1)), "No sentence is linked")

    study.collection.queries.update(sentences=[plain[0] | {"topics": ["3"]}, *plain[1:]])

    response = alice.get(url("rate-pair", study, position_of(study, "0", "d1")))
    assertContains(response, "No sentence is linked to aspect A: all 4 are shown")


def test_options_show_key_and_value_and_two_may_share_a_value(alice, study):
    page = lxml_html.fromstring(alice.get(url("rate-pair", study, 1)).content)

    cards = [
        (
            card.xpath("string(span[@class='num'])"),
            card.xpath("string(span[@class='name']/text())"),
            card.xpath("string(.//span[@class='lvl'])"),
        )
        for card in page.xpath("//label[@class='grade']")
    ]
    assert cards == [
        ("d", "Disagree", "value 0"),
        ("p", "Dispute", "value 1"),
        ("a", "Agree", "value 1"),
        ("c", "Concur", "value 2"),
    ]


def test_a_scheme_without_facets_offers_no_other_facets_and_shows_its_guidelines(alice, study):
    response = alice.get(url("rate-pair", study, 1))

    assertNotContains(response, "Other facets")
    assertNotContains(response, "Mark other facets")
    assertNotContains(response, "is labelled")
    assertContains(response, 'Guidelines · <span id="guide-facet">Aspect</span>')
    assertContains(alice.get(url("guidelines", study)), "<h1>Guidelines · Aspect</h1>")


def test_sentences_without_labels_are_numbered(alice, study):
    page = lxml_html.fromstring(alice.get(url("rate-pair", study, 1)).content)

    rows = page.xpath("//*[@id='candidate']//li/span[@class='tag']")
    assert [row.text_content() for row in rows] == ["1", "2", "3", "4"]


def test_the_query_is_the_one_whose_pool_holds_the_document(client, db):
    study = make_aspect_study(in_one_batch=True)
    other = make_aspect_query(
        study.collection, query_id="1", tree={"0": [], "9": ["3"]}, documents=("d9",)
    )
    other.sentences = [{"text": "Something else altogether.", "topics": ["3"]}]
    other.save()
    put_in_batch(study, Pair.objects.filter(batch=None), study.batch)
    client.force_login(study.alice)

    first = client.get(url("rate-pair", study, position_of(study, "3", "d2")))
    second = client.get(url("rate-pair", study, position_of(study, "3", "d9")))

    assertContains(first, "wind turbines")
    assertNotContains(first, "Something else")
    assertContains(second, "Something else altogether.")
    assert [(mark, current) for mark, _, current, _ in tree(second)] == [
        ("A", False),
        ("B", False),
        ("B1", True),
    ]


# --- two ways to work ---


def test_by_document_the_walk_goes_through_one_abstract_before_the_next(alice, by_document):
    study = by_document
    order = walk(study)
    pairs = ordered_pairs(study.seat("alice"))

    for number, position in enumerate(order, start=1):
        response = alice.get(url("rate-pair", study, position))
        assertContains(response, f'Pair <b id="where">{number}</b> of 12')
        assertContains(response, f"Candidate {(number + 3) // 4} of 3")
        following = order[number] if number < 12 else None
        expected = url("rate-pair", study, following) if following else url("hand-in", study)
        assertContains(response, f'id="to-next" href="{expected}"')

    walked = [pairs[position - 1].topic.external_id for position in order]
    assert walked == ["0", "1", "2", "3"] * 3


def test_by_document_a_save_leads_to_the_next_aspect_of_the_same_abstract(alice, by_document):
    study = by_document
    order = walk(study)
    assertRedirects(alice.get(url("seat", study)), url("rate-pair", study, order[0]))

    response = alice.post(url("rate-pair", study, order[0]), answer(study))

    assertRedirects(response, f"{url('rate-pair', study, order[1])}?saved={order[0]}")
    assertContains(alice.get(response.url), "Pair 1 saved.")
    page = lxml_html.fromstring(alice.get(response.url).content)
    assert page.xpath("//main//h1")[0].text == "Rate pair 2 of 12"


def test_the_position_kept_with_a_rating_is_the_number_that_was_shown(alice, by_document):
    study = by_document
    order = walk(study)

    for position in (order[6], order[0]):
        alice.post(url("rate-pair", study, position), answer(study))

    shown = {rating.pair_id: rating.position for rating in Rating.objects.all()}
    pairs = ordered_pairs(study.seat("alice"))
    assert shown == {pairs[order[6] - 1].pk: 7, pairs[order[0] - 1].pk: 1}


def test_the_strip_keeps_the_pairs_of_an_abstract_together(alice, by_document):
    page = lxml_html.fromstring(alice.get(url("seat", by_document), follow=True).content)

    ticks = page.xpath("//ol[@class='ticks']/li")
    assert [n for n, tick in enumerate(ticks, start=1) if tick.get("class") == "first"] == [1, 5, 9]
    assert ticks[4][0].get("aria-label") == "Pair 5, abstract 2, not rated"
    assert [int(tick[0].get("data-position")) for tick in ticks] == walk(by_document)


def test_the_hand_in_page_counts_as_the_strip_does(alice, by_document):
    study = by_document
    order = walk(study)
    study.rate("alice", ordered_pairs(study.seat("alice"))[order[4] - 1], None)

    response = alice.get(url("hand-in", study))

    address = url("rate-pair", study, order[4])
    assertContains(response, f'<a href="{address}"><span class="pos">5</span>')
    assertContains(response, "Go on with pair 1")


def test_switching_the_way_leaves_an_open_page_with_its_pair(alice, study):
    page = alice.get(url("rate-pair", study, 1)).content.decode()
    title = re.search(r'<h2 class="doc-title" dir="auto">(Title of d\d)</h2>', page)[1]
    save_id = re.search(r'name="save_id" value="([^"]+)"', page)[1]
    pair = ordered_pairs(study.seat("alice"))[0]

    set_way(batch=study.batch, way="document", by=study.lena)
    response = alice.post(url("rate-pair", study, 1), answer(study, save_id=save_id))

    rating = Rating.objects.get()
    assert (rating.pair, rating.pair.document.title) == (pair, title)
    # From here on the walk is the new one: the open pair after this one in it.
    order = walk(study)
    following = order[(order.index(1) + 1) % 12]
    assertRedirects(response, f"{url('rate-pair', study, following)}?saved=1")


def test_a_save_sent_again_after_the_switch_is_the_same_rating(alice, study):
    sent = answer(study)
    alice.post(url("rate-pair", study, 3), sent, headers=HTMX)
    set_way(batch=study.batch, way="document", by=study.lena)

    again = alice.post(url("rate-pair", study, 3), sent, headers=HTMX)

    assertContains(again, f'data-save-id="{sent["save_id"]}" data-position="3"')
    assert Rating.objects.get().revisions.count() == 1


@pytest.mark.parametrize("way", ["topic", "document"])
def test_fragments_say_which_pairs_share_a_topic_and_a_document(alice, study, way):
    set_way(batch=study.batch, way=way, by=study.lena)
    pairs = ordered_pairs(study.seat("alice"))

    shared = {}
    for position, pair in enumerate(pairs, start=1):
        fragment = alice.get(url("texts", study) + f"?at={position}").content.decode()
        topic, document = re.search(r'data-topic="(\d+)" data-document="(\d+)"', fragment).groups()
        shared.setdefault(("t", topic), set()).add(pair.topic.external_id)
        shared.setdefault(("d", document), set()).add(pair.document.external_id)

    assert len(shared) == 4 + 3
    assert all(len(names) == 1 for names in shared.values())


# --- key components ---


def test_components_are_kept_with_the_rating_and_shown_again(alice, study):
    sent = answer(study, **components((" detects faults ", MET), ("in machines", PARTLY)))

    alice.post(url("rate-pair", study, 1), sent)

    kept = [{"text": "detects faults", "met": MET}, {"text": "in machines", "met": PARTLY}]
    assert Rating.objects.get().components == kept
    page = lxml_html.fromstring(alice.get(url("rate-pair", study, 1)).content)
    assert rows(page) == [("detects faults", MET), ("in machines", PARTLY), ("", ""), ("", "")]
    assert "".join(page.xpath("//*[@id='suggested']")[0].itertext()) == "Suggested: Agree"
    assert not page.xpath("//fieldset[@id='scale']//input[@value='concur'][@checked]")


def rows(page):
    return [
        (
            row.xpath("string(input/@value)"),
            row.xpath("string(.//input[@type='radio'][@checked]/@value)"),
        )
        for row in page.xpath("//li[@class='component']")
    ]


def test_without_components_a_rating_is_as_before(alice, study):
    blank = components(("", ""), ("", ""), ("", ""), ("", ""))

    alice.post(url("rate-pair", study, 1), answer(study, **blank))

    assert Rating.objects.get().components == []


def test_the_split_of_an_aspect_is_offered_for_its_next_document_unmarked(alice, study):
    first, second = position_of(study, "0", "d1"), position_of(study, "0", "d2")
    other = position_of(study, "1", "d1")
    alice.post(
        url("rate-pair", study, first),
        answer(study, **components(("detects faults", MET), ("in machines", NOT))),
    )

    offered = lxml_html.fromstring(alice.get(url("rate-pair", study, second)).content)
    alice.post(
        url("rate-pair", study, second),
        answer(study, **components(("detects faults", ""), ("in machines", ""))),
    )

    assert rows(offered)[:3] == [("detects faults", ""), ("in machines", ""), ("", "")]
    assert Rating.objects.get(pair=pair_of(study, "0", "d2")).components == []
    elsewhere = lxml_html.fromstring(alice.get(url("rate-pair", study, other)).content)
    assert rows(elsewhere) == [("", "")] * 4


def test_the_split_is_nobody_elses_and_of_no_earlier_holder(client, study):
    pair = pair_of(study, "0", "d1")
    for name in ("bob", "erin"):
        study.rate(name, pair, "agree", components=[{"text": f"split by {name}", "met": MET}])
    client.force_login(study.alice)

    response = client.get(url("rate-pair", study, position_of(study, "0", "d2")))

    assertNotContains(response, "split by")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (components(("one", MET), ("two", "")), "Mark every key component"),
        (components(("one", "quite")), "Mark every key component"),
        (components(("x" * 301, MET)), "A key component is longer than 300 characters."),
        (components(("a\x00b", MET)), "Null characters are not allowed."),
        (components(*[(f"part {n}", MET) for n in range(13)]), "more than 12 key components"),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_components_that_cannot_be_kept_say_why_and_stay(alice, study, fields, sentence, headers):
    response = alice.post(
        url("rate-pair", study, 1), answer(study, note="hm", **fields), headers=headers
    )

    assertContains(response, sentence, status_code=422)
    assert not Rating.objects.exists()
    if not headers:
        page = lxml_html.fromstring(response.content)
        assert rows(page)[0][1] == fields["met-1"].replace("quite", "")
        assert rows(page)[0][0].startswith(fields["component-1"][:1])
        assert page.xpath("//input[@value='agree'][@checked]")


def test_a_scheme_that_stopped_asking_takes_components_of_an_open_page_alone(alice, study):
    version = study.scheme.current
    wording = version.wording | {"key_components": {"is_asked": False}}
    edit_wording(scheme=study.scheme, wording=wording, guidelines="", change_note="", by=study.lena)
    fields = components(("one", MET))

    now = alice.post(url("rate-pair", study, 1), answer(study, **fields))
    before = alice.post(
        url("rate-pair", study, 2), answer(study, scheme_version=version.number, **fields)
    )

    assertContains(now, "does not ask for key components", status_code=422)
    assertNotContains(now, 'id="components"', status_code=422)
    assert before.status_code == 302


def test_both_versions_show_their_components_and_the_own_one_can_be_sent(alice, study):
    pair = ordered_pairs(study.seat("alice"))[0]
    study.rate("alice", pair, "agree", components=[{"text": "there", "met": MET}])
    sent = answer(study, "dispute", **components(("here", NOT), ("and <here>", PARTLY)))

    response = alice.post(url("rate-pair", study, 1), sent)

    page = lxml_html.fromstring(response.content)
    listed = [" ".join(row.text_content().split()) for row in page.xpath("//ul/li")]
    assert [row for row in listed if row in {"there Met", "here Not met", "and <here> Partly"}] == [
        "there Met",
        "here Not met",
        "and <here> Partly",
    ]
    [form] = [form for form in page.forms if "component-1" in form.fields]
    alice.post(url("rate-pair", study, 1), dict(form.fields))
    rating = Rating.objects.get()
    assert (rating.option.key, rating.version) == ("dispute", 2)
    assert [part["text"] for part in rating.components] == ["here", "and <here>"]


def test_a_page_that_is_handed_in_shows_components_and_offers_none(alice, study):
    study.rate_all("alice", "agree")
    study.rate(
        "alice", pair_of(study, "0", "d1"), "agree", components=[{"text": "part", "met": MET}]
    )
    study.hand_in("alice")

    with_them = alice.get(url("rate-pair", study, position_of(study, "0", "d1")))
    without = alice.get(url("rate-pair", study, position_of(study, "0", "d2")))

    assert rows(lxml_html.fromstring(with_them.content)) == [("part", MET)]
    assertContains(with_them, "disabled>\n  <legend>Which parts")
    assert rows(lxml_html.fromstring(without.content)) == []


# --- cost ---


@pytest.mark.parametrize("way", ["topic", "document"])
@pytest.mark.parametrize("documents", [("d1", "d2", "d3"), [f"d{n}" for n in range(1, 21)]])
def test_a_pair_and_a_save_cost_the_same_in_any_batch(
    client, db, django_assert_num_queries, way, documents
):
    study = make_aspect_study(in_one_batch=True, way=way, query={"documents": documents})
    study.rate("bob", ordered_pairs(study.seat("alice"))[0], "agree")
    client.force_login(study.alice)
    address, sent = url("rate-pair", study, 1), answer(study, **components(("one", MET)))
    texts = url("texts", study) + "?at=1&at=2&at=3"
    client.get(address)  # from here on the walk and the wording are kept

    with django_assert_num_queries(7):
        client.get(address)
    with django_assert_num_queries(6):
        client.get(texts)
    with django_assert_num_queries(8 if on_sqlite() else 5):
        client.post(address, sent, headers=HTMX)


# --- blindness ---


@pytest.mark.parametrize("way", ["topic", "document"])
def test_no_answer_tells_what_the_others_did(client, study, way):
    set_way(batch=study.batch, way=way, by=study.lena)
    study.rate(
        "alice",
        ordered_pairs(study.seat("alice"))[1],
        "concur",
        components=[{"text": "mine", "met": MET}],
    )

    def look():
        client.force_login(study.alice)
        answers = [client.get(url(name, study)) for name in ("seat", "hand-in", "guidelines")]
        for position in (1, 2, 12):
            answers += [
                client.get(url("rate-pair", study, position)),
                client.get(url("texts", study) + f"?at={position}"),
                client.post(url("rate-pair", study, position), answer(study, ""), headers=HTMX),
            ]
        return [
            (response.status_code, response.get("Location"), without_tokens(response.content))
            for response in answers
        ]

    before = look()
    for name, options in [
        ("bob", ["disagree", None, "agree"]),
        ("erin", ["concur", "agree", None]),
    ]:
        for pair, option in zip(study.batch.pairs.all(), options * 4, strict=True):
            split = [{"text": f"a part that {name} sees", "met": PARTLY}]
            study.rate(name, pair, option, note=name, is_flagged=True, components=split)
        study.hand_in(name)

    assert look() == before


def test_pages_name_no_source_no_id_and_no_metadata(alice, by_document):
    study = by_document
    secret = {"secret_source", "Secret Author", "Secret Venue", "query_type"}
    secret |= {str(pair.public_id) for pair in Pair.objects.all()}
    secret |= {str(topic.public_id) for topic in study.topics}
    secret |= {str(query.public_id) for query in study.collection.queries.all()}
    secret |= {
        study.batch.name + "<",
        str(study.batch.public_id),
        str(study.batch.seats.last().seed),
    }

    for position in (1, 7):
        whole = alice.get(url("rate-pair", study, position)).content.decode()
        assert {word for word in secret if word in whole} == set()


def test_a_study_of_facets_can_be_worked_through_by_document_too(client, db):
    study = make_study(facets=("background", "method", "result"))
    put_in_batch(study, Pair.objects.all(), study.batch)
    set_way(batch=study.batch, way="document", by=study.lena)
    client.force_login(study.alice)

    pairs = ordered_pairs(study.seat("alice"))
    walked = [pairs[position - 1] for position in walk(study)]

    assert [pair.topic.facet for pair in walked] == ["background", "method", "result"] * 3
    assertContains(client.get(url("rate-pair", study, walk(study)[1])), "Facet: Method")


def test_lists_of_own_ratings_name_the_aspect_since_documents_come_more_than_once(alice, study):
    first, second = ordered_pairs(study.seat("alice"))[:2]
    study.rate("alice", first, 1)
    study.rate("alice", second, 2)

    recent, columns = (alice.get(url(name, study)) for name in ("recent", "hand-in"))

    shown = [item.topic for item in recent.context["recent"]]
    assert shown == [second.topic.text, first.topic.text]
    assertContains(columns, f'<small class="below" dir="auto">{first.topic.text}</small>')
