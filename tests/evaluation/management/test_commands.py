"""The commands on runs give the values that were computed elsewhere for the half of CSFCube."""

import json

import pytest
from django.core.management import CommandError, call_command

from datasets.runs.actions import add_run
from evaluation.management.commands import stability
from tests.evaluation import csfcube
from tests.factories.runs import run_of
from tests.factories.studies import make_study

TOLERANCE = 1e-9
SOURCES = {"gold": "adjudicated", "seat:1": "first", "seat:2": "second"}


def output(capsys, *arguments, **options):
    call_command(*arguments, **options)
    return json.loads(capsys.readouterr().out)


def assert_means_are_as_expected(folder, source, runs):
    expected = csfcube.expected(folder)["sources"][SOURCES[source]]
    for run, of_run in expected.items():
        means = {name: runs[run]["all"][name]["mean"] for name in of_run}
        assert means == pytest.approx(of_run, abs=TOLERANCE), run


@pytest.mark.parametrize("source", ["seat:1", "seat:2"])
def test_evaluate_gives_the_expected_means_of_the_half(half_with_runs, shared_data, capsys, source):
    report = output(
        capsys, "evaluate", "half", "--protocol=csfcube", f"--source={source}", "--json"
    )

    assert_means_are_as_expected(shared_data, source, report["runs"])


def test_evaluate_gives_the_means_by_gold_and_of_two_folds(half_with_runs, shared_data, capsys):
    """SPECTER's run ranks as the published ranking does, so the published script's values are
    those of the file of figures, query paper or not."""
    figures = json.loads((shared_data / "csfcube-half" / "expected-figures.json").read_text())
    names = {
        "r_precision_release": "CSFCube RP",
        "precision@20": "P(rel=2)@20",
        "recall@20": "CSFCube R@20",
        "ndcg%100_release": "CSFCube NDCG%100",
        "ndcg%20_release": "CSFCube NDCG%20",
    }

    runs = output(capsys, "evaluate", "half", "--protocol=csfcube", "--json")["runs"]

    assert_means_are_as_expected(shared_data, "gold", runs)
    specter = runs["specter"]
    for facet in (*csfcube.FACETS, "all"):
        of_facet = specter["all"] if facet == "all" else specter["facets"][facet]
        two_fold = figures["more_specter"]["by_facet"][facet]["two_fold"]
        means = {key: of_facet[name]["value"] for key, name in names.items()}
        assert means == pytest.approx({key: two_fold[key] for key in names}, abs=TOLERANCE), facet


def test_stability_gives_the_expected_leaderboards(half_with_runs, shared_data, capsys):
    expected = csfcube.expected(shared_data)["leaderboards"]

    content = output(
        capsys, "stability", "half", "--measure=CSFCube NDCG%20", "--draws=40", "--seed=7", "--json"
    )

    changes = {change["values_of"]: change for change in content["changes"]}
    assert [row["run"] for row in content["order"]] == expected["adjudicated"]["order"]
    for name, words in {"first": "First seat", "second": "Second seat"}.items():
        assert changes[words]["tau_b"] == pytest.approx(
            expected[name]["tau_b with adjudicated"], abs=TOLERANCE
        )
    assert content["sentence"].startswith("11 systems: the order by gold agrees with")
    # Eleven by an independent prototype; one of them is near the border, where flips decide.
    assert sum(pair["significant"] for pair in content["pairs"]["topic"]) in (10, 11)
    assert (
        len([change for change in content["changes"] if change["group"] == "One person left out"])
        == 4
    )


@pytest.mark.django_db
def test_what_rounds_to_zero_has_no_sign(capsys, monkeypatch):
    study = make_study()
    study.finish(alice=[2, 0, 1], bob=[2, 0, 1])
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    for tag, ranked in {"a": documents, "b": documents[::-1], "c": documents[:1]}.items():
        add_run(collection=study.collection, run=run_of({"q1_method": ranked}, tag=tag), by=None)
    changes = {"values_of": "First seat", "tau_b": -0.004, "swaps": 0.0}
    monkeypatch.setattr(stability, "row_of", lambda compared: changes)

    call_command("stability", study.collection.slug, protocol="trec", draws=2)

    assert "First seat                   tau-b   0.00  swaps 0.0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--protocol=none"], "There is no protocol 'none'"),
        (["--source=seat:9"], "has no source 'seat:9'"),
        (["--source=nobody"], "There is no source 'nobody'"),
        (["--level=queries"], "No run is of queries"),
        (["--facet=none"], "No topic is of this facet"),
    ],
)
@pytest.mark.django_db
def test_an_unknown_name_is_refused_with_a_sentence(options, words):
    study = make_study()
    add_run(collection=study.collection, run=run_of({"q1_method": ["q1c1"]}), by=None)

    with pytest.raises(CommandError, match=words):
        call_command("evaluate", study.collection.slug, *options)


@pytest.mark.django_db
def test_a_collection_without_runs_is_reported():
    with pytest.raises(CommandError, match="has no runs yet"):
        call_command("evaluate", make_study().collection.slug)
