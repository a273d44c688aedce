"""The client is built as a wheel that needs neither Django nor the server."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from flit_core import buildapi

ROOT = Path(__file__).parents[2] / "client"
LOOK = """
import sys
sys.path.insert(0, sys.argv[1])
import facetwise
assert facetwise.__file__.startswith(sys.argv[1]), facetwise.__file__
assert not {"django", "datasets", "config"} & set(sys.modules)
print(facetwise.Client.__name__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    before = Path.cwd()
    os.chdir(ROOT)  # as a builder calls a backend
    try:
        return folder / buildapi.build_wheel(str(folder))
    finally:
        os.chdir(before)


def test_the_wheel_holds_the_package_its_types_and_its_command(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read("facetwise-0.1.0.dist-info/METADATA").decode()
        commands = archive.read("facetwise-0.1.0.dist-info/entry_points.txt").decode()

    modules = {f"facetwise/{path.name}" for path in (ROOT / "src" / "facetwise").glob("*.py")}
    assert modules | {"facetwise/py.typed"} <= names
    assert "Requires-Dist: httpx" in metadata
    assert "Requires-Dist: pandas" in metadata
    assert "facetwise=facetwise.shell:main" in commands


def test_the_wheel_runs_without_the_server(wheel, tmp_path):
    answer = subprocess.run(
        [sys.executable, "-I", "-c", LOOK, str(wheel)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (answer.stdout.strip(), answer.stderr) == ("Client", "")
