"""The pool of a query that is being written."""

import pytest

from annotation.authoring.actions.pools import Added, add_candidates, add_corpus, remove_candidates
from annotation.authoring.actions.queries import write_query
from annotation.models import Pair
from annotation.reading.fixed import Fixed
from audit.models import Event
from audit.refusals import Invalid, Locked
from datasets.models import Candidate, Document, Topic
from formats.corpus import CorpusDocument
from formats.problems import BadInputError
from tests.factories.studies import (
    assign_all,
    make_aspect_query,
    make_aspect_study,
    make_document,
    put_in_batch,
)
from tests.shelf import shelved


@shelved
def study(db):
    return make_aspect_study()


@shelved
def query(study):
    """Two aspects, of which 1 is the first query's too, over d1."""
    return make_aspect_query(study.collection, "1", {"10": [], "1": []}, documents=("d1",))


def pool(query):
    return [(candidate.external_id, candidate.sources) for candidate in query.candidates.all()]


def documents_of(topic):
    pairs = Pair.objects.filter(topic__external_id=topic)
    return sorted(pairs.values_list("document__external_id", flat=True))


def document(external_id, line=1, **more):
    return CorpusDocument(
        **{
            "line": line,
            "external_id": external_id,
            "title": f"Title of {external_id}",
            "text": "It is one. It is another.",
        }
        | more
    )


def test_pasted_ids_become_candidates_in_their_order_with_waiting_pairs(study, query):
    added = add_candidates(
        query=query, external_ids=["d3", "d2", "d3"], source=" dense  run ", by=study.lena
    )

    assert pool(query) == [("d1", ["secret_source"]), ("d3", ["dense run"]), ("d2", ["dense run"])]
    # The pairs of topic 1 with d2 and d3 are the first query's already.
    assert added == Added(documents=0, candidates=2, known=0, pairs=2)
    assert documents_of("10") == ["d1", "d2", "d3"]
    [event] = Event.objects.about(query)
    assert (event.verb, event.after["pairs"]) == ("add to pool", 2)


def test_a_candidate_that_is_there_gets_the_further_source(study, query):
    for _ in range(2):
        added = add_candidates(query=query, external_ids=["d1"], source="run", by=study.lena)

    assert pool(query) == [("d1", ["secret_source", "run"])]
    assert added == Added(documents=0, candidates=0, known=1, pairs=0)


def test_unknown_ids_are_named_and_nothing_is_added(study, query):
    with pytest.raises(Invalid, match="the id x, y"):
        add_candidates(query=query, external_ids=["d2", "x", "y"], by=study.lena)

    assert pool(query) == [("d1", ["secret_source"])]


def test_a_candidate_without_text_gets_it(study, query):
    Candidate.objects.create(query=query, external_id="late", position=9)
    make_document(study.collection, "late")

    added = add_candidates(query=query, external_ids=["late"], by=study.lena)

    assert (added.known, added.pairs) == (1, 2)


def test_uploaded_documents_join_the_collection_and_the_pool(study, query):
    corpus = [document("n1", metadata={"year": 2001}, extra={"more": 1}), document("n2")]

    added = add_corpus(query=query, corpus=corpus, file="c.jsonl", source="bm25", by=study.lena)

    assert added == Added(documents=2, candidates=2, known=0, pairs=4)
    stored = Document.objects.get(external_id="n1")
    assert [sentence["text"] for sentence in stored.sentences] == ["It is one.", "It is another."]
    assert (stored.metadata, stored.extra) == ({"year": 2001}, {"more": 1})
    assert pool(query)[1:] == [("n1", ["bm25"]), ("n2", ["bm25"])]


def test_a_document_that_the_collection_has_is_used_as_it_is(study, query):
    add_corpus(query=query, corpus=[document("n1")], file="c.jsonl", by=study.lena)
    remove_candidates(query=query, external_ids=["n1"], by=study.lena)

    again = document("n1", text="It is one.  It is another. ")
    added = add_corpus(query=query, corpus=[again], file="c.jsonl", by=study.lena)

    assert added == Added(documents=0, candidates=1, known=0, pairs=2)
    assert Document.objects.filter(external_id="n1").count() == 1


