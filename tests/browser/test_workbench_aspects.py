"""Rating aspects in a real browser: both ways to work, and key components."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotation.assigning.actions.batches import set_way
from annotation.models import Rating
from annotation.reading.order import walked_rows
from tests.browser.test_workbench import LOOKS, expect_saved, fail_saves, press
from tests.factories.studies import make_aspect_study, ordered_pairs


@pytest.fixture
def study(transactional_db):
    """Four aspects over three documents in one batch, worked through by document."""
    return make_aspect_study(in_one_batch=True, way="document")


@pytest.fixture
def open_seat(open_page, study):
    """`open_seat()`: Alice's first pair, its script running."""

    def opened(**options):
        page = open_page(study.alice, **options)
        page.goto(reverse("annotation:seat", args=[study.seat("alice").public_id]))
        page.wait_for_load_state("networkidle")
        return page

    return opened


def expect_pair(page, number):
    """The pair with that number in the walk is on show."""
    expect(page.locator("#where")).to_have_text(str(number))
    expect(page.locator("#strip .ticks a").nth(number - 1)).to_have_attribute(
        "aria-current", "page"
    )
    expect(page.locator("#pair")).not_to_have_attribute("data-loading", "")


def walked(study):
    """Alice's pairs in the order in which she works through them."""
    pairs = ordered_pairs(study.seat("alice"))
    return [pairs[row["position"] - 1] for row in walked_rows(study.seat("alice"))]


def rated(study):
    """The keys of her options in that order, "" for none."""
    keys = dict(study.seat("alice").ratings.values_list("pair", "option__key"))
    return [keys.get(pair.pk, "") for pair in walked(study)]


def states(page):
    """What stands beside each aspect, as far as it is seen."""
    cells = page.locator(".aspects li .st")
    return [cell.split(",")[0].strip() for cell in cells.all_inner_texts()]


def test_the_mark_beside_a_sentence_is_never_broken(study, open_seat):
    page = open_seat()
    mark = page.locator(".sents.asks .on .tag").first
    mark.evaluate("tag => { tag.lastChild.data = 'W2' }")  # as wide as two letters are

    lines = mark.evaluate(
        """tag => {
             const range = document.createRange();
             range.selectNodeContents(tag.lastChild);
             return new Set([...range.getClientRects()].map(line => line.top)).size;
           }"""
    )

    assert lines == 1


