"""The import page: who may, what a dry run shows, what is refused, what an import makes of it."""

import csv
import io
import json
import pickle
import sys
import zipfile
from dataclasses import dataclass

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from lxml import html
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

import config.views  # noqa: F401 - its sentences name the limits that hold when it is loaded
from accounts.models import User
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import MachineRun, Pair, Seat
from annotation.schemes.actions import load_definition, write_scheme
from audit.refusals import Stale
from datasets import stores, uploads
from datasets.models import Collection, Document, Import, Ranking
from imports import drafts, page, unattended
from imports.models import Draft
from imports.page import columns_shown, files_shown, problems_as_csv
from imports.tasks import tidy
from jobs import actions
from jobs.models import Job
from jobs.registry import Run
from jobs.running import run_job
from tests.factories.csfcube import Folder
from tests.factories.doris_mae import make_dataset
from tests.factories.studies import (
    make_collection,
    make_member,
    make_study,
    make_topic,
    make_user,
)
from tests.shelf import shelved

PAGE = "/collections/study/import/"


@pytest.fixture(autouse=True)
def state(settings, tmp_path):
    """A state folder without the uploads of other tests."""
    settings.STATE_DIR = tmp_path / "state"
    settings.STATE_DIR.mkdir()


@shelved
def study(db):
    make_user("Dave")
    return make_study(assign=False)


def chosen(folder, **renamed):
    """The files as a browser sends them."""
    return [
        SimpleUploadedFile(renamed.get(name, name.rpartition("/")[2]), data)
        for name, data in folder.files().items()
    ]


def kept_files():
    return list(stores.names_in(uploads.store()))


@dataclass
class Lead:
    collection: Collection
    lena: User


@pytest.fixture
def lead(transactional_db, client, eager_jobs):
    """A collection with a scheme and nothing in it; its lead is signed in."""
    collection = make_collection("study", load_definition("csfcube"))
    user = make_member(collection, "Lena", "lead").user
    client.force_login(user)
    return Lead(collection, user)


RATINGS = "ann,c1,3\nben,c1,3\nann,c2,0\nben,c2,2\nann,c3,1\n"


def tables(*, ratings=RATINGS, ratings_table=""):
    """A study of one topic as four tables; two people agree on the first of three pairs."""
    rows = [line for line in ratings.splitlines() if line]
    named = [f"q1,method,{line}" for line in rows]
    texts = {
        "documents.csv": "id,title,text\n"
        + "".join(f"{document},Title of {document},Why. How.\n" for document in ["q1", "c1", "c2"])
        + "c3,,A text without a title.\n",
        "pool.csv": "query,document,source\nq1,c1,bm25\nq1,c2,bm25\nq1,c3,cited\n",
        "queries.csv": "id,document,facets\nq1,q1,method\n",
        "ratings.csv": ratings_table or "\n".join(["query,facet,rater,document,grade", *named, ""]),
    }
    return [SimpleUploadedFile(name, text.encode()) for name, text in texts.items()]


def matched(options):
    """What the form sends where these literals are matched with options by their keys."""
    rows = Draft.objects.get().report["grades"][0]["rows"]
    return {
        f"grade:0:{place}": options.get(row["literal"], row["option"])
        for place, row in enumerate(rows)
    }


def zip_of(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    ("name", "expected"), [("alice", 403), ("carol", 403), ("dave", 404), ("ada", 404), (None, 302)]
)
def test_only_leads_import(client, study, name, expected, method):
    if name:
        account = study.members[name].user if name in study.members else None
        client.force_login(account or type(study.lena).objects.get(name=name.title()))

    response = getattr(client, method)(PAGE)

    assert response.status_code == expected
    assert not Job.objects.exists()


def test_a_collection_that_is_not_there_does_not_exist(lena):
    assert lena.get("/collections/nowhere/import/").status_code == 404


def test_other_methods_are_refused(lena):
    assert lena.put(PAGE).status_code == 405


def test_an_upload_without_a_token_against_forgery_is_refused(study):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(study.lena)

    response = browser.post(PAGE, {"files": chosen(Folder())})

    assert response.status_code == 403
    assert not Job.objects.exists()


def test_files_are_looked_at_before_anything_is_written(lead, client):
    response = client.post(PAGE, {"files": tables()})

    assertRedirects(response, PAGE)
    page = client.get(PAGE)
    assertContains(page, "No problems")
    assertContains(page, "q1_method")
    assertContains(page, "to adjudicate")
    assertContains(page, 'name="grade:0:0"')
    assertContains(page, "“A text without a title.”")
    assert not Document.objects.exists()
    assert not Import.objects.exists()


def test_what_was_looked_at_is_imported_and_the_files_go(lead, client):
    client.post(PAGE, {"files": tables()})

    assertRedirects(client.post(f"{PAGE}start/"), PAGE)

    assertContains(client.get(PAGE), "Added 4 documents, 1 query, 1 topic, 3 pairs, 6 ratings.")
    assert Pair.objects.filter(state="disputed").count() == 2
    assert Import.objects.get().created_by == lead.lena
    assert kept_files() == []
    assert not Draft.objects.exists()


def test_an_import_needs_a_dry_run_of_the_files_as_they_are(lead, client):
    client.post(PAGE, {"files": tables()})
    Draft.objects.update(revision=99)

    response = client.post(f"{PAGE}start/")

    assertContains(response, "Check the files first.", status_code=422)
    assert not Import.objects.exists()


