"""Which files are exports of Label Studio, of what kind, and the tasks in them."""

import json

import pytest

from formats.files import open_files
from formats.peers import label_studio_entries as entries
from formats.peers.label_studio_entries import first_entries, kind_of, read_entries
from formats.strict import BadTextError

TASK = {"id": 1, "data": {"text": "So."}, "annotations": [{"completed_by": 7, "result": []}]}
BY_PERSON = {**TASK, "annotations": [{"completed_by": {"id": 7, "email": "ann@example.org"}}]}
SHORT = {"id": 1, "text": "So.", "annotation_id": 3, "annotator": 7}
COLUMNS = "annotation_id,annotator,lead_time,text"


@pytest.fixture
def file_of(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        with open_files([path]) as files:
            return files.all[0]

    return write


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.json", [TASK], "json"),
        ("a.json", TASK, "json"),
        ("a.jsonl", TASK, "json"),
        ("a", [TASK], "json"),
        ("a.json", [BY_PERSON], "snapshot"),
        # One of them names its person, so that the export does.
        ("a.json", [TASK | {"annotations": [*TASK["annotations"], *BY_PERSON["annotations"]]}],
         "snapshot"),
        ("a.json", [TASK | {"annotations": []}], "json"),
        ("a.json", [TASK | {"annotations": ["draft"]}], "json"),
        ("a.json", [SHORT], "min"),
        ("a.json", [{"annotation_id": 3, "annotator": 7}], "min"),
        ("a.csv", f"{COLUMNS}\n1,7,2.5,So.\n", "csv"),
        ("a.csv", "annotation_id,annotator,lead_time\n1,7,2.5\n", "csv"),
        ("a.csv", "annotation_id,annotator,text\n1,7,So.\n", ""),
        ("a.json", [{"id": 1, "data": {}, "completions": []}], "json"),
        ("a.json", [TASK | {"data": "So."}], ""),
        ("a.json", [{"id": 1, "data": {}}], ""),
        ("a.json", [{"annotator": 7}], ""),
        ("a.json", [[TASK]], ""),
        ("a.json", [], ""),
        ("a.json", "", ""),
        ("a.json", "{", ""),
        ("a.json", "[nothing]", ""),
        ("a.txt", json.dumps(TASK), ""),
        ("a.csv", "", ""),
    ],
)  # fmt: skip
def test_an_export_is_told_by_its_first_task(file_of, name, content, kind):
    assert kind_of(file_of(name, content)) == kind


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", [TASK, TASK]),
        ("a.json", "\ufeff" + json.dumps([TASK, TASK])),
        ("a.jsonl", "\n\n".join(map(json.dumps, [TASK, TASK]))),
        ("a.json", "\n".join(map(json.dumps, [TASK, TASK]))),
        ("a.json", [TASK, 7, TASK]),
    ],
)
def test_tasks_are_read_from_a_list_or_from_lines(file_of, name, content):
    assert list(read_entries(file_of(name, content), "json")) == [TASK, TASK]


def test_annotations_of_earlier_versions_are_called_as_today(file_of):
    earlier = {"id": 1, "data": {}, "completions": [{"result": []}]}
    both = earlier | {"annotations": []}

    read = list(read_entries(file_of("a.json", [earlier, both]), "json"))

    assert [task["annotations"] for task in read] == [[{"result": []}], []]


def test_rows_of_a_table_are_tasks(file_of):
    file = file_of("a.csv", f"{COLUMNS}\n1,7,2.5,So.\n")

    assert list(read_entries(file, "csv")) == [
        {"annotation_id": "1", "annotator": "7", "lead_time": "2.5", "text": "So."}
    ]


def test_an_object_that_is_no_task_of_people_is_not_read(file_of, monkeypatch):
    file = file_of("a.json", TASK)
    monkeypatch.setattr(entries, "MAX_TASK_BYTES", file.size)
    assert list(read_entries(file, "json")) == [TASK]

    monkeypatch.setattr(entries, "MAX_TASK_BYTES", file.size - 1)
    assert list(read_entries(file, "json")) == []


def test_the_first_tasks_are_those_before_one_that_cannot_be_read(file_of, monkeypatch):
    file = file_of("a.json", json.dumps([TASK, TASK])[:-1] + ", nothing]")

    assert first_entries(file, "json") == [TASK, TASK]
    with pytest.raises(BadTextError):
        list(read_entries(file, "json"))

    monkeypatch.setattr(entries, "SEEN_TASKS", 1)
    assert first_entries(file, "json") == [TASK]
