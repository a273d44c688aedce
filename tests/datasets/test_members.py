"""The members page and the page behind an invitation link."""

import pytest
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts.models import User
from audit.models import Event
from datasets import actions
from datasets.models import Invitation, Membership
from tests.factories.studies import PASSWORD, make_study, make_user
from tests.shelf import shelved

pytestmark = pytest.mark.django_db
PAGE = "/collections/study/members/"
ACCOUNT = {
    "name": "Eve",
    "email": "eve@example.org",
    "password1": "a new long password",
    "password2": "a new long password",
}


@shelved
def study():
    return make_study(assign=False)


def invite(study, role="annotator", **more):
    _, token = actions.invite(collection=study.collection, role=role, by=study.lena, **more)
    return f"/invitations/{token}/"


def addresses(study):
    """Every address of the page's steps, each with data that would work for a lead."""
    alice = study.members["alice"].public_id
    invitation, _ = actions.invite(collection=study.collection, role="lead", by=study.lena)
    place = Membership.objects.create(
        collection=study.collection, name="A1", external_id="A1", is_annotator=True
    )
    return {
        f"{PAGE}invite/": {"role": "annotator"},
        f"{PAGE}{alice}/roles/": {"roles": ["lead"]},
        f"{PAGE}{alice}/remove/": {},
        f"{PAGE}{place.public_id}/link/": {},
        f"/collections/study/invitations/{invitation.public_id}/revoke/": {},
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [("alice", 403), ("carol", 403), ("dave", 404), ("ada", 404), (None, 302)],
)
def test_members_are_for_leads_alone(client, study, name, expected):
    steps = addresses(study)
    make_user("Dave")
    before = (Event.objects.count(), Invitation.objects.count())
    if name:
        client.force_login(User.objects.get(name=name.capitalize()))

    answers = [client.get(PAGE), *(client.post(a, data) for a, data in steps.items())]

    assert [answer.status_code for answer in answers] == [expected] * 6
    assert (Event.objects.count(), Invitation.objects.count()) == before


def test_steps_are_by_post(lena, study):
    assert {lena.get(address).status_code for address in addresses(study)} == {405}


def test_unknown_member_or_invitation_is_404(lena, study):
    nobody = "00000000-0000-4000-8000-000000000000"

    assert lena.post(f"{PAGE}{nobody}/remove/").status_code == 404
    assert lena.post(f"{PAGE}{nobody}/roles/").status_code == 404
    assert lena.post(f"/collections/study/invitations/{nobody}/revoke/").status_code == 404


def test_members_of_other_collections_are_404(lena, study):
    other = make_study(slug="other", assign=False)
    alice = other.members["alice"]
    alice_here = f"{PAGE}{alice.public_id}/remove/"

    assert lena.post(alice_here).status_code == 404
    alice.refresh_from_db()
    assert alice.removed_at is None


def test_page_lists_members_and_pending_invitations(lena, study):
    invite(study, email="eve@example.org")

    response = lena.get(PAGE)

    assert [m.name for m in response.context["page"]] == ["Alice", "Bob", "Carol", "Lena"]
    assertContains(response, "eve@example.org")
    # A lone lead learns here how to become adjudicator.
    assertContains(response, "invite a second lead, who can make you adjudicator")


def test_page_takes_the_same_statements_for_one_and_for_three(
    lena, study, django_assert_num_queries
):
    invite(study)
    with django_assert_num_queries(6):
        lena.get(PAGE)
    for name in ("Eve", "Finn"):
        invite(study, email=f"{name}@example.org")
        actions.accept_invitation(token=invite(study)[13:-1], by=make_user(name))

    with django_assert_num_queries(6):
        lena.get(PAGE)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_link_is_shown_once(lena, study, headers):
    response = lena.post(f"{PAGE}invite/", {"role": "lead"}, headers=headers)

    link = response.context["link"]
    assertContains(response, link, count=1)
    assert response.content.startswith(b"<!doctype") is not bool(headers)
    assertNotContains(lena.get(PAGE), link)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_invalid_invitation_says_why_and_makes_nothing(lena, study, headers):
    response = lena.post(f"{PAGE}invite/", {"role": "owner", "email": "nonsense"}, headers=headers)

    assertContains(response, "Enter a valid email address.", status_code=422)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_revoke(lena, study, headers):
    address = invite(study)
    revoke = f"/collections/study/invitations/{Invitation.objects.get().public_id}/revoke/"

    response = lena.post(revoke, headers=headers)

    assert response.status_code == (200 if headers else 302)
    assert lena.get(address).status_code == 404


def test_roles_are_saved_and_a_refusal_is_a_sentence(lena, study):
    alice = study.members["alice"]

    lena.post(f"{PAGE}{alice.public_id}/roles/", {"roles": ["annotator", "lead"]})
    refused = lena.post(f"{PAGE}{alice.public_id}/roles/", {}, follow=True)

    assertContains(refused, "A member needs a role.")
    alice.refresh_from_db()
    assert alice.roles == ["annotator", "lead"]


