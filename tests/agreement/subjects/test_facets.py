"""What facets have to do with each other, and how grades spread over them."""

import json
import uuid
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from django.core.exceptions import BadRequest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from agreement.study.selection import selection_of
from agreement.subjects.facets.figures import facets_of
from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from datasets.models import Membership
from tests.agreement.csfcube import FACETS, read_gold, read_ratings
from tests.factories.studies import Study, make_aspect_study, make_study, make_topic
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def facets(collection, name="Lena", **parameters):
    member = collection.memberships.get(name=name)
    return facets_of(selection_of(member, member.user, parameters), parameters)


def address(study, **query):
    return reverse("agreement:facets", args=[study.collection.slug], query=query)


def test_figures_of_the_sample_are_those_of_its_files(half, shared_data):
    folder = shared_data / "csfcube-half"
    gold = read_gold(folder)
    crossed = {}
    for paper in {paper for paper, _ in gold}:
        for first_facet, second_facet in combinations(FACETS, 2):
            if (paper, first_facet) in gold and (paper, second_facet) in gold:
                first, second = gold[paper, first_facet], gold[paper, second_facet]
                counts = Counter((first[key], second[key]) for key in first if key in second)
                crossed[first_facet, second_facet, paper] = counts
    both = {
        pair: sum((counts for key, counts in crossed.items() if key[:2] == pair), Counter())
        for pair in {key[:2] for key in crossed}
    }

    report = facets(half)

    assert len(report.crossed) == 8
    assert report.single == 9
    names = {facet.title(): facet for facet in FACETS}
    assert {
        (names[crossing.first], names[crossing.second], crossing.query): counted(crossing.crossed)
        for crossing in report.crossings
    } == crossed
    assert {
        tuple(crossing.key.split("-")): counted(crossing.crossed) for crossing in report.together
    } == both
    # Figure 2 in one number: what is similar at least under either facet is under both.
    whole = sum(both.values(), Counter())
    either = sum(n for grades, n in whole.items() if max(grades) >= 2)
    assert (report.whole.both.count, report.whole.both.of) == (
        sum(n for grades, n in whole.items() if min(grades) >= 2),
        either,
    )
    same = [crossing.crossed.same.value for crossing in report.crossings]
    assert same == sorted(same)

    # Grades by facet, after and before adjudication; -1 is a grade of 0.
    by_facet, rated, dropped = Counter(), Counter(), Counter()
    for facet, _, first, second, final in read_ratings(folder):
        for first_grade, second_grade, grade in zip(first, second, final, strict=True):
            for key in (facet, ""):
                by_facet[key, grade] += 1
                rated[key, max(first_grade, 0)] += 1
                rated[key, max(second_grade, 0)] += 1
                dropped[key, grade] += min(first_grade, second_grade) >= 0
    assert spread(report.gold) == by_facet
    assert spread(report.rated) == rated
    assert spread(facets(half, **{"cannot-judge": "drop"}).gold) == dropped
    of_one_query = facets(half, query="1198964", facet="method")
    pools = [gold["1198964", "method"], gold["1198964", "result"]]
    assert of_one_query.gold[-1].total == sum(len(pool) for pool in pools)


def counted(crossed):
    """{(grade, grade): documents} without zeros."""
    counts = crossed.counts
    places = np.argwhere(counts).tolist()
    return {(row, column): counts[row, column] for row, column in places}


def spread(rows):
    return {
        (row.key, grade): count for row in rows for grade, count in enumerate(row.counts) if count
    }


@shelved
def study():
    """q1 under two facets, both done; q2 under two, one with a pair to decide; q3 under one."""
    study = make_study(facets=("background", "method"), candidates=4, assign=False)
    for query_id, facet in [("q2", "background"), ("q2", "result"), ("q3", "method")]:
        study.topics.append(make_topic(study.collection, query_id, facet, candidates=2))
    batches = make_batches(collection=study.collection, by=study.lena)
    for batch in batches:
        for seat, name in zip(batch.seats.all(), ("alice", "bob"), strict=True):
            assign_seat(seat=seat, member=study.members[name], by=study.lena)
    for batch, alice, bob in zip(
        batches,
        ([0, 1, 2, 3], [0, 2, 2, 0], [0, 1], [1, 2], [2, 2]),
        ([0, 1, 2, 3], [0, 2, 2, 0], [0, 1], [1, 0], [2, 2]),
        strict=True,
    ):
        study.finish(batch, alice=alice, bob=bob)
    return study


def test_grades_of_the_first_facet_are_in_rows(study):
    [crossing] = facets(study.collection).together

    assert crossing.name == "Background and Method"
    assert crossing.crossed.counts.tolist() == [
        [1, 0, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 1, 0],
        [1, 0, 0, 0],
    ]
    assert (crossing.crossed.same.count, crossing.crossed.same.of) == (2, 4)
    assert crossing.crossed.either == 3
    assert crossing.crossed.both.count == crossing.crossed.first_alone.count == 1
    assert crossing.crossed.second_alone.count == 1


def test_relevant_is_the_upper_half_of_the_scale_unless_the_address_says_otherwise(study):
    assert facets(study.collection).relevance.in_words == "a grade of 2 or more"
    assert facets(study.collection, relevant="1").together[0].crossed.either == 3
    assert facets(study.collection, relevant="3").together[0].crossed.either == 1
    assert facets(make_aspect_study().collection).relevance.name == "1"
    for wrong in ("0", "4", "high"):
        with pytest.raises(BadRequest, match="relevant is "):
            facets(study.collection, relevant=wrong)


