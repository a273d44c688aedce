import uuid
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from adjudication import actions, walk
from adjudication.actions import take_topic
from adjudication.kinds import Alike
from adjudication.models import TopicHold
from adjudication.sequence import UNSTATED, Dispute, Raters, Sequence, gap_between
from adjudication.walk import disputes_of, raters_of
from annotation.assigning.actions.batches import make_batches
from annotation.models import Pair
from tests.adjudication.conftest import hide_ratings
from tests.factories.studies import assign_all, make_member, make_study
from tests.shelf import shelved

GRADES = tuple(Decimal(value) for value in range(4))


def dispute(*values, cause="", facet="method", grades=GRADES):
    answers = {
        rater: None if value is None else Decimal(value) for rater, value in enumerate(values)
    }
    return Dispute(facet=facet, answers=answers, values=grades, cause=cause)


# --- kinds ---


@pytest.mark.parametrize(
    ("values", "boundaries"),
    [
        ((0, 1), ["0,1"]),
        ((2, 0), ["0,1", "1,2"]),
        ((3, 2, None), ["2,3"]),
        ((1, 1), []),
        ((None, None), []),
    ],
)
def test_a_boundary_lies_between_the_lowest_and_the_highest_rating(values, boundaries):
    assert dispute(*values).boundaries == boundaries


def test_grades_without_order_have_no_boundary():
    assert dispute(0, 3, grades=()).boundaries == []


def test_two_raters_part_where_their_answers_differ():
    assert dispute(0, 0, None).part(0, 2)
    assert not dispute(0, 0, None).part(0, 1)
    assert not dispute(0, 1).part(0, 7)


def test_disputes_of_the_same_answers_are_counted_once_for_all_of_them():
    again = dispute(0, None)
    others = [dispute(None, 0), dispute(0, None, facet="result"), dispute(0, None, cause="slip")]

    alike = Alike.of([again, *others, dispute(0, None)])

    assert [(group.dispute, group.count) for group in alike] == [
        (again, 2),
        *((other, 1) for other in others),
    ]


def test_a_sequence_reads_its_address_back():
    sequence = Sequence(facet="method", boundary="0,1", raters="a-b")

    assert sequence.address == "walk=queue&facet=method&boundary=0%2C1&raters=a-b"
    given = {"walk": "queue", "facet": "method", "boundary": "0,1", "raters": "a-b", "show": "one"}
    assert Sequence.read(given, hides_ratings=False) == sequence
    assert Sequence.read({"facet": "method"}, hides_ratings=False) is None


def test_hidden_ratings_limit_no_sequence():
    given = {"walk": "queue", "facet": "method", "boundary": "0,1", "raters": "a-b"}

    assert Sequence.read(given, hides_ratings=True) == Sequence(facet="method")


def raters(count):
    members = [SimpleNamespace(pk=pk, public_id=f"id-{pk}") for pk in range(count)]
    return Raters(SimpleNamespace(pseudonym_key="0f" * 16), members)


def test_letters_begin_again_with_a_number_when_they_are_used_up():
    many = raters(32)

    assert (
        "".join(map(many.letter, many.keys))
        == "".join(letter + again for again in ("", "2") for letter in "KLMNPQRSTUVWXYZ") + "K3L3"
    )


def test_letters_say_nothing_of_the_order_in_which_raters_joined():
    keys = raters(12).keys

    assert list(keys.values()) == sorted(keys.values())
    assert list(keys) != sorted(keys)


def test_two_raters_have_one_key_and_one_name_in_either_order():
    three = raters(3)
    first, second, third = three.keys

    assert three.key_of(first, third) == three.key_of(third, first)
    assert three.name_of(third, first) == three.name_of(first, third) == "K and M"
    assert sorted(three.two(three.key_of(second, first))) == sorted([first, second])
    assert three.two(three.keys[first]) is None
    assert three.two(f"{three.keys[first]}-elsewhere") is None
    assert three.two("") is None


@pytest.mark.parametrize(
    ("limits", "holds"),
    [
        ({}, True),
        ({"facet": "method"}, True),
        ({"facet": "background"}, False),
        ({"boundary": "1,2"}, True),
        ({"boundary": "2,3"}, False),
        ({"cause": "granularity"}, False),
        ({"facet": "method", "boundary": "2,3"}, False),
        ({"raters": "nobody"}, False),
    ],
)
def test_sequence_holds_what_all_its_limits_allow(limits, holds):
    sequence = Sequence(**limits)

    assert sequence.holds(dispute(0, 2), raters(2)) is holds
    assert sequence.is_of_decided is ("cause" in limits)


