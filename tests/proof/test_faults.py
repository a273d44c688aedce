"""Faults of the machine while people rate; bench/faults.py has them all, at any length."""

import os
import subprocess
import sys

import pytest

from bench.faulting.course import run
from bench.faulting.scenarios import DiskFull
from bench.killing.study import build
from bench.killing.verdict import judge
from tests.processes import ROOT

pytestmark = pytest.mark.both


@pytest.mark.sqlite_only
@pytest.mark.django_db(transaction=True)
def test_people_rate_through_a_full_disk(installation, tmp_path, stress):
    ratings, seconds = stress((80, 1.5), (600, 20))
    site = installation()
    people = build(ratings=ratings, annotators=4)

    outcome = run(DiskFull(), site, people, seconds=seconds)

    assert outcome.refused > 0
    assert judge(outcome, tmp_path / "export", site) == []


@pytest.mark.postgres_only
def test_people_rate_through_two_restarts_of_postgresql():
    """On a server of its own: others use that of the tests."""
    names = {"FACETWISE_TEST_POSTGRES_URL", "FACETWISE_TEST_STATE", "PYTEST_XDIST_WORKER"}
    command = [
        *(sys.executable, str(ROOT / "script" / "with-postgres")),
        *(sys.executable, str(ROOT / "bench" / "faults.py"), "database-restarted"),
        *("--ratings", "80", "--annotators", "4", "--seconds", "1"),
    ]

    result = subprocess.run(
        command,
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in names},
        capture_output=True,
        text=True,
    )

    assert (result.returncode, result.stdout.splitlines()[-1:]) == (0, ["0 findings"]), (
        result.stdout + result.stderr
    )
