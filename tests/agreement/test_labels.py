"""Labels without an order: nothing is said of them that rests on more, less or a distance."""

import re
import uuid

import numpy as np
import pytest
from django.urls import reverse
from krippendorff import alpha
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from agreement.statistics import CannotJudge
from agreement.study.counted import count
from agreement.study.grades import Relevance, graded
from agreement.study.scales import OF_LABELS, WITHOUT_ORDER, Scale
from agreement.subjects.audits.figures import AuditedRow, AuditReport
from agreement.subjects.audits.tables import differing_table
from agreement.subjects.disagreements.figures import disagreements_of
from agreement.subjects.facets.figures import Crossed
from agreement.subjects.overview.report import report_on
from annotation.models import Pair
from datasets.models import Collection
from tests.factories.ratings import ratings_of
from tests.factories.studies import make_study
from tests.shelf import shelved

NAMES = ["Theory", "System", "Survey"]
LABELS = [
    {"key": name.lower(), "name": name, "value": value, "shortcut": f"{value + 1}"}
    for value, name in enumerate(NAMES)
]
ALICE, BOB = [0, 1, 2, 2, 0], [0, 1, 0, 1, 2]


@shelved
def labels(db):
    """Five papers labelled by two, who part on three; the adjudicator decided once for a label that
    nobody gave, then twice for a rater's."""
    study = make_study(candidates=5, order="nominal", rule={"name": "majority"}, options=LABELS)
    study.finish(alice=ALICE, bob=BOB)
    for pair, key in zip(Pair.objects.disputed(), ("system", "system", "survey"), strict=True):
        decision = {"option": study.option(key), "rationale": "As the paper itself says."}
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), **decision)
    return study


@pytest.fixture
def get(client, labels):
    client.force_login(labels.lena)

    def get(route, *arguments, **parameters):
        return client.get(reverse(f"agreement:{route}", args=["study", *arguments]), parameters)

    return get


def test_headline_of_labels_is_of_equality_and_says_why(get):
    response = get("agreement")

    assert [card.measure for card in response.context["cards"]] == list(OF_LABELS.names)
    assert response.context["without_order"] == WITHOUT_ORDER
    assertContains(response, "These labels have no order")
    assertNotContains(response, "Spearman ρ")
    assertNotContains(response, "undefined</")
    assertContains(response, "we report Krippendorff&#x27;s alpha (nominal), Cohen")
    # Every grade against the rest, and none from it on.
    assert [row[0] for row in response.context["tables"]["grades"].rows] == NAMES


def test_alpha_of_labels_is_that_of_another_implementation(labels):
    whole = report_on(Collection.objects.get()).whole

    value = whole.before.figures["alpha_nominal"].figure.value
    assert value == pytest.approx(alpha([ALICE, BOB], level_of_measurement="nominal"), abs=1e-12)
    assert set(whole.before.figures) == set(OF_LABELS.keys)


def test_labels_that_differ_stand_beside_each_other_without_distance(get):
    response = get("disagreements")

    tables = response.context["tables"]
    assert [row[:3] for row in tables["values"].rows] == [
        ("Theory / Survey", 2, 2),
        ("System / Survey", 1, 1),
    ]
    assert [row[:3] for row in tables["distances"].rows] == [("Method", 2, 3), ("All", 2, 3)]
    assert tables["adjudicator"].cells("given_count") == [2, 2]
    assert tables["adjudicator"].cells("other_count") == [1, 1]
    for words in ("apart", "Higher", "Lower", "Between", "Highest", "higher"):
        assertNotContains(response, words)


@pytest.mark.parametrize(
    ("kind", "cell", "words"),
    [
        ("values", "0,2", "2 pairs: Theory / Survey"),
        ("values", "0,2,another label", "1 pair: Theory / Survey, then: another label"),
        ("outcome", "another label", "1 pair: they differed, then: another label"),
        ("confusion", "2,1", "1 pair: an earlier seat Survey, a later one System"),
        ("given", "1", "2 pairs: somebody rated System"),
        ("gold", "1+", "3 pairs: gold System"),
    ],
)
def test_list_of_pairs_names_labels(get, kind, cell, words):
    assertContains(get("pairs", list=kind, cell=cell), words)


