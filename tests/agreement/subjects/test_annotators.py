"""The figures of each annotator."""

import json
import uuid
from collections import defaultdict
from statistics import fmean

import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from agreement.statistics import CannotJudge, binomial_interval
from agreement.statistics.two_raters import spearman_rho
from agreement.study.ratings import read_ratings_of
from agreement.study.selection import selection_of
from agreement.subjects.annotators.figures import annotators_of
from agreement.subjects.annotators.tables import makers_of
from annotation.assigning.actions.assign import assign_seat
from annotation.models import Rating
from datasets.models import Membership
from datasets.pseudonyms import pseudonym
from tests.agreement.csfcube import FACETS
from tests.factories.studies import make_member, make_study

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def report_and_people(collection):
    """The report, and {name: annotator}."""
    names = dict(Membership.objects.filter(collection=collection).values_list("pk", "name"))
    ratings = read_ratings_of(collection, viewer=None)
    report = annotators_of(ratings, CannotJudge.LOWEST, measure="rho", people=names)
    return report, {names[annotator.pk]: annotator for annotator in report.people}


def read_pairs(folder):
    """(paper and facet, {person: grade}, gold) of every pair, from the files alone."""
    for facet in FACETS:
        path = folder / f"test-pid2anns-csfcube-{facet}.json"
        for lists in json.loads(path.read_text(encoding="utf-8")).values():
            first, second = (key for key in lists if key.startswith("relevance_ann"))
            for first_grade, second_grade, gold in zip(
                lists[first], lists[second], lists["relevance_adju"], strict=True
            ):
                yield {first[-1]: first_grade, second[-1]: second_grade}, gold


def test_people_of_the_sample_have_the_figures_of_its_files(half, shared_data):
    differences, upheld, skips, lists = (defaultdict(list) for _ in range(4))
    for grades, gold in read_pairs(shared_data / "csfcube-half"):
        counted = {person: max(grade, 0) for person, grade in grades.items()}
        for person, other in (tuple(counted), tuple(counted)[::-1]):
            differences[person].append(counted[person] - counted[other])
            skips[person].append(grades[person] == -1)
            lists[person, other].append((counted[person], counted[other]))
            if counted[person] != counted[other]:
                upheld[person].append(gold == counted[person])

    report, people = report_and_people(half)

    assert set(people) == {f"Annotator {person}" for person in differences}
    for person, values in differences.items():
        annotator = people[f"Annotator {person}"]
        assert (annotator.answers, annotator.shared, annotator.flags) == (
            len(values),
            len(values),
            0,
        )
        assert annotator.leniency == pytest.approx(fmean(values), abs=1e-9)
        assert (annotator.upheld.upheld, annotator.upheld.pairs) == (
            sum(upheld[person]),
            len(upheld[person]),
        )
        assert annotator.upheld.interval == binomial_interval(
            sum(upheld[person]), len(upheld[person])
        )
        assert annotator.skips == sum(skips[person])
        assert annotator.times is None
        assert annotator.no_drift == "all ratings carry one time"
    for (person, other), pairs in lists.items():
        two = report.matrix[people[f"Annotator {person}"].pk, people[f"Annotator {other}"].pk]
        expected = spearman_rho(*zip(*pairs, strict=True))
        assert two.pairs == len(pairs)
        assert two.figure.value == pytest.approx(expected.value, abs=1e-9)
    assert len(report.matrix) == len(lists)


def test_times_skips_and_flags_are_of_all_answers_so_far():
    study = make_study(candidates=5)
    for pair, seconds in zip(study.batch.pairs.all(), (10, 20, 30, 40, 0), strict=True):
        study.rate("alice", pair, 1, active_seconds=seconds, is_flagged=seconds == 10)
    study.rate("bob", study.batch.pairs.first(), None)

    _, people = report_and_people(study.collection)

    assert (people["Alice"].times.ratings, people["Alice"].times.median) == (4, 25)
    assert (people["Alice"].times.lower, people["Alice"].times.upper) == (17.5, 32.5)
    assert (people["Alice"].flags, people["Alice"].skips) == (1, 0)
    assert (people["Bob"].flags, people["Bob"].skips, people["Bob"].times) == (0, 1, None)
    # Nothing is compared before every seat is handed in.
    assert (people["Alice"].shared, people["Alice"].leniency) == (0, None)


def test_leniency_is_against_the_mean_of_all_others(three):
    _, people = report_and_people(three.collection)

    # Alice 0 1 2 0, Bob 0 1 0 1, Erin 0 2 2 2.
    assert people["Alice"].leniency == pytest.approx((0 - 0.5 + 1 - 1.5) / 4)
    assert people["Erin"].leniency == pytest.approx((0 + 1 + 1 + 1.5) / 4)


def test_drift_follows_the_order_in_which_a_person_rated():
    """Alice agrees in the first half of her ratings and differs in the second, from the last pair
    to the first."""
    study = make_study(candidates=60)
    study.finish(alice=[1] * 30 + [0] * 30, bob=[0] * 60)
    for minutes, rating in enumerate(
        Rating.objects.filter(annotator=study.members["alice"]).order_by("-pair__position")
    ):
        Rating.objects.filter(pk=rating.pk).update(
            created_at=f"2026-01-01T{10 + minutes // 60:02}:{minutes % 60:02}:00Z"
        )
    # Gold by consensus exists for half of the pairs only; the rest are disputed.
    _, people = report_and_people(study.collection)
    assert people["Alice"].no_drift == "fewer than 50 ratings with gold"

    for pair in study.batch.pairs.disputed():
        decide(pair=pair, by=study.carol, save_id=uuid.uuid4(), option=study.option(0))
    _, people = report_and_people(study.collection)

    assert [tenth.share for tenth in people["Alice"].tenths] == [1.0] * 5 + [0.0] * 5
    assert [tenth.ratings for tenth in people["Alice"].tenths] == [6] * 10


def test_reassigned_seat_leaves_ratings_with_their_author():
    study = make_study(candidates=2)
    study.rate("alice", study.batch.pairs.first(), 3)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    assign_seat(
        seat=study.seat("alice"), member=study.members["erin"], by=study.lena, reason="She left."
    )
    study.rate("erin", study.batch.pairs.last(), 0)
    study.hand_in("erin")
    study.finish(bob=[1, 1])

    report, people = report_and_people(study.collection)

    assert {name: annotator.leniency for name, annotator in people.items()} == {
        "Alice": 2,
        "Bob": pytest.approx((-2 + 1) / 2),
        "Erin": -1,
    }
    assert report.matrix[people["Alice"].pk, people["Bob"].pk].pairs == 1


def test_leniency_says_on_how_many_pairs_it_rests():
    study = make_study(candidates=3)
    study.finish(alice=[1, 1, None], bob=[2, None, None])
    selection = selection_of(study.members["lena"], study.lena, {"cannot-judge": "drop"})

    table = makers_of(selection, {})["people"]()

    assert [beside.below["leniency"] for beside in table.beside] == ["1 pair", "1 pair"]
    assert sorted(table.cells("leniency")) == [-1, 1]


def test_page_has_names_and_its_download_pseudonyms(client):
    study = make_study()
    study.finish(alice=[0, 1, 2], bob=[0, 1, 1])
    client.force_login(study.lena)

    page = client.get(reverse("agreement:annotators", args=[study.collection.slug]))
    download = client.get(reverse("agreement:input", args=[study.collection.slug]))

    assertContains(page, "Alice")
    assertNotContains(download, "Alice")
    assertContains(download, pseudonym(study.collection, study.members["alice"]))
