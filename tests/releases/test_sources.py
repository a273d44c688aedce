"""Exports of every source of values: what they hold, what they name, what they keep back."""

import json
import uuid
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from adjudication.actions import decide
from annotation.assigning.actions.batches import make_batches
from audit.refusals import Invalid, Refused
from datasets.actions import change_scoring_guard
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from evaluation.protocols import Missing, shipped
from evaluation.sources.choices import source_named, sources_of
from releases.actions import write_export
from tests.factories.definitions import add_binary, add_ours
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import assign_all, make_member, make_topic
from tests.shelf import shelved


@shelved
def documents(finished):
    """The first two are gold 2 and 1, the third is left out; Bob rated 2, 1, 1."""
    return [pair.document.external_id for pair in finished.batch.pairs.all()]


@shelved
def unjudged(study):
    """Alice gave the first of two pairs 2, and could not judge the other."""
    study.finish(alice=[2, None, None], bob=[2, 1, 1])
    *_, cut_off = study.batch.pairs.all()
    decide(pair=cut_off, by=study.carol, save_id=uuid.uuid4(), exclusion_reason="Cut off")
    return study


def export(study, folder, source="gold", *, mapping="", least="", **options):
    source = source_named(study.collection, source, mapping=mapping, least=least)
    options = {"export_format": "trec", "source": source} | options
    manifest = write_export(collection=study.collection, folder=folder, **options)
    [name] = [file["name"] for file in manifest["files"] if file["name"].startswith("qrels-all")]
    lines = (folder / name).read_text().splitlines()
    return manifest, {line.split()[2]: line.split()[3] for line in lines}


def test_every_source_has_its_own_grades(finished, documents, tmp_path):
    first, second, left_out = documents
    grades = {}
    for source in sources_of(finished.collection):
        _, grades[source.address] = export(
            finished, tmp_path / str(len(grades)), source.address,
            mapping="" if source.address != "median" else add_binary(finished.collection).key,
        )  # fmt: skip

    assert grades["gold"] == {first: "2", second: "1"}
    assert grades["seat:1"] == {first: "2", second: "0"}
    assert grades["seat:2"] == {first: "2", second: "1"}
    assert grades["majority"] == {first: "2"}
    assert grades["highest"] == {first: "2", second: "1"}
    assert grades["lowest"] == {first: "2", second: "0"}
    assert grades["median"] == {first: "1", second: "0"}
    members = [of for address, of in grades.items() if address.startswith("member:")]
    assert sorted(len(of) for of in members) == [2, 2]
    assert not any(left_out in of for of in grades.values())


def test_the_manifest_names_source_mapping_and_least_grade(finished, documents, tmp_path):
    add_binary(finished.collection)

    manifest, grades = export(finished, tmp_path / "out", "seat:1", mapping="binary", least="1")

    values = manifest["values"]
    assert (values["from"], values["address"], values["name"]) == ("seat", "seat:1", "first seat")
    assert (values["mapping"]["key"], values["mapping"]["version"]) == ("binary", 1)
    assert set(values["mapping"]["grades"]["all"].values()) == {"0", "1"}
    assert values["least_relevant_grade"] == 1
    assert set(grades.values()) == {"0", "1"}


def test_grades_that_a_mapping_never_had_are_refused(finished, tmp_path):
    add_binary(finished.collection)
    source = source_named(finished.collection, "gold", mapping="binary")
    forged = tuple((facet, option, grade + 1) for facet, option, grade in source.mapping.grades)
    source = replace(source, mapping=replace(source.mapping, grades=forged))

    with pytest.raises(Invalid, match=r"no mapping .* with these grades"):
        write_export(
            collection=finished.collection,
            export_format="trec",
            folder=tmp_path / "out",
            source=source,
        )


def test_gold_by_a_mapping_stays_gold_of_its_origin_and_is_not_missing(finished, tmp_path):
    add_binary(finished.collection)

    manifest, _ = export(finished, tmp_path / "out", mapping="binary")

    assert not manifest["is_incomplete"]
    assert manifest["counts"]["origins"] == {"adjudicated": 1, "consensus": 1, "excluded": 1}


def test_what_the_source_is_silent_about_is_counted_and_not_missing(finished, tmp_path, documents):
    manifest, _ = export(finished, tmp_path / "out", "majority")

    assert not manifest["is_incomplete"]
    assert manifest["counts"]["origins"] == {"excluded": 1, "majority": 1, "no grade": 1}


