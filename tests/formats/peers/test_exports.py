"""Real exports of three tools over the same forty pairs: the same ratings come out of each."""

import csv
import json

import pytest

from formats.files import open_files
from formats.peers import label_studio
from formats.problems import BadInputError
from formats.reading import Options
from formats.records import NOT_RATED
from tests.formats.registered import reader_of, recognise

FACETS = Options(facets=("background", "method", "result"))
LABEL_STUDIO = "label-studio/choices"
USERS = "label-studio/users.json"
PAIRS = "potato/data/pairs.jsonl"


@pytest.fixture
def peers(shared_data):
    return shared_data / "peer-exports"


def read(*paths, options=FACETS):
    """What the most certain reader makes of the files."""
    with open_files(paths) as files:
        recognition = recognise(files)[0]
        return reader_of(recognition).read(files, options)


def grades(study):
    """{(topic, document, rater): first sign of the grade}."""
    return {
        (rating.topic, rating.document, rating.rater.partition("@")[0]): rating.grade
        and rating.grade[0]
        for rating in study.ratings
    }


def expected(peers):
    with (peers / "expected.csv").open() as file:
        return {
            (row["topic"], row["document"], rater): row[rater] or None
            for row in csv.DictReader(file)
            for rater in ("rater1", "rater2")
        }


@pytest.mark.parametrize(
    "paths",
    [
        [f"{LABEL_STUDIO}.json", USERS],
        [f"{LABEL_STUDIO}.min.json", USERS],
        [f"{LABEL_STUDIO}.csv", USERS],
        [f"{LABEL_STUDIO}.snapshot.json"],
        ["doccano/per-annotator.zip"],
        ["doccano/per-annotator"],
        ["potato"],
        [PAIRS, "potato/annotation_output/exports/jsonl/annotations.jsonl"],
        [PAIRS, "potato/export-command/jsonl/annotations.jsonl"],
        [PAIRS, "potato/export-command/csv/annotations.csv"],
        [PAIRS, "potato/export-command/tsv/annotations.tsv"],
    ],
    ids=lambda paths: paths[-1].replace("/", "-") if len(paths) > 1 else paths[0],
)
def test_every_export_gives_the_ratings_that_were_given(peers, paths):
    study = read(*(peers / path for path in paths))

    assert grades(study) == expected(peers)
    assert len(study.pool) == 40
    assert [topic.id for topic in study.topics] == ["1936997_background", "1198964_method"]
    assert {query.document for query in study.queries} == {"1936997", "1198964"}
    (unrated,) = [rating for rating in study.ratings if rating.grade is None]
    assert (unrated.document, unrated.reason) == ("2920392", NOT_RATED)
    (noted,) = [rating for rating in study.ratings if rating.note]
    assert (noted.document, noted.note.count("\n")) == ("29792562", 1)


@pytest.mark.parametrize("name", ["rating.json", "rating.min.json", "rating.csv"])
def test_stars_are_kept_as_they_are_counted(peers, name):
    study = read(peers / "label-studio" / name, peers / USERS)

    stars = {key: str(int(stars) - 1) for key, stars in grades(study).items()}
    assert len(stars) == 20
    assert stars.items() <= expected(peers).items()


def test_list_of_raters_with_a_name_that_is_no_text_is_a_problem_of_it(peers, tmp_path):
    users = tmp_path / "users.json"
    users.write_text('[{"id": 1, "email": ["rater1@example.org"]}]')

    with pytest.raises(BadInputError) as refused:
        read(peers / f"{LABEL_STUDIO}.json", users)

    problem = refused.value.problems[0]
    assert (problem.file, problem.message) == (
        "users.json",
        "a list; expected text or a number.",
    )


def test_drafts_and_skipped_tasks_are_left_out_and_reported(peers):
    study = read(peers / f"{LABEL_STUDIO}.snapshot.json")

    raters = {rating.rater for rating in study.ratings}
    assert raters == {"rater1@example.org", "rater2@example.org"}
    assert sorted((task.sentence, task.place.key) for task in study.left_out) == [
        ("A draft is no rating.", "task 8"),
        ("owner@example.org skipped the task.", "task 6"),
        ("rater2@example.org skipped the task.", "task 19"),
    ]


def test_of_exports_of_the_same_tasks_the_fullest_is_read(peers):
    with open_files([peers / "label-studio"]) as files:
        parts = {part.file: part.key for part in label_studio.recognise(files).parts}

    assert parts == {
        "choices.snapshot.json": "tasks", "choices.json": "", "choices.min.json": "",
        "choices.csv": "", "rating.json": "tasks", "rating.min.json": "", "rating.csv": "",
        "choices-config.xml": "", "rating-config.xml": "",
    }  # fmt: skip