def test_problems_come_with_file_line_and_remedy_and_as_a_table(lead, client):
    client.post(PAGE, {"files": tables(ratings="ann,c1,9\nben,<script>alert(1)</script>,1\n")})

    page = client.get(PAGE)
    assertContains(page, "Nothing can be imported yet: ")
    assertContains(page, "&lt;script&gt;alert(1)&lt;/script&gt;")
    assertNotContains(page, "<script>alert(1)")
    assertNotContains(page, 'starting" >')
    table = client.get(f"{PAGE}problems.csv").content.decode()
    assert table.splitlines()[0] == "file,place,line,column,problem,remedy"
    assert "ratings.csv" in table
    assertContains(client.post(f"{PAGE}start/"), "Check the files first.", status_code=422)
    assert not Document.objects.exists()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["colour,ann,c1,1"] * 3, "3; 1 is listed. The others are the same in further rows."),
        (
            [f"method,ann,c1,{number}z" for number in range(103)],
            "102; the first 100 are listed. All of them are in the CSV.",
        ),
    ],
)
def test_the_page_says_how_many_problems_it_lists(rows, words, lead, client):
    table = "\n".join(["query,facet,rater,document,grade", *(f"q1,{row}" for row in rows), ""])
    client.post(PAGE, {"files": tables(ratings_table=table)})

    assertContains(client.get(PAGE), words)


def test_equal_problems_are_one_row_that_names_every_line(lead, client):
    rows = ["method,ann,,1"] * 6 + ["method,,c1,1"]
    table = "\n".join(["query,facet,rater,document,grade", *(f"q1,{row}" for row in rows), ""])
    client.post(PAGE, {"files": tables(ratings_table=table)})

    page = html.fromstring(client.get(PAGE).content)

    alike, other = page.xpath("//section[@aria-labelledby='p-h']//tbody/tr/td[1]")
    assert alike.xpath("text()") == ["column document: line 2, line 3, line 4"]
    assert alike.xpath("details/summary/text()") == ["and 3 more"]
    assert alike.xpath("details/text()") == ["line 5, line 6, line 7"]
    assert "line 8" in other.text_content()


def test_paths_of_a_folder_that_cannot_be_read_count_as_untold(lead, client):
    answer = client.post(PAGE, {"files": tables(), "paths": "[" * 100_000})

    assertRedirects(answer, PAGE)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_problem_of_a_file_is_taken_for_a_formula(start):
    message = f"{start}HYPERLINK(1)"
    problem = dict.fromkeys(["file", "place", "column", "remedy"], "") | {"line": 2}

    [_, row] = csv.reader(
        io.StringIO(problems_as_csv([problem | {"message": message}]), newline="")
    )

    assert row == ["", "", "2", "", f"'{message}", ""]


def test_a_file_of_the_same_name_takes_the_old_ones_place(lead, client):
    client.post(PAGE, {"files": tables(ratings="ann,c1,9\n")})

    client.post(PAGE, {"files": [file for file in tables() if file.name == "ratings.csv"]})

    assertContains(client.get(PAGE), "No problems")
    assert len(Draft.objects.get().files) == len(kept_files()) == 4


def test_a_table_that_nobody_knows_waits_until_somebody_says_what_it_is(lead, client):
    notes = SimpleUploadedFile("notes.csv", b"foo,bar\nx,y\n")
    client.post(PAGE, {"files": [*tables(), notes]})
    [problem] = Draft.objects.get().report["problems"]
    number = [part["file"] for part in Draft.objects.get().report["parts"]].index("notes.csv")
    assertContains(client.get(PAGE), '<option value="?" selected>say what it is</option>')

    client.post(f"{PAGE}check/", {f"part:{number}": ""})

    assert (problem["file"], problem["message"]) == (
        "notes.csv", "its columns fit no part of a study: 'foo', 'bar'.",
    )  # fmt: skip
    assertContains(client.get(PAGE), "No problems")


def test_files_of_which_nothing_is_read_are_named_and_hidden_ones_not_taken(lead, client):
    more = [SimpleUploadedFile("paper.pdf", b"%PDF"), SimpleUploadedFile(".DS_Store", b"\0")]

    client.post(PAGE, {"files": [*tables(), *more]})

    draft = Draft.objects.get()
    assert draft.report["left_alone"] == ["paper.pdf"]
    assert len(draft.files) == 5
    assertContains(client.get(PAGE), "Left alone, since Tables reads nothing in it: paper.pdf.")


def test_files_that_are_left_alone_say_what_would_read_them(lead, client):
    more = {"passages.txt": b"c9\tA text.\n", "notes.txt": b"Nothing but words.\n"}
    run = SimpleUploadedFile("bm25.run", b"q1_method Q0 c1 1 2.5 bm25\n")

    client.post(PAGE, {"files": [*tables(), run, *map(SimpleUploadedFile, more, more.values())]})

    shown = {file["name"]: file for file in files_shown(Draft.objects.get())}
    assert [shown[name]["other_formats"] for name in more] == [["TREC"], []]
    assert shown["bm25.run"]["is_read"]
    response = client.get(PAGE)
    assertContains(response, "bring it apart, or choose the other")
    assertContains(response, "A table has names for its columns and ends with .csv")


def test_a_system_is_pooled_where_its_run_is_a_source_of_the_pool(lead, client):
    runs = [
        SimpleUploadedFile(f"{tag}.run", f"q1_method Q0 c1 1 2.5 {tag}\n".encode())
        for tag in ["bm25", "e5"]
    ]
    client.post(PAGE, {"files": [*tables(), *runs]})

    client.post(f"{PAGE}start/")

    systems = lead.collection.systems.values_list("key", "is_pooled")
    assert dict(systems) == {"bm25": True, "e5": False}


def test_a_page_that_waited_for_a_job_is_loaded_anew_when_it_is_done(lead, client):
    client.post(PAGE, {"files": tables()})

    response = client.get(PAGE, headers={"HX-Request": "true"})

    assert response.headers["HX-Refresh"] == "true"


@pytest.fixture
def ending_while_read(monkeypatch):
    """Jobs wait, and the one of a draft runs once a page has read the draft."""
    monkeypatch.setattr(actions, "send", lambda job: True)
    read = drafts.draft_of

    def draft_of(collection, user):
        draft = read(collection, user)
        if draft and draft.job:
            run_job(draft.job)
        return draft

    return lambda: monkeypatch.setattr(drafts, "draft_of", draft_of)


