"""Site admins start collections and name the first lead; what is in them stays with members."""

import pytest
from django.db import IntegrityError
from pytest_django.asserts import assertContains, assertNotContains

from annotation.collections.actions import create_with_scheme, invite_first_lead, start_collection
from annotation.schemes.actions import load_definition
from audit.refusals import Refused
from datasets.actions import InvitationSpent, accept_invitation
from datasets.models import Collection, Invitation
from tests.factories.studies import make_study, make_user
from tests.shelf import shelved

pytestmark = pytest.mark.django_db
FORM = {"name": "CSFCube, again", "slug": "again", "scheme": "csfcube", "licence": "CC BY 4.0"}


@shelved
def ada(db):
    return make_user("Ada", is_site_admin=True)


def start(ada, slug="again", **more):
    return start_collection(name="Again", slug=slug, scheme="csfcube", by=ada, **more)


def test_a_collection_starts_with_its_scheme_and_a_link_for_its_lead(ada):
    collection, invitation, token = start(ada, lead_email="Lena@example.org")
    lena = make_user("Lena")

    member = accept_invitation(token=token, by=lena)

    assert (member.collection, member.roles) == (collection, ["lead"])
    assert invitation.email == "lena@example.org"
    assert collection.scheme.facets.count() == 3


def test_a_collection_whose_scheme_is_refused_is_not_there(ada):
    definition = load_definition("csfcube") | {"rule": {"name": "whoever shouts"}}

    with pytest.raises(IntegrityError):
        create_with_scheme(name="Again", slug="again", definition=definition, by=ada)

    assert not Collection.objects.exists()


def test_a_taken_short_name_leaves_nothing_behind(client, ada):
    start(ada)
    client.force_login(ada)

    response = client.post("/collections/new/", FORM)

    assertContains(response, "There is already a collection", status_code=422)
    assert (Collection.objects.count(), Invitation.objects.count()) == (1, 1)


def test_the_page_shows_the_link_once(client, ada):
    client.force_login(ada)

    link = client.post("/collections/new/", FORM).context["link"]

    assert Collection.objects.get().licence == "CC BY 4.0"
    assertNotContains(client.get("/collections/"), link)
    client.logout()
    assertContains(client.get(link), "as <b>lead</b>")


def test_a_site_admin_who_leads_the_collection_needs_no_link(client, ada):
    client.force_login(ada)

    response = client.post("/collections/new/", FORM | {"lead": "yes"}, follow=True)

    assertContains(response, "You lead CSFCube, again now.")
    assert [member.name for member in Collection.objects.get().memberships.leads()] == ["Ada"]
    assert not Invitation.objects.filter(used_at=None).exists()


@pytest.mark.parametrize("wrong", [{"name": ""}, {"slug": "with space"}, {"scheme": "none"}])
def test_invalid_details_make_no_collection(client, ada, wrong):
    client.force_login(ada)

    assert client.post("/collections/new/", FORM | wrong).status_code == 422

    assert not Collection.objects.exists()


def test_a_new_link_for_the_lead_ends_the_one_before(ada):
    collection, _, first = start(ada)

    _, second = invite_first_lead(collection=collection, by=ada)

    with pytest.raises(InvitationSpent):
        accept_invitation(token=first, by=make_user("Eve"))
    assert accept_invitation(token=second, by=make_user("Lena")).is_lead


def test_a_site_admin_makes_no_more_links_once_there_is_a_lead(client, ada):
    study = make_study(assign=False)
    client.force_login(ada)

    with pytest.raises(Refused, match="has a lead"):
        invite_first_lead(collection=study.collection, by=ada)
    response = client.post("/collections/study/lead-link/", follow=True)

    assertContains(response, "Study has a lead, who invites the others.")
    assert not Invitation.objects.exists()


def test_list_names_leads_and_lets_a_site_admin_no_further(client, ada):
    make_study(assign=False)
    client.force_login(ada)

    assertContains(client.get("/collections/"), "Lena")
    assert client.get("/collections/study/members/").status_code == 404


def test_starting_collections_is_for_site_admins(client, ada):
    start(ada)
    gets = ["/collections/", "/collections/new/"]
    posts = ["/collections/new/", "/collections/again/lead-link/"]

    def statuses():
        pages = [client.get(address).status_code for address in gets]
        return pages + [client.post(address, FORM).status_code for address in posts]

    assert statuses() == [302] * 4
    client.force_login(make_user("Dave"))
    assert statuses() == [403] * 4
    client.force_login(ada)
    assert client.get("/collections/again/lead-link/").status_code == 405
    assert client.post("/collections/nowhere/lead-link/").status_code == 404
    assert (Collection.objects.count(), Invitation.objects.count()) == (1, 1)


def test_list_takes_the_same_statements_for_one_and_for_three(
    client, ada, django_assert_num_queries
):
    client.force_login(ada)
    start(ada)
    with django_assert_num_queries(3):
        client.get("/collections/")
    start(ada, slug="second")
    make_study(slug="third", assign=False)

    with django_assert_num_queries(3):
        client.get("/collections/")


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ({"slug": ""}, "csfcube-again"),
        ({"slug": "", "name": "Zweite Runde: Prüfung"}, "zweite-runde-prufung"),
    ],
)
def test_an_empty_short_name_follows_from_the_name(client, ada, typed, slug):
    client.force_login(ada)

    client.post("/collections/new/", FORM | typed)

    assert Collection.objects.get().slug == slug


@pytest.mark.parametrize("typed", [{"slug": "Second round!"}, {"slug": "", "name": "再"}])
def test_a_refused_short_name_is_filled_in_with_the_nearest_there_may_be(client, ada, typed):
    client.force_login(ada)

    response = client.post("/collections/new/", FORM | typed)

    assert response.status_code == 422
    filled = response.context["form"]["slug"].value()
    assert filled == ("second-round" if typed["slug"] else "")
    assert not Collection.objects.exists()
