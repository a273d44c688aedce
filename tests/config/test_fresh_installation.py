"""What is there after an installation: nobody, no token, no way in but the shell's."""

import json
import os
import stat
import subprocess
import sys

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, get_resolver

from tests.processes import ROOT

# Rows that migrations bring, and that let nobody in.
BROUGHT = {"auth.Permission", "contenttypes.ContentType"}
LOOK = """
import json, django
django.setup()
from django.apps import apps
from django.conf import settings
rows = {model._meta.label: model._base_manager.count() for model in apps.get_models()}
print(json.dumps([settings.DEBUG, settings.ALLOWED_HOSTS, rows]))
"""


def installed(state):
    """DEBUG, ALLOWED_HOSTS and {model: rows} of a new installation for production."""
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "FACETWISE_STATE": str(state),
        "FACETWISE_HTTPS": "1",
        "ALLOWED_HOSTS": "facetwise.example.org",
    }
    for command in (["manage.py", "migrate", "--verbosity", "0"], ["-c", LOOK]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
    return json.loads(done.stdout)


def test_a_fresh_installation_has_no_accounts_no_tokens_and_is_closed(tmp_path):
    is_debug, hosts, rows = installed(tmp_path)

    assert (is_debug, hosts) == (False, ["facetwise.example.org"])
    assert rows.keys() >= {model._meta.label for model in apps.get_models()}
    assert {label for label, count in rows.items() if count} <= BROUGHT


def test_each_installation_has_a_random_secret_that_its_owner_alone_reads(tmp_path):
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    keys = []
    for name in ("one", "two"):
        environment = {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "FACETWISE_STATE": str(tmp_path / name),
        }
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        )
        keys.append(done.stdout.strip())
        key = tmp_path / name / "secret-key"
        assert key.read_text() == keys[-1]
        assert stat.S_IMODE(key.stat().st_mode) == 0o600

    assert keys[0] != keys[1]
    assert min(map(len, keys)) >= 50


def addresses(patterns=None, before=""):
    """Every address without a parameter that the application has."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            if "<" not in address:
                yield f"/{address}"
        else:
            yield from addresses(pattern.url_patterns, address)


@pytest.mark.django_db
def test_nobody_makes_an_account_without_having_been_asked():
    """A stranger meets the form of the sign-in and no other; where mail is set up, also that of a
    lost password."""
    client = Client()
    open_to_all = {address for address in addresses() if b"<form" in client.get(address).content}

    assert open_to_all == {"/sign-in/"}
