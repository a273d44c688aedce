"""Studies of Potato: which of its files have the answers, and what an answer says."""

import json

import pytest

from formats.files import open_files
from formats.peers import potato
from formats.problems import BadInputError
from formats.reading import Options

PLAIN = Options(judged_by="plain")
PAIR = {"id": "i1", "query_id": "q", "query_text": "What?", "doc_id": "d", "doc_text": "So."}


def state(grade="2", user="ann", instance="i1", **more):
    labels = [[{"schema": "relevance", "name": grade}, grade]]
    return json.dumps({"user_id": user, "instance_id_to_label_to_value": {instance: labels}} | more)


def row(grade="2", user="ann"):
    return json.dumps(
        {"instance_id": "i1", "user_id": user, "labels": {"relevance": {grade: grade}}}
    )


@pytest.fixture
def study(tmp_path):
    """What is read of these files, beside the data file."""

    def read(**files):
        for name, text in ({"data/pairs.jsonl": json.dumps(PAIR)} | files).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        with open_files([tmp_path]) as opened:
            return potato.read(opened, PLAIN)

    return read


def ratings(study):
    return [(rating.rater, rating.grade) for rating in study.ratings]


def problems_of(study, **files):
    with pytest.raises(BadInputError) as caught:
        study(**files)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("files", "source"),
    [
        # What people hold goes before every export, which may lag.
        ({"out/ann/user_state.json": state("1"), "all.jsonl": row("2")}, "1"),
        ({"all.csv": "instance_id,user_id,relevance.2\ni1,ann,2\n", "all.jsonl": row("1")}, "1"),
        ({"exports/all.jsonl": row("2"), "x.tsv": "instance_id\tuser_id\trelevance.1\ni1\tann\t1"},
         "1"),
        ({"a.tsv": "instance_id\tuser_id\trelevance.2\ni1\tann\t2\n",
          "b.csv": "instance_id,user_id,relevance.1\ni1,ann,1\n"}, "1"),
    ],
)  # fmt: skip
def test_of_several_files_with_the_answers_the_surest_is_read(study, files, source):
    assert ratings(study(**files)) == [("ann", source)]


def test_superseded_answers_are_left_alone(study):
    files = {"out/ann/user_state.json": state("2"), "out/ann/annotation_history.jsonl": row("1")}

    assert ratings(study(**files)) == [("ann", "2")]


def test_a_person_without_a_name_is_called_after_their_folder(study):
    read = study(
        **{
            "out/ann/user_state.json": state("1", user=""),
            "out/ben/user_state.json": state("2", user="Ben"),
        }
    )

    assert ratings(read) == [("ann", "1"), ("Ben", "2")]


@pytest.mark.parametrize(
    ("entries", "answer"),
    [
        ([], []),
        ("none", []),
        ([[{"schema": "relevance", "name": "2"}, "false"]], []),
        ([[{"schema": "relevance", "name": "2"}, " "]], []),
        ([[{"schema": "relevance", "name": "number"}, 3]], ["3"]),
    ],
)
def test_what_nobody_chose_is_no_answer(study, entries, answer):
    # Another person's answer says which schema gives the grades.
    chosen = state(user="ben")
    labels = {"instance_id_to_label_to_value": {"i1": entries}}

    read = study(**{"ann/user_state.json": state(**labels), "ben/user_state.json": chosen})

    assert [grade for rater, grade in ratings(read) if rater == "ann" and grade] == answer


def test_a_text_box_is_a_note(study):
    labels = [
        [{"schema": "relevance", "name": "2"}, "2"], [{"schema": "why", "name": "text_box"}, "So."],
    ]  # fmt: skip
    content = state(instance_id_to_label_to_value={"i1": labels})

    [rating] = study(**{"ann/user_state.json": content}).ratings

    assert (rating.grade, rating.note) == ("2", "So.")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (state(instance="i9"), "instance i9: the instance 'i9' is not in the data file. Bring the "
         "data file with which the study ran."),
        ("[]", "ann/user_state.json: there are no answers in it (instance_id_to_label_to_value). "
         "Is it Potato 2's?"),
        (state(instance_id_to_label_to_value=[]), "ann/user_state.json: there are no answers in"),
        (state(instance_id_to_label_to_value={"i1": ["2"]}), "ann/user_state.json: the answer to "
         "'i1' is none. Bring the study's export."),
        (state(instance_id_to_label_to_value={"i1": [[{}, "1", "2"]]}), "the answer to 'i1' is"),
        ("{", "ann/user_state.json, line 1, column 2: broken JSON"),
        (state(user="a\x00"), "ann/user_state.json: a NUL character"),
    ],
)  # fmt: skip
def test_answers_that_cannot_be_read_are_told(study, content, problem):
    told = problems_of(
        study, **{"ann/user_state.json": content, "ben/user_state.json": state(user="ben")}
    )

    assert len(told) == 1
    assert problem in told[0]


def test_an_instance_that_stands_twice_is_told_with_its_line(study):
    lines = "\n".join(map(json.dumps, [PAIR, PAIR]))

    assert problems_of(study, **{"data/pairs.jsonl": lines, "ann/user_state.json": state()}) == [
        "data/pairs.jsonl, line 2: the instance 'i1' stands twice. Keep one of the two."
    ]


def test_an_instance_that_is_no_pair_is_told_with_its_line(study):
    told = problems_of(
        study,
        **{
            "data/pairs.jsonl": json.dumps(PAIR | {"doc_text": ["So."]}),
            "ann/user_state.json": state(),
        },
    )

    assert told[0] == "data/pairs.jsonl, line 1: a list; expected text or a number."


def test_several_grades_at_once_are_told_with_the_instance(study):
    labels = [[{"schema": "relevance", "name": name}, "true"] for name in ("1", "2")]
    content = state(instance_id_to_label_to_value={"i1": labels})

    assert problems_of(study, **{"ann/user_state.json": content}) == [
        "ann/user_state.json, instance i1: ann chose 2 grades at once (1, 2). A pair has one grade "
        "of each rater: correct it there, and export again."
    ]
