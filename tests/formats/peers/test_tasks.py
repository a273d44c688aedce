"""What the exports of all tools have in common: tasks with a pair, and answers to them."""

import pytest

from formats.assemble import Assembly
from formats.files import open_files
from formats.peers.tasks import (
    Tasks,
    chosen_fields,
    columns_of,
    guess,
    identifier,
    made_id,
    named_by_number,
)
from formats.problems import Problems
from formats.reading import Column, Options, Part
from formats.records import Place, Study
from formats.strict import BadTextError

AT = Place("export.json", key="task 8")
TASK = {"qid": "q", "query": "What?", "docid": "d", "body": "So."}
FIELDS = {
    "query": "qid", "query_text": "query", "document": "docid", "text": "body",
    "grade": ["relevance"],
}  # fmt: skip


def tasks(fields=FIELDS, **options):
    study = Study("label-studio")
    return Tasks(Assembly(study, Options(judged_by="plain", **options)), fields, Place("e.json"))


def problems_of(these):
    return [str(problem) for problem in these.assembly.problems.first]


@pytest.fixture
def users(tmp_path):
    """The names in a list of these bytes, and its problems."""

    def read(data):
        (tmp_path / "Users.JSON").write_bytes(data)
        problems = Problems()
        with open_files([tmp_path]) as files:
            names = named_by_number(files, "users.json", "email", problems)
        return names, [str(problem) for problem in problems.first]

    return read


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (7, "7"),
        (0, "0"),
        (" ann@example.org ", "ann@example.org"),
        ({"id": 3, "email": "ann@example.org", "username": "ann"}, "ann@example.org"),
        ({"id": 3, "email": "", "username": "ann"}, "ann"),
        ({"id": 3}, "3"),
    ],
)
def test_who_rated_is_known_by_address_name_or_number(value, name):
    assert identifier(value) == name


@pytest.mark.parametrize("value", [None, "", {}, [], [7], True, False, {"email": ["a"]}])
def test_an_answer_of_nobody_is_refused(value):
    with pytest.raises(BadTextError, match="the rater is not named") as caught:
        identifier(value)

    assert caught.value.remedy == "Export with the annotators."


def test_people_are_named_by_a_list_beside_the_exports(users):
    data = b'[{"id": 1, "email": "ann@example.org"}, {"id": "2", "email": "ben@example.org"}]'

    assert users(data) == ({"1": "ann@example.org", "2": "ben@example.org"}, [])


@pytest.mark.parametrize(
    "data", [b"[]", b"{}", b"7", b'[7, {"id": 1}, {"email": "a"}, {"id": 1, "email": ""}]']
)
def test_what_names_nobody_in_such_a_list_is_passed_over(users, data):
    assert users(data) == ({}, [])


def test_a_list_of_people_may_begin_with_a_byte_order_mark(users):
    assert users(b'\xef\xbb\xbf[{"id": 1, "email": "ann"}]') == ({"1": "ann"}, [])


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'[{"id": }]', "Users.JSON, line 1, column 9: broken JSON: Expecting value."),
        (b'[{"id": 1, "email": "a\\u0000"}]', "Users.JSON: a NUL character (U+0000) at position 2"),
        (b'[{"id": 1, "email": "\\ud800"}]', "Users.JSON: half a character (lone surrogate U+D800"),
        (b'[{"id": 1, "email": "\xff"}]', "Users.JSON, line 1, byte 22: byte 0xff is not UTF-8."),
        (b'[{"id": 1, "email": {"a": 1}}]', "Users.JSON: an object; expected text or a number."),
    ],
)
def test_a_list_of_people_that_cannot_be_read_is_a_problem_of_it(users, data, problem):
    names, [told] = users(data)

    assert names == {}
    assert told.startswith(problem)


def test_a_text_without_id_has_one_that_is_the_same_for_the_same_text():
    assert made_id("query", "", "What?") == made_id("query", "", "What?")
    assert made_id("query", "", "What?").startswith("query-")
    assert len(made_id("document", "T", "é" * 1000)) == len("document-") + 12


def test_other_texts_have_other_ids_also_where_title_and_text_are_divided_elsewhere():
    texts = [("", "ab"), ("a", "b"), ("ab", ""), ("", "ab "), ("", "Ab")]

    assert len({made_id("query", *text) for text in texts}) == len(texts)


def test_no_text_has_no_id():
    assert made_id("query", "", "") == ""


