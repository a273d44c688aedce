"""Runs and qrels beside a study of any format: what is read of them, and the pools they give."""

import pytest

from formats.assemble import Assembly
from formats.files import open_files
from formats.reading import Options
from formats.records import Place, Query, Run, RunLine, Study
from formats.runs_and_qrels import part_of, pool_runs, read_part

FACETS = {"judged_by": "facets", "facets": ("background", "method")}


def study(*queries, **options):
    these = Assembly(Study("tables"), Options(**{"judged_by": "plain"} | options))
    for query in queries:
        these.add_query(Query(query, "What?", "", "", "", {}, Place("queries.csv", 2)))
    return these


def run(*pairs, tag="bm25", file="bm25.run"):
    """A run whose lines, from the second of the file on, have these topics and documents."""
    lines = [
        RunLine(topic, document, 1, 1.0, line)
        for line, (topic, document) in enumerate(pairs, start=2)
    ]
    return Run(tag, file, "", lines)


def pooled(these, *runs):
    these.study.runs += runs
    pool_runs(these)
    return [(entry.query, entry.topic, entry.document, entry.sources) for entry in
            these.pool.values()]  # fmt: skip


def problems_of(these):
    return [str(problem) for problem in these.problems.first]


def test_documents_of_the_runs_are_the_pool_run_by_run():
    pool = pooled(
        study("q", "r"),
        run(("q", "a"), ("q", "b"), ("r", "a")),
        run(("q", "c"), ("q", "b"), tag="dense", file="dense.run"),
    )

    assert pool == [
        ("q", None, "a", ("bm25",)),
        ("q", None, "b", ("bm25", "dense")),
        ("r", None, "a", ("bm25",)),
        ("q", None, "c", ("dense",)),
    ]


def test_runs_over_topics_under_facets_pool_these_alone():
    pool = pooled(study("q", **FACETS), run(("q_method", "a"), ("q", "b")))

    assert pool == [("q", "q_method", "a", ("bm25",)), ("q", None, "b", ("bm25",))]


def test_runs_are_pooled_once():
    these = study("q")

    assert pooled(these, run(("q", "a"))) == pooled(these) == [("q", None, "a", ("bm25",))]
    assert these.study.left_out == []


def test_a_candidate_stands_at_its_line_of_the_run():
    these = study("q")
    pooled(these, run(("q", "a"), ("q", "b")))

    assert [str(entry.place) for entry in these.pool.values()] == [
        "bm25.run, line 2", "bm25.run, line 3",
    ]  # fmt: skip


def test_a_tag_names_one_run():
    these = study("q")

    pool = pooled(these, run(("q", "a")), run(("q", "b"), file="more.run"))

    assert problems_of(these) == [
        "more.run, line 1, column 6: the run 'bm25' stands in bm25.run already. A tag names one "
        "run: keep one of the two, or give one another tag."
    ]
    assert [document for _, _, document, _ in pool] == ["a"]


def test_topics_that_the_study_does_not_have_are_noted_where_it_has_others():
    these = study("q")
    strangers = [(f"s{number:02}", "a") for number in range(21)]

    pool = pooled(these, run(*strangers, ("q", "a"), ("s00", "b")))

    assert len(pool) == 1
    assert these.study.notes == [
        "bm25.run: topics that the study does not have (21): "
        f"{', '.join(f's{number:02}' for number in range(20))}."
    ]


@pytest.mark.parametrize(
    ("queries", "options", "topics", "remedy"),
    [
        (["q"], {}, "rs", "Is it a run over other topics?"),
        ([], {}, "rs", "Bring the queries with it."),
        ([], {"known_topics": {"q": ["q"]}}, "rs", "Is it a run over other topics?"),
        (["007"], {}, "87", "There is 007, the same number as 7: pandas and spreadsheets drop the "
         "zeros at the beginning of numbers."),
    ],
)  # fmt: skip
def test_a_run_that_shares_no_topic_is_refused_at_its_first_line(queries, options, topics, remedy):
    these = study(*queries, **options)

    pooled(these, run(*((topic, "a") for topic in topics)))

    [problem] = problems_of(these)
    assert problem.startswith(f"bm25.run, line 2: the run shares no topic with the study. {remedy}")


def test_topics_of_the_collection_that_the_files_do_not_bring_are_no_strangers():
    these = study(known_topics={"q": ["q"]})

    assert pooled(these, run(("q", "a"))) == []
    assert (problems_of(these), these.study.notes) == ([], [])


@pytest.fixture
def read(tmp_path):
    """Reads a file into a study, as the part that it is."""

    def read(these, name, text):
        (tmp_path / name).write_text(text)
        with open_files([tmp_path / name]) as files:
            (file,) = files
            read_part(these, file, part_of(file))
        return these.study

    return read


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("a.txt", "q Q0 d 1 2.5 bm25\n", "run"),
        ("a.run", "q d 2.5\n", "run"),
        ("a.txt", "q 0 d 1\n", "qrels"),
        ("qrels.test.txt", "", "qrels"),
        ("a.txt", "Some words are no run\n", ""),
        ("a.txt", "", ""),
    ],
)
def test_a_file_is_told_by_its_columns_or_its_name(tmp_path, name, text, part):
    (tmp_path / name).write_text(text)

    with open_files([tmp_path / name]) as files:
        assert part_of(files.all[0]) == part


@pytest.mark.parametrize(
    ("options", "aspect", "level"),
    [
        ({"judged_by": "plain"}, None, "topic"),
        (FACETS, None, "topic"),
        ({"judged_by": "aspects"}, "a", "topic"),
        # Their numbers may be those of queries.
        ({"judged_by": "aspects"}, None, "query"),
    ],
)
def test_qrels_are_about_topics_unless_those_are_aspects_that_no_file_has(
    read, options, aspect, level
):
    these = study("q", **options)
    if aspect:
        these.add_aspect(aspect, "One?", "q", None, Place("aspects.csv", 2))

    [judgments] = read(these, "qrels.txt", "q 0 d 1\n").judgments

    assert (judgments.name, judgments.level) == ("qrels.txt", level)


def test_what_was_made_of_an_unusual_file_is_noted(read):
    these = study("q")

    read(these, "a.run", "q d 2.5\n")
    read(these, "b.run", "q Q0 d 1 2.5 dense\n")
    read(these, "qrels", "q d 2\n")
    read(these, "qrels.b", "q 0 d 2\n")

    assert [run.tag for run in these.study.runs] == ["a", "dense"]
    assert these.study.notes == [
        "a.run has three columns, read as query, document and score; the run is called a after "
        "its file.",
        "qrels has three columns, read as query, document and grade.",
    ]


def test_a_run_without_a_line_is_a_problem_and_no_run(read):
    these = study("q")

    assert read(these, "a.run", "\n").runs == []
    assert problems_of(these) == [
        "a.run: the run is empty. A line is topic Q0 document rank score tag."
    ]
