"""The last step of reading a study: topics are made, and the records compared with each other."""

import pytest

from formats.assemble import Assembly
from formats.completing import NO_POOL, completed
from formats.problems import BadInputError
from formats.reading import Options
from formats.records import (
    MAX_TOPIC_ID_LENGTH,
    NOT_RATED,
    Decision,
    Document,
    JudgmentSet,
    Place,
    PoolEntry,
    Query,
    Rating,
    Run,
    Sentence,
    Study,
)

HERE = Place("ratings.csv", 7)
FACETS = {"judged_by": "facets", "facets": ("background", "method")}


def study(*, queries=("q",), documents=("d",), **options):
    """A study with these queries and documents, before it is completed."""
    these = Assembly(Study("tables"), Options(**{"judged_by": "plain"} | options))
    for query in queries:
        these.add_query(asked(query))
    for document in documents:
        these.add_document(paper(document))
    return these


def asked(query, text="", document=""):
    text = "" if document else text or f"What of {query}?"
    return Query(query, text, document, "", "", {}, Place("queries.csv", 2))


def paper(name, text="One."):
    sentences = (Sentence(text),) if text else ()
    return Document(name, "T", sentences, text, {}, Place("documents.csv", 3))


def pool(these, document="d", query="q", topic=None, sources=("bm25",), side="", place=HERE):
    these.add_pool(PoolEntry(query, topic, document, sources, None, "", side, place))


def rate(these, document="d", rater="ann", topic="q", overlap=0, place=HERE):
    these.add_rating(
        Rating(topic, document, rater, "2", "", "", "", place, overlap=overlap)
    )  # fmt: skip


def decide(these, document="d", topic="q"):
    these.add_decision(Decision(topic, document, "", "2", "", "", "", "", HERE))


def problems_of(these):
    with pytest.raises(BadInputError) as caught:
        completed(these)
    return [str(problem) for problem in caught.value.problems]


# Topics


def test_a_plain_query_is_one_topic_with_its_own_name():
    topics = completed(study(queries=("q", "r"))).topics

    assert [topic[:4] for topic in topics] == [
        ("q", "relevance", "", (("q", None),)),
        ("r", "relevance", "", (("r", None),)),
    ]


def test_a_query_has_the_topics_that_its_rows_name_else_one_for_each_facet():
    these = study(queries=("q",), **FACETS)
    these.add_query(asked("r"), {"method": {"year": 1}})

    assert [(topic.id, topic.facet, topic.metadata) for topic in completed(these).topics] == [
        ("q_background", "background", {}),
        ("q_method", "method", {}),
        ("r_method", "method", {"year": 1}),
    ]


def test_of_a_query_that_says_no_facets_the_rated_one_is_its_topic():
    these = study(**FACETS)
    rate(these, topic=these.topic("q", "method", HERE))

    assert [topic.id for topic in completed(these).topics] == ["q_method"]


def test_a_topic_whose_name_is_too_long_is_refused():
    longest = "q" * (MAX_TOPIC_ID_LENGTH - len("_method"))

    completed(study(queries=(longest,), judged_by="facets", facets=("method",)))
    [problem] = problems_of(study(queries=(longest + "q",), judged_by="facets", facets=("method",)))

    assert problem.startswith("queries.csv, line 2: the identifier 'qqq")
    assert problem.endswith(" is too long.")


def test_two_topics_that_would_have_one_name_are_refused_without_being_rated():
    these = study(queries=("a", "a_b"), judged_by="facets", facets=("c", "b_c"))

    [problem] = problems_of(these)

    assert problem.startswith(
        "queries.csv, line 2: the topic 'a_b_c' of the query 'a_b' has the name of a topic of the "
        "query 'a'."
    )


def aspects(*rows, queries=("q",)):
    these = study(queries=queries, judged_by="aspects")
    for aspect, text, query, parent in rows:
        these.add_aspect(aspect, text, query, parent, Place("aspects.csv", 4))
    return these


def test_aspects_are_topics_of_two_levels():
    these = aspects(("b", "Two?", "q", "a"), ("a", "One?", "q", None))

    assert [(topic.id, topic.text, topic.places) for topic in completed(these).topics] == [
        ("b", "Two?", (("q", "a"),)),
        ("a", "One?", (("q", None),)),
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("b", "", "q", None), "the aspect b has no text. Write what it asks for."),
        (("b", "Two?", "s", None), "the query 's' of the aspect b is not among the queries. Add it "
         "to them, or correct the id."),
        (("b", "Two?", "q", "z"), "the aspect 'z' above b is not an aspect of the query q. Name an "
         "aspect of the same query."),
        # It stands in another query.
        (("b", "Two?", "r", "a"), "the aspect 'a' above b is not an aspect of the query r. Name an "
         "aspect of the same query."),
        # It is below another itself.
        (("c", "Two?", "q", "below"), "the aspect 'below' above c is not an aspect of the query q. "
         "Name an aspect of the same query."),
        (("b", "Two?", "q", "b"), "the aspect 'b' above b is not an aspect of the query q. Name an "
         "aspect of the same query."),
    ],
)  # fmt: skip
def test_an_aspect_stands_in_the_tree_of_a_query(row, problem):
    these = aspects(
        ("a", "One?", "q", None), ("below", "So?", "q", "a"), row, queries=("q", "r")
    )  # fmt: skip

    assert problems_of(these) == [f"aspects.csv, line 4: {problem}"]


