"""A database from before the rule gets times of roles, and waivers for its old seats."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.models import Tenure, Waiver
from config.integrity import findings
from datasets.actions import remove_member, set_roles
from datasets.models import Membership
from tests.damage import rewrite
from tests.factories.studies import make_member, make_study

pytestmark = [pytest.mark.both, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def migrated_anew(transactional_db):
    """`migrated_anew()`: the database back to before the rule, and forward again."""

    def migrate():
        call_command("migrate", "annotation", "0006", verbosity=0)
        call_command("migrate", "datasets", "0004", verbosity=0)
        call_command("migrate", verbosity=0)

    yield migrate
    call_command("migrate", verbosity=0)


def periods_of(member):
    return [
        (role, until is not None)
        for role, until in member.role_periods.values_list("role", "until")
    ]


def study_of_changing_roles(slug):
    study = make_study(slug=slug)
    bob = study.members["bob"]
    set_roles(membership=bob, by=study.lena, roles=["annotator", "lead"])
    set_roles(membership=bob, by=study.lena, roles=["annotator"])
    remove_member(membership=study.members["carol"], by=study.lena)
    return study


def study_that_a_lead_finished(slug):
    study = make_study(slug=slug, candidates=1)
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    study.finish(alice=1, bob=1)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="look again")
    return study


def study_that_breaks_the_rule(slug):
    """Nora sat down before anybody had rated, leads since, and by now could not sit down."""
    study = make_study(slug=slug, candidates=1)
    nora = make_member(study.collection, "Nora", "annotator")
    seat = study.seat("bob")
    assign_seat(seat=seat, member=None, by=study.lena)
    assign_seat(seat=seat, member=nora, by=study.lena)
    set_roles(membership=nora, by=study.lena, roles=["annotator", "lead"])
    study.rate_all("alice", 1)
    rewrite(Tenure.objects.filter(member=nora), since=timezone.now() + timedelta(seconds=1))
    return study


def test_roles_before_the_rule_are_read_from_the_trail_and_the_rows(migrated_anew):
    """One migration, which takes seconds, for a study of each kind."""
    changing = study_of_changing_roles("changing")
    finished = study_that_a_lead_finished("finished")
    breaking = study_that_breaks_the_rule("breaking")

    migrated_anew()

    bob = changing.members["bob"]
    assert periods_of(bob) == [("annotator", False), ("lead", True)]
    assert periods_of(changing.members["carol"]) == [("adjudicator", True)]
    assert periods_of(changing.members["lena"]) == [("lead", False)]
    assert bob.role_periods.get(role="annotator").since == bob.created_at

    # A lead of a finished batch could read it.
    tenures = Tenure.objects.filter(batch__collection=finished.collection)
    could_read = dict(tenures.values_list("member__name", "could_read_since"))
    assert could_read["Alice"] is not None
    assert could_read["Bob"] is None

    # A seat that breaks the rule has a waiver that nobody gave.
    waiver = Waiver.objects.get()
    assert waiver.batch.collection == breaking.collection
    assert (waiver.member.name, waiver.given_by) == ("Nora", None)

    assert findings() == []
