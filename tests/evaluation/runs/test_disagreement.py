"""Draws of raters: what is drawn does not depend on how much is drawn at a time."""

import numpy as np
import pytest

from datasets.runs.actions import add_run
from evaluation.models import KnownResult
from evaluation.protocols import shipped
from evaluation.runs import disagreement
from evaluation.runs.disagreement import Matter
from evaluation.runs.evaluation import Evaluation
from evaluation.sources.choices import source_named
from tests.factories.runs import run_of
from tests.factories.studies import make_study

DRAWS, PAIRS = 20, 3


@pytest.fixture
def study(db):
    """Three topics, on which raters and runs differ."""
    study = make_study(facets=("background", "method", "result"))
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[2, 0, 1], bob=[1, 2, 0])
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    for turn in range(3):
        ranking = documents[turn:] + documents[:turn]
        run = run_of({topic.external_id: ranking for topic in study.topics}, tag=f"run {turn}")
        add_run(collection=study.collection, run=run, by=study.lena)
    return study


def drawn_values(study):
    source = source_named(study.collection, "seat:1")
    evaluation = Evaluation(study.collection, shipped()["trec"], source)
    return Matter(evaluation, evaluation.protocol.parsed[0], draws=DRAWS).by_pair.orders.values


@pytest.mark.parametrize("topics_at_a_time", [0, 1, 2])
def test_raters_drawn_in_parts_are_those_drawn_at_once(study, monkeypatch, topics_at_a_time):
    at_once = drawn_values(study)
    kept = KnownResult.objects.count()

    monkeypatch.setattr(disagreement, "AT_A_TIME", topics_at_a_time * DRAWS * PAIRS)

    np.testing.assert_array_equal(drawn_values(study), at_once)
    assert at_once.shape == (DRAWS, 3, 3)
    assert len(np.unique(at_once, axis=0)) > 1
    assert KnownResult.objects.count() == kept  # a part is no result of its own
