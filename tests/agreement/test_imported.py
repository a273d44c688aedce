"""A finished study that is moved in gives the figures of its own files, through the database."""

import pytest
from django.core.management import call_command

from agreement.statistics import CannotJudge, SummaryKind
from agreement.statistics.measures import MEASURES
from agreement.subjects.overview.files import as_json
from agreement.subjects.overview.report import report_on
from annotation.schemes.actions import create_scheme, load_definition
from datasets.models import Collection
from tests.agreement.csfcube import FACETS, read_ratings
from tests.agreement.statistics import reference
from tests.shelf import shelved

pytestmark = pytest.mark.django_db

TOLERANCE = 1e-9


@pytest.fixture(scope="session")
def folder(shared_data):
    return shared_data / "csfcube-half"


@shelved
def reports(db, folder):
    """The sample, imported with its ratings: its report as JSON for every rule and summary."""
    collection = Collection.objects.create(slug="csfcube-half", name="CSFCube, half")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    call_command(
        "import_csfcube", str(folder), collection=collection.slug, with_ratings=True, verbosity=0
    )
    return {
        (rule.value, summary.value): as_json(
            report_on(collection, cannot_judge=rule, summary=summary)
        )
        for rule in CannotJudge
        for summary in SummaryKind
    }


def assert_same(row, expected):
    """Four measures of a report's row against those of the slow computation."""
    values = {name: row["measures"][name]["value"] for name in MEASURES}
    assert values == pytest.approx(expected, abs=TOLERANCE)


def test_imported_study_has_the_figures_of_its_files(reports, folder):
    for (rule, summary), report in reports.items():
        queries = {
            f"{paper}_{facet}": reference.Query(facet, first, second, gold, rule)
            for facet, paper, first, second, gold in read_ratings(folder)
        }
        assert set(report["topics"]) == set(queries)
        for facet in (*FACETS, "all"):
            chosen = [query for query in queries.values() if facet in ("all", query.facet)]
            row = report["all"] if facet == "all" else report["facets"][facet]
            table = reference.table(chosen, rule, summary)
            shares = [query.overruled / len(query.given) for query in chosen]
            for when in ("before", "after"):
                assert_same(row[when], table[when])
                assert row[when]["pairs"] == sum(query.pairs for query in chosen)
                assert (row[when]["topics"], row[when]["not_yet"]) == (len(chosen), 0)
            assert row["overruling"]["mean_share"]["value"] == pytest.approx(
                reference.summarise(shares, "mean"), abs=TOLERANCE
            )
            for count in ("overruled", "outside_range", "against_agreement"):
                assert row["overruling"][count] == sum(getattr(q, count) for q in chosen)
        for key, query in queries.items():
            topic = report["topics"][key]
            for when in ("before", "after"):
                expected = {name: getattr(query, when)(name) for name in MEASURES}
                assert_same(topic[when], expected)
            assert topic["overruling"]["overruled"] == query.overruled
