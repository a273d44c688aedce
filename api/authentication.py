"""The person behind a request: the owner of a token, never of a session."""

from typing import Any

from django.core.exceptions import PermissionDenied
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled

from accounts.sessions import rules_for
from accounts.throttle import Attempted, client_address, count_attempt
from api.limits import seconds_to_wait
from datasets.models import Token
from datasets.tokens.actions import find_token, note_use

REFUSED = (
    "This token gives no access. It is wrong, expired or revoked, or the password, the second "
    "factor or the membership it was made under has changed. Make a new one in the browser."
)
LACKS_FACTOR = (
    "Your account must have a second factor now. Set it up in the browser, under Settings, and "
    "make a new token there."
)


def text_of_token(request: Any) -> str:
    return request.headers.get("Authorization", "").partition(" ")[2].strip()


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer fw_…`; without the header the request is nobody's."""

    def authenticate(self, request: Any) -> tuple[Any, Token] | None:
        scheme = request.headers.get("Authorization", "").partition(" ")[0]
        if not scheme:
            return None
        token = find_token(text_of_token(request)) if scheme.lower() == "bearer" else None
        if token is None:
            attempt = Attempted("token", "", client_address(request._request))
            if wait := count_attempt(attempt):
                raise Throttled(wait)
            raise AuthenticationFailed(REFUSED)
        if seconds := seconds_to_wait(token.pk):
            raise Throttled(seconds)
        # As in the browser, nothing is shown before the factor is set up.
        if rules_for(token.account).shut_out(token.account):
            raise PermissionDenied(LACKS_FACTOR)
        note_use(token)
        # For the line in the access log, which names the account by its number.
        request._request._cached_user = token.account
        return token.account, token

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="facetwise"'