def test_a_check_that_ends_while_its_page_is_read_leaves_its_report(
    lead, client, ending_while_read
):
    client.post(PAGE, {"files": tables()})
    ending_while_read()

    assertContains(client.get(PAGE), 'action="/collections/study/import/start/"')


def test_an_import_that_ends_while_its_page_is_read_says_what_came_in(
    lead, client, ending_while_read
):
    client.post(PAGE, {"files": tables()})
    run_job(Draft.objects.get().job)
    client.post(f"{PAGE}start/")
    ending_while_read()

    page = client.get(PAGE)

    assertContains(page, "Go on to the overview")
    assertNotContains(page, "start/")


def test_a_file_is_taken_off_the_list(lead, client):
    client.post(PAGE, {"files": tables()})

    client.post(f"{PAGE}check/", {"remove": "ratings.csv"})

    draft = Draft.objects.get()
    assert [name for name, *_ in draft.files] == ["documents.csv", "pool.csv", "queries.csv"]
    assert draft.report["counts"]["pairs"] == 3
    assert draft.report["counts"]["ratings"] == 0


def test_all_files_are_taken_off_the_list(lead, client):
    client.post(PAGE, {"files": tables()})

    client.post(f"{PAGE}clear/")

    assert kept_files() == []
    assertContains(client.get(PAGE), "none yet")


def test_a_grade_is_what_the_form_says(lead, client):
    client.post(PAGE, {"files": tables(ratings="ann,c1,high\nben,c1,high\n")})
    draft = Draft.objects.get()
    assert draft.report["problem_count"] == 1
    row, counts = draft.report["rows"]["shown"][0], draft.report["counts"]
    assert [answer["text"] for answer in row["answers"]] == ["not matched yet"] * 2
    assert row["state"] == "not matched yet"
    assert (counts["unmatched"], counts["cannot_judge"], counts["to_adjudicate"]) == (2, 0, 0)
    assertContains(client.get(PAGE), "and 2 not matched yet")

    client.post(f"{PAGE}check/", {"grade:0:0": "identical"})
    client.post(f"{PAGE}start/")

    assert str(Pair.objects.get(document__external_id="c1").gold_option) == "identical"


def test_a_decision_whose_grade_is_not_matched_yet_leaves_no_pair_out(lead, client):
    decisions = b"query,facet,document,adjudicator,grade\nq1,method,c1,carol,high\n"
    files = tables(ratings="ann,c1,3\nben,c1,1")
    client.post(PAGE, {"files": [*files, SimpleUploadedFile("decisions.csv", decisions)]})

    report = Draft.objects.get().report

    assert report["rows"]["shown"][0]["state"] == "not matched yet"
    assert report["counts"]["decided"] == 0


def test_a_scale_is_turned_upside_down_by_one_button(lead, client):
    client.post(PAGE, {"files": tables()})

    client.post(f"{PAGE}check/", {"turn": ""})

    rows = Draft.objects.get().report["grades"][0]["rows"]
    assert {row["literal"]: row["option"] for row in rows}["3"] == "irrelevant"


def test_stars_that_are_read_one_too_high_are_asked_about_until_each_is_matched(lead, client):
    client.post(PAGE, {"files": tables(ratings="ann,c1,4\nben,c1,1\nann,c2,2\nben,c2,2\n")})
    question = (
        "<b>Do the grades begin at 1?</b> The files have 4, which is above the scale, and no 0."
    )
    assertContains(client.get(PAGE), question)

    client.post(f"{PAGE}check/", matched({"4": "identical"}))
    assertContains(client.get(PAGE), question)

    client.post(f"{PAGE}check/", matched({"1": "irrelevant", "2": "related", "4": "identical"}))
    assertNotContains(client.get(PAGE), "Do the grades begin")
    assert Draft.objects.get().report["problem_count"] == 0


def test_a_rater_is_the_member_that_the_form_says(lead, client):
    alice = make_member(lead.collection, "Alice", "annotator")
    client.post(PAGE, {"files": tables()})

    client.post(f"{PAGE}check/", {"person:0": str(alice.public_id)})
    client.post(f"{PAGE}start/")

    assert Seat.objects.get(ordinal=1).holder == alice


def test_the_first_people_of_a_crowd_are_shown(lead, client, monkeypatch):
    monkeypatch.setattr("imports.page.SHOWN_PEOPLE", 1)
    client.post(PAGE, {"files": tables()})

    page = client.get(PAGE)

    assertContains(page, "The first 1 of 2 people are shown.")
    assertContains(page, 'name="person:0"')
    assertNotContains(page, 'name="person:1"')


def test_a_candidate_without_text_is_named_once(lead, client):
    files = tables(ratings="ann,c1,3\nben,c1,3")
    documents = SimpleUploadedFile("documents.csv", b"id,text\nq1,Why.\nc1,Why.\nc2,How.\n")
    client.post(PAGE, {"files": [documents, *files[1:]]})

    assertContains(client.get(PAGE), "without text, kept as candidates without pairs: c3")
    client.post(f"{PAGE}start/")

    page = client.get(PAGE)
    assertContains(page, "nobody rates them: c3. To have them rated, bring their texts")
    assertNotContains(page, "which nobody can rate")


def test_a_lead_says_that_a_literal_is_no_grade(lead, client):
    client.post(PAGE, {"files": tables(ratings="ann,c1,3\nben,c1,skip\nann,c2,0\nben,c2,0")})
    rows = Draft.objects.get().report["grades"][0]["rows"]
    number = [row["literal"] for row in rows].index("skip")

    client.post(f"{PAGE}check/", {f"grade:0:{number}": "cannot-judge"})

    report = Draft.objects.get().report
    assert (report["problem_count"], report["counts"]["cannot_judge"]) == (0, 1)
    client.post(f"{PAGE}check/", {"turn": ""})
    meanings = {
        row["literal"]: row["option"] for row in Draft.objects.get().report["grades"][0]["rows"]
    }
    assert meanings == {"3": "irrelevant", "0": "identical", "skip": "cannot-judge"}