# Query documents


def test_a_query_that_is_a_paper_needs_its_text():
    these = study(documents=("p", "empty"))
    these.add_document(paper("blank", ""))
    for query, document in [("a", "p"), ("b", "none"), ("c", "blank")]:
        these.add_query(asked(query, document=document))

    assert problems_of(these) == [
        f"queries.csv, line 2: the document '{document}' of the query {query} has no text. Add it "
        "to the documents."
        for query, document in [("b", "none"), ("c", "blank")]
    ]


def test_a_paper_of_the_collection_may_be_a_query():
    these = study(known_documents=frozenset({"p"}))
    these.add_query(asked("a", document="p"))

    assert [query.document for query in completed(these).queries] == ["", "p"]


def test_a_query_paper_that_came_with_its_query_is_a_document_once():
    these = study(documents=("p",))
    these.add_query(asked("p", document="p"))
    these.add_query_document(paper("p"))

    read = completed(these)

    assert [query.document for query in read.queries] == ["", "p"]
    assert read.documents.ids == ["p"]


def test_a_query_paper_that_has_the_id_of_another_candidate_gets_one_of_its_own():
    these = study(documents=("p",))
    these.add_query(asked("p", document="p"))
    these.add_query_document(paper("p", "Another."))

    read = completed(these)

    assert [query.document for query in read.queries] == ["", "query-p"]
    assert {document.id: document.text for document in read.documents} == {
        "p": "One.", "query-p": "Another.",
    }  # fmt: skip


# Pools


def test_without_a_pool_the_rated_documents_are_it_in_the_order_of_their_answers():
    these = study(documents="dcb", **FACETS)
    for document in "bdb":
        rate(these, document, topic=these.topic("q", "method", HERE))
    decide(these, "c", topic=these.topic("q", "background", HERE))

    assert [(entry.topic, entry.document) for entry in completed(these).pool] == [
        ("q_method", "b"),
        ("q_method", "d"),
        ("q_background", "c"),
    ]


def test_beside_side_texts_the_rated_documents_are_the_pool():
    these = study(documents="cd")
    pool(these, "c", sources=(), side="An answer.")
    rate(these, "c")
    rate(these, "d")

    assert [(entry.document, entry.side_text) for entry in completed(these).pool] == [
        ("c", "An answer."),
        ("d", ""),
    ]


@pytest.mark.parametrize(("sources", "side"), [(("bm25",), "An answer."), ((), "")])
def test_where_there_is_a_pool_a_document_is_rated_in_it(sources, side):
    these = study(documents="cd")
    pool(these, "c", sources=sources, side=side)
    rate(these, "d")

    assert problems_of(these) == [
        "ratings.csv, line 7: the document d is rated for q and in none of its pools. Add it to "
        "the pool, or correct the id."
    ]


def test_a_pool_of_a_query_is_that_of_all_its_topics_and_one_of_a_topic_is_not():
    whole, part = (study(documents="d", **FACETS) for _ in range(2))
    for these in (whole, part):
        method, background = (these.topic("q", facet, HERE) for facet in ("method", "background"))
        pool(these, topic=None if these is whole else background)
        rate(these, topic=method)

    assert [entry.topic for entry in completed(whole).pool] == [None]
    assert "rated for q_method and in none of its pools" in problems_of(part)[0]


@pytest.mark.parametrize("answer", [rate, decide])
def test_what_is_answered_has_a_text(answer):
    these = study()
    answer(these, "none")

    assert problems_of(these) == [
        "ratings.csv, line 7: the document 'none' is rated and has no text. Add it to the "
        "documents, or correct the id."
    ]


def test_a_document_that_many_rows_lack_is_told_once_and_counted():
    these = study()
    for line, rater in enumerate(("ann", "ben", "cat"), start=7):
        rate(these, "none", rater, place=Place("ratings.csv", line))

    with pytest.raises(BadInputError) as caught:
        completed(these)

    assert (len(caught.value.problems), caught.value.total) == (1, 3)


