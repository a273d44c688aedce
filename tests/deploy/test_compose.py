"""compose.yaml, its settings and the image: sealed, pinned, and at one with the README."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "compose.yaml").read_text()
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
OURS = ["migrate", "web", "worker"]
SET_BY_THE_IMAGE = {"HOST", "FACETWISE_STATE", "FACETWISE_STATIC"}
NEVER_IN_CONTAINERS = {"DEBUG", "FACETWISE_SQLITE_JOURNAL", "FACETWISE_WEBHOOKS_TO_LOOPBACK"}
EXACT = re.compile(r"[a-z]+:\d+\.\d+(\.\d+)?-[a-z-]+(@sha256:[0-9a-f]{64})?")


def variables(text):
    return set(re.findall(r"\$\{(\w+)", text))


@pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES)
def test_every_service_is_sealed_and_bounded(service):
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"] not in {"root", "0", "0:0"}
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert set(service["logging"]["options"]) == {"max-size", "max-file"}
    assert "privileged" not in service
    from_this_machine = [name for name in service.get("volumes", []) if name.startswith(("/", "."))]
    assert all(name.endswith(":ro") for name in from_this_machine)


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"migrate"}))
def test_every_service_that_stays_is_asked_how_it_is(name):
    if name != "web":  # the image's own
        assert SERVICES[name]["healthcheck"]["test"]
    assert SERVICES[name]["restart"] == "unless-stopped"


def test_images_are_exact_versions():
    [base] = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    images = [SERVICES[name]["image"] for name in SERVICES if name not in OURS]

    assert [image for image in [base, *images] if not EXACT.fullmatch(image)] == []


def test_only_the_web_server_is_reached_and_only_from_this_machine():
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}

    assert ports == {"web": ["127.0.0.1:${PORT:-8000}:${PORT:-8000}"]}
    assert SERVICES["web"]["environment"]["PORT"] == "${PORT:-8000}"


def test_the_owner_of_the_database_is_known_to_the_migrations_alone():
    knowing = [name for name in OURS if "OWNER_PASSWORD" in str(SERVICES[name])]

    assert knowing == ["migrate"]


def test_what_must_be_set_stands_in_the_example_and_is_empty_there():
    lines = (ROOT / ".env.example").read_text().splitlines()
    example = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    required = set(re.findall(r"\$\{(\w+):\?", TEXT))

    assert {name for name in required if example.get(name) != ""} == set()
    assert set(example) - variables(TEXT) == set()


def test_what_compose_passes_on_is_what_the_readme_lists():
    rows = re.findall(r"^\| `(\w+)`", (ROOT / "README.md").read_text(), re.MULTILINE)
    passed = set().union(*(SERVICES[name]["environment"] for name in OURS))

    assert passed - set(rows) == {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
    assert set(rows) - passed == SET_BY_THE_IMAGE | NEVER_IN_CONTAINERS


def test_the_web_server_starts_with_what_nobody_has_set():
    """Gunicorn reads some of it itself, and takes no empty number."""
    defaults = dict(re.findall(r"\$\{(\w+):-([^}]*)\}", TEXT))
    command = [sys.executable, "-c", "import gunicorn.config"]

    started = subprocess.run(command, env=os.environ | defaults, capture_output=True, text=True)

    assert (started.returncode, started.stderr) == (0, "")


def test_the_image_leaves_out_what_is_no_part_of_the_program():
    ignored = (ROOT / ".dockerignore").read_text().split()

    assert {".git", ".env", "var", ".venv", "tests"} <= set(ignored)
