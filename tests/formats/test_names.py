"""What a name in a file means: a query, a facet, an aspect, a topic. What it does not is told."""

import pytest

from formats.names import IN_EACH_ROW, Names
from formats.reading import Options
from formats.records import Place, Query, Study, TopicPlace
from formats.strict import BadTextError

QUERIES = Place("queries.csv", 2)
HERE = Place("ratings.csv", 7)
FACETS = {"facets": ("background", "method")}


def names(*queries, **options):
    """The names of a study with these queries."""
    these = Names(Study("tables"), Options(**options))
    for query in queries:
        these.add_query(asked(query))
    return these


def asked(query, text="What?", document="", description="", **metadata):
    return Query(query, text, document, description, "", metadata, QUERIES)


def problems_of(these):
    return [str(problem) for problem in these.problems.first]


# Facets


@pytest.mark.parametrize("name", ["yontem", "Yöntem", " YÖNTEM ", "Größe", "GRÖSSE"])
def test_a_facet_is_called_by_its_key_by_its_name_or_as_it_was_matched(name):
    these = names(
        "q",
        facets=("yontem",),
        facet_names={"Yöntem": "yontem"},
        mapping={"facets": {"Größe": "yontem"}},
    )

    assert these.topic("q", name, HERE) == "q_yontem"
    assert these.topic_named(f"q_{name.strip()}", HERE) == "q_yontem"
    assert these.facets_in(f"{name}, yontem") == [name.strip(), "yontem"]
    assert problems_of(these) == []


def test_a_key_goes_before_the_name_of_another_facet():
    these = names("q", facets=("a", "b"), facet_names={"A": "b", "B": "a"})

    assert these.topic("q", "a", HERE) == "q_a"


# Identifiers


def test_an_identifier_is_checked_once_and_a_bad_one_each_time():
    these = names()

    assert these.is_identifier("007", HERE, "document")
    assert not these.is_identifier("a b", HERE.at("document"), "document")
    assert not these.is_identifier("a b", HERE, "document")
    assert these.checked_ids == {"007"}
    assert problems_of(these) == [
        f"{place}: the identifier 'a b' has white space (U+0020) at position 2. Write it without, "
        "wherever it stands: in qrels white space divides the columns."
        for place in ("ratings.csv, line 7, column document", "ratings.csv, line 7")
    ]


def test_an_empty_identifier_is_told_by_what_it_should_be():
    these = names()

    assert not these.is_identifier("", HERE, "document")
    assert problems_of(these) == [f"ratings.csv, line 7: there is no document. {IN_EACH_ROW}"]


def test_what_is_wrong_in_a_text_is_told_at_its_own_place():
    these = names()

    these.bad_text(HERE, BadTextError("broken.", "Mend it.", "line 3, column 4"))
    these.bad_text(HERE, BadTextError("broken.", "Mend it."))

    assert problems_of(these) == [
        "ratings.csv, line 3, column 4: broken. Mend it.",
        "ratings.csv, line 7: broken. Mend it.",
    ]


def test_a_problem_of_many_rows_is_listed_once_and_counted():
    these = names()

    for message in ("a.", "b.", "a.", "a."):
        these.problem_once(HERE, message, "Mend it.")

    assert problems_of(these) == [f"ratings.csv, line 7: {text}. Mend it." for text in "ab"]
    assert these.problems.total == 4


# Queries


def test_a_query_asks_something():
    these = names()

    these.add_query(asked("q", text=""))
    these.add_query(asked("r", text="", document="d"))

    assert problems_of(these) == [
        "queries.csv, line 2: the query q has no text and names no document. Write what is "
        "searched for."
    ]


@pytest.mark.parametrize(
    ("again", "problem"),
    [
        (asked("q", text="How?"), "the query q has another text in queries.csv, line 2. One id has "
         "one text: correct one of the two."),
        (asked("q", description="so"), "the query q has another text in queries.csv, line 2. One "
         "id has one text: correct one of the two."),
        (asked("q", text="", document="d"), "the query q is the document d here, and a text in "
         "queries.csv, line 2. One query is one document."),
        (asked("q", year=1999), "the query q stands in queries.csv, line 2 already, with other "
         "columns. Keep one of the two."),
    ],
)  # fmt: skip
def test_a_query_again_has_the_same_texts_and_columns(again, problem):
    these = names("q")

    these.add_query(again._replace(place=HERE))

    [told] = problems_of(these)
    assert told.startswith(f"ratings.csv, line 7: {problem}")


def test_the_same_query_again_counts_once_and_is_told_unless_it_may_repeat():
    these = names("q")

    these.add_query(asked("q"), may_repeat=True)
    assert these.study.left_out == []
    these.add_query(asked("q"))

    assert problems_of(these) == []
    assert these.study.left_out_in_words == [
        "Left out: queries.csv, line 2: The query q is the same in queries.csv, line 2."
    ]


