"""Guessing is limited before the password is looked at, exactly, also in parallel."""

import threading

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client, RequestFactory
from django.utils.crypto import get_random_string
from pytest_django.asserts import assertContains

from accounts import throttle
from accounts.models import Attempt
from accounts.throttle import LIMITS, Limit
from tests.factories.studies import PASSWORD, make_user

AT_ADDRESS = LIMITS["sign-in"]["account at address"]
ANYWHERE = LIMITS["sign-in"]["account"]
DEVICE = LIMITS["sign-in"]["device"]


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """`clock(seconds)` lets time pass; by itself it stands still."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(throttle.time, "time", lambda: now[0])

    def wait(seconds):
        now[0] += seconds

    return wait


def guess(client, address="192.0.2.1", **typed):
    form = {"email": "alice@example.org", "password": "a wrong guess"} | typed
    return client.post("/sign-in/", form, REMOTE_ADDR=address)


def statuses(client, count, **typed):
    return [guess(client, **typed).status_code for _ in range(count)]


def other_address(number):
    return f"198.51.100.{number}"


def in_parallel(count, step):
    """The results of a step, taken in so many threads at once."""
    barrier, results = threading.Barrier(count), []

    def run(number):
        barrier.wait()
        try:
            results.append(step(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.fixture
def hashed(monkeypatch):
    """What reaches the hasher."""
    reached = []
    verify = MD5PasswordHasher.verify
    monkeypatch.setattr(MD5PasswordHasher, "verify", lambda *a: reached.append(1) or verify(*a))
    return reached


@pytest.mark.django_db(transaction=True)
def test_of_50_parallel_guesses_no_more_than_5_reach_the_hasher(hashed):
    make_user("Alice")

    answers = in_parallel(50, lambda number: guess(Client()).status_code)

    assert answers.count(422) == len(hashed) == AT_ADDRESS.at_once == 5
    # On a slow machine a guess may wait for the row for too long, which refuses it as well.
    assert set(answers) <= {422, 429, 503}


@pytest.mark.django_db(transaction=True)
def test_parallel_guesses_from_many_addresses_are_limited_by_account(hashed):
    make_user("Alice")

    answers = in_parallel(
        30, lambda number: guess(Client(), address=other_address(number)).status_code
    )

    assert answers.count(422) == len(hashed) == ANYWHERE.at_once == 10


@pytest.mark.django_db
def test_somebody_who_guesses_too_often_learns_when_to_try_again(client, clock):
    make_user("Alice")
    statuses(client, 5)

    response = guess(client, password=PASSWORD)

    assertContains(response, "Too many attempts. Try again in 3 minutes.", status_code=429)
    assert response["Retry-After"] == "180"
    clock(180)
    assert guess(client, password=PASSWORD).status_code == 302


@pytest.mark.django_db
def test_a_refused_guess_does_not_lengthen_the_wait(client, clock):
    make_user("Alice")
    statuses(client, 5)
    clock(100)
    statuses(client, 20)
    clock(80)

    assert guess(client, password=PASSWORD).status_code == 302


@pytest.mark.django_db
def test_a_long_wait_gives_all_guesses_back_and_no_more(client, clock):
    statuses(client, 5)
    clock(24 * 60 * 60)

    assert statuses(client, 6) == [422] * 5 + [429]


@pytest.mark.django_db
def test_what_was_counted_while_the_clock_was_ahead_holds_nobody_up(client, clock):
    make_user("Alice")
    guess(client, password=PASSWORD)
    client.cookies.clear()
    statuses(client, 3)
    clock(-60 * 60)

    assert statuses(client, 6) == [422] * 5 + [429]
    assert guess(client, email="bob@example.org").status_code == 422


@pytest.mark.django_db
def test_a_machine_whose_clock_is_a_little_behind_allows_no_more_guesses(client, clock):
    statuses(client, 5)
    clock(-30)

    assert statuses(client, 1) == [429]


@pytest.mark.django_db
def test_guesses_from_elsewhere_do_not_lock_the_owner_out(client):
    make_user("Alice")
    statuses(client, 50, address="192.0.2.1")

    assert guess(Client(), password=PASSWORD, address="192.0.2.2").status_code == 302


@pytest.mark.django_db
def test_no_guesses_of_others_hold_up_a_device_that_the_owner_signed_in_from(client):
    make_user("Alice")
    guess(client, password=PASSWORD)
    client.post("/sign-out/")
    stranger = Client()
    for number in range(ANYWHERE.at_once):
        guess(stranger, address=other_address(number))
    for number in range(LIMITS["sign-in"]["address"].at_once):
        guess(stranger, email=f"person{number}@example.org")

    assert guess(stranger, password=PASSWORD).status_code == 429
    assert guess(stranger, email="another@example.org").status_code == 429
    assert guess(client, password=PASSWORD).status_code == 302


@pytest.mark.django_db
def test_a_known_device_has_a_limit_of_its_own(client, clock):
    make_user("Alice")
    guess(client, password=PASSWORD)
    client.post("/sign-out/")

    assert statuses(client, 7) == [422] * DEVICE.at_once + [429] * 2
    clock(DEVICE.seconds)
    assert guess(client, password=PASSWORD).status_code == 302


@pytest.mark.django_db
def test_a_device_is_known_to_the_accounts_that_signed_in_from_it_alone(client):
    make_user("Alice")
    make_user("Bob")
    guess(client, email="bob@example.org", password=PASSWORD)
    client.post("/sign-out/")
    statuses(client, 5, address="192.0.2.1")

    assert guess(client, password=PASSWORD).status_code == 429


@pytest.mark.django_db
def test_people_who_share_a_device_are_all_known_to_it(client):
    for name in ("Alice", "Bob"):
        make_user(name)
        guess(client, email=f"{name}@example.org", password=PASSWORD)
        client.post("/sign-out/")
    for number in range(40):
        guess(Client(), address=other_address(number))
        guess(Client(), address=other_address(number), email="bob@example.org")

    assert guess(client, password=PASSWORD).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("forged", ["", "x", "WyJ4IiwgW11d:1aaaaa:x", get_random_string(400)])
def test_a_forged_device_is_not_known(client, forged):
    make_user("Alice")
    statuses(client, 5)
    client.cookies["device"] = forged

    assert guess(client, password=PASSWORD).status_code == 429


@pytest.mark.django_db
def test_the_device_cookie_names_nobody_and_stays_out_of_scripts(client):
    make_user("Alice")
    cookie = guess(client, password=PASSWORD).cookies["device"]

    assert "alice" not in cookie.value.lower()
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 365 * 24 * 60 * 60


@pytest.mark.django_db
def test_unknown_people_are_counted_alike(client):
    assert statuses(client, 6, email="nobody@example.org") == [422] * 5 + [429]


@pytest.mark.django_db
def test_one_guess_at_each_of_many_accounts_is_limited_by_network_address(client, monkeypatch):
    monkeypatch.setitem(LIMITS["sign-in"], "address", Limit(7, 60))
    for number in range(7):
        guess(client, email=f"person{number}@example.org")

    assert guess(client, email="another@example.org").status_code == 429
    assert guess(client, email="another@example.org", address="192.0.2.2").status_code == 422


@pytest.mark.django_db
def test_what_one_limit_refuses_counts_for_none(client):
    statuses(client, 50)

    assert [guess(Client(), address=other_address(number)).status_code for number in range(6)] == [
        422
    ] * 5 + [429]


@pytest.mark.django_db
def test_success_takes_its_own_count_back(client):
    make_user("Alice")
    statuses(client, 4)
    guess(client, password=PASSWORD)
    client.logout()
    client.cookies.clear()

    assert statuses(client, 6) == [422] * 5 + [429]


def change(client, old, new):
    form = {"old_password": old, "password1": new, "password2": new}
    return client.post("/password/", form).status_code


@pytest.mark.django_db
def test_guesses_at_the_old_password_are_limited_but_not_tries_of_a_new_one(client):
    client.force_login(make_user("Alice"))

    tries = [change(client, PASSWORD, "short") for _ in range(7)]
    guesses = [change(client, "a wrong guess", "a new long password") for _ in range(6)]

    assert tries == [422] * 7
    assert guesses == [422] * 5 + [429]


@pytest.mark.django_db
def test_rows_that_say_nothing_any_more_are_deleted(client, clock):
    statuses(client, 5)
    assert Attempt.objects.count() == 3

    clock(24 * 60 * 60)
    guess(client, email="another@example.org", address="192.0.2.2")

    assert Attempt.objects.count() == 3


def attempted(scope="sign-in", email="alice@example.org", address="192.0.2.1", device=None):
    return throttle.Attempted(scope, email, address, device)


@pytest.mark.parametrize(
    ("scope", "device", "limits"),
    [
        ("sign-in", None, ["address", "account at address", "account"]),
        ("sign-in", "d1", ["device"]),
        ("reset", None, ["address", "account at address", "account"]),
        ("reset", "d1", ["address", "account at address", "account"]),
        ("code", None, ["account"]),
        ("code", "d1", ["device"]),
        ("password", "d1", ["account"]),
        ("token", None, ["address"]),
        ("program", None, ["account"]),
    ],
)
def test_a_guess_is_counted_by_the_limits_of_its_kind(scope, device, limits):
    counted = attempted(scope, device=device).limits()

    assert list(counted.values()) == [LIMITS[scope][name] for name in limits]
    assert counted.keys() == attempted(scope, "Alice@Example.org", device=device).limits().keys()


def shared_keys(first, second):
    return len(first.limits().keys() & second.limits().keys())


def test_guesses_share_the_counts_of_what_they_have_in_common():
    assert shared_keys(attempted(), attempted(address="192.0.2.2")) == 1
    assert shared_keys(attempted(), attempted(email="bob@example.org")) == 1
    assert shared_keys(attempted(), attempted("reset")) == 0
    by_device = attempted(device="d1")
    assert shared_keys(by_device, attempted(address="192.0.2.2", device="d1")) == 1
    assert shared_keys(by_device, attempted(email="bob@example.org", device="d1")) == 0
    assert shared_keys(by_device, attempted(device="d2")) == 0


def succeed(attempt):
    """How long a right guess has to wait: not at all, or so many seconds."""
    seconds = throttle.count_attempt(attempt)
    if not seconds:
        throttle.forgive(attempt)
    return seconds


@pytest.mark.django_db
def test_right_guesses_hold_nobody_up_however_many_they_are(monkeypatch):
    monkeypatch.setitem(LIMITS["sign-in"], "address", Limit(3, 60))

    by_one_person = [succeed(attempted(address=other_address(n))) for n in range(12)]
    from_one_address = [succeed(attempted(email=f"person{n}@example.org")) for n in range(5)]

    assert by_one_person == [0] * 12
    assert from_one_address == [0] * 5


@pytest.mark.django_db
def test_a_right_guess_takes_no_wrong_ones_of_others_back(monkeypatch):
    """Of the limit of a whole address it takes back its own count alone."""
    monkeypatch.setitem(LIMITS["sign-in"], "address", Limit(3, 60))
    for number in range(2):
        throttle.count_attempt(attempted(email=f"person{number}@example.org"))

    assert succeed(attempted()) == 0
    assert throttle.count_attempt(attempted(email="another@example.org")) == 0
    assert throttle.count_attempt(attempted(email="last@example.org")) == 60


@pytest.mark.django_db
def test_the_wait_is_told_in_whole_seconds_and_never_as_none(clock):
    for _ in range(5):
        throttle.count_attempt(attempted())

    clock(179.2)
    assert throttle.count_attempt(attempted()) == 1
    clock(0.8)
    assert throttle.count_attempt(attempted()) == 0


@pytest.mark.django_db
def test_neither_addresses_nor_what_was_typed_is_stored(client):
    guess(client, email="alice@example.org")

    stored = " ".join(Attempt.objects.values_list("key", flat=True))
    assert "alice" not in stored
    assert "192.0.2.1" not in stored


PROXY, CLIENT, CLAIMED = "10.0.0.1", "203.0.113.9", "198.51.100.1"


@pytest.mark.parametrize(
    ("trusted", "caller", "forwarded", "expected"),
    [
        # No proxy is trusted, or it is another: the header is what a client claims.
        ([], PROXY, CLIENT, PROXY),
        (["10.0.0.2"], PROXY, CLIENT, PROXY),
        # The right-most hop that is no trusted proxy is the client.
        ([PROXY], PROXY, CLIENT, CLIENT),
        ([PROXY], PROXY, f"{CLAIMED}, {CLIENT}", CLIENT),
        (["10.0.0.0/8"], PROXY, f"{CLAIMED}, {CLIENT}, 10.0.0.7", CLIENT),
        ([PROXY], PROXY, f"{CLAIMED}, {CLIENT}, 10.0.0.7", "10.0.0.7"),
        (["10.0.0.0/8"], PROXY, f"{PROXY}, 10.0.0.7", PROXY),
        # Whoever calls is the one proxy.
        (["*"], CLAIMED, f"{PROXY}, {CLIENT}", CLIENT),
        # By a Unix socket only a proxy of this machine calls.
        ([PROXY], "", CLIENT, CLIENT),
        ([], "", CLIENT, ""),
        # A proxy that forwards nothing, or nonsense, is as far as one can see.
        ([PROXY], PROXY, "", PROXY),
        ([PROXY], PROXY, f"{CLIENT}, unknown", PROXY),
        # Forms of one address, and the network of version 6 that one person has.
        ([PROXY], "::ffff:10.0.0.1", f"::ffff:{CLIENT}", CLIENT),
        ([], "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
    ],
)
def test_the_client_is_the_right_most_hop_that_is_no_trusted_proxy(
    settings, trusted, caller, forwarded, expected
):
    settings.TRUSTED_PROXIES = trusted
    request = RequestFactory().get("/", REMOTE_ADDR=caller, HTTP_X_FORWARDED_FOR=forwarded)

    assert throttle.client_address(request) == expected


@pytest.mark.django_db
def test_a_client_that_names_another_address_each_time_is_limited_like_any(settings):
    settings.TRUSTED_PROXIES = ["10.0.0.1"]
    answers = [
        Client().post(
            "/sign-in/",
            {"email": "alice@example.org", "password": "a wrong guess"},
            REMOTE_ADDR="10.0.0.1",
            HTTP_X_FORWARDED_FOR=f"{other_address(number)}, 203.0.113.9",
        )
        for number in range(12)
    ]

    assert [answer.status_code for answer in answers] == [422] * 5 + [429] * 7