def test_a_candidate_without_text_is_kept_and_its_query_must_be_known():
    these = study()
    pool(these, "none")
    assert [entry.document for entry in completed(these).pool] == ["none"]

    these = study()
    pool(these, query="r")
    pool(these, "e", query="r")
    assert problems_of(these) == [
        "ratings.csv, line 7: the query 'r' is not among the queries. Add it to them, or correct "
        "the id."
    ]


@pytest.mark.parametrize(
    ("written", "remedy"),
    [("7.0", "There is 007, the same number as 7.0: "), ("7", "There is 007, the same number")],
)
def test_a_candidate_whose_number_was_written_anew_is_told_also_where_nobody_rated_it(
    written, remedy
):
    these = study(documents=("007",))
    pool(these, written)

    [problem] = problems_of(these)

    assert problem.startswith(
        f"ratings.csv, line 7: the document '{written}' of a pool has no text. {remedy}"
    )


def test_a_document_that_was_left_as_nothing_named_it_tells_of_a_number_written_anew():
    these = study(documents=())
    these.checked_ids.add("007")
    these.study.unpooled_documents = 1
    rate(these, "7")

    [problem] = problems_of(these)

    assert "There is 007, the same number as 7: " in problem


def test_documents_without_text_that_no_pool_names_are_noted():
    these = study()
    for number in range(21):
        these.add_document(paper(f"e{number:02}", ""))
    these.add_document(paper("pooled", ""))
    pool(these, "pooled")

    assert completed(these).notes == [
        "Documents without text, which are not kept (21): "
        f"{', '.join(f'e{number:02}' for number in range(20))} and others."
    ]


# Overlap and gaps


def test_the_overlap_of_a_pair_is_the_same_in_all_its_rows():
    these = study()
    rate(these, rater="ann", overlap=3)
    rate(these, rater="ben", overlap=0)
    rate(these, rater="cat", overlap=4, place=Place("ratings.csv", 9))

    assert problems_of(these) == [
        "ratings.csv, line 9: the overlap of q, d is 4 here, and 3 in ratings.csv, line 7. Write "
        "the same number in each row of a pair."
    ]


def test_a_pair_has_no_more_answers_than_its_overlap():
    these = study(documents="de")
    for rater in ("ann", "ben"):
        rate(these, "d", rater, overlap=2)
        rate(these, "e", rater, overlap=1)

    assert problems_of(these) == [
        "ratings.csv, line 7: the overlap of q, e is 1, and 2 people rated it. Correct the number, "
        "or match no column with the overlap."
    ]


def test_who_left_out_a_pair_of_their_topic_did_not_rate_it():
    these = study(documents="de")
    rate(these, "d", "ann")
    rate(these, "d", "ben")
    rate(these, "e", "ann")

    gaps = [rating for rating in completed(these).ratings if rating.reason == NOT_RATED]

    assert [(gap.document, gap.rater, gap.grade) for gap in gaps] == [("e", "ben", None)]


def test_where_answers_are_to_come_nobody_left_out_a_pair():
    these = study(documents="de", answers_to_come=2)
    rate(these, "d", "ann")
    rate(these, "d", "ben")
    rate(these, "e", "ann")

    assert [rating.reason for rating in completed(these).ratings] == ["", "", ""]


# Notes


def test_queries_with_the_same_text_are_noted():
    these = study()
    for query, text in [("a", "So?"), ("b", "So?"), ("c", "Why?"), ("e", "So?"), ("f", "So?")]:
        these.add_query(asked(query, text))

    assert completed(these).notes == [
        "Queries with the same text (1), each of which is rated by itself: a (queries.csv, line "
        "2), b (queries.csv, line 2), e (queries.csv, line 2) and 1 more."
    ]


def test_papers_as_queries_have_no_text_to_be_the_same():
    these = study(queries=(), documents="de")
    for document in "de":
        these.add_query(asked(document, document=document))

    assert completed(these).notes == []


def judged(these):
    these.study.judgments.append(JudgmentSet("NIST", "topic", "qrels.txt", "", "", []))
    return these


def test_judgments_alone_are_no_pool_which_is_noted():
    assert completed(judged(study())).notes == [NO_POOL]
    assert completed(study()).notes == []
    assert completed(judged(study(queries=()))).notes == []
    assert completed(judged(study(known_topics={"t": ["q"]}))).notes == []


@pytest.mark.parametrize("way", ["pool", "run"])
def test_beside_a_pool_or_a_run_judgments_need_no_word(way):
    these = judged(study())
    if way == "pool":
        pool(these)
    else:
        these.study.runs.append(Run("bm25", "a.run", "", []))

    assert completed(these).notes == []


def test_problems_of_reading_are_raised_before_anything_is_compared():
    these = study()
    these.problem(HERE, "broken.")
    rate(these, "none")

    assert problems_of(these) == ["ratings.csv, line 7: broken."]
