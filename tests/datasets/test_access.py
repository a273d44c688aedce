"""Who finds a collection, and as what."""

from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from datasets.access import get_membership, leads_now
from datasets.actions import remove_member, set_roles
from datasets.models import Role
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_study, make_user
from tests.shelf import shelved


@shelved
def study(db):
    return make_study(assign=False)


@pytest.mark.parametrize(
    ("name", "roles", "passes"),
    [
        ("alice", [], True),
        ("alice", [Role.ANNOTATOR], True),
        ("alice", [Role.LEAD, Role.ANNOTATOR], True),
        ("alice", [Role.LEAD, Role.ADJUDICATOR], False),
        ("lena", [Role.LEAD], True),
        ("lena", [Role.ANNOTATOR], False),
    ],
)
def test_a_member_passes_with_one_of_the_roles(study, name, roles, passes):
    user = study.members[name].user

    if passes:
        assert get_membership(user, "study", *roles) == study.members[name]
    else:
        with pytest.raises(PermissionDenied):
            get_membership(user, "study", *roles)


def test_strangers_and_former_members_find_nothing(study):
    other = make_study(slug="other", assign=False)
    bob = other.members["bob"]
    remove_member(membership=bob, by=other.lena)

    assert get_membership(other.bob, "study") == study.members["bob"]
    for user, slug in [(make_user("Dave"), "study"), (other.bob, "other"), (study.alice, "none")]:
        with pytest.raises(Http404, match="no such collection"):
            get_membership(user, slug)


def test_a_membership_tells_of_the_runs_of_its_own_collection(study):
    other = make_study(slug="other", assign=False)
    add_run(collection=other.collection, run=run_of({"q1_method": ["q1c1"]}), by=other.lena)

    assert not get_membership(study.lena, "study").has_runs
    assert get_membership(other.lena, "other").has_runs


def test_a_membership_tells_of_the_judgments_of_others(study):
    assert not get_membership(study.lena, "study").has_judgments

    judgments = judgments_of({"q1_method": {"q1c1": "1"}})
    add_judgments(collection=study.collection, judgments=judgments, by=study.lena)

    assert get_membership(study.lena, "study").has_judgments


def test_a_job_is_led_by_current_leads_of_its_collection(study):
    other = make_study(slug="other", assign=False)
    jobs = [SimpleNamespace(collection=each.collection.public_id) for each in (study, other)]
    set_roles(membership=other.members["alice"], by=other.lena, roles=["lead"])

    assert [leads_now(study.lena, job) for job in jobs] == [True, True]
    assert [leads_now(study.alice, job) for job in jobs] == [False, True]
    remove_member(membership=other.members["alice"], by=other.lena)
    assert [leads_now(study.alice, job) for job in jobs] == [False, False]