def test_judgments_from_elsewhere_are_exported_as_they_grade_pairs(finished, documents, tmp_path):
    first, second, _ = documents
    judged = judgments_of({"q1_method": {first: "3", second: "0", "elsewhere": "1"}})
    add_judgments(collection=finished.collection, judgments=judged, by=None)

    _, grades = export(finished, tmp_path / "out", "judgments:nist")

    assert grades == {first: "3", second: "0"}


def test_grades_of_more_decimals_than_an_export_holds_are_refused(finished, documents, tmp_path):
    judged = judgments_of({"q1_method": {documents[0]: "0.1875"}})
    add_judgments(collection=finished.collection, judgments=judged, by=None)

    with pytest.raises(Invalid, match=r"has the grade 0\.1875, and an export holds at most 3 dec"):
        export(finished, tmp_path / "out", "judgments:nist")


def test_gold_by_a_mapping_tells_no_dispute_before_all_have_handed_in(study, tmp_path):
    add_binary(study.collection)
    study.rate_all("alice", [2, 0, 1])
    study.rate_all("bob", [2, 3, 1])

    of_gold, _ = export(study, tmp_path / "gold", allow_incomplete=True)
    mapped, _ = export(study, tmp_path / "mapped", mapping="binary", allow_incomplete=True)

    assert of_gold["missing"] == mapped["missing"] == {"not handed in": 3}


def test_an_absence_makes_no_majority_whatever_it_counts_as(study, tmp_path):
    """Bob gave the second the lowest grade, and Alice could not judge it."""
    study.finish(alice=[2, None, None], bob=[2, 0, 1])
    first = study.batch.pairs.first().document.external_id

    manifest, grades = export(
        study, tmp_path / "out", "majority", missing="lowest", allow_incomplete=True
    )

    assert grades == {first: "2"}
    assert manifest["counts"]["origins"] == {"majority": 1, "no grade": 2}


def test_judgments_of_whole_queries_are_refused_where_queries_have_no_aspects(finished, tmp_path):
    judged = judgments_of({"q1": {"q1c1": "3"}})
    add_judgments(collection=finished.collection, judgments=judged, level="queries", by=None)

    with pytest.raises(Invalid, match="no such query with aspects"):
        export(finished, tmp_path / "out", "judgments:nist")


def test_the_protocol_says_what_a_value_is_that_a_seat_did_not_give(unjudged, tmp_path):
    first, second = (pair.document.external_id for pair in unjudged.batch.pairs.all()[:2])
    lowest = replace(shipped()["trec"], missing=Missing.LOWEST)
    options = {"protocol": lowest, "allow_incomplete": True}

    filled = {first: "2", second: "0"}
    plain, unsaid = export(unjudged, tmp_path / "a", "seat:1", allow_incomplete=True)
    by_protocol, counted = export(unjudged, tmp_path / "b", "seat:1", **options)
    _, overruled = export(unjudged, tmp_path / "c", "seat:1", missing="unjudged", **options)

    assert (unsaid, plain["values"]["missing_value"]) == ({first: "2"}, "unjudged")
    assert (counted, by_protocol["values"]["missing_value"]) == (filled, "lowest")
    assert by_protocol["counts"]["origins"]["no value, so the lowest grade"] == 1
    assert overruled == unsaid


def test_seats_of_an_unfinished_batch_are_missing(study, tmp_path):
    study.rate_all("alice", [2, 0, 1])
    study.rate("bob", study.batch.pairs.last(), 3)  # which nobody can adjudicate yet
    make_topic(study.collection, query_id="q2", candidates=1)

    manifest, grades = export(study, tmp_path / "out", "seat:1", allow_incomplete=True)

    assert grades == {}
    assert manifest["missing"] == {"not handed in": 1, "partly rated": 2, "waiting for a batch": 1}


def test_the_effect_on_scores_stands_beside_the_hashes_of_the_runs(finished, documents, tmp_path):
    best, middle, _ = documents
    runs = {"up": [best, middle], "down": [middle, best]}
    for tag, ranked in runs.items():
        run = run_of({"q1_method": ranked}, tag=tag)
        add_run(collection=finished.collection, run=run, by=finished.lena)

    manifest, _ = export(finished, tmp_path / "out", "seat:1")
    gold, _ = export(finished, tmp_path / "gold")

    effect = manifest["effect_on_scores"]
    by_name = {run["run"]: run for run in effect["runs"]}
    assert by_name.keys() == runs.keys()
    assert all(len(run["sha256"]) == 64 for run in effect["runs"])
    assert effect["topics"] == ["q1_method"]
    name = effect["order"]["measure"]
    assert by_name["up"]["by_gold"][name] == by_name["up"]["by_source"][name] == 1
    assert effect["order"] == {"measure": name, "tau_b": 1, "pairs_of_runs": 1, "reversed": 0}
    assert "effect_on_scores" not in gold
    json.dumps(manifest, allow_nan=False)


