"""A lead's request: the same pairs count whatever the source of values."""

import json
import uuid

import pytest

from adjudication.actions import decide
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import raise_overlap
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from evaluation.protocols import Protocol, shipped
from evaluation.runs.evaluation import Evaluation
from evaluation.runs.files import all_figures
from evaluation.runs.scores import people_of, scores_of
from evaluation.sources.choices import source_named
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import (
    assign_all,
    make_aspect_study,
    make_batches,
    make_member,
    make_study,
)
from tests.shelf import shelved


def test_pair_that_gold_leaves_out_is_unjudged_by_judgments_made_elsewhere_too(db):
    study = make_study()
    study.finish(alice=[2, 0, 1], bob=[2, 1, 1])
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    disputed = study.batch.pairs.get(state="disputed")
    decide(
        pair=disputed,
        by=study.carol,
        save_id=uuid.uuid4(),
        based_on=None,
        rationale="It has no text.",
        exclusion_reason="no text",
    )
    topic = disputed.topic.external_id
    judgments = judgments_of({topic: dict.fromkeys([*documents, "elsewhere"], "1")})
    add_judgments(collection=study.collection, judgments=judgments, by=study.lena)
    add_run(collection=study.collection, run=run_of({topic: documents}), by=study.lena)

    judged = {
        text: Evaluation(
            study.collection, shipped()["trec"], source_named(study.collection, text)
        ).topics[0]
        for text in ("gold", "judgments:nist")
    }

    left = sorted({*documents, "elsewhere"} - {disputed.document.external_id})
    assert sorted(judged["judgments:nist"].grades.documents) == left
    assert judged["gold"].grades.judged == 2


@shelved
def third_in_one(db):
    """Two topics, of which a third seat has rated the second alone, as the others did."""
    study = make_study(facets=("background", "method"), assign=False)
    single, double = make_batches(collection=study.collection, by=study.lena)
    raise_overlap(batch=double, overlap=3, by=study.lena, reason="To report agreement.")
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    assign_all(study, [single, double], ["alice", "bob", "erin"])
    study.finish(single, alice=[2, 0, 1], bob=[2, 0, 1])
    study.finish(double, alice=[2, 0, 1], bob=[2, 0, 1], erin=[2, 0, 1])
    documents = [pair.document.external_id for pair in double.pairs.all()]
    run = run_of({study.topics[1].external_id: documents})
    add_run(collection=study.collection, run=run, by=study.lena)
    return study


def test_topic_without_a_value_from_the_source_is_left_out_as_its_qrels_leave_it(third_in_one):
    collection = third_in_one.collection
    first, second = (topic.external_id for topic in third_in_one.topics)

    evaluation = Evaluation(collection, shipped()["trec"], source_named(collection, "seat:3"))

    assert [unit.id for unit in evaluation.units] == [second]
    assert [(topic.id, topic.reason) for topic in evaluation.not_yet] == [
        (first, "no value by the third seat")
    ]


def test_a_topic_to_decide_counts_by_a_seat_and_not_yet_by_gold(db):
    study = make_study()
    study.finish(alice=[2, 0, 1], bob=[2, 2, 1])

    def not_yet(source):
        source = source_named(study.collection, source)
        evaluation = Evaluation(study.collection, shipped()["trec"], source)
        return [topic.reason for topic in evaluation.not_yet]

    assert not_yet("gold") == ["1 pair to decide"]
    assert not_yet("seat:1") == []


def test_a_query_counts_once_each_of_its_aspects_does(db):
    study = make_aspect_study(annotators=("alice",), overlap=1)
    *batches, last = study.collection.batches.all()
    for batch in batches:
        study.finish(batch, alice=[2, 1, 0])

    def counted():
        evaluation = Evaluation(study.collection, shipped()["trec"], level="queries")
        reasons = [query.reason for query in evaluation.not_yet]
        return [unit.id for unit in evaluation.units], reasons

    assert counted() == ([], ["3 pairs with a seat not handed in"])
    study.finish(last, alice=[2, 1, 0])
    assert counted() == (["0"], [])


@pytest.mark.parametrize("is_in_folds", [True, False])
def test_topic_in_no_fold_is_left_out_where_the_means_of_folds_count(db, is_in_folds):
    study = make_study(facets=("background", "method", "result"))
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[2, 0, 1], bob=[2, 0, 1])
    first, second, third = (topic.external_id for topic in study.topics)
    folds = {"fold1_test": [first], "fold2_test": [second]} if is_in_folds else {}
    study.collection.extra = {"csfcube": {"splits": json.dumps({"all": folds})}}

    evaluation = Evaluation(study.collection, shipped()["csfcube"])

    reasons = [(topic.id, topic.reason) for topic in evaluation.not_yet]
    assert reasons == ([(third, "in no fold")] if is_in_folds else [])
    assert len(evaluation.units) == (2 if is_in_folds else 3)
    words = "Tests are of the plain mean over topics, not of the mean of the means of two folds."
    assert evaluation.tested == (words if is_in_folds else "")


