"""Collections, invitations and members."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from accounts.actions import deactivate
from annotation.assigning.actions.assign import assign_seat
from audit.models import Event
from audit.refusals import Invalid, Refused
from datasets import actions
from datasets.models import Collection, Invitation, Membership
from datasets.tokens.actions import revoke_token
from tests.accounts.test_setup import at_once
from tests.factories.studies import make_member, make_study, make_user
from tests.factories.tokens import token_of
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def study():
    return make_study(assign=False)


@shelved
def dave(db):
    return make_user("Dave")


def invite(study, role="annotator", **more):
    return actions.invite(collection=study.collection, role=role, by=study.lena, **more)


def imported(study, name="annotator 1", **more):
    """The place of a person known from an imported study alone."""
    roles = {"is_annotator": True} | more
    return Membership.objects.create(
        collection=study.collection, name=name, external_id=name, **roles
    )


def verbs_about(subject):
    return [event.verb for event in Event.objects.about(subject)]


class TestCollections:
    def test_creator_is_no_member(self, dave):
        collection = actions.create_collection(name="New", slug="second", by=dave, licence="CC0")

        assert (collection.licence, collection.memberships.count()) == ("CC0", 0)
        [event] = Event.objects.about(collection)
        assert (event.verb, event.actor) == ("create collection", dave)
        assert event.collection == collection.public_id
        assert (event.after["slug"], event.after["name"]) == ("second", "New")
        assert (event.after["licence"], event.after["citation"]) == ("CC0", "")
        assert event.after["programs_may_rate"] is False

    @pytest.mark.parametrize("slug", ["study", "new"])
    def test_taken_address_is_refused(self, study, slug):
        with pytest.raises(Invalid, match=slug):
            actions.create_collection(name="Other", slug=slug, by=study.lena)

        assert Collection.objects.count() == 1

    @pytest.mark.parametrize(
        ("change", "verb", "values"),
        [
            (actions.change_details, "change details", {"name": "Other", "licence": "CC0"}),
            (actions.change_sign_in_rules, "change sign-in rules", {"idle_hours": 4}),
            (
                actions.change_scoring_guard,
                "change scoring guard",
                {"scores_wait_for_locking": True},
            ),
            (actions.change_programs, "change programs", {"programs_may_rate": True}),
        ],
    )
    def test_a_change_is_stored_and_told_once(self, study, change, verb, values):
        before = {name: getattr(study.collection, name) for name in values}
        for _ in range(2):
            change(collection=study.collection, by=study.lena, **values)

        collection = Collection.objects.get()
        assert {name: getattr(collection, name) for name in values} == values
        [event] = Event.objects.filter(verb=verb)
        assert (event.actor, event.collection) == (study.lena, collection.public_id)
        assert (event.before, event.after) == (before, values)


class TestInvitations:
    def test_only_a_hash_of_a_long_token_is_kept(self, study):
        invitation, token = invite(study)

        assert len(token) >= 43  # 256 bits in base64
        assert token not in str(Invitation.objects.values())
        assert token not in str(list(Event.objects.values()))
        assert invitation.expires_at - invitation.created_at == pytest.approx(
            timedelta(days=14), abs=timedelta(minutes=1)
        )

    def test_accepting_makes_a_member_with_the_role(self, study, dave):
        invitation, token = invite(study, "adjudicator")

        member = actions.accept_invitation(token=token, by=dave)

        assert (member.user, member.name, member.roles) == (dave, "Dave", ["adjudicator"])
        invitation.refresh_from_db()
        assert invitation.used_by == dave
        [event] = Event.objects.about(member)
        assert (event.verb, event.actor) == ("accept invitation", dave)
        assert event.collection == study.collection.public_id
        assert event.after == {
            "roles": ["adjudicator"],
            "invitation": str(invitation.public_id),
        }

    def test_accepting_adds_the_role_to_a_membership(self, study):
        member = actions.accept_invitation(token=invite(study, "lead")[1], by=study.alice)

        assert member == study.members["alice"]
        assert member.roles == ["annotator", "lead"]

    def test_somebody_who_comes_back_has_the_new_role_only(self, study):
        actions.remove_member(membership=study.members["alice"], by=study.lena)

        member = actions.accept_invitation(token=invite(study, "adjudicator")[1], by=study.alice)

        assert (member.pk, member.roles) == (study.members["alice"].pk, ["adjudicator"])
        assert member.removed_at is None

    def test_a_link_works_once(self, study, dave):
        _, token = invite(study)
        actions.accept_invitation(token=token, by=dave)

        with pytest.raises(actions.InvitationSpent):
            actions.accept_invitation(token=token, by=study.alice)

    def test_a_revoked_link_does_not_work(self, study, dave):
        invitation, token = invite(study)

        actions.revoke_invitation(invitation=invitation, by=study.lena)
        actions.revoke_invitation(invitation=invitation, by=study.lena)

        with pytest.raises(actions.InvitationSpent):
            actions.accept_invitation(token=token, by=dave)
        assert verbs_about(invitation) == ["invite member", "revoke invitation"]

    def test_an_old_link_does_not_work(self, study, dave):
        invitation, token = invite(study)
        Invitation.objects.filter(pk=invitation.pk).update(expires_at=Now())

        with pytest.raises(actions.InvitationSpent):
            actions.accept_invitation(token=token, by=dave)

    @pytest.mark.parametrize("end", ["removed", "demoted", "deactivated"])
    def test_a_link_lets_nobody_in_once_its_maker_leads_no_more(self, study, dave, end):
        erin = make_member(study.collection, "erin", "lead")
        _, token = actions.invite(collection=study.collection, role="lead", by=erin.user)
        if end == "removed":
            actions.remove_member(membership=erin, by=study.lena)
        elif end == "demoted":
            actions.set_roles(membership=erin, by=study.lena, roles=["annotator"])
        else:
            deactivate(account=erin.user, by=study.lena)

        assert not study.collection.invitations.working().exists()
        with pytest.raises(actions.InvitationSpent):
            actions.accept_invitation(token=token, by=dave if end == "deactivated" else erin.user)

    def test_a_site_admin_who_is_no_member_makes_the_link_of_the_first_lead(self, study, dave):
        admin = make_user("admin", is_site_admin=True)
        _, token = actions.invite(collection=study.collection, role="lead", by=admin)

        assert actions.accept_invitation(token=token, by=dave).is_lead

    @pytest.mark.parametrize("role", ["adjudicator", "annotator"])
    def test_a_lead_gains_no_role_by_a_link_of_their_own(self, study, role):
        invitation, token = invite(study, role)

        with pytest.raises(actions.OwnInvitation, match="Only another lead"):
            actions.accept_invitation(token=token, by=study.lena)

        assert Membership.objects.get(user=study.lena).roles == ["lead"]
        assert invitation in study.collection.invitations.working()

    def test_a_lead_gains_a_role_by_a_link_of_another_lead(self, study):
        rita = make_member(study.collection, "Rita", "lead")
        _, token = actions.invite(collection=study.collection, role="adjudicator", by=rita.user)

        member = actions.accept_invitation(token=token, by=study.lena)

        assert member.roles == ["adjudicator", "lead"]

    def test_a_used_link_cannot_be_revoked(self, study, dave):
        invitation, token = invite(study)
        actions.accept_invitation(token=token, by=dave)

        with pytest.raises(Refused, match="Remove the member instead"):
            actions.revoke_invitation(invitation=invitation, by=study.lena)

    def test_unknown_role_is_refused(self, study):
        with pytest.raises(Invalid, match="'owner'"):
            invite(study, "owner")

    def test_a_new_account_joins_or_nothing_happens(self, study):
        _, token = invite(study)
        details = {"name": "Eve", "password": "a new long password"}

        with pytest.raises(Invalid, match="already an account"):
            actions.join_with_new_account(token=token, email="Alice@example.org", **details)
        member = actions.join_with_new_account(token=token, email="Eve@example.org", **details)

        assert member.user.email == "eve@example.org"
        assert member.user.check_password("a new long password")

    @pytest.mark.django_db(transaction=True)
    def test_one_link_used_by_two_people_at_once_lets_one_in(self):
        study = make_study(assign=False)
        _, token = invite(study)
        people = [make_user(name) for name in ("Eve", "Finn", "Gus", "Hal")]

        outcomes = at_once(
            [lambda p=p: actions.accept_invitation(token=token, by=p) for p in people]
        )

        kinds = sorted(type(outcome).__name__ for outcome in outcomes)
        assert kinds == ["InvitationSpent"] * 3 + ["Membership"]
        assert Membership.objects.filter(user__in=people).count() == 1

    @pytest.mark.django_db(transaction=True)
    def test_two_links_used_by_one_person_at_once_make_one_membership(self):
        study = make_study(assign=False)
        tokens = [invite(study, role)[1] for role in ("annotator", "adjudicator", "lead")]
        eve = make_user("Eve")

        at_once([lambda t=t: actions.accept_invitation(token=t, by=eve) for t in tokens])

        assert eve.memberships.get().roles == ["annotator", "adjudicator", "lead"]


class TestPlacesOfImportedPeople:
    def test_a_link_hands_the_place_to_an_account(self, study, dave):
        place = imported(study)
        _, token = invite(study, membership=place)

        member = actions.accept_invitation(token=token, by=dave)

        assert member == place
        assert (member.user, member.name, member.external_id) == (dave, "Dave", "annotator 1")
        assert member.roles == ["annotator"]

    def test_a_member_cannot_take_another_place(self, study):
        place = imported(study)
        invitation, token = invite(study, membership=place)

        with pytest.raises(actions.AlreadyMember, match="not merged"):
            actions.accept_invitation(token=token, by=study.alice)

        invitation.refresh_from_db()
        place.refresh_from_db()
        assert (invitation.used_at, place.user) == (None, None)

    def test_a_place_is_taken_once(self, study, dave):
        place = imported(study)
        _, first = invite(study, membership=place)
        _, second = invite(study, membership=place)
        actions.accept_invitation(token=first, by=dave)

        with pytest.raises(Invalid):
            actions.accept_invitation(token=second, by=make_user("Eve"))
        place.refresh_from_db()
        with pytest.raises(Invalid, match="not an imported person"):
            invite(study, membership=place)

    def test_places_of_other_collections_cannot_be_linked(self, study):
        elsewhere = imported(make_study(slug="other", assign=False))

        with pytest.raises(Invalid):
            invite(study, membership=elsewhere)

    def test_a_lead_gives_the_place_to_an_account(self, study, dave):
        place = imported(study)

        member = actions.link_account(membership=place, user=dave, by=study.lena)

        assert (member, member.user, member.name) == (place, dave, "Dave")
        [event] = Event.objects.about(member)
        assert (event.verb, event.actor, event.after) == (
            "link member",
            study.lena,
            {"roles": ["annotator"], "account": str(dave.public_id)},
        )
        with pytest.raises(Invalid):
            actions.link_account(membership=place, user=make_user("Eve"), by=study.lena)

    def test_the_trail_of_an_invitation_names_its_place_and_no_address(self, study):
        place = imported(study)

        invitation, _ = invite(study, membership=place, email="Dave@example.org")

        [event] = Event.objects.about(invitation)
        assert event.after == {"role": "annotator", "membership": str(place.public_id)}
        assert (invitation.email, invitation.created_by) == ("dave@example.org", study.lena)
        assert event.collection == study.collection.public_id


class TestMembers:
    def test_roles_that_stay_the_same_are_no_event(self, study):
        actions.set_roles(membership=study.members["alice"], by=study.lena, roles=["annotator"])

        assert verbs_about(study.members["alice"]) == ["accept invitation"]

    def test_a_removed_member_gets_no_roles_and_is_removed_once(self, study):
        alice = study.members["alice"]
        actions.remove_member(membership=alice, by=study.lena)
        actions.remove_member(membership=alice, by=study.lena)

        with pytest.raises(Refused, match="removed meanwhile"):
            actions.set_roles(membership=alice, by=study.lena, roles=["lead"])

        [_, event] = Event.objects.about(alice)
        assert (event.actor, event.before) == (study.lena, {"roles": ["annotator"]})

    def test_tokens_that_were_revoked_before_keep_by_whom(self, study):
        alice = study.members["alice"]
        (first, _), (second, _) = token_of(alice), token_of(alice)
        revoke_token(token=first, by=study.alice)

        actions.remove_member(membership=alice, by=study.lena)

        revoked = dict(alice.tokens.values_list("pk", "revoked_by"))
        assert revoked == {first.pk: study.alice.pk, second.pk: study.lena.pk}

    def test_an_annotator_with_open_seats_may_become_a_lead_as_well(self):
        study = make_study(facets=("method", "result"))
        alice = study.members["alice"]

        member = actions.set_roles(membership=alice, by=study.lena, roles=["annotator", "lead"])

        assert member.roles == ["annotator", "lead"]
        with pytest.raises(actions.HoldsSeats, match="2 open seats"):
            actions.remove_member(membership=alice, by=study.lena)

    def test_set_roles(self, study):
        alice = actions.set_roles(
            membership=study.members["alice"], by=study.lena, roles=["adjudicator", "lead"]
        )

        assert alice.roles == ["adjudicator", "lead"]
        assert Membership.objects.get(pk=alice.pk).roles == ["adjudicator", "lead"]
        event = Event.objects.about(alice).last()
        assert (event.before, event.after) == (
            {"roles": ["annotator"]},
            {"roles": ["adjudicator", "lead"]},
        )

    @pytest.mark.parametrize("roles", [[], ["owner"]])
    def test_impossible_roles_are_refused(self, study, roles):
        with pytest.raises(Invalid):
            actions.set_roles(membership=study.members["alice"], by=study.lena, roles=roles)

        assert Membership.objects.get(user=study.alice).roles == ["annotator"]

    def test_nobody_changes_or_removes_themselves(self, study):
        lena = study.members["lena"]

        with pytest.raises(Invalid, match="your own roles"):
            actions.set_roles(membership=lena, by=study.lena, roles=["annotator"])
        with pytest.raises(Invalid, match="remove yourself"):
            actions.remove_member(membership=lena, by=study.lena)

    def test_removing_keeps_the_row_and_ends_the_membership(self, study):
        member = actions.remove_member(membership=study.members["alice"], by=study.lena)

        assert member.removed_at is not None
        assert member not in study.collection.memberships.current()
        assert verbs_about(member) == ["accept invitation", "remove member"]

    def test_somebody_who_holds_open_seats_stays_an_annotator(self):
        study = make_study()
        alice = study.members["alice"]

        with pytest.raises(actions.HoldsSeats, match="Alice holds 1 open seat"):
            actions.remove_member(membership=alice, by=study.lena)
        with pytest.raises(actions.HoldsSeats):
            actions.set_roles(membership=alice, by=study.lena, roles=["lead"])

        study.rate_all("alice", 2)
        study.hand_in("alice")
        assert actions.remove_member(membership=alice, by=study.lena).removed_at

    @pytest.mark.parametrize("is_handed_in", [False, True])
    def test_beside_a_lead_who_rates_a_seat_is_refused_without_counting(self, is_handed_in):
        study = make_study()
        nora = make_member(study.collection, "Nora", "lead", "annotator")
        assign_seat(seat=study.seat("bob"), member=None, by=study.lena)
        assign_seat(seat=study.batch.seats.get(holder=None), member=nora, by=study.lena)
        alice = study.members["alice"]
        if is_handed_in:
            study.rate_all("alice", 2)
            study.hand_in("alice")
        steps = [
            lambda: actions.remove_member(membership=alice, by=nora.user),
            lambda: actions.set_roles(membership=alice, by=nora.user, roles=["lead"]),
        ]

        refusals = set()
        for step in steps:
            with pytest.raises(actions.HoldsSeats) as refused:
                step()
            refusals.add(str(refused.value))

        assert refusals == {
            "Alice holds a seat of a batch in which you rate or rated yourself. Another lead can "
            "do this, or you once every seat of the batch is handed in."
        }

    def test_imported_people_are_not_removed(self, study):
        with pytest.raises(Invalid, match="cannot sign in"):
            actions.remove_member(membership=imported(study), by=study.lena)
