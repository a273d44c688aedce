"""The collections of a token, and how each is judged."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from annotation.access import get_scheme
from annotation.schemes.files import shown_definition
from api.documentation import described, row_serializer
from api.endpoint import Endpoint
from api.resources.data import COLLECTION, EVERY_ROLE
from datasets.models import Collection, Role, Scope

COLLECTION_ROW = row_serializer(COLLECTION.name, COLLECTION.columns)


class Collections(Endpoint):
    scope, roles = Scope.READ, EVERY_ROLE

    def check_scope(self, scope: Scope) -> None:
        is_of_a_member = self.request.auth.membership is not None
        super().check_scope(scope if is_of_a_member else Scope.COLLECTIONS)

    @described(
        "list-collections",
        "The collection of the token; for a site admin's token, all there are.",
        answers={(200, "application/json"): COLLECTION_ROW(many=True)},
    )
    def get(self, request: Any) -> Response:
        collections = Collection.objects.order_by("pk")
        if membership := request.auth.membership:
            collections = collections.filter(pk=membership.collection_id)
        names = [column.name for column in COLLECTION.columns]
        paths = [column.source for column in COLLECTION.columns]
        return Response(
            [dict(zip(names, row, strict=True)) for row in collections.values_list(*paths)]
        )


class CollectionDetails(Endpoint):
    scope, roles = Scope.READ, EVERY_ROLE

    @described(
        "get-collection",
        COLLECTION.about,
        answers={(200, "application/json"): COLLECTION_ROW},
    )
    def get(self, request: Any, slug: str) -> Response:
        [row], _ = COLLECTION.page(self.viewer, "", 1)
        return Response(row)


class SettingsRow(serializers.Serializer):
    idle_hours = serializers.IntegerField(
        allow_null=True, help_text="After how many idle hours members sign in again."
    )
    lead_idle_hours = serializers.IntegerField(allow_null=True, help_text="The same, for leads.")
    leads_need_second_factor = serializers.BooleanField()
    scores_wait_for_locking = serializers.BooleanField()
    programs_may_rate = serializers.BooleanField()


class Settings(Endpoint):
    scope, roles = Scope.READ, (Role.LEAD,)

    @described(
        "get-settings",
        "Settings of the leads: what is allowed in the collection, and how its members sign in.",
        answers={(200, "application/json"): SettingsRow},
    )
    def get(self, request: Any, slug: str) -> Response:
        return Response(SettingsRow(self.viewer.collection).data)


class SchemeRow(serializers.Serializer):
    version = serializers.IntegerField(help_text="The version that new ratings are made under.")
    definition = serializers.JSONField(help_text="The scheme as its file says it.")


class Scheme(Endpoint):
    scope, roles = Scope.READ, EVERY_ROLE

    @described(
        "get-scheme",
        "How the collection is judged: facets, options, guidelines and rule.",
        answers={(200, "application/json"): SchemeRow},
    )
    def get(self, request: Any, slug: str) -> Response:
        scheme = get_scheme(self.viewer.collection)
        return Response(
            {
                "version": scheme.current.number,
                "definition": shown_definition(scheme, self.viewer.user),
            }
        )
