"""Both ways to walk through a batch: the same pairs at the same addresses, in another order."""

import itertools
import uuid
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import set_way
from annotation.models import Batch, Pair
from annotation.reading.aspects import aspects_of, in_reading_order, mark_of
from annotation.reading.order import by_document, ordered_rows, walked_rows
from datasets.models import Import, Topic
from tests.factories.studies import (
    make_aspect_query,
    make_aspect_study,
    make_member,
    make_study,
    put_in_batch,
)
from tests.shelf import shelved

NODES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), min_size=1, max_size=12)
PAIRS = st.sets(st.tuples(st.integers(1, 6), st.integers(1, 8)), min_size=1, max_size=40)


def seat(seed="s", holder=7):
    return SimpleNamespace(seed=seed, holder=SimpleNamespace(public_id=uuid.UUID(int=holder)))


def rows_of(pairs):
    """Rows in the order by topic, of pairs of a topic and a document."""
    return [
        {
            "pk": topic * 100 + document,
            "topic_id": topic,
            "document_id": document,
            "document__external_id": f"d{document}",
            "position": position,
        }
        for position, (topic, document) in enumerate(sorted(pairs), start=1)
    ]


# --- the pure part ---


@given(PAIRS, st.permutations(range(1, 7)), st.randoms())
def test_by_document_every_document_stands_once_with_its_topics_in_reading_order(
    pairs, reading, random
):
    rows = rows_of(pairs)

    def rank_of(row):
        return reading.index(row["topic_id"])

    walked = by_document(rows, seat(), rank_of)

    assert sorted(row["position"] for row in walked) == [row["position"] for row in rows]
    documents = [row["document_id"] for row in walked]
    assert len(list(itertools.groupby(documents))) == len(set(documents))
    for _, of_document in itertools.groupby(walked, key=lambda row: row["document_id"]):
        places = [rank_of(row) for row in of_document]
        assert places == sorted(places)
    random.shuffle(rows)
    assert by_document(rows, seat(), rank_of) == walked


def test_documents_are_shuffled_by_seat_and_by_holder():
    rows = rows_of({(1, document) for document in range(1, 13)})

    orders = {
        tuple(row["document_id"] for row in by_document(rows, reader, lambda row: 0))
        for reader in (seat(), seat(seed="t"), seat(holder=8))
    }

    assert len(orders) == 3


@given(NODES)
def test_reading_order_is_the_tree_from_the_root_with_parents_first(nodes):
    places = [
        SimpleNamespace(pk=pk, parent_id=parent % pk or None, position=position)
        for pk, (parent, position) in enumerate(nodes, start=1)
    ]

    read = list(in_reading_order(places))

    assert {place.pk for place, _ in read} == {place.pk for place in places}
    assert [numbers for _, numbers in read] == sorted(numbers for _, numbers in read)
    numbers_of = {place.pk: numbers for place, numbers in read}
    for place in places:
        parent = numbers_of.get(place.parent_id, ())
        assert numbers_of[place.pk][:-1] == parent


@pytest.mark.parametrize(
    ("numbers", "mark"),
    [
        ((1,), "A"),
        ((26,), "Z"),
        ((27,), "AA"),
        ((703,), "AAA"),
        ((2, 1), "B1"),
        ((1, 3, 2), "A3.2"),
    ],
)
def test_marks_are_letters_then_numbers(numbers, mark):
    assert mark_of(numbers) == mark


# --- on a study ---


@shelved
def study(db):
    return make_aspect_study(in_one_batch=True)


def addresses(rows):
    return {row["position"]: row["pk"] for row in rows}


def test_the_way_changes_the_walk_and_no_address(study):
    by_topic = walked_rows(study.seat("alice"))

    set_way(batch=study.batch, way="document", by=study.lena)

    by_document_ = walked_rows(study.seat("alice"))
    assert addresses(by_document_) == addresses(by_topic)
    assert [row["position"] for row in by_topic] == list(range(1, 13))
    assert [row["position"] for row in by_document_] != list(range(1, 13))


def test_under_a_document_aspects_come_as_in_the_tree(study):
    set_way(batch=study.batch, way="document", by=study.lena)
    # The tree is changed after the topics were numbered: 3 with 2 comes before 0 with 1 and 2.
    study.topics[0].places.update(position=9)

    walked = walked_rows(study.seat("alice"))

    topics = [row["topic__external_id"] for row in walked]
    assert topics == ["3", "2", "0", "1"] * 3


