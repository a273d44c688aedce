"""Scores, rankings and sub-queries against hand-made cases and a slow second computation."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.scores import (
    Aspect,
    ComplexQuery,
    Rule,
    Sentence,
    ValueTable,
    as_float,
    aspects_beyond,
    histogram,
    ranking,
    scaled,
    score,
    spread,
    sub_queries,
    sub_query,
)
from evaluation.scores.ranking import ranks
from tests.evaluation.scores import reference

IDS = list("0123456789")
DOCUMENTS = [f"d{number}" for number in range(6)]


def make_query(aspects, links=None, query_id="q"):
    """From {aspect: [sub-aspects]} and {sentence: [ids]}."""
    tree = tuple(
        Aspect(root, tuple(dict.fromkeys([root, *below]))) for root, below in aspects.items()
    )
    sentences = tuple(Sentence(text, frozenset(ids)) for text, ids in (links or {}).items())
    return ComplexQuery(query_id, tree, sentences)


def make_table(ids, values, documents=DOCUMENTS):
    """From {(id, document): value}."""
    nested = {}
    for (id_, document), value in values.items():
        nested.setdefault(id_, {})[document] = scaled(value)
    return ValueTable.of(ids, documents, nested)


@st.composite
def studies(draw):
    """A query whose ids stand at several places, its sentences, and values with gaps."""
    roots = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=5, unique=True))
    aspects = {
        root: draw(st.lists(st.sampled_from(IDS), max_size=4, unique=True).map(
            lambda below, root=root: [sub for sub in below if sub != root]
        ))
        for root in roots
    }  # fmt: skip
    links = {
        f"Sentence {number}.": draw(st.lists(st.sampled_from([*IDS, "elsewhere"]), max_size=3))
        for number in range(draw(st.integers(0, 6)))
    }
    query = {"aspects": aspects, "links": links, "pool": DOCUMENTS}
    value = st.sampled_from([Decimal(0), Decimal(1), Decimal(2), Decimal("0.5"), None])
    values = {
        (id_, document): given
        for id_ in reference.ids_of(query, aspects)
        for document in DOCUMENTS
        if (given := draw(value)) is not None
    }
    return query, values


# Scores


def test_an_id_under_two_aspects_counts_once():
    query = make_query({"a": ["x", "y"], "b": ["x"]})

    assert query.ids == ("a", "x", "y", "b")
    values = {(id_, "d0"): 2 for id_ in query.ids}
    scored = score(make_table(query.ids, values, ["d0"]), [query.ids])
    assert (scored.sizes.tolist(), scored.sums.tolist()) == ([4], [[8000]])


def test_a_score_is_relevant_from_one_on():
    table = make_table("ab", {("a", "d0"): 0, ("b", "d0"): 2, ("a", "d1"): 0, ("b", "d1"): 1})

    scored = score(table, ["ab"])

    assert scored.is_relevant.tolist() == [[True, False, False, False, False, False]]


def test_published_floats_come_out_as_dividing_integers_gives_them():
    assert as_float(13_000, 15) == 13 / 15 == 0.8666666666666667
    assert as_float(1_000, 3) == 1 / 3


def test_a_score_of_no_aspect_is_refused():
    with pytest.raises(ValueError, match="at least one aspect"):
        score(make_table("a", {}), [[]])


def test_values_with_more_than_three_places_are_refused_not_rounded():
    with pytest.raises(ValueError, match=r"0\.0005"):
        scaled(Decimal("0.0005"))


@given(studies(), st.data())
def test_scores_and_ranks_are_those_of_a_slow_computation(study, data):
    query, values = study
    chosen = data.draw(st.lists(st.sampled_from(list(query["aspects"])), min_size=1, unique=True))
    tree = make_query(query["aspects"])
    ids = tree.ids_of(tree.chosen(chosen))

    places = ranking(score(make_table(tree.ids, values), [ids]))

    expected = reference.scores(query, chosen, values)
    ranked = {place.document: place for place in places if place.rank is not None}
    assert {
        document: (Fraction(place.total, 1000), place.score, place.is_relevant)
        for document, place in ranked.items()
    } == expected
    assert {document: place.rank for document, place in ranked.items()} == {
        document: reference.rank_of(document, expected) for document in expected
    }
    for place in places:
        assert place.known == sum((id_, place.document) in values for id_ in ids)
        assert place.size == len(ids)


@given(studies())
def test_all_sub_queries_at_once_score_as_each_alone(study):
    query, values = study
    tree = make_query(query["aspects"], query["links"])
    parts = list(sub_queries(tree))
    if not parts:
        return

    scores = score(make_table(tree.ids, values), [part.ids for part in parts])

    for row, part in enumerate(parts):
        expected = reference.scores(query, [aspect.id for aspect in part.aspects], values)
        assert {
            document: Fraction(int(total), 1000)
            for document, total, is_complete in zip(
                scores.documents, scores.sums[row], scores.is_complete[row], strict=True
            )
            if is_complete
        } == {document: total for document, (total, _, _) in expected.items()}


# Rankings


def test_equal_scores_share_a_rank_and_stand_in_the_order_of_their_ids():
    values = {("a", d): v for d, v in [("d1", 2), ("d10", 1), ("d9", 1), ("d0", 1), ("d2", 0)]}
    table = make_table("a", values, ["d9", "d2", "d10", "d1", "d0"])

    places = ranking(score(table, ["a"]))

    assert [(place.document, place.rank, place.is_tied) for place in places] == [
        ("d1", 1, False), ("d0", 2, True), ("d10", 2, True), ("d9", 2, True), ("d2", 5, False),
    ]  # fmt: skip


def test_two_documents_with_one_score_are_tied():
    values = {("a", "d1"): 2, ("a", "d2"): 1, ("a", "d3"): 1}

    places = ranking(score(make_table("a", values, ["d1", "d2", "d3"]), ["a"]))

    assert [place.is_tied for place in places] == [False, True, True]


def test_documents_without_every_value_have_no_rank_and_come_last():
    table = make_table("ab", {("a", "d0"): 0, ("b", "d0"): 0, ("a", "d2"): 2, ("b", "d1"): 2})

    places = ranking(score(table, ["ab"]))

    assert [(place.document, place.rank, place.known) for place in places[:4]] == [
        ("d0", 1, 2), ("d1", None, 1), ("d2", None, 1), ("d3", None, 0),
    ]  # fmt: skip
    assert not any(place.is_relevant for place in places)
    assert places[1].score is None


def test_values_below_zero_rank_above_what_is_not_known():
    values = {("a", "d0"): Decimal("-999.999"), ("a", "d1"): Decimal(-1)}

    assert ranks(score(make_table("a", values), ["a"])).tolist() == [[2, 1, 0, 0, 0, 0]]


def test_an_empty_pool_has_an_empty_ranking():
    assert ranking(score(make_table("a", {}, []), ["a"])) == []


# Sub-queries


@given(studies(), st.sampled_from([2, 3]))
def test_sub_queries_are_those_of_the_rule(study, size):
    query, _ = study
    tree = make_query(query["aspects"], query["links"])

    texts = {
        tuple(aspect.id for aspect in part.aspects): part.text for part in sub_queries(tree, [size])
    }

    assert texts == reference.sub_queries(query, size)


@given(studies(), st.sampled_from([2, 3]))
def test_with_links_to_aspects_alone_they_are_those_of_the_published_code(study, size):
    """Where every aspect has a sentence, as in the published queries. The code only counts the
    aspects of a combination's sentences, and so takes a third one for one without sentences."""
    query, _ = study
    query["links"] = {
        sentence: [link for link in links if link in query["aspects"]]
        for sentence, links in query["links"].items()
    } | {f"On {aspect}.": [aspect] for aspect in query["aspects"]}
    tree = make_query(query["aspects"], query["links"])

    texts = {
        tuple(aspect.id for aspect in part.aspects): part.text for part in sub_queries(tree, [size])
    }

    assert texts == reference.published_sub_queries(query, size)


