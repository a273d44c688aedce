"""Text that people write or import is shown as text and as nothing else."""

import unicodedata

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from annotation.reading.formulas import plain_formulas
from datasets.models import Document, Membership, Query, Topic
from tests.factories.studies import make_aspect_study, make_study

pytestmark = [pytest.mark.once, pytest.mark.django_db]

MARK = "hostile"
HOSTILE = [
    f"</li></ol></h1></title><b {MARK}>bold</b>",
    f"<script>{MARK}()</script><!-- {MARK}",
    f"<svg onload='{MARK}()'><a xlink:href='javascript:{MARK}()'>x</a></svg>",
    f'"><img src=x onerror={MARK}()> \' onfocus={MARK}() autofocus x="',
    f"javascript:{MARK}() &lt;b {MARK}&gt; &amp;amp; &#60;b&#62; &nbsp",
    f"{{{{ {MARK} }}}} {{% include '{MARK}' %}} ${{{MARK}}} {{# {MARK} #}}",
    f"\u202e{MARK}\u2066 over \u202d\u2067ridden \u200f\u061c",
    f"{MARK}\u200b zero\u200c width\u200d \ufeff \u00ad soft",
    f"{MARK} \\input{{/etc/passwd}} \\href{{javascript:1}}{{x}} $\\frac{{1}}{{2}}$ ~ %",
    f"{MARK} 👩🏽‍🔬🏳️‍🌈 שלום مرحبا " + unicodedata.normalize("NFD", "é ö ﬁ Å") + " é ö ﬁ Å",
]
CALM = "calm text"
PARSER = html.HTMLParser(encoding="utf-8", huge_tree=True)


def shown_as_text(page, text):
    """The innermost elements whose whole text is `text`, down to every invisible character."""
    return [
        element
        for element in page.iter()
        if isinstance(element.tag, str)
        and "".join(element.itertext()).strip(" \n") == text.strip(" \n")
        and not any(
            "".join(child.itertext()).strip(" \n") == text.strip(" \n") for child in element
        )
    ]


def is_isolated(element):
    """Whether `dir="auto"` on it or above keeps what stands around it out of its direction."""
    return any(
        node.get("dir") == "auto" or node.tag in ("title", "option", "textarea")
        for node in [element, *element.iterancestors()]
    )


def elements_of(page):
    """The page's elements in their order with the names of their attributes."""
    return [
        (element.tag, sorted(element.keys()))
        for element in page.iter()
        if isinstance(element.tag, str)
    ]


def write(study, text):
    """The text wherever a study keeps one that people wrote."""
    Document.objects.filter(collection=study.collection).update(
        title=text, sentences=[{"text": text, "label": "method_label"}]
    )
    Query.objects.filter(collection=study.collection, document=None).update(
        text=text, sentences=[{"text": text, "topics": []}]
    )
    Topic.objects.filter(collection=study.collection).exclude(text="").update(text=text)
    Membership.objects.filter(collection=study.collection).update(name=f"Name {text}"[:150])
    for rating in study.batch.pairs.model.objects.get(pk=study.disputed).ratings.all():
        type(rating).objects.filter(pk=rating.pk).update(note=text, is_flagged=True)


@pytest.fixture(params=["facets", "aspects"])
def study(request):
    """A finished batch with a dispute, and one in which Alice rates."""
    if request.param == "facets":
        study = make_study(facets=("method", "result"))
        study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    else:
        study = make_aspect_study(annotators=["alice", "bob"], overlap=2)
        study.finish(alice=[0, 0, 2], bob=[0, 2, 2])
    study.disputed = study.batch.pairs.get(state="disputed").pk
    return study


def pages(study):
    """{name: (who, address, headers)} of the pages that show texts."""
    slug = study.collection.slug
    disputed = study.batch.pairs.get(pk=study.disputed)
    topic = disputed.topic
    seat = study.seat("alice", study.collection.batches.all()[1])
    query = study.collection.queries.first()
    fragment = {"HX-Request": "true"}
    rate = reverse("annotation:rate-pair", args=[seat.public_id, 1])
    decide = reverse("adjudication:decide-pair", args=[disputed.public_id])
    addresses = {
        "workbench": ("alice", rate, {}),
        "texts ahead": ("alice", rate, fragment),
        "adjudication": ("carol", decide, {}),
        "adjudication ahead": ("carol", decide, fragment),
        "topic": ("lena", reverse("annotation:topic", args=[slug, topic.public_id]), {}),
        "batch": ("lena", reverse("annotation:batch", args=[study.batch.public_id]), {}),
        "history": ("lena", reverse("agreement:pair", args=[disputed.public_id]), {}),
        "flags": ("lena", reverse("annotation:flags", args=[slug]), {}),
        "exports": ("lena", reverse("releases:exports", args=[slug]), {}),
        "queries": ("lena", reverse("evaluation:queries", args=[slug]), {}),
    }
    if query.document is None:
        address = reverse("evaluation:query", args=[slug, query.public_id])
        addresses["query"] = ("lena", address, {})
        address = reverse("annotation:edit-query", args=[query.public_id])
        addresses["query being written"] = ("lena", address, {})
    return addresses


def read(study):
    """{name: the parsed page}"""
    clients = {name: Client() for name in ("alice", "carol", "lena")}
    for name, client in clients.items():
        client.force_login(study.members[name].user)
    parsed = {}
    for name, (who, address, headers) in pages(study).items():
        answer = clients[who].get(address, headers=headers)
        assert answer.status_code == 200, name
        parsed[name] = html.document_fromstring(answer.content, parser=PARSER)
    return parsed


def test_hostile_texts_add_no_element_and_read_as_they_are_stored(study, request, stress):
    """On a push every second text in each kind of study, and together all."""
    first = ["facets", "aspects"].index(request.node.callspec.params["study"])
    write(study, CALM)
    calm = {name: elements_of(page) for name, page in read(study).items()}

    for text in stress(HOSTILE[first::2], HOSTILE):
        write(study, text)
        for name, page in read(study).items():
            assert elements_of(page) == calm[name], (name, text)
            # Formulas of papers are printed plainly; notes and reasons stay as they were typed.
            spellings = {text, plain_formulas(text)}
            places = [place for spelling in spellings for place in shown_as_text(page, spelling)]
            assert places or name == "exports", (name, text)
            assert [place.tag for place in places if not is_isolated(place)] == [], (name, text)


def test_a_line_of_a_megabyte_is_shown_whole():
    study = make_study()
    line = "<b>long</b> " * 90_000
    shown = study.first_pair("alice").document
    Document.objects.filter(pk=shown.pk).update(sentences=[{"text": line, "label": "method_label"}])
    client = Client()
    client.force_login(study.alice)

    address = reverse("annotation:rate-pair", args=[study.seat("alice").public_id, 1])
    page = html.document_fromstring(client.get(address).content, parser=PARSER)

    assert len(shown_as_text(page, line)) == 1
