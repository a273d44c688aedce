"""Protocols of a lead's own: a copy, changed, in versions; named wherever it is used."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.urls import reverse

from audit.refusals import Invalid
from datasets.runs.actions import add_run
from evaluation.definitions.reading import protocol_named, protocols_of, usual_protocol
from evaluation.models import ProtocolVersion
from evaluation.protocols import Summary, Undefined
from tests.factories.definitions import add_ours
from tests.factories.runs import run_of
from tests.factories.studies import make_study
from tests.shelf import shelved


@shelved
def study(db):
    study = make_study()
    study.finish(alice=[2, 0, 1], bob=[2, 0, 1])
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    add_run(
        collection=study.collection, run=run_of({"q1_method": documents}, tag="up"), by=study.lena
    )
    return study


def test_the_protocol_of_ones_own_that_was_stored_last_is_the_usual_one(study):
    shipped_one = usual_protocol(study.collection)
    ours = add_ours(study.collection, least=2.0)
    theirs = add_ours(study.collection, key="theirs")

    assert (shipped_one.key, theirs) == ("trec", usual_protocol(study.collection))
    assert add_ours(study.collection, least=1.0, summary=ours.summary).key == "ours.2"
    assert usual_protocol(study.collection).key == "ours.2"


def test_a_study_of_csfcube_is_usually_scored_by_topics(study):
    study.collection.extra = {"csfcube": {"files": []}}
    assert usual_protocol(study.collection).key == "csfcube-topics"

    study.collection.extra = {"doris-mae": {}}
    assert usual_protocol(study.collection).key == "trec"


def test_a_stored_protocol_is_what_was_given_under_its_version(study):
    changes = {"measures": ("P@1", "RR"), "least": 2.0, "undefined": Undefined.LEFT_OUT}

    stored = add_ours(study.collection, summary=Summary.BOOTSTRAP, left_out=("d",), **changes)

    assert (stored.key, stored.name) == ("ours.1", "Ours")
    assert {name: getattr(stored, name) for name in changes} == changes
    assert protocol_named(study.collection, "ours") == stored
    assert list(protocols_of(study.collection))[-1] == "ours.1"


def test_a_change_is_another_version_and_the_same_again_is_none(study):
    add_ours(study.collection)
    add_ours(study.collection)
    add_ours(study.collection, least=2.0)

    assert [row.address for row in ProtocolVersion.objects.all()] == ["ours.1", "ours.2"]
    assert protocol_named(study.collection, "ours.1").least == 1
    assert protocol_named(study.collection, "ours").least == 2
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        ProtocolVersion.objects.all().delete()


def test_versions_are_counted_by_collection_and_say_who_made_them(study):
    add_ours(make_study(slug="other").collection)

    assert add_ours(study.collection, by=study.lena).key == "ours.1"

    row = ProtocolVersion.objects.get(collection=study.collection)
    assert (row.created_by, row.name) == (study.lena, "Ours")
    assert not row.data.keys() & {"key", "name"}


@pytest.mark.parametrize("least", [1000.0, -1000.0])
def test_a_least_grade_that_no_grade_can_reach_is_refused(study, least):
    with pytest.raises(Invalid, match="is not under 1,000"):
        add_ours(study.collection, least=least)
    assert add_ours(study.collection, least=999.0).least == 999


def test_the_key_of_a_shipped_protocol_is_refused(study):
    with pytest.raises(Invalid, match="comes with a protocol 'csfcube'"):
        add_ours(study.collection, key="csfcube")


def test_files_and_commands_name_the_version(study, capsys):
    add_ours(study.collection, measures=("P@1",), least=2.0)

    call_command("evaluate", study.collection.slug, protocol="ours", json=True)

    content = json.loads(capsys.readouterr().out)
    assert (content["protocol"]["key"], content["protocol"]["least"]) == ("ours.1", 2)
    assert [measure["name"] for measure in content["measures"]] == ["P(rel=2)@1"]
    with pytest.raises(CommandError, match=r"no protocol 'ours\.9'; expected one of trec"):
        call_command("evaluate", study.collection.slug, protocol="ours.9")


def test_commands_take_the_usual_protocol_where_none_is_named(study, capsys):
    usual = []
    for add in (lambda: None, lambda: add_ours(study.collection, measures=("P@1",))):
        add()
        call_command("evaluate", study.collection.slug, json=True)
        usual.append(json.loads(capsys.readouterr().out)["protocol"]["key"])

    assert usual == ["trec", "ours.1"]


def test_a_lead_copies_a_shipped_protocol_and_changes_it(client, study):
    client.force_login(study.lena)
    slug = study.collection.slug
    page = reverse("evaluation:protocol", args=[slug, "trec"])
    form = client.get(page).context["form"]
    fields = {name: form[name].value() for name in form.fields}
    fields = {name: "on" if value is True else value for name, value in fields.items() if value}

    made = client.post(page, fields | {"name": "Ours", "measures": "RR\nP@1\n"})
    changed = client.post(made["Location"], fields | {"name": "Ours", "measures": "P@1"})
    wrong = client.post(page, fields | {"name": "Wrong", "measures": "Nonsense@k"})
    shipped_name = client.post(page, fields | {"name": "TREC"})

    assert (
        made["Location"]
        == changed["Location"]
        == reverse("evaluation:protocol", args=[slug, "ours"])
    )
    versions = [row.data["measures"] for row in ProtocolVersion.objects.all()]
    assert versions == [["RR", "P@1"], ["P@1"]]
    assert (wrong.status_code, shipped_name.status_code) == (422, 422)
    assert "Nonsense@k" in wrong.content.decode()
    scores = client.get(reverse("evaluation:runs", args=[slug]), {"protocol": "ours"})
    assert scores.context["evaluation"].protocol.key == "ours.2"
    assert "Ours (mean over topics)" in scores.content.decode()


def test_the_measure_of_another_protocol_gives_way_to_the_first(client, study):
    """The filter form sends the measure that was chosen beside another protocol."""
    add_ours(study.collection, measures=("P@1",))
    client.force_login(study.lena)
    address = reverse("evaluation:runs", args=[study.collection.slug])

    page = client.get(address, {"protocol": "ours", "measure": "nDCG@10"})

    assert page.context["scores"].by.name == "P@1"
    assert client.get(address, {"protocol": "ours", "measure": "Nonsense"}).status_code == 400


@pytest.mark.parametrize("protocols", [1, 3])
def test_the_list_costs_the_same_for_one_protocol_and_for_three(
    study, client, protocols, django_assert_num_queries
):
    for number in range(protocols):
        add_ours(study.collection, key=f"ours{number}", by=study.lena)
    client.force_login(study.lena)

    with django_assert_num_queries(6):
        client.get(reverse("evaluation:protocols", args=["study"]))