def test_a_lead_says_that_the_other_answers_are_to_come(lead, client):
    half = "topic,rater,document,grade\nq1_method,ann,c1,3\nq1_method,ben,c2,3\n"
    client.post(PAGE, {"files": tables(ratings_table=half)})
    assertContains(client.get(PAGE), "The others are still to come (2 pairs)")

    client.post(f"{PAGE}check/", {"answers_to_come": "yes"})

    counts = Draft.objects.get().report["counts"]
    assert (counts["not_rated"], counts["to_rate"]) == (0, 2)
    assertContains(client.get(PAGE), 'name="answers_to_come" value="yes" checked')


def test_that_the_others_are_to_come_is_offered_the_next_time(lead, client):
    half = tables(ratings_table="topic,rater,document,grade\nq1_method,ann,c1,3\n")
    client.post(PAGE, {"files": half})
    client.post(f"{PAGE}check/", {"answers_to_come": "yes", "keep": "yes"})
    client.post(f"{PAGE}start/")
    more = "topic,rater,document,grade\nq1_method,ann,c1,3\nq1_method,ann,c2,0\n"

    client.post(PAGE, {"files": tables(ratings_table=more)})

    assertContains(client.get(PAGE), 'name="answers_to_come" value="yes" checked')
    report = Draft.objects.get().report
    assert (report["is_kept"], report["counts"]["short"]) == (True, 1)
    elsewhere = Collection.objects.create(slug="elsewhere", name="Elsewhere")
    kept = drafts.kept_matching(elsewhere, report["columns_key"], lead.lena)
    assert kept.keys() == {"mapping", "grades"}


def test_a_stored_query_is_named_by_its_text(lead, client):
    queries = {"queries.csv": "id,text,facets\nq9,What is asked?,method\n"}
    client.post(PAGE, {"files": brought(**queries)})
    client.post(f"{PAGE}start/")
    texts = {
        "docs.csv": "id,text\nd1,Why. How.\n",
        "pool.csv": "query,docid,source\nWhat is asked?,d1,bm25\n",
    }

    client.post(PAGE, {"files": brought(**texts)})

    assertContains(client.get(PAGE), "pool.csv names queries by their texts (1)")
    client.post(f"{PAGE}start/")
    assert [pair.topic.external_id for pair in Pair.objects.all()] == ["q9_method"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nist.qrels", "q8 0 c1 1\n"),
        ("bm25.run", "q8 Q0 c1 1 2.5 bm25\n"),
        ("judged.csv", "query,document,grade\nq8,c1,1\n"),
    ],
)
def test_the_dry_run_refuses_what_is_about_nothing_that_is_there_or_comes_along(
    lead, client, name, text
):
    client.post(PAGE, {"files": [*tables(), *brought(**{name: text})]})

    assert [(problem["file"], problem["message"]) for problem in problems()] == [
        (name, "it has none of the queries that come with it; it has q8.")
    ]
    client.post(f"{PAGE}check/", {"remove": name})
    client.post(f"{PAGE}start/")
    client.post(PAGE, {"files": brought(**{name: text})})
    assert [problem["file"] for problem in problems()] == [name]
    client.post(f"{PAGE}clear/")
    client.post(PAGE, {"files": brought(**{name: text.replace("q8", "q1")})})
    assert problems() == []


def problems():
    return Draft.objects.get().report["problems"]


STRANGE = "which,who,what,how much\nq1_method,ann,c1,3\nq1_method,ben,c1,3\n"


def match_strange_ratings(client):
    """Say by the form that ratings.csv are ratings, and match its columns."""
    number = [part["file"] for part in Draft.objects.get().report["parts"]].index("ratings.csv")
    form = {f"part:{number}": "ratings", "keep": "yes"}
    client.post(f"{PAGE}check/", form)
    columns = {"topic": "which", "rater": "who", "document": "what", "grade": "how much"}
    form |= {f"column:{number}:{field}": column for field, column in columns.items()}
    client.post(f"{PAGE}check/", form)


def matching_of(file):
    return Draft.objects.get().report["settings"]["mapping"]["files"][file]


def test_several_columns_are_matched_with_the_grades_by_rater(lead, client):
    table = "query,facet,document,Ann Lee,Ben\nq1,method,c1,3,3\nq1,method,c2,0,1\n"
    client.post(PAGE, {"files": tables(ratings_table=table)})
    number = [part["file"] for part in Draft.objects.get().report["parts"]].index("ratings.csv")
    name = f"column:{number}:grades"
    client.post(f"{PAGE}check/", {f"part:{number}": "ratings", name: ""})
    assertContains(client.get(PAGE), f'name="{name}" value="Ben">')

    client.post(f"{PAGE}check/", {f"part:{number}": "ratings", name: ["", "Ann Lee", "Ben"]})

    assert matching_of("ratings.csv")["columns"]["grades"] == ["Ann Lee", "Ben"]
    assert Draft.objects.get().report["problem_count"] == 0
    assertContains(client.get(PAGE), f'name="{name}" value="Ben" checked>')

    client.post(f"{PAGE}check/", {name: ""})

    assert "grades" not in matching_of("ratings.csv")["columns"]


def test_a_matching_is_kept_and_offered_the_next_time(lead, client):
    client.post(PAGE, {"files": tables(ratings_table=STRANGE)})
    match_strange_ratings(client)
    client.post(f"{PAGE}start/")

    client.post(PAGE, {"files": tables(ratings_table=STRANGE)})

    assert Draft.objects.get().report["is_kept"]
    assert matching_of("ratings.csv")["columns"]["rater"] == "who"


def brought(**texts):
    return [SimpleUploadedFile(name, text.encode()) for name, text in texts.items()]