def test_a_document_that_differs_refuses_all_and_names_its_line(study, query):
    corpus = [document("n1"), document("d2", line=7, title="Another title")]

    with pytest.raises(BadInputError) as raised:
        add_corpus(query=query, corpus=corpus, file="c.jsonl", by=study.lena)

    assert [problem.place for problem in raised.value.problems] == ["line 7", "line 7"]
    assert "the title of document d2 differs" in str(raised.value.problems[0])
    assert not Document.objects.filter(external_id="n1").exists()
    assert pool(query) == [("d1", ["secret_source"])]


def test_a_removed_candidate_takes_the_pairs_that_no_other_query_asks_for(study, query):
    add_corpus(query=query, corpus=[document("n1")], file="c.jsonl", by=study.lena)

    assert remove_candidates(query=query, external_ids=["n1", "unknown"], by=study.lena) == 1

    assert pool(query) == [("d1", ["secret_source"])]
    assert documents_of("10") == ["d1"]
    assert documents_of("1") == ["d1", "d2", "d3"]
    assert Document.objects.filter(external_id="n1").exists()


def test_a_pair_that_another_query_asks_for_stays_though_its_candidate_goes(study, query):
    add_candidates(query=query, external_ids=["d2"], by=study.lena)

    remove_candidates(query=query, external_ids=["d2"], by=study.lena)

    assert documents_of("10") == ["d1"]
    assert documents_of("1") == ["d1", "d2", "d3"]


def test_a_candidate_that_is_handed_out_stays(study):
    first = study.collection.queries.get(external_id="0")

    with pytest.raises(Fixed, match="handed out"):
        remove_candidates(query=first, external_ids=["d1"], by=study.lena)

    assert len(pool(first)) == 3
    assert documents_of("1") == ["d1", "d2", "d3"]


def test_a_locked_topic_gets_no_new_pairs(study, query):
    make_document(study.collection, "n1")
    Topic.objects.filter(external_id="10").update(
        locked_at="2026-01-01T00:00Z", locked_by=study.lena
    )

    with pytest.raises(Locked, match="Topic 10 is locked"):
        add_candidates(query=query, external_ids=["n1"], by=study.lena)

    assert pool(query) == [("d1", ["secret_source"])]


def test_a_pool_may_come_before_the_aspects(study):
    written = write_query(collection=study.collection, text="One. Two.", by=study.lena)

    added = add_candidates(query=written, external_ids=["d1", "d2"], by=study.lena)

    assert (added.candidates, added.pairs) == (2, 0)


def test_a_large_pool_takes_few_statements(study, django_assert_max_num_queries):
    """SQLite takes some hundred rows at once, PostgreSQL five hundred; nothing goes row by row."""
    query = make_aspect_query(
        study.collection, "1", {str(n): [] for n in range(20, 40)}, documents=()
    )
    corpus = [document(f"n{number}") for number in range(500)]

    with django_assert_max_num_queries(160):
        added = add_corpus(query=query, corpus=corpus, file="c.jsonl", by=study.lena)

    assert added == Added(documents=500, candidates=500, known=0, pairs=10_000)


def test_no_pool_change_shows_a_held_pair_with_another_query(db):
    """Two queries ask for one aspect; the second alone has d9, and Alice holds its pair."""
    study = make_aspect_study(annotators=())
    first = study.collection.queries.get()
    second = make_aspect_query(study.collection, "1", {"1": []}, documents=("d1", "d9"))
    batch = study.collection.batches.get(name="1")
    put_in_batch(study, Pair.objects.filter(batch=None), batch)
    assign_all(study, [batch], ["alice"])

    with pytest.raises(Fixed, match="a seat of batch 1"):
        add_candidates(query=first, external_ids=["d9"], by=study.lena)
    with pytest.raises(Fixed, match="a seat of batch 1"):
        remove_candidates(query=first, external_ids=["d1"], by=study.lena)

    assert [candidate for candidate, _ in pool(first)] == ["d1", "d2", "d3"]
    remove_candidates(query=second, external_ids=["d1"], by=study.lena)
    assert [candidate for candidate, _ in pool(second)] == ["d9"]
