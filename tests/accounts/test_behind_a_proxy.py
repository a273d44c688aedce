"""The limits on guessing at a real server, as its proxy and its clients call it."""

import re
import threading
from pathlib import Path

import httpx
import pytest
import yaml

from tests.factories.studies import make_user

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.database


def guess(server, forwarded=""):
    """The status of the answer to a wrong password, from a browser that says where it is."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    with httpx.Client(base_url=server, headers=headers, timeout=60) as browser:
        page = browser.get("/sign-in/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        typed = {"email": "alice@example.org", "password": "a wrong guess"}
        return browser.post("/sign-in/", data={"csrfmiddlewaretoken": token, **typed}).status_code


@pytest.mark.parametrize(("believed", "looked_at"), [("", 5), ("*", 10)])
def test_whoever_names_another_address_for_each_guess_is_limited(installation, believed, looked_at):
    make_user("Alice")
    site = installation(FORWARDED_ALLOW_IPS=believed)
    _, server = site.start_web()

    guesses = [guess(server, f"198.51.100.{number}") for number in range(12)]

    assert guesses == [422] * looked_at + [429] * (12 - looked_at)


def test_behind_a_trusted_proxy_people_are_told_apart_by_what_it_wrote_last(installation):
    make_user("Alice")
    site = installation(FORWARDED_ALLOW_IPS="127.0.0.1")
    _, server = site.start_web()

    stranger = [guess(server, f"198.51.100.{number}, 203.0.113.9") for number in range(7)]

    assert stranger == [422] * 5 + [429] * 2
    assert guess(server, "203.0.113.10") == 422


def test_of_50_guesses_at_once_5_are_looked_at(installation):
    make_user("Alice")
    site = installation()
    _, server = site.start_web()
    statuses = []
    threads = [threading.Thread(target=lambda: statuses.append(guess(server))) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(statuses) == [422] * 5 + [429] * 45


def test_compose_believes_the_gateway_of_its_own_network_and_nobody_else():
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())

    [network] = compose["networks"]["default"]["ipam"]["config"]
    default = "${FORWARDED_ALLOW_IPS:-" + network["gateway"] + "}"
    assert compose["services"]["web"]["environment"]["FORWARDED_ALLOW_IPS"] == default
