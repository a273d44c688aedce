"""The notebooks run from top to bottom against the real server."""

import json
from pathlib import Path

import matplotlib
import pytest

from annotation.models import Seat
from datasets.models import Run
from datasets.runs.actions import add_run
from tests.factories.runs import run_of
from tests.factories.tokens import token_of

FOLDER = Path(__file__).parents[2] / "client" / "notebooks"

pytestmark = pytest.mark.once


def run_notebook(name):
    """The names that its code cells leave behind."""
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    names = {}
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)  # noqa: S102 - our own notebook
    finally:
        names["fw"].close()
    return names


@pytest.fixture
def as_member(server, monkeypatch):
    """The environment in which a member's notebooks run."""
    matplotlib.use("agg")

    def set_up(member, **environment):
        _, token = token_of(member)
        named = {"FACETWISE_URL": server.url, "FACETWISE_TOKEN": token, **environment}
        for name, value in named.items():
            monkeypatch.setenv(name, value)

    return set_up


def test_table_2_comes_from_the_api(as_member, study):
    as_member(study.members["lena"], FACETWISE_COLLECTION="study")

    names = run_notebook("table_2")

    assert names["chosen"].to_numpy().tolist() == [[2, 2, 1, 1]]
    assert not names["table_2"].empty


def test_a_run_is_scored_and_its_stability_drawn(as_member, study, run_file):
    for tag, ranked in {"e5": ["q1c3", "q1c2", "q1c1"], "splade": ["q1c3", "q1c1"]}.items():
        run = run_of({"q1_method": ranked}, tag=tag)
        add_run(collection=study.collection, run=run, by=study.lena)
    as_member(study.members["lena"], FACETWISE_COLLECTION="study", FACETWISE_RUN=str(run_file))

    names = run_notebook("score_a_run")

    assert Run.objects.filter(tag="bm25").exists()
    assert "bm25" in names["scores"].to_string()
    assert len(names["ranks"]) == 3
    assert names["axes"].has_data()
    names["plt"].close(names["figure"])


def test_three_frames_become_a_study_with_seats(as_member, new):
    as_member(new, FACETWISE_COLLECTION="new", FACETWISE_PEOPLE="alice@example.org bob@example.org")

    run_notebook("new_study")

    assert Seat.objects.filter(holder=None).count() == 0
    assert Seat.objects.count() == 6


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]

    assert [cell["outputs"] for cell in cells if cell.get("outputs")] == []
    assert path.stat().st_size < 10_000
