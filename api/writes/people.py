"""Collections, members and invitations."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers

from annotation.collections.actions import invite_first_lead, start_collection
from annotation.schemes.actions import shipped_schemes
from api.writes.call import Call, Target, calling
from api.writes.fields import choice, ids, texts
from api.writes.targets import INVITATION, MEMBER
from api.writes.write import HOME, ROW, Write
from audit.refusals import Invalid
from datasets import actions
from datasets.access import get_member
from datasets.models import Collection, Role, Scope
from datasets.people import (
    MAX_LIST_LENGTH,
    Fate,
    add_people,
    hand_place_over,
    read_people,
)


def link(call: Call, token: str) -> str:
    path = reverse("datasets:accept-invitation", args=[token])
    return call.request.build_absolute_uri(path)


class NewCollection(serializers.Serializer):
    name = serializers.CharField(max_length=160, help_text="Its name.")
    slug = serializers.SlugField(max_length=60, help_text="Its name in addresses.")
    scheme = serializers.CharField(help_text="The key of a scheme that is shipped.")
    lead_email = serializers.EmailField(
        required=False, default="", max_length=254, help_text="For whom the lead's link is."
    )
    description = serializers.CharField(required=False, default="", allow_blank=True)
    licence = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    source = serializers.CharField(required=False, default="", allow_blank=True)
    citation = serializers.CharField(required=False, default="", allow_blank=True)

    def validate_scheme(self, key: str) -> str:
        scheme_keys = shipped_schemes()
        if key not in scheme_keys:
            raise serializers.ValidationError(f"Expected one of {', '.join(scheme_keys)}.")
        return key


def _start_collection(call: Call) -> dict[str, Any]:
    collection, _, token = start_collection(by=call.user, **call.fields)
    return {"id": collection.public_id, "slug": collection.slug, "link": link(call, token)}


def _invite(call: Call) -> dict[str, Any]:
    place = call.fields.get("member")
    invitation, token = actions.invite(
        collection=call.collection,
        by=call.user,
        role=call.fields["role"],
        email=call.fields["email"],
        membership=place and get_member(call.collection, place),
    )
    return {"id": invitation.public_id, "link": link(call, token)}


class Invited(serializers.Serializer):
    email = serializers.CharField()
    link = serializers.CharField(help_text="Works once. Shown once; send it yourself.")


UNCHANGED = (Fate.MEMBER, Fate.YOURSELF, Fate.TWICE)


def _add_members(call: Call) -> dict[str, Any]:
    people = read_people(
        call.fields["people"],
        collection=call.collection,
        role=Role(call.fields["role"]),
        by=call.user,
    )
    if text := next((person.text for person in people if person.fate == Fate.NO_ROLE), ""):
        roles = ", ".join(Role.values)
        raise Invalid(f"“{text}” ends with no role; expected one of {roles}, or none.")
    joined, invited = add_people(collection=call.collection, people=people, by=call.user)
    return {
        "joined": [member.public_id for member in joined],
        "invited": [
            {"email": invitation.email, "link": link(call, token)} for invitation, token in invited
        ],
        "unchanged": [person.email for person in people if person.fate in UNCHANGED],
        "wrong": [person.text for person in people if person.fate == Fate.WRONG],
    }


def _hand_place_over(call: Call) -> dict[str, Any]:
    _, invitation, token = hand_place_over(
        place=call.target, by=call.user, email=call.fields["email"]
    )
    if invitation is None:
        return {"is_linked": True, "invitation": None, "link": None}
    return {"is_linked": False, "invitation": invitation.public_id, "link": link(call, token)}


def _lead_link(call: Call) -> dict[str, Any]:
    invitation, token = invite_first_lead(collection=call.target, by=call.user)
    return {"id": invitation.public_id, "link": link(call, token)}


LINK: dict[str, serializers.Field] = {
    "id": serializers.UUIDField(help_text="The invitation's public id."),
    "link": serializers.CharField(help_text="Works once. Shown once; send it yourself."),
}
WRITES = [
    Write(
        "create-collection",
        "Make a collection and the link for its first lead.",
        "collections",
        _start_collection,
        Target("", lambda call: None),
        fields=NewCollection,
        answer={
            "id": serializers.UUIDField(help_text="The collection's public id."),
            "slug": serializers.CharField(),
            "link": serializers.CharField(
                help_text="Makes whoever uses it the first lead. Shown once."
            ),
        },
        scope=Scope.COLLECTIONS,
    ),
    Write(
        "invite-first-lead",
        "Make the link for the first lead again, while a collection has none.",
        f"{HOME}/lead-link",
        _lead_link,
        Target(
            "collection", lambda call: get_object_or_404(Collection, slug=call.arguments["slug"])
        ),
        answer=LINK,
        scope=Scope.COLLECTIONS,
    ),
    Write(
        "invite",
        "Make a link by which somebody becomes a member.",
        f"{HOME}/invitations",
        _invite,
        fields={
            "role": choice(Role, help_text="The role that it gives."),
            "email": serializers.EmailField(
                required=False, default="", max_length=254, help_text="For whom it is."
            ),
            "member": serializers.UUIDField(
                required=False, help_text="An imported person, whose place the link hands over."
            ),
        },
        answer=LINK,
    ),
    Write(
        "revoke-invitation",
        "End a link that nobody has used.",
        f"{HOME}/invitations/{ROW}",
        calling(actions.revoke_invitation),
        INVITATION,
        method="delete",
    ),
    Write(
        "add-members",
        "Add many people at once: people with an account join, and the others get links.",
        f"{HOME}/members",
        _add_members,
        fields={
            "people": serializers.CharField(
                max_length=MAX_LIST_LENGTH, help_text="Addresses, one a line; a role may follow."
            ),
            "role": choice(
                Role,
                default=Role.ANNOTATOR,
                help_text="For people without a role beside their address.",
            ),
        },
        answer={
            "joined": ids("Members, by public id, who had an account."),
            "invited": Invited(many=True),
            "unchanged": texts("Who has the role already, or stands twice, or is you."),
            "wrong": texts("What is no address."),
        },
    ),
    Write(
        "set-roles",
        "Give a member exactly these roles.",
        f"{HOME}/members/{ROW}",
        calling(actions.set_roles),
        MEMBER,
        fields={
            "roles": serializers.ListField(
                child=choice(Role),
                help_text="Exactly these from now on.",
            )
        },
        method="patch",
    ),
    Write(
        "link-member",
        "Hand an imported person's place to the account of an address, or make a link that does.",
        f"{HOME}/members/{ROW}/link",
        _hand_place_over,
        MEMBER,
        fields={
            "email": serializers.CharField(
                required=False, default="", allow_blank=True, help_text="For whom the place is."
            )
        },
        answer={
            "is_linked": serializers.BooleanField(help_text="Whether an account has it now."),
            "invitation": serializers.UUIDField(
                allow_null=True, help_text="The invitation's public id, where there is no account."
            ),
            "link": serializers.CharField(allow_null=True, help_text="Works once. Shown once."),
        },
    ),
    Write(
        "remove-member",
        "End a membership. Ratings and decisions stay.",
        f"{HOME}/members/{ROW}",
        calling(actions.remove_member),
        MEMBER,
        method="delete",
    ),
]
