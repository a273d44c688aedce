"""Files that were damaged in any way are imported wholly, or refused without leaving a row."""

import itertools
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Refused
from datasets.models import Collection, Import, Judgments, JudgmentSet, Ranking, Run, System
from formats.files import open_files
from formats.problems import BadInputError
from imports import life
from imports.checking import settings_for
from imports.kinds import all_kinds, recognise
from imports.run import carry_out, no_progress
from tests.formats.test_mutated import STUDIES, damaged, damages, lines
from tests.imports.rows import count_rows

# Few on a push: each is a collection with a scheme, and an import of it.
EXAMPLES = 1000 if os.environ.get("FACETWISE_STRESS") == "full" else 25
SCHEMES = ["trec-graded", "csfcube", "doris-mae"]
NUMBERS = itertools.count()
# A text as other systems write it: ends of lines, what divides cells, names of columns; UTF-16.
WRITTEN = [
    (b"\n", b"\r\n"), (b"\n", b"\r"), (b",", b";"), (b",", b"|"), (b"document", b"query"),
    (b"a", b"A"), (b"grade", b""), (b"", b""),
]  # fmt: skip


@st.composite
def changes_of(draw, data):
    """Nothing; a line twice; another number everywhere, such as a grade off the scale, which a
    reader takes and the collection does not; the text as other systems write it; or any bytes."""
    ways = ["as it is", "line", "line", "number", "number", "written", "bytes"]
    way = draw(st.sampled_from(ways))
    if way == "line":
        rows = data.splitlines(keepends=True)
        return data + draw(st.sampled_from(rows[-3:]))
    if way == "number":
        old = draw(st.sampled_from([b"0", b"1", b"2", b"3"]))
        return data.replace(old, draw(st.sampled_from([b"7", b"-1", b"x"])))
    if way == "written":
        old, new = draw(st.sampled_from(WRITTEN))
        return data.replace(old, new) if old else data.decode("latin-1").encode("utf-16")
    return damaged(data, draw(damages())) if way == "bytes" else data


@pytest.mark.django_db(transaction=True)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(draw=st.data())
def test_a_refused_file_leaves_no_row(tmp_path_factory, monkeypatch, draw):
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    files = dict(STUDIES[draw.draw(st.sampled_from(sorted(STUDIES)))])
    name = draw.draw(st.sampled_from(sorted(files)))
    files[name] = draw.draw(changes_of(files[name]))
    folder = tmp_path_factory.mktemp("study")
    for path, data in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)
    collection = fresh_collection(draw.draw(st.sampled_from(SCHEMES)))
    before = every_row()

    imported, problems = bring_in(folder, collection)

    assert all(problem.file and problem.message for problem in problems)
    assert imported.state == Import.State.ACTIVE if imported else every_row() == before
    assert not Import.objects.filter(state=Import.State.INACTIVE).exists()


@pytest.mark.django_db(transaction=True)
def test_what_is_refused_after_all_was_written_leaves_no_row(tmp_path, monkeypatch):
    """Other judgments under a name that is taken are found in the last transaction."""
    monkeypatch.setattr(life, "PAUSE_SECONDS", 0)
    for name, data in STUDIES["trec"].items():
        (tmp_path / name).write_bytes(data)
    collection = fresh_collection("trec-graded")
    bring_in(tmp_path, collection)
    before = every_row()
    (tmp_path / "qrels.txt").write_bytes(b"1 0 d1 2\n")
    (tmp_path / "more.jsonl").write_bytes(
        lines(
            {"docno": "d9", "title": "T", "contents": "One."}, {"docno": "d2", "contents": "Two."}
        )
    )

    imported, _ = bring_in(tmp_path, collection)

    assert imported is None
    assert every_row() == before


def fresh_collection(scheme):
    number = next(NUMBERS)
    collection = Collection.objects.create(slug=f"mutated-{number}", name="Mutated")
    create_scheme(collection=collection, definition=load_definition(scheme), by=None)
    return collection


def bring_in(folder, collection):
    """Import as the page does, by the kind that is most certain: (the import, problems)."""
    try:
        with open_files([folder], limit=10_000_000) as files:
            recognition = next(iter(recognise(files)), None)
            if recognition is None:
                return None, []
            how, _ = settings_for({}, recognition, collection, None)
            kind = all_kinds()[recognition.format]
            moving = kind.moving(files, collection, None, how, no_progress)
            return carry_out(moving).imported, []
    except BadInputError as refused:
        return None, refused.problems
    except Refused:
        return None, []


def every_row():
    """What an import writes, also what nobody may see, and what stands beside the study."""
    beside = [System, Run, Ranking, JudgmentSet, Judgments]
    counts = {model.__name__: model.objects.count() for model in beside}
    return count_rows() | counts
