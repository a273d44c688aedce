"""Runs and judgments are found by their own ids, by leads of their collection."""

import uuid

import pytest
from django.http import Http404

from datasets.runs.access import get_judgment_set, get_run
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_study, make_user


def runs_of(study):
    """Two runs of the study's topic."""
    return [
        add_run(collection=study.collection, run=run_of({"q1_method": names}, tag=tag), by=None).run
        for tag, names in {"bm25": ["q1c1"], "dense": ["q1c2"]}.items()
    ]


def judgments_in(study):
    """Two sets of judgments of the study's topic."""
    return [
        add_judgments(
            collection=study.collection,
            judgments=judgments_of({"q1_method": {"q1c1": grade}}, name=name),
            by=None,
        ).judgment_set
        for name, grade in {"nist": "1", "trec": "2"}.items()
    ]


@pytest.mark.parametrize(("load", "make"), [(get_run, runs_of), (get_judgment_set, judgments_in)])
def test_a_lead_gets_the_one_that_is_named_and_a_stranger_none(db, load, make):
    study = make_study()
    rows = make(study)

    assert [load(study.lena, row.public_id) for row in rows] == [
        (row, study.members["lena"]) for row in rows
    ]
    for user, public_id in [(make_user("Mallory"), rows[0].public_id), (study.lena, uuid.uuid4())]:
        with pytest.raises(Http404):
            load(user, public_id)