TREC_TEXTS = {
    "corpus.jsonl": '{"docno": "d1", "title": "T", "text": "Why. How."}\n',
    "asked.tsv": "t1\tWhat is asked?\nt2\tAnd what else?\n",
}


def test_a_second_wave_of_topics_adds_to_the_run(lead, client):
    for wave in (1, 2):
        texts = {
            "corpus.jsonl": f'{{"docno": "d{wave}", "text": "Why. How."}}\n',
            "asked.tsv": f"t{wave}\tWhat is asked?\n",
            "bm25.run": f"t{wave} Q0 d{wave} 1 2.5 bm25\n",
        }
        client.post(PAGE, {"files": brought(**texts)})
        notes = Draft.objects.get().report["counts"]["notes"]
        client.post(f"{PAGE}start/")

    assert "bm25 is stored already and gets rankings of further topics (1): t2." in notes
    rankings = Ranking.objects.order_by("id").values_list("run__tag", "external_id")
    assert list(rankings) == [("bm25", "t1"), ("bm25", "t2")]


def test_a_further_raters_file_says_what_becomes_of_the_pairs(lead, client):
    client.post(PAGE, {"files": tables()})
    client.post(f"{PAGE}start/")
    rows = "q1,method,cleo,c1,3\nq1,method,cleo,c2,2\n"
    table = f"query,facet,rater,document,grade\n{rows}"

    client.post(PAGE, {"files": brought(**{"cleo.csv": table})})

    page = html.fromstring(client.get(PAGE).content)
    [said] = page.xpath("//p[@class='say']")
    assert " ".join(said.text_content().split()) == (
        "2 ratings and 1 “cannot judge: not rated” of 3 pairs that are here already, 1 person. "
        "With the ratings that are here, 2 of these pairs are to be adjudicated and 1 agrees by "
        "the rule. Whole or not at all; done twice it changes nothing."
    )
    [rows] = page.xpath("//div[@aria-label='First rows']/preceding-sibling::p[1]")
    assert rows.text == "“Then” takes the ratings that are here already into account."
    titles = page.xpath("//table[contains(@class, 'dry')]//td[3]/span/text()")
    assert titles == ["Title of c1", "Title of c2"]
    assert page.xpath("//h2[@id='d-h']/span[@class='avatar']/text()") == ["4"]
    client.post(f"{PAGE}start/")
    page = html.fromstring(client.get(PAGE).content)
    [further, first] = page.xpath("//section[@aria-labelledby='done-h']//li/span")
    assert further.text.strip() == "3 ratings"
    assert first.text.strip() == "4 documents, 1 query, 1 topic, 3 pairs, 6 ratings"


def test_the_format_is_the_one_that_knows_all_files(lead, client):
    client.post(PAGE, {"files": brought(**TREC_TEXTS)})

    report = Draft.objects.get().report
    assert (report["format"], report["counts"]["queries"]) == ("trec", 2)


def test_another_format_matches_the_files_anew(lead, client):
    client.post(PAGE, {"files": brought(**TREC_TEXTS)})
    client.post(f"{PAGE}check/", {"format": "tables"})
    assert Draft.objects.get().report["problem_count"] == 1

    client.post(f"{PAGE}check/", {"format": "trec", "keep": "yes"})

    assert Draft.objects.get().report["counts"]["queries"] == 2


def test_a_kept_matching_is_not_offered_for_files_without_columns(lead, client):
    client.post(PAGE, {"files": brought(**TREC_TEXTS)})
    client.post(f"{PAGE}check/", {"format": "trec", "keep": "yes"})
    client.post(f"{PAGE}start/")

    client.post(PAGE, {"files": brought(**{"t.tsv": "t3\tOne\n", "u.tsv": "t4\tTwo\n"})})

    assert Draft.objects.get().report["counts"]["queries"] == 2


def test_a_kept_matching_is_offered_for_files_with_other_names(lead, client):
    client.post(PAGE, {"files": tables(ratings_table=STRANGE)})
    match_strange_ratings(client)
    client.post(f"{PAGE}start/")
    files = tables(ratings_table=STRANGE)
    for file in files:
        file.name = f"week 2 {file.name}"

    client.post(PAGE, {"files": files})

    assert Draft.objects.get().report["is_kept"]
    assert matching_of("week 2 ratings.csv")["columns"]["rater"] == "who"


def test_a_table_that_fits_no_part_is_matched_as_before_beside_other_files(lead, client):
    odd = brought(**{"papers.csv": "Nr;Titel\nc8;T\n", "asked.csv": "Nr;Anfrage\nq8;W?\n"})
    client.post(PAGE, {"files": odd})
    fields = {"part:0": "queries", "column:0:id": "Nr", "column:0:text": "Anfrage"}
    fields |= {"part:1": "documents", "column:1:id": "Nr", "column:1:title": "Titel"}
    client.post(f"{PAGE}check/", fields)
    client.post(f"{PAGE}check/", fields | {"keep": "yes"})
    client.post(f"{PAGE}start/")

    more = {"more.csv": "Nr;Anfrage\nq9;Wo?\n", "d.csv": "id,title\nc9,T\n"}
    client.post(PAGE, {"files": brought(**more)})

    report = Draft.objects.get().report
    assert (report["problem_count"], report["is_kept"], report["counts"]["queries"]) == (0, True, 1)
    client.post(f"{PAGE}check/", {"part:1": "", "keep": "yes"})
    assert matching_of("more.csv")["part"] == ""


def test_what_was_matched_stays_when_a_file_comes_or_goes(lead, client):
    client.post(PAGE, {"files": tables(ratings_table=STRANGE)})
    match_strange_ratings(client)
    matched = matching_of("ratings.csv")

    client.post(PAGE, {"files": SimpleUploadedFile("more.csv", b"paper,colour\nc1,red\n")})
    added = matching_of("ratings.csv"), matching_of("more.csv")["part"]
    client.post(f"{PAGE}check/", {"remove": "more.csv"})

    assert matched["columns"]["rater"] == "who"
    assert added == (matched, "?")
    assert matching_of("ratings.csv") == matched


