from contextlib import contextmanager

import pytest
from django.db import connections
from django.utils import timezone

from annotation.assigning.actions.assign import assign_seat, return_seat
from annotation.assigning.actions.batches import raise_overlap
from annotation.assigning.actions.waive import waive_reading
from annotation.models import MachineRun, MachineScore, Rating, Tenure
from datasets.actions import set_roles
from datasets.models import Import, Membership
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from evaluation.sources.choices import source_named
from releases.reading import people, read_study
from tests.factories.definitions import add_binary
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_member
from tests.shelf import shelved


@shelved
def reopened(finished):
    """Bob's seat came back to him, so the batch is unfinished; Alice, who has the other one, leads
    by now. The decisions stand, and their gold with them."""
    set_roles(membership=finished.members["alice"], by=finished.lena, roles=["annotator", "lead"])
    return_seat(seat=finished.seat("bob"), by=finished.lena, reason="look again")
    return finished


def golds(study, by):
    content = read_study(study.collection.pk, using="default", by=by)
    return [(pair.value, pair.state) for topic in content.topics for pair in topic.pairs]


def test_gold_of_a_batch_in_which_a_lead_still_rates_is_not_read_for_them(reopened):
    assert golds(reopened, by=reopened.alice) == []
    content = read_study(reopened.collection.pk, using="default", by=reopened.alice)
    assert (content.withheld_batches, content.batches, content.answered) == (1, [], [])


def test_answers_stand_in_the_order_of_the_seats_whoever_rated_first(study):
    study.rate_all("bob", 1)
    study.rate_all("alice", 2)

    [topic] = read_study(study.collection.pk, using="default").topics

    assert [[answer.seat for answer in pair.answers] for pair in topic.pairs] == [[1, 2]] * 3


def test_whoever_rated_by_a_waiver_is_not_told_to_a_lead_who_still_rates(study):
    dora = make_member(study.collection, "Dora", "annotator", "adjudicator")
    study.rate_all("alice", 1)
    waive_reading(batch=study.batch, member=dora, by=study.lena, reason="She read none of them.")
    raise_overlap(batch=study.batch, overlap=3, by=study.lena, reason="One more.")
    free = study.batch.seats.get(holder=None)
    study.members["dora"] = assign_seat(seat=free, member=dora, by=study.lena).holder
    study.rate_all("dora", 1)
    set_roles(membership=study.members["alice"], by=study.lena, roles=["annotator", "lead"])

    def waived(by):
        content = read_study(study.collection.pk, using="default", by=by)
        return [(row.batch, row.count, row.reason) for row in content.waived]

    assert waived(study.lena) == [(study.batch.name, 3, "She read none of them.")]
    assert waived(study.alice) == []


def test_what_an_import_says_that_died_is_not_read(study):
    for state, activated_at in (("active", timezone.now()), ("dead", None)):
        Import.objects.create(
            collection=study.collection,
            kind="tables",
            state=state,
            activated_at=activated_at,
            summary={"abstracts_read": state},
        )

    content = read_study(study.collection.pk, using="default")

    assert content.import_summaries == [{"abstracts_read": "active"}]


def test_other_leads_and_the_servers_own_shell_read_it(reopened):
    everything = [(None, "agreed"), (1, "adjudicated"), (None, "excluded")]

    assert golds(reopened, by=reopened.lena) == everything
    assert golds(reopened, by=None) == everything


def test_no_page_of_the_lead_who_still_rates_names_the_gold(reopened, client):
    topic = reopened.topics[0]
    address = f"/collections/study/topics/{topic.public_id}/"

    client.force_login(reopened.lena)
    seen_by_lena = client.get(address).context["pair_rows"]
    client.force_login(reopened.alice)
    seen_by_alice = client.get(address).context["pair_rows"]

    assert [row.pair.gold_value for row in seen_by_lena] == [None, 1, None]
    assert seen_by_alice == []


def test_people_keep_the_numbers_of_their_files_and_others_get_the_next_free_ones(study):
    """Alice comes from no file, though she sits first; Bob and Carol have numbers in files. What a
    table calls Lena is no number, and stays here."""
    of_files = {
        "alice": ("", ""),
        "bob": ("annotator1", "3"),
        "carol": ("annotator_4", ""),
        "lena": ("annotator_lena@example.org", "1"),
    }
    for name, (external_id, readable_id) in of_files.items():
        Membership.objects.filter(pk=study.members[name].pk).update(
            external_id=external_id, readable_id=readable_id
        )

    persons = people(study.collection, "default")

    numbers = {
        name: (
            persons[study.members[name].pk].number,
            persons[study.members[name].pk].readable_number,
        )
        for name in of_files
    }
    assert numbers == {
        "alice": ("2", "2"),
        "bob": ("1", "3"),
        "carol": ("4", "4"),
        "lena": ("3", "1"),
    }
    assert len({person.pseudonym for person in persons.values()}) == 4


def test_people_are_numbered_in_the_order_of_their_first_seats(study):
    names = {member.pk: name for name, member in study.members.items()}
    Tenure.objects.filter(member=study.members["alice"]).delete()

    numbered = {
        names[pk]: person.number for pk, person in people(study.collection, "default").items()
    }

    assert list(numbered.items()) == [("bob", "1"), ("alice", "2"), ("carol", "3"), ("lena", "4")]


def test_no_two_people_have_one_number_in_text_files(study):
    Membership.objects.filter(pk=study.members["lena"].pk).update(readable_id="1")

    persons = people(study.collection, "default").values()

    assert [(person.number, person.readable_number) for person in persons] == [
        ("1", "2"),
        ("2", "3"),
        ("3", "4"),
        ("4", "1"),
    ]


