"""How a figure comes about: what went in, what was left out, the formula, the input."""

import csv
import io
import uuid

import numpy as np
import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains

from adjudication.actions import decide
from agreement.statistics import REGISTRY, Raters, SummaryKind
from agreement.study.scales import OF_GRADES, Scale
from agreement.study.selection import selection_of
from agreement.subjects.overview.formulas import steps
from agreement.subjects.overview.working import working_of
from datasets.pseudonyms import pseudonym
from tests.factories.studies import make_study
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SCALE = Scale((0.0, 1.0, 2.0, 3.0))


def working(study, *, viewer=None, measure="kappa", when="before", topic="", **parameters):
    member = study.members["lena"]
    selection = selection_of(member, viewer, parameters)
    return working_of(selection, measure=measure, when=when, topic=topic)


@shelved
def study():
    """Two finished topics, one with a pair to exclude, and one in progress."""
    study = make_study(facets=("background", "method", "result"), candidates=4)
    first, second, third = study.collection.batches.all()
    study.finish(alice=[0, 1, None, 3], bob=[0, 1, 3, 0], batch=first)
    study.finish(alice=[0, 1, 2, 3], bob=[0, 1, 2, 2], batch=second)
    study.rate_all("alice", 1, third)
    decide(
        pair=second.pairs.disputed().get(),
        by=study.carol,
        save_id=uuid.uuid4(),
        exclusion_reason="not a paper",
    )
    return study


@pytest.mark.parametrize("measure", OF_GRADES.keys)
@pytest.mark.parametrize("seed", range(5))
def test_formula_ends_in_the_value_of_the_figure(measure, seed):
    random = np.random.default_rng(seed)
    first, second = random.choice(SCALE.values, size=(2, 30), p=[0.5, 0.3, 0.2, 0.0])

    last = steps(measure, first, second, SCALE)[-1]

    value = float(last.rsplit("= ", 1)[1].replace("\u2212", "-").replace(",", ""))
    registered = REGISTRY[measure]
    figure = (
        registered.function(first, second)
        if registered.raters is Raters.TWO
        else registered.function([first, second], values=SCALE.values)
    )
    assert value == pytest.approx(figure.value, abs=1e-4)


def test_facet_shows_the_values_it_summarises_and_what_is_not_yet_done(study):
    page = working(study)

    assert page.kind is SummaryKind.MEDIAN
    assert [topic.key for topic in page.topics] == ["q1_background", "q1_method"]
    assert page.comparisons == []
    assert (page.pairs, page.left_out) == (8, [])
    assert page.not_yet == [("q1_result", "4 pairs with a seat not handed in")]


