"""The import commands: what they say, and that nothing is made where they refuse."""

import io
import re
import sqlite3
from contextlib import closing

import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.models import MachineRun, Pair
from annotation.schemes.actions import load_definition
from audit.models import Event
from datasets.models import Collection, Document, Topic
from imports import life
from imports.run import survey
from manage import Commands
from tests.factories.csfcube import Folder
from tests.factories.doris_mae import make_dataset, write_dataset
from tests.factories.studies import make_collection, make_study, make_user


@pytest.fixture(autouse=True)
def quick(db, monkeypatch):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)


def call(*arguments, **options):
    """What a command says, on either stream."""
    printed = io.StringIO()
    try:
        call_command(*arguments, stdout=printed, stderr=printed, **options)
    except CommandError as error:
        return f"{printed.getvalue()}{error}"
    return printed.getvalue()


@pytest.fixture
def file(tmp_path):
    return write_dataset(make_dataset(), tmp_path)


@pytest.fixture
def folder(tmp_path):
    return Folder().write(tmp_path / "folder")


def test_a_file_makes_its_collection_with_the_fitting_scheme(file):
    printed = call("import_doris_mae", file, collection="moved", create="New")

    assert printed.splitlines() == [
        "Added 3 documents, 2 queries, 4 topics, 9 pairs, 9 ratings, 3 machine scores.",
        "Machine answers that could not be read as a score (-1), kept without a value: "
        "aspect a, abstract 20.",
        "The collection is new and has no lead yet: a site admin makes the link for its first lead "
        "on the page Collections.",
    ]
    assert Collection.objects.get().scheme.rule == "majority"


def test_a_folder_makes_its_collection_with_the_fitting_scheme(folder):
    printed = call("import_csfcube", folder, collection="moved", create="New", with_ratings=True)

    assert printed.startswith("Added ")
    assert (
        "Named in a pool but without text, kept as candidates without pairs: textless." in printed
    )
    assert Collection.objects.get().scheme.rule == "any_difference"


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_leaves_the_database_to_those_who_rate(folder, monkeypatch):
    """SQLite has one writer, which an open transaction is."""
    were_open = []

    def look(moving):
        were_open.append(connection.in_atomic_block)
        return survey(moving)

    make_collection("study", load_definition("csfcube"))
    monkeypatch.setattr("imports.command.survey", look)

    call("import", "csfcube", folder, collection="study", dry_run=True)

    assert were_open == [False]


@pytest.mark.sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_dry_run_that_makes_its_collection_does_so_too(folder, monkeypatch):
    database = connection.settings_dict["NAME"]
    looked_at = []

    def look(moving):
        looked_at.append(moving.collection.slug)
        with closing(sqlite3.connect(database, timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
            other.rollback()
        return survey(moving)

    monkeypatch.setattr("imports.command.survey", look)

    printed = call("import", "csfcube", folder, collection="moved", create="New", dry_run=True)

    assert looked_at == ["moved"]
    assert printed.startswith("Dry run: nothing was written.")
    assert not Collection.objects.exists()
    assert connection.settings_dict["NAME"] == database


def test_the_same_file_again_changes_nothing(file):
    call("import_doris_mae", file, collection="moved", create="New")

    printed = call("import_doris_mae", file, collection="moved")

    assert printed.startswith("Everything in these files is in the collection already.")
    assert Pair.objects.count() == 9


def test_the_run_and_the_account_are_named(file):
    ada = make_user("Ada")

    call(
        "import_doris_mae", file, collection="moved", create="New", by="Ada@example.org",
        model="gpt-3.5-turbo", run="June",
    )  # fmt: skip

    assert str(MachineRun.objects.get()) == "gpt-3.5-turbo, June"
    assert Event.objects.get(verb="import").actor == ada


def test_progress_is_reported_when_asked_for(file):
    printed = call("import_doris_mae", file, collection="moved", create="New", verbosity=2)

    assert "Reading the file" in printed
    assert "Writing" in printed


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"collection": "none"}, "There is no collection 'none'. Known: none."),
        ({"collection": "moved", "create": "New", "by": "x@y"}, "There is no account x@y."),
        ({"collection": "moved", "create": "New", "run": "x" * 121}, "have at most 120 characters"),
    ],
)
def test_what_cannot_be_done_is_reported(file, options, sentence):
    assert sentence in call("import_doris_mae", file, **options)
    assert not Document.objects.exists()


def test_a_file_that_is_not_there_makes_no_collection(tmp_path):
    path = tmp_path / "nowhere.json"

    assert (
        call("import_doris_mae", path, collection="moved", create="New") == f"{path} is not a file."
    )
    assert not Collection.objects.exists()


