"""The report for printing: everything of one state, under pseudonyms."""

import re
import uuid
from html import unescape

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from agreement.study import intervals
from agreement.study import selection as selections
from agreement.study.counted import progress_of
from agreement.study.selection import selection_of
from agreement.subjects import registry
from agreement.subjects.overview import report as overview_reports
from agreement.subjects.registry import TABLES, tables_of
from agreement.tables.table import Column, Kind, Table
from annotation.assigning.actions.assign import return_seat
from datasets.models import Membership
from datasets.pseudonyms import pseudonym
from jobs.models import Job
from tests.adjudication.audits import make_audit
from tests.factories.studies import make_study, make_user
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def study():
    study = make_study(facets=("background", "method"), candidates=4)
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2, 3], bob=[0, 1, 1, 1])
    decide(
        pair=study.batch.pairs.disputed().first(),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
        rationale="Carol says so",
    )
    make_audit(study, size=2, control_count=0)
    return study


def address(study, **query):
    return reverse("agreement:report", args=[study.collection.slug], query=query)


def main_of(response):
    """What is printed: the page without its navigation."""
    return re.search(r"<article.*</article>", response.content.decode(), re.DOTALL)[0]


def test_it_has_every_sheet_of_every_page_with_its_picture(lena, study):
    # Its address loads all addresses, and with them the pages of higher floors, which add tables.
    shown = main_of(lena.get(address(study)))

    selection = selection_of(study.collection.memberships.get(name="Lena"), study.lena, {})
    tables = [table for page in TABLES for table in tables_of(selection, page, {})]
    headings = re.findall(r"<h3[^>]*>Table (\d+)\. ([^<]*)</h3>", unescape(shown))
    assert [int(number) for number, _ in headings] == list(range(1, len(tables) + 1))
    assert [title for _, title in headings] == [table.title for table in tables]
    drawn = [table for table in tables if table.picture and table.rows]
    assert shown.count('<svg class="viz picture"') == len(drawn)


@pytest.mark.parametrize("candidates", [2, 12])
def test_it_takes_the_same_number_of_statements(client, django_assert_num_queries, candidates):
    study = make_study(facets=("background", "method"), candidates=candidates)
    for batch in study.collection.batches.all():
        study.finish(batch, alice=1, bob=2)
    client.force_login(study.lena)
    client.get(address(study))  # keeps copies, and intervals

    with django_assert_num_queries(45):
        client.get(address(study))


def test_it_counts_how_far_the_topics_are_once(lena, study, monkeypatch):
    counted = []
    for module in (selections, overview_reports):
        monkeypatch.setattr(
            module, "progress_of", lambda ratings: counted.append(ratings) or progress_of(ratings)
        )

    lena.get(address(study))

    assert len(counted) == 1


def test_a_page_that_is_registered_later_is_printed_too(lena, study, monkeypatch):
    columns = (Column("name", "Name"), Column("number", "Number", Kind.COUNT))
    table = Table("new", "Brand-new table", columns, [("one", 1234)])
    makers = {"new": lambda: table}
    monkeypatch.setitem(registry.TABLES, "brandnew", lambda selection, parameters: makers)

    shown = main_of(lena.get(address(study)))

    assert "Brand-new table</h3>" in shown
    assert "1,234" in shown


def test_it_names_nobody(lena, study):
    shown = main_of(lena.get(address(study, annotator=pseudonym_of(study, "bob"))))

    words = set(re.findall(r"\w+", shown.lower()))
    assert not words & {"alice", "bob", "carol", "lena"}
    assert pseudonym_of(study, "alice") in shown


def pseudonym_of(study, name):
    return pseudonym(study.collection, study.members[name])


def test_figures_have_their_intervals_beside_them(lena, study):
    sections = dict(lena.get(address(study)).context["sections"])
    [(_, table, _), *_] = sections["Overview"]

    *_, row = table.rows
    [percent] = [cell for cell in row.cells if cell.words.text == "50.00"]
    [ends] = percent.below
    assert re.fullmatch(r"[\d.]+ to [\d.]+", ends.text)
    assertContains(
        lena.get(address(study)), f'50.00<small class="dim"><span>{ends.text}</span> </small>'
    )