@pytest.mark.parametrize("way", Batch.Way)
def test_pairs_are_shuffled_by_seat_and_by_holder_in_both_ways(db, way):
    study = make_study(candidates=12)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    set_way(batch=study.batch, way=way, by=study.lena)

    def order(name):
        return [row["document__external_id"] for row in walked_rows(study.seat(name))]

    orders = [order("alice"), order("bob")]
    assert order("alice") == orders[0]
    assign_seat(seat=study.seat("bob"), member=study.members["erin"], by=study.lena)
    orders.append(order("erin"))

    assert len(set(map(tuple, orders))) == 3
    assert len(set(map(frozenset, orders))) == 1


def test_by_topic_the_topics_of_a_batch_follow_each_other(study):
    walked = walked_rows(study.seat("alice"))

    topics = [topic for topic, _ in itertools.groupby(row["topic_id"] for row in walked)]
    assert topics == [topic.pk for topic in study.topics]


def test_aspects_carry_marks_and_a_text_that_stands_twice_says_where_first(study):
    places = study.collection.queries.get().places.select_related("topic")

    tree = aspects_of(places)

    assert [(a.mark, a.level, a.same_as) for a in tree] == [
        ("A", 0, ""),
        ("A1", 1, ""),
        ("A2", 1, ""),
        ("B", 0, ""),
        ("B1", 1, "A2"),
    ]


def test_a_pair_is_shown_with_the_first_query_whose_pool_holds_the_document(study):
    collection = study.collection
    second = make_aspect_query(
        collection, query_id="1", tree={"0": [], "9": []}, documents=("d2", "d9")
    )
    first = collection.queries.get(external_id="0")

    shown = {
        (pair.topic.external_id, pair.document.external_id): pair.query_id
        for pair in Pair.objects.with_query().select_related("topic", "document")
    }

    assert shown["0", "d2"] == first.pk
    assert shown["0", "d9"] == second.pk
    assert shown["9", "d2"] == second.pk


def test_a_pair_outside_every_pool_is_shown_with_the_first_query_of_its_topic(study):
    query = study.collection.queries.get()
    query.candidates.all().delete()

    assert {pair.query_id for pair in Pair.objects.with_query()} == {query.pk}


def test_a_query_of_an_import_under_way_is_not_shown(study):
    under_way = Import.objects.create(collection=study.collection, kind="test", fingerprint="f")
    query = make_aspect_query(study.collection, query_id="1", tree={"0": []}, documents=("d1",))
    type(query).objects.filter(pk=query.pk).update(imported=under_way, position=0)
    study.collection.queries.exclude(pk=query.pk).update(position=5)

    pair = Pair.objects.with_query().get(topic=study.topics[0], document__external_id="d1")

    assert pair.query_id != query.pk
    assert Topic.objects.filter(queries=query).exists()


@pytest.mark.parametrize(("way", "count"), [("topic", 1), ("document", 3)])
@pytest.mark.parametrize("documents", [["e1"], [f"e{n}" for n in range(20)]])
def test_a_walk_takes_the_same_statements_whatever_its_size(
    db, django_assert_num_queries, way, count, documents
):
    study = make_aspect_study(in_one_batch=True, way=way, query={"documents": documents})
    make_aspect_query(study.collection, query_id="1", documents=["f1"])
    put_in_batch(study, Pair.objects.filter(batch=None), study.batch)
    seat_ = study.batch.seats.select_related("batch", "holder").get(ordinal=1)

    with django_assert_num_queries(count):
        assert len(walked_rows(seat_)) == 4 * (len(documents) + 1)


def test_by_document_an_aspect_of_several_queries_stands_where_it_is_shown(study):
    second = make_aspect_query(
        study.collection, query_id="1", tree={"9": [], "2": ["8"]}, documents=("d1", "e1")
    )
    put_in_batch(study, Pair.objects.filter(batch=None), study.batch)
    set_way(batch=study.batch, way="document", by=study.lena)

    walked = walked_rows(study.seat("alice"))

    shown = {pair.pk: pair.query_id for pair in Pair.objects.with_query()}
    topics = {"d1": [], "d2": [], "e1": []}
    for row in walked:
        if row["document__external_id"] in topics:
            topics[row["document__external_id"]].append(row["topic__external_id"])
    assert topics == {
        "d1": ["0", "1", "2", "3", "9", "8"],
        "d2": ["0", "1", "2", "3"],
        "e1": ["9", "2", "8"],
    }
    assert [shown[row["pk"]] == second.pk for row in walked].count(True) == 2 + 3


def test_what_a_predecessor_rated_is_left_out_in_both_ways(study):
    study.rate("alice", study.first_pair("alice"), "agree")
    seat_ = study.seat("alice")
    seat_.holder = study.members["carol"]  # as after a reassignment

    for way in ("topic", "document"):
        seat_.batch.way = way
        assert len(walked_rows(seat_)) == len(ordered_rows(seat_)) == 11