def test_a_matching_does_not_stay_where_its_columns_are_gone(lead, client):
    client.post(PAGE, {"files": tables(ratings_table=STRANGE)})
    match_strange_ratings(client)
    files = {
        "ratings.csv": b"topic,rater,document,grade\nq1_method,ann,c1,3\n",
        "more.csv": b"paper,colour\nc1,red\n",
    }

    client.post(PAGE, {"files": [SimpleUploadedFile(*file) for file in files.items()]})

    assert matching_of("ratings.csv")["columns"]["rater"] == "rater"


def test_columns_are_guessed_for_the_part_that_the_form_says(lead, client):
    unclear = SimpleUploadedFile("extra.csv", b"paper,colour,shape\nc1,red,round\n")
    client.post(PAGE, {"files": [*tables(), unclear]})
    number = [part["file"] for part in Draft.objects.get().report["parts"]].index("extra.csv")

    client.post(f"{PAGE}check/", {f"part:{number}": "pool"})

    entry = Draft.objects.get().report["settings"]["mapping"]["files"]["extra.csv"]
    assert entry == {"part": "pool", "columns": {"document": "paper"}}
    labels = {file["name"]: file["parts"][0]["label"] for file in files_shown(Draft.objects.get())}
    assert labels["extra.csv"] == "Pool"
    assertContains(client.get(PAGE), "5 files: Tables: documents, pool (2), queries, ratings.")


def test_fields_without_a_column_stand_apart():
    fields = [
        {"key": key, "label": key, "help": "", "required": key == "id", "many": False}
        for key in ["id", "title", "text"]
    ]
    part = {"file": "a.csv", "key": "documents", "label": "Documents"}
    columns = [{"name": "name", "first": "A title"}]
    taken = {"a.csv": {"part": "documents", "columns": {"title": "name"}}}
    report = {
        "parts": [part | {"columns": columns}],
        "labels": {"documents": "Documents"},
        "fields": {"documents": fields},
        "settings": {"mapping": {"files": taken}},
    }

    [shown] = columns_shown(Draft(report=report))

    assert [(field.label, field.needed) for field in shown["fields"]] == [
        ("id", "needed"),
        ("title", ""),
    ]
    assert [field.label for field in shown["unmatched"]] == ["text"]


def test_fields_of_which_one_is_needed_stand_in_sight():
    labels = {"query": "Query", "topic": "Topic", "document": "Document", "rank": "Rank"}
    fields = [
        {"key": key, "label": label, "help": "", "required": False, "many": False}
        for key, label in labels.items()
    ]
    report = {
        "parts": [{"file": "a.csv", "key": "pool", "columns": [{"name": "N°", "first": "1"}]}],
        "labels": {"pool": "Pool"},
        "fields": {"pool": fields},
        "settings": {"mapping": {"files": {"a.csv": {"part": "pool", "columns": {}}}}},
    }

    [shown] = columns_shown(Draft(report=report))

    assert [(field.label, field.needed) for field in shown["fields"]] == [
        ("Query", "needed, if not Topic"),
        ("Topic", "needed, if not Query"),
        ("Document", "needed"),
    ]
    assert [field.label for field in shown["unmatched"]] == ["Rank"]


@pytest.mark.parametrize(
    ("column", "options"),
    [("note", ["", "note", "text"]), ("text", ["", "text"]), (["a", "b"], ["a", "b", "text"])],
)
def test_what_a_field_takes_can_be_chosen_though_no_column_has_its_name(column, options):
    many = isinstance(column, list)
    field = {"key": "note", "label": "Note", "help": "", "required": False, "many": many}
    taken = {"a.json": {"part": "tasks", "columns": {"note": column}}}
    report = {
        "parts": [{"file": "a.json", "key": "tasks", "columns": [{"name": "text", "first": ""}]}],
        "labels": {"tasks": "Tasks"},
        "fields": {"tasks": [field]},
        "settings": {"mapping": {"files": taken}},
    }

    [choice] = columns_shown(Draft(report=report))[0]["fields"]

    assert sorted(value for value, _ in choice.boxes or choice.options) == options
    assert choice.value in options


@pytest.mark.parametrize(("name", "holds"), [("raters.zip", "files"), ("Raters.XLSX", "sheets")])
def test_parts_of_one_kind_are_named_once_with_what_they_are_in_a_file(name, holds):
    parts = [
        {"file": f"{name} › {within}", "key": "tasks", "label": "Tasks"}
        for within in ["Ann", "Ben"]
    ]
    draft = Draft(files=[[name, "x", 10]], report={"parts": parts})

    [file] = files_shown(draft)

    assert file["parts"] == [{"label": "Tasks", "files": 2}]
    assert file["holds"] == holds
    assert file["is_read"]


def test_a_file_that_is_known_and_not_read_is_named():
    part = {"file": "config.xml", "key": "", "label": "The labelling interface"}
    draft = Draft(files=[["config.xml", "x", 10]], report={"parts": [part]})

    [file] = files_shown(draft)

    assert [part["label"] for part in file["parts"]] == ["The labelling interface"]
    assert not file["is_read"]


def test_columns_that_no_field_takes_are_named(lead, client):
    papers = SimpleUploadedFile("papers.csv", b"id,title,our_abstract,year\nc1,One,Text.,2001\n")

    client.post(PAGE, {"files": [papers]})

    assertContains(client.get(PAGE), "Kept as metadata, never shown to raters: our_abstract, year.")


def test_names_of_facets_are_asked_for_where_there_are_facets(lead, client):
    client.post(PAGE, {"files": tables()})
    assertContains(client.get(PAGE), "Facets with other names in the files")

    write_scheme(
        scheme=lead.collection.scheme, definition=load_definition("trec-graded"), by=lead.lena
    )

    assertNotContains(client.get(PAGE), "Facets with other names in the files")


