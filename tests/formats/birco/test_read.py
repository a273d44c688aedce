"""BIRCO comes back as it was, and rankings rank a whole pool once."""

import json

import pytest

from formats.birco import read as birco
from formats.birco.rankings import read_ranking
from formats.files import open_files
from formats.problems import BadInputError, Problems
from formats.reading import Options
from tests.formats.birco.writing import write_ranking, write_task
from tests.formats.registered import recognise

PLAIN = Options(judged_by="plain")
TASK = '{"query": {"q": "A?"}, "corpus": {"d": "Text.", "e": "More."}, "qrel": {"q": %s}}'


def read(*paths):
    with open_files(paths) as files:
        assert recognise(files)[0].format == "birco"
        study = birco.read(files, PLAIN)
        assert study.fingerprint == files.fingerprint
        return study


@pytest.mark.parametrize("task", ["arguana/test_set_20_queries", "clinical-trial/dev_set"])
def test_real_task_is_written_back_as_equal_json(shared_data, task):
    path = shared_data / "birco" / f"{task}.json"

    study = read(path)

    assert json.loads(write_task(study, study.judgments[0])) == json.loads(path.read_text())
    assert len(study.pool) == len(study.judgments[0].judgments)


def test_real_rankings_are_runs_and_come_back_equal(shared_data):
    folder = shared_data / "birco" / "arguana"

    study = read(shared_data / "birco")

    assert [run.tag for run in study.runs] == ["GPT-4_subtask_O", "e5_rank"]
    for run in study.runs:
        ranking = json.loads((folder / "ranks" / f"{run.tag}.json").read_text())
        assert json.loads(write_ranking(run)) == ranking
        assert run.lines[0].score > run.lines[1].score


def test_rankings_beside_tasks_are_counted_and_begin_with_rank_1(tmp_path):
    (tmp_path / "task.json").write_text(TASK % '{"d": 1, "e": 0}')
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text('{"q": ["e", "d"]}')

    with open_files([tmp_path]) as files:
        assert birco.recognise(files).sentence == "BIRCO: 1 task and 2 rankings."
    with open_files([tmp_path / "task.json", tmp_path / "a.json"]) as files:
        assert birco.recognise(files).sentence == "BIRCO: 1 task and 1 ranking."
    with open_files([tmp_path / "task.json"]) as files:
        assert birco.recognise(files).sentence == "BIRCO: 1 task."
    first, _ = read(tmp_path).runs
    assert [line[1:4] for line in first.lines] == [("e", 1, 2.0), ("d", 2, 1.0)]


@pytest.mark.parametrize("name", ["my model.json", "a\u00a0 b.v2.json", "c.json"])
def test_a_ranking_has_the_same_tag_beside_its_task_and_by_itself(tmp_path, name):
    (tmp_path / "a task.json").write_text(TASK % '{"d": 1, "e": 0}')
    (tmp_path / name).write_text('{"q": ["e", "d"]}')

    [beside] = read(tmp_path).runs
    with open_files([tmp_path / name]) as files:
        alone = read_ranking(files.all[0], Problems())

    assert beside == alone


def test_file_without_a_ranking_is_reported_once(tmp_path):
    reports = []
    for name, content in (("none", "{}"), ("wrong", '{"q": 1}'), ("some", '{"q": ["d"]}')):
        (tmp_path / f"{name}.json").write_text(content)
        problems = Problems()
        with open_files([tmp_path / f"{name}.json"]) as files:
            read_ranking(files.all[0], problems)
        reports.append([problem.message for problem in problems.first])

    assert reports[0] == ["there is no ranking in the file."]
    assert [message.startswith("this is") for message in reports[1]] == [True]
    assert reports[2] == []


def test_decimals_are_kept_as_they_are_written(shared_data, tmp_path):
    scores = json.loads((shared_data / "doris-mae-sample" / "query-level-scores.json").read_text())
    qrel = {
        query: {document: score["normalized"] for document, score in entry["scores"].items()}
        for query, entry in scores.items()
    }
    documents = {document: "Text." for entries in qrel.values() for document in entries}
    task = {"query": dict.fromkeys(qrel, "A?"), "corpus": documents, "qrel": qrel}
    (tmp_path / "task.json").write_text(json.dumps(task))

    judgments = read(tmp_path / "task.json").judgments[0]

    literals = {judgment.literal for judgment in judgments.judgments}
    assert len(literals) > 100
    assert "0.8666666666666667" in literals
    assert json.loads(write_task(read(tmp_path / "task.json"), judgments)) == task


def test_literal_keeps_zeros_and_exponents(tmp_path):
    (tmp_path / "task.json").write_text(TASK % '{"d": 1.50, "e": 2e0}')

    judgments = read(tmp_path / "task.json").judgments[0].judgments

    assert [judgment.literal for judgment in judgments] == ["1.50", "2e0"]


