"""Gold or a rater against judgments made elsewhere, and the pairs behind each number."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.assigning.actions.assign import assign_seat
from annotation.models import Seat
from datasets.models import Level
from datasets.runs.judgments import add_judgments
from tests.factories.runs import judgments_of
from tests.factories.studies import make_aspect_study, make_member, make_study
from tests.shelf import shelved


@shelved
def study(db):
    """One topic with three pairs, rated alike and so of gold 2, 0 and 1."""
    study = make_study()
    study.finish(alice=[2, 0, 1], bob=[2, 0, 1])
    return study


def judge(study, grades, **options):
    judgments = judgments_of(grades)
    return add_judgments(
        collection=study.collection, judgments=judgments, by=study.lena, **options
    ).judgment_set


def grades_of(study, *literals):
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    return {"q1_method": dict(zip(documents, literals, strict=True))}


def get(client, study, **parameters):
    client.force_login(study.lena)
    home = reverse("evaluation:against", args=[study.collection.slug])
    return client.get(home, parameters)


def figures(response):
    return {row.name: row.pooled.value for row in response.context["against"].rows}


def test_gold_stands_against_the_first_judgments(client, study):
    judge(study, grades_of(study, "2", "0", "2"))

    response = get(client, study)

    values = figures(response)
    assert values["percent"] == pytest.approx(200 / 3)
    assert values["mean_signed_difference"] == pytest.approx(-1 / 3)
    assert response.context["against"].counts[1] == [0, 0, 1, 0]


def test_a_number_opens_the_pairs_behind_it(client, study):
    judge(study, grades_of(study, "2", "0", "2"))

    page = get(client, study).content.decode()
    listed = client.get(
        reverse("agreement:pairs", args=[study.collection.slug]),
        {"list": "against", "cell": "gold judgments:nist 1 2"},
    )

    assert "cell=gold+judgments%3Anist+1+2" in page
    third = study.batch.pairs.all()[2]
    assert [row.pair for row in listed.context["pair_rows"]] == [third]


@pytest.mark.parametrize("cell", ["", "gold", "gold seat:9 1 1", "gold judgments:nist a b"])
def test_a_cell_that_names_nothing_is_a_mistake(client, study, cell):
    judge(study, grades_of(study, "2", "0", "2"))
    client.force_login(study.lena)
    home = reverse("agreement:pairs", args=[study.collection.slug])

    assert client.get(home, {"list": "against", "cell": cell}).status_code == 400


def test_grades_off_the_scale_are_compared_by_order_alone(client, study):
    judge(study, grades_of(study, "0.95", "0.1", "0.5"))

    values = figures(get(client, study))

    assert values["rho"] == pytest.approx(1)
    assert values["percent"] is values["kappa"] is None


def test_grades_with_a_decimal_comma_are_numbers(client, study):
    judge(study, grades_of(study, "0,95", "\u22120,1", "0,5"))

    assert figures(get(client, study))["rho"] == pytest.approx(1)


def test_grades_that_are_no_numbers_are_reported(client, study):
    judge(study, grades_of(study, "0,5", "no", "no"))

    assert "the grade 'no' for" in get(client, study).context["why_not"]


def test_labels_have_figures_of_equality_alone(client, study):
    study.scheme.scales.update(is_ordinal=False, distance=None)
    judge(study, grades_of(study, "2", "0", "2"))

    assert list(figures(get(client, study))) == ["percent", "kappa"]


def test_a_seat_stands_against_another(client, study):
    assert figures(get(client, study, a="seat:1", b="seat:2"))["percent"] == 100


def test_without_judgments_the_page_leads_to_their_upload(client, study):
    page = get(client, study).content.decode()

    assert reverse("datasets:judgments", args=[study.collection.slug]) in page


def test_judgments_of_queries_stand_against_the_sum_over_aspects(client, db):
    study = make_aspect_study()
    for batch in study.collection.batches.all():
        study.finish(batch, alice=1, bob=1, erin=1)
    query = study.collection.queries.first().external_id
    documents = sorted({pair.document.external_id for pair in study.batch.pairs.all()})
    judge(study, {query: dict.fromkeys(documents, "4")}, level=Level.QUERIES)

    comparison = get(client, study).context["against"]

    assert (comparison.level, comparison.size) == (Level.QUERIES, len(documents))
    assert all(len(unit) > 1 for unit in comparison.pairs)


def test_equal_sums_of_decimals_are_one_value(client, db):
    """0.1 + 0.2 + 0.3 differs from 0.3 + 0.2 + 0.1 in the last bit."""
    study = make_aspect_study(in_one_batch=True)
    for value in (2, 1, 0):
        study.scheme.options.filter(value=value).update(value=Decimal(value + 1) / 10)
    by_document = {"d1": "1231", "d2": "3211", "d3": "1132"}
    for document, tenths in by_document.items():
        pairs = study.batch.pairs.filter(document__external_id=document).order_by("topic__position")
        for pair, tenth in zip(pairs, tenths, strict=True):
            for name in ("alice", "bob", "erin"):
                study.rate(name, pair, Decimal(tenth) / 10)
    for name in ("alice", "bob", "erin"):
        study.hand_in(name)
    query = study.collection.queries.first().external_id
    judge(study, {query: dict.fromkeys(by_document, "0.7")}, level=Level.QUERIES)

    comparison = get(client, study).context["against"]

    assert comparison.values == ([0.7], [0.7])
    assert comparison.counts == [[3]]


def test_judgments_of_queries_say_nothing_of_one_facet(client, study):
    judge(study, {"q1": {"q1c1": "1"}}, level=Level.QUERIES)

    assert "They do not name a facet" in get(client, study).context["why_not"]


def test_what_a_lead_still_rates_is_in_no_number(client, study):
    judge(study, grades_of(study, "2", "0", "2"))
    hidden = make_study(slug="other")
    member = make_member(hidden.collection, "Nora", "lead", "annotator")
    assign_seat(seat=Seat.objects.filter(batch=hidden.batch)[0], member=member, by=hidden.lena)
    judge(hidden, grades_of(hidden, "2", "0", "2"))
    client.force_login(member.user)

    response = client.get(reverse("evaluation:against", args=[hidden.collection.slug]))

    assert response.context["against"].size == 0


def test_tables_of_the_page_are_files(client, study):
    judge(study, grades_of(study, "2", "0", "2"))
    client.force_login(study.lena)

    home = reverse("agreement:table", args=[study.collection.slug, "against", "values", "csv"])

    assert client.get(home).content.decode().splitlines()[2] == "1,0,0,1,0"
