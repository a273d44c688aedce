"""Every table of the agreement pages, and the picture drawn from it, as files."""

import csv
import io
import json
import re
import uuid

import pytest
from django.urls import reverse

from adjudication.actions import decide
from agreement.pages.frame import PAGES
from agreement.study import intervals
from agreement.study.selection import selection_of
from agreement.subjects.registry import TABLES, table_of, tables_of
from agreement.tables.columns import NOT_KNOWN
from agreement.tables.writing import as_latex
from annotation.models import Rating
from datasets.models import Membership
from datasets.pseudonyms import pseudonym
from tests.adjudication.audits import make_audit
from tests.agreement.csfcube import FACETS, read_ratings
from tests.agreement.statistics import reference
from tests.factories.studies import make_study, make_user
from tests.shelf import shelved

pytestmark = pytest.mark.django_db

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}


@shelved
def study():
    study = make_study(facets=("background", "method"), candidates=4)
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2, 3], bob=[0, 1, 1, 1])
    make_audit(study, size=2, control_count=0)
    return study


@shelved
def long_study():
    """60 pairs that were rated one a minute, and all decided: Alice's first half stands."""
    study = make_study(candidates=60)
    study.finish(alice=[0] * 30 + [1] * 30, bob=[1] * 10 + [0] * 50)
    for pair in study.batch.pairs.disputed():
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(0))
    for rating in Rating.objects.select_related("pair"):
        Rating.objects.filter(pk=rating.pk).update(
            created_at=f"2026-03-{1 + rating.pair.position // 30:02}"
            f"T17:{rating.pair.position % 30:02}:30Z",
            active_seconds=10,
        )
    return study


def address(study, page, table, suffix, **query):
    return reverse(
        "agreement:table", args=[study.collection.slug, page, table, suffix], query=query
    )


def selection_for(collection, **filters):
    member = collection.memberships.get(name="Lena")
    return selection_of(member, member.user, filters)


def all_sheets(study):
    selection = selection_for(study.collection)
    return [(page, table) for page in list(TABLES) for table in tables_of(selection, page, {})]


def test_every_sheet_of_every_page_comes_in_every_format(lena, study):
    for page, table in all_sheets(study):
        for suffix, content_type in FORMATS.items():
            response = lena.get(address(study, page, table.key, suffix))
            if table.picture is None and suffix in ("svg", "png"):
                assert response.status_code == 404
                continue
            assert response.status_code == 200, (page, table.key, suffix)
            assert response["Content-Type"] == content_type
            name = f"study-{page}-{table.key}.{suffix}"
            assert response["Content-Disposition"] == f'attachment; filename="{name}"'


def test_no_file_names_a_person(lena, study):
    for page, table in all_sheets(study):
        for suffix in ("csv", "json", "tex"):
            text = lena.get(address(study, page, table.key, suffix)).content.decode().lower()
            assert not {"alice", "bob", "lena", "carol"} & set(re.findall(r"\w+", text))


@pytest.mark.parametrize("which", ["study", "long_study", "three"])
def test_every_sheet_is_linked_by_its_page_and_no_other(client, request, which):
    study = request.getfixturevalue(which)
    client.force_login(study.lena)
    tables = all_sheets(study)

    for route in PAGES:
        page = "overview" if route == "agreement:agreement" else route.split(":")[1]
        shown = client.get(reverse(route, args=[study.collection.slug])).content.decode()
        linked = re.findall(rf'/agreement/{page}/([a-z0-9-]+)\.(\w+)[^"]*" download', shown)
        assert set(linked) == {
            (table.key, suffix)
            for of, table in tables
            for suffix in FORMATS
            if of == page and (table.picture or suffix not in ("svg", "png"))
        }


def test_a_file_keeps_the_filters_of_its_page(lena, study):
    rows = csv.reader(
        io.StringIO(
            lena.get(
                address(study, "disagreements", "distances", "csv", facet="method")
            ).content.decode()
        )
    )
    page = lena.get(
        reverse("agreement:disagreements", args=["study"], query={"cannot-judge": "drop"})
    )

    assert next(rows)[0] == "facet"
    assert address(study, "disagreements", "distances", "csv") + "?cannot-judge=drop" in (
        page.content.decode()
    )


@pytest.mark.parametrize(
    ("page", "table", "suffix"),
    [
        ("disagreements", "no-such", "csv"),
        ("no-such", "distances", "csv"),
        ("disagreements", "distances", "pdf"),
    ],
)
def test_what_there_is_not_is_not_found(lena, study, page, table, suffix):
    assert lena.get(address(study, page, table, suffix)).status_code == 404


@pytest.mark.parametrize("role", ["alice", "carol"])
def test_annotators_and_adjudicators_are_refused(client, study, role):
    client.force_login(getattr(study, role))

    assert client.get(address(study, "disagreements", "distances", "csv")).status_code == 403