def test_an_abstract_is_judged_under_all_aspects_by_keyboard_alone(study, open_seat):
    page = open_seat()

    for number, key in enumerate("dpac" * 3, start=1):
        expect_pair(page, number)
        press(page, key, "Enter")

    expect(page).to_have_url(re.compile(r"/hand-in/$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("All 12 pairs have an answer")
    assert rated(study) == ["disagree", "dispute", "agree", "concur"] * 3
    page.get_by_role("button", name="Hand in 12 pairs").click()
    page.get_by_role("button", name="Hand in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Handed in")


@pytest.mark.full
def test_in_one_key_mode_each_aspect_is_one_key(study, open_seat):
    study.alice.one_key_mode = True
    study.alice.save()
    page = open_seat()

    for number, key in enumerate("apdca", start=1):
        expect_pair(page, number)
        press(page, key)
    expect_pair(page, 6)

    expect_saved(page)
    assert rated(study)[:6] == ["agree", "dispute", "disagree", "concur", "agree", ""]


def test_the_abstract_stays_while_the_aspect_changes_and_the_tree_follows(study, open_seat):
    page = open_seat()
    page.evaluate("document.getElementById('candidate').isTheFirst = true")
    is_the_first = "document.getElementById('candidate').isTheFirst === true"
    assert states(page) == ["current", "to do", "to do", "to do", "same as A2"]
    expect(page.locator(".aspect-asked .on")).to_have_text(re.compile("^A The paper detects"))

    press(page, "c", "Enter")
    expect_pair(page, 2)
    assert page.evaluate(is_the_first)
    expect(page.locator("[aria-current=step]")).to_contain_text("The method works on sound.")
    expect(page.locator(".aspect-asked .on")).to_have_text(re.compile("^A1 The method works"))
    expect(page.locator(".sents.asks .on")).to_contain_text("microphones")
    assert states(page) == ["rated", "current", "to do", "to do", "same as A2"]

    press(page, "a", "Enter", "s", "Space", "Enter")
    expect_pair(page, 4)
    # 2 stands twice: its second place says where it stood first.
    assert states(page) == ["rated", "rated", "cannot judge", "current", "same as A2"]
    press(page, "a", "Enter")
    expect_pair(page, 5)
    assert not page.evaluate(is_the_first)
    assert states(page) == ["current", "to do", "to do", "to do", "same as A2"]


def test_an_aspect_in_the_tree_leads_to_its_pair(study, open_seat):
    page = open_seat()

    page.get_by_role("link", name=re.compile(r"^to do\s*, aspect B$")).click()
    expect_pair(page, 4)
    press(page, "k")
    expect_pair(page, 3)
    press(page, "j", "j")
    expect_pair(page, 5)
    page.go_back()
    expect_pair(page, 4)

    assert not Rating.objects.exists()


@pytest.mark.full
def test_each_aspect_costs_its_save_alone(study, open_seat):
    page = open_seat()
    requests = []
    page.on("request", lambda request: requests.append((request.method, request.url)))

    for number in range(1, 7):
        expect_pair(page, number)
        press(page, "a", "Enter")
        expect_saved(page)
        page.wait_for_load_state("networkidle")

    methods = [method for method, url in requests if "/seats/" in url]
    assert methods == ["POST"] * 6  # the texts of all twelve pairs came at first


@pytest.mark.full
def test_ratings_made_offline_are_of_the_pairs_that_were_shown(study, open_seat):
    page = open_seat()
    page.context.set_offline(True)

    press(page, "d", "Enter", "c", "Enter")
    expect_pair(page, 3)
    expect(page.locator("#sync")).to_have_text("2 to send")
    assert states(page)[:2] == ["rated", "rated"]
    page.context.set_offline(False)

    expect_saved(page)
    assert rated(study)[:3] == ["disagree", "concur", ""]


def test_a_switch_of_the_way_loses_nothing_and_rates_no_other_pair(study, open_seat):
    page = open_seat()
    pairs = walked(study)
    page.context.set_offline(True)
    press(page, "d", "Enter")
    expect_pair(page, 2)
    set_way(batch=study.batch, way="topic", by=study.lena)
    press(page, "p")
    page.context.set_offline(False)

    # The page is loaded anew, in the new order. The choice that was not saved is still there, with
    # its pair.
    anew = walked(study)
    number = [pair.pk for pair in anew].index(pairs[1].pk) + 1
    expect(page.locator("#where")).to_have_text(str(number))
    expect_saved(page)
    expect(page.locator("#candidate .doc-title")).to_have_text(pairs[1].document.title)
    expect(page.locator(".aspect-asked .on")).to_contain_text(pairs[1].topic.text)
    expect(page.locator("#scale input:checked")).to_have_value("dispute")
    press(page, "c", "Enter")
    expect(page.locator("#where")).to_have_text(str(number + 1))
    expect_saved(page)
    given = dict(study.seat("alice").ratings.values_list("pair", "option__key"))
    assert given == {pairs[0].pk: "disagree", pairs[1].pk: "concur"}
    expect(page.locator("#candidate .doc-title")).to_have_text(anew[number].document.title)


def test_no_box_moves_between_the_aspects_of_an_abstract(study, open_seat):
    long = study.topics[3]
    long.text = "The method states its uncertainty, " + "and how it was measured, " * 12
    long.save()
    page = open_seat(viewport={"width": 1440, "height": 900})
    boxes = """() => [".topbar", "#strip", ".pane.query", ".tree", ".pane.candidate", ".dock",
        "#candidate .doc-title", "#rating .row", "#rating [type=submit]",
        ...document.querySelectorAll(".grade, .aspects li, #candidate .sents li")]
        .map((at) => typeof at === "string" ? document.querySelector(at) : at)
        .map((at) => { const r = at.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })
        """
    page.evaluate(
        """() => {
            window.shifts = [];
            new PerformanceObserver((list) => window.shifts.push(...list.getEntries()))
                .observe({ type: "layout-shift" });
        }"""
    )
    before = page.evaluate(boxes)

    for number in (2, 3, 4):
        press(page, "a", "Enter")
        expect_pair(page, number)
        assert page.evaluate(boxes) == before
    assert page.evaluate("window.shifts.map((entry) => entry.value)") == []


def test_what_was_scrolled_to_stays_in_sight(study, open_seat):
    [query] = study.collection.queries.all()
    query.sentences += [{"text": "More of it. " * 160, "topics": []}]
    query.save()
    page = open_seat(viewport={"width": 1440, "height": 900})
    press(page, "w")
    scroll = "document.querySelector('.asked > .lens-text').scrollTop"
    page.evaluate(f"{scroll} = 30")

    press(page, "a", "Enter")
    expect_pair(page, 2)

    # Where it was, or as near as the sentences that ask for the aspect are in sight.
    assert page.evaluate(scroll) > 0


# --- key components ---


def components(page):
    """The lines of the panel with a text: [(text, mark)]."""
    return page.evaluate(
        """() => [...document.querySelectorAll("#components .component")]
            .map((line) => [
                line.querySelector("[type=text]").value,
                line.querySelector("[type=radio]:checked").value,
            ])
            .filter(([text]) => text)"""
    )


def write_components(page, *texts):
    press(page, "m")
    for text in texts:
        page.keyboard.type(text)
        press(page, "Enter")
    press(page, "Enter")  # the empty line that follows: on to the marks


def test_components_are_written_marked_and_followed_by_keyboard_alone(study, open_seat):
    page = open_seat()

    write_components(page, "detects faults", "in machines")
    press(page, "1", "3")
    expect(page.locator("#suggested")).to_have_text("Suggested: Agree")
    expect(page.locator("#scale input:checked")).to_have_count(0)
    press(page, "y")
    expect(page.locator("#scale input:checked")).to_have_value("agree")
    expect(page.locator("#components")).to_be_hidden()
    press(page, "Enter")

    expect_pair(page, 2)
    expect_saved(page)
    rating = Rating.objects.get()
    assert rating.option.key == "agree"
    assert rating.components == [
        {"text": "detects faults", "met": "met"},
        {"text": "in machines", "met": "not"},
    ]
    press(page, "u")
    expect_pair(page, 1)
    assert components(page) == [["detects faults", "met"], ["in machines", "not"]]


@pytest.mark.parametrize(
    ("marks", "suggested"),
    [
        ("12", "Agree"),
        pytest.param("10", "", marks=pytest.mark.full),
        pytest.param("11", "Concur", marks=pytest.mark.full),
        pytest.param("23", "Dispute", marks=pytest.mark.full),
        pytest.param("33", "Disagree", marks=pytest.mark.full),
    ],
)
def test_the_suggestion_is_that_of_the_server(study, open_seat, marks, suggested):
    page = open_seat()

    write_components(page, "one", "two")
    press(page, *marks[:1])
    if marks[1] != "0":
        press(page, marks[1])

    if suggested:
        expect(page.locator("#suggested")).to_have_text(f"Suggested: {suggested}")
        press(page, "Escape", "a", "Enter")
        expect_pair(page, 2)
        expect_saved(page)
        page.goto(page.locator("#strip .ticks a").first.get_attribute("href"))
        assert (
            suggested in page.locator("#suggested").inner_text()
            or page.locator("#suggested b").text_content() == suggested
        )
    else:
        expect(page.locator("#suggested")).to_be_hidden()


@pytest.mark.full
def test_a_suggestion_is_never_forced(study, open_seat):
    page = open_seat()

    write_components(page, "one")
    press(page, "1", "Escape", "d", "Enter")

    expect_pair(page, 2)
    expect_saved(page)
    rating = Rating.objects.get()
    assert (rating.option.key, len(rating.components)) == ("disagree", 1)


def test_half_marked_components_are_not_sent(study, open_seat):
    page = open_seat()

    write_components(page, "one", "two")
    press(page, "1", "Escape", "a", "Enter")

    expect(page.locator("#mid")).to_have_text("Mark every component, or none of them")
    expect(page.locator("#components")).to_be_visible()
    assert not Rating.objects.exists()
    press(page, "2", "Escape", "Enter")
    expect_pair(page, 2)
    expect_saved(page)
    assert len(Rating.objects.get().components) == 2


def test_the_split_of_an_aspect_is_offered_for_its_next_abstract(study, open_seat):
    page = open_seat()
    page.context.set_offline(True)
    write_components(page, "detects", "faults")
    press(page, "1", "2", "y", "Enter")
    expect_pair(page, 2)
    assert components(page) == []  # another aspect
    press(page, "j", "j", "j")
    page.context.set_offline(False)

    expect_pair(page, 5)
    assert components(page) == [["detects", ""], ["faults", ""]]
    press(page, "a", "Enter")
    expect_pair(page, 6)
    expect_saved(page)
    [second] = Rating.objects.filter(pair=walked(study)[4])
    assert second.components == []
    page.goto(page.locator("#strip .ticks a").nth(8).get_attribute("href"))
    assert components(page) == [["detects", ""], ["faults", ""]]  # now from the server


def test_an_aspect_is_split_at_commas_and_pasted_lines_become_components(study, open_seat):
    topic = walked(study)[0].topic
    topic.text = "It detects wear, finds its cause and says when to act."
    topic.save()
    page = open_seat()

    press(page, "m")
    page.keyboard.type("finds its cause")
    page.get_by_role("button", name="Split at commas").click()
    assert [text for text, _ in components(page)] == [
        "finds its cause",
        "It detects wear",
        "says when to act",
    ]
    page.get_by_role("button", name="Remove component 1").click()
    page.locator("[name=component-2]").focus()
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text", "first\\n\\nsecond\\n");
            document.activeElement.dispatchEvent(
                new ClipboardEvent("paste", {
                    clipboardData: data, bubbles: true, cancelable: true,
                }),
            );
        }"""
    )

    assert [text for text, _ in components(page)] == [
        "It detects wear",
        "says when to act",
        "first",
        "second",
    ]


def test_components_that_are_not_saved_survive_a_reload(study, open_seat):
    page = open_seat()
    write_components(page, "one", "two")
    press(page, "2")

    page.reload()
    page.wait_for_load_state("networkidle")

    assert components(page) == [["one", "partly"], ["two", ""]]


@pytest.mark.full
def test_components_are_sent_again_until_they_are_kept(study, open_seat):
    page = open_seat()
    page.on("dialog", lambda dialog: dialog.accept())
    fail_saves(page, after_commit=True, times=1)
    write_components(page, "one", "two")
    press(page, "1", "1", "y", "Enter")
    expect(page.locator("#sync")).to_have_text("1 to send")

    page.reload()
    expect_saved(page)

    rating = Rating.objects.get()
    assert (rating.version, [part["met"] for part in rating.components]) == (1, ["met", "met"])


def test_both_versions_show_their_components_and_the_own_ones_are_kept(study, open_seat):
    page = open_seat()
    stored = [{"text": "from the other window", "met": "met"}]
    study.rate("alice", walked(study)[0], "concur", components=stored)
    write_components(page, "from this window")
    press(page, "3", "y", "Enter")

    dialog = page.locator("#versions-dialog")
    expect(dialog).to_contain_text("from the other window")
    expect(dialog).to_contain_text("from this window")
    dialog.get_by_text("Use this one").click()

    expect_saved(page)
    rating = Rating.objects.get()
    assert (rating.version, rating.option.key) == (2, "disagree")
    assert rating.components == [{"text": "from this window", "met": "not"}]


def test_keys_of_components_are_dead_outside_their_lines(study, open_seat):
    page = open_seat()

    press(page, "1", "2", "y", "h")

    expect(page.locator("#mid")).to_have_text("Mark every component first")
    expect(page.locator("#scale input:checked")).to_have_count(0)
    write_components(page, "c and d, at 1")
    assert components(page) == [["c and d, at 1", ""]]
    expect(page.locator("#scale input:checked")).to_have_count(0)


# --- looks ---


def test_the_workbench_never_scrolls_sideways(open_seat, assert_fits):
    page = open_seat(viewport={"width": 320, "height": 800})

    for step in [None, "m", "s"]:
        if step:
            press(page, "Escape", step)
        for width in (320, 390, 1024, 1440):
            assert_fits(page, [width])
            button = page.locator("#rating [type=submit]").bounding_box()
            assert button["x"] + button["width"] <= width


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_state_is_accessible(study, open_seat, assert_accessible, width, theme):
    page = open_seat(viewport={"width": width, "height": 900}, color_scheme=theme)
    assert_accessible(page)
    write_components(page, "one", "two")
    press(page, "1", "2")
    assert_accessible(page)
    press(page, "y")
    assert_accessible(page)
    press(page, "?")
    assert_accessible(page)
    press(page, "Escape", "Enter")
    expect_pair(page, 2)
    assert_accessible(page)


# --- without script ---


def test_aspects_and_components_are_rated_without_script(study, open_page, assert_accessible):
    page = open_page(study.alice, java_script_enabled=False)
    page.goto(reverse("annotation:seat", args=[study.seat("alice").public_id]))

    page.get_by_label("Key component 1").fill("detects faults")
    page.get_by_label("Key component 2").fill("in machines")
    for number, mark in [(1, "Met"), (2, "Partly")]:
        group = page.get_by_role("radiogroup", name=f"Is component {number} met?")
        group.get_by_role("radio", name=mark, exact=True).check()
    page.locator("label.grade", has_text="Agree").last.click()
    page.get_by_role("button", name="Save and next").click()

    expect(page.locator("#mid")).to_have_text("Pair 1 saved.")
    expect(page.locator("#where")).to_have_text("2")
    assert Rating.objects.get().components == [
        {"text": "detects faults", "met": "met"},
        {"text": "in machines", "met": "partly"},
    ]
    page.goto(page.locator("#strip .ticks a").nth(4).get_attribute("href"))
    expect(page.get_by_label("Key component 1")).to_have_value("detects faults")
    page.locator("label.grade", has_text="Concur").click()
    page.get_by_role("button", name="Save and next").click()
    assert rated(study)[:5] == ["agree", "", "", "", "concur"]
