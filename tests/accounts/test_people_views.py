"""The page of all accounts."""

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from datasets.models import Collection
from tests.factories.studies import make_member

PEOPLE = reverse("accounts:people")

pytestmark = pytest.mark.django_db


def test_who_alone_leads_a_collection_is_named_before_they_are_deactivated(client, ada, alice):
    collection = Collection.objects.create(slug="study", name="A study")
    make_member(collection, "Alice", "lead")
    client.force_login(ada)

    assertContains(client.get(PEOPLE), "Nobody else leads A study.", count=1)

    second = make_member(collection, "Lena", "lead")

    assertNotContains(client.get(PEOPLE), "Nobody else leads")

    second.user.is_active = False
    second.user.save()

    assertContains(client.get(PEOPLE), "Nobody else leads A study.", count=1)
