"""Forms of the tools' exports that other versions and settings give: the same ratings come out."""

import csv
import io
import json

import pytest

from formats.files import open_files
from formats.peers.tasks import columns_of
from formats.problems import BadInputError
from formats.reading import Column, Options
from tests.formats.registered import reader_of, recognise

PAIR = {
    "query_id": "q1", "query_text": "What?", "facet": "method", "candidate_id": "d1",
    "candidate_title": "A title", "candidate_abstract": "How it is done.",
}  # fmt: skip
TASK = {
    "id": 1,
    "data": PAIR,
    "annotations": [
        {
            "completed_by": 7,
            "result": [
                {"from_name": "relevance", "type": "choices", "value": {"choices": ["2 Similar"]}}
            ],
        }
    ],
}
DOCCANO = {"id": 1, "text": "x", "label": ["2 Similar"], "Comments": ["so", "so"], **PAIR}
DATA = {"id": "i1", "text": "x", **PAIR}
STATE = "annotation_output/ann/user_state.json"


def lines(*rows):
    return "\n".join(map(json.dumps, rows))


def table(row, delimiter=","):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerows([row.keys(), row.values()])
    return out.getvalue()


def read(folder, files):
    """(format, what was rated) of files by name."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with open_files([folder]) as opened:
        recognition = recognise(opened)[0]
        reader = reader_of(recognition)
        study = reader.read(opened, Options(facets=("method",)))
        assert study.fingerprint == opened.fingerprint
        return recognition.format, study


def ratings_in(study):
    return [(rating.topic, rating.document, rating.rater, rating.grade) for rating in study.ratings]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tasks.jsonl", lines(TASK)),
        ("tasks.json", "\ufeff" + json.dumps([TASK])),
        ("0.json", json.dumps(TASK, indent=2)),
        ("0.json", "\ufeff" + json.dumps(TASK)),
        ("tasks.json", lines(TASK, {**TASK, "id": 2, "annotations": []})),
        (
            "tasks.json",
            json.dumps([{"id": 1, "data": PAIR, "completions": TASK["annotations"]}]),
        ),
    ],
    ids=[
        "a task in each line",
        "byte order mark",
        "one task",
        "one with a mark",
        "lines called json",
        "version 0",
    ],
)
def test_label_studio(tmp_path, name, text):
    form, study = read(tmp_path, {name: text})

    assert form == "label-studio"
    assert ratings_in(study) == [("q1_method", "d1", "7", "2 Similar")]


@pytest.mark.parametrize(
    ("name", "text", "note"),
    [
        ("ann.json", json.dumps([DOCCANO]), "so\nso"),
        ("ann.csv", table(DOCCANO | {"label": "2 Similar", "Comments": "so#so"}), "so\nso"),
        (
            "ann.jsonl",
            lines({"id": 1, "text": "x", "labels": ["2 Similar"], "meta": PAIR, "Comments": []}),
            "",
        ),
    ],
    ids=["json", "csv", "earlier version"],
)
def test_doccano(tmp_path, name, text, note):
    form, study = read(tmp_path, {name: text})

    assert form == "doccano"
    assert ratings_in(study) == [("q1_method", "d1", "ann", "2 Similar")]
    assert [rating.note for rating in study.ratings] == [note]


def test_labels_of_doccano_by_number_belong_to_its_export(tmp_path):
    (tmp_path / "all.jsonl").write_text(lines(NUMBERED))
    (tmp_path / "label_config.json").write_text("[]")

    with open_files([tmp_path]) as opened:
        recognition = recognise(opened)[0]

    assert recognition.along == ("label_config.json",)
    assert [part.file for part in recognition.parts] == ["all.jsonl"]


@pytest.mark.parametrize("changed", ["2026-02-02T00:00:00Z", ""])
def test_a_rating_of_label_studio_is_of_the_time_when_it_was_last_changed(tmp_path, changed):
    made = "2026-01-01T00:00:00Z"
    task = {"id": 1, "annotator": 7, "annotation_id": 3, "relevance": "2 Similar", **PAIR}
    times = {"created_at": made, "updated_at": changed, "lead_time": 2.5}

    form, study = read(tmp_path, {"project-1.json": json.dumps([task | times])})

    assert form == "label-studio"
    assert [rating.time for rating in study.ratings] == [changed or made]


def test_fields_of_tasks_are_shown_with_their_first_values_cut_to_a_line():
    tasks = [{"a": "x" * 80, "b": None}, {"a": "y" * 81}, {"a": 5}, {"a": "more"}]

    assert columns_of(tasks) == (
        Column("a", ("x" * 80, "y" * 79 + "…", "5")), Column("b", ()),
    )  # fmt: skip


@pytest.mark.parametrize(("names", "people"), [(["ann"], "1 person"), (["ann", "ben"], "2 people")])
def test_a_study_of_potato_is_named_with_the_number_of_its_people(tmp_path, names, people):
    entries = [[{"schema": "relevance", "name": "2 Similar"}, "true"]]
    state = json.dumps({"instance_id_to_label_to_value": {"i1": entries}})
    files = {"data/pairs.jsonl": lines(DATA)}
    files |= {f"annotation_output/{name}/user_state.json": state for name in names}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    with open_files([tmp_path]) as opened:
        [recognition, *_] = recognise(opened)

    assert recognition.sentence == f"A study of Potato ({people})."


def test_the_labelling_interface_of_label_studio_is_known_and_not_read(tmp_path):
    (tmp_path / "tasks.json").write_text(json.dumps([TASK]))
    (tmp_path / "config.xml").write_text('<View><Choices name="relevance"/></View>')

    with open_files([tmp_path]) as opened:
        [recognition, *_] = recognise(opened)

    assert [(part.file, part.key) for part in recognition.parts] == [
        ("tasks.json", "tasks"),
        ("config.xml", ""),
    ]


NUMBERED = {
    "id": 1, "text": "x", "meta": PAIR, "annotation_approver": None,
    "annotations": [{"label": 4, "user": 7}, {"label": 3, "user": 8}],
}  # fmt: skip


def test_labels_of_doccano_by_number_are_read_with_their_names(tmp_path):
    names = [{"id": 3, "text": "1 Related"}, {"id": 4, "text": "2 Similar"}]
    rows = [NUMBERED, NUMBERED | {"id": 2, "annotations": []}]

    form, study = read(
        tmp_path, {"all.jsonl": lines(*rows), "label_config.json": json.dumps(names)}
    )

    assert form == "doccano"
    assert ratings_in(study) == [
        ("q1_method", "d1", "7", "2 Similar"),
        ("q1_method", "d1", "8", "1 Related"),
    ]


def test_labels_of_doccano_by_number_alone_are_refused(tmp_path):
    with pytest.raises(BadInputError) as caught:
        read(tmp_path, {"all.jsonl": lines(NUMBERED)})

    [problem] = caught.value.problems
    assert problem.message == "its labels are numbers, and nothing says what they mean."


def test_marked_parts_of_a_text_are_no_labels_of_doccano(tmp_path):
    row = {"id": "d1", "text": "x", "annotations": [{"label": 4, "user": 7, "start_offset": 0}]}

    assert read(tmp_path, {"documents.jsonl": lines(row)})[0] == "tables"


def test_a_document_with_labels_is_none_of_doccano(tmp_path):
    row = {"id": "d1", "text": "x", "labels": ["method_label"]}

    assert read(tmp_path, {"documents.jsonl": lines(row)})[0] == "tables"


@pytest.mark.parametrize(
    ("files", "grade"),
    [
        (
            {"ann/annotated_instances.jsonl": lines(
                {"id": "i1", "label_annotations": {"relevance": {"scale_2": "2"}}}
            )},
            "2",
        ),
        (
            {"annotated_instances.jsonl": lines({
                "user": "ann", "instance_id": "i1",
                "label_annotations": {"relevance": {"2 Similar": "2 Similar"}},
            })},
            "2 Similar",
        ),
        (
            {"annotated_instances.tsv": table(
                {"user": "ann", "instance_id": "i1", "relevance:::1 Related": "",
                 "relevance:::2 Similar": "2 Similar"}, "\t",
            )},
            "2 Similar",
        ),
    ],
    ids=["Potato 1, a file for each person", "Potato 1, one file", "Potato 1, TSV"],
)  # fmt: skip
def test_potato(tmp_path, files, grade):
    form, study = read(tmp_path, {"data/pairs.json": lines(DATA, DATA | {"id": "i2"}), **files})

    assert form == "potato"
    assert ratings_in(study) == [("q1_method", "d1", "ann", grade)]


@pytest.mark.parametrize(
    ("answers", "grade"),
    [
        ({"slider": "3"}, "3"),
        ({"scale_2": "2"}, "2"),
        ({"1 Related": "false", "2 Similar": "true"}, "2 Similar"),
    ],
    ids=["slider", "step of a scale", "boxes"],
)
def test_a_grade_of_potato_is_its_value_where_the_name_is_the_control(tmp_path, answers, grade):
    entries = [[{"schema": "relevance", "name": name}, value] for name, value in answers.items()]
    state = {"user_id": "ann", "instance_id_to_label_to_value": {"i1": entries}}

    _, study = read(tmp_path, {"data/pairs.jsonl": lines(DATA), STATE: json.dumps(state)})

    assert [rating.grade for rating in study.ratings] == [grade]


# --- tasks that hold texts without ids ---


def with_data(data):
    return {**TASK, "data": data}


def test_ids_are_made_of_texts_where_a_task_has_none(tmp_path):
    query = {"query": "How is it done?", "facet": "method"}
    tasks = [
        {**with_data(query | {"document": text}), "id": number}
        for number, text in enumerate(["It is done so.", "Not at all.", "It is done so."])
    ]

    form, study = read(tmp_path, {"tasks.json": json.dumps(tasks[:2])})
    _, again = read(tmp_path / "again", {"tasks.json": json.dumps(tasks[1:])})

    [stored] = study.queries
    documents = {document.text: document.id for document in study.documents}
    assert form == "label-studio"
    assert stored.text == "How is it done?"
    assert set(documents) == {"It is done so.", "Not at all."}
    assert {(topic, document) for topic, document, _, _ in ratings_in(study)} == {
        (f"{stored.id}_method", document) for document in documents.values()
    }
    assert sorted(ratings_in(study)) == sorted(ratings_in(again))
    assert any("ids are made of the texts" in note for note in study.notes)


def test_ids_are_made_by_title_and_text_together(tmp_path):
    pair = {"query_id": "q1", "query_text": "What?", "facet": "method"}
    tasks = [
        {**with_data(pair | {"title": title, "text": "The same."}), "id": number}
        for number, title in enumerate(["One", "Another"])
    ]

    _, study = read(tmp_path, {"tasks.json": json.dumps(tasks)})

    assert len({document.id for document in study.documents}) == 2
    assert [query.id for query in study.queries] == ["q1"]


def test_an_id_that_some_tasks_lack_is_not_made_up(tmp_path):
    tasks = [TASK, {**with_data(PAIR | {"candidate_id": ""}), "id": 2}]

    with pytest.raises(BadInputError):
        read(tmp_path, {"tasks.json": json.dumps(tasks)})


def test_ids_of_two_words_are_texts_and_one_word_is_an_id(tmp_path):
    named = PAIR | {"query": "q1", "document": "d1"}
    del named["query_id"], named["candidate_id"]

    _, study = read(tmp_path, {"tasks.json": json.dumps([with_data(named)])})

    assert ratings_in(study) == [("q1_method", "d1", "7", "2 Similar")]


# --- which files are exports, and what is read of them ---


def form_of(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    with open_files([folder]) as opened:
        recognitions = recognise(opened)
    return recognitions[0] if recognitions else None


@pytest.mark.parametrize(
    ("name", "text", "is_one"),
    [
        ("ann__jsonl", lines(DOCCANO), True),
        ("ann__json", json.dumps([DOCCANO]), True),
        ("ann__csv", "id,text,label,Comments\n1,x,2,\n", True),
        ("ann__csv", "id,text,label,Comments,query_id\n1,x,2,,q\n", True),
        ("ann__csv", "id,text,label\n1,x,2\n", False),
        ("ann__jsonl", lines(DOCCANO, DOCCANO | {"label": "2"}), False),
        ("ann__jsonl", lines(DOCCANO, {"id": 2, "label": []}), False),
        ("ann__jsonl", lines(DOCCANO | {"label": "2"}), False),
        ("ann__txt", lines(DOCCANO), False),
    ],
)
def test_an_export_of_doccano_has_a_list_of_labels_in_each_row(tmp_path, name, text, is_one):
    recognition = form_of(tmp_path, **{name: text})

    assert (recognition is not None and recognition.format == "doccano") is is_one


def test_a_member_without_labels_has_an_empty_file_that_is_not_named(tmp_path):
    recognition = form_of(
        tmp_path, ann__jsonl=lines(DOCCANO), ben__jsonl=lines(DOCCANO), cat__jsonl="\n"
    )

    assert recognition.sentence == "An export of doccano (ann.jsonl, ben.jsonl)."


MIN = {"id": 1, "annotation_id": 3, "annotator": 7, "created_at": "2026-01-31", "lead_time": 2.5}


@pytest.mark.parametrize(
    ("fields", "grade", "note"),
    [
        ({"relevance": "2", "note": "so"}, ["relevance"], "note"),
        ({"label": "2", "Comments": "so"}, ["label"], "Comments"),
        ({"Rating": [{"rating": 2}], "mood": "good"}, ["Rating"], None),
        # Nothing is called as a grade is: whatever has few values may be one.
        ({"fits": "2"}, ["fits"], None),
    ],
)
def test_controls_of_a_flat_export_are_known_by_their_names_and_values(
    tmp_path, fields, grade, note
):
    recognition = form_of(tmp_path, tasks__json=json.dumps([MIN | PAIR | fields]))

    guess = recognition.parts[0].guess
    assert (guess["grade"], guess.get("note")) == (grade, note)


def test_a_control_of_many_values_is_no_grade(tmp_path):
    def tasks(count):
        return json.dumps(
            [MIN | PAIR | {"fits": "2", "words": f"w{number}"} for number in range(count)]
        )

    assert form_of(tmp_path, tasks__json=tasks(20)).parts[0].guess["grade"] == ["fits", "words"]
    assert form_of(tmp_path, tasks__json=tasks(21)).parts[0].guess["grade"] == ["fits"]


def test_a_list_of_users_belongs_to_the_export_whatever_its_case(tmp_path):
    recognition = form_of(tmp_path, tasks__json=json.dumps([TASK]), Users__json="[]")

    assert recognition.along == ("Users.json",)


@pytest.mark.parametrize(
    ("value", "grades"),
    [
        ("2 Similar", ["2 Similar"]),
        ([{"rating": 2}], ["2"]),
        ({"choices": ["2"]}, ["2"]),
        ('{"choices": ["2"]}', ["2"]),
        ('[{"number": 1.5}]', ["1.5"]),
        (["2"], ["2"]),
        ("", []),
        (None, []),
        ([{"rectangle": 1}], []),
    ],
)
def test_a_grade_of_a_flat_export_is_a_text_or_a_result(tmp_path, value, grades):
    others = MIN | PAIR | {"annotator": 8, "relevance": "1"}
    tasks = [MIN | PAIR | {"relevance": value}, others]

    _, study = read(tmp_path, {"tasks.json": json.dumps(tasks)})

    given = [rating.grade for rating in study.ratings if rating.rater == "7" and rating.grade]
    assert given == grades


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"ann.jsonl": lines(DOCCANO | {"label": [[0, 3, "x"]]})},
         "ann.jsonl, line 1: the label is a list, or of parts of the text. Only labels of whole "
         "documents are read."),
        ({"all.jsonl": lines({"id": 1, "text": "x", **PAIR, "annotations": [
            {"label": 3, "user": 1}, {"label": 4, "user": 2}]}),
          "label_config.json": json.dumps([{"id": 3, "text": "2 Similar"}])},
         "all.jsonl, line 1: the label number '4' has no name in label_config.json. Export the "
         "labels again."),
        ({"ann.jsonl": lines(DOCCANO | {"label": ["1", "2"]})},
         "ann.jsonl, line 1: ann chose 2 grades at once (1, 2)."),
    ],
)  # fmt: skip
def test_a_label_of_doccano_that_is_no_grade_is_told_with_its_line(tmp_path, files, problem):
    with pytest.raises(BadInputError) as caught:
        read(tmp_path, files)

    assert str(caught.value.problems[0]).startswith(problem)
