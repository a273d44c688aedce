"""Members see figures of a closed collection, and nobody sees any before."""

import re
from statistics import fmean

import numpy as np
import pytest
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from adjudication.actions import decide
from agreement.subjects.overview import closed as of_report
from agreement.subjects.overview.closed import closed_of
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import lock_topic, make_batches, unlock_topic
from annotation.closing import is_closed
from annotation.models import Pair
from tests.agreement.csfcube import read_ratings
from tests.factories.studies import (
    assign_all,
    make_document,
    make_member,
    make_study,
    make_topic,
    make_user,
)
from tests.shelf import shelved

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# Ten pairs of each query: six alike, four different.
FIRST = [0, 1, 2, 3, 0, 1, 0, 0, 1, 2]
SECOND = [0, 1, 2, 3, 0, 1, 1, 2, 3, 3]
ALIKE = [0, 1, 2, 3, 0, 1, 0, 0, 1, 2]


def study_of(queries, *, facets=None, raters=None, second=SECOND):
    """Ten pairs per query; `facets` names the facet of each, `raters` the two who rate it."""
    facets = facets or ["method"] * queries
    raters = raters or [("alice", "bob"), ("bob", "erin"), ("erin", "alice")] * queries
    study = make_study(facets=(facets[0],), candidates=10, assign=False)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    for number, facet in enumerate(facets[1:], start=2):
        make_topic(study.collection, query_id=f"q{number}", facet=facet, candidates=10)
    batches = make_batches(collection=study.collection, by=study.lena)
    for batch, (first_rater, second_rater) in zip(batches, raters, strict=False):
        assign_all(study, [batch], [first_rater, second_rater])
        study.finish(batch, **{first_rater: FIRST, second_rater: second})
    for pair in Pair.objects.filter(state="disputed"):
        decide(
            pair=pair, by=study.carol, save_id=pair.public_id, option=study.option(1), rationale="x"
        )
    return study


def lock_all(study):
    for topic in study.collection.topics.all():
        lock_topic(topic=topic, by=study.lena)


def home_of(study):
    return reverse("agreement:closed", args=[study.collection.slug])


def seen_by(client, study, name):
    client.force_login(getattr(study, name))
    return client.get(home_of(study))


def shown(study, viewer="alice"):
    report = closed_of(study.collection, viewer=getattr(study, viewer))
    return [row.name for row in report.rows if row.figures]


MEMBERS = ["alice", "bob", "carol", "lena"]


@shelved
def study():
    return study_of(4)


# --- when ----------------------------------------------------------------------------------------


def test_no_such_page_before_the_last_topic_is_locked(client, study):
    *others, last = study.collection.topics.all()
    for topic in others:
        lock_topic(topic=topic, by=study.lena)

    assert [seen_by(client, study, name).status_code for name in MEMBERS] == [404] * 4
    for name in ("alice", "carol"):
        client.force_login(getattr(study, name))
        assertNotContains(client.get(reverse("home")), home_of(study))
        queue = client.get(reverse("adjudication:queue", args=["study"]))
        assert home_of(study) not in queue.content.decode()

    lock_topic(topic=last, by=study.lena)

    assert [seen_by(client, study, name).status_code for name in MEMBERS] == [200] * 4
    client.force_login(study.alice)
    assertContains(client.get(reverse("home")), home_of(study))
    client.force_login(study.carol)
    assertContains(client.get(reverse("home")), home_of(study))
    assertContains(client.get(reverse("adjudication:queue", args=["study"])), home_of(study))


def test_page_goes_when_a_topic_is_unlocked_and_a_seat_returned(client, study):
    lock_all(study)
    topic = study.collection.topics.first()
    seat = study.batch.seats.first()

    unlock_topic(topic=topic, by=study.lena, reason="a pair is wrong")
    assert seen_by(client, study, "alice").status_code == 404
    return_seat(seat=seat, by=study.lena, reason="look again")
    assert seen_by(client, study, "alice").status_code == 404
    study.hand_in("alice", study.batch)
    assert seen_by(client, study, "alice").status_code == 404
    lock_topic(topic=topic, by=study.lena)
    assert seen_by(client, study, "alice").status_code == 200


def test_collection_without_pairs_is_not_closed():
    assert not is_closed(make_study(candidates=0, assign=False).collection)


def test_pairs_that_came_into_a_locked_topic_open_the_collection(client, study):
    lock_all(study)
    topic = study.collection.topics.first()
    Pair.objects.create(topic=topic, document=make_document(study.collection, "late"), position=99)

    assert seen_by(client, study, "alice").status_code == 404


def test_open_seat_alone_keeps_a_collection_open(study):
    """The actions never let it come to this; the page does not rest on it."""
    lock_all(study)
    assert is_closed(study.collection)

    study.batch.seats.filter(ordinal=1).update(handed_in_at=None)

    assert not is_closed(study.collection)


def test_what_is_read_while_it_is_opened_again_is_not_told(study, monkeypatch):
    lock_all(study)
    read = of_report.read_ratings_of

    def opened_meanwhile(*args, **kwargs):
        ratings = read(*args, **kwargs)
        topic = study.collection.topics.first()
        unlock_topic(topic=topic, by=study.lena, reason="meanwhile")
        return ratings

    monkeypatch.setattr(of_report, "read_ratings_of", opened_meanwhile)

    assert closed_of(study.collection, viewer=study.alice) is None