def test_doccano_export_that_does_not_name_its_raters_is_refused(peers):
    with pytest.raises(BadInputError) as caught:
        read(peers / "doccano" / "shared.zip")

    (problem,) = caught.value.problems
    assert (problem.file, problem.place) == ("shared.zip \u203a all.jsonl", "whole file")
    assert "does not name the raters" in problem.message


def test_potato_without_its_data_file_is_refused(peers):
    with pytest.raises(BadInputError) as caught:
        read(peers / "potato" / "annotation_output")

    assert "the data file of the study is missing." in caught.value.problems[0].message


TASK = {
    "query_id": "q", "query_text": "What?", "doc_id": "d", "doc_text": "So.",
}  # fmt: skip


def annotation(rater, *results, **more):
    return {
        "completed_by": rater,
        "result": [
            {"from_name": name, "type": kind, "value": {kind: value}}
            for name, kind, value in results
        ],
        **more,
    }


def export(tmp_path, *tasks):
    path = tmp_path / "export.json"
    path.write_text(
        json.dumps(
            [
                {"id": number, "data": data, "annotations": annotations, "drafts": []}
                for number, (data, annotations) in enumerate(tasks, start=1)
            ]
        )
    )
    return path


PLAIN = Options(judged_by="plain")


def label_studio_read(path):
    with open_files([path]) as files:
        return label_studio.read(files, PLAIN)


TWO = ("relevance", "choices", ["2"])
ONE = ("relevance", "choices", ["1"])


def test_doubled_task_with_the_same_answer_counts_once(tmp_path):
    path = export(tmp_path, (TASK, [annotation(1, TWO)]), (TASK, [annotation(1, TWO)]))

    study = read(path, options=PLAIN)

    assert [rating.grade for rating in study.ratings] == ["2"]
    assert "the same answer" in study.left_out[0].sentence


def test_doubled_task_with_two_answers_of_one_person_is_refused(tmp_path):
    path = export(tmp_path, (TASK, [annotation(1, TWO)]), (TASK, [annotation(1, ONE)]))

    with pytest.raises(BadInputError) as caught:
        read(path, options=PLAIN)

    (problem,) = caught.value.problems
    assert str(problem).startswith("export.json, task 2: 1 rated q, d as '1' here, and as '2' in")


def test_several_controls_are_a_facet_each(tmp_path):
    results = (("quality", "choices", ["good"]), ("specificity", "rating", 1))
    path = export(tmp_path, (TASK, [annotation(1, *results)]))

    study = read(path, options=Options(facets=("quality", "specificity")))

    assert [(rating.topic, rating.grade) for rating in study.ratings] == [
        ("q_quality", "good"),
        ("q_specificity", "1"),
    ]


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ((TASK, [annotation(1, ("relevance", "choices", ["1", "2"]))]), "chose 2 grades at once"),
        ((TASK, [annotation(None, ONE)]), "the rater is not named"),
        (({"text": "So."}, [annotation(1, ONE)]), "no field of the tasks is the query"),
    ],
)
def test_what_is_no_rating_is_reported_with_its_task(tmp_path, task, message):
    with pytest.raises(BadInputError) as caught:
        read(export(tmp_path, task), options=PLAIN)

    assert message in caught.value.problems[0].message


@pytest.mark.parametrize(
    ("identifier", "task"),
    [(7, "task 7"), ("7", "task 7"), ("\ud800", "task number 1"), (None, "task number 1"),
     ([1], "task number 1")],
)  # fmt: skip
def test_a_task_is_named_by_its_number_or_counted(tmp_path, identifier, task):
    path = tmp_path / "export.json"
    data = TASK | {"doc_text": ["a"]}
    tasks = [{"id": identifier, "data": data, "annotations": [annotation(1, TWO)]}]
    path.write_text(json.dumps(tasks))

    with pytest.raises(BadInputError) as caught:
        label_studio_read(path)

    assert caught.value.problems[0].place == task


@pytest.mark.parametrize("result", [None, 7, True, "2", {"type": "choices"}, [7]])
def test_an_annotation_without_a_list_of_results_gave_no_grade(tmp_path, result):
    path = export(tmp_path, (TASK, [annotation(1, TWO), {"completed_by": 2, "result": result}]))

    study = label_studio_read(path)

    assert [(rating.rater, rating.grade) for rating in study.ratings] == [("1", "2")]
    assert [left_out.sentence for left_out in study.left_out] == ["2 gave no grade."]


def test_what_follows_the_end_of_an_export_is_reported(tmp_path):
    path = export(tmp_path, (TASK, [annotation(1, ONE)]))
    path.write_text(path.read_text() + "]")

    with pytest.raises(BadInputError) as caught:
        read(path, options=PLAIN)

    assert "broken JSON" in caught.value.problems[0].message
