"""A pasted list of people: reading it, and adding everybody at once."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from accounts.models import User
from audit.models import Event
from config.integrity import findings
from datasets.models import Invitation, Membership
from datasets.people import add_people, hand_place_over, read_people
from tests.factories.studies import make_member, make_study, make_user
from tests.shelf import shelved

PAGE = "/collections/study/members/list/"
LIST = """Noor <dave@example.org>, new@example.org
alice@example.org
carol@example.org annotator
second@example.org; adjudicator
SECOND@example.org adjudicator
lab-mailing-list
lena@example.org adjudicator
"""


@shelved
def study(db):
    make_user("Dave")
    return make_study()


def test_each_part_of_a_list_is_told_apart(study):
    people = read_people(LIST, collection=study.collection, role="annotator", by=study.lena)

    assert [(person.line, person.email, person.role, person.fate) for person in people] == [
        (1, "dave@example.org", "annotator", "joins"),
        (1, "new@example.org", "annotator", "invited"),
        (2, "alice@example.org", "annotator", "member"),
        (3, "carol@example.org", "annotator", "joins"),
        (4, "second@example.org", "adjudicator", "invited"),
        (5, "second@example.org", "adjudicator", "twice"),
        (6, "lab-mailing-list", "annotator", "wrong"),
        (7, "lena@example.org", "adjudicator", "yourself"),
    ]


@pytest.mark.parametrize(
    ("line", "people"),
    [
        ("Noor Haas, noor@example.org, adjudicator", ["Noor Haas|noor@example.org|adjudicator"]),
        ("noor@example.org;Noor Haas", ["Noor Haas|noor@example.org|annotator"]),
        (
            "Haas, Noor <noor@example.org>; Ito, Ken <ken@example.org> lead",
            ["Haas, Noor|noor@example.org|annotator", "Ito, Ken|ken@example.org|lead"],
        ),
        (
            "noor@example.org ken@example.org\tlead",
            ["|noor@example.org|annotator", "|ken@example.org|lead"],
        ),
    ],
)
def test_a_name_stands_on_either_side_of_one_address_and_before_each_of_several(
    study, line, people
):
    read = read_people(line, collection=study.collection, role="annotator", by=study.lena)

    assert [f"{person.name}|{person.email}|{person.role}" for person in read] == people


@pytest.mark.parametrize(
    ("line", "fates"),
    [
        ("noor@example.org adjudicater", ["no role"]),
        ("Noor Haas, noor@example.org, Annotater", ["no role"]),
        ("noor@example.org noor", ["invited"]),
        ("noor@example.org leads", ["invited"]),
        ("noor@example.org; LEAD, ken@example.org; Rater", ["invited", "invited"]),
        ("lead", ["wrong"]),
        ("noor@example.org Leah", ["invited"]),
        ("noor@example.org, noor haas", ["invited"]),
        ("noor@example.org anotator; ken@example.org", ["invited", "no role"]),
        ("noor <noor@example.org>; ken <ken@example.org>", ["invited", "invited"]),
    ],
)
def test_a_misspelt_role_is_not_taken_for_a_name(study, line, fates):
    read = read_people(line, collection=study.collection, role="annotator", by=study.lena)

    assert [person.fate for person in read] == fates


@pytest.mark.parametrize(
    ("line", "left_out"),
    [
        ("noor@example.org, ken", ["ken"]),
        ("noor@example.org; ken@example.org annotator, lab-list", ["lab-list"]),
        ("lab-list, noor@example.org, zoe, ken@example.org", ["lab-list", "zoe"]),
        ("noor@example.org, zoe; ken", ["zoe", "ken"]),
        ("noor@example.org, ken at example.org", ["ken at example.org"]),
        ("noor@example.org, ken.example.org, lead", ["ken.example.org lead"]),
        ("Noor, n.haas@example.org", ["Noor"]),
        # Names: two words, a word of the address, an imported person's.
        ("n.haas@example.org, Noor, Haas", []),
        ("Haas; n.haas@example.org", []),
        ("Haas, Noor noor@example.org", []),
        ("A7, noor@example.org", []),
    ],
)
def test_what_commas_part_from_an_address_is_the_name_of_its_owner_or_no_address(
    study, line, left_out
):
    imported(study, "A7", "annotator")

    read = read_people(line, collection=study.collection, role="annotator", by=study.lena)

    assert [person.text for person in read if person.fate == "wrong"] == left_out


def test_what_is_no_address_is_quoted_and_stays_in_the_box(client, study):
    client.force_login(study.lena)
    line = "Noor Haas, dave@example.org, ken.example.org"

    read = client.post(PAGE, {"people": line, "read": "1"})
    added = client.post(PAGE, {"people": line, "add": "1"})

    assertContains(read, "Noor Haas</span>")
    assertContains(read, "ken.example.org<br>")
    assert (added.context["text"], len(added.context["added"])) == ("ken.example.org", 1)


@pytest.mark.parametrize(
    ("people", "sentence"),
    [
        ("\n".join(f"p{number}@example.org" for number in range(201)), "The list has 201 people;"),
        ("dave@example.org " + "x" * 20_000, "The list has 20,017 characters;"),
    ],
)
def test_a_list_that_is_too_long_is_refused_and_stays_whole(client, study, people, sentence):
    client.force_login(study.lena)

    answer = client.post(PAGE, {"people": people, "add": "1"})

    assertContains(answer, sentence, status_code=422)
    assert answer.context["text"] == people
    assert not Invitation.objects.exists()


def test_a_line_with_a_misspelt_role_stays_in_the_box(client, study):
    client.force_login(study.lena)
    line = "noor@example.org adjudicater"

    read = client.post(PAGE, {"people": line})
    added = client.post(PAGE, {"people": line, "add": "yes"})

    assertContains(read, "No role: annotator, adjudicator or lead")
    assert (added.context["text"], added.context["links"]) == (line, [])


def test_reading_a_list_adds_nobody(client, study):
    client.force_login(study.lena)

    response = client.post(PAGE, {"people": LIST, "role": "annotator", "read": "1"})

    assertContains(response, "Add 2, invite 2")
    assertContains(response, "<td>adjudicator</td>", html=True)
    assertContains(response, "You: only another lead gives you a role")
    assert study.collection.memberships.count() == 4
    assert not Invitation.objects.exists()


def test_a_nul_character_stands_in_no_address(client, study):
    client.force_login(study.lena)

    response = client.post(PAGE, {"people": "a\x00@example.org, new@example.org", "read": "1"})

    assertContains(response, "Invite 1")
    assert [person.fate for person in response.context["people"]] == ["wrong", "invited"]


def test_one_click_adds_everybody_and_shows_the_links_once(client, study):
    client.force_login(study.lena)

    response = client.post(PAGE, {"people": LIST, "role": "annotator", "add": "1"})

    assertContains(response, "2 joined, 2 invited")
    assertContains(response, "Copy all, one a line")
    assertContains(response, "lab-mailing-list")
    dave = study.collection.memberships.get(user__email="dave@example.org")
    carol = study.members["carol"]
    carol.refresh_from_db()
    assert (dave.roles, carol.roles) == (["annotator"], ["annotator", "adjudicator"])
    assert list(Invitation.objects.order_by("id").values_list("email", "role")) == [
        ("new@example.org", "annotator"),
        ("second@example.org", "adjudicator"),
    ]
    assert findings() == []


def test_a_name_before_an_address_stands_in_the_form_of_the_link(client, study):
    client.force_login(study.lena)
    people = '"Noor Haas" <noor@example.org> adjudicator\nnoor@example.org'

    read = client.post(PAGE, {"people": people, "read": "1"})
    [(_, link)] = client.post(PAGE, {"people": people, "add": "1"}).context["links"]
    client.logout()
    invitation = client.get(link)

    assertContains(read, "Noor Haas</span>")
    assert invitation.context["form"]["name"].value() == "Noor Haas"


def test_a_role_that_is_added_is_on_the_trail_with_the_roles_before(study):
    people = read_people(
        "carol@example.org annotator\ndave@example.org lead",
        collection=study.collection,
        role="annotator",
        by=study.lena,
    )
    joined, _ = add_people(collection=study.collection, people=people, by=study.lena)

    carol_account, dave_account = (member.user for member in joined)
    carol, dave = (Event.objects.about(member).get(verb="set roles") for member in joined)
    assert (carol.before, carol.after) == (
        {"roles": ["adjudicator"]},
        {"roles": ["annotator", "adjudicator"], "account": str(carol_account.public_id)},
    )
    assert (dave.before, dave.after) == (
        {"roles": []},
        {"roles": ["lead"], "account": str(dave_account.public_id)},
    )
    assert {carol.collection, dave.collection} == {study.collection.public_id}


def test_the_same_list_again_adds_no_member(client, study):
    client.force_login(study.lena)
    client.post(PAGE, {"people": "dave@example.org", "add": "1"})

    client.post(PAGE, {"people": "dave@example.org", "add": "1"})

    assert study.collection.memberships.count() == 5


def test_members_lead_to_the_list(client, study):
    client.force_login(study.lena)

    assertContains(client.get(reverse("datasets:members", args=["study"])), f'href="{PAGE}"')


def imported(study, name, *roles):
    return study.collection.memberships.create(
        name=name, external_id=name, **{f"is_{role}": True for role in roles}
    )


@pytest.mark.parametrize("line", ["ann <dave@example.org>", "dave@example.org"])
def test_somebody_who_is_named_as_an_imported_person_takes_that_place(study, line):
    name = "ann" if "ann" in line else "Dave@example.org"
    place = imported(study, name, "annotator", "adjudicator")

    people = read_people(line, collection=study.collection, role="annotator", by=study.lena)
    joined, _ = add_people(collection=study.collection, people=people, by=study.lena)

    assert [person.place for person in people] == [place]
    assert [(member.pk, member.user.email) for member in joined] == [(place.pk, "dave@example.org")]
    assert joined[0].roles == ["annotator", "adjudicator"]
    assert findings() == []


def test_an_imported_person_without_an_account_gets_a_link_to_their_place(study):
    place = imported(study, "ann", "annotator")

    people = read_people(
        "ann new@example.org", collection=study.collection, role="lead", by=study.lena
    )
    _, [(invitation, _)] = add_people(collection=study.collection, people=people, by=study.lena)

    assert (invitation.membership, invitation.role) == (place, "annotator")


def test_a_member_never_takes_an_imported_place(study):
    imported(study, "ann", "annotator")

    [person] = read_people(
        "ann alice@example.org adjudicator", collection=study.collection, role="lead", by=study.lena
    )

    assert (person.fate, person.place) == ("joins", None)


def test_an_imported_place_is_taken_once(study):
    place = imported(study, "ann", "annotator")

    first, second = read_people(
        "ann dave@example.org\nann new@example.org",
        collection=study.collection,
        role="annotator",
        by=study.lena,
    )

    assert (first.place, second.place) == (place, None)


def test_the_place_of_somebody_who_signs_in_is_nobody_elses(study):
    place = study.members["alice"]
    Membership.objects.filter(pk=place.pk).update(name="Ann")

    [person] = read_people(
        "Ann dave@example.org", collection=study.collection, role="annotator", by=study.lena
    )

    assert person.place is None


def test_people_and_places_of_other_collections_do_not_count(study):
    other = make_study(slug="other", assign=False)
    imported(other, "ann", "annotator")
    make_member(other.collection, "Erik", "annotator")

    joins, invited = read_people(
        "erik@example.org\nann new@example.org",
        collection=study.collection,
        role="annotator",
        by=study.lena,
    )

    assert (joins.fate, invited.fate, invited.place) == ("joins", "invited", None)


def test_an_account_that_is_deactivated_joins_by_a_link_alone(study):
    User.objects.filter(email="dave@example.org").update(is_active=False)

    [person] = read_people(
        "dave@example.org", collection=study.collection, role="annotator", by=study.lena
    )

    assert person.fate == "invited"


def test_two_imported_people_of_one_name_are_nobodys_place(study):
    imported(study, "Ann", "annotator")
    imported(study, "ann", "annotator")

    [person] = read_people(
        "ann dave@example.org", collection=study.collection, role="lead", by=study.lena
    )

    assert person.place is None


def test_a_lead_links_an_imported_person_by_address(client, study):
    place = imported(study, "ann", "annotator")
    client.force_login(study.lena)
    home = reverse("datasets:link-member", args=["study", place.public_id])

    client.post(home, {"email": "dave@example.org"})

    place.refresh_from_db()
    assert place.user.email == "dave@example.org"
    assert not Invitation.objects.exists()
    assert findings() == []


def test_a_place_waits_for_whoever_has_no_account_yet(study):
    place = imported(study, "ann", "adjudicator")

    account, invitation, token = hand_place_over(
        place=place, email=" New@Example.org ", by=study.lena
    )

    assert (account, bool(token)) == (None, True)
    assert (invitation.collection, invitation.role, invitation.email) == (
        study.collection,
        "adjudicator",
        "new@example.org",
    )
    assert (invitation.membership, invitation.created_by) == (place, study.lena)


def test_a_place_waits_for_an_account_that_is_deactivated(study):
    User.objects.filter(email="dave@example.org").update(is_active=False)
    place = imported(study, "ann", "annotator")

    account, invitation, _ = hand_place_over(place=place, email="dave@example.org", by=study.lena)

    assert (account, invitation.email) == (None, "dave@example.org")


def test_a_lead_links_nobody_by_what_is_no_address(client, study):
    place = imported(study, "ann", "annotator")
    client.force_login(study.lena)
    home = reverse("datasets:link-member", args=["study", place.public_id])

    client.post(home, {"email": "dave"})

    assert not Invitation.objects.exists()


def test_an_empty_list_is_refused_beside_its_field(study, client):
    client.force_login(study.lena)

    for sent in [{"read": "1"}, {"add": "1", "people": " \n"}]:
        answer = client.post(PAGE, sent)

        assertContains(answer, 'id="people-error">Write an address at least.', status_code=422)