@pytest.mark.parametrize("errors", [True, False])
def test_standard_errors_stand_where_the_protocol_has_them(third_in_one, errors):
    protocol = Protocol("k", "N", ("P@5",), errors=errors)

    [row] = scores_of(Evaluation(third_in_one.collection, protocol)).rows

    assert (row.cells[0].error is not None) == errors


def test_people_are_rankers_of_the_topics_that_they_rated(third_in_one):
    evaluation = Evaluation(third_in_one.collection, shipped()["trec"])
    [measure, *_] = evaluation.protocol.parsed

    first, second, third = people_of(evaluation, measure).rows

    assert [row.name for row in (first, second, third)] == [
        "First seat as a ranker",
        "Second seat as a ranker",
        "Third seat as a ranker",
    ]
    assert third.cell(measure).value == 1
    assert first.best == pytest.approx(third.best / 2)  # on both topics, of which it ranks one
    for row, topics in [(first, ""), (third, " on 1 topic")]:
        best = f"best run by the same judge: bm25 {100 * row.best:.2f}"
        assert row.note == f"judged by the median of the other seats{topics}; {best}"


def test_each_of_two_people_is_judged_by_the_other(db):
    study = make_study()
    study.finish(alice=[2, 0, 1], bob=[2, 0, 1])
    evaluation = Evaluation(study.collection, shipped()["trec"])
    [measure, *_] = evaluation.protocol.parsed

    notes = [row.note for row in people_of(evaluation, measure).rows]

    assert notes == ["judged by the second seat", "judged by the first seat"]


def test_what_is_narrowed_or_by_another_source_is_of_the_same_moment(third_in_one):
    evaluation = Evaluation(third_in_one.collection, shipped()["trec"])
    judging = evaluation.judging
    for batch in third_in_one.collection.batches.all():
        seat = batch.seats.first()
        return_seat(seat=seat, by=third_in_one.lena, reason="Look again.")

    seats = evaluation.by(source_named(third_in_one.collection, "seat:1"))

    assert len(evaluation.units) == len(seats.units) == 2
    assert seats.judging is evaluation.narrowed(facet="method").judging is judging


def test_of_a_fold_its_topics_alone_count(db):
    study = make_study(facets=("background", "method"))
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[2, 0, 1], bob=[2, 0, 1])
    first, second = (topic.external_id for topic in study.topics)
    folds = {"fold1_test": [first], "fold2_test": [second]}
    study.collection.extra = {"csfcube": {"splits": json.dumps({"all": folds})}}
    evaluation = Evaluation(study.collection, shipped()["csfcube"])

    for fold, topic in (("fold1", first), ("fold2", second)):
        assert [unit.id for unit in evaluation.narrowed(fold=fold).units] == [topic]


def test_people_whose_judges_lie_between_grades_are_no_rankers_by_a_measure_of_whole_ones(db):
    study = make_study(assign=False, overlap=3)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    (batch,) = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [batch], ["alice", "bob", "erin"])
    study.finish(batch, alice=[2, 0, 1], bob=[2, 0, 1], erin=[2, 0, 0])
    documents = [pair.document.external_id for pair in batch.pairs.all()]
    topic = batch.pairs.first().topic.external_id
    add_run(collection=study.collection, run=run_of({topic: documents}), by=study.lena)
    source = source_named(study.collection, "highest")

    evaluation = Evaluation(study.collection, Protocol("k", "N", ("SetP",)), source)

    assert "takes whole grades" in people_of(evaluation, evaluation.protocol.parsed[0]).why_none
    assert all_figures(evaluation)["runs"]["bm25"]["all"]["SetP"]["value"] == 2 / 3


def test_people_who_gave_one_grade_often_are_rankers_by_measures_of_ir_measures(db):
    study = make_study()
    study.finish(alice=[2, 0, 0], bob=[2, 0, 2])
    topic = study.batch.pairs.first().topic.external_id
    add_run(collection=study.collection, run=run_of({topic: ["q1c1"]}), by=study.lena)
    evaluation = Evaluation(
        study.collection, Protocol("k", "N", ("SetP",)), source_named(study.collection, "highest")
    )

    [measure] = evaluation.protocol.parsed
    people = people_of(evaluation, measure)

    assert [row.cell(measure).value for row in people.rows] == pytest.approx([2 / 3, 1 / 3])
