"""Tables of judgments made elsewhere: what they are about, and their literals."""

import pytest

from formats.assemble import Assembly
from formats.files import open_files
from formats.reading import Options
from formats.records import Study
from formats.tables.cells import Mapped
from formats.tables.judgments import read_judgments
from formats.tables.opening import open_tables

FACETS = {"judged_by": "facets", "facets": ("background", "method")}


@pytest.fixture
def judged(tmp_path):
    """What is read of a table whose columns are called as our fields."""

    def read(text, *, name="NIST 2026.csv", settings=(), **options):
        (tmp_path / name).write_text(text)
        assembly = Assembly(Study("tables"), Options(**{"judged_by": "plain"} | options))
        with open_files([tmp_path / name]) as files:
            [table] = open_tables(files.all[0])
            columns = {column: column for column in table.columns}
            read_judgments(Mapped(table, "judgments", columns, dict(settings)), assembly)
        [judgments] = assembly.study.judgments
        return judgments, [str(problem) for problem in assembly.problems.first]

    return read


def test_grades_are_kept_exactly_as_they_are_written(judged):
    judgments, problems = judged(
        'query,document,grade,size\nq,d, 1.50 ,3\nq,e,very relevant,\nr,d,"0,5",2.0\n'
    )

    assert problems == []
    assert [judgment[:4] for judgment in judgments.judgments] == [
        ("q", "d", " 1.50 ", "3"), ("q", "e", "very relevant", ""), ("r", "d", "0,5", "2.0"),
    ]  # fmt: skip
    assert str(judgments.judgments[1].place) == "NIST 2026.csv, line 3"


@pytest.mark.parametrize(
    ("settings", "name"), [({}, "nist 2026"), ({"name": ""}, "nist 2026"), ({"name": "Of"}, "Of")]
)
def test_a_set_is_called_as_it_was_matched_else_after_its_file(judged, settings, name):
    judgments, _ = judged("query,document,grade\nq,d,1\n", settings=settings)

    assert (judgments.name, judgments.file, len(judgments.sha256)) == (name, "NIST 2026.csv", 64)


@pytest.mark.parametrize(
    ("header", "options", "settings", "level"),
    [
        ("query,document,grade", {}, {}, "topic"),
        ("query,document,grade", FACETS, {}, "query"),
        ("query,document,grade", {"judged_by": "aspects"}, {}, "query"),
        ("topic,document,grade", {"judged_by": "aspects"}, {}, "topic"),
        ("query,facet,document,grade", FACETS, {}, "topic"),
        ("query,document,grade", FACETS, {"level": "topic"}, "topic"),
        ("query,facet,document,grade", FACETS, {"level": "query"}, "query"),
        ("query,document,grade", FACETS, {"level": "other"}, "query"),
    ],
)
def test_judgments_are_about_topics_or_queries_by_their_columns_or_as_matched(
    judged, header, options, settings, level
):
    row = ",".join({"grade": "1"}.get(column, column) for column in header.split(","))

    judgments, _ = judged(f"{header}\n{row}\n", settings=settings, **options)

    assert judgments.level == level


def test_under_facets_a_topic_is_called_after_both_and_an_aspect_after_itself(judged):
    text = "query,facet,document,grade\nq, method ,d,1\n"

    assert judged(text, **FACETS)[0].judgments[0].subject == "q_method"
    assert judged(text, judged_by="aspects")[0].judgments[0].subject == "method"
    assert judged("topic,query,document,grade\nt,q,d,1\n")[0].judgments[0].subject == "t"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("q,e,", "line 3: there is no grade. Leave the row out: an unjudged document has no row."),
        ("q,e,  ", "line 3: there is no grade. Leave the row out: an unjudged document has no"),
        (",e,1", "line 3, column query: there is no query. Fill the cell in each row"),
        ("q,,1", "line 3, column document: there is no document. Fill the cell in each row"),
        ("q,a b,1", "line 3, column document: the identifier 'a b' has white space"),
        ("q,d,1", "line 3: the document d is judged for q in line 2 already. Keep one of the two. "
         "Of several people or models, give each a file, or call the column with their names "
         "rater."),
        ("q,d", "line 3: 2 cells; expected 3."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_row_and_the_others_are_read(judged, row, problem):
    judgments, [told] = judged(f"query,document,grade\nq,d,1\n{row}\n")

    assert told.startswith(f"NIST 2026.csv, {problem}")
    assert [judgment[:3] for judgment in judgments.judgments] == [("q", "d", "1")]


def test_the_same_document_under_two_facets_is_judged_twice(judged):
    judgments, problems = judged(
        "query,facet,document,grade\nq,method,d,1\nq,background,d,1\n", **FACETS
    )

    assert (len(judgments.judgments), problems) == (2, [])


def test_a_facet_is_read_as_elsewhere(judged):
    judgments, problems = judged(
        "query,facet,document,grade\nq, Method ,d,1\nq,Grundlage,d,2\nq,mood,d,1\n",
        mapping={"facets": {"Grundlage": "background"}},
        **FACETS,
    )

    assert [judgment.subject for judgment in judgments.judgments] == ["q_method", "q_background"]
    assert problems[0].startswith("NIST 2026.csv, line 4, column facet: the facet 'mood' is not")
