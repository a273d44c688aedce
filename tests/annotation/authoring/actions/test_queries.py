"""Writing a query, correcting its sentences, and linking them to aspects."""

import pytest

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.authoring.actions.pools import add_candidates
from annotation.authoring.actions.queries import (
    MAX_TEXT_LENGTH,
    describe_query,
    edit_query,
    link_sentences,
    remove_query,
    write_query,
)
from annotation.authoring.rules import sentences_token
from annotation.models import Pair
from annotation.reading.fixed import Fixed
from audit.models import Event
from audit.refusals import Invalid, Refused, Stale
from datasets.models import Import
from tests.factories.studies import ASPECT_QUERY, make_aspect_study, make_study, make_topic
from tests.shelf import shelved

TEXT = "I look for one thing. It should be cheap."


@shelved
def study(db):
    """Four aspects in batches of which nobody has held a seat."""
    return make_aspect_study(annotators=())


def hold(study, aspect):
    """Alice gets a seat of the aspect's batch."""
    batch = study.collection.batches.get(name=aspect)
    seat = batch.seats.first()
    assign_seat(seat=seat, member=study.members["alice"], by=study.lena)
    return seat


@shelved
def query(study):
    return study.collection.queries.get()


def texts(query):
    query.refresh_from_db()
    return [sentence["text"] for sentence in query.sentences]


def token(query):
    query.refresh_from_db()
    return sentences_token(query)


def topics(query):
    query.refresh_from_db()
    return [sentence["topics"] for sentence in query.sentences]


def test_a_query_is_written_with_its_sentences_and_the_next_number(study, query):
    written = write_query(
        collection=study.collection, text=f" {TEXT} ", query_type="NLP", notes="", by=study.lena
    )

    assert (written.external_id, written.text) == ("1", TEXT)
    assert written.position > query.position
    assert written.metadata == {"query_type": "NLP"}
    assert written.sentences == [
        {"text": "I look for one thing.", "topics": []},
        {"text": "It should be cheap.", "topics": []},
    ]
    [event] = Event.objects.about(written)
    assert (event.verb, event.actor) == ("write query", study.lena)


def test_where_ids_are_no_numbers_the_next_query_gets_a_letter(study, query):
    query.external_id = "first"
    query.save(update_fields=["external_id"])

    written = [write_query(collection=study.collection, text=TEXT, by=study.lena) for _ in range(2)]

    assert [new_query.external_id for new_query in written] == ["q1", "q2"]


@pytest.mark.parametrize("text", ["", "  \n", "x" * (MAX_TEXT_LENGTH + 1), "So. " * 101])
def test_a_text_that_is_none_or_too_long_is_refused(study, text):
    with pytest.raises(Invalid):
        write_query(collection=study.collection, text=text, by=study.lena)

    assert study.collection.queries.count() == 1


def test_nobody_writes_while_an_import_does(study):
    Import.objects.create(collection=study.collection, kind="csfcube", fingerprint="0")

    with pytest.raises(Refused, match="import"):
        write_query(collection=study.collection, text=TEXT, by=study.lena)


def test_a_corrected_division_keeps_text_and_links(study, query):
    before = query.text
    first, second, third, fourth = texts(query)

    edit_query(
        query=query,
        sentences=[f"{first} {second}", "", third, fourth],
        seen=token(query),
        by=study.lena,
    )

    assert texts(query) == [f"{first} {second}", third, fourth]
    assert topics(query) == [["0"], ["1", "2"], ["3"]]
    assert query.text == before


def test_changed_words_change_the_text(study, query):
    sentences = [*texts(query)[:3], "It must say how sure it is."]

    edit_query(query=query, sentences=sentences, seen=token(query), by=study.lena)

    assert texts(query) == sentences
    assert query.text == " ".join(sentences)
    assert topics(query)[-1] == ["3"]


def test_an_edit_of_what_was_changed_meanwhile_is_refused(study, query):
    seen = token(query)
    edit_query(query=query, sentences=["Something else."], seen=seen, by=study.lena)

    with pytest.raises(Stale):
        edit_query(query=query, sentences=["A third thing."], seen=seen, by=study.lena)
    with pytest.raises(Stale):
        link_sentences(query=query, links=[[]] * 4, seen=seen, by=study.lena)

    assert texts(query) == ["Something else."]