def test_strangers_find_nothing(client, study):
    client.force_login(make_user("Dave"))

    assert client.get(address(study, "disagreements", "distances", "csv")).status_code == 404


def test_the_first_table_pastes_as_table_2_of_the_paper(half, shared_data):
    queries = [
        reference.Query(facet, first, second, gold, "lowest")
        for facet, _, first, second, gold in read_ratings(shared_data / "csfcube-half")
    ]
    expected = []
    for facet in (*FACETS, "all"):
        chosen = [query for query in queries if facet in ("all", query.facet)]
        table = reference.table(chosen, "lowest", "median")
        cells = [
            f"{table[when][name]:.2f}".removeprefix("0" if name != "percent" else "")
            for when in ("before", "after")
            for name in ("rho", "alpha", "kappa", "percent")
        ]
        expected.append(f"    {' & '.join([facet.capitalize(), *cells])} \\\\")

    table = table_of(selection_for(half), "overview", "table", {})
    lines = as_latex(table, label="tab:agreement").splitlines()

    assert lines[lines.index(r"    \toprule") :] == [
        r"    \toprule",
        r"     & \multicolumn{4}{c}{Before adjudication}"
        r" & \multicolumn{4}{c}{After adjudication} \\",
        r"    \cmidrule(lr){2-5} \cmidrule(lr){6-9}",
        r"    Facet & $\rho$ & $\alpha$ & $\kappa$ & \% & $\rho$ & $\alpha$ & $\kappa$ & \% \\",
        r"    \midrule",
        *expected,
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]


def test_the_table_of_queries_has_all_of_them_worst_first(half, shared_data):
    read = read_ratings(shared_data / "csfcube-half")
    of_files = {
        f"{paper}_{facet}": reference.Query(facet, first, second, gold, "lowest").before("kappa")
        for facet, paper, first, second, gold in read
    }

    table = table_of(selection_for(half), "queries", "queries", {"measure": "kappa"})

    assert table.cells("topic") == sorted(of_files, key=of_files.get)
    assert table.cells("before_kappa") == pytest.approx(sorted(of_files.values()), abs=1e-9)
    ends = zip(table.cells("before_kappa_low"), table.cells("before_kappa_high"), strict=True)
    assert all(low < high for low, high in ends)


def test_people_are_in_the_order_of_their_pseudonyms(study):
    selection = selection_for(study.collection)
    pseudonyms = sorted(
        pseudonym(study.collection, study.members[name]) for name in ("alice", "bob")
    )

    for key in ("people", "matrix"):
        assert table_of(selection, "annotators", key, {}).cells("annotator") == pseudonyms


def test_the_course_of_a_study_names_days_and_no_times(long_study):
    table = table_of(selection_for(long_study.collection), "overview", "course", {})

    assert table.cells("part") == [1, 2, 3]
    assert table.cells("since") == ["2026-03-01", "2026-03-01", "2026-03-02"]
    assert table.cells("pairs") == [20, 20, 20]
    # Ten of the first twenty pairs have the same value, then ten, then none.
    assert table.cells("percent") == [50, 50, 0]


def test_drift_has_ten_rows_for_each_person(long_study):
    alice = pseudonym(long_study.collection, long_study.members["alice"])

    table = table_of(selection_for(long_study.collection), "annotators", "drift", {})

    rows = [row for row in table.rows if row[0] == alice]
    assert [row[1:] for row in rows] == [
        *((number, 6, 6, 1.0) for number in range(1, 6)),
        *((number, 6, 0, 0.0) for number in range(6, 11)),
    ]
    assert len(table.rows) == 20


def test_an_open_audit_is_in_no_sheet_of_whoever_decides_it(study):
    Membership.objects.filter(pk=study.members["lena"].pk).update(is_adjudicator=True)
    make_audit(study, size=1, control_count=0, name="Lena's", adjudicators=("lena",))

    table = table_of(selection_for(study.collection), "audits", "audits", {})

    assert table.cells("audit") == ["Audit"]


def test_intervals_that_take_long_are_left_out_and_that_is_said(study, monkeypatch):
    monkeypatch.setattr(intervals, "QUICK", 0)

    table = table_of(selection_for(study.collection), "queries", "queries", {})

    assert table.cells("before_percent") == [50, 50]
    assert table.cells("before_percent_low") == [None, None]
    assert NOT_KNOWN in table.notes


def test_a_parameter_that_a_page_does_not_know_is_refused(lena, study):
    assert lena.get(address(study, "queries", "queries", "csv", measure="luck")).status_code == 400
    assert (
        lena.get(address(study, "annotators", "matrix", "csv", measure="luck")).status_code == 400
    )


def test_json_names_the_collection_and_what_was_chosen(lena, study):
    content = json.loads(
        lena.get(
            address(study, "overview", "table", "json", facet="method", summary="pooled")
        ).content
    )

    assert content["collection"] == {"slug": "study", "name": study.collection.name}
    assert content["chosen"] == {"Facet": "Method"}
    assert content["citation"] == study.collection.citation