def test_licence_and_citation_fill_empty_fields_when_ticked(lead, client):
    beside = SimpleUploadedFile(
        "ATTRIBUTION.txt",
        b"Ours\n\nSource   A. Person. https://example.org/x\nLicence  MIT\n",
    )
    Collection.objects.update(licence="", citation="", source="")
    client.post(PAGE, {"files": [*tables(), beside]})
    assertContains(client.get(PAGE), "Take these from ATTRIBUTION.txt")

    client.post(f"{PAGE}check/", {"credits": "yes"})
    client.post(f"{PAGE}start/")

    lead.collection.refresh_from_db()
    assert lead.collection.licence == "MIT"
    assert lead.collection.citation == "A. Person. https://example.org/x"


def test_a_zip_is_unpacked_and_its_unpacked_bytes_count(lead, client, settings):
    packed = zip_of({file.name: file.read() for file in tables()})
    client.post(PAGE, {"files": [SimpleUploadedFile("study.zip", packed)]})
    assertContains(client.get(PAGE), "No problems")

    settings.FACETWISE_MAX_UPLOAD = 3_000
    bomb = zip_of({"documents.csv": b"id,title,text\n" + b"x" * 10_000})
    client.post(PAGE, {"files": [SimpleUploadedFile("study.zip", bomb)]})

    assertContains(client.get(PAGE), "at most 3,000 are taken")


def test_templates_are_tables_that_are_recognised(lead, client):
    files = []
    for name in ["documents", "queries", "pool", "ratings"]:
        response = client.get(f"{PAGE}templates/{name}.csv")
        files.append(SimpleUploadedFile(f"{name}.csv", response.content))

    client.post(PAGE, {"files": files})

    report = Draft.objects.get().report
    assert report["problems"] == []
    assert report["counts"]["ratings"] == 1
    assert client.get(f"{PAGE}templates/secrets.csv").status_code == 404


def test_judgments_before_any_query_are_a_problem_of_the_dry_run(lead, client):
    qrels = SimpleUploadedFile("qrels.txt", b"q1 0 d1 1\nq1 0 d2 0\n")

    client.post(PAGE, {"files": [qrels]})

    assertContains(client.get(PAGE), "The collection has no queries yet")
    client.post(f"{PAGE}start/")
    assert not Import.objects.exists()


def test_a_csfcube_release_comes_in_by_the_same_page(lead, client):
    client.post(PAGE, {"files": chosen(Folder())})
    assertContains(client.get(PAGE), "Also import the ratings and adjudications")
    client.post(f"{PAGE}check/", {"ask:with_ratings": "yes"})

    client.post(f"{PAGE}start/")

    assert Pair.objects.exclude(gold_value=None).count() == 9
    assertContains(client.get(PAGE), "nobody rates them: textless")


@pytest.mark.parametrize("beside", [{}, {"bm25.run": b"0 Q0 1 1 2.5 bm25\n"}])
def test_a_doris_mae_file_comes_in_by_the_same_page(beside, transactional_db, client, eager_jobs):
    collection = make_collection("study", load_definition("doris-mae"))
    client.force_login(make_member(collection, "Lena", "lead").user)
    files = {"DORIS-MAE_dataset_v1.json": json.dumps(make_dataset()).encode()} | beside
    client.post(PAGE, {"files": [*map(SimpleUploadedFile, files, files.values())]})
    shown = {file["name"]: file for file in files_shown(Draft.objects.get())}
    assert [name for name in files if shown[name]["is_read"]] == ["DORIS-MAE_dataset_v1.json"]
    client.post(f"{PAGE}check/", {"ask:model": "gpt-3.5-turbo", "ask:run": "June"})

    client.post(f"{PAGE}start/")

    assert Pair.objects.count() == 9
    assert str(MachineRun.objects.get()) == "gpt-3.5-turbo, June"
    page = client.get(PAGE)
    assertContains(page, "9 ratings, 3 machine scores")
    assertContains(page, "Machine scores of gpt-3.5-turbo, June")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (pickle.dumps({}), "none of the files has a known format"),
        (b"\x89PNG\r\n", "none of the files has a known format"),
    ],
)
def test_what_is_of_no_known_format_is_reported(lead, client, data, sentence):
    client.post(PAGE, {"files": [SimpleUploadedFile("holiday.bin", data)]})

    problem = Draft.objects.get().report["problems"][0]
    assert sentence in problem["message"]
    assertContains(client.get(PAGE), "No known format")


@pytest.mark.parametrize("by_program", [False, True])
def test_an_import_of_nothing_new_whose_worker_dies_at_its_end_is_done_by_the_next(
    lead, client, monkeypatch, by_program
):
    client.post(PAGE, {"files": tables()})
    client.post(f"{PAGE}start/")
    client.post(PAGE, {"files": tables()})
    monkeypatch.setattr(actions, "send", lambda job: True)
    if by_program:
        drafts.discard(draft=Draft.objects.get())
        files = unattended.store(tables())
        job = unattended.start(collection=lead.collection, by=lead.lena, files=files, settings={})
    else:
        job = drafts.start_import(draft=Draft.objects.get(), by=lead.lena)

    with monkeypatch.context() as power:
        power.setattr(Run, "finish", lambda *_: sys.exit("killed"))
        with pytest.raises(SystemExit):
            run_job(job.public_id)
    Job.objects.filter(pk=job.pk).update(state="queued")
    run_job(job.public_id)

    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    assert job.result["message"].startswith("Everything in these files is in the collection")
    assert kept_files() == []


def test_a_lead_who_left_meanwhile_imports_nothing(lead, client):
    client.post(PAGE, {"files": tables()})
    member = lead.collection.memberships.get(user=lead.lena)
    member.is_lead, member.is_annotator = False, True
    member.save(update_fields=["is_lead", "is_annotator"])

    drafts.start_import(draft=Draft.objects.get(), by=lead.lena)

    job = Job.objects.latest("pk")
    assert (job.state, job.error) == ("failed", "You no longer lead this collection.")
    assert not Import.objects.exists()


