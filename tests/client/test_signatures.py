"""The client takes what the server signs, and nothing else."""

import time

import pytest
from facetwise import is_signed

from webhooks.signing import signature

BODY = b'{"kind":"test"}'


def test_what_the_server_signed_is_taken():
    assert is_signed("whsec_x", signature("whsec_x", BODY, int(time.time())), BODY)


@pytest.mark.parametrize(
    ("secret", "age", "body"),
    [("whsec_y", 0, BODY), ("whsec_x", 3600, BODY), ("whsec_x", -3600, BODY), ("whsec_x", 0, b"")],
)
def test_another_secret_time_or_body_is_refused(secret, age, body):
    header = signature("whsec_x", BODY, int(time.time()) - age)

    assert not is_signed(secret, header, body)


@pytest.mark.parametrize("header", ["", "t=1", "v1=00", "t=x,v1=" + "0" * 64, "t=1,v1=" + "é" * 64])
def test_what_is_no_signature_is_refused(header):
    assert not is_signed("whsec_x", header, BODY)