def test_a_folder_that_is_not_there_makes_no_collection(tmp_path):
    path = tmp_path / "nowhere"

    assert (
        call("import_csfcube", path, collection="moved", create="New") == f"{path} is not a folder."
    )
    assert not Collection.objects.exists()


def test_all_that_is_wrong_is_listed(tmp_path):
    dataset = make_dataset()
    dataset["Query"][1]["candidate_pool"].append(77)
    dataset["Test_set"][0]["abstract_id"] = 77
    path = write_dataset(dataset, tmp_path)

    printed = call("import_doris_mae", path, collection="moved", create="New").splitlines()

    assert len(printed) == 3
    assert printed[0].startswith("DORIS-MAE_dataset_v1.json, Query[1].candidate_pool: the pool of")
    assert printed[1].startswith(
        "DORIS-MAE_dataset_v1.json, Test_set[0]: the abstract 77 is not in"
    )
    assert printed[2].startswith("There are 2 problems with the input. Nothing was stored.")
    assert printed[2].endswith(" The new collection moved is empty.")


def test_a_collection_that_was_there_is_not_called_new(tmp_path):
    dataset = make_dataset()
    dataset["Query"][1]["candidate_pool"].append(77)
    path = write_dataset(dataset, tmp_path)
    call("import_doris_mae", path, collection="moved", create="New")

    printed = call("import_doris_mae", path, collection="moved", create="New").splitlines()

    assert printed[-1] == "There is 1 problem with the input. Nothing was stored."


def test_files_for_another_scheme_are_refused(file):
    make_study(slug="papers")

    assert "Import it into a collection with a scheme for aspects." in call(
        "import_doris_mae", file, collection="papers"
    )


TABLES = {
    "documents.csv": "id,text,year\nd1,One.,1999\n",
    "queries.csv": "id,text\nq1,What?\n",
    "answers.csv": "q,d,who,mark,took\nq1,d1,ann,1,7\n",
}


@pytest.fixture
def tables(tmp_path):
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_half_done_study_goes_on_where_its_other_answers_are_to_come(tables):
    (tables / "documents.csv").write_text("id,text\nd1,One.\nd2,Two.\n")
    (tables / "answers.csv").write_text("query,document,rater,grade\nq1,d1,a,1\nq1,d2,b,1\n")
    order = "import", "tables", str(tables)
    new = {"collection": "half", "create": "New", "scheme": "binary"}

    looked = call(*order, dry_run=True, **new)
    call(*order, answers_to_come=True, **new)

    assert "since others of the batch rated the pair: 2." in looked
    assert "Rated pairs with fewer ratings than the scheme asks for: 2." in looked
    pairs = Pair.objects.all()
    assert {pair.state for pair in pairs} == {"partial"}
    assert [pair.ratings.count() for pair in pairs] == [1, 1]
    assert all(pair.batch.seats.filter(holder=None).count() == 1 for pair in pairs)


def test_what_a_dry_run_leaves_out_is_named_once_and_counted(tables):
    (tables / "answers.csv").write_text("query,document,rater,grade\nq1,d1,a,1\n")
    (tables / "gold.csv").write_text(
        "query,document,grade,origin\nq1,d1,1,consensus\nq1,d2,1,consensus\n"
    )

    printed = call(
        "import", "tables", str(tables), collection="moved", create="New", scheme="binary",
        dry_run=True,
    )  # fmt: skip

    assert (
        "Left out: gold.csv, line 2, and 1 further: Gold by agreement: it follows from the ratings."
        "\nLeft out in all: 2."
    ) in printed


def test_what_is_no_grade_in_a_file_may_mean_that_a_pair_cannot_be_judged(tables):
    (tables / "answers.csv").write_text("query,document,rater,grade\nq1,d1,a,1\nq1,d1,b,n/a\n")
    order = "import", "tables", str(tables)
    new = {"collection": "skipped", "create": "New", "scheme": "binary"}

    refused = call(*order, **new)
    looked = call(*order, grade=["n/a=cannot-judge"], dry_run=True, **new)
    call(*order, grade=["n/a=cannot-judge"], **new)
    again = call(*order, grade=["n/a=cannot-judge"], **new)

    assert 'the grade "n/a" here is not on the scale' in refused
    assert "n/a means “cannot judge”: 1" in looked
    ratings = Pair.objects.get().ratings.order_by("seat__ordinal")
    assert [(rating.option and rating.option.value, rating.cannot_judge) for rating in ratings] == [
        (1, ""),
        (None, "n/a"),
    ]
    assert Pair.objects.get().state == "disputed"
    assert again.startswith("Everything in these files is in the collection already.")


