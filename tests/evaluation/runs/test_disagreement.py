"""Orders of runs by other values than gold: of whom, and by which grades."""

import uuid

import numpy as np
import pytest

from adjudication.actions import decide
from annotation.assigning.actions.batches import make_batches, raise_overlap
from annotation.models import Pair
from datasets.models import Run
from datasets.pseudonyms import pseudonym
from datasets.runs.actions import add_run
from evaluation.models import KnownResult
from evaluation.orders.draws import Drawn
from evaluation.protocols import shipped
from evaluation.runs import disagreement
from evaluation.runs.disagreement import Matter
from evaluation.runs.evaluation import Evaluation
from evaluation.sources.choices import source_named
from tests.factories.runs import run_of
from tests.factories.studies import assign_all, make_member, make_study
from tests.shelf import shelved

DRAWS, PAIRS = 20, 3


@pytest.fixture
def study(db):
    """Three topics, on which raters and runs differ."""
    study = make_study(facets=("background", "method", "result"))
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[2, 0, 1], bob=[1, 2, 0])
    add_runs(study)
    return study


def add_runs(study):
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    for turn in range(3):
        ranking = documents[turn:] + documents[:turn]
        run = run_of({topic.external_id: ranking for topic in study.topics}, tag=f"run {turn}")
        add_run(collection=study.collection, run=run, by=study.lena)


def matter_of(study, source="gold"):
    source = source_named(study.collection, source)
    evaluation = Evaluation(study.collection, shipped()["trec"], source)
    return Matter(evaluation, evaluation.protocol.parsed[0], draws=DRAWS)


def values_by(study, source, order):
    """(systems, topics): measured by a source alone, the systems in the order of a reference."""
    evaluation = matter_of(study, source).evaluation
    return evaluation.counted(evaluation.protocol.parsed[0])[order]


def decide_all(study):
    for pair in Pair.objects.disputed():
        decision = {"option": study.option(2), "rationale": "It is the same."}
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), **decision)


def drawn_values(study):
    return matter_of(study, "seat:1").drawn(Drawn.PAIR).orders.values


@pytest.mark.parametrize("topics_at_a_time", [0, 1, 2])
def test_raters_drawn_in_parts_are_those_drawn_at_once(study, monkeypatch, topics_at_a_time):
    at_once = drawn_values(study)
    kept = KnownResult.objects.count()

    monkeypatch.setattr(disagreement, "AT_A_TIME", topics_at_a_time * DRAWS * PAIRS)

    np.testing.assert_array_equal(drawn_values(study), at_once)
    assert at_once.shape == (DRAWS, 3, 3)
    assert len(np.unique(at_once, axis=0)) > 1
    assert KnownResult.objects.count() == kept  # a part is no result of its own


def test_each_source_of_seats_orders_the_runs_as_it_does_alone(study):
    decide_all(study)
    matter = matter_of(study)

    addresses = [compared.source.address for compared in matter.alone]
    assert addresses == ["seat:1", "seat:2", "majority", "median", "highest", "lowest"]
    # Two who differ make no majority.
    for compared in [*matter.alone[:2], *matter.alone[3:]]:
        alone = values_by(study, compared.source.address, matter.order)
        np.testing.assert_array_equal(compared.orders.values, alone)


def test_gold_is_beside_another_reference_once_it_has_spoken_of_every_topic(study):
    def beside():
        return [compared.source.address for compared in matter_of(study, "seat:1").alone]

    assert beside() == ["seat:2", "majority", "median", "highest", "lowest"]
    decide_all(study)
    assert beside() == ["gold", "seat:2", "majority", "median", "highest", "lowest"]


def test_without_one_of_two_people_gold_is_what_the_other_gave(study):
    """No decision is left to stand in for the one who goes."""
    consensus = {"gold_value": 1, "gold_option": study.option(1)}
    Pair.objects.update(state="agreed", gold_origin="consensus", **consensus)
    matter = matter_of(study)

    without_alice, without_bob = matter.left_out

    people = [pseudonym(study.collection, study.members[name]) for name in ("alice", "bob")]
    assert [without_alice.name, without_bob.name] == [f"Without {person}" for person in people]
    assert without_alice.note == "rated in 3 of 3 topics"
    of_bob, of_alice = (values_by(study, f"seat:{seat}", matter.order) for seat in (2, 1))
    np.testing.assert_array_equal(without_alice.orders.values, of_bob)
    np.testing.assert_array_equal(without_bob.orders.values, of_alice)
    assert matter_of(study, "seat:1").left_out == []


