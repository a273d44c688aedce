"""Programs for tests: clients that send a token."""

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from datasets.models import Token
from datasets.tokens.actions import make_token, scopes_for


def token_of(member, *scopes, account=None, days=30):
    """A new token of a member, by default with every scope of use to their roles."""
    return make_token(
        account=account or member.user,
        membership=member,
        name="notebook",
        scopes=scopes or scopes_for(member),
        days=days,
    )


def used_tomorrow():
    """No use of the tokens there are writes its day any more, also past midnight."""
    Token.objects.update(last_used_on=timezone.now().date() + timedelta(days=1))


def program_of(member, *scopes, **options):
    """What a member's program asks with."""
    _, token = token_of(member, *scopes)
    return program(token, **options)


def program(token, **options):
    return Client(headers={"Authorization": f"Bearer {token}"}, **options)
