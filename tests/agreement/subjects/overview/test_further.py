"""Coefficients beside the table of CSFCube, and agreement on each grade, against scikit-learn."""

import csv
import io
import json
from statistics import fmean, median

import pytest
from django.core.management import call_command
from django.http import QueryDict
from django.urls import reverse
from pytest_django.asserts import assertContains
from sklearn.metrics import cohen_kappa_score

from agreement.study.scales import Scale
from agreement.study.selection import selection_of
from agreement.subjects.overview.figures import cuts_of
from agreement.subjects.overview.files import as_csv, as_json
from agreement.subjects.overview.overview import overview_of
from agreement.subjects.overview.report import report_on
from agreement.subjects.registry import tables_of
from tests.agreement.csfcube import FACETS, read_ratings
from tests.agreement.statistics import reference
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TOLERANCE = 1e-9
SCALE = [0, 1, 2, 3]
CUTS = {
    **{f"{grade}": (lambda value, grade=grade: value == grade) for grade in SCALE},
    **{f"{grade}+": (lambda value, grade=grade: value >= grade) for grade in (1, 2)},
}


def lists_of(folder):
    """(facet, first, second, gold) of each query; missing counts as 0."""
    for facet, _, first, second, gold in read_ratings(folder):
        yield facet, [max(a, 0) for a in first], [max(b, 0) for b in second], gold


def test_grades_of_the_half_are_those_of_scikit_learn(half, shared_data):
    report = report_on(half)
    queries = list(lists_of(shared_data / "csfcube-half"))

    for facet in (*FACETS, "all"):
        row = report.whole if facet == "all" else {part.key: part for part in report.facets}[facet]
        queries_of_facet = [lists for of, *lists in queries if facet in ("all", of)]
        assert [grade.cut.key for grade in row.grades] == list(CUTS)
        for grade in row.grades:
            is_in = CUTS[grade.cut.key]
            sides = [
                [[is_in(value) for value in values] for values in lists]
                for lists in queries_of_facet
            ]
            kappas = [kappa(first, second) for first, second, _ in sides]
            agreed = [reference.percent(first, second) for first, second, _ in sides]
            # Of a query of which one half is undefined there is no figure.
            halves = [(kappa(first, gold), kappa(second, gold)) for first, second, gold in sides]
            after = [None if None in both else fmean(both) for both in halves]
            assert value_of(grade.before["percent"]) == pytest.approx(median(agreed), abs=TOLERANCE)
            for summary, values in ((grade.before["kappa"], kappas), (grade.after["kappa"], after)):
                defined = [value for value in values if value is not None]
                assert value_of(summary) == pytest.approx(median(defined), abs=TOLERANCE)
                assert (summary.defined, summary.undefined) == (
                    len(defined),
                    len(values) - len(defined),
                )


def kappa(first, second):
    """None where the library would say NaN, and warn: one side alone is in use."""
    return cohen_kappa_score(first, second) if len({*first, *second}) > 1 else None


def value_of(summary):
    return summary.figure.value


def test_gwets_coefficients_of_the_half_are_their_definitions(half, shared_data):
    report = report_on(half)
    queries = list(lists_of(shared_data / "csfcube-half"))
    weight = reference.ordinal_weight(SCALE)

    def ac(first, second, *weights):
        return reference.gwet(list(zip(first, second, strict=True)), SCALE, *weights)

    for name, weights in (("ac1", ()), ("ac2", (weight,))):
        before = median(ac(first, second, *weights) for _, first, second, _ in queries)
        after = median(
            fmean([ac(first, gold, *weights), ac(second, gold, *weights)])
            for _, first, second, gold in queries
        )
        assert report.whole.before.figures[name].figure.value == pytest.approx(before, abs=1e-9)
        assert report.whole.after.figures[name].figure.value == pytest.approx(after, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "keys"),
    [
        ((0.0, 1.0, 2.0, 3.0), ["0", "1", "2", "3", "1+", "2+"]),
        ((0.0, 1.0), ["0", "1"]),
        ((0.0, 0.5, 1.0), ["0", "0.5", "1", "0.5+"]),
    ],
)
def test_scale_is_cut_at_each_grade_and_from_those_between_the_ends(values, keys):
    assert [cut.key for cut in cuts_of(Scale(values))] == keys


@shelved
def study():
    """Agreed on 0, 1 and 3 of five pairs; nothing is decided of the other two."""
    study = make_study(candidates=5)
    study.finish(alice=[0, 1, 2, 3, 2], bob=[0, 1, 1, 3, 3])
    return study


def test_hand_worked_grades(study):
    grades = {grade.cut.key: grade for grade in report_on(study.collection).whole.grades}

    # 2: Alice twice, Bob never: three of five on the same side, kappa 0.
    assert grades["2"].before["percent"].figure.value == 60
    assert grades["2"].before["kappa"].figure.value == 0
    # 2 or more: Alice on three, Bob on two of these: four of five; expected 0.6*0.4 + 0.4*0.6.
    assert grades["2+"].before["percent"].figure.value == 80
    assert grades["2+"].before["kappa"].figure.value == pytest.approx(1 - 0.2 / 0.52)
    assert grades["2+"].after["kappa"].figure.value is None


def test_every_output_has_them(study, client, capsys):
    selection = selection_of(study.members["lena"], study.lena, QueryDict(""))
    client.force_login(study.lena)

    page = client.get(reverse("agreement:agreement", args=["study"]))
    printed = client.get(reverse("agreement:report", args=["study"]))
    tables = {table.key: table for table in tables_of(selection, "overview", {})}
    report = report_on(study.collection)
    content = as_json(report)
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    call_command("agreement", "study")

    for heading in ("Further coefficients", "By grade"):
        assertContains(page, heading)
    assertContains(printed, "Further coefficients before and after adjudication, median over")
    assertContains(printed, "Agreement by grade, median over topics: All")
    row = dict(
        zip(
            [column.key for column in tables["further"].columns],
            tables["further"].rows[-1],
            strict=True,
        )
    )
    expected = content["all"]["before"]["measures"]["kappa_quadratic"]["value"]
    assert row["before_kappa_quadratic"] == expected
    assert [line[0] for line in tables["grades"].rows][-1] == "Grade 2 or more"
    assert content["all"]["by_grade"]["2+"]["before"]["percent"]["value"] == 80
    assert any(
        (line["grade"], line["measure"], line["value"]) == ("2+", "percent", "80.0")
        for line in lines
    )
    assert "k quadr." in capsys.readouterr().out
    json.dumps(content, allow_nan=False)
    for suffix in ("csv", "json", "tex"):
        for key in ("further", "grades"):
            assert (
                client.get(f"/collections/study/agreement/overview/{key}.{suffix}").status_code
                == 200
            )


def test_grades_have_intervals(study):
    selection = selection_of(study.members["lena"], study.lena, QueryDict(""))
    overview = overview_of(selection)

    of_grades = overview.apart(overview.wanted)["grades"]

    assert len(of_grades) == 2 * len(overview.facet.grades)
    ends = of_grades[2 * 5].compute()["percent"]
    assert ends.low < 80 < ends.high


def test_further_figure_opens_to_its_working(study, client):
    client.force_login(study.lena)
    address = reverse("agreement:working", args=["study"])

    linear = client.get(address, {"measure": "kappa_linear", "when": "before"})
    gwet = client.get(address, {"measure": "ac2", "when": "before"})

    assertContains(linear, "w(c, k) = |c − k|, from the values themselves")
    assertContains(gwet, "AC2 = (p_a − p_e) / (1 − p_e)")
