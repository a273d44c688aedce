"""Measured values are kept by the hash of their inputs, and can always be computed again."""

import uuid
from dataclasses import replace
from importlib.metadata import version

import numpy as np
import pytest

from adjudication.actions import decide
from agreement.study import program
from datasets.runs.actions import add_run
from evaluation.models import KnownResult
from evaluation.orders import stability
from evaluation.protocols import shipped
from evaluation.runs import stored
from evaluation.runs.disagreement import Matter
from evaluation.runs.evaluation import Evaluation
from evaluation.sources.choices import source_named
from tests.factories.runs import run_of
from tests.factories.studies import make_study
from tests.shelf import shelved


@shelved
def study(db):
    study = make_study()
    study.finish(alice=[2, 0, 1], bob=[2, 0, 0])
    decide_dispute(study)
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    for tag, step in {"up": 1, "down": -1}.items():
        run = run_of({"q1_method": documents[::step]}, tag=tag)
        add_run(collection=study.collection, run=run, by=study.lena)
    return study


def decide_dispute(study):
    pair = study.collection.batches.get().pairs.get(state="disputed")
    decide(
        pair=pair,
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
        cause="granularity",
        rationale="",
    )


def evaluation(study, protocol="trec", source="gold"):
    return Evaluation(study.collection, shipped()[protocol], source_named(study.collection, source))


def values(study, **chosen):
    measured = evaluation(study, **chosen).measured
    return [measured.values.tolist(), measured.judged.tolist(), measured.lacks.tolist()]


def test_the_same_again_is_read_and_not_measured(study, monkeypatch):
    first = values(study)
    monkeypatch.setattr(stored, "measure_runs", pytest.fail)

    np.testing.assert_equal(values(study), first)
    assert KnownResult.objects.count() == 1


def test_kept_results_can_be_deleted_at_any_time(study):
    first = values(study)
    KnownResult.objects.all().delete()

    np.testing.assert_equal(values(study), first)


@pytest.mark.parametrize("change", ["source", "protocol", "run", "program"])
def test_another_input_is_measured_anew(study, monkeypatch, change):
    values(study)
    chosen = {
        "source": {"source": "seat:2", "protocol": "trec"},
        "protocol": {"protocol": "csfcube"},
    }.get(change, {})
    if change == "run":
        run = run_of({"q1_method": ["q1c2"]}, tag="third")
        add_run(collection=study.collection, run=run, by=study.lena)
    if change == "program":
        monkeypatch.setattr(stored, "program_hash", lambda *of: "another")

    values(study, **chosen)

    assert KnownResult.objects.count() == 2


@pytest.mark.parametrize("library", ["numpy", "ir-measures", "pytrec-eval-terrier"])
def test_values_are_kept_for_the_libraries_that_computed_them(study, monkeypatch, library):
    values(study)
    monkeypatch.setattr(
        program, "version", lambda name: "another" if name == library else version(name)
    )
    program.program_hash.cache_clear()

    values(study)

    program.program_hash.cache_clear()
    assert KnownResult.objects.count() == 2


def test_only_the_newest_are_kept(study, monkeypatch):
    monkeypatch.setattr(stored, "KEPT", 2)

    for protocol in ("trec", "csfcube", "birco", "litsearch"):
        values(study, protocol=protocol)

    assert KnownResult.objects.count() == 2


def test_a_snapshot_takes_no_rows(study):
    replace(evaluation(study), may_keep=False).measured  # noqa: B018 - it is measured

    assert not KnownResult.objects.exists()


def test_the_tests_of_draws_are_kept(study, monkeypatch):
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    run = run_of({"q1_method": [documents[1], documents[0], documents[2]]}, tag="third")
    add_run(collection=study.collection, run=run, by=study.lena)

    def is_kept():
        chosen = evaluation(study)
        return Matter(chosen, chosen.protocol.parsed[0], draws=20).by_pair.orders.is_kept

    first = is_kept()
    monkeypatch.setattr(stability, "significant", lambda differences, flips: first[0])

    np.testing.assert_array_equal(is_kept(), first)
