import csv
import io
import uuid

import pytest
from django import forms
from django.urls import reverse
from pytest_django.asserts import (
    assertContains,
    assertHTMLEqual,
    assertNotContains,
    assertRedirects,
)

from adjudication.actions import decide, reopen
from adjudication.models import Audit
from annotation.assigning.actions.assign import assign_seat, return_seat
from datasets.models import Membership, Role
from tests.adjudication.audits import make_audit, make_audit_study
from tests.factories.studies import make_member, make_study
from tests.shelf import shelved

AUDITS = "/collections/study/agreement/audits/"


@shelved
def study(db):
    return make_audit_study()


def address(audit, name="audit"):
    return reverse(f"agreement:{name}", args=["study", audit.public_id])


def decide_all(study, audit, values, *, is_control=False):
    """Carol decides the agreed pairs in their order, None leaving one out."""
    for audited, value in zip(
        audit.audited_pairs.filter(is_control=is_control), values, strict=False
    ):
        choice = {"option": study.option(value)} if value is not None else {}
        reason = {} if choice else {"exclusion_reason": "Garbled."}
        decide(
            pair=audited.pair, by=study.carol, save_id=uuid.uuid4(), audit=audit, **choice, **reason
        )


def form(study, **changes):
    return {
        "name": "Audit 1",
        "size": 4,
        "control_count": "",
        "limits": "",
        "adjudicators": [str(study.members["carol"].public_id)],
        "seed": "seed",
        **changes,
    }


def test_a_lead_draws_an_audit(lena, study):
    response = lena.post(AUDITS, form(study))

    audit = Audit.objects.get()
    assertRedirects(response, address(audit))
    assert (audit.size, audit.control_count, audit.drawn_by) == (4, 1, study.lena)
    assert list(audit.adjudicators.all()) == [study.members["carol"]]


@pytest.mark.parametrize("limit", ["facet", "query", "batch"])
def test_an_audit_is_limited_by_one_choice(lena, study, limit):
    batch = study.batch
    query = study.collection.queries.get()
    value = {
        "facet": "facet-method",
        "query": f"query-{query.public_id}",
        "batch": f"batch-{batch.public_id}",
    }[limit]

    lena.post(AUDITS, form(study, limits=value))

    audit = Audit.objects.get()
    assert (audit.facet, audit.query, audit.batch) == (
        "method" if limit == "facet" else "",
        query if limit == "query" else None,
        batch if limit == "batch" else None,
    )


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [
        ({"size": ""}, 422, "required"),
        ({"size": 0}, 422, "greater than or equal to 1"),
        ({"size": 99}, 422, "6 agreed pairs can be drawn"),
        ({"adjudicators": []}, 422, "Choose who decides."),
        ({"adjudicators": ["alice"]}, 422, "Select a valid choice"),
        ({"limits": "facet-nothing"}, 422, "Select a valid choice"),
        ({"seed": ""}, 422, "required"),
    ],
)
def test_a_form_that_cannot_be_draws_nothing(lena, study, changes, status, sentence):
    response = lena.post(AUDITS, form(study, **changes))

    assert response.status_code == status
    assertContains(response, sentence, status_code=status)
    assert Audit.objects.count() == 0


def test_a_refused_form_keeps_what_the_audit_was_limited_to(lena, study):
    chosen = f"query-{study.collection.queries.get().public_id}"

    field = lena.post(AUDITS, form(study, size=99, limits=chosen)).context["form"]["limits"]

    as_usual = field.as_widget(forms.Select(choices=field.field.choices))
    assertHTMLEqual(str(field), as_usual)
    assert f'<option value="{chosen}" selected>query q1</option>' in str(field)


def test_the_form_offers_a_name_that_is_free_and_a_seed(lena, study):
    make_audit(study, name="Audit 1", size=1)

    offered = lena.get(AUDITS).context["form"].initial

    assert offered["name"] == "Audit 2"
    assert offered["seed"]