def test_an_upload_above_the_limit_is_refused_before_it_is_read(lena, settings):
    settings.FACETWISE_MAX_UPLOAD = 1000

    response = lena.post(PAGE, {"files": chosen(Folder())})

    assertContains(response, "python manage.py import FORMAT", status_code=413)
    assert "_files" not in response.wsgi_request.__dict__  # the body was never parsed
    assert not Job.objects.exists()


def test_folder_of_many_files_comes_in_at_once_and_so_do_their_columns(lena):
    files = [SimpleUploadedFile(f"{number}.csv", b"id,text\n") for number in range(120)]

    assertRedirects(lena.post(PAGE, {"files": files}), PAGE)

    assert len(Draft.objects.get().files) == 120
    selects = {f"column-{number}": "" for number in range(1500)}
    assertRedirects(lena.post(f"{PAGE}check/", selects), PAGE)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ("DATA_UPLOAD_MAX_NUMBER_FILES", "More than 2,000 files were sent at once. Pack them"),
        ("DATA_UPLOAD_MAX_NUMBER_FIELDS", "More than 20,000 fields were sent at once. Send fewer"),
        (
            "DATA_UPLOAD_MAX_MEMORY_SIZE",
            "More than 2.5 MB were sent. Only data files may be larger.",
        ),
    ],
)
def test_request_that_is_too_much_to_read_is_refused_with_the_reason(
    lena, settings, limit, sentence
):
    setattr(settings, limit, 1)

    response = lena.post(PAGE, {"paths": "[]", "credits": "1", "files": chosen(Folder())})

    assertContains(response, sentence, status_code=400)
    assert not Draft.objects.exists()


@pytest.mark.parametrize("is_cleared", [False, True])
def test_files_that_meet_a_change_of_the_list_are_asked_for_again(lead, monkeypatch, is_cleared):
    """They would lie in a folder that the list does not name, or that is gone with it."""
    files, store = tables(), uploads.add
    if is_cleared:
        drafts.add_files(collection=lead.collection, by=lead.lena, files=files[:1])

    def store_late(*args, **options):
        added = store(*args, **options)
        monkeypatch.setattr(uploads, "add", store)
        if is_cleared:
            drafts.discard(draft=Draft.objects.get())
        else:
            drafts.add_files(collection=lead.collection, by=lead.lena, files=files[:1])
        return added

    monkeypatch.setattr(uploads, "add", store_late)

    with pytest.raises(Stale):
        drafts.add_files(collection=lead.collection, by=lead.lena, files=files[1:])

    assert [len(draft.files) for draft in Draft.objects.all()] == ([] if is_cleared else [1])


def test_no_files_at_all_is_reported(lena):
    assertContains(lena.post(PAGE, {}), "Choose files.", status_code=422)


def test_another_leads_files_are_their_own(lead, client):
    client.post(PAGE, {"files": tables()})
    client.force_login(make_member(lead.collection, "Nora", "lead").user)

    assertNotContains(client.get(PAGE), "ratings.csv</span>")
    client.post(f"{PAGE}start/")
    assert not Import.objects.exists()


def test_problems_that_quote_ratings_of_an_open_batch_are_hidden_from_its_annotators(lead, client):
    draft = Draft.objects.create(
        collection=lead.collection,
        created_by=lead.lena,
        token="00",
        report={"problems": [{"about": "q9_method"}, {"about": ""}], "problem_count": 2},
    )
    topic = make_topic(lead.collection, "q9", "method")
    nora = make_member(lead.collection, "Nora", "lead", "annotator")
    batches = make_batches(collection=lead.collection, by=lead.lena)
    assign_seat(seat=batches[0].seats.first(), member=nora, by=lead.lena)

    assert len(page.readable_problems(draft, lead.lena)) == 2
    assert page.readable_problems(draft, nora.user) == [{"about": ""}]
    assert topic.external_id == "q9_method"


def test_a_setting_that_no_database_keeps_is_refused(lead, client):
    client.post(PAGE, {"files": tables()})
    before = Draft.objects.get().settings

    response = client.post(f"{PAGE}check/", {"format": "a\x00b"})

    assertContains(response, "a NUL character", status_code=422)
    assert Draft.objects.get().settings == before


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "C:\\temp\\queries-release.csv", "a\x00b", "CON"]
)
def test_names_of_uploads_are_never_paths(name, settings):
    file = SimpleUploadedFile("x", b"data")
    file._name = name
    token = uploads.new_token()
    index = uploads.add(token, [file])

    with uploads.kept_files(token, index) as [(_, path)]:
        assert path.parent == settings.STATE_DIR / "uploads" / token
        assert path.read_bytes() == b"data"
    with pytest.raises(ValueError, match="no token"):
        uploads.discard("../" + token)


def test_lost_uploads_are_deleted_after_a_day(db, monkeypatch):
    token = uploads.new_token()
    index = uploads.add(token, [SimpleUploadedFile("x", b"data")])

    tidy()
    assert kept_files()

    monkeypatch.setattr(stores, "KEPT_SECONDS", -1)
    tidy()
    assert kept_files() == []
    with pytest.raises(FileNotFoundError), uploads.kept_files(token, index):
        pass


def test_uploads_stay_for_a_job_that_waits_for_a_worker(study, monkeypatch):
    """A worker tidies when it starts, before it does what waited for it."""
    file = SimpleUploadedFile("documents.csv", b"id,text\nd1,Why.\n")
    draft = drafts.add_files(collection=study.collection, by=study.lena, files=[file])
    drafts.check(draft=draft, by=study.lena)
    of_program = unattended.store([file])
    unattended.start(collection=study.collection, by=study.lena, files=of_program, settings={})
    monkeypatch.setattr(stores, "KEPT_SECONDS", -1)

    tidy()

    assert {name.partition("/")[0] for name in kept_files()} == {draft.token, of_program.token}
