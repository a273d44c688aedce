"""From an empty collection to the first rating, in a study with a scheme of its own."""

import pytest
from playwright.sync_api import expect

from annotation.models import Rating, Scheme, Seat
from annotation.schemes.actions import load_definition
from config.integrity import findings
from tests.factories.studies import make_collection, make_member, make_user

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = {
    "documents.csv": """id,title,text
d1,Search with labels,We label the sentences of papers. Readers find more.
d2,Search without,We label nothing. Readers find less.
d3,Neither,We grow tomatoes.
""",
    "queries.csv": "id,text\nq1,Which papers label sentences before they search?\n",
    "pool.csv": "query,document\nq1,d1\nq1,d2\nq1,d3\n",
}


def test_what_stands_beside_the_builder_follows_the_facet_in_hand(open_page, db):
    collection = make_collection("fresh", load_definition("csfcube"))
    page = open_page(make_member(collection, "Lena", "lead").user)
    page.goto("/collections/fresh/scheme/write/")
    shown = page.locator("#preview .query .chip")

    for name in ("Purpose", "Fit for practice"):
        page.get_by_role("button", name="Add a facet").click()
        field = page.get_by_role("tabpanel").get_by_label("Name", exact=True).first
        expect(field).to_be_focused()
        field.fill(name)

        expect(page.get_by_role("tab", selected=True)).to_have_text(name)
        expect(page.get_by_role("tabpanel").get_by_role("heading").first).to_have_text(name)
        expect(shown).to_have_text(f"Facet: {name}")


def test_a_study_of_two_scales_is_set_up_and_rated(open_page, eager_jobs):
    collection = make_collection("fresh", load_definition("csfcube"))
    lena = make_member(collection, "Lena", "lead").user
    alice, bob = make_user("Alice"), make_user("Bob")
    page = open_page(lena)

    page.goto("/collections/fresh/")
    expect(page.get_by_text("Missing before the first rating")).to_be_visible()
    page.get_by_role("link", name="Edit the scheme").click()
    page.get_by_text("Start from another scheme").click()
    page.get_by_role("link", name="Quality of literature questions (LitSearch)").click()
    tabs = page.get_by_role("tablist", name="Facets")
    tabs.get_by_role("tab").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tabpanel")).to_have_attribute("id", "facet-1")
    expect(tabs.get_by_role("tab").nth(1)).to_be_focused()
    expect(page.locator("#preview legend").first).to_contain_text("How few papers")
    page.locator("#facet-1-name").fill("Breadth")
    expect(tabs.get_by_role("tab", selected=True)).to_contain_text("Breadth")
    page.locator("#facet-1-key").fill("breadth")
    page.locator("#scale-1-option-0-name").fill("Wide")
    expect(page.locator("#preview")).to_contain_text("Wide")
    tabs.get_by_role("tab").first.click()
    page.locator("#scale-0-option-0-shortcut").fill("n")
    tabs.get_by_role("tab").nth(1).click()
    page.get_by_role("button", name="Save the scheme").last.click()
    expect(page.locator("#builder [role=alert]")).to_contain_text("opens the note")
    # The tab of the problem is marked and opened, and links to a field open its tab.
    expect(tabs.get_by_role("tab", selected=True)).to_contain_text("1 problem")
    expect(page.locator("#scale-0-option-0-shortcut")).to_be_visible()
    tabs.get_by_role("tab").nth(1).click()
    page.locator("#builder [role=alert]").get_by_role("link").click()
    expect(page.locator("#scale-0-option-0-shortcut")).to_be_focused()
    page.locator("#scale-0-option-0-shortcut").fill("0")
    page.get_by_role("button", name="Save the scheme").last.click()
    expect(page.get_by_text("The scheme is saved.")).to_be_visible()
    assert [scale.facet for scale in Scheme.objects.get().all_scales] == ["quality", "breadth"]

    page.goto("/collections/fresh/import/")
    files = [
        {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
        for name, text in TABLES.items()
    ]
    field = page.locator("input[name=files]")
    field.set_input_files(files)
    page.get_by_role("button", name="Upload and check").click()
    start = page.get_by_role("button", name="Import", exact=True)
    expect(start).to_be_visible()
    page.wait_for_load_state()
    # Files that are chosen, but not uploaded, are not left behind without a word.
    field.set_input_files(files[:1])
    start.click()
    expect(page.get_by_text("chosen, but not uploaded yet")).to_be_visible()
    field.set_input_files([])
    start.click()
    expect(page.locator("main")).to_contain_text("Added 3 documents, 1 query, 2 topics, 6 pairs.")

    page.goto("/collections/fresh/members/list/")
    page.get_by_label("One a line, or with commas").fill("alice@example.org\nBob <bob@example.org>")
    page.get_by_role("button", name="Read the list").click()
    page.get_by_role("button", name="Add 2", exact=True).click()
    expect(page.get_by_role("heading", name="2 joined", exact=True)).to_be_visible()

    page.goto("/collections/fresh/")
    page.get_by_role("button", name="Make batches").click()
    page.wait_for_url("**/assign/**")
    page.goto("/collections/fresh/")
    page.get_by_role("link", name="Plan the seats").click()
    page.get_by_role("button", name="Apply the plan").click()
    page.goto("/collections/fresh/")
    expect(page.get_by_text("Missing before the first rating")).to_have_count(0)

    seat = Seat.objects.filter(holder__user=alice, batch__pairs__topic__facet="breadth").first()
    rating = open_page(alice)
    rating.goto(f"/seats/{seat.public_id}/1/")
    expect(rating.locator("#scale")).to_contain_text("Wide")
    rating.keyboard.press("1")
    rating.keyboard.press("Enter")
    expect(rating.locator("body")).to_contain_text("1 done")

    option = Rating.objects.get().option
    assert (option.key, option.scale.facet) == ("specific", "breadth")
    assert bob.memberships.get().seats.exists()
    assert findings() == []
