"""The tools that take longer than a test may run at a small size, each in a process of its own."""

import os
import subprocess
import sys

import pytest

from tests.processes import ROOT

TOOLS = [
    (["agreement.py", "--pairs", "200", "--topics", "5"], "alpha"),
    (["agreement_pages.py", "--pairs", "120", "--topics", "6", "--raters", "2"], "peak memory"),
    (["agreement_trace.py"], "changes of file"),
    (["import_csfcube.py", "--documents", "300", "--pooled", "5"], "import"),
    (["import_tables.py", "--queries", "5", "--pooled", "4", "--documents", "30"], "import"),
    (
        ["runs.py", "--topics", "2", "--lines", "20", "--runs", "3", "--depth", "5"],
        "pool of depth 5",
    ),
    (["import_doris_mae.py", "--size", "120", "--queries", "1"], "again: "),
    (["mutate.py", "consensus", "--first", "3"], "3 of 3 noticed"),
]


@pytest.mark.once
@pytest.mark.parametrize(("command", "said"), TOOLS, ids=[tool[0] for tool, _ in TOOLS])
def test_a_small_run_ends_well_and_says_what_it_measured(command, said):
    name, *options = command

    done = subprocess.run(
        [sys.executable, f"bench/{name}", *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},  # the product's settings, not those of the tests
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert said in done.stdout
