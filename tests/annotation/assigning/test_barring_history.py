"""What a database from before the rule gets: times of roles, and waivers for what was."""

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


def test_times_of_roles_come_from_the_trail_and_from_the_rows(migrated_anew):
    study = make_study()
    bob, carol = study.members["bob"], study.members["carol"]
    set_roles(membership=bob, by=study.lena, roles=["annotator", "lead"])
    set_roles(membership=bob, by=study.lena, roles=["annotator"])
    remove_member(membership=carol, by=study.lena)

    migrated_anew()

    assert periods_of(bob) == [("annotator", False), ("lead", True)]
    assert periods_of(carol) == [("adjudicator", True)]
    assert periods_of(study.members["lena"]) == [("lead", False)]
    assert bob.role_periods.get(role="annotator").since == bob.created_at
    assert findings() == []


def test_a_lead_of_a_finished_batch_could_read_it(migrated_anew):
    study = make_study(candidates=1)
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    study.finish(alice=1, bob=1)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="look again")

    migrated_anew()

    could_read = dict(Tenure.objects.values_list("member__name", "could_read_since"))
    assert could_read["Alice"] is not None
    assert could_read["Bob"] is None
    assert findings() == []


def test_a_seat_from_before_that_breaks_the_rule_has_a_waiver_that_nobody_gave(migrated_anew):
    study = make_study(candidates=1)
    nora = make_member(study.collection, "Nora", "annotator")
    seat = study.seat("bob")
    assign_seat(seat=seat, member=None, by=study.lena)
    assign_seat(seat=seat, member=nora, by=study.lena)
    set_roles(membership=nora, by=study.lena, roles=["annotator", "lead"])
    study.rate_all("alice", 1)
    rewrite(Tenure.objects.filter(member=nora), since=timezone.now() + timedelta(seconds=1))

    migrated_anew()

    waiver = Waiver.objects.get()
    assert (waiver.member, waiver.given_by) == (nora, None)
    assert findings() == []