def test_sequence_of_two_raters_holds_pairs_on_which_they_part():
    three = raters(3)
    key = three.key_of(0, 1)

    assert Sequence(raters=key).holds(dispute(0, 2, 2), three)
    assert not Sequence(raters=key).holds(dispute(2, 2, 0), three)


def test_sequence_of_a_cause_holds_decisions_that_name_it():
    assert Sequence(cause="granularity").holds(dispute(0, 1, cause="granularity"), raters(2))
    assert not Sequence(cause="granularity").holds(dispute(0, 1, cause=UNSTATED), raters(2))


def test_gap_of_a_dispute_is_between_its_lowest_and_highest_value():
    scale = SimpleNamespace(is_ordinal=True, steps=lambda low, high: int(high - low))

    assert gap_between(dispute(3, 1, 1), scale).words == "Two grades apart"
    assert gap_between(dispute(3, None, 1), scale).words == "One cannot judge"
    assert gap_between(dispute(None, None), scale).words == "Nobody can judge"


# --- pages ---


@shelved
def study(db):
    """Two facets of three pairs each: 0 and 3, 1 and 2, and agreed on 2."""
    study = make_study(facets=["background", "method"])
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 1, 2], bob=[3, 2, 2], batch=batch)
    return study


def address(name="sequence", **kind):
    return reverse(f"adjudication:{name}", args=["study"], query={"walk": "queue", **kind})


def place_address(pair, **kind):
    query = {"walk": "queue", **kind}
    return reverse("adjudication:decide-pair", args=[pair.public_id], query=query)


def decide(client, at, **fields):
    return client.post(at, {"option": "similar", "save_id": uuid.uuid4(), **fields})


def widest_of(study, facet):
    """The pair that was rated 0 and 3."""
    return Pair.objects.filter(topic__facet=facet, topic__collection=study.collection)[0]


def test_a_facet_is_taken_in_sequence(carol, study):
    first = place_address(widest_of(study, "method"), facet="method")

    assertRedirects(carol.get(address(facet="method")), first)
    strip = carol.get(first).context["strip"]

    assert [place.pair.topic.facet for place in strip.places] == ["method", "method"]
    assert strip.in_words == "Method"
    assertRedirects(decide(carol, first, reason="Why."), strip.address_of(strip.next))


def test_a_boundary_leads_through_all_topics_and_ends_with_its_last_pair(carol, study):
    at = carol.get(address(boundary="2,3")).url
    assert at == place_address(widest_of(study, "background"), boundary="2,3")

    at = decide(carol, at, reason="Why.").url
    assert at == place_address(widest_of(study, "method"), boundary="2,3")
    ended = carol.get(decide(carol, at, reason="Why.").url, follow=True)

    assert ended.redirect_chain[-1][0] == address("queue", boundary="2,3")
    assertContains(ended, "Nothing of this kind waits for a decision now.")


def test_a_distance_is_taken_through_all_topics(carol, study):
    strip = carol.get(carol.get(address(show="one")).url).context["strip"]

    assert [place.pair.topic.facet for place in strip.matching] == ["background", "method"]
    assert len(strip.places) == 4


def test_a_cause_leads_through_ones_own_decisions_again(carol, study):
    causes = [study.scheme.current.wording["causes"][0]["key"], ""]
    pairs = [widest_of(study, facet) for facet in ("background", "method")]
    for pair, cause in zip(pairs, causes, strict=True):
        decide(carol, place_address(pair), reason="Why.", cause=cause)

    assertContains(carol.get(address("queue")), "Your decisions by cause")
    assertRedirects(carol.get(address(cause=causes[0])), place_address(pairs[0], cause=causes[0]))
    assertRedirects(carol.get(address(cause=UNSTATED)), place_address(pairs[1], cause=UNSTATED))


def test_the_queue_counts_each_kind_of_what_waits(carol, study):
    lists = {known.label: known for known in carol.get(address("queue")).context["lists"]}

    counted = {
        label: [(kind.words, kind.count) for kind in known.kinds] for label, known in lists.items()
    }
    assert counted == {
        "Facet": [("Background", 2), ("Method", 2)],
        "Boundary": [("0 | 1", 2), ("1 | 2", 4), ("2 | 3", 2)],
        "Distance": [("1 apart", 2), ("2 or more", 2)],
    }


