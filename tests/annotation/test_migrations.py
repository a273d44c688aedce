"""A database of an earlier version keeps what it says, and gets what came since.

Going back and forward takes half a minute of a processor, so it is done once for all that is asked,
under --full. A push migrates a backup of an earlier version (tests/config/backups/test_drill.py).
"""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.models import Option, Pair, RatingRevision, Scale, Tenure, Waiver
from config.integrity import findings
from datasets.actions import remove_member, set_roles
from tests.audit.test_triggers import triggers
from tests.damage import rewrite
from tests.factories.studies import make_member, make_study

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

# Before those who read could not rate and before scales; then also before aspects.
BEFORE_READERS = [
    ("adjudication", "0002_refusals"),
    ("datasets", "0004_session_rules"),
    ("annotation", "0004_machine_extra"),
]
BEFORE_ASPECTS = [("annotation", "0002_refusals")]


def migrate_back(targets):
    MigrationExecutor(connection).migrate(targets)


@pytest.fixture
def whole_again(transactional_db):
    """Whatever fails, the next test has the tables of today."""
    yield
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
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
    alice = study.members["alice"]
    set_roles(membership=alice, by=study.lena, roles=["annotator", "lead"])
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


def study_of_distances(slug):
    study = make_study(slug=slug, rule={"name": "difference_of_at_least", "distance": "2"})
    study.finish(alice=[1, 3, 2], bob=[2, 1, 2])
    return study


def options_and_states(study):
    options = Option.objects.filter(scale__scheme=study.scheme)
    pairs = Pair.objects.filter(topic__collection=study.collection)
    return list(options.values_list("key", "value")), list(pairs.values_list("state", "gold_value"))


def test_rows_and_triggers_of_before_are_those_of_today(whole_again):
    changing = study_of_changing_roles("changing")
    finished = study_that_a_lead_finished("finished")
    breaking = study_that_breaks_the_rule("breaking")
    distant = study_of_distances("distant")
    before, graded = triggers(), options_and_states(distant)

    migrate_back(BEFORE_READERS)
    guarding = triggers()
    migrate_back(BEFORE_ASPECTS)

    # A migration keeps the triggers of the tables that it changes.
    assert "annotation_ratingrevision_no_update" in guarding
    assert triggers() == guarding

    call_command("migrate", verbosity=0)

    assert triggers() == before
    revision = RatingRevision.objects.first()
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        RatingRevision.objects.filter(pk=revision.pk).update(note="rewritten")

    # Roles are read from the trail and the rows.
    bob = changing.members["bob"]
    assert periods_of(bob) == [("annotator", False), ("lead", True)]
    assert periods_of(changing.members["carol"]) == [("adjudicator", True)]
    assert periods_of(changing.members["lena"]) == [("lead", False)]
    # Their times are those of the events, which are written a moment after the rows.
    since = bob.role_periods.get(role="annotator").since
    assert timedelta(0) <= since - bob.created_at < timedelta(seconds=1)

    # A lead of a finished batch could read it.
    tenures = Tenure.objects.filter(batch__collection=finished.collection)
    could_read = dict(tenures.values_list("member__name", "could_read_since"))
    assert could_read["Alice"] is not None
    assert could_read["Bob"] is None

    # A seat that breaks the rule has a waiver that nobody gave.
    waiver = Waiver.objects.get()
    assert waiver.batch.collection == breaking.collection
    assert (waiver.member.name, waiver.given_by) == ("Nora", None)

    # A scheme has one shared scale.
    scale = Scale.objects.get(scheme__collection=distant.collection)
    assert (scale.facet, scale.is_ordinal, scale.distance) == ("", True, 2)
    assert options_and_states(distant) == graded

    assert findings() == []
