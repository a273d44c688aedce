"""Lists of pairs hold what the number beside them counted."""

import pytest
from django.core.exceptions import BadRequest

from agreement.pairs.lists import LISTS, list_address, read_list
from agreement.study.selection import selection_of
from agreement.subjects.disagreements.figures import disagreements_shown
from annotation.models import Pair
from tests.factories.studies import make_study


@pytest.fixture
def study(db):
    """Pairs rated 0 and 3, 1 and 2, 2 and 2 by Alice and Bob."""
    study = make_study(candidates=3)
    study.finish(alice=[0, 1, 2], bob=[3, 2, 2])
    return study


def asked(study, **parameters):
    return selection_of(study.members["lena"], study.lena, parameters)


def listed(study, kind, cell="", **parameters):
    return read_list(asked(study, **parameters), {"list": kind, "cell": cell})


def pairs_of(study):
    return list(study.batch.pairs.order_by("position").values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("kind", "cell", "places"),
    [
        ("values", "0,3", [0]),
        ("values", "1,2", [1]),
        ("confusion", "0,3", [0]),
        ("confusion", "3,0", []),
        ("confusion", "2,2", [2]),
        ("distance", "1", [1]),
        ("distance", "0", [2]),
        ("outcome", "to decide", [0, 1]),
        ("gold", "2", [2]),
        ("cannot-judge", "", []),
        ("flags", "", []),
    ],
)
def test_a_list_holds_the_pairs_of_its_cell(study, kind, cell, places):
    pairs = pairs_of(study)

    assert listed(study, kind, cell).pairs == [pairs[place] for place in places]


def test_lists_hold_as_many_pairs_as_the_page_of_disagreements_counts(study):
    found = disagreements_shown(asked(study)).found

    for split in found.splits:
        assert len(listed(study, "values", split.cell).pairs) == split.pairs
    scale = [0, 1, 2, 3]
    for row, first in zip(found.confusion.tolist(), scale, strict=True):
        for count, second in zip(row, scale, strict=True):
            assert len(listed(study, "confusion", f"{first},{second}").pairs) == count


def test_a_topic_is_listed_whole_or_in_one_state(study):
    topic = study.topics[0]
    pairs = pairs_of(study)

    assert listed(study, "topic", str(topic.public_id)).pairs == pairs
    disputed = listed(study, "topic", f"{topic.public_id},disputed").pairs
    assert disputed == list(Pair.objects.disputed().values_list("pk", flat=True))


def test_one_steps_from_pair_to_pair_and_not_beyond_the_ends(study):
    pairs = pairs_of(study)
    whole = listed(study, "topic", str(study.topics[0].public_id))

    assert [whole.place(pair) for pair in pairs] == [1, 2, 3]
    assert whole.beside(pairs[0], 1) == pairs[1]
    assert whole.beside(pairs[0], -1) is None
    assert whole.beside(pairs[2], 1) is None
    assert (whole.place(0), whole.beside(0, 1)) == (None, None)


def test_filters_stay_in_the_address(study):
    chosen = listed(study, "values", "0,3", facet="method")

    assert chosen.address == "list=values&cell=0%2C3&facet=method"
    assert list_address("flags", "") == "list=flags"


@pytest.mark.parametrize(
    ("kind", "cell", "sentence"),
    [
        ("secrets", "", "list is 'secrets'"),
        ("values", "0", "expected two values"),
        ("distance", "far", "expected a value"),
        ("outcome", "won", "expected one of lower"),
    ],
)
def test_an_address_that_names_no_list_is_refused(study, kind, cell, sentence):
    with pytest.raises(BadRequest, match=sentence):
        listed(study, kind, cell)


def test_without_a_name_there_is_no_list(study):
    assert read_list(asked(study), {}) is None


@pytest.mark.parametrize("kind", sorted(set(LISTS) - {"topic"}))
def test_no_list_holds_pairs_of_a_batch_in_which_its_reader_rates(db, kind):
    from annotation.assigning.actions.assign import assign_seat
    from annotation.assigning.actions.batches import make_batches
    from tests.factories.studies import make_member

    study = make_study(assign=False)
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    [batch] = make_batches(collection=study.collection, by=study.lena)
    first, second = batch.seats.all()
    assign_seat(seat=first, member=study.members["alice"], by=study.lena)
    assign_seat(seat=second, member=nora, by=study.lena)
    study.rate_all("alice", 0)
    study.rate("alice", batch.pairs.first(), 0, is_flagged=True)
    cells = {"values": "0,0", "confusion": "0,0", "distance": "0", "outcome": "to decide"}

    viewed = selection_of(nora, nora.user, {})

    shown = read_list(viewed, {"list": kind, "cell": cells.get(kind, "0")})
    assert shown.pairs == []