def test_the_page_says_what_can_be_drawn_and_suggests_no_more(lena, study):
    page = lena.get(AUDITS)

    assertContains(page, "6 agreed pairs can be drawn, and 2 disputed ones")
    assert page.context["form"]["size"].value() == 6


def test_the_page_says_when_the_adjudicator_can_tell(client, db):
    study = make_audit_study(disputed=0)
    client.force_login(study.lena)
    assertContains(client.get(AUDITS), "Without disputed pairs the adjudicator can tell")

    page = client.get(address(make_audit(study)))

    assertContains(page, "The adjudicator can tell.")
    assertNotContains(page, "Disputed pairs mixed in")


def test_the_report_says_where_no_control_hides_what_was_agreed(client, db):
    study = make_study(facets=("method", "result"))
    disputed, agreed = study.collection.batches.all()
    study.finish(batch=disputed, alice=[0, 1, 1], bob=[3, 1, 1])
    study.finish(batch=agreed, alice=1, bob=1)
    client.force_login(study.lena)

    page = client.get(address(make_audit(study, size=5)))

    assertContains(page, "1 disputed pair is mixed in. In <b>1 of 2</b> topics there is none")


def test_the_report_of_an_audit(lena, study):
    audit = make_audit(study, size=6, control_count=2)
    decide_all(study, audit, [2, 3, 0, 2, None])
    decide_all(study, audit, [1], is_control=True)

    response = lena.get(address(audit))

    report = response.context["report"]
    assert (report.whole.judged, report.whole.differing, report.whole.excluded) == (4, 2, 1)
    assert report.differences == [(-2, 1), (1, 1)]
    assert (report.controls.drawn, report.controls.decided) == (2, 1)
    assertContains(response, "Disputed pairs mixed in")
    assertContains(response, "final without the 1 agreed pair that waits, and 1 disputed pair goes")
    # 2 of 4: Clopper and Pearson's one-sided bound is 0.90239.
    assertContains(response, "at most 90.3% of the 6 agreed pairs have another value")
    for pair in [row.key for row in report.differing]:
        assertContains(response, reverse("agreement:pair", args=[pair]))
    assertContains(response, "<code>seed</code>")


def test_the_list_shows_every_audit_with_its_result(lena, study):
    audit = make_audit(study, size=4)
    decide_all(study, audit, [2, 2, 2, 2])
    make_audit(study, size=1, name="Second")

    response = lena.get(AUDITS)

    assert [name for name, *_ in response.context["table"].rows] == ["Second", "Audit"]
    assertContains(response, ">52.8%<")  # 1 - 0.05 ** (1 / 4) = 0.5271


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_the_same_number_of_statements(
    lena, study, django_assert_num_queries, count
):
    for number in range(count):
        audit = make_audit(study, size=1, name=f"Audit {number}")
        decide_all(study, audit, [3])

    with django_assert_num_queries(19):
        lena.get(AUDITS)


def test_a_closed_audit_is_final(lena, study):
    audit = make_audit(study)
    decide_all(study, audit, [3, 2])
    pair = audit.audited_pairs.filter(decision__isnull=False).first().pair

    assertRedirects(lena.post(address(audit, "close-audit")), address(audit))
    before = lena.get(address(audit, "audit-json")).content
    reopen(pair=pair, by=study.lena, reason="A slip.")

    assert lena.get(address(audit, "audit-json")).content == before
    assertContains(lena.get(address(audit)), "Final.")


# --- what leaves the house ---


def test_the_csv_has_every_pair_and_no_name(lena, study):
    audit = make_audit(study, size=4, control_count=2)
    decide_all(study, audit, [3, None])

    response = lena.get(address(audit, "audit-csv"))

    text = response.content.decode()
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [line["position"] for line in lines] == ["1", "2", "3", "4", "5", "6"]
    assert {line["facet"] for line in lines} == {"method"}
    agreed = [line for line in lines if line["drawn_as"] == "agreed"]
    assert [(line["state"], line["consensus"], line["value"]) for line in agreed] == [
        ("decided", "2.0", "3.0"),
        ("left out", "2.0", ""),
        ("waiting", "2.0", ""),
        ("waiting", "2.0", ""),
    ]
    assert agreed[0]["difference"] == "1.0"
    assert agreed[0]["adjudicator"].startswith("A-")
    assert "Carol" not in text
    assert response.content == lena.get(address(audit, "audit-csv")).content


