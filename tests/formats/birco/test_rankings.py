"""A ranking as BIRCO publishes them, read as a run of its own."""

import json

import pytest

from formats.birco.rankings import looks_like_ranking, read_ranking
from formats.files import open_files
from formats.problems import Problems


@pytest.fixture
def ranking(tmp_path):
    """The run in a file of this content, and its problems."""

    def read(content, name="my model.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        problems = Problems()
        with open_files([path]) as files:
            return read_ranking(files.all[0], problems), [str(each) for each in problems.first]

    return read


def test_scores_count_down_to_one_and_the_tag_is_the_name_of_the_file(ranking):
    run, problems = ranking({"q": ["d2", "d1", "d3"], "r": ["d1"], "s": []})

    assert problems == []
    assert (run.tag, run.file, len(run.sha256)) == ("my-model", "my model.json", 64)
    assert run.lines == [
        ("q", "d2", 1, 3.0, 0), ("q", "d1", 2, 2.0, 0), ("q", "d3", 3, 1.0, 0),
        ("r", "d1", 1, 1.0, 0),
    ]  # fmt: skip


def test_a_ranking_may_begin_with_a_byte_order_mark(ranking):
    run, problems = ranking('\ufeff{"q": ["d"]}')

    assert (len(run.lines), problems) == (1, [])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[]", "a.json: this is a list; expected an object of rankings."),
        ("{}", "a.json: there is no ranking in the file. Write {query: [ids]}."),
        ('{"q": []}', "a.json: there is no ranking in the file. Write {query: [ids]}."),
        ('{"q": "d"}', "a.json, query 'q': this is text; expected a list of ids."),
        ('{"q": ["d", 7]}', "a.json, query 'q', entry 2: the identifier 7 is a number; "
         "expected text. Put it in quotation marks."),
        ('{"q": ["d", "e", "d"]}', "a.json, query 'q', entry 3: the document 'd' is ranked "
         "twice. Keep one of the two."),
        ('{"a b": ["d"]}', "a.json, query 'a b', entry 1: the identifier 'a b' has white "),
        ('{"q": ["d"], "q": ["d"]}', "a.json: the key 'q' occurs twice in one object."),
        ('{"q": [\n"d" "e"]}', "a.json, line 2, column 5: broken JSON: Expecting ',' delimiter."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(ranking, content, problem):
    _, [told] = ranking(content, "a.json")

    assert told.startswith(problem)


def test_what_is_right_beside_it_is_read(ranking):
    run, problems = ranking({"q": ["d", "d", "e"], "r": 7, "s": ["d"]})

    assert [line[:4] for line in run.lines] == [
        ("q", "d", 1, 3.0), ("q", "e", 3, 1.0), ("s", "d", 1, 1.0),
    ]  # fmt: skip
    assert len(problems) == 2


@pytest.mark.parametrize(
    ("text", "is_one"),
    [('{"q": []}', True), (" \n {", True), ("\ufeff{", True), ("[]", False), ("q Q0 d 1", False),
     ("", False)],
)  # fmt: skip
def test_a_ranking_begins_as_an_object(tmp_path, text, is_one):
    (tmp_path / "a.run").write_text(text)

    with open_files([tmp_path / "a.run"]) as files:
        assert looks_like_ranking(files.all[0]) is is_one