def test_the_text_is_fixed_once_somebody_held_a_seat_of_one_of_its_batches(study, query):
    seat = hold(study, "3")

    for holder in (study.members["alice"], None):
        assign_seat(seat=seat, member=holder, by=study.lena)
        with pytest.raises(Fixed, match="holds or held a seat of batch 3"):
            edit_query(query=query, sentences=["Other words."], seen=token(query), by=study.lena)

    assert texts(query) == [text for text, _ in ASPECT_QUERY]


def test_type_and_notes_change_at_any_time_and_keep_what_was_imported(study, query):
    hold(study, "0")
    query.metadata = {"query_type": "ML", "idea_from": 5}
    query.save(update_fields=["metadata"])

    describe_query(query=query, query_type="", notes=" Asked by a reader. ", by=study.lena)

    query.refresh_from_db()
    assert query.metadata == {"idea_from": 5, "notes": "Asked by a reader."}


def test_links_are_kept_in_the_order_of_the_topics(study, query):
    links = [["3", "1"], [], ["0"], ["nothing"]]

    link_sentences(query=query, links=links, seen=token(query), by=study.lena)

    assert topics(query) == [["1", "3"], [], ["0"], []]
    [event] = Event.objects.about(query).filter(verb="link sentences")
    assert event.after == {"topics": [["1", "3"], [], ["0"], []]}


def test_links_of_a_held_aspect_stay_and_the_others_change(study, query):
    hold(study, "0")

    link_sentences(query=query, links=[["0"], [], ["3"], []], seen=token(query), by=study.lena)

    assert topics(query) == [[], ["0"], ["3"], []]


def test_saving_the_same_again_leaves_no_trace(study, query):
    edit_query(query=query, sentences=texts(query), seen=token(query), by=study.lena)
    link_sentences(query=query, links=topics(query), seen=token(query), by=study.lena)
    describe_query(query=query, query_type="ML", notes="", by=study.lena)

    assert not Event.objects.about(query).exists()


def test_a_collection_that_judges_facets_has_no_query_to_write(db):
    study = make_study()

    with pytest.raises(Refused, match="no aspects"):
        write_query(collection=study.collection, text=TEXT, by=study.lena)
    with pytest.raises(Refused, match="is a paper"):
        describe_query(
            query=study.collection.queries.get(), query_type="ML", notes="", by=study.lena
        )


def test_a_line_that_was_wrapped_by_hand_is_one_sentence(study):
    written = write_query(collection=study.collection, text="One\nthing. Two.", by=study.lena)

    assert texts(written) == ["One thing.", "Two."]
    assert written.text == "One\nthing. Two."


def test_a_query_without_aspects_is_removed_and_its_number_never_given_again(study):
    written = write_query(collection=study.collection, text=TEXT, by=study.lena)
    add_candidates(query=written, external_ids=["d1"], by=study.lena)

    remove_query(query=written, by=study.lena)
    again = write_query(collection=study.collection, text=TEXT, by=study.lena)

    assert again.external_id == "2"
    assert list(study.collection.queries.values_list("external_id", flat=True)) == ["0", "2"]
    assert study.collection.documents.filter(external_id="d1").exists()


@pytest.mark.parametrize("paper", [False, True])
def test_a_query_under_facets_is_removed_with_its_topics_while_no_batch_has_them(db, paper):
    study = make_study(facets=("method", "result"), assign=False)
    for facet in ("method", "result"):
        make_topic(study.collection, query_id="q2", facet=facet)
    stray, kept = study.collection.queries.order_by("external_id")
    if not paper:
        study.collection.queries.update(document=None, text="What?")
    documents = study.collection.documents.count()

    remove_query(query=study.collection.queries.get(pk=stray.pk), by=study.lena)

    assert study.collection.queries.get() == kept
    assert {topic.external_id for topic in study.collection.topics.all()} == {
        "q2_method",
        "q2_result",
    }
    assert not Pair.objects.exclude(topic__in=study.collection.topics.all()).exists()
    assert study.collection.documents.count() == documents
    assert Event.objects.filter(verb="remove query").count() == 1

    make_batches(collection=study.collection, by=study.lena)
    with pytest.raises(Fixed, match="so it stays"):
        remove_query(query=kept, by=study.lena)
    assert study.collection.queries.get() == kept


def test_a_query_with_aspects_stays(study, query):
    with pytest.raises(Refused, match="has aspects"):
        remove_query(query=query, by=study.lena)

    assert study.collection.queries.get() == query