def test_query_counts_once_neither_facet_has_a_pair_to_decide(client, study):
    report = facets(study.collection)

    assert [(crossing.query, crossing.not_yet) for crossing in report.crossings] == [
        ("q1", []),
        ("q2", ["Result: 1 pair to decide"]),
    ]
    assert report.single == 1
    assert [topic.key for topic in report.done.not_yet] == ["q2_result"]
    # Nothing of its two pairs, one of which is agreed, but all four ratings.
    assert (report.gold[-1].total, report.rated[-1].total) == (12, 28)
    client.force_login(study.lena)
    assertContains(client.get(address(study)), "not yet: Result: 1 pair to decide")

    pair = study.topics[3].pairs.disputed().get()
    decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(2))

    assert [crossing.name for crossing in facets(study.collection).together] == [
        "Background and Method",
        "Background and Result",
    ]
    assertNotContains(client.get(address(study)), "not yet:")


def test_facet_and_query_choose_what_is_held_against_each_other(study):
    assert [crossing.query for crossing in facets(study.collection, facet="result").crossings] == [
        "q2"
    ]
    assert [crossing.query for crossing in facets(study.collection, query="q1").crossings] == ["q1"]
    assert facets(study.collection, query="q3").crossings == []


def test_one_batch_alone_has_nothing_to_be_held_against(client, study):
    client.force_login(study.lena)

    page = client.get(address(study, batch=str(study.batch.public_id)))

    assertContains(page, "None of the chosen pairs are of a query judged under two facets")
    assert facets(study.collection, batch=str(study.batch.public_id)).gold[-1].total == 4


def test_excluded_pairs_and_those_that_the_rule_drops_are_reported(client):
    study = make_study(facets=("background", "method"), candidates=3)
    first, second = study.collection.batches.all()
    study.finish(first, alice=[0, 1, None], bob=[0, 1, 2])
    study.finish(second, alice=[0, 1, 2], bob=[0, 1, 3])
    for batch, choice in [
        (first, {"option": study.option(2)}),
        (second, {"exclusion_reason": "not a paper"}),
    ]:
        pair = batch.pairs.disputed().get()
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), **choice)

    lowest = facets(study.collection)
    dropped = facets(study.collection, **{"cannot-judge": "drop"})

    assert (lowest.done.excluded, lowest.done.dropped) == (1, 0)
    assert (dropped.done.excluded, dropped.done.dropped) == (1, 1)
    assert lowest.gold[-1].counts == (2, 2, 1, 0)
    assert dropped.gold[-1].counts == (2, 2, 0, 0)
    assert lowest.rated[0].counts == (3, 2, 1, 0)
    assert dropped.rated[0].counts == (2, 2, 0, 0)
    assert lowest.together[0].crossed.shared == 2
    client.force_login(study.lena)
    assertContains(client.get(address(study)), "1 pair that the adjudicator excluded is left out.")


def test_aspects_are_told_apart_by_level(client):
    study = make_aspect_study()
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[0, 1, 2], bob=[0, 1, 2], erin=[0, 1, 2])

    report = facets(study.collection)

    # Two aspects, "1" under one of them, "2" under both.
    assert [(row.name, row.counts) for row in report.gold] == [
        ("Aspects", (2, 2, 2)),
        ("Sub-aspects", (2, 2, 2)),
        ("All", (4, 4, 4)),
    ]
    assert report.rated[-1].counts == (12, 12, 12)
    client.force_login(study.lena)
    page = client.get(address(study))
    assertContains(page, "no facets to compare")
    assertNotContains(page, "By query")


def test_text_that_is_an_aspect_here_and_a_sub_aspect_there_is_of_both_levels():
    study = make_aspect_study(query={"tree": {"0": ["1"], "1": []}})

    assert [row.name for row in facets(study.collection).gold] == [
        "Aspects",
        "Both, by place",
        "All",
    ]


def test_collection_without_ratings_says_so(client):
    study = make_study(assign=False)
    client.force_login(study.lena)

    page = client.get(address(study))

    assertContains(page, "No grades yet")
    assertContains(page, "Nothing is of a query judged under two facets")


def test_lead_with_an_open_seat_learns_nothing_of_that_facet(client, study):
    """Alice leads as well; q1's second facet is open again, and she holds a seat there."""
    Membership.objects.filter(pk=study.members["alice"].pk).update(is_lead=True)
    other = Study(study.collection, [make_topic(study.collection, "q3", "result", 2)])
    other.members = study.members
    [batch] = make_batches(collection=study.collection, by=study.lena)
    for seat, name in zip(batch.seats.all(), ("alice", "bob"), strict=True):
        assign_seat(seat=seat, member=study.members[name], by=study.lena)
    study.finish(batch, bob=[3, 3])

    report = facets(study.collection, name="Alice")

    withheld = "left out while you hold or held a seat and the batch is unfinished"
    assert report.crossings[-1].not_yet == [f"Result: {withheld}"]
    assert report.gold == facets(study.collection).gold
    assert report.rated == facets(study.collection).rated
    client.force_login(study.alice)
    assertContains(client.get(address(study)), f"not yet: Result: {withheld}")

    study.finish(batch, alice=[3, 3])

    assert report.rated != facets(study.collection, name="Alice").rated


def test_files_have_every_query_with_its_grades(client, study):
    client.force_login(study.lena)

    file = client.get(
        reverse("agreement:table", args=["study", "facets", "queries", "json"])
    ).content.decode()

    first, second = json.loads(file)["rows"]
    assert (first["query"], first["facets"], first["shared"]) == ("q1", "Background and Method", 4)
    assert (first["grades_3_0"], first["grades_0_3"]) == (1, 0)
    assert (second["shared"], second["not_yet"]) == (None, "Result: 1 pair to decide")