def test_a_task_gives_a_topic_and_its_texts():
    these = tasks()

    document, topics = these.topics(TASK, AT)

    assert (document, topics) == ("d", {"relevance": "q"})
    assert these.assembly.queries["q"].record.text == "What?"
    assert these.assembly.study.documents["d"].text == "So."
    assert list(these.assembly.pool) == [("q", "q", "d")]


def test_each_of_several_controls_is_a_facet_unless_the_task_names_one():
    options = {"facets": ("method", "result")}
    these = Tasks(
        Assembly(Study("label-studio"), Options(**options)),
        FIELDS | {"grade": ["method", "result"], "facet": "facet"},
        Place("e.json"),
    )

    assert these.topics(TASK, AT)[1] == {"method": "q_method", "result": "q_result"}
    assert these.topics(TASK | {"facet": "result"}, AT)[1] == {"method": "q_result"}


def test_a_control_that_is_no_facet_of_the_scheme_gives_no_topic():
    these = Tasks(
        Assembly(Study("label-studio"), Options(facets=("method",))),
        FIELDS | {"grade": ["method", "mood"]},
        Place("e.json"),
    )

    assert these.topics(TASK, AT)[1] == {"method": "q_method"}
    assert problems_of(these) == [
        "export.json, task 8: the facet 'mood' is not in the scheme. The scheme has method; match "
        "the name with one of them."
    ]


def test_one_grade_is_a_rating_none_is_nothing_and_several_are_a_problem():
    these = tasks()

    for rater, literals in [("ann", ["2"]), ("ben", []), ("cat", ["1", "2"])]:
        these.answer("q", "d", rater, literals, note="so", time="now", place=AT)

    [rating] = these.assembly.ratings.values()
    assert rating == ("q", "d", "ann", "2", "", "so", "now", AT, "", "", 0)
    assert problems_of(these) == [
        "export.json, task 8: cat chose 2 grades at once (1, 2). A pair has one grade of each "
        "rater: correct it there, and export again."
    ]


@pytest.mark.parametrize(
    ("left_out", "labels"),
    [
        (["text"], ["document's text"]),
        (["grade"], ["grade"]),
        (["query", "query_text"], ["query"]),
        (["document", "text"], ["document", "document's text"]),
        (["query"], []),
        (["document"], []),
    ],
)
def test_what_no_field_of_the_tasks_is_must_be_matched(left_out, labels):
    these = tasks({key: column for key, column in FIELDS.items() if key not in left_out})

    assert these.is_matched is (labels == [])
    assert problems_of(these) == [
        f"e.json: no field of the tasks is the {label}. Match a field with it." for label in labels
    ]


def test_ids_that_are_made_of_texts_are_told():
    these = tasks({key: column for key, column in FIELDS.items() if key != "document"})

    assert these.assembly.study.notes == [
        "e.json: no field of the tasks is the id of a document, so the ids are made of the texts."
    ]
    assert these.pair(TASK, AT).document == made_id("document", "", "So.")


def test_first_values_of_a_field_leave_out_what_is_empty():
    columns = columns_of([{"a": "", "b": 0}, {"a": None, "c": []}, {"a": "x", "b": 1}] * 2)

    assert columns == (Column("a", ("x", "x")), Column("b", ("0", "1", "0")), Column("c"))


def test_controls_are_no_fields_of_the_pair():
    columns = [Column(name) for name in ("query_id", "query_text", "doc_id", "text", "note")]

    fields = guess(columns, ["text"], ["note", "remark"])

    assert fields["grade"] == ["text"]
    assert fields["note"] == "note"
    assert "text" not in fields
    assert guess(columns, ["grade"], [])["text"] == "text"


MATCHED = {"part": "tasks", "columns": {"query": "q"}}


@pytest.mark.parametrize(
    ("part", "choice", "fields"),
    [
        ("tasks", None, {"query": "guessed"}),
        ("", None, None),
        ("tasks", MATCHED, {"query": "q"}),
        ("", MATCHED, {"query": "q"}),
        ("tasks", {"part": ""}, None),
        ("tasks", {"part": "tasks"}, {}),
    ],
)
def test_a_file_is_read_as_it_was_matched_else_as_it_was_guessed(part, choice, fields):
    mapping = {} if choice is None else {"files": {"e.json": choice}}
    guessed = Part("e.json", part, "Tasks", (), {"query": "guessed"})

    assert chosen_fields(guessed, Options(mapping=mapping)) == fields