def test_the_json_has_the_figures(lena, study):
    audit = make_audit(study, size=4)
    decide_all(study, audit, [3, 2])

    response = lena.get(address(audit, "audit-json"))

    content = response.json()
    assert (content["population"], content["all"]["judged"], content["all"]["share"]) == (6, 2, 0.5)
    assert content["all"]["upper_bound_95"] == pytest.approx(0.95**0.5)
    assert content["facets"]["method"] == content["all"]
    assert content["differences"] == {"1": 1}
    assert content["audit"]["seed"] == "seed"
    assert "Carol" not in response.content.decode()


def test_a_title_that_looks_like_a_formula_is_text(lena, study):
    audit = make_audit(study, size=1, control_count=0)
    pair = audit.audited_pairs.get().pair
    decide(
        pair=pair, by=study.carol, save_id=uuid.uuid4(), audit=audit,
        option=study.option(3), rationale="=1+1",
    )  # fmt: skip

    [line] = csv.DictReader(io.StringIO(lena.get(address(audit, "audit-csv")).content.decode()))

    assert line["reason"] == "'=1+1"


# --- who sees less ---


def test_a_lead_who_works_through_an_audit_sees_its_figures_when_it_is_closed(client, study):
    both = make_member(study.collection, "Nina", Role.LEAD, Role.ADJUDICATOR)
    study.members["nina"] = both
    audit = make_audit(study, adjudicators=["nina"])
    client.force_login(both.user)

    page = client.get(address(audit))
    assertContains(page, "Hidden while you work through it")
    assert "report" not in page.context
    assertContains(client.get(AUDITS), "hidden while you work through it")
    for name in ["audit-csv", "audit-json"]:
        assert client.get(address(audit, name)).status_code == 404

    client.post(address(audit, "close-audit"))
    assert client.get(address(audit)).context["report"].whole.drawn == 4
    assert client.get(address(audit, "audit-csv")).status_code == 200


def test_the_report_names_adjudicators_who_lead(lena, study):
    study.members["nina"] = make_member(study.collection, "Nina", Role.LEAD, Role.ADJUDICATOR)

    page = lena.get(address(make_audit(study, adjudicators=["nina"])))

    assertContains(page, "<b>Nina</b> leads the collection too")


def test_pairs_that_a_lead_rates_again_are_left_out_for_them(client, study):
    audit = make_audit(study)
    nina = make_member(study.collection, "Nina", Role.ANNOTATOR)
    return_seat(seat=study.seat("bob"), by=study.lena, reason="Look again.")
    assign_seat(seat=study.seat("bob"), member=nina, by=study.lena, reason="Bob is away.")
    # Who was a lead before would be given no seat of it.
    Membership.objects.filter(pk=nina.pk).update(is_lead=True)

    client.force_login(nina.user)
    page = client.get(address(audit))
    assert (page.context["report"].rows, page.context["withheld"]) == ([], 5)

    client.force_login(study.lena)
    assert client.get(address(audit)).context["withheld"] == 0


@pytest.mark.parametrize(
    ("name", "status"), [(None, 302), ("alice", 403), ("carol", 403), ("lena", 200)]
)
def test_audits_are_for_leads(client, study, name, status):
    audit = make_audit(study)
    if name:
        client.force_login(getattr(study, name))

    for page in [AUDITS, address(audit), address(audit, "audit-csv")]:
        assert client.get(page).status_code == status
    expected = 302 if name == "lena" else status
    assert client.post(address(audit, "close-audit")).status_code == expected
    assert Audit.objects.get().is_open is (name != "lena")


def test_an_audit_of_another_collection_does_not_exist(lena, study):
    other = make_audit_study(slug="other")
    audit = make_audit(other)

    assert lena.get(address(audit)).status_code == 404
    assert lena.post(address(audit, "close-audit")).status_code == 404
