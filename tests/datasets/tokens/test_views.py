"""The page on which tokens are made and revoked."""

import pytest
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from datasets.models import Token
from datasets.tokens.actions import find_token
from tests.factories.studies import make_study
from tests.factories.tokens import token_of
from tests.shelf import shelved

pytestmark = pytest.mark.django_db
FORM = {"name": "notebook", "days": "30", "scopes": ["read"]}


@shelved
def study():
    return make_study(assign=False)


def test_a_token_is_shown_once(client, study):
    client.force_login(study.alice)

    page = client.post("/collections/study/tokens/", FORM)

    token = page.context["shown"]
    assertContains(page, token)
    assert find_token(token).membership == study.members["alice"]
    assertNotContains(client.get("/collections/study/tokens/"), token)


def test_uses_of_a_token_are_told_in_words_with_their_keys_after_them(client, study):
    client.force_login(study.lena)

    page = client.get("/collections/study/tokens/")

    assertContains(page, "Import machine scores (write:machine)")
    assertContains(page, "Lead: scheme, members, batches, seats, locks (lead)")


def test_a_new_token_comes_with_a_request_to_paste(client, study):
    client.force_login(study.alice)

    page = client.post("/collections/study/tokens/", FORM)

    assertContains(page, "export FACETWISE_URL=http://testserver\n")
    assertContains(page, f"export FACETWISE_TOKEN={page.context['shown']}\n")
    assertContains(page, '"$FACETWISE_URL/api/v1/collections/study"')


def test_a_token_that_may_not_read_comes_without_a_request_to_read(client, study):
    client.force_login(study.lena)

    page = client.post("/collections/study/tokens/", FORM | {"scopes": ["write:machine"]})

    assertContains(page, "export FACETWISE_TOKEN=")
    assertNotContains(page, "curl")


def test_a_form_that_is_wrong_makes_nothing(client, study):
    client.force_login(study.alice)

    assert client.post("/collections/study/tokens/", FORM | {"scopes": ["lead"]}).status_code == 422
    assert client.post("/collections/study/tokens/", {}).status_code == 422

    assert Token.objects.count() == 0


def test_leads_see_and_revoke_the_tokens_of_others(client, study):
    row, token = token_of(study.members["alice"])
    client.force_login(study.lena)
    assertContains(client.get("/collections/study/tokens/"), "Alice: notebook")

    answer = client.post(f"/tokens/{row.public_id}/revoke/")

    assertRedirects(answer, "/collections/study/tokens/")
    assert find_token(token) is None


def test_nobody_else_revokes_a_token(client, study):
    row, token = token_of(study.members["alice"])
    client.force_login(study.bob)

    assert client.post(f"/tokens/{row.public_id}/revoke/").status_code == 404

    assert find_token(token) == row
    assertNotContains(client.get("/collections/study/tokens/"), "Alice")


def test_a_site_admin_makes_a_token_that_creates_collections(client, study):
    ada = type(study.lena).objects.get(email="ada@example.org")
    client.force_login(ada)

    page = client.post("/tokens/", FORM | {"scopes": ["collections"]})

    token = find_token(page.context["shown"])
    assert (token.scopes, token.membership) == (["collections"], None)
    assertRedirects(client.post(f"/tokens/{token.public_id}/revoke/"), "/tokens/")


def test_a_lead_lets_programs_rate(client, study):
    client.force_login(study.lena)

    client.post("/collections/study/tokens/programs/", {"programs_may_rate": "on"})
    study.collection.refresh_from_db()
    assert study.collection.programs_may_rate

    client.post("/collections/study/tokens/programs/")
    study.collection.refresh_from_db()
    assert not study.collection.programs_may_rate