def test_the_effect_is_reported_by_the_protocol_that_a_lead_chooses(finished, documents, tmp_path):
    run = run_of({"q1_method": documents}, tag="up")
    add_run(collection=finished.collection, run=run, by=finished.lena)
    ours = add_ours(finished.collection, measures=("RR",), least=2)

    manifest, _ = export(finished, tmp_path / "out", "seat:2", protocol=ours, missing="lowest")

    effect = manifest["effect_on_scores"]
    assert (effect["protocol"]["key"], effect["protocol"]["missing"]) == ("ours.1", "lowest")
    assert effect["runs"][0]["by_source"] == {"RR(rel=2)": 1}
    assert "order" not in effect


def test_effect_that_cannot_be_computed_says_why_and_by_which_protocol(
    finished, documents, tmp_path, monkeypatch
):
    def refuse(gold, other):
        raise Refused("No topic has grades by both.")

    run = run_of({"q1_method": documents}, tag="up")
    add_run(collection=finished.collection, run=run, by=finished.lena)
    monkeypatch.setattr("releases.effect._compared", refuse)

    manifest, _ = export(finished, tmp_path / "out", "seat:2")

    assert manifest["effect_on_scores"] == {
        "protocol": shipped()["trec"].data,
        "not_computed": "No topic has grades by both.",
    }


def test_effect_of_judgments_is_that_on_runs_of_their_own_level(finished, documents, tmp_path):
    run = run_of({"q1_method": documents}, tag="up")
    add_run(collection=finished.collection, run=run, by=finished.lena)
    grades = {"q1_method": dict.fromkeys(documents, "1")}
    for name in ("first", "second"):
        judged = judgments_of(grades, name=name)
        add_judgments(collection=finished.collection, judgments=judged, by=None)

    manifest, _ = export(finished, tmp_path / "out", "judgments:second")

    assert manifest["effect_on_scores"]["level"] == "topics"


def test_closed_scores_stay_out_of_the_manifest(finished, documents, tmp_path):
    run = run_of({"q1_method": documents}, tag="up")
    add_run(collection=finished.collection, run=run, by=finished.lena)
    change_scoring_guard(
        collection=finished.collection, scores_wait_for_locking=True, by=finished.lena
    )

    manifest, _ = export(finished, tmp_path / "out", "seat:1", by=finished.lena)

    assert "effect_on_scores" not in manifest


def test_a_lead_who_rates_gets_nothing_of_that_batch_from_any_source(finished, tmp_path):
    from tests.factories.studies import make_topic

    make_topic(finished.collection, query_id="q2", facet="method")
    [batch] = make_batches(collection=finished.collection, by=finished.lena)
    nora = make_member(finished.collection, "Nora", "lead", "annotator")
    finished.members["nora"] = nora
    assign_all(finished, [batch], ["nora", "alice"])
    documents = [pair.document.external_id for pair in batch.pairs.all()]
    judged = judgments_of({"q2_method": dict.fromkeys(documents, "1")})
    add_judgments(collection=finished.collection, judgments=judged, by=None)
    finished.rate_all("alice", [2, 1, 0], batch)

    for number, source in enumerate(sources_of(finished.collection)):
        if source.address == "median":
            continue
        _, grades = export(
            finished, tmp_path / str(number), source.address, by=nora.user, allow_incomplete=True
        )
        assert not grades.keys() & set(documents), source


def test_formats_of_gold_refuse_other_values(finished, tmp_path):
    for export_format in ("csfcube", "csv"):
        with pytest.raises(Invalid, match="gold as it was made, never other values"):
            export(finished, tmp_path / "out", "seat:1", export_format=export_format)


def test_the_command_takes_any_source_and_a_mapping(finished, documents, tmp_path, capsys):
    add_binary(finished.collection)

    call_command(
        "export", finished.collection.slug, format="trec", out=tmp_path / "a",
        source="seat:2", mapping="binary.1", protocol="csfcube", missing="unjudged",
    )  # fmt: skip

    assert "2 pairs with a grade by second seat, by the mapping Binary, version 1, complete" in (
        capsys.readouterr().out
    )
    with pytest.raises(CommandError, match="no source 'seat:7'; it has seat:1, seat:2"):
        call_command(
            "export", finished.collection.slug, format="trec", out=tmp_path / "b", source="seat:7"
        )
