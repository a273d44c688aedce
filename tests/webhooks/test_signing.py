"""A signature is over time and body, with a secret that the database does not hold."""

import base64
import hashlib
import hmac

from django.db import connection
from django.test import override_settings

from webhooks.models import Hook
from webhooks.signing import secret_of, signature


def test_the_signature_is_hmac_sha256_over_time_and_body():
    expected = hmac.new(b"whsec_x", b'1700000000.{"a":1}', hashlib.sha256).hexdigest()

    assert signature("whsec_x", b'{"a":1}', 1700000000) == f"t=1700000000,v1={expected}"


def test_each_hook_has_a_secret_of_its_own():
    assert secret_of(Hook(salt="a")) != secret_of(Hook(salt="b"))


def test_a_secret_has_256_bits():
    letters = secret_of(Hook(salt="a")).removeprefix("whsec_")

    assert len(base64.urlsafe_b64decode(f"{letters}=")) == 32


def test_a_copy_of_the_database_alone_signs_nothing():
    hook = Hook(salt="a")
    before = secret_of(hook)

    with override_settings(SECRET_KEY="another key of another installation"):
        assert secret_of(hook) != before


def test_no_column_holds_the_secret(hook):
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM webhooks_hook")
        row = cursor.fetchone()

    assert secret_of(hook) not in str(row)
    assert secret_of(hook).removeprefix("whsec_") not in str(row)
