"""The whole way of a study in a real browser, by the people who walk it."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import FlagAnswer, Seat
from config.integrity import findings
from datasets.models import Collection
from tests.factories.csfcube import Folder
from tests.factories.studies import Study, make_member, make_user

PASSWORD = "a long enough password"
TOPICS = ["q1_background", "q1_method", "q2_background"]
# What each annotator finds in a candidate, whatever the topic; they differ on the second.
GRADES = {"Alice": {"c1": 1, "c2": 3, "c3": 2}, "Bob": {"c1": 1, "c2": 0, "c3": 2}}
GOLD = {"c1": 1, "c2": 3, "c3": 2}


@pytest.fixture
def folder(tmp_path):
    """The files of a release: three topics with three candidates each."""
    return Folder().write(tmp_path / "release")


def join(open_page, link, name):
    """Open an invitation, make an account, and return the page one lands on."""
    page = open_page()
    page.goto(link)
    page.get_by_label("Name").fill(name)
    page.get_by_label("E-mail address").fill(f"{name.lower()}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name="Create account and join").click()
    expect(page.get_by_role("button", name=f"Your account: {name}")).to_be_visible()
    return page


def invite_annotator(page):
    page.goto("/collections/small-study/members/")
    page.get_by_label("Role", exact=True).select_option("annotator")
    page.get_by_role("button", name="Make a link", exact=True).click()
    return page.get_by_label("Invitation link").input_value()


def candidate(page):
    """Which candidate is shown, such as "c2"."""
    title = page.locator(".candidate .doc-title").inner_text()
    return title[-2:]


def rate_everything(page, name, *, flagged=""):
    """Begin a batch on the home page, rate by keys alone, flag a candidate, hand in. The other
    batches are rated without a browser."""
    grades = GRADES[name]
    page.goto("/")
    page.get_by_role("link", name="Begin: ").first.click()
    expect(page.locator("#pair")).to_have_attribute("data-position", "1")
    page.wait_for_load_state()
    for position in [1, 2, 3]:
        expect(page.locator("#pair")).to_have_attribute("data-position", str(position))
        if candidate(page) == flagged:
            page.keyboard.press("f")
        page.keyboard.press(str(grades[candidate(page)]))
        page.keyboard.press("Enter")
    page.locator("#to-hand-in").click()
    page.get_by_role("button", name="Hand in", exact=True).click()
    expect(page.get_by_role("heading", name="Handed in")).to_be_visible()

    collection = Collection.objects.get()
    member = collection.memberships.get(name=name)
    study = Study(collection, [], {"member": member})
    for seat in Seat.objects.filter(holder=member, handed_in_at=None):
        values = [grades[pair.document.external_id[-2:]] for pair in seat.batch.pairs.all()]
        study.finish(member=values, batch=seat.batch)


def answer_a_flag(lena, alice):
    """A lead answers; the reply reaches the annotator, but not while the seat is returned."""
    reply = "Count it, since the task is the same."
    lena.goto("/collections/small-study/flags/")
    lena.get_by_text("Answer", exact=True).first.click()
    lena.get_by_label("Answer").first.fill(reply)
    lena.get_by_role("button", name="Make it a guideline rule").first.click()
    seat = FlagAnswer.objects.get().rating.seat
    alice.goto(reverse("annotation:hand-in", args=[seat.public_id]))
    answers = alice.get_by_role("region", name="Answers to your flags")
    expect(answers).to_contain_text(reply)
    answers.get_by_role("link", name="guidelines").click()
    expect(alice.get_by_role("listitem").filter(has_text=reply)).to_be_visible()

    lena.goto(reverse("annotation:batch", args=[seat.batch.public_id]))
    lena.get_by_text("Return the seat to Alice").click()
    lena.get_by_label("Reason, read by Alice").fill("Read the new rule.")
    lena.get_by_role("button", name="Return the seat").click()
    alice.goto(reverse("annotation:hand-in", args=[seat.public_id]))
    expect(alice.get_by_label("About this batch")).to_contain_text("Read the new rule.")
    expect(answers).to_have_count(0)
    alice.locator("#to-hand-in").click()
    alice.get_by_role("button", name="Hand in", exact=True).click()
    expect(answers).to_contain_text(reply)


@pytest.mark.django_db(transaction=True)
def test_from_an_empty_server_to_finished_qrels(open_page, eager_jobs, folder, tmp_path):
    # A site admin starts a collection and hands its link to the lead.
    ada = open_page(make_user("Ada", is_site_admin=True))
    ada.goto("/collections/new/")
    ada.get_by_label("Name", exact=True).fill("Small study")
    ada.get_by_label("Short name").fill("small-study")
    ada.get_by_label("Scheme").select_option("csfcube")
    ada.get_by_role("button", name="Create and make the lead's link").click()
    lena = join(open_page, ada.get_by_label("Invitation link").input_value(), "Lena")

    # The lead imports the files, invites the first member, and hands the pairs out.
    lena.goto("/collections/small-study/import/")
    lena.locator("input[name=files]").set_input_files(
        [path for path in folder.rglob("*") if path.is_file()]
    )
    lena.get_by_role("button", name="Upload and check").click()
    lena.get_by_role("button", name="Import", exact=True).click()
    expect(lena.get_by_role("status").filter(has_text="3 topics")).to_be_visible()
    alice = join(open_page, invite_annotator(lena), "Alice")
    collection = Collection.objects.get()
    bob = open_page(make_member(collection, "Bob", "annotator").user)
    carol = open_page(make_member(collection, "Carol", "adjudicator").user)
    lena.goto("/collections/small-study/assign/")
    lena.get_by_role("button", name="Make 3 batches").click()
    lena.get_by_role("link", name="Balanced plan").click()
    lena.get_by_role("button", name="Apply the plan").click()

    # Two annotators rate, each for themselves; nothing is disputed before both have handed in.
    rate_everything(alice, "Alice", flagged="c3")
    carol.goto("/collections/small-study/adjudicate/")
    expect(carol.get_by_text("No dispute waits for you")).to_be_visible()
    rate_everything(bob, "Bob")
    answer_a_flag(lena, alice)

    # The adjudicator decides what they differ on, led from topic to topic.
    carol.goto("/collections/small-study/adjudicate/")
    carol.get_by_role("button", name="Open").first.click()
    for _ in TOPICS:
        expect(carol.get_by_role("heading", name="Three grades apart")).to_be_visible()
        carol.wait_for_load_state()
        assert candidate(carol) == "c2"
        before = carol.url
        carol.keyboard.press("3")
        carol.keyboard.press("Enter")
        carol.wait_for_url(lambda url, before=before: url != before)
    expect(carol.get_by_text("Nothing is left to decide")).to_be_visible()

    # The lead reads the agreement table, and takes the qrels home.
    lena.goto("/collections/small-study/agreement/")
    # Of each topic two pairs of three are alike, before; all gold is there, after.
    expect(lena.get_by_role("heading", name="Agreement by facet")).to_be_visible()
    expect(lena.get_by_text("66.67").first).to_be_visible()
    lena.goto("/collections/small-study/exports/")
    lena.get_by_label("TREC: qrels").check()
    lena.get_by_role("button", name="Make the files").click()
    lena.get_by_role("link", name="Continue").click()
    with lena.expect_download() as download:
        lena.get_by_role("link", name="qrels-all").first.click()
    lines = download.value.path().read_text().splitlines()

    qrels = {(topic, paper): int(value) for topic, _, paper, value in map(str.split, lines)}
    assert qrels == {
        (topic, topic[:2] + candidate): value
        for topic in TOPICS
        for candidate, value in GOLD.items()
    }
    assert list(findings()) == []
    assert collection.slug == "small-study"
