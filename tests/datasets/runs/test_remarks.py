"""What a run and the collection have not in common, in sentences."""

from datasets.runs.actions import add_run
from datasets.runs.remarks import gaps_of_run, remarks_on
from tests.factories.runs import run_of
from tests.factories.studies import make_study, make_topic
from tests.shelf import shelved

POOL = ["q1c1", "q1c2", "q1c3"]


@shelved
def study(db):
    return make_study()


def add(study, rankings, **options):
    return add_run(collection=study.collection, run=run_of(rankings), by=study.lena, **options).run


def test_a_run_that_ranks_every_pool_and_nothing_else_gets_none(study):
    assert remarks_on(add(study, {"q1_method": POOL})) == []


def test_one_of_each_kind_is_said_in_the_singular(study):
    make_topic(study.collection, "q2")
    run = add(study, {"q1_method": [*POOL, "x1"], "q9_method": ["q1c1"]})

    assert gaps_of_run(run) == [
        "1 topic (q2_method) is not ranked.",
        "1 topic (q9_method) is unknown to the collection.",
        "1 document (x1 for q1_method) is outside the pools.",
        "1 of 5 lines (20%) ranks a document that the collection does not have: x1.",
    ]


def test_three_are_all_named_and_of_four_the_last_is_counted(study):
    three, four = ([f"x{number}" for number in range(count)] for count in (3, 4))

    assert gaps_of_run(add(study, {"q1_method": [*POOL, *three]}))[0] == (
        "3 documents (x0 for q1_method, x1 for q1_method, x2 for q1_method) are outside the pools."
    )
    run = run_of({"q1_method": [*POOL, *four]}, tag="other")
    assert gaps_of_run(add_run(collection=study.collection, run=run, by=study.lena).run)[0] == (
        "4 documents (x0 for q1_method, x1 for q1_method, x2 for q1_method and 1 more) are outside "
        "the pools."
    )


def test_a_document_of_another_pool_is_no_stranger(study):
    make_topic(study.collection, "q2")
    run = add(study, {"q1_method": [*POOL, "q2c1"], "q2_method": ["q2c1", "q2c2", "q2c3"]})

    assert gaps_of_run(run) == ["1 document (q2c1 for q1_method) is outside the pools."]


def test_ranks_that_say_the_reverse_of_the_scores_come_first(study):
    rows = [("q1c1", 2, 0.9), ("q1c2", 1, 0.8), ("q1c3", 3, 0.7)]
    by_score = add(study, {"q1_method": rows})
    assert remarks_on(by_score) == [
        "1 rank says the reverse of the scores; the documents are in the order of the scores."
    ]
    assert gaps_of_run(by_score) == []


def test_the_order_that_was_taken_is_said(study):
    rows = [("q1c1", 3, 0.9), ("q1c2", 2, 0.8), ("q1c3", 1, 0.7)]
    assert remarks_on(add(study, {"q1_method": rows}, order="rank")) == [
        "2 ranks say the reverse of the scores; the documents are in the order of the ranks."
    ]
