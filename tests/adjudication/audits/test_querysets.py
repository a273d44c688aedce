"""What an adjudicator reads of audits, and may send a decision about."""

import uuid

import pytest

from adjudication.actions import decide
from adjudication.audits.actions import close_audit
from adjudication.audits.querysets import contested_entries, readable_entries, waiting_audits
from annotation.assigning.actions.assign import return_seat
from annotation.assigning.actions.batches import lock_topic
from tests.adjudication.audits import make_audit, make_audit_study
from tests.shelf import shelved


@shelved
def study(db):
    """Two topics of two agreed pairs and a disputed one; Carol and Dora adjudicate."""
    return make_audit_study(facets=("method", "result"), agreed=2, disputed=1)


@shelved
def audit(study):
    """All six pairs; of the disputed ones Carol decided one, and Dora left one out."""
    audit = make_audit(study, size=4, control_count=2, adjudicators=["carol", "dora"])
    first, second = audit.audited_pairs.filter(is_control=True)
    for audited, name, choice in [
        (first, "carol", {"option": study.option(3)}),
        (second, "dora", {"exclusion_reason": "Garbled."}),
    ]:
        by = study.members[name].user
        decide(pair=audited.pair, by=by, audit=audit, save_id=uuid.uuid4(), **choice)
    return audit


OPEN = [""] * 4


def decided_by(entries):
    """Who decided each entry, "" where nobody did."""
    names = entries.values_list("decision__adjudicator__name", flat=True)
    return sorted(name or "" for name in names)


def locked(study, audit):
    for topic in study.topics:
        lock_topic(topic=topic, by=study.lena)


def closed(study, audit):
    close_audit(audit=audit, by=study.lena)


def returned(study, audit):
    for batch in study.collection.batches.all():
        return_seat(seat=study.seat("bob", batch), by=study.lena, reason="Look again.")


@pytest.mark.parametrize(
    ("happens", "by_carol", "by_dora", "contested"),
    [
        (None, [*OPEN, "Carol"], [*OPEN, "Dora"], [*OPEN, "Carol", "Dora"]),
        (locked, ["Carol"], ["Dora"], [*OPEN, "Carol", "Dora"]),
        (closed, [], [], [*OPEN, "Carol", "Dora"]),
        (returned, [], [], []),
    ],
)
def test_entries_are_read_while_they_wait_and_by_whoever_decided_them(
    study, audit, happens, by_carol, by_dora, contested
):
    if happens:
        happens(study, audit)

    carol, dora = study.members["carol"], study.members["dora"]
    assert decided_by(readable_entries(carol)) == by_carol
    assert decided_by(readable_entries(dora)) == by_dora
    assert decided_by(contested_entries(carol)) == contested


def test_a_returned_seat_takes_the_pairs_of_its_own_batch_alone(study, audit):
    first, second = study.collection.batches.all()
    return_seat(seat=study.seat("bob", first), by=study.lena, reason="Look again.")

    entries = contested_entries(study.members["carol"])

    assert set(entries.values_list("pair", flat=True)) == set(
        second.pairs.values_list("pk", flat=True)
    )


@pytest.mark.parametrize("name", ["alice", "lena"])
def test_others_read_nothing_of_an_audit(study, audit, name):
    assert not contested_entries(study.members[name]).exists()


def test_a_rater_who_adjudicates_later_reads_nothing_of_an_audit(study, audit):
    audit.adjudicators.add(study.members["alice"])

    assert not contested_entries(study.members["alice"]).exists()


def test_open_audits_of_an_adjudicator_count_their_pairs_and_the_decided_ones(study, audit):
    assert waiting_audits(study.members["carol"]) == [
        {"public_id": audit.public_id, "name": "Audit", "pair_count": 5, "decided_count": 1}
    ]
    assert waiting_audits(study.members["alice"]) == []


def test_audits_wait_with_the_latest_first(study):
    for name in ("A", "B"):
        make_audit(study, size=1, control_count=0, name=name)

    assert [row["name"] for row in waiting_audits(study.members["carol"])] == ["B", "A"]