@given(studies(), st.sampled_from([2, 3]))
def test_the_rule_of_the_code_is_that_of_the_published_code(study, size):
    query, _ = study
    tree = make_query(query["aspects"], query["links"])

    texts = {
        tuple(aspect.id for aspect in part.aspects): part.text
        for part in sub_queries(tree, [size], rule=Rule.CODE)
    }

    assert texts == reference.published_sub_queries(query, size)


def test_the_rules_differ_where_an_aspect_has_no_sentence():
    query = make_query({"a": [], "b": [], "c": []}, {"One.": ["a", "c"], "Two.": ["c"]})

    assert [part.id for part in sub_queries(query, [2])] == ["q_a+c"]
    assert [part.id for part in sub_queries(query, [2], rule=Rule.CODE)] == [
        "q_a+b", "q_a+c", "q_b+c",
    ]  # fmt: skip


def test_texts_follow_the_aspects_and_repeat_nothing():
    links = {"One.": ["a"], "Two.": ["b"], "Three.": ["a", "b"], "Four.": ["c"], "Five.": []}
    query = make_query({"a": [], "b": [], "c": []}, links)

    assert {part.id: part.text for part in sub_queries(query, [2])} == {
        "q_a+b": "One. Three. Two.",
    }
    [three] = sub_queries(query, [3])
    assert (three.id, three.text) == ("q_a+b+c", "One. Three. Two. Four.")