def test_a_grade_is_matched_with_an_option_that_there_is(tables):
    printed = call(
        "import", "tables", str(tables), collection="moved", create="New", scheme="binary",
        grade=["50 %=1"],
    )  # fmt: skip

    assert "There is no option 1 for 50 %. Options: " in printed
    assert "not-relevant, relevant, cannot-judge." in printed
    assert not Pair.objects.exists()


def test_a_table_that_is_not_recognised_is_matched_by_its_part_and_columns(tables):
    columns = ["query=q", "document=d", "rater=who", "grade=mark"]

    printed = call(
        "import", "tables", str(tables), collection="moved", create="New", scheme="binary",
        part=["answers.csv=ratings"], column=[f"answers.csv:{column}" for column in columns],
        dry_run=True,
    )  # fmt: skip

    assert printed.splitlines()[:3] == [
        "answers.csv is ratings: query from q, document from d, rater from who, grade from mark; "
        "not read: took.",
        "documents.csv is documents: id from id, text from text; kept as metadata: year.",
        "queries.csv is queries: id from id, text from text.",
    ]
    assert "1 document, 1 query, 1 topic, 1 pair, 1 rating would be added." in printed


def test_a_sheet_is_named_by_its_title_where_one_sheet_alone_has_it(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Papers"
    book.active.append(["Nr", "Abstract"])
    book.active.append(["d1", "Some text."])
    book.save(tmp_path / "a.xlsx")
    order = "import", "tables", str(tmp_path)
    new = {"collection": "moved", "create": "New", "scheme": "binary", "dry_run": True}
    choices = {
        "part": ["Papers=documents"],
        "column": ["Papers:id=Nr", "a.xlsx \u203a Papers:text=Abstract"],
    }

    printed = call(*order, **new, **choices)
    book.save(tmp_path / "b.xlsx")
    unclear = call(*order, **new, **choices)

    assert "a.xlsx \u203a Papers is documents: id from Nr, text from Abstract." in printed
    assert unclear.startswith(
        "There is no file Papers to match. Known: a.xlsx \u203a Papers, b.xlsx \u203a Papers."
    )


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("answers.csv=", "Added 1 document, 1 query, 1 topic."),
        ("answers.csv=marks", "There is no part marks for answers.csv. Parts: documents, queries"),
        ("none.csv=pool", "There is no file none.csv to match. Known: answers.csv, documents.csv"),
    ],
)
def test_a_file_can_be_left_out_and_a_part_must_be_one(tables, part, sentence):
    printed = call(
        "import", "tables", str(tables), collection="moved", create="New", scheme="binary",
        part=[part],
    )  # fmt: skip

    assert sentence in printed


def test_files_of_another_format_are_refused_with_the_formats_they_may_be(tables):
    printed = call("import", "beir", str(tables), collection="moved", create="New", scheme="binary")

    assert printed.startswith(
        "answers.csv, documents.csv, queries.csv: nothing of the format beir was recognised. "
        "Formats that these files may be: tables."
    )
    assert not Document.objects.exists()


def test_facets_with_other_names_in_the_files_are_matched(tmp_path):
    (tmp_path / "documents.csv").write_text("id,text\nd1,One.\n")
    (tmp_path / "queries.csv").write_text("id,text\nq,What?\n")
    (tmp_path / "ratings.csv").write_text("query,facet,document,rater,grade\nq,How,d1,ann,1\n")
    arguments = ["import", "tables", str(tmp_path)]
    options = {"collection": "moved", "create": "New", "scheme": "csfcube"}

    refused = call(*arguments, facet=["How=way"], **options)
    call(*arguments, facet=["How=method"], **options)

    assert "There is no facet way for How. Facets: background, method, result." in refused
    assert [topic.external_id for topic in Topic.objects.all()] == ["q_method"]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("other.qrels", "q1_method 0 q1c1 {}\n", "other judgments with the key 'other.qrels'"),
        ("a.run", "q1_method Q0 q1c1 1 {} a\n", "a has another run a of topics already."),
    ],
)
def test_a_dry_run_refuses_other_runs_and_judgments_under_a_name_that_is_taken(
    tmp_path, name, text, sentence
):
    collection = make_study().collection
    command = ["import", "trec", str(tmp_path)]
    path = tmp_path / name
    path.write_text(text.format(1))
    call(*command, collection=collection.slug)
    path.write_text(text.format(1).replace(" ", "  "))
    again = call(*command, collection=collection.slug, dry_run=True)
    path.write_text(text.format(2) + text.format(1).replace("q1c1", "q1c2"))

    printed = call(*command, collection=collection.slug, dry_run=True)

    assert "Nothing would be added." in again
    assert sentence in printed