def test_topic_shows_its_table_and_formula(study):
    page = working(study, topic="q1_background")

    [comparison] = page.comparisons
    assert (comparison.first, comparison.second, comparison.pairs) == ("seat 1", "seat 2", 4)
    assert comparison.table == [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
    assert comparison.figure == page.summary.figure
    assert "2 / 4" in comparison.steps[0]


def test_pairs_left_out_are_counted_with_their_reason(study):
    dropped = working(study, topic="q1_background", **{"cannot-judge": "drop"})
    after = working(study, topic="q1_method", when="after")

    assert dropped.left_out == [(1, "with a “cannot judge”, which the rule leaves out")]
    assert after.left_out == [(1, "excluded by an adjudicator")]
    assert [(comparison.first, comparison.second) for comparison in after.comparisons] == [
        ("seat 1", "gold"),
        ("seat 2", "gold"),
    ]


@pytest.mark.parametrize(
    ("rule", "left_out"),
    [
        ("lowest", [(1, "excluded by an adjudicator")]),
        ("drop", [(1, "with a “cannot judge”, which the rule leaves out")]),
        ("gaps", [(1, "excluded by an adjudicator")]),
    ],
)
def test_pair_that_nobody_could_judge_is_left_out_by_the_rule_or_by_who_excluded_it(
    study, rule, left_out
):
    """The usual way of a pair with a "cannot judge": the adjudicator excludes it."""
    first = study.collection.batches.first()
    for number, pair in enumerate(first.pairs.disputed().order_by("position")):
        cannot_judge = pair.ratings.filter(option=None).exists()
        decision = {"exclusion_reason": "garbled"} if cannot_judge else {"option": study.option(3)}
        decide(pair=pair, by=study.carol, save_id=uuid.UUID(int=number), **decision)

    page = working(study, topic="q1_background", when="after", **{"cannot-judge": rule})

    assert (page.pairs, page.left_out) == (3, left_out)


def test_gap_is_left_out_of_the_comparisons_of_its_seat_alone(study):
    page = working(study, topic="q1_background", **{"cannot-judge": "gaps"})

    assert page.left_out == [(1, "with a “cannot judge” from the comparisons of that seat")]
    assert [comparison.pairs for comparison in page.comparisons] == [3]


def test_pooled_shows_one_table_of_all_pairs(study):
    page = working(study, summary="pooled")

    [comparison] = page.comparisons
    assert comparison.pairs == page.pairs == 8
    assert comparison.figure == page.summary.figure


def test_every_comparison_of_three_raters_is_shown(three):
    page = working(three, topic=three.topics[0].external_id, measure="percent")

    assert [(comparison.first, comparison.second) for comparison in page.comparisons] == [
        ("seat 1", "seat 2"),
        ("seat 1", "seat 3"),
        ("seat 2", "seat 3"),
    ]
    assert page.summary.figure.value == pytest.approx(
        np.mean([comparison.figure.value for comparison in page.comparisons])
    )


def input_of(client, study, user, **query):
    client.force_login(user)
    address = reverse("agreement:input", args=[study.collection.slug], query=query)
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def test_input_alone_gives_the_figure_again(client, study):
    rows = input_of(client, study, study.lena)

    first, second = (
        [
            float(row["value"] or 0)
            for row in rows
            if row["seat"] == seat and row["facet"] == "method"
        ]
        for seat in "12"
    )
    figure = working(study, topic="q1_method", measure="alpha").summary.figure
    assert REGISTRY["alpha"].function(first, second) == figure
    assert {row["counts_after"] for row in rows if row["facet"] == "method"} == {"yes"}
    assert {row["counts_after"] for row in rows if row["facet"] == "background"} == {"no"}


def test_input_follows_the_filters_and_names_nobody(client, study):
    alice = pseudonym(study.collection, study.members["alice"])

    rows = input_of(client, study, study.lena, facet="method")

    assert {row["topic"] for row in rows} == {"q1_method"}
    assert {row["annotator"] for row in rows} == {
        alice,
        pseudonym(study.collection, study.members["bob"]),
    }
    assert [row["gold"] for row in rows if row["annotator"] == alice] == ["0", "1", "2", ""]
    assert rows[-1]["gold_origin"] == "excluded"


def test_page_opens_every_figure(client, study):
    client.force_login(study.lena)
    home = reverse("agreement:working", args=[study.collection.slug])

    page = client.get(home, {"measure": "kappa", "when": "before", "topic": "q1_background"})

    assertContains(page, "Cohen&#x27;s kappa, unweighted")
    assertContains(page, "One minus observed over expected disagreement")
    assertContains(page, "numpy")
    assert client.get(home, {"topic": "q9_method"}).status_code == 404
    assert client.get(home, {"measure": "best"}).status_code == 400
    assert client.get(home, {"when": "during"}).status_code == 400


def test_values_that_went_in_come_in_pages(client, study, monkeypatch):
    monkeypatch.setattr("agreement.pages.frame.AT_A_TIME", 1)
    client.force_login(study.lena)
    address = reverse("agreement:working", args=["study"])

    first, second = (client.get(address, {"page": page, "measure": "kappa"}) for page in (1, 2))

    assert [len(page.context["values"].rows) for page in (first, second)] == [1, 1]
    assert first.context["values"].rows != second.context["values"].rows
    assertContains(first, "?measure=kappa&amp;when=before&amp;page=2")
