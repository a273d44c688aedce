"""Figures take the scale of the topic: none over different scales, none of order without one."""

import csv
import io
import uuid

import numpy as np
import pytest
from django.core.exceptions import BadRequest
from django.urls import reverse
from lxml import html
from pytest_django.asserts import assertContains

from adjudication.actions import decide
from agreement.statistics import CannotJudge
from agreement.study import scales
from agreement.study.scales import DIFFERENT_SCALES, measure_of, measures_of
from agreement.subjects.overview import closed
from agreement.subjects.overview.files import as_json
from agreement.subjects.overview.report import report_on
from annotation.assigning.actions.batches import lock_topic
from annotation.models import Pair, Scale
from annotation.schemes.actions import load_definition
from datasets.models import Collection
from tests.factories.studies import make_study
from tests.shelf import shelved


@shelved
def study(db):
    """Quality on 0 to 2 and specificity on 0 to 1, both rated by Alice and Bob."""
    study = make_study(definition="litsearch", facets=("quality", "specificity"), candidates=4)
    values = {"quality": ([0, 1, 2, 2], [0, 2, 2, 1]), "specificity": ([0, 1, 1, 0], [0, 1, 0, 0])}
    for topic in study.topics:
        options = study.scheme.scale_of(topic.facet).option_list
        batch = topic.pairs.first().batch
        for name, given in zip(["alice", "bob"], values[topic.facet], strict=True):
            for pair, value in zip(batch.pairs.all(), given, strict=True):
                study.rate(name, pair, None, option=options[value], cannot_judge="")
            study.hand_in(name, batch)
    return study


def test_each_facet_has_its_own_scale_and_all_have_no_figure(study):
    report = report_on(study.collection)

    quality, specificity = report.facets
    assert np.shape(quality.confusion) == (3, 3)
    assert np.shape(specificity.confusion) == (2, 2)
    assert quality.before.measures["percent"].figure.value == 50
    assert report.whole.name == DIFFERENT_SCALES
    assert not any(summary.figure.is_defined for summary in report.whole.before.figures.values())
    assert [figures.topic.facet for figures in report.topics] == ["quality", "specificity"]


def test_pairs_apart_by_raters_have_the_measures_of_their_scale_before_any_is_decided(study):
    Scale.objects.filter(facet="specificity").update(is_ordinal=False, distance=None)

    for facet in report_on(Collection.objects.get()).facets:
        [overlap] = facet.overlaps
        assert overlap.after.topics == 0
        assert overlap.before.figures.keys() == facet.before.figures.keys()
        assert overlap.after.figures.keys() == facet.after.figures.keys()


LOWEST_OF_EACH = "“Cannot judge” counts as the lowest value of its scale (\u22122, 0)."
LOWEST_OF_GRADES = (
    "“Cannot judge” counts as the lowest value, \u22122. "
    "Of labels, pairs with one are left out of every figure."
)
LEFT_OUT = "Pairs with a “cannot judge” are left out of every figure."


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ((), LOWEST_OF_EACH),
        (("specificity",), LOWEST_OF_GRADES),
        (("quality", "specificity"), LEFT_OUT),
    ],
)
def test_the_rule_of_cannot_judge_is_told_of_each_kind_of_scale(study, labels, sentence):
    quality = study.scheme.scale_of("quality")
    quality.options.filter(value=0).update(value=-2)
    Scale.objects.filter(facet__in=labels).update(is_ordinal=False)

    assert report_on(Collection.objects.get()).rule_in_words == sentence


def test_raters_of_facets_with_scales_of_their_own_are_those_of_each(study):
    report = report_on(study.collection)

    assert (report.raters, report.raters_in_words) == (2, "two")


def test_a_facet_shown_alone_has_no_second_row_of_all(client, study):
    client.force_login(study.lena)

    page = client.get(reverse("agreement:agreement", args=["study"]), {"facet": "quality"})

    rows = html.fromstring(page.content).xpath("//table[.//th='Facet']//tbody//th[@scope='row']")
    assert {row.text_content().strip() for row in rows} == {"Quality"}


def test_pages_show_one_facet_at_a_time_and_say_why(client, study):
    client.force_login(study.lena)
    page = reverse("agreement:agreement", args=["study"])

    response = client.get(page)

    assertContains(response, "there is no figure over all")
    assertContains(response, 'name="facet" value="quality"')
    assert client.get(page, {"facet": "specificity"}).status_code == 200
    assert client.get(page, {"facet": "all"}).status_code == 400


@pytest.mark.parametrize("chosen", [{}, {"facet": "specificity"}])
def test_the_files_of_the_whole_report_have_each_facet_on_its_scale(client, study, chosen):
    client.force_login(study.lena)

    report = client.get("/collections/study/agreement.json", chosen).json()
    text = client.get("/collections/study/agreement.csv", chosen).text

    assert report == as_json(report_on(study.collection))
    assert list(report["facets"]) == ["quality", "specificity"]
    rows = csv.DictReader(io.StringIO(text))
    assert {row["facet"] for row in rows if row["scope"] == "facet"} == {"quality", "specificity"}


@pytest.mark.parametrize(
    "route", ["queries", "annotators", "time", "disagreements", "facets", "pool", "report"]
)
def test_every_page_of_agreement_takes_different_scales(client, study, route):
    client.force_login(study.lena)

    for facet in ("quality", "specificity"):
        response = client.get(reverse(f"agreement:{route}", args=["study"]), {"facet": facet})
        assert response.status_code == 200


def test_facets_beside_the_working_of_a_topic_lead_to_the_workings_of_facets(client, study):
    client.force_login(study.lena)
    topic = study.topics[0]

    page = client.get("/collections/study/agreement/working/", {"topic": topic.external_id})

    links = html.fromstring(page.content).xpath("//*[@aria-label='Facet']/a/@href")
    assert len(links) == 2
    assert [client.get(link).status_code for link in links] == [200, 200]


