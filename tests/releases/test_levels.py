"""Exports of text queries: per aspect, query and sub-query, from gold or from a machine run."""

import json
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from annotation.models import MachineRun, MachineScore, Pair
from audit.refusals import Invalid
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from evaluation.sources.choices import source_named
from releases.actions import IncompleteError, write_export
from releases.formats import SIZES
from releases.formats.registry import FORMATS
from releases.models import Export
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_aspect_query, make_aspect_study, make_member
from tests.shelf import shelved

# Topics in their order, "0" with "1" and "2" below it and "3" with "2", over d1, d2 and d3.
VALUES = {"0": [2, 1, 0], "1": [2, 0, 0], "2": [1, 1, 0], "3": [0, 2, 0]}


@shelved
def aspects(db):
    """Alice alone gives VALUES, a batch per topic: S is 5, 4 and 0 over four ids."""
    return rated()


def rated(but=()):
    study = make_aspect_study(annotators=("alice",), overlap=1)
    for batch in study.collection.batches.all():
        topic = batch.pairs.first().topic.external_id
        if topic not in but:
            study.finish(batch, alice=VALUES[topic])
    return study


def source_of(run):
    return source_named(run.collection, f"machine:{run.public_id}")


def make_run(study, values, name="first"):
    """A run with {(topic, document): value}."""
    run = MachineRun.objects.create(collection=study.collection, model="gpt", name=name)
    pairs = Pair.objects.filter(topic__collection=study.collection)
    for pair in pairs.select_related("topic", "document"):
        key = (pair.topic.external_id, pair.document.external_id)
        if key in values:
            MachineScore.objects.create(run=run, pair=pair, value=values[key], response="text")
    return run