def test_a_query_may_repeat_under_further_facets():
    these = names(**FACETS)

    these.add_query(asked("q"), {"background": {"year": 1}})
    these.add_query(asked("q"), {"Method": {}})
    these.add_query(asked("q"), {"background": {"year": 1}})

    assert these.queries["q"].facets == {"background": {"year": 1}, "method": {}}
    assert these.queries["q"].is_listed
    assert problems_of(these) == []


def test_a_query_under_a_facet_again_has_the_same_columns():
    these = names(**FACETS)

    these.add_query(asked("q"), {"method": {"year": 1}})
    these.add_query(asked("q"), {"method": {"year": 2}})

    assert problems_of(these) == [
        "queries.csv, line 2: the query q stands under the facet method already, with other "
        "columns. Keep one of the two."
    ]


def test_queries_called_like_a_query_under_a_facet_are_noted_where_facets_are_judged():
    called = ["q_method", "r_background", "s_method", "t_method", "method", "q"]

    assert names(*called, **FACETS).note_on_topics("Take the CSV.") == [
        "Queries called like a query under a facet: q_method, r_background, s_method and 1 more. "
        "Nothing in the files says that they are, so each comes in as a query of its own, under "
        "all facets. Take the CSV."
    ]
    assert names("q", "method", **FACETS).note_on_topics("") == []
    assert names(*called, **FACETS, judged_by="aspects").note_on_topics("") == []


# Facets


@pytest.mark.parametrize("written", ["method", " METHOD ", "Methode", "METHODE"])
def test_a_facet_is_known_by_its_key_or_as_it_was_matched_in_any_case(written):
    these = names(**FACETS, mapping={"facets": {"Methode": "method"}})

    assert these.facet_of(written, HERE) == "method"


def test_a_facet_that_the_scheme_does_not_have_is_told_with_those_it_has():
    these, without = names(**FACETS), names()

    assert these.facet_of("mood", HERE) is None
    assert without.facet_of("mood", HERE) is None
    assert problems_of(these) == [
        "ratings.csv, line 7: the facet 'mood' is not in the scheme. The scheme has background, "
        "method; match the name with one of them."
    ]
    assert "The scheme has no facets; match" in problems_of(without)[0]


@pytest.mark.parametrize(
    ("cell", "facets"),
    [
        ("method", ["method"]),
        ("method, Background", ["method", "Background"]),
        ("method;background;", ["method", "background"]),
        ("method, mood", ["method, mood"]),
        ("mood", ["mood"]),
        # As a whole it is the name of one.
        ("Ends, means", ["Ends, means"]),
    ],
)
def test_a_cell_with_several_facets_is_divided_where_all_are_known(cell, facets):
    mapping = {"facets": {"Ends, means": "method", "ends": "method", "means": "background"}}

    assert names(**FACETS, mapping=mapping).facets_in(cell) == facets


# Aspects


def test_an_aspect_stands_at_several_places():
    these = names("q", "r", judged_by="aspects")

    these.add_aspect("a", "One?", "q", None, HERE)
    these.add_aspect("a", "", "r", None, HERE)
    these.add_aspect("a", "One?", "r", "b", HERE)

    assert these.aspects["a"].places == (
        TopicPlace("q"), TopicPlace("r"), TopicPlace("r", "b"),
    )  # fmt: skip
    assert problems_of(these) == []


@pytest.mark.parametrize(
    ("text", "query", "problem"),
    [
        ("Two?", "r", "the aspect a has another text in ratings.csv, line 7. One id has one text: "
         "correct one of the two."),
        ("One?", "q", "the aspect a stands at this place already. Keep one of the two."),
    ],
)  # fmt: skip
def test_an_aspect_has_one_text_and_stands_at_a_place_once(text, query, problem):
    these = names("q", "r", judged_by="aspects")

    these.add_aspect("a", "One?", "q", None, HERE)
    these.add_aspect("a", text, query, None, Place("aspects.csv", 3))

    assert problems_of(these) == [f"aspects.csv, line 3: {problem}"]


# Topics


def test_topics_under_facets_are_called_after_both():
    these = names("q", **FACETS)

    assert these.topic("q", "Method", HERE) == "q_method"
    assert these.topic_named("q_background", HERE) == "q_background"
    assert list(these.queries["q"].facets) == ["method", "background"]
    assert [these.query_of(topic) for topic in ("q_method", "q_background")] == ["q", "q"]


def test_a_plain_topic_is_called_after_its_query():
    these = names("q", judged_by="plain")

    assert these.topic("q", "", HERE) == these.topic_named("q", HERE) == "q"
    assert these.queries["q"].facets == {"relevance": {}}
    assert these.judged_level == "topic"


def test_of_a_scheme_with_one_facet_it_need_not_be_named():
    assert names("q", facets=("method",)).topic("q", "", HERE) == "q_method"