def test_what_an_unchosen_aspect_shares_a_sentence_with_is_named():
    query = make_query({"a": [], "b": ["x"], "c": []}, {"One.": ["a", "x"], "Two.": ["c"]})

    [beyond] = aspects_beyond(query, query.chosen(["a", "c"]))

    assert beyond.id == "b"


def test_an_aspect_without_sentences_adds_its_ids_but_no_words():
    query = make_query({"a": ["x"], "b": ["y"]}, {"One.": ["a"]})

    [only] = sub_queries(query, [2])

    assert (only.ids, only.text) == (("a", "x", "b", "y"), "One.")


def test_a_query_whose_sentences_are_linked_to_nothing_has_no_sub_queries():
    assert list(sub_queries(make_query({"a": [], "b": []}, {"One.": [], "Two.": []}))) == []


@given(
    st.lists(
        st.tuples(st.text("a_+%", min_size=1, max_size=4), st.lists(
            st.text("a_+%", min_size=1, max_size=3), min_size=2, max_size=3, unique=True)),
        min_size=2, max_size=4, unique_by=lambda case: (case[0], tuple(case[1])),
    )
)  # fmt: skip
def test_no_two_sub_queries_share_an_id(chosen):
    names = []
    for query_id, ids in chosen:
        query = make_query({id_: [] for id_ in ids}, query_id=query_id)
        names.append(sub_query(query, query.aspects).id)

    assert len(set(names)) == len(names)
    assert not any(character.isspace() for name in names for character in name)


# Summaries


def test_a_spread_of_nothing_is_none():
    assert spread([]) is None
    assert spread([3, 1]) == spread([1, 3])
    assert (spread([1, 2, 2]).mean, spread([1, 2, 2]).greatest) == (Fraction(5, 3), 2)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)), max_size=30),
    st.integers(1, 20),
)
def test_steps_of_a_histogram_are_compared_exactly(scores, steps):
    pairs = [(min(total, 2 * size) * 1000, size) for total, size in scores]

    bars = histogram(
        [total for total, _ in pairs], [size for _, size in pairs], low=0, high=2000, steps=steps
    )

    expected = [0] * steps
    for total, size in pairs:
        value = Fraction(total, 1000 * size)
        step = next(
            number for number in range(steps)
            if number == steps - 1 or value < bars.borders[number + 1]
        )  # fmt: skip
        expected[step] += 1
    assert list(bars.counts) == expected
    assert (bars.borders[0], bars.borders[-1]) == (0, 2)


def test_a_hundred_queries_have_their_thousands_of_sub_queries_scored_at_once():
    """As large as the published collection; compared with the slow computation throughout."""
    random = np.random.default_rng(20231006)
    total = 0
    for number in range(100):
        aspects = {
            f"{number}.{aspect}": [f"{number}.{aspect}.{sub}" for sub in range(2)]
            for aspect in range(7)
        }
        links = {f"Sentence {aspect}.": [f"{number}.{aspect}"] for aspect in range(7)}
        query = make_query(aspects, links, str(number))
        documents = [f"d{place}" for place in range(100)]
        drawn = random.integers(0, 3, (len(query.ids), 100))
        values = {
            id_: {
                document: int(drawn[row, column]) * 1000
                for column, document in enumerate(documents)
            }
            for row, id_ in enumerate(query.ids)
        }
        parts = list(sub_queries(query))
        scores = score(ValueTable.of(query.ids, documents, values), [part.ids for part in parts])
        total += len(parts)
        for row in (0, len(parts) - 1):
            assert scores.sums[row].tolist() == [
                sum(values[id_][document] for id_ in parts[row].ids) for document in documents
            ]

    assert total == 100 * (21 + 35)