def test_it_says_the_state_the_rules_and_where_the_collection_is_from(lena, study):
    study.collection.licence = "CC BY-NC 4.0"
    study.collection.citation = "Somebody (2026)"
    study.collection.save()

    page = lena.get(address(study, **{"cannot-judge": "drop", "summary": "pooled"}))

    for words in (
        "UTC. People appear under pseudonyms.",
        "Pairs with a “cannot judge” are left out of every figure.",
        "Any difference between the values goes to an adjudicator.",
        "All pairs pooled.",
        "CC BY-NC 4.0",
        "Somebody (2026)",
        "Computed with Facetwise",
    ):
        assertContains(page, words)


def test_it_keeps_the_filters_and_says_them(lena, study):
    bob = pseudonym_of(study, "bob")
    overview = lena.get(
        reverse("agreement:agreement", args=["study"], query={"facet": "method", "annotator": bob})
    )
    link = address(study, facet="method", annotator=bob)
    assertContains(overview, f'href="{link.replace("&", "&amp;")}"')

    page = lena.get(link)

    assertContains(page, '<dt>Facet</dt><dd dir="auto">Method</dd>')
    assertContains(page, f'<dt>Rated by</dt><dd dir="auto">{bob}</dd>')
    assert page.context["pairs_chosen"] == 4


@pytest.mark.parametrize(
    "route", ["agreement", "queries", "annotators", "disagreements", "working", "audits"]
)
def test_every_page_of_the_section_leads_to_it(lena, study, route):
    assertContains(lena.get(reverse(f"agreement:{route}", args=["study"])), address(study))


def test_pictures_need_nothing_that_other_pages_do_not_allow(lena, study):
    other = lena.get(reverse("agreement:agreement", args=["study"]))
    page = lena.get(address(study))

    assert "data:" not in page["Content-Security-Policy"]
    assert page["Content-Security-Policy"] == other["Content-Security-Policy"]


def test_pictures_are_a_small_part_of_it(lena, study):
    pictures = re.findall(r'<svg class="viz picture".*?</svg>', main_of(lena.get(address(study))))

    assert sum(map(len, pictures)) < 60_000


def test_the_ratings_are_read_once(lena, study, monkeypatch):
    read, times = selections.read_ratings_of, []

    def counting(*args, **kwargs):
        times.append(1)
        return read(*args, **kwargs)

    monkeypatch.setattr(selections, "read_ratings_of", counting)
    lena.get(address(study))

    assert times == [1]


def test_intervals_that_take_long_are_asked_for(lena, study, monkeypatch):
    monkeypatch.setattr(intervals, "QUICK", 0)

    page = lena.get(address(study))

    assertContains(page, "their intervals are being computed")
    assert Job.objects.get().params["url"] == address(study)


def test_titles_are_text(lena, study):
    study.collection.name = "<script>alert(1)</script>"
    study.collection.save()

    assertNotContains(lena.get(address(study)), "<script>alert")


def test_a_lead_who_rates_is_told_what_is_left_out(client, study):
    topic = study.topics[1]
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    batch = topic.pairs.first().batch
    return_seat(seat=study.seat("bob", batch), by=study.lena, reason="Look again.")
    client.force_login(study.alice)

    page = client.get(address(study))

    assertContains(page, "q1_method: whoever made this report holds or held a seat there")
    assert "4 chosen" not in main_of(page)
    [printed] = [
        printed
        for title, tables in page.context["sections"]
        for _, printed, _ in tables
        if (title, printed.table.key) == ("Topics", "queries")
    ]
    [row] = [row for row in printed.table.rows if row[0] == "q1_method"]
    assert set(row[3:]) == {None}


@pytest.mark.parametrize(
    ("name", "status"), [("alice", 403), ("carol", 403), ("lena", 200), ("dave", 404)]
)
def test_it_is_for_leads(client, study, name, status):
    client.force_login(make_user("Dave") if name == "dave" else getattr(study, name))

    assert client.get(address(study)).status_code == status


def test_it_cannot_be_posted_to(lena, study):
    assert lena.post(address(study)).status_code == 405


def test_an_address_with_an_unknown_filter_is_refused(lena, study):
    assert lena.get(address(study, facet="luck")).status_code == 400


def test_a_study_without_ratings_has_a_report_too(client, db):
    study = make_study()
    client.force_login(study.lena)

    assertContains(client.get(address(study)), "Nothing to show yet.")
