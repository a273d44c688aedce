import pytest

from datasets.runs.actions import add_run
from tests.evaluation import csfcube
from tests.factories.runs import run_of


@pytest.fixture
def half_with_runs(half, shared_data):
    """CSFCube's half with its eleven runs."""
    names = csfcube.expected(shared_data)["sources"]["adjudicated"]
    for name, rankings in csfcube.rankings(shared_data, names).items():
        add_run(collection=half, run=run_of(rankings, tag=name), by=None)
    return half
