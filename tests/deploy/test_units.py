"""The shipped systemd units: systemd takes them, and they start what is there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "deploy" / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
BIN = "/opt/facetwise/.venv/bin"
# What systemd calls "OK": from 0, where nothing is open, to 10.
EXPOSURE = 2.0


@pytest.fixture
def installed(tmp_path):
    """The units in a folder of their own, for the programs of this environment."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("not run: needs systemd-analyze")
    folder = tmp_path / "systemd"
    shutil.copytree(UNITS, folder)
    for service in folder.glob("*.service"):
        programs = str(Path(sys.executable).parent)
        service.write_text(service.read_text().replace(BIN, programs))
    return folder


def analyze(folder, *arguments):
    return subprocess.run(
        ["systemd-analyze", *arguments],
        env={"PATH": os.environ["PATH"], "SYSTEMD_UNIT_PATH": f"{folder}:"},
        capture_output=True,
        text=True,
    )


def test_systemd_takes_the_units(installed):
    units = [str(path) for path in installed.iterdir() if path.is_file()]

    verified = analyze(installed, "verify", "--man=no", *units)

    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize("name", [path.name for path in SERVICES])
def test_a_service_has_little_of_the_machine(installed, name):
    security = analyze(installed, "security", "--offline=yes", "--no-pager", str(installed / name))

    assert float(re.search(r"exposure level for \S+: ([\d.]+)", security.stdout)[1]) <= EXPOSURE


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)
def test_a_service_starts_what_is_there(path):
    words = [
        word
        for line in re.findall(r"^ExecStart=(.*)", path.read_text(), re.MULTILINE)
        for word in shlex.split(line.replace("'", " ").replace("exec ", " "))
    ]
    programs = [word.removeprefix(f"{BIN}/") for word in words if word.startswith(BIN)]
    commands = [words[n + 1] for n, word in enumerate(words) if word == "manage.py"]

    assert programs
    assert [name for name in programs if not (Path(sys.executable).parent / name).exists()] == []
    assert set(commands) - set(get_commands()) == set()


def test_only_the_migrations_know_the_owner_of_the_database():
    knowing = [path.stem for path in SERVICES if "owner.env" in path.read_text()]

    assert knowing == ["facetwise-prepare"]


def test_a_command_by_hand_finds_the_folders_of_the_units_also_before_any_has_run(tmp_path):
    """As a restore and the first backup do."""
    (tmp_path / "systemd-run").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "systemd-run").chmod(0o755)
    started = subprocess.run(
        [ROOT / "deploy" / "manage", "restore", "a file"],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        check=True,
        capture_output=True,
        text=True,
    )
    words = started.stdout.splitlines()
    common = (UNITS / "facetwise-.service.d" / "common.conf").read_text()

    assert words[-2:] == ["restore", "a file"]
    assert "--property=StateDirectory=facetwise facetwise-backups" in words
    for name in ("StateDirectoryMode", "UMask"):
        [value] = re.findall(rf"^{name}=(.*)", common, re.MULTILINE)
        assert f"--property={name}={value}" in words
