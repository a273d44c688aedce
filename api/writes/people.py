"""Collections, schemes, members and invitations."""

import json
from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from annotation.collections.actions import start_collection
from annotation.schemes.actions import shipped_schemes, write_scheme
from annotation.schemes.files import read_definition
from api.documentation import CONFLICTS, described
from api.writes.fields import sent
from datasets import actions
from datasets.models import Invitation, Membership, Role, Scope
from datasets.people import WRONG, add_people, read_people

LEAD = (Role.LEAD,)
MAX_LIST = 20_000


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
        known = shipped_schemes()
        if key not in known:
            raise serializers.ValidationError(f"Expected one of {', '.join(known)}.")
        return key


class StartedCollection(serializers.Serializer):
    id = serializers.UUIDField(help_text="The collection's public id.")
    slug = serializers.CharField()
    link = serializers.CharField(help_text="Makes whoever uses it the first lead. Shown once.")


class CreateCollection:
    """Part of the list of collections."""

    post_scope = Scope.COLLECTIONS

    @described(
        "create-collection",
        "Make a collection and the link for its first lead.",
        scope=Scope.COLLECTIONS,
        roles=(),
        answers={(201, "application/json"): StartedCollection} | CONFLICTS,
        request=NewCollection,
        tag="Lead",
    )
    def post(self, request: Any) -> Response:
        collection, _, token = start_collection(by=request.user, **sent(request, NewCollection))
        body = {"id": collection.public_id, "slug": collection.slug, "link": link(request, token)}
        return Response(body, status=201)


def link(request: Any, token: str) -> str:
    return request.build_absolute_uri(reverse("datasets:accept-invitation", args=[token]))


class NewScheme(serializers.Serializer):
    definition = serializers.JSONField(help_text="A scheme, in the form in which it is read.")
    based_on = serializers.IntegerField(
        required=False, help_text="The version that was read; 409 if it is another by now."
    )


class WriteScheme:
    """Part of the scheme."""

    put_scope, put_roles = Scope.LEAD, LEAD

    @described(
        "write-scheme",
        "Replace the scheme, before anything is rated under it.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=NewScheme,
        tag="Lead",
    )
    def put(self, request: Any, slug: str) -> Response:
        fields = sent(request, NewScheme)
        collection = self.viewer.collection  # type: ignore[attr-defined]
        if not hasattr(collection, "scheme"):
            raise Http404("The collection has no scheme yet.")
        definition = read_definition(json.dumps(fields["definition"]).encode(), "The definition")
        write_scheme(
            scheme=collection.scheme,
            definition=definition,
            based_on=fields.get("based_on"),
            by=request.user,
        )
        return Response(status=204)


class NewInvitation(serializers.Serializer):
    role = serializers.ChoiceField(Role.choices, help_text="The role that it gives.")
    email = serializers.EmailField(
        required=False, default="", max_length=254, help_text="For whom it is."
    )
    member = serializers.UUIDField(
        required=False, help_text="An imported person, whose place the link hands over."
    )


class MadeInvitation(serializers.Serializer):
    id = serializers.UUIDField(help_text="The invitation's public id.")
    link = serializers.CharField(help_text="Works once. Shown once; send it yourself.")


class Invite:
    """Part of the list of invitations."""

    post_scope = Scope.LEAD

    @described(
        "invite",
        "Make a link by which somebody becomes a member.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(201, "application/json"): MadeInvitation} | CONFLICTS,
        request=NewInvitation,
        tag="Lead",
    )
    def post(self, request: Any, slug: str) -> Response:
        fields = sent(request, NewInvitation)
        place = fields.pop("member", None)
        collection = self.viewer.collection  # type: ignore[attr-defined]
        invitation, token = actions.invite(
            collection=collection,
            by=request.user,
            membership=place and _member(collection, place),
            **fields,
        )
        return Response({"id": invitation.public_id, "link": link(request, token)}, status=201)


class RevokeInvitation:
    """Part of one invitation."""

    delete_scope = Scope.LEAD

    @described(
        "revoke-invitation",
        "End a link that nobody has used.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        tag="Lead",
    )
    def delete(self, request: Any, slug: str, public_id: Any) -> Response:
        collection = self.viewer.collection  # type: ignore[attr-defined]
        found = Invitation.objects.filter(collection=collection, public_id=public_id).first()
        if found is None:
            raise Http404("There is no such invitation.")
        actions.revoke_invitation(invitation=found, by=request.user)
        return Response(status=204)


class NewMembers(serializers.Serializer):
    people = serializers.CharField(
        max_length=MAX_LIST,
        help_text="Addresses, one a line; a role may follow the address.",
    )
    role = serializers.ChoiceField(
        Role.choices, default=Role.ANNOTATOR, help_text="Of who has none beside the address."
    )


class Invited(serializers.Serializer):
    email = serializers.CharField()
    link = serializers.CharField(help_text="Works once. Shown once; send it yourself.")


class AddedMembers(serializers.Serializer):
    joined = serializers.ListField(
        child=serializers.UUIDField(), help_text="Members, by public id, who had an account."
    )
    invited = Invited(many=True)
    wrong = serializers.ListField(child=serializers.CharField(), help_text="What is no address.")


class AddMembers:
    """Part of the list of members."""

    post_scope = Scope.LEAD

    @described(
        "add-members",
        "Add many people at once: who has an account joins, for the others links are made.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(201, "application/json"): AddedMembers} | CONFLICTS,
        request=NewMembers,
        tag="Lead",
    )
    def post(self, request: Any, slug: str) -> Response:
        fields = sent(request, NewMembers)
        collection = self.viewer.collection  # type: ignore[attr-defined]
        read = read_people(
            fields["people"], collection=collection, role=Role(fields["role"]), by=request.user
        )
        joined, invited = add_people(collection=collection, people=read, by=request.user)
        body = {
            "joined": [member.public_id for member in joined],
            "invited": [
                {"email": invitation.email, "link": link(request, token)}
                for invitation, token in invited
            ],
            "wrong": [person.text for person in read if person.fate == WRONG],
        }
        return Response(body, status=201)


class Roles(serializers.Serializer):
    roles = serializers.ListField(
        child=serializers.ChoiceField(Role.choices), help_text="Exactly these from now on."
    )


class ChangeMember:
    """Part of one member."""

    patch_scope = delete_scope = Scope.LEAD

    @described(
        "set-roles",
        "Give a member exactly these roles.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        request=Roles,
        tag="Lead",
    )
    def patch(self, request: Any, slug: str, public_id: Any) -> Response:
        member = _member(self.viewer.collection, public_id)  # type: ignore[attr-defined]
        roles = sent(request, Roles)["roles"]
        actions.set_roles(membership=member, by=request.user, roles=roles)
        return Response(status=204)

    @described(
        "remove-member",
        "End a membership. Ratings and decisions stay.",
        scope=Scope.LEAD,
        roles=LEAD,
        answers={(204, "application/json"): None} | CONFLICTS,
        tag="Lead",
    )
    def delete(self, request: Any, slug: str, public_id: Any) -> Response:
        member = _member(self.viewer.collection, public_id)  # type: ignore[attr-defined]
        actions.remove_member(membership=member, by=request.user)
        return Response(status=204)


def _member(collection: Any, public_id: Any) -> Membership:
    members = Membership.objects.current().filter(collection=collection, public_id=public_id)
    member = members.first()
    if member is None:
        raise Http404("There is no such member.")
    return member