def test_figure_of_a_topic_leads_to_its_working_on_the_scale_of_the_topic(client, study):
    client.force_login(study.lena)

    page = client.get(reverse("agreement:queries", args=["study"]), {"facet": "specificity"})

    link, *_ = html.fromstring(page.content).xpath("//td/a[contains(@href, '/working/')]/@href")
    assert "topic=q1_specificity" in link
    assertContains(client.get(link), "q1_specificity, before adjudication")


def test_what_annotators_are_told_has_no_figure_over_different_scales(study, monkeypatch):
    monkeypatch.setattr(closed, "_tells_of_nobody", lambda counted, topics: True)
    for pair in Pair.objects.disputed():
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), exclusion_reason="They part.")
    for topic in study.topics:
        lock_topic(topic=topic, by=study.lena)

    rows = closed.closed_of(study.collection, viewer=study.alice).rows

    assert [row.name for row in rows] == ["Quality", "Specificity", DIFFERENT_SCALES]
    of_each, whole = rows[:2], rows[2]
    assert all(row.figures.before.measures["percent"].figure.is_defined for row in of_each)
    of_whole = [*whole.figures.before.figures.values(), *whole.figures.after.figures.values()]
    assert of_whole
    assert not any(summary.figure.is_defined for summary in of_whole)


def test_a_scheme_of_labels_counts_no_lowest_value(client, db):
    definition = load_definition("csfcube")
    study = make_study(candidates=3, order="nominal", rule=definition["rule"])
    study.finish(alice=[0, 1, None], bob=[0, 2, 1])
    assert not Scale.objects.get().is_ordinal
    client.force_login(study.lena)

    response = client.get(reverse("agreement:agreement", args=["study"]))

    assertContains(response, "Pairs with a “cannot judge” are left out")
    assertContains(response, "These labels have no order")
    # The command and programs count as the page does: of two pairs that both rated, one agrees.
    report = report_on(study.collection)
    assert report.cannot_judge is CannotJudge.DROP
    assert report.whole.before.measures["percent"].figure.value == 50


def test_facet_of_labels_counts_no_lowest_value_beside_one_of_grades(db):
    study = make_study(definition="litsearch", facets=("quality", "specificity"), candidates=2)
    Scale.objects.filter(facet="specificity").update(is_ordinal=False, distance=None)
    for topic in study.topics:
        lowest, higher, *_ = study.scheme.scale_of(topic.facet).option_list
        first, second = topic.pairs.all()
        for name in ("alice", "bob"):
            study.rate(name, first, None, option=lowest, cannot_judge="")
        study.rate("alice", second, None, option=higher, cannot_judge="")
        study.rate("bob", second, None)
        for name in ("alice", "bob"):
            study.hand_in(name, first.batch)

    percents = {
        facet.key: facet.before.measures["percent"].figure.value
        for facet in report_on(Collection.objects.get()).facets
    }
    assert percents == {"quality": 50, "specificity": 100}


# --- words, without a study ----------------------------------------------------------------------

GRADES = scales.Scale((-1.0, -0.5, 2.25))
LABELS = scales.Scale((0.0, 1.0), is_ordinal=False, labels=("survey", "theory"))


def test_grades_are_called_by_their_values_with_a_minus_for_people_and_a_hyphen_for_files():
    assert GRADES.noun == "grade"
    assert GRADES.names == ["-1", "-0.5", "2.25"]
    assert GRADES.words == ["\u22121", "\u22120.5", "2.25"]
    assert GRADES.titles["-0.5"] == "Grade \u22120.5"
    # What two of its values have between them is none of them.
    assert (GRADES.word(-0.5), GRADES.word(-0.75)) == ("\u22120.5", "\u22120.75")


def test_labels_are_called_by_their_names():
    assert LABELS.noun == "label"
    assert (LABELS.names, LABELS.words) == (["0", "1"], ["survey", "theory"])
    assert LABELS.titles == {"0": "survey", "1": "theory"}
    assert (LABELS.word(1.0), LABELS.word(3.0)) == ("theory", "3")


def test_highest_grade_has_none_above_it():
    assert [GRADES.or_more(name) for name in GRADES.names] == [
        "\u22121 or more",
        "\u22120.5 or more",
        "2.25",
    ]


def test_measures_are_those_with_a_meaning_on_the_scales():
    alike = ["rho", "alpha", "kappa", "percent"]
    for of_grades in (measures_of(), measures_of(GRADES, GRADES)):
        assert list(of_grades.names) == alike
        assert of_grades.keys == (*alike, "kappa_linear", "kappa_quadratic", "ac1", "ac2")
    of_labels = measures_of(LABELS)
    assert of_labels.keys == ("alpha_nominal", "kappa", "percent", "ac1", "fleiss_kappa")
    of_both = measures_of(LABELS, GRADES)
    assert set(of_both.keys) == {*measures_of(GRADES).keys, *of_labels.keys}
    assert list(of_both.names) == ["rho", "alpha", "alpha_nominal", "kappa", "percent"]


def test_measure_of_another_scale_becomes_the_first_and_an_unknown_one_is_refused():
    def read(measure):
        return measure_of({"measure": measure} if measure else {}, ["kappa", "ac1"], ["ac1", "rho"])

    assert [read(measure) for measure in ("", "kappa", "ac1", "rho")] == [
        "kappa",
        "kappa",
        "ac1",
        "kappa",
    ]
    with pytest.raises(BadRequest, match="expected one of kappa, ac1, rho"):
        read("luck")