@pytest.mark.parametrize(
    ("ranking", "message"),
    [
        ('{"q": ["d", "e", "d"]}', "ranked twice: d."),
        ('{"q": ["d", "e", "f"]}', "not in the pool: f."),
        ('{"q": ["d"]}', "not ranked: e."),
        ('{"q": ["d", 7]}', "a document id that is not text."),
        ('{"p": ["d"], "q": 7}', "expected a list of document ids."),
        ('{"q": ["d", "e"], "other": ["d"]}', "'other' is not among the queries."),
        ('{"r": ["d"], "s": ["d"]}', "queries of the task; it has 2 others, such as r, s."),
    ],
)
def test_ranking_that_is_not_the_whole_pool_once_is_refused(tmp_path, ranking, message):
    (tmp_path / "task.json").write_text(TASK % '{"d": 1, "e": 0}')
    (tmp_path / "rank.json").write_text(ranking)

    with pytest.raises(BadInputError) as caught:
        read(tmp_path)

    assert {problem.file for problem in caught.value.problems} == {"rank.json"}
    assert message in caught.value.problems[-1].message


@pytest.mark.parametrize(
    ("qrel", "place", "message"),
    [
        ('{"d": "1"}', "qrel q, d", "the relevance is text"),
        ('{"d": true}', "qrel q, d", "the relevance is true or false"),
        ('["d"]', "qrel q", "a list; expected an object"),
        ('{"d": NaN}', "", "NaN is not a number"),
    ],
)
def test_what_is_wrong_is_reported_with_its_key(tmp_path, qrel, place, message):
    (tmp_path / "task.json").write_text(TASK % qrel)

    with pytest.raises(BadInputError) as caught:
        read(tmp_path / "task.json")

    (problem,) = caught.value.problems
    assert problem.place == place
    assert message in problem.message


WHOLE = {"query": {"q": "A?"}, "corpus": {"d": "Text."}, "qrel": {"q": {"d": 1}}}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"query": {"q": 7}}, "task.json, query q: a number; expected text."),
        ({"query": {"q": "A?", "a b": "B?"}}, "task.json, query a b: the identifier 'a b' has"),
        ({"query": {"q": ""}}, "task.json, query q: the query q has no text and names no document"),
        ({"corpus": {"d": None}}, "task.json, corpus d: null; expected text."),
        ({"corpus": {"d": "Text.", "": "x"}}, "task.json, corpus : there is no identifier."),
        ({"corpus": {"d": "a\x00"}}, "task.json: a NUL character (U+0000) at position 2"),
        ({"corpus": []}, "task.json, corpus: a list; expected an object. A task has query, corpus "
         "and qrel."),
        ({"qrel": None}, "task.json, qrel: null; expected an object. A task has query, corpus"),
        ({"qrel": {"r": {"d": 1}}}, "task.json, qrel r: the query 'r' is not among the queries. "
         "Add its text."),
        ({"qrel": {"q": {"d": 1, "a b": 1}}}, "task.json, qrel q, a b: the identifier 'a b' has"),
    ],
)  # fmt: skip
def test_a_task_that_is_wrong_is_told_with_the_key(tmp_path, change, problem):
    (tmp_path / "task.json").write_text(json.dumps(WHOLE | change))

    with pytest.raises(BadInputError) as caught:
        read(tmp_path / "task.json")

    assert str(caught.value.problems[0]).startswith(problem)


def test_a_task_beyond_all_measure_is_refused(tmp_path, monkeypatch):
    (tmp_path / "task.json").write_text(json.dumps(WHOLE))
    size = (tmp_path / "task.json").stat().st_size
    monkeypatch.setattr(birco, "MAX_BYTES", size)
    assert read(tmp_path / "task.json").queries

    monkeypatch.setattr(birco, "MAX_BYTES", size - 1)
    with pytest.raises(BadInputError) as caught:
        read(tmp_path / "task.json")
    assert [problem.message for problem in caught.value.problems] == [
        f"a file of {size} bytes; at most {size - 1} are read."
    ]


def test_documents_that_no_qrel_names_are_counted_or_kept(tmp_path):
    content = WHOLE | {"corpus": {"d": "Text.", "e": "More."}}
    (tmp_path / "task.json").write_text(json.dumps(content))

    with open_files([tmp_path]) as files:
        pooled = birco.read(files, PLAIN)
        whole = birco.read(files, Options(judged_by="plain", keep_unpooled=True))

    assert (pooled.documents.ids, pooled.unpooled_documents) == (["d"], 1)
    assert (whole.documents.ids, whole.unpooled_documents) == (["d", "e"], 0)


def test_several_tasks_and_their_rankings_are_one_study(tmp_path):
    for name in "ab":
        task = {"query": {name: f"{name}?"}, "corpus": {name: "Text."}, "qrel": {name: {name: 1}}}
        (tmp_path / f"{name}.json").write_text(json.dumps(task))
        (tmp_path / f"{name}-rank.json").write_text(json.dumps({name: [name]}))

    with open_files([tmp_path]) as files:
        assert birco.recognise(files).sentence == "BIRCO: 2 tasks and 2 rankings."
    study = read(tmp_path)

    assert [judgments.name for judgments in study.judgments] == ["a", "b"]
    assert [(run.tag, run.topics) for run in study.runs] == [("a-rank", ["a"]), ("b-rank", ["b"])]


def test_queries_called_like_a_query_under_a_facet_are_noted(tmp_path):
    path = tmp_path / "task.json"
    path.write_text(TASK.replace('"q"', '"q_method"') % '{"d": 1}')

    with open_files([path]) as files:
        study = birco.read(files, Options(facets=("method",)))

    assert study.notes == [
        "Queries called like a query under a facet: q_method. Nothing in the files says that they "
        "are, so each comes in as a query of its own, under all facets. BIRCO has no place for "
        "facets; the exports BEIR and CSV have."
    ]