def test_strangers_removed_members_and_the_signed_out_find_nothing(client, study):
    lock_all(study)

    client.force_login(make_user("Dave"))
    assert client.get(home_of(study)).status_code == 404
    study.members["bob"].removed_at = "2026-01-01T00:00Z"
    study.members["bob"].save()
    assert seen_by(client, study, "bob").status_code == 404
    client.logout()
    assert client.get(home_of(study)).status_code == 302


def test_post_is_refused(client, study):
    lock_all(study)
    client.force_login(study.alice)

    assert client.post(home_of(study)).status_code == 405


# --- what ----------------------------------------------------------------------------------------


def test_row_with_three_people_and_enough_pairs_is_shown(study):
    lock_all(study)

    assert shown(study) == ["Method", "All"]


def test_figures_are_means_over_queries(half, shared_data):
    """Independent of the product: percent agreement from the files, -1 is a grade of 0."""
    for topic in half.topics.all():
        lock_topic(topic=topic, by=half.memberships.get(name="Lena").user)
    expected = {}
    for facet, _, first, second, _ in read_ratings(shared_data / "csfcube-half"):
        same = np.maximum(first, 0) == np.maximum(second, 0)
        expected.setdefault(facet, []).append(100 * float(np.mean(same)))

    report = closed_of(half, viewer=half.memberships.get(name="Lena").user)

    rows = {row.figures.key: row.figures for row in report.rows if row.figures}
    assert set(rows) == {*expected, ""}
    for facet, values in expected.items():
        value = rows[facet].before.measures["percent"].figure.value
        assert value == pytest.approx(fmean(values), abs=1e-9)
        assert rows[facet].before.topics == len(values)


def test_two_people_are_told_nothing():
    """Either of them would read the other's agreement with themselves."""
    study = study_of(6, raters=[("alice", "bob")] * 6)
    lock_all(study)

    assert shown(study) == []


def test_third_person_with_few_pairs_changes_nothing(monkeypatch):
    """One query in six is neither 20 pairs nor a quarter of them."""
    study = study_of(6, raters=[("alice", "bob")] * 5 + [("bob", "erin")])
    lock_all(study)

    assert shown(study) == []
    monkeypatch.setattr(of_report, "LEAST_PAIRS", 10)
    assert shown(study) == []
    monkeypatch.setattr(of_report, "LEAST_SHARE", 6)
    assert shown(study) == ["Method", "All"]


def test_one_or_two_queries_are_not_shown(monkeypatch):
    study = study_of(2)
    lock_all(study)

    monkeypatch.setattr(of_report, "LEAST_PAIRS", 10)
    assert shown(study) == []
    monkeypatch.setattr(of_report, "LEAST_QUERIES", 2)
    assert shown(study) == ["Method", "All"]


def test_pairs_all_alike_are_not_shown():
    study = study_of(4, second=ALIKE)
    lock_all(study)

    assert shown(study) == []


def test_whole_is_not_shown_where_it_would_tell_what_is_left_out():
    """Of the second facet there is one query, which the first taken from all would leave."""
    study = study_of(5, facets=["method"] * 4 + ["result"])
    lock_all(study)

    assert shown(study) == ["Method"]


def test_three_raters_of_every_pair_are_enough():
    study = make_study(candidates=10, assign=False, slug="three", overlap=3)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    for number in (2, 3):
        make_topic(study.collection, query_id=f"q{number}", candidates=10)
    for batch in make_batches(collection=study.collection, by=study.lena):
        assign_all(study, [batch], ["alice", "bob", "erin"])
        study.finish(batch, alice=FIRST, bob=SECOND, erin=SECOND)
    for pair in Pair.objects.filter(state="disputed", topic__collection=study.collection):
        decide(
            pair=pair, by=study.carol, save_id=pair.public_id, option=study.option(1), rationale="x"
        )
    lock_all(study)

    assert shown(study) == ["Method", "All"]


def test_page_has_nothing_but_the_aggregate(client, study):
    lock_all(study)

    page = seen_by(client, study, "alice")
    text = page.content.decode()
    main = text[text.index("<main") :]

    assertContains(page, "Agreement by facet")
    names = [topic.external_id for topic in study.collection.topics.all()]
    names += [f"q{number}" for number in (1, 2, 3, 4)]
    for name in [*names, "Bob", "Erin", "Carol", "Lena", "Title of", "A-", "download"]:
        assert name not in main, name
    links = re.findall(r'href="([^"]+)"', main)
    assert [link for link in links if "agreement" in link and link != home_of(study)] == []
    assert "<form" not in main
    # 60 percent for each query: a whole number, and no interval.
    assert ">60</td>" in main
    assert "interval" not in main


def test_parameters_change_nothing(client, study):
    lock_all(study)
    client.force_login(study.alice)

    def main(query):
        text = client.get(home_of(study), query).content.decode()
        return text[text.index("<main") :]

    plain = main({})
    for query in ({"query": "q1"}, {"annotator": "A-1"}, {"facet": "method", "summary": "median"}):
        assert main(query) == plain


def test_lead_pages_stay_closed_to_members(client, study):
    lock_all(study)
    client.force_login(study.alice)

    for name in ("agreement", "queries", "annotators", "time", "disagreements", "working", "input"):
        assert client.get(reverse(f"agreement:{name}", args=["study"])).status_code == 403