def test_role_change_acts_on_the_next_request(client, study):
    client.force_login(study.alice)
    assert client.get(PAGE).status_code == 403

    actions.set_roles(membership=study.members["alice"], by=study.lena, roles=["lead"])
    assert client.get(PAGE).status_code == 200

    actions.remove_member(membership=study.members["alice"], by=study.lena)
    assert client.get(PAGE).status_code == 404


def test_removing_somebody_with_open_seats_says_what_to_do(lena):
    study = make_study(slug="busy")
    lena.force_login(study.lena)
    alice = study.members["alice"]

    response = lena.post(f"/collections/busy/members/{alice.public_id}/remove/", follow=True)

    assertContains(response, "holds 1 open seat. Hand over open seats on the Assign page first.")


class TestInvitationPage:
    def test_signed_in_person_joins(self, client, study):
        address = invite(study)
        dave = make_user("Dave")
        client.force_login(dave)
        assertContains(client.get(address), "as <b>annotator</b>")

        assertRedirects(client.post(address), "/")

        assert study.collection.memberships.get(user=dave).roles == ["annotator"]

    def test_new_lead_begins_with_the_collection(self, client, study):
        client.force_login(make_user("Dave"))

        assertRedirects(client.post(invite(study, "lead")), "/collections/study/")

    def test_looking_at_a_link_does_not_use_it(self, client, study):
        address = invite(study)
        client.force_login(make_user("Dave"))

        client.get(address)
        client.head(address)

        assert Invitation.objects.get().used_at is None

    def test_visitor_makes_an_account_and_is_signed_in(self, client, study):
        assertRedirects(client.post(invite(study, "adjudicator"), ACCOUNT), "/")

        eve = User.objects.get(email="eve@example.org")
        assert study.collection.memberships.get(user=eve).roles == ["adjudicator"]
        assert client.get("/settings/").status_code == 200

    def test_invited_address_wins_over_what_is_typed(self, client, study):
        client.post(invite(study, email="Finn@example.org"), ACCOUNT)

        assert set(User.objects.values_list("email", flat=True)) >= {"finn@example.org"}
        assert not User.objects.filter(email="eve@example.org").exists()

    def test_visitor_with_an_account_signs_in_first(self, client, study):
        address = invite(study)
        dave = make_user("Dave")
        assertContains(client.get(address), f"/sign-in/?next={address}")

        response = client.post(
            "/sign-in/", {"email": dave.email, "password": PASSWORD, "next": address}
        )

        assertRedirects(response, address)

    @pytest.mark.parametrize(
        ("wrong", "sentence"),
        [
            ({"email": "alice@example.org"}, "Sign in with it instead."),
            ({"password2": "another password"}, "The two password fields"),
            ({"name": ""}, "This field is required."),
        ],
    )
    def test_invalid_details_make_no_account(self, client, study, wrong, sentence):
        address = invite(study)
        before = User.objects.count()

        response = client.post(address, ACCOUNT | wrong)

        assertContains(response, sentence, status_code=422)
        assert User.objects.count() == before
        assert Invitation.objects.get().used_at is None

    def test_spent_and_made_up_links_look_alike(self, client, study):
        spent = invite(study)
        client.post(spent, ACCOUNT)
        client.logout()

        answers = [client.get(spent), client.get("/invitations/made-up/")]

        assert [answer.status_code for answer in answers] == [404, 404]
        for answer in answers:
            assertContains(answer, "does not work any more", status_code=404)

    def test_whoever_joined_with_a_link_is_led_on_by_it(self, client, study):
        address = invite(study)
        client.post(address, ACCOUNT)

        response = client.get(address, follow=True)

        assert response.redirect_chain == [("/", 302)]
        assertContains(response, "You joined Study with this link before.")

    def test_a_spent_link_leads_nobody_else_in(self, client, study):
        address = invite(study)
        client.post(address, ACCOUNT)
        client.force_login(study.bob)

        response = client.get(address)

        assertContains(response, "does not work any more", status_code=404)
        assertNotContains(response, "You joined", status_code=404)

    def test_a_link_leads_nobody_in_who_is_no_member_any_more(self, client, study):
        address = invite(study)
        client.post(address, ACCOUNT)
        joined = Membership.objects.get(user__email=ACCOUNT["email"])
        actions.remove_member(membership=joined, by=study.lena)

        assert client.get(address).status_code == 404

    def test_a_member_reads_why_they_cannot_take_an_imported_place(self, client, study):
        place = Membership.objects.create(
            collection=study.collection, name="A1", external_id="A1", is_annotator=True
        )
        address = invite(study, membership=place)
        client.force_login(study.alice)

        response = client.post(address)

        assertContains(response, "not merged", status_code=409)