def test_nobody_is_lenient_with_labels(get):
    # The measure of another facet, whose link stays in the address.
    response = get("annotators", measure="rho")

    assertNotContains(response, "Leniency")
    assert response.context["measure"] == "kappa"
    assertNotContains(response, "Spearman")


def test_files_of_labels_have_no_order_in_them(get):
    report = get("agreement-json").json()

    assert list(report["measures"]) == list(OF_LABELS.keys)
    assert report["all"]["disagreement"] == {"pairs": 5, "differing": 3, "by_distance": None}
    assert report["all"]["overruling"]["outside_range"] is None
    lines = get("agreement-csv").content.decode()
    assert "alpha_nominal" in lines
    assert not re.search("rho|alpha,|ac2|kappa_linear|outside_range", lines)


def test_page_of_a_pair_says_that_labels_differ(client, labels):
    client.force_login(labels.lena)
    pair = Pair.objects.filter(gold_origin=Pair.Origin.ADJUDICATED).first()

    response = client.get(reverse("agreement:pair", args=[pair.public_id]))

    assertContains(response, "They gave different labels")
    assertContains(response, "gold <b>System</b>")
    assertNotContains(response, "differ by")


@pytest.mark.parametrize(
    ("measure", "of_each"),
    [
        ("alpha_nominal", "Theory: 4, System: 3, Survey: 3;"),
        ("ac1", "Theory: 0.4000, System: 0.3000, Survey: 0.3000"),
        ("fleiss_kappa", "Theory: 0.4000, System: 0.3000, Survey: 0.3000"),
    ],
)
def test_working_of_labels_names_them_and_ends_in_its_value(get, measure, of_each):
    response = get("working", measure=measure)

    [(comparison, _)] = response.context["comparisons"]
    value = response.context["working"].summary.figure.value
    assert comparison.steps[-1].endswith(f"{value:.6f}")
    assert any(of_each in step for step in comparison.steps)


def test_three_labels_are_one_split():
    scale = Scale((0.0, 1.0, 2.0), False, tuple(NAMES))
    counted = count(ratings_of([0, 0], [1, 2], [2, 2], scale=scale), CannotJudge.DROP)

    figures = disagreements_of(counted, [], facet="", causes={})

    assert {split.name for split in figures.splits} == {
        "Theory / System / Survey",
        "Theory / Survey",
    }


def test_audited_labels_differ_without_a_difference():
    row = AuditedRow(
        *(uuid.uuid4(), 1, "q1", "d1", "Title", "Method"),
        is_control=False,
        consensus=0.0,
        is_decided=True,
        value=2.0,
        labels=dict(enumerate(NAMES)),
    )
    report = AuditReport(1, [row])

    assert report.whole.differing == 1
    assert report.differences == []
    assert differing_table(report).rows == [("Title", "Theory", "Survey")]


def test_one_label_is_relevant_and_none_above_it():
    relevance = Relevance(Scale((0.0, 1.0, 2.0), False, tuple(NAMES)), 1)
    crossed = Crossed(np.array([[1, 2, 0], [3, 4, 5], [0, 6, 0]]), 1, relevance)

    assert relevance.in_words == "the label “System”"
    assert relevance.choices == [("0", "Theory"), ("1", "System"), ("2", "Survey")]
    assert graded("", "", [0, 1, 2, 2], relevance).relevant.count == 1
    assert (crossed.either, crossed.both.count) == (20, 4)
    assert (crossed.first_alone.count, crossed.second_alone.count) == (8, 8)


def test_pool_says_which_label_counts_as_relevant(get):
    words = "the label “Survey” counts as relevant"

    assertContains(get("pool", relevant="2"), words)
    assertNotContains(get("pool", relevant="0"), words)
