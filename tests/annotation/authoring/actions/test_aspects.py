"""Writing the aspects of a query."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from annotation.authoring.actions.aspects import (
    MAX_ASPECT_LENGTH,
    add_aspect,
    edit_aspect,
    move_aspect,
)
from annotation.authoring.actions.queries import write_query
from annotation.authoring.rules import tree_of
from annotation.models import Pair
from annotation.reading.fixed import Fixed
from annotation.schemes.actions import load_definition
from audit.models import Event
from audit.refusals import Invalid, Locked, Refused, Stale
from datasets.models import Topic
from datasets.tree import Step
from tests.factories.studies import (
    assign_all,
    make_aspect_query,
    make_aspect_study,
    make_collection,
    make_member,
    put_in_batch,
)
from tests.shelf import shelved


@shelved
def study(db):
    """Four aspects over three documents, in batches, with nothing rated."""
    return make_aspect_study()


@shelved
def waiting(study):
    """A second query of the collection whose pairs wait: aspects 10 (with 11) and 12."""
    return make_aspect_query(
        study.collection, "1", {"10": ["11"], "12": []}, documents=("d1", "e1", "e2")
    )


def shape(query):
    return [(aspect.topic, [sub.topic for sub in aspect.subs]) for aspect in tree_of(query)]


def place(query, topic, under=None):
    places = query.places.filter(topic__external_id=topic)
    if under:
        places = places.filter(parent__topic__external_id=under)
    return places.get()


def documents_of(topic):
    pairs = Pair.objects.filter(topic__external_id=topic)
    return sorted(pairs.values_list("document__external_id", flat=True))


def test_a_new_aspect_comes_last_with_its_own_number_and_waiting_pairs(study, waiting):
    added = add_aspect(query=waiting, text=" Works  in\nthe dark. ", by=study.lena)

    assert shape(waiting) == [("10", ["11"]), ("12", []), ("13", [])]
    assert added.topic.text == "Works in the dark."
    assert documents_of("13") == ["d1", "e1", "e2"]
    assert not Pair.objects.filter(topic=added.topic, batch__isnull=False).exists()
    [event] = Event.objects.about(added.topic)
    assert (event.verb, event.after["pairs"]) == ("add aspect", 3)


def test_an_aspect_may_be_put_under_another_but_not_under_a_sub_aspect(study, waiting):
    add_aspect(query=waiting, text="In the dark.", parent=place(waiting, "12"), by=study.lena)

    assert shape(waiting) == [("10", ["11"]), ("12", ["13"])]
    with pytest.raises(Invalid, match="no sub-aspects"):
        add_aspect(query=waiting, text="More.", parent=place(waiting, "11"), by=study.lena)


def test_a_text_that_the_collection_has_is_the_same_topic(study, waiting):
    before = set(Pair.objects.values_list("pk", flat=True))

    added = add_aspect(query=waiting, text="The method works on  sound.", by=study.lena)

    assert added.topic.external_id == "1"
    assert documents_of("1") == ["d1", "d2", "d3", "e1", "e2"]
    assert before < set(Pair.objects.values_list("pk", flat=True))


@pytest.mark.parametrize("text", ["", "  ", "x" * (MAX_ASPECT_LENGTH + 1)])
def test_an_aspect_without_text_or_with_too_much_is_refused(study, waiting, text):
    with pytest.raises(Invalid):
        add_aspect(query=waiting, text=text, by=study.lena)


def test_one_text_does_not_stand_twice_at_one_place_nor_under_itself(study, waiting):
    with pytest.raises(Invalid, match="already"):
        add_aspect(query=waiting, text="The paper does 12.", by=study.lena)
    with pytest.raises(Invalid, match="its own"):
        add_aspect(
            query=waiting, text="The paper does 12.", parent=place(waiting, "12"), by=study.lena
        )


def test_aspects_may_be_added_to_a_query_whose_others_are_rated(study):
    study = make_aspect_study(slug="rated")
    query = study.collection.queries.get()
    study.rate("alice", study.batch.pairs.first(), 1)

    added = add_aspect(query=query, text="It is also fast.", by=study.lena)

    assert Pair.objects.waiting().filter(topic=added.topic).count() == 3


def test_a_number_is_never_given_twice(study, waiting):
    move_aspect(place=place(waiting, "12"), step=Step.REMOVE, by=study.lena)

    added = add_aspect(query=waiting, text="Another thing.", by=study.lena)

    assert added.topic.external_id == "13"


def test_where_ids_are_no_numbers_an_aspect_is_named_after_its_query(study, waiting):
    Topic.objects.filter(external_id="0").update(external_id="noise")

    added = [
        add_aspect(query=waiting, text=text, by=study.lena) for text in ["Is fast.", "Is free."]
    ]

    assert [place.topic.external_id for place in added] == ["1-a1", "1-a2"]


def test_the_first_aspect_of_a_collection_is_number_0(db):
    collection = make_collection("new", load_definition("doris-mae"))
    lena = make_member(collection, "Lena", "lead").user
    query = write_query(collection=collection, text="One. Two.", by=lena)

    assert add_aspect(query=query, text="Fast.", by=lena).topic.external_id == "0"


def test_a_changed_text_changes_the_topic_that_stands_there_alone(study, waiting):
    edit_aspect(place=place(waiting, "12"), text="Something new.", by=study.lena)

    assert Topic.objects.get(external_id="12").text == "Something new."
    assert documents_of("12") == ["d1", "e1", "e2"]


def test_white_space_alone_is_no_change(study, waiting):
    edit_aspect(place=place(waiting, "12"), text=" The paper  does 12.", by=study.lena)

    assert Topic.objects.get(external_id="12").text == "The paper does 12."


def test_a_topic_that_stands_elsewhere_too_changes_here_alone(study):
    query = study.collection.queries.get()
    put_in_batch(study, Pair.objects.all(), None)

    edit_aspect(place=place(query, "2", under="3"), text="It is calm.", by=study.lena)

    assert shape(query) == [("0", ["1", "2"]), ("3", ["4"])]
    assert Topic.objects.get(external_id="2").text == "The method is robust to noise."
    assert documents_of("4") == ["d1", "d2", "d3"]
    query.refresh_from_db()
    assert query.sentences[2]["topics"] == ["1", "2", "4"]


def test_a_text_of_another_topic_puts_that_topic_there(study, waiting):
    waiting.sentences = [{"text": "All.", "topics": ["12"]}]
    waiting.save(update_fields=["sentences"])

    edit_aspect(place=place(waiting, "12"), text="The method works on sound.", by=study.lena)

    waiting.refresh_from_db()
    assert shape(waiting) == [("10", ["11"]), ("1", [])]
    assert waiting.sentences[0]["topics"] == ["1"]
    assert not Topic.objects.filter(external_id="12").exists()
    assert documents_of("12") == []
    assert documents_of("1") == ["d1", "d2", "d3", "e1", "e2"]


def test_a_text_that_its_sibling_or_parent_or_sub_has_is_refused(study, waiting):
    for topic, text in [("12", "10"), ("11", "10"), ("10", "11")]:
        with pytest.raises(Invalid):
            edit_aspect(place=place(waiting, topic), text=f"The paper does {text}.", by=study.lena)


def test_a_moved_aspect_stands_where_it_was_moved(study, waiting):
    move_aspect(place=place(waiting, "12"), step=Step.UP, by=study.lena)
    assert shape(waiting) == [("12", []), ("10", ["11"])]

    move_aspect(place=place(waiting, "12"), step=Step.DOWN, by=study.lena)
    move_aspect(place=place(waiting, "12"), step=Step.NEST, by=study.lena)
    assert shape(waiting) == [("10", ["11", "12"])]

    move_aspect(place=place(waiting, "11"), step=Step.UNNEST, by=study.lena)
    assert shape(waiting) == [("10", ["12"]), ("11", [])]
    assert [place.position for place in waiting.places.filter(parent=None)] == [0, 1]


def test_moving_leaves_the_order_in_which_pairs_are_rated(study, waiting):
    before = list(Topic.objects.values_list("external_id", "position"))

    move_aspect(place=place(waiting, "12"), step=Step.UP, by=study.lena)

    assert list(Topic.objects.values_list("external_id", "position")) == before


def test_a_step_that_the_tree_does_not_allow_is_a_sentence(study, waiting):
    add_aspect(query=waiting, text="One.", parent=place(waiting, "12"), by=study.lena)

    with pytest.raises(Invalid, match="sub-aspects of its own"):
        move_aspect(place=place(waiting, "12"), step=Step.NEST, by=study.lena)


def test_a_removed_aspect_takes_its_waiting_pairs_and_leaves_its_sub_aspects(study, waiting):
    waiting.sentences = [{"text": "All.", "topics": ["10", "11"]}]
    waiting.save(update_fields=["sentences"])

    move_aspect(place=place(waiting, "10"), step=Step.REMOVE, by=study.lena)

    waiting.refresh_from_db()
    assert shape(waiting) == [("11", []), ("12", [])]
    assert waiting.sentences[0]["topics"] == ["11"]
    assert not Topic.objects.filter(external_id="10").exists()
    assert documents_of("10") == []
    assert documents_of("11") == ["d1", "e1", "e2"]
    [event] = Event.objects.filter(verb="remove aspect")
    assert (event.before["aspect"], event.before["pairs"]) == ("10", 3)


def test_a_sub_aspect_that_stands_beside_its_parent_too_does_so_once_after_it_is_gone(
    study, waiting
):
    add_aspect(query=waiting, text="The paper does 11.", by=study.lena)

    move_aspect(place=place(waiting, "10"), step=Step.REMOVE, by=study.lena)

    assert shape(waiting) == [("12", []), ("11", [])]
    assert documents_of("11") == ["d1", "e1", "e2"]


def test_removing_one_of_two_places_keeps_topic_and_pairs(study):
    query = study.collection.queries.get()
    put_in_batch(study, Pair.objects.all(), None)

    move_aspect(place=place(query, "2", under="3"), step=Step.REMOVE, by=study.lena)

    assert shape(query) == [("0", ["1", "2"]), ("3", [])]
    assert documents_of("2") == ["d1", "d2", "d3"]
    [event] = Event.objects.filter(verb="remove aspect")
    assert (event.before["aspect"], event.before["pairs"]) == ("2", 0)


def test_a_topic_of_two_queries_keeps_the_pairs_that_the_other_asks_for(study, waiting):
    put_in_batch(study, Pair.objects.all(), None)
    add_aspect(query=waiting, text="The method works on sound.", by=study.lena)

    move_aspect(place=place(waiting, "1"), step=Step.REMOVE, by=study.lena)

    assert documents_of("1") == ["d1", "d2", "d3"]


def test_an_aspect_that_is_handed_out_stays(db):
    query = make_aspect_study(annotators=()).collection.queries.get()
    lena = query.collection.memberships.get(name="Lena").user

    with pytest.raises(Fixed, match="handed out in batch 1"):
        move_aspect(place=place(query, "1"), step=Step.REMOVE, by=lena)

    assert documents_of("1") == ["d1", "d2", "d3"]
    assert shape(query) == [("0", ["1", "2"]), ("3", ["2"])]


def fixed_acts(query, by):
    return [
        lambda: edit_aspect(place=place(query, "0"), text="Other.", by=by),
        lambda: move_aspect(place=place(query, "0"), step=Step.DOWN, by=by),
        lambda: move_aspect(place=place(query, "0"), step=Step.REMOVE, by=by),
    ]


def held(*aspects, **options):
    """A study in which Alice has a seat of the batches of these aspects, and nobody any other."""
    study = make_aspect_study(annotators=(), **options)
    assign_all(study, study.collection.batches.filter(name__in=aspects), ["alice"])
    return study


def test_an_aspect_of_a_held_batch_is_fixed(db):
    study = held("0")
    query = study.collection.queries.get()

    for act in fixed_acts(query, study.lena):
        with pytest.raises(Fixed, match="a seat of batch 0"):
            act()

    assert shape(query) == [("0", ["1", "2"]), ("3", ["2"])]
    edit_aspect(place=place(query, "3"), text="It is sure.", by=study.lena)


def test_an_aspect_with_a_held_sub_aspect_stays_too(db):
    study = held("1")
    query = study.collection.queries.get()

    with pytest.raises(Fixed, match=r"a seat of batch 1\. One of its sub-aspects"):
        edit_aspect(place=place(query, "0"), text="Other.", by=study.lena)


def test_no_aspect_moves_above_one_that_is_fixed(db):
    study = held("0")
    query = study.collection.queries.get()

    with pytest.raises(Fixed, match=r"a seat of batch 0\. The display of its pairs is fixed"):
        move_aspect(place=place(query, "3"), step=Step.UP, by=study.lena)

    assert shape(query) == [("0", ["1", "2"]), ("3", ["2"])]


def test_a_fixed_aspect_takes_no_further_place_in_its_query(db):
    study = held("1")
    query = study.collection.queries.get()

    with pytest.raises(Fixed, match=r"a seat of batch 1\."):
        add_aspect(query=query, text="The method works on sound.", by=study.lena)

    assert shape(query) == [("0", ["1", "2"]), ("3", ["2"])]


def test_beside_a_fixed_aspect_new_ones_are_added(db):
    study = held("0", "1", "2", "3")
    query = study.collection.queries.get()
    other = make_aspect_query(study.collection, "1", {"10": []}, documents=("d1", "e1"))

    add_aspect(query=query, text="It is free.", by=study.lena)
    add_aspect(query=other, text="The method works on sound.", by=study.lena)

    assert shape(query) == [("0", ["1", "2"]), ("3", ["2"]), ("11", [])]
    assert shape(other) == [("10", []), ("1", [])]


def test_a_lead_who_rates_is_told_the_same_before_and_after_the_first_rating(db):
    study = make_aspect_study()
    query = study.collection.queries.get()
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    study.batch.seats.get(ordinal=3).tenures.create(batch=study.batch, member=nora)

    def refusals():
        sentences = []
        for act in fixed_acts(query, nora.user):
            with pytest.raises(Fixed) as refused:
                act()
            sentences.append(str(refused.value))
        return sentences

    before = refusals()
    study.rate("alice", study.batch.pairs.first(), 1)
    assert refusals() == before


def test_a_locked_topic_takes_no_new_place(study, waiting):
    Topic.objects.filter(external_id="1").update(
        locked_at="2026-01-01T00:00Z", locked_by=study.lena
    )

    with pytest.raises(Locked):
        add_aspect(query=waiting, text="The method works on sound.", by=study.lena)

    assert shape(waiting) == [("10", ["11"]), ("12", [])]


def test_an_aspect_that_is_gone_is_reported(study, waiting):
    gone = place(waiting, "12")
    move_aspect(place=gone, step=Step.REMOVE, by=study.lena)

    with pytest.raises(Stale):
        edit_aspect(place=gone, text="Again.", by=study.lena)


class TestAnySequence(TestCase):
    """Whatever a lead does to a tree: it stays one, and the pairs are those it asks for."""

    @settings(max_examples=8)
    @given(
        st.lists(st.tuples(st.integers(0, 9), st.sampled_from([*Step, "add", "edit"])), max_size=10)
    )
    def test_tree_and_pairs_agree(self, acts):
        study = make_aspect_study(slug="any")
        query = make_aspect_query(study.collection, "1", {"10": ["11", "12"], "13": []})
        written = write_query(collection=study.collection, text="Another one.", by=study.lena)
        for number, (index, act) in enumerate(acts):
            places = list(query.places.order_by("pk"))
            try:
                if act == "add" or not places:
                    add_aspect(
                        query=query,
                        text=f"Text {index}.",
                        parent=places[index % len(places)] if places and index % 2 else None,
                        by=study.lena,
                    )
                elif act == "edit":
                    edit_aspect(
                        place=places[index % len(places)], text=f"Text {number}.", by=study.lena
                    )
                else:
                    move_aspect(place=places[index % len(places)], step=act, by=study.lena)
            except Refused:
                pass
        for parent in {place.parent_id for place in query.places.all()}:
            siblings = query.places.filter(parent=parent).order_by("position")
            assert [sibling.position for sibling in siblings] == list(range(len(siblings)))
        assert all(
            place.parent is None or place.parent.parent_id is None for place in query.places.all()
        )
        wanted = {
            (topic, document)
            for topic in query.topics.values_list("external_id", flat=True)
            for document in ["d1", "d2", "d3"]
        }
        rows = Pair.objects.waiting().filter(topic__collection=study.collection)
        assert wanted == set(rows.values_list("topic__external_id", "document__external_id"))
        assert not Topic.objects.filter(places=None).exists()
        assert written.sentences
