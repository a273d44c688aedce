"""Units that runs rank: the tags of their queries."""

from annotation.schemes.actions import load_definition
from datasets.models import Query
from evaluation.runs.units import tags_of
from tests.factories.studies import make_collection


def test_number_is_the_same_tag_whether_a_file_holds_it_as_whole_or_as_decimal(db):
    collection = make_collection("study", load_definition("litsearch"))
    rows = [{"specificity": 0}, {"specificity": 0.0}, {"specificity": 1.5}, {"specificity": None}]
    for number, metadata in enumerate(rows):
        Query.objects.create(
            collection=collection, external_id=str(number), text="?", metadata=metadata
        )

    assert tags_of(collection) == {
        "0": {"specificity": "0"},
        "1": {"specificity": "0"},
        "2": {"specificity": "1.5"},
        "3": {},
    }
