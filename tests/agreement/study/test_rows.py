"""The rows that figures rest on: those of the tables, in arrays no wider than needed."""

import uuid

import numpy as np
import pytest

from adjudication.actions import decide
from agreement.study.rows import (
    Places,
    looked_up,
    numbers_of,
    read_decisions,
    shortened,
    spread,
)
from tests.factories.studies import make_study


@pytest.mark.django_db
def test_of_decisions_that_replace_each_other_the_standing_one_is_read():
    study = make_study()
    study.finish(alice=[0, 1, 2], bob=[0, 1, 3])
    first = None
    for value, cause in ((2, "different_aspect"), (3, "granularity")):
        first = decide(
            pair=study.batch.pairs.get(document__external_id="q1c3"),
            by=study.carol,
            save_id=uuid.uuid4(),
            option=study.option(value),
            cause=cause,
            based_on=first and first.public_id,
        )

    rows = read_decisions([topic.pk for topic in study.topics])

    assert rows["option"].tolist() == [study.option(3).pk]
    assert rows["cause"].tolist() == ["granularity"]
    assert rows["decided_at"].tolist() == pytest.approx([first.decided_at.timestamp()], abs=0.01)


def test_texts_are_kept_whole_in_arrays_as_wide_as_the_longest():
    texts = shortened(np.array(["granularity", "", "scope"], dtype="U60"))

    assert texts.tolist() == ["granularity", "", "scope"]
    assert texts.dtype == "U11"
    assert shortened(np.array([], dtype="U60")).dtype == "U1"
    assert shortened(np.array([""], dtype="U60")).dtype == "U1"


def test_rows_of_pairs_that_may_not_be_told_or_are_not_there_have_no_place():
    places = Places(np.array([30, 10, 20]), np.array([True, True, False]))
    rows = np.array(
        [(20, 1), (30, 2), (5, 3), (10, 4), (40, 5)], dtype=[("pair", "i8"), ("n", "i8")]
    )

    kept, at = places.of(rows)

    assert (kept["n"].tolist(), at.tolist()) == ([2, 4], [0, 1])
    nothing, nowhere = Places(np.array([], dtype=int), np.array([], dtype=bool)).of(rows)
    assert (len(nothing), len(nowhere)) == (0, 0)


def test_values_stand_at_their_places_and_elsewhere_nothing():
    table = spread((2, 3), [2, 3], -1, np.array([7, 8]))

    assert table.tolist() == [[-1, -1, 7], [8, -1, -1]]


def test_ids_that_a_table_lacks_have_the_missing_value():
    assert looked_up(np.array([2, 9, 2]), {2: 5}).tolist() == [5, 0, 5]
    assert looked_up(np.array([2, 9]), {2: 0.5}, missing=-1.0).tolist() == [0.5, -1.0]
    empty = looked_up(np.array([], dtype=int), {2: 0.5}, missing=0.0)
    assert (empty.tolist(), empty.dtype) == ([], np.dtype(float))


@pytest.mark.parametrize("far", [40, 10**12], ids=["close together", "far apart"])
def test_ids_are_numbered_among_those_known_however_far_apart_they_are(far):
    known_ids = np.array([20, 30, far])
    ids = np.array([far, 0, 20, 19, 21, 30, far - 1, far + 1, 2 * far])

    assert numbers_of(ids, known_ids).tolist() == [2, 3, 0, 3, 3, 1, 3, 3, 3]
