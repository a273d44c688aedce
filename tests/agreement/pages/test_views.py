import csv
import io
import json

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from annotation.schemes.actions import load_definition
from datasets.models import Collection, Membership
from tests.factories.studies import make_collection, make_member, make_study, make_user
from tests.shelf import shelved

pytestmark = pytest.mark.django_db

ADDRESSES = ["agreement:agreement", "agreement:agreement-csv", "agreement:agreement-json"]


@shelved
def study():
    return make_study(candidates=3)


def address(study, name="agreement:agreement", **query):
    return reverse(name, args=[study.collection.slug], query=query)


@pytest.mark.parametrize("name", ADDRESSES)
def test_lead_sees_the_figures(lena, study, name):
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1])

    assertContains(lena.get(address(study, name)), "66.6")


@pytest.mark.parametrize("name", ADDRESSES)
def test_visitor_who_is_not_signed_in_is_sent_to_sign_in(client, study, name):
    response = client.get(address(study, name))

    assertRedirects(
        response,
        f"{reverse('accounts:sign-in')}?next={address(study, name)}",
        fetch_redirect_response=False,
    )


@pytest.mark.parametrize("name", ADDRESSES)
def test_stranger_and_unknown_collection_are_not_found(client, study, name):
    client.force_login(make_user("Dave"))

    assert client.get(address(study, name)).status_code == 404
    assert client.get(reverse(name, args=["no-such-study"])).status_code == 404


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("role", ["alice", "carol"])
def test_annotators_and_adjudicators_are_refused(client, study, name, role):
    client.force_login(getattr(study, role))

    assert client.get(address(study, name)).status_code == 403


@pytest.mark.parametrize("name", ADDRESSES)
def test_site_admin_who_is_no_member_gets_no_rating_content(client, study, name):
    client.force_login(make_user("Root", is_site_admin=True))

    assert client.get(address(study, name)).status_code == 404


@pytest.mark.parametrize("name", ADDRESSES)
def test_only_reading_is_allowed(lena, study, name):
    assert lena.post(address(study, name)).status_code == 405


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("parameter", ["summary", "cannot-judge"])
def test_unknown_choice_is_a_bad_request(lena, study, name, parameter):
    assert lena.get(address(study, name, **{parameter: "best"})).status_code == 400


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize(
    "parameter", ["facet", "query", "annotator", "batch", "version", "from", "to"]
)
def test_unknown_filter_is_a_bad_request(lena, study, name, parameter):
    assert lena.get(address(study, name, **{parameter: "best"})).status_code == 400


def test_htmx_gets_the_figures_alone_and_going_back_the_whole_page(lena, study):
    fragment = lena.get(address(study), headers={"HX-Request": "true"})
    restored = lena.get(
        address(study), headers={"HX-Request": "true", "HX-History-Restore-Request": "true"}
    )

    assertNotContains(fragment, "<html")
    assertContains(fragment, 'id="figures"')
    assertContains(restored, "<html")
    assert "HX-Request" in fragment["Vary"]


def test_choices_are_in_the_address_of_every_other_choice(lena, study):
    page = lena.get(address(study, summary="mean", **{"cannot-judge": "drop"}))

    assertContains(page, "?facet=method&amp;summary=mean&amp;cannot-judge=drop")
    assertContains(page, '<option value="mean" selected>')
    assertContains(page, "Pairs with a “cannot judge” are left out of every figure.")


def test_page_names_the_rule_that_was_used(lena, study):
    assertContains(lena.get(address(study)), "“Cannot judge” counts as the lowest value, 0.")


def test_a_card_says_how_many_queries_are_behind_its_figure_and_how_many_before(client, db):
    study = make_study(facets=("background", "method"), candidates=3)
    decided, disputed = study.collection.batches.all()
    study.finish(alice=[0, 1, 2], bob=[0, 1, 2], batch=decided)
    study.finish(alice=[0, 1, 2], bob=[3, 1, 2], batch=disputed)
    client.force_login(study.lena)

    page = client.get(address(study))

    assertContains(page, "n&nbsp;=&nbsp;1 after, 2 before")


def test_unfinished_topic_says_not_yet_and_gives_no_figure(lena, study):
    study.rate_all("alice", [0, 1, 2])
    study.hand_in("alice")
    study.rate_all("bob", [0, 1, 1])

    page = lena.get(address(study))

    assertContains(page, "not yet: 3 pairs with a seat not handed in")
    assertNotContains(page, "66.6")
    assertNotContains(page, "no raters")