@shelved
def of_three(db):
    """Alice 0, Bob 0, Erin 3."""
    study = make_study(overlap=3, candidates=1, assign=False)
    study.members["erin"] = make_member(study.collection, "Erin", "annotator")
    batches = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, batches, ["alice", "bob", "erin"])
    study.finish(alice=0, bob=0, erin=3)
    return study


def test_raters_who_part_are_letters_and_never_names(client, of_three):
    client.force_login(of_three.carol)

    response = client.get(address("queue"))

    [raters] = [known for known in response.context["lists"] if known.name == "raters"]
    assert [kind.count for kind in raters.kinds] == [1, 1]
    two = {of_three.members[name].pk for name in ("alice", "bob")}
    keys = raters_of(of_three.collection).keys
    alike = "-".join(sorted(keys[pk] for pk in two))
    assert alike not in {kind.key for kind in raters.kinds}
    names = {member.name for member in of_three.members.values() if member.is_annotator}
    assert names == {"Alice", "Bob", "Erin"}
    for name in names:
        assertNotContains(response, name)
        assertNotContains(response, str(of_three.members[name.lower()].public_id))
    at = client.get(address(raters=raters.kinds[0].key)).url
    assert client.get(at).context["strip"].in_words == f"raters {raters.kinds[0].words}"
    assertRedirects(client.get(address(raters=alike)), address("queue", raters=alike))


def test_letters_stay_when_somebody_joins(of_three):
    members = [of_three.members[name] for name in ("alice", "bob", "erin")]

    before, after = (Raters(of_three.collection, some) for some in (members, members[::-1]))

    assert before.keys == after.keys
    assert {before.letter(member.pk) for member in members} == {"K", "L", "M"}


def test_hidden_ratings_leave_the_facet_alone_to_choose(carol, study):
    hide_ratings(study)

    lists = carol.get(address("queue")).context["lists"]

    assert [known.name for known in lists] == ["facet"]
    strip = carol.get(carol.get(address(boundary="2,3")).url).context["strip"]
    assert (len(strip.places), strip.filters) == (4, [])


def test_a_topic_that_somebody_else_has_open_is_passed_over(carol, study):
    dora = make_member(study.collection, "Dora", "adjudicator").user
    take_topic(topic=study.topics[0], by=dora)

    def facets():
        return {known.facet for known in disputes_of(study.members["carol"], study.scheme)}

    assert facets() == {"method"}
    TopicHold.objects.update(until=timezone.now() + timedelta(days=1))  # by a clock that was ahead
    assert facets() == {"background", "method"}


def test_a_long_row_lists_the_pairs_around_the_one_in_view(carol, study, monkeypatch):
    monkeypatch.setattr("adjudication.strip.LISTED", 2)
    last = carol.get(address()).url
    for _ in range(2):
        last = carol.get(last).context["following_address"]

    strip = carol.get(last).context["strip"]

    assert [place.number for place in strip.listed] == [3, 4]
    assert len(strip.places) == 4


def test_disputes_are_counted_without_an_object_of_each(study, monkeypatch):
    monkeypatch.setattr(Pair, "from_db", None)

    assert len(disputes_of(study.members["carol"], study.scheme)) == 4


def test_a_decision_that_is_reopened_while_causes_are_read_waits(study, monkeypatch):
    pair = study.batch.pairs.disputed().first()
    option = study.option(1)
    save = {"save_id": uuid.uuid4(), "rationale": "The method differs."}
    actions.decide(pair=pair, by=study.carol, option=option, **save)
    monkeypatch.setattr(walk, "_causes", lambda pairs: {})

    assert all(known.waits for known in disputes_of(study.members["carol"], study.scheme))


@pytest.mark.parametrize("count", [2, 12])
def test_a_pair_in_sequence_takes_the_same_number_of_statements(
    client, db, django_assert_num_queries, count
):
    study = make_study(candidates=count)
    study.finish(alice=0, bob=3)
    client.force_login(study.carol)
    at = client.get(address(facet="method")).url

    with django_assert_num_queries(16):
        client.get(at)