@pytest.mark.parametrize(
    ("query", "facet", "problem"),
    [
        ("", "method", f"no query is named. {IN_EACH_ROW}"),
        ("r", "method", "the query 'r' is not among the queries. Add it to them, or correct the "
         "id."),
        ("q", "", "it does not say which facet of the query 'q' is meant. Name a column with the "
         "facet (background, method)."),
        ("q", "mood", "the facet 'mood' is not in the scheme. The scheme has background, method; "
         "match the name with one of them."),
        ("s", "background", "the query s is not asked under the facet background. Add the facet to "
         "the query in queries.csv."),
    ],
)  # fmt: skip
def test_what_is_no_topic_is_told_once_and_counted_in_further_rows(query, facet, problem):
    these = names("q", **FACETS)
    these.add_query(asked("s"), {"method": {}})

    assert [these.topic(query, facet, HERE) for _ in range(3)] == [None] * 3

    assert problems_of(these) == [f"ratings.csv, line 7: {problem}"]
    assert these.problems.total == 3


def test_a_query_of_the_collection_may_be_named_without_being_brought():
    these = names(**FACETS, known_queries={"q": ""})

    assert these.topic("q", "method", HERE) == "q_method"
    assert these.is_query("q")
    assert not these.is_query("r")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("q", "the topic 'q' is not known. A topic is called after its query and facet "
         "(query_facet), or after its aspect."),
        ("r_method", "the topic 'r_method' is not known. A topic is called after"),
        ("q_mood", "the topic 'q_mood' is not known. A topic is called after"),
        ("_method", "the topic '_method' is not known. A topic is called after"),
        ("7.0", "the topic '7.0' is not known. There is 7, the same number as 7.0: pandas and"),
    ],
)  # fmt: skip
def test_a_topic_that_is_not_known_is_told(name, problem):
    these = names("q", "7", **FACETS)

    assert these.topic_named(name, HERE) is None
    [told] = problems_of(these)
    assert told.startswith(f"ratings.csv, line 7: {problem}")


def test_under_plain_relevance_a_topic_that_is_not_known_is_a_query_that_lacks():
    these = names("q", judged_by="plain")

    assert these.topic_named("r", HERE) is None
    assert problems_of(these) == [
        "ratings.csv, line 7: the topic 'r' is not known. A topic is called as its query is: add "
        "that to the queries, or correct the id."
    ]


def test_an_aspect_is_a_topic_of_its_own_or_of_the_collection():
    these = names("q", judged_by="aspects", known_topics={"b": ["r"], "c": ["r", "s"]})
    these.add_aspect("a", "One?", "q", None, HERE)

    assert these.topic("q", "a", HERE) == these.topic_named("a", HERE) == "a"
    assert these.topic("", "b", HERE) == these.topic_named("b", HERE) == "b"
    assert [these.query_of(topic) for topic in "abc"] == ["q", "r", ""]
    assert these.judged_level == "query"
    assert these.topic("q", "", HERE) is None
    assert problems_of(these) == [
        "ratings.csv, line 7: the aspect 'q' is not among the aspects. Add it to them, or correct "
        "the id."
    ]


def test_an_aspect_of_several_queries_belongs_to_none_of_them():
    these = names("q", "r", judged_by="aspects")
    these.add_aspect("a", "One?", "q", None, HERE)
    these.add_aspect("a", "One?", "r", None, HERE)

    assert these.topic_named("a", HERE) == "a"
    assert these.query_of("a") == ""
    assert these.pool_target("a", HERE) is None


def test_two_topics_of_one_name_are_told_of_the_second():
    these = names("a", "a_b", facets=("b_c", "c"))

    assert these.topic("a", "b_c", HERE) == "a_b_c"
    assert these.topic("a_b", "c", HERE) is None
    assert problems_of(these) == [
        "ratings.csv, line 7: the topic 'a_b_c' of the query 'a_b' has the name of a topic of the "
        "query 'a'. A topic is called after its query and facet: give one of the queries another "
        "id."
    ]


# Pools


def test_a_run_over_a_query_pools_all_of_its_topics_and_one_over_a_topic_that_alone():
    these = names("q", **FACETS)

    assert these.pool_target("q", HERE) == ("q", None)
    assert these.pool_target("q_method", HERE) == ("q", "q_method")
    assert these.pool_target("r", HERE) is None
    assert problems_of(these) == []


def test_a_run_may_name_an_aspect():
    these = names("q", judged_by="aspects")
    these.add_aspect("a", "One?", "q", None, HERE)

    assert these.pool_target("a", HERE) == ("q", "a")


def test_a_topic_that_a_run_cannot_mean_is_told_with_the_line_of_the_run():
    # Queries of the collection stand in none of the files.
    these = names(facets=("c", "b_c"), known_queries={"a": "", "a_b": ""})
    these.topic("a", "b_c", HERE)

    assert these.pool_target("a_b_c", Place("bm25.run", 4)) is None
    assert these.pool_target("a_b_c", Place("bm25.run", 5)) is None

    [problem] = these.problems.first
    assert (problem.file, problem.place) == ("bm25.run", "line 4")
    assert "'a_b_c' of the query 'a_b' has the name of a topic of the query 'a'" in problem.message
