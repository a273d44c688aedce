"""What a CSV export says, read as tables: the same ratings and decisions, and no more."""

import uuid

from adjudication.actions import decide
from annotation.assigning.actions.assign import assign_seat
from annotation.models import Pair
from formats.files import open_files
from formats.reading import Options
from formats.tables.read import read, recognise
from releases.actions import write_export
from tests.factories.studies import make_member


def read_again(study, folder):
    topics = {topic.external_id: ["q1"] for topic in study.topics}
    documents = frozenset(study.collection.documents.values_list("external_id", flat=True))
    with open_files([folder]) as files:
        options = Options(
            facets=("method",),
            mapping=recognise(files).mapping(),
            known_topics=topics,
            known_documents=documents,
        )
        return read(files, options)


def test_ratings_and_standing_decisions_come_back(finished, tmp_path):
    decided = Pair.objects.get(state="adjudicated")
    decide(
        pair=decided,
        by=finished.carol,
        save_id=uuid.uuid4(),
        based_on=decided.decisions.get().public_id,
        option=finished.option(0),
        cause="granularity",
        rationale="'=2 was wrong",
    )
    write_export(
        collection=finished.collection,
        export_format="csv",
        folder=tmp_path,
        by=finished.lena,
        with_notes=True,
    )

    again = read_again(finished, tmp_path)

    assert [(rating.document, rating.grade) for rating in again.ratings] == [
        (pair.document.external_id, rating.option and rating.option.key)
        for pair in finished.batch.pairs.all()
        for rating in pair.ratings.order_by("seat__ordinal")
    ]
    assert [
        (decision.grade, decision.reason, decision.rationale) for decision in again.decisions
    ] == [
        (finished.option(0).key, "", "'=2 was wrong"),
        (None, "The abstract is cut off", ""),
    ]
    # The earlier decision, gold by agreement, and the gold that the decision made.
    assert again.left_out_count == 3


def test_pairs_that_wait_for_a_second_answer_still_wait(study, tmp_path):
    study.rate("alice", study.batch.pairs.first(), 2)
    write_export(
        collection=study.collection,
        export_format="csv",
        folder=tmp_path,
        by=study.lena,
        allow_incomplete=True,
    )

    again = read_again(study, tmp_path)

    assert [(rating.overlap, rating.batch) for rating in again.ratings] == [(2, study.batch.name)]


def test_nobody_lacks_an_answer_where_a_seat_changed_hands(study, tmp_path):
    erin = make_member(study.collection, "Erin", "annotator")
    first, *others = study.batch.pairs.all()
    study.rate("alice", first, 2)
    assign_seat(seat=study.seat("alice"), member=erin, by=study.lena, reason="Alice left")
    study.members["erin"] = erin
    for pair in others:
        study.rate("erin", pair, 1)
    study.hand_in("erin")
    study.finish(bob=[2, 1, 1])
    write_export(collection=study.collection, export_format="csv", folder=tmp_path, by=study.lena)

    again = read_again(study, tmp_path)

    assert [(rating.document, rating.grade) for rating in again.ratings] == [
        (pair.document.external_id, option.key)
        for pair, option in zip(
            study.batch.pairs.all(), [study.option(value) for value in (2, 1, 1)], strict=True
        )
        for _ in ("the seat of Alice and Erin", "the seat of Bob")
    ]
    assert len({rating.rater for rating in again.ratings}) == 3
    assert any(note.startswith("Seats with several people: seat 1") for note in again.notes)
