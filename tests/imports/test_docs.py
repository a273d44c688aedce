"""What docs/formats.md shows of files comes in as it stands there, and its fields are all."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Rating
from datasets.models import Collection, Run
from formats.tables.fields import FIELDS, ONE_OF

TEXT = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
TABLES = re.findall(r"^```csv\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
[RUN] = re.findall(r"^    (\S+ Q0 .*)$", TEXT, re.MULTILINE)
[BIRCO] = re.findall(r'^    (\{"query": .*)$', TEXT, re.MULTILINE)
# Of the parts, the fields beside the text that says what they are.
ROWS = dict(re.findall(r"^\| (\w+) \| (.*) \|$", TEXT, re.MULTILINE))


def bring(folder, kind, scheme, **files):
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    options = {"collection": "shown", "create": "Shown", "scheme": scheme}
    call_command("import", kind, folder, **options, verbosity=0)
    return Collection.objects.get(slug="shown")


@pytest.mark.django_db
@pytest.mark.parametrize("ratings", TABLES[2:], ids=["row-by-row", "column-by-column"])
def test_the_tables_of_a_whole_study_come_in(tmp_path, ratings):
    documents, queries = TABLES[:2]

    bring(
        tmp_path, "tables", "csfcube",
        documents_csv=documents, queries_csv=queries, ratings_csv=ratings,
    )  # fmt: skip

    given = Rating.objects.filter(pair__document__external_id="007").order_by("seat__ordinal")
    assert given[0].option.value == 2
    assert len(given) == 2


@pytest.mark.django_db
def test_the_line_of_a_run_comes_in_as_a_pool_and_a_run(tmp_path):
    topic, _, document, *_, tag = RUN.split()

    collection = bring(
        tmp_path, "trec", "trec-graded",
        topics_tsv=f"{topic}\tWhat?\n", documents_tsv=f"{document}\tText.\n", bm25_run=f"{RUN}\n",
    )  # fmt: skip

    assert Run.objects.get(system__collection=collection).tag == tag
    assert collection.queries.get().candidates.get().sources == [tag]


@pytest.mark.django_db
def test_the_task_of_birco_comes_in_with_its_decimals(tmp_path):
    collection = bring(tmp_path, "birco", "trec-graded", task_json=BIRCO)

    [grades] = collection.judgment_sets.get().lists.all()
    assert grades.by_document == {"d": "0.8666666666666667"}


@pytest.mark.parametrize("part", FIELDS)
def test_every_field_of_a_part_is_named(part):
    named = re.findall(r"`(\w+)`", ROWS[part])
    needed = re.search(r"\((`[^)]*`)\)", ROWS[part])

    assert set(named) - {"excluded"} == {field.key for field in FIELDS[part]}
    assert tuple(re.findall(r"\w+", needed[1]) if needed else ()) == ONE_OF.get(part, ())