def test_a_rater_who_is_drawn_for_a_topic_orders_all_runs_on_it(study):
    matter = matter_of(study, "seat:1")
    by_seat = [values_by(study, f"seat:{seat}", matter.order) for seat in (1, 2)]

    drawn = matter.drawn(Drawn.TOPIC).orders.values

    assert drawn.shape == (DRAWS, 3, 3)
    is_of = [(drawn == values).all(axis=1) for values in by_seat]
    assert (is_of[0] | is_of[1]).all()
    assert not is_of[0].all()
    assert not is_of[1].all()


@pytest.mark.parametrize(
    ("runs", "source", "why_none"),
    [
        (0, "gold", "This takes three runs. There is none."),
        (1, "gold", "This takes three runs. There is one."),
        (2, "gold", "This takes three runs. There are two."),
        (3, "gold", "No topic is decided yet, so there is no order by gold to compare with."),
        (3, "seat:1", ""),
    ],
)
def test_there_is_nothing_to_compare_without_three_runs_and_topics(study, runs, source, why_none):
    Run.objects.filter(
        pk__in=list(Run.objects.order_by("pk").values_list("pk", flat=True))[runs:]
    ).delete()

    assert matter_of(study, source).why_none == why_none


def test_there_is_nothing_to_compare_with_where_one_person_rated(study):
    decide_all(study)
    assert matter_of(study).why_none == ""

    single = study_of_one()

    assert matter_of(single).why_none == "Only gold is here: nothing to compare it with."


def study_of_one():
    study = make_study(slug="single", assign=False, overlap=1)
    assign_all(study, make_batches(collection=study.collection, by=study.lena), ["alice"])
    study.finish(alice=[2, 0, 1])
    add_runs(study)
    return study


@shelved
def of_three(db):
    """Three topics: Alice rated all, the second with Bob, and the third with Erin."""
    study = make_study(facets=("background", "method", "result"), assign=False, overlap=1)
    first, second, third = make_batches(collection=study.collection, by=study.lena)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    for batch, other in ((second, "bob"), (third, "erin")):
        raise_overlap(batch=batch, overlap=2, by=study.lena, reason="To report agreement.")
        assign_all(study, [batch], ["alice", other])
        study.finish(batch, **{"alice": [2, 0, 1], other: [1, 0, 1]})
    assign_all(study, [first], ["alice"])
    study.finish(first, alice=[2, 0, 1])
    decide_all(study)
    add_runs(study)
    return study


def test_people_are_left_out_of_the_topics_that_they_rated(of_three):
    notes = {compared.name: compared.note for compared in matter_of(of_three).left_out}

    assert notes == {
        f"Without {pseudonym(of_three.collection, of_three.members[name])}": (
            f"rated in {count} of 3 topics"
        )
        for name, count in (("alice", 3), ("bob", 1), ("erin", 1))
    }


def test_who_rated_a_pair_alone_is_drawn_for_it_each_time(of_three):
    matter = matter_of(of_three, "seat:1")
    alone = [unit.id for unit in matter.units].index("q1_background")

    drawn = matter.drawn(Drawn.PAIR).orders.values[:, :, alone]

    of_alice = values_by(of_three, "seat:1", matter.order)[:, alone]
    np.testing.assert_array_equal(drawn, np.tile(of_alice, (DRAWS, 1)))


def test_a_run_without_a_value_has_no_place_in_an_order(study):
    matter = matter_of(study, "seat:1")
    matter.reference.means[-1] = np.nan

    last = matter.reference.names[-1]
    assert matter.why_none == (
        f"{last} has no {matter.measure.name} on these topics, so there is no order by the first "
        "seat to compare with."
    )
