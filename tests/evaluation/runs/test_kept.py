"""Figures of runs are in memory until anything of the collection changes, for who may see them."""

import pytest
from django.test import RequestFactory

from annotation.assigning.actions.assign import return_seat
from datasets.models import Membership
from datasets.runs.actions import add_run
from evaluation.pages.frame import ask
from evaluation.runs.scores import scores_of
from tests.factories.runs import run_of
from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study():
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 2, 3])
    add(study, "up", 1)
    add(study, "down", -1)
    return study


def add(study, tag, step):
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    run = run_of({"q1_method": documents[::step]}, tag=tag)
    add_run(collection=study.collection, run=run, by=study.lena)


def page_for(study, user=None, **parameters):
    request = RequestFactory().get("/", parameters)
    request.user = user or study.lena
    return ask(request, study.collection.slug)


def test_what_was_computed_once_is_shown_again_as_of_now(study):
    first, again = page_for(study), page_for(study)

    assert scores_of(again.evaluation) is scores_of(first.evaluation)
    assert again.evaluation.judging is first.evaluation.judging
    assert again.read_at > first.read_at


def test_another_run_is_among_the_scores_at_once(study):
    before = scores_of(page_for(study).evaluation)
    add(study, "up-again", 1)

    after = scores_of(page_for(study).evaluation)

    assert [len(scores.rows) for scores in (before, after)] == [2, 3]


def test_a_returned_seat_takes_its_topic_out_of_the_scores_at_once(study):
    before = page_for(study).evaluation
    assert scores_of(before).topics == 1

    return_seat(seat=study.seat("alice"), by=study.lena, reason="Look again.")

    assert scores_of(page_for(study).evaluation).topics == 0


def test_a_lead_never_gets_what_was_read_for_another(study):
    Membership.objects.filter(pk=study.members["carol"].pk).update(is_lead=True)

    first, other = page_for(study), page_for(study, study.carol)

    assert other.evaluation.judging is not first.evaluation.judging
    assert scores_of(other.evaluation) is not scores_of(first.evaluation)
