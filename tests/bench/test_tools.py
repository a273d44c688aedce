"""The tools that take longer than a test may run at a small size, each in a process of its own."""

import ast
import importlib.util
import os
import subprocess
import sys
from importlib import import_module

import pytest

from bench.mutating.layers import LAYERS
from tests.databases import copy_database, on_sqlite
from tests.processes import ROOT

# Those that keep their database find a migrated one in the folder, which saves each of them most of
# its time. On a push the first three: an import, programs and pages.
TOOLS = [
    (["bench/import_csfcube.py", "--documents", "300", "--pooled", "5", "--keep"], "import"),
    (["bench/api.py", "--pairs", "20", "--reads", "3", "--keep"], "95th percentile"),
    (
        ["bench/agreement_pages.py", "--pairs", "120", "--topics", "6", "--raters", "2", "--keep"],
        "peak memory",
    ),
    (["bench/agreement.py", "--pairs", "200", "--topics", "5"], "alpha"),
    (["bench/agreement_trace.py", "--keep"], "changes of file"),
    (
        [
            "bench/import_tables.py",
            "--queries",
            "5",
            "--pooled",
            "4",
            "--documents",
            "30",
            "--keep",
        ],
        "import",
    ),
    (
        [
            "bench/runs.py",
            "--topics",
            "2",
            "--lines",
            "20",
            "--runs",
            "3",
            "--depth",
            "5",
            "--keep",
        ],
        "pool of depth 5",
    ),
    (["bench/import_doris_mae.py", "--size", "120", "--queries", "1", "--keep"], "again: "),
    (
        ["bench/keypress.py", "--pairs", "3", "--annotators", "1", "--pause", "0"],
        "next pair, 2 steps",
    ),
    (["bench/api_beside.py", "--reads", "3", "--annotators", "1"], "3 small reads"),
    (["bench/start.py", "--starts", "1", "--pages", "1"], "memory after 1 pages"),
    (["bench/mutate.py", "consensus", "--every", "15"], "3 of 3 noticed"),
]
ON_PUSH = 3


@pytest.fixture
def folder(django_db_setup, tmp_path):
    if on_sqlite():
        copy_database(tmp_path / "facetwise.sqlite3")
    return tmp_path


@pytest.mark.once
@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param(*tool, id=tool[0][0], marks=[] if number < ON_PUSH else pytest.mark.full)
        for number, tool in enumerate(TOOLS)
    ],
)
def test_a_small_run_ends_well_and_says_what_it_measured(command, words, folder):
    tool, *options = command
    if options[-1] == "--keep":
        options.append(str(folder))

    done = subprocess.run(
        [sys.executable, tool, *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},  # the product's settings, not those of the tests
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert words in done.stdout


def test_whatever_a_tool_imports_is_there():
    missing = []
    for file in (ROOT / "bench").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom):
                module = importlib.import_module(node.module)
                missing += [
                    f"{file.name}: {node.module}.{alias.name}"
                    for alias in node.names
                    if alias.name != "*"
                    if not hasattr(module, alias.name) and not is_module(module, alias.name)
                ]
    assert missing == []


def is_module(package, name):
    is_package = hasattr(package, "__path__")
    return is_package and importlib.util.find_spec(f"{package.__name__}.{name}") is not None


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_of_rules_names_modules_functions_and_tests_that_there_are(name):
    layer = LAYERS[name]
    modules = [import_module(module) for module in layer.modules]
    defined = set().union(*(module.__dict__ for module in modules))

    assert set(layer.functions) <= defined
    assert [path for path in layer.tests if not (ROOT / path).exists()] == []