def test_undefined_figure_is_said_with_its_reason(lena, study):
    study.finish(alice=1, bob=1)

    page = lena.get(address(study))
    data = lena.get(address(study, "agreement:agreement-json")).json()
    lines = list(csv.DictReader(io.StringIO(get_csv(lena, study))))

    assertContains(page, "undefined for 1 topic: one list holds a single value.")
    rho = data["topics"]["q1_method"]["before"]["measures"]["rho"]
    assert rho == {
        "value": None,
        "reason": "one list holds a single value",
        "figures": 0,
        "undefined": {"one list holds a single value": 1},
    }
    [line] = [
        line
        for line in lines
        if (line["scope"], line["when"], line["measure"]) == ("topic", "before", "rho")
    ]
    assert (line["value"], line["reason"]) == ("", "one list holds a single value")


def get_csv(client, study, **query):
    return client.get(address(study, "agreement:agreement-csv", **query)).content.decode()


def test_json_never_holds_nan(lena, study):
    study.finish(alice=[None, 1, 1], bob=[1, 1, 1])

    for rule in ("drop", "lowest"):
        response = lena.get(address(study, "agreement:agreement-json", **{"cannot-judge": rule}))

        assert "NaN" not in response.content.decode()
        assert json.loads(response.content)["cannot_judge"]["rule"] == rule


def test_csv_and_json_hold_the_same_numbers(lena, study):
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1])
    data = lena.get(address(study, "agreement:agreement-json")).json()

    from_csv = {
        (line["scope"], line["grade"], line["measure"]): float(line["value"])
        for line in csv.DictReader(io.StringIO(get_csv(lena, study)))
        if line["value"] and line["when"] == "before"
    }

    for scope, row in [
        ("all", data["all"]["before"]),
        ("facet", data["facets"]["method"]["before"]),
        ("topic", data["topics"]["q1_method"]["before"]),
    ]:
        for measure, figure in row["measures"].items():
            assert from_csv[scope, "", measure] == figure["value"]
    for grade, figures_of_grade in data["all"]["by_grade"].items():
        for measure, figure in figures_of_grade["before"].items():
            assert from_csv.get(("all", grade, measure)) == figure["value"]


def test_csv_says_not_yet_and_the_rule(lena, study):
    lines = list(csv.DictReader(io.StringIO(get_csv(lena, study, **{"cannot-judge": "drop"}))))

    topics = [line for line in lines if line["scope"] == "topic"]
    assert {line["reason"] for line in topics} == {"not yet: 3 pairs with a seat not handed in"}
    assert {line["value"] for line in topics} == {""}
    assert {line["cannot_judge"] for line in lines} == {"drop"}


def test_csv_cell_is_never_a_formula(lena, study):
    topic = study.topics[0]
    topic.external_id = "=1+1"
    topic.save()

    assert "'=1+1" in get_csv(lena, study)
    assert ",=1+1" not in get_csv(lena, study)


def test_files_are_named_by_collection_and_choices(lena, study):
    response = lena.get(address(study, "agreement:agreement-csv", summary="pooled"))

    name = "study-agreement-pooled-lowest.csv"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("topics", [1, 3])
def test_addresses_take_the_same_number_of_statements_for_any_number_of_topics(
    lena, name, topics, django_assert_num_queries
):
    slug = f"with-{topics}"
    facets = ("background", "method", "result")[:topics]
    study = make_study(slug=slug, facets=facets)
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 1, 2], bob=[0, 1, 1], batch=batch)

    lena.get(reverse(name, args=[slug]))
    with django_assert_num_queries(22 if name == "agreement:agreement" else 19):
        lena.get(reverse(name, args=[slug]))


def test_a_collection_without_pairs_names_its_pages_and_promises_nothing(client, db):
    collection = make_collection("empty", load_definition("trec-graded"))
    client.force_login(make_member(collection, "Lena", "lead").user)

    def page(name):
        return client.get(reverse(f"agreement:{name}", args=["empty"]))

    for name in ("agreement", "audits"):
        words = [words for words, _, _ in page(name).context["pages"]]
        assert words[1] == "Queries"
        assert "Grades" in words
    assertContains(page("facets"), "one grade for each query")
    assertContains(page("time"), "No pair is handed out yet.")
    assertContains(page("time"), "Nothing is to be rated.")


def test_collection_without_a_scheme_says_what_is_missing(client, study):
    bare = Collection.objects.create(slug="bare", name="Bare")
    Membership.objects.create(collection=bare, user=study.lena, name="Lena", is_lead=True)
    client.force_login(study.lena)

    assertContains(client.get(reverse("agreement:agreement", args=["bare"])), "There is no scheme")
    assert client.get(reverse("agreement:agreement-csv", args=["bare"])).status_code == 404
    assert client.get(reverse("agreement:agreement-json", args=["bare"])).status_code == 404
