"""A table is computed alone: a file of one table asks for no figure of another."""

import re
from pathlib import Path

import pytest
from django.http import Http404

from agreement.study.selection import selection_of
from agreement.subjects.annotators import figures as annotators
from agreement.subjects.audits.reading import COLUMNS
from agreement.subjects.facets import figures as facets
from agreement.subjects.overview import inputs, overview
from agreement.subjects.overview import overview as overview_parts
from agreement.subjects.pool import figures as pool
from agreement.subjects.registry import TABLES, table_of, tables_of
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = pytest.mark.django_db


@shelved
def selection(three):
    return selection_of(three.members["lena"], three.lena, {})


@pytest.fixture
def refuse(monkeypatch):
    """Makes a function fail for whoever calls it."""

    def refuse_calls(module, name):
        def fail(*values, **options):
            raise AssertionError(f"{name} was not asked for.")

        monkeypatch.setattr(module, name, fail)

    return refuse_calls


@pytest.mark.parametrize(
    ("page", "key", "module", "others"),
    [
        ("overview", "overruled", overview, ["known_intervals"]),
        ("overview", "table", overview_parts, ["course_of", "several_raters", "grades_wanted"]),
        ("overview", "several", overview_parts, ["course_of", "intervals_wanted"]),
        ("annotators", "people", annotators, ["_matrix"]),
        ("annotators", "matrix", annotators, ["_annotator"]),
        ("facets", "gold", facets, ["_counts", "_rated_of_part"]),
        ("pool", "table1", pool, ["_by_source", "_cited"]),
    ],
)
def test_a_table_alone_computes_no_other(selection, refuse, page, key, module, others):
    for name in others:
        refuse(module, name)

    assert table_of(selection, page, key, {}).key == key


def test_sources_are_counted_without_the_sizes_of_pools(refuse):
    study = make_study(candidates=4)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 2, 3])
    selection = selection_of(study.members["lena"], study.lena, {})
    refuse(pool, "_column")

    assert table_of(selection, "pool", "sources", {}).rows


@pytest.mark.parametrize("page", list(TABLES))
def test_a_table_alone_is_that_of_its_page(selection, page):
    for table in tables_of(selection, page, {}):
        assert table_of(selection, page, table.key, {}) == table


@pytest.mark.parametrize(
    ("page", "key", "words"),
    [
        ("overview", "raters", "There is no table 'raters' on the page 'overview'; expected one"),
        ("overview", "nonsense", "There is no table 'nonsense' on the page 'overview'"),
        ("nonsense", "table", "There is no page 'nonsense'; expected one of overview"),
    ],
)
def test_a_table_that_a_page_has_nothing_for_is_not_there(selection, page, key, words):
    with pytest.raises(Http404, match=words):
        table_of(selection, page, key, {})


FORMATS = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
OF_AGREEMENT = FORMATS.partition("| page/table |")[2].partition("\n\n")[0]


def documented():
    """`page/table` of every row; of rows with several tables the page stands before the first."""
    for cells in re.findall(r"^\| (`[^|]+) \|", OF_AGREEMENT, re.MULTILINE):
        page = ""
        for name in re.findall(r"`([\w/-]+)`", cells):
            page = name.partition("/")[0] if "/" in name else page
            yield name if "/" in name else f"{page}/{name}"


@pytest.mark.parametrize("page", list(TABLES))
def test_the_documents_name_every_table(selection, page):
    of_two_facets = re.compile("(background|method|result)-(background|method|result)")
    names = {of_two_facets.sub("FIRST-SECOND", key) for key in TABLES[page](selection, {})}

    assert {f"{page}/{name}" for name in names} - set(documented()) == set()


def test_the_documents_name_every_column_of_an_audit():
    [row] = re.findall(r"^\| `audits/ID/pairs.csv` .*$", OF_AGREEMENT, re.MULTILINE)

    assert re.findall(r"`(\w+)`", row) == COLUMNS[1:]


def test_the_documents_name_every_column_of_the_ratings_behind_figures():
    bullet = FORMATS.partition("- `…/agreement/ratings.csv`")[2].partition("\n- ")[0]

    assert re.findall(r"`(\w+)`", bullet) == inputs.COLUMNS
