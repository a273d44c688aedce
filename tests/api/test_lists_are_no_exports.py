"""The API's lists are told from tables of a study by their columns."""

import csv
import io

import pytest

from api.resources import data, judged
from api.resources.registry import LISTS
from formats.files import open_files
from formats.problems import BadInputError
from formats.reading import Column, Options
from formats.tables.guess import guess_part
from formats.tables.read import read

pytestmark = pytest.mark.once

# Lists that say what tables of a study say, or are too short to be told from them.
IMPORTABLE = {
    "pools": "pool",
    "ratings": "ratings",
    "decisions": "decisions",
    "gold": "decisions",
    "machine-scores": "judgments",
    "machine-runs": "documents",
}


def test_other_lists_are_taken_for_no_part_of_a_study():
    parts = {}
    for resource in LISTS:
        columns = [Column(column.name) for column in resource.columns]
        parts[resource.name], _ = guess_part(f"{resource.name}.csv", columns)

    assert {name: part for name, part in parts.items() if part} == IMPORTABLE


@pytest.mark.parametrize(
    ("resource", "export"),
    [
        (data.DOCUMENTS, "BEIR"),
        (data.QUERIES, "BEIR"),
        (data.TOPICS, "BEIR"),
        (judged.PAIRS, "CSV"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_list_with_the_programs_ids_is_refused_with_the_export_to_take(
    tmp_path, resource, export
):
    text = io.StringIO()
    names = [column.name for column in resource.columns]
    csv.writer(text).writerows([names, ["7f3c5c5e-0000-4000-8000-000000000000"] * len(names)])
    path = tmp_path / f"{resource.name}.csv"
    path.write_text(text.getvalue())

    with open_files([path]) as files, pytest.raises(BadInputError) as caught:
        read(files, Options(judged_by="plain"))

    [problem] = caught.value.problems
    assert problem.message == (
        f"this is the API's list of {resource.name}, whose ids are the program's own."
    )
    assert f"Take the export {export} instead" in problem.remedy
