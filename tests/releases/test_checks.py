"""What a lead is told of gold before an export."""

from annotation.assigning.actions.assign import return_seat
from annotation.schemes.actions import load_definition
from datasets.models import Candidate
from releases.checks import Checks, checks, unfit_formats
from tests.factories.studies import (
    make_aspect_query,
    make_collection,
    make_document,
    make_topic,
)


def test_complete_gold_is_counted_with_what_was_left_out(finished):
    assert checks(finished.collection, finished.lena) == Checks(pairs=3, gold=3, excluded=1)


def test_pairs_without_gold_are_counted_by_what_they_lack(finished):
    make_topic(finished.collection, query_id="q2")
    return_seat(seat=finished.seat("bob"), by=finished.lena, reason="look again")

    result = checks(finished.collection, finished.lena)

    assert result == Checks(pairs=6, gold=2, excluded=1, missing={"waiting": 3, "agreed": 1})
    assert result.missing_in_words == [
        ("waiting for a batch", 3, "waiting"), ("not handed in", 1, "agreed"),
    ]  # fmt: skip
    assert (result.is_complete, result.lacks_gold) == (False, True)


def test_pairs_with_different_ratings_are_open_disputes_once_every_seat_is_handed_in(study):
    study.rate_all("alice", [2, 0, 3])
    study.rate_all("bob", [2, 2, 0])
    early = checks(study.collection, study.lena).missing

    study.finish(alice=[2, 0, 3], bob=[2, 2, 0])

    result = checks(study.collection, study.lena)
    assert (early, result.missing) == ({"agreed": 3}, {"disputed": 2})
    assert result.missing_in_words == [("disputed and open", 2, "disputed")]


def test_nothing_is_complete_without_a_pair():
    assert not Checks().is_complete
    assert Checks(pairs=1, gold=1).is_complete
    assert not Checks(pairs=1, gold=1, withheld=1).is_complete


def test_a_format_fits_where_all_queries_are_of_the_kind_that_it_holds(finished):
    assert unfit_formats(finished.collection) == {
        "doris-mae": "DORIS-MAE does not fit: it holds texts with aspects."
    }

    make_aspect_query(finished.collection)

    assert set(unfit_formats(finished.collection)) == {"csfcube", "doris-mae"}


def test_queries_called_otherwise_than_their_papers_do_not_fit_files_that_know_papers_alone(
    finished,
):
    finished.collection.queries.update(external_id="wind")

    assert unfit_formats(finished.collection)["csfcube"] == (
        "CSFCube does not fit: it calls a query by its paper, and wind is the paper q1."
    )


def test_numbered_documents_fit_where_every_id_is_a_whole_number(db):
    collection = make_collection("aspects", load_definition("doris-mae"))
    query = make_aspect_query(collection, documents=("1", "20"))

    assert set(unfit_formats(collection)) == {"csfcube"}

    candidate = Candidate.objects.create(query=query, external_id="07", position=9)
    assert unfit_formats(collection)["doris-mae"] == (
        "DORIS-MAE does not fit: it numbers its documents, and 07 is not a whole number."
    )

    candidate.delete()
    make_document(collection, "in-no-pool")
    assert "in-no-pool is not a whole number" in unfit_formats(collection)["doris-mae"]