def test_a_dry_run_counts_documents_of_runs_that_nobody_knows(tmp_path):
    command = {"collection": make_study().collection.slug, "dry_run": True}
    path = tmp_path / "a.run"

    path.write_text("q1_method Q0 q1c1 1 2 a\nq1_method Q0 x1 2 1 a\n")
    some_known = call("import", "trec", str(tmp_path), **command)
    path.write_text("q1_method Q0 x1 1 1 a\n")
    none_known = call("import", "trec", str(tmp_path), **command)

    assert (
        "1 of 2 lines (50%) ranks a document that the collection does not have: x1." in some_known
    )
    assert "None of its documents is one of the collection" in none_known


def test_a_column_for_each_rater_is_matched_by_naming_each(tables):
    (tables / "answers.csv").write_text("query,docid,Doug,Eric\nq1,d1,1,0\n")
    command = ["import", "tables", str(tables)]
    columns = [f"answers.csv:grades={name}" for name in ("Doug", "Eric")]

    printed = call(
        *command, collection="moved", create="New", scheme="binary", part=["answers.csv=ratings"],
        column=columns,
    )  # fmt: skip

    assert "1 pair, 2 ratings" in printed


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ("answers.csv:raters=who", "There is no field raters in answers.csv. Known: query, topic,"),
        ("answers.csv:rater=whom", "no column whom in answers.csv. Known: q, d, who, mark, took."),
    ],
)
def test_a_field_or_column_that_is_not_there_is_refused(tables, column, sentence):
    printed = call(
        "import", "tables", str(tables), collection="moved", create="New", scheme="binary",
        part=["answers.csv=ratings"], column=[column],
    )  # fmt: skip

    assert sentence in printed


def test_the_same_files_read_otherwise_are_compared_again(tables):
    (tables / "answers.csv").write_text("query,doc,rater,mark,grade\nq1,d1,ann,0,\n")
    command = ["import", "tables", str(tables)]
    options = {"collection": "moved", "create": "New", "scheme": "binary"}

    call(*command, **options)
    printed = call(*command, column=["answers.csv:grade=mark"], **options)

    assert "Added 1 pair, 1 rating." in printed


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere"],
        [".", "--by", "nobody@example.org"],
        [".", "--set", "with_ratings"],
        [".", "--set", "with_ratings=yes"],
        [".", "--create", "New", "--scheme", "unheard-of"],
    ],
)
def test_a_wrong_argument_ends_with_two_and_a_refusal_with_one(arguments, tmp_path):
    def code(*arguments):
        with pytest.raises(CommandError) as ending:
            call_command("import", "tables", *arguments, "--collection", "moved")
        return ending.value.returncode

    (tmp_path / "pool.csv").write_text("no,known,columns\n")

    assert code(*arguments) == 2
    assert code(str(tmp_path), "--create", "New", "--scheme", "trec-graded") == 1


def test_a_command_that_fails_says_its_sentence_alone(capsys):
    words = ["import_csfcube", "nowhere", "--collection", "moved", "--skip-checks"]
    command = Commands().fetch_command(words[0])
    options = vars(command.create_parser("manage.py", words[0]).parse_args(words[1:]))

    with pytest.raises(SystemExit) as ending:
        command.execute(**options)

    assert ending.value.code == 2
    assert capsys.readouterr().err == "nowhere is not a folder.\n"


@pytest.mark.parametrize(
    ("export_format", "setting", "sentence"),
    [
        ("csfcube", "with_rating=yes", "csfcube has no setting with_rating; it has with_ratings."),
        ("csfcube", "with_ratings=please", "with_ratings is 'please'; expected yes or no."),
        ("beir", "pools=no", "beir has no setting pools; it has none."),
    ],
)
def test_a_setting_that_the_format_does_not_have_is_refused(export_format, setting, sentence):
    with pytest.raises(CommandError, match=re.escape(sentence)):
        call_command("import", export_format, ".", "--collection", "moved", "--set", setting)


def test_the_value_of_a_setting_may_hold_an_equals_sign(tmp_path):
    path = write_dataset(make_dataset(), tmp_path)

    call(
        *("import", "doris-mae", str(path), "--collection", "moved", "--create", "Moved"),
        *("--set", "model=some model", "--set", "run=temperature=0"),
    )

    assert MachineRun.objects.get().name == "temperature=0"