def export(study, folder, export_format="trec", **options):
    manifest = write_export(
        collection=study.collection, export_format=export_format, folder=folder, **options
    )
    files = {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    return manifest, files


def test_trec_has_qrels_and_texts_of_every_level(aspects, tmp_path):
    manifest, files = export(aspects, tmp_path / "out")

    assert files["qrels-queries.txt"] == "0 0 d1 5\n0 0 d2 4\n0 0 d3 0\n"
    assert files["qrels-sub-queries.txt"] == "0_0+3 0 d1 5\n0_0+3 0 d2 4\n0_0+3 0 d3 0\n"
    assert files["qrels-aspects.txt"] == files["qrels-all.txt"]
    assert files["qrels-aspects.txt"].startswith("0 0 d1 2\n0 0 d2 1\n0 0 d3 0\n1 0 d1 2\n")
    assert files["topics-sub-queries.tsv"] == (
        "0_0+3\tI want to hear faults in them before they break. The microphones are cheap, so the "
        "method must live with noise. It should say how sure it is.\n"
    )
    assert manifest["values"] == {"from": "gold"}
    assert manifest["levels"]["queries"] == {
        "queries": 1, "documents": 3, "queries_left_out": 0, "documents_left_out": 0,
    }  # fmt: skip
    assert manifest["counts"]["facets"].keys() == {"aspects"}


def test_birco_holds_normalised_scores(aspects, tmp_path):
    _, files = export(aspects, tmp_path / "out", "birco")

    read = json.loads(files["birco.json"])
    assert read["qrel"] == {"0": {"d1": 1.25, "d2": 1.0, "d3": 0.0}}
    assert read["query"]["0"].startswith("I look after the bearings")
    assert read["corpus"]["d1"].startswith("Title of d1 Why d1 matters.")
    assert set(read["corpus"]) == {"d1", "d2", "d3"}


@pytest.mark.parametrize(
    ("level", "first"),
    [
        ("queries", "0\td1\t5"),
        ("aspects", "0\td1\t2"),
        ("sub-queries", "0_0+3\td1\t5"),
    ],
)
def test_a_beir_folder_holds_one_level(aspects, tmp_path, level, first):
    _, files = export(aspects, tmp_path / "out", "beir", level=level)

    lines = files["qrels/test.tsv"].splitlines()
    assert lines[:2] == ["query-id\tcorpus-id\tscore", first]
    queries = [json.loads(line) for line in files["queries.jsonl"].splitlines()]
    corpus = [json.loads(line) for line in files["corpus.jsonl"].splitlines()]
    assert {line.split("\t")[0] for line in lines[1:]} == {query["_id"] for query in queries}
    assert {line.split("\t")[1] for line in lines[1:]} == {document["_id"] for document in corpus}
    assert all(query["text"] for query in queries)
    named = {"query": "0", "aspects": ["0", "3"]}
    assert queries[0].get("metadata", {}) == (named if level == "sub-queries" else {})


@pytest.mark.parametrize("export_format", ["trec", "birco", "beir"])
def test_the_same_state_gives_the_same_bytes(aspects, tmp_path, export_format):
    assert export(aspects, tmp_path / "a", export_format) == export(
        aspects, tmp_path / "b", export_format
    )


def test_a_document_without_every_value_has_no_grade_and_is_counted(db, tmp_path):
    study = rated(but=["2"])

    with pytest.raises(IncompleteError, match="3 not rated"):
        export(study, tmp_path / "out")
    manifest, files = export(study, tmp_path / "out", allow_incomplete=True)

    assert files["qrels-queries-incomplete.txt"] == ""
    assert files["qrels-aspects-incomplete.txt"].count("\n") == 9
    assert "topics-queries.tsv" in files
    assert manifest["levels"]["queries"] == {
        "queries": 0, "documents": 0, "queries_left_out": 1, "documents_left_out": 3,
    }  # fmt: skip
    assert manifest["notes"][0].startswith(
        "At the level of aspects, 3 documents of pools were left out because not every aspect has"
    )


def test_a_machine_run_stands_in_place_of_gold_and_is_named(aspects, tmp_path):
    values = {(topic, f"d{n}"): 1 for topic in VALUES for n in (1, 2, 3)}
    run = make_run(aspects, values)

    manifest, files = export(aspects, tmp_path / "out", source=source_of(run))

    assert files["qrels-queries.txt"] == "0 0 d1 4\n0 0 d2 4\n0 0 d3 4\n"
    assert set(files["qrels-all.txt"].split("\n")[0].split()[3]) == {"1"}
    assert manifest["values"] == {
        "from": "machine run",
        "address": f"machine:{run.public_id}",
        "name": "machine run gpt, first",
    }
    assert manifest["counts"]["origins"] == {"machine": 12}
    assert manifest["annotators"] == []


def test_gold_never_fills_the_gaps_of_a_run(aspects, tmp_path):
    run = make_run(aspects, {("0", "d1"): 1, ("0", "d2"): None})

    with pytest.raises(IncompleteError, match="values of machine run gpt, first are not complete"):
        export(aspects, tmp_path / "out", source=source_of(run))
    manifest, files = export(
        aspects, tmp_path / "out", source=source_of(run), allow_incomplete=True
    )

    assert files["qrels-all-incomplete.txt"] == "0 0 d1 1\n"
    assert manifest["missing"] == {
        "whose answer could not be read as a value": 1, "without a score of the run": 10,
    }  # fmt: skip


def test_runs_are_refused_where_only_gold_goes(aspects, tmp_path):
    run = make_run(aspects, {})
    other = make_aspect_study(slug="other")

    with pytest.raises(Invalid, match="csv holds gold as it was made, never other values"):
        export(aspects, tmp_path / "out", "csv", source=source_of(run))
    with pytest.raises(Invalid, match="No machine run is called"):
        export(other, tmp_path / "out", source=source_of(run))
    with pytest.raises(Invalid, match="no level 'papers'"):
        export(aspects, tmp_path / "out", "beir", level="papers")


def test_decimal_sums_are_refused_for_whole_numbers_and_kept_by_birco(aspects, tmp_path):
    values = {(topic, f"d{n}"): Decimal("0.5") for topic in VALUES for n in (1, 2, 3)}
    run = make_run(aspects, values | {("0", "d1"): Decimal("0.25")})

    for export_format in ["trec", "beir"]:
        with pytest.raises(Invalid, match=r"Choose CSV or BIRCO JSON, or values by a mapping"):
            export(aspects, tmp_path / "out", export_format, source=source_of(run))
    _, files = export(aspects, tmp_path / "out", "birco", source=source_of(run))

    assert json.loads(files["birco.json"])["qrel"] == {"0": {"d1": 0.4375, "d2": 0.5, "d3": 0.5}}


def test_an_excluded_pair_leaves_its_document_out_of_the_query(aspects, tmp_path):
    Pair.objects.filter(topic__external_id="2", document__external_id="d1").update(
        state="excluded", gold_origin="excluded", gold_value=None, gold_option=None
    )

    _, files = export(aspects, tmp_path / "out")

    assert files["qrels-queries.txt"] == "0 0 d2 4\n0 0 d3 0\n"


def test_a_shared_aspect_counts_in_the_pool_of_each_query(aspects, tmp_path):
    """A second query asks for "3" too, over d3 and another document."""
    make_aspect_query(aspects.collection, query_id="1", tree={"3": []}, documents=("d3", "d4"))

    _, files = export(aspects, tmp_path / "out", allow_incomplete=True)

    assert files["qrels-queries-incomplete.txt"].endswith("0 0 d3 0\n1 0 d3 0\n")
    assert "3 0 d3 0\n" in files["qrels-all-incomplete.txt"]


def test_sub_queries_are_exported_by_size(db, tmp_path):
    study = rated()
    make_aspect_query(study.collection, query_id="1", tree={"0": [], "1": [], "3": []})

    _, both = export(study, tmp_path / "all", allow_incomplete=True)
    _, two = export(study, tmp_path / "two", "beir", level="two-aspects", allow_incomplete=True)

    texts = {name: both[f"topics-{name}.tsv"].split("\n") for name in SIZES}
    assert [ids(texts[name]) for name in ("two-aspects", "three-aspects")] == [
        ["0_0+3", "1_0+1", "1_0+3", "1_1+3"],
        ["1_0+1+3"],
    ]
    assert sorted(ids(texts["sub-queries"])) == sorted(
        ids(texts["two-aspects"]) + ids(texts["three-aspects"])
    )
    assert [json.loads(line)["_id"] for line in two["queries.jsonl"].splitlines()] == ids(
        texts["two-aspects"]
    )


def ids(lines):
    return [line.split("\t")[0] for line in lines if line]


def test_the_rule_of_sub_queries_is_chosen_and_named(aspects, tmp_path):
    query = aspects.collection.queries.get()
    make_aspect_query(aspects.collection, query_id="1", tree={"0": [], "3": [], "1": []})
    query.refresh_from_db()
    other = aspects.collection.queries.get(external_id="1")
    other.sentences = [{"text": "One.", "topics": ["0", "1"]}, {"text": "Two.", "topics": ["1"]}]
    other.save()

    ids_by_rule, counts = {}, {}
    for rule in ("paper", "code"):
        manifest, files = export(aspects, tmp_path / rule, rule=rule, allow_incomplete=True)
        ids_by_rule[rule] = ids(files["topics-two-aspects.tsv"].split("\n"))
        of_level = manifest["levels"]["two-aspects"]
        counts[rule] = of_level["queries"] + of_level["queries_left_out"]
        assert manifest["sub_queries"] == {"rule": rule}

    assert ids_by_rule["paper"] == ["0_0+3", "1_0+1"]
    assert ids_by_rule["code"] == ["0_0+3", "1_0+1", "1_0+3", "1_3+1"]
    assert counts == {"paper": 2, "code": 4}


def test_without_links_there_are_no_sub_queries_and_the_refusal_says_why(aspects, tmp_path):
    query = aspects.collection.queries.get()
    for sentence in query.sentences:
        sentence["topics"] = []
    query.save()

    _, files = export(aspects, tmp_path / "out")
    assert "qrels-sub-queries.txt" not in files
    with pytest.raises(Invalid, match="Link the sentences of the queries to their aspects"):
        export(aspects, tmp_path / "beir", "beir", level="sub-queries")


def test_queries_under_facets_are_papers_with_the_sentences_of_the_facet(finished, tmp_path):
    _, files = export(finished, tmp_path / "out", "beir")

    assert json.loads(files["queries.jsonl"]) == {
        "_id": "q1_method",
        "text": "Title of q1 How q1 does it.",
        "metadata": {"query": "q1", "facet": "method", "document": "q1"},
    }
    assert files["qrels/test.tsv"] == (
        "query-id\tcorpus-id\tscore\nq1_method\tq1c1\t2\nq1_method\tq1c2\t1\n"
    )
    with pytest.raises(Invalid, match="no text queries with aspects"):
        export(finished, tmp_path / "aspects", "beir", level="aspects")


def test_a_lead_who_rates_gets_nothing_of_that_batch_from_a_run_either(aspects, tmp_path):
    make_aspect_query(aspects.collection, query_id="1", tree={"9": []})
    [batch] = make_batches(collection=aspects.collection, by=aspects.lena)
    nora = make_member(aspects.collection, "Nora", "lead", "annotator")
    assign_seat(seat=batch.seats.get(), member=nora, by=aspects.lena)
    run = make_run(aspects, {(topic, f"d{n}"): 1 for topic in [*VALUES, "9"] for n in (1, 2, 3)})

    _, hers = export(
        aspects, tmp_path / "hers", source=source_of(run), by=nora.user, allow_incomplete=True
    )
    _, lenas = export(aspects, tmp_path / "lenas", source=source_of(run), by=aspects.lena)

    assert "9 0 d1" not in hers["qrels-all-incomplete.txt"]
    assert "9 0 d1 1" in lenas["qrels-all.txt"]


def test_the_command_takes_a_level_and_a_run_by_name(aspects, tmp_path, capsys):
    make_run(aspects, {("0", "d1"): 2})
    call_command(
        "export", "aspects", format="beir", out=tmp_path / "out", level="aspects",
        source="machine:gpt, first", allow_incomplete=True,
    )  # fmt: skip

    assert "1 pair with a grade by machine run gpt, first, incomplete" in capsys.readouterr().out
    with pytest.raises(CommandError, match=r"No machine run is called 'second'"):
        call_command(
            "export", "aspects", format="trec", out=tmp_path / "b", source="machine:second"
        )


def test_every_format_can_be_recorded():
    assert set(FORMATS) <= set(Export.Format.values)


def test_judgments_of_queries_are_the_grades_of_their_level_alone(aspects, tmp_path):
    judged = judgments_of({"0": {"d1": "5", "d3": "0"}, "elsewhere": {"d1": "1"}})
    add_judgments(collection=aspects.collection, judgments=judged, level="queries", by=None)
    source = source_named(aspects.collection, "judgments:nist")

    manifest, files = export(aspects, tmp_path / "a", source=source)
    _, of_birco = export(aspects, tmp_path / "b", "birco", source=source)

    assert files["qrels-queries.txt"] == "0 0 d1 5\n0 0 d3 0\n"
    assert not any("aspects" in name or "all" in name for name in files)
    assert manifest["counts"]["grades"] == {"0": 1, "5": 1}
    # Whole numbers above the scale are S, so that a grade is S over the four ids.
    assert json.loads(of_birco["birco.json"])["qrel"] == {"0": {"d1": 1.25, "d3": 0.0}}
    with pytest.raises(Invalid, match="grade queries, not aspects"):
        export(aspects, tmp_path / "c", "birco", source=source, level="aspects")


def test_judgments_of_another_collection_by_the_same_name_are_not_its_own(aspects, tmp_path):
    other = make_aspect_study(slug="other").collection
    for collection, literal in ((aspects.collection, "5"), (other, "1")):
        judged = judgments_of({"0": {"d1": literal}})
        add_judgments(collection=collection, judgments=judged, level="queries", by=None)

    _, files = export(
        aspects, tmp_path / "out", source=source_named(aspects.collection, "judgments:nist")
    )

    assert files["qrels-queries.txt"] == "0 0 d1 5\n"


def test_judgments_of_documents_outside_the_pool_change_neither_files_nor_effect(aspects, tmp_path):
    run = run_of({"0": ["outside", "d2", "d1"]})
    add_run(collection=aspects.collection, run=run, level="queries", by=aspects.lena)
    exports = []
    for name, outside in (("inside", {}), ("all", {"outside": "2"})):
        judged = judgments_of({"0": {"d1": "2", "d2": "0"} | outside}, name=name)
        add_judgments(collection=aspects.collection, judgments=judged, level="queries", by=None)
        source = source_named(aspects.collection, f"judgments:{name}")
        exports.append(export(aspects, tmp_path / name, source=source))

    (inside, files), (outside, same_files) = exports

    assert files == same_files
    assert inside["counts"] == outside["counts"]
    assert inside["effect_on_scores"] == outside["effect_on_scores"]
    assert inside["effect_on_scores"]["runs"][0]["by_source"]


def test_judgments_of_sub_queries_are_those_of_the_rule_that_is_chosen(db, tmp_path):
    """Aspect 4 has no sentence, so that by the code alone 2 stands in for it beside 1."""
    study = make_aspect_study(query={"tree": {"1": [], "2": [], "4": []}})
    judged = judgments_of({"0_1+2": {"d1": "1"}, "0_1+4": {"d1": "2"}})
    add_judgments(collection=study.collection, judgments=judged, level="sub-queries", by=None)
    source = source_named(study.collection, "judgments:nist")

    qrels = {}
    for rule in ("paper", "code"):
        _, files = export(study, tmp_path / rule, source=source, rule=rule)
        qrels[rule] = files["qrels-sub-queries.txt"]

    assert qrels == {"paper": "0_1+2 0 d1 1\n", "code": "0_1+2 0 d1 1\n0_1+4 0 d1 2\n"}


def test_judgments_with_a_decimal_comma_are_written_with_a_point(aspects, tmp_path):
    judged = judgments_of({"0": {"d1": "1,50", "d3": "0,0"}})
    add_judgments(collection=aspects.collection, judgments=judged, level="queries", by=None)
    source = source_named(aspects.collection, "judgments:nist")

    _, files = export(aspects, tmp_path / "out", "birco", source=source)

    assert json.loads(files["birco.json"])["qrel"] == {"0": {"d1": 1.5, "d3": 0.0}}


def test_a_lead_who_rates_gets_no_judgments_of_a_query_with_that_batch(db, tmp_path):
    aspects = rated(but=["2"])
    judged = judgments_of({"0": {"d1": "5"}})
    add_judgments(collection=aspects.collection, judgments=judged, level="queries", by=None)
    source = source_named(aspects.collection, "judgments:nist")
    nora = make_member(aspects.collection, "Nora", "lead", "annotator")
    batch = aspects.collection.batches.filter(pairs__topic__external_id="2").first()
    assign_seat(seat=batch.seats.get(), member=nora, by=aspects.lena)

    with pytest.raises(Invalid, match="whose every batch you may see"):
        export(aspects, tmp_path / "out", source=source, by=nora.user, allow_incomplete=True)