def test_scheme_is_read_with_its_rule_and_its_options(finished):
    scheme = read_study(finished.collection.pk, using="default").scheme

    assert scheme | {"options": scheme["options"][:1]} == {
        "title": finished.scheme.title,
        "version": 1,
        "overlap": 2,
        "rule": finished.scheme.rule,
        "rule_in_words": finished.scheme.rule_in_words,
        "facets": ["background", "method", "result"],
        "rule_distance": None,
        "is_ordinal": True,
        "options": [{"key": "irrelevant", "value": "0", "name": "Irrelevant"}],
    }
    assert [option["value"] for option in scheme["options"]] == ["0", "1", "2", "3"]


def test_pair_is_read_with_its_answers_and_decisions(finished):
    disputed = Rating.objects.filter(pair__document__external_id="q1c2")
    disputed.update(note="Hm.", is_flagged=True)
    content = read_study(finished.collection.pk, using="default")
    agreed, decided, left_out = content.topics[0].pairs
    alice, bob = (content_person(finished, name) for name in ("alice", "bob"))

    assert (content.topics[0].topic_id, content.topics[0].query) == ("q1_method", "q1")
    assert [pair.document for pair in content.pairs] == ["q1c1", "q1c2", "q1c3"]
    assert {pair.batch for pair in content.pairs} == {finished.batch.name}
    assert [(pair.origin, pair.value, pair.option) for pair in content.pairs] == [
        ("consensus", 2, "similar"),
        ("adjudicated", 1, decided.option),
        ("excluded", None, ""),
    ]
    assert [
        (answer.seat, answer.annotator, answer.choice and answer.choice.value)
        for answer in decided.answers
    ] == [
        (1, alice, 0),
        (2, bob, 1),
    ]
    assert [(a.note, a.is_flagged, a.scheme_version, a.is_by_program) for a in decided.answers] == [
        ("Hm.", True, 1, False)
    ] * 2
    assert [answer.cannot_judge for answer in left_out.answers] == ["garbled text", ""]
    assert left_out.answers[0].choice is None
    [verdict] = decided.verdicts
    assert verdict.choice.value == 1
    assert (verdict.cause, verdict.rationale, verdict.is_standing) == (
        "granularity",
        "Secret rationale",
        True,
    )
    assert verdict.adjudicator == content_person(finished, "carol")
    [verdict] = left_out.verdicts
    assert (verdict.choice, verdict.exclusion_reason) == (None, "The abstract is cut off")
    assert agreed.verdicts == ()
    counted = {
        answered.annotator: (
            answered.topic_id,
            answered.ratings,
            answered.cannot_judge,
            answered.by_program,
        )
        for answered in content.answered
    }
    assert counted == {alice: ("q1_method", 3, 1, 0), bob: ("q1_method", 3, 0, 0)}
    assert content.pools == {"q1": [(f"q1c{n}", ["secret_source"]) for n in (1, 2, 3)]}
    assert content.batches == [str(finished.batch.public_id)]
    assert [paper.paper_id for paper in content.papers()] == ["q1", "q1c1", "q1c2", "q1c3"]


def test_answers_and_decisions_are_left_out_where_nobody_wants_them(finished):
    content = read_study(finished.collection.pk, using="default", with_answers=False)

    assert all(not pair.answers and not pair.verdicts for pair in content.pairs)
    assert [pair.value for pair in content.pairs] == [2, 1, None]
    assert len(content.answered) == 2


def content_person(study, name):
    return people(study.collection, "default")[study.members[name].pk]


class Unread:
    """A database of which only the settings are read, as Django reads those of the usual one while
    it writes a statement for another."""

    def __init__(self, database):
        self.database = database

    def __getattr__(self, name):
        assert "cursor" not in name, "This was asked of the database that changes meanwhile."
        return getattr(self.database, name)


@contextmanager
def read_only_view():
    """The database of the test under another name. Under its usual name it cannot be reached, and
    nothing can be written."""
    database = connections["default"]

    def only_read(execute, sql, params, many, context):
        assert sql.lstrip("(").startswith("SELECT"), sql
        return execute(sql, params, many, context)

    connections["view"], connections["default"] = database, Unread(database)
    database.alias = "view"
    try:
        with database.execute_wrapper(only_read):
            yield "view"
    finally:
        connections["default"], database.alias = database, "default"
        del connections["view"]


@pytest.mark.parametrize(
    ("address", "mapping"),
    [
        ("gold", ""),
        ("gold", "binary"),
        ("seat:2", ""),
        ("median", "binary"),
        ("machine", ""),
        ("judgments:nist", ""),
    ],
)
def test_every_source_is_read_from_the_view_alone_and_nothing_is_written(
    finished, address, mapping
):
    collection = finished.collection
    add_binary(collection)
    documents = [pair.document.external_id for pair in finished.batch.pairs.all()]
    add_run(collection=collection, run=run_of({"q1_method": documents}), by=finished.lena)
    grades = judgments_of({"q1_method": dict.fromkeys(documents, "1")})
    add_judgments(collection=collection, judgments=grades, by=None)
    machine = MachineRun.objects.create(collection=collection, model="gpt", name="first")
    for pair in finished.batch.pairs.all():
        MachineScore.objects.create(run=machine, pair=pair, value=1, response="1")
    address = f"machine:{machine.public_id}" if address == "machine" else address
    source = source_named(collection, address, mapping=mapping)

    with read_only_view() as view:
        content = read_study(collection.pk, using=view, by=finished.lena, source=source)
        papers = list(content.papers())
        rows = content.aspect_rows()
        answers = list(rows.answers())

    assert (len(content.pairs), len(papers)) == (3, 4)
    assert answers
    assert bool(content.effect) is not source.is_plain_gold
