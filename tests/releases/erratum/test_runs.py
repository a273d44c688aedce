"""The scores of the runs by two exports: on the page, in files, for programs and in the command."""

import csv
import hashlib
import io
import json
import re
from collections import defaultdict
from itertools import product

import ir_measures
import numpy as np
import pytest
from django.core.exceptions import BadRequest
from django.core.management import CommandError, call_command
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains
from scipy.stats import kendalltau, rankdata

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import raise_overlap
from datasets.actions import change_scoring_guard, set_roles
from datasets.models import Level, Scope
from datasets.runs.actions import add_run
from evaluation.protocols import shipped
from evaluation.results import measure_runs
from evaluation.runs import stored
from evaluation.runs.evaluation import Evaluation
from releases.actions import write_export
from releases.erratum.between import Erratum, erratum_of
from releases.erratum.reading import Exported, NotComparable
from releases.erratum.runs import RunMoves
from tests.factories.runs import run_of
from tests.factories.studies import make_aspect_study, make_member, make_study
from tests.factories.tokens import program_of
from tests.shelf import shelved

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PAGE = "/collections/study/exports/changes/"
FILE = "/collections/study/exports/changes/runs.csv"
RANKINGS = {
    "up": {"q1_method": ["q1c1", "q1c2", "q1c3"], "q1_result": ["q1c1", "q1c2", "q1c3"]},
    "down": {"q1_method": ["q1c3", "q1c2", "q1c1"], "q1_result": ["q1c3", "q1c2", "q1c1"]},
    "lacks": {"q1_method": ["q1c2", "elsewhere", "q1c1"]},
}


@shelved
def scored(corrected):
    """The two exports of the study, and three runs."""
    for tag, rankings in RANKINGS.items():
        add_run(collection=corrected.collection, run=run_of(rankings, tag=tag), by=corrected.lena)
    return corrected


@pytest.fixture
def lena(client, scored):
    client.force_login(scored.lena)
    return client


def two(study, **more):
    return {"a": study.older.public_id, "b": study.newer.public_id, "show": "runs"} | more


def moves_of(study, **of):
    return RunMoves.of(erratum_of(study.older, study.newer), study.collection, **of)


def rows_of(table):
    names = [column.key for column in table.columns]
    return {row[0]: dict(zip(names, row, strict=True)) for row in table.rows}


def by_ir_measures(export, names, topics=None):
    """{(run, measure): its mean}, times 100, over the topics of an export or some of them."""
    with export.store().open(export.stored_name(gold_name(export))) as file:
        gold = csv.DictReader(io.StringIO(file.read().decode()))
        qrels = defaultdict(dict)
        for row in gold:
            if row["value"] and (topics is None or row["topic"] in topics):
                qrels[row["topic"]][row["document"]] = int(row["value"])
    measures = [ir_measures.parse_measure(name) for name in names]
    means = {}
    for run, rankings in RANKINGS.items():
        scores = {
            topic: {document: float(-rank) for rank, document in enumerate(documents)}
            for topic, documents in rankings.items()
            if topic in qrels
        }
        sums = defaultdict(float)
        for metric in ir_measures.iter_calc(measures, qrels, scores):
            sums[str(metric.measure)] += metric.value
        means |= {(run, name): 100 * sums[name] / len(qrels) for name in names}
    return means


def gold_name(export):
    return next(file["name"] for file in export.files if file["name"].startswith("gold"))


def test_scores_are_those_of_each_run_by_the_qrels_of_each_export(scored):
    names = list(shipped()["trec"].measures)
    older, newer = (by_ir_measures(export, names) for export in (scored.older, scored.newer))
    shared = by_ir_measures(scored.newer, names, {"q1_method"})

    moves = moves_of(scored)
    rows = rows_of(moves.table(moves.measure()))

    assert rows.keys() == RANKINGS.keys()
    for (run, name), before in older.items():
        assert rows[run][f"{name} older"] == pytest.approx(before)
        assert rows[run][f"{name} newer"] == pytest.approx(newer[run, name])
        assert rows[run][f"{name} difference"] == pytest.approx(newer[run, name] - before)
        difference = rows[run][f"{name} difference, same topics"]
        assert difference == pytest.approx(shared[run, name] - before)


def test_the_same_topics_are_those_of_both_wherever_they_stand(scored):
    text = b"topic,document,value,option\nq1_result,q1c3,1,related\n"
    files = [{"name": "gold.csv", "sha256": hashlib.sha256(text).hexdigest()}]
    older = Exported("The older one", {"format": "csv", "files": files}, lambda name: text)
    erratum = Erratum(scored.collection, older, Exported.of(scored.newer))

    moves = RunMoves.of(erratum, scored.collection)
    rows = rows_of(moves.table(moves.measure()))

    # Of three relevant documents instead of one, three ranked ones find all: "down" has them.
    assert rows["down"]["P@10 older"] == 10
    assert rows["down"]["P@10 difference, same topics"] == pytest.approx(20)


@pytest.mark.parametrize("name", ["nDCG@10", "AP", "RR"])
def test_orders_are_compared_by_kendalls_tau_b(scored, name):
    older, newer = (by_ir_measures(export, [name]) for export in (scored.older, scored.newer))
    places = [[scores[run, name] for run in RANKINGS] for scores in (older, newer)]

    moves = moves_of(scored)
    facts = moves.facts(moves.measure(name))
    order = facts["order"]

    assert facts["level"] == "topics"
    rows = rows_of(moves.table(moves.measure(name)))
    for side, of_side in zip(("older", "newer"), places, strict=True):
        ranks = [rows[run][f"{side}_rank"].rstrip("=") for run in RANKINGS]
        assert ranks == [f"{rank}" for rank in rankdata([-n for n in of_side], "min").astype(int)]
    assert order["tau_b"] == pytest.approx(kendalltau(*places).statistic)
    assert order["pairs_of_runs"] == 3
    signs = [
        [(scores[a] > scores[b]) - (scores[a] < scores[b]) for a in range(3) for b in range(a)]
        for scores in places
    ]
    assert order["reversed"] == sum(a * b < 0 for a, b in zip(*signs, strict=True))


def test_a_lead_who_rates_gets_nothing_of_the_topics_that_they_rate(scored):
    nora = make_member(scored.collection, "Nora", "annotator")
    _, second = scored.collection.batches.all()
    raise_overlap(batch=second, overlap=3, by=scored.lena, reason="more")
    assign_seat(seat=second.seats.get(ordinal=3), member=nora, by=scored.lena)
    set_roles(membership=nora, roles=["lead", "annotator"], by=scored.lena)

    moves = moves_of(scored, viewer=nora.user)

    assert moves.facts(moves.measure())["topics"] == {"older": 1, "newer": 1, "shared": 1}
    assert moves.facts(moves.measure())["left_out_batches"] == [second.name]


def test_scores_that_stay_closed_are_told_to_nobody(lena, scored):
    open_page = lena.get(PAGE, two(scored))
    change_scoring_guard(collection=scored.collection, by=scored.lena, scores_wait_for_locking=True)
    program = program_of(scored.members["lena"])
    address = f"/api/v1/collections/study/exports/{scored.newer.public_id}/changes/runs"

    page = lena.get(PAGE, two(scored))

    assert "moved" in open_page.context
    assertContains(page, "Scores stay closed until every topic is locked.")
    assert "moved" not in page.context
    assert lena.get(FILE, two(scored)).status_code == 404
    assert program.get(address).status_code == 404


def test_scores_are_measured_where_somebody_asks_for_them(lena, scored, monkeypatch):
    measured = []
    monkeypatch.setattr(
        stored, "measure_runs", lambda *of: measured.append(of) or measure_runs(*of)
    )

    page = lena.get(PAGE, two(scored, show=""))
    [href] = re.findall(r'href="([^"]*)">Compute', page.content.decode())
    before = len(measured)
    lena.get(href.replace("&amp;", "&"))
    lena.get(href.replace("&amp;", "&"))

    assert (before, len(measured)) == (0, 2)
    assert href.endswith("show=runs#runs-h")


def test_the_page_shows_one_measure_in_full_and_the_differences_of_the_others(lena, scored):
    page = lena.get(PAGE, two(scored, measure="RR"))

    columns = page.context["moved"].columns
    assert all(column.is_signed == ("difference" in column.key) for column in columns)
    shown = [column.title for column in columns if column.is_shown]
    others = [name for name in shipped()["trec"].measures if name != "RR"]
    assert shown == ["Run", "RR", "Rank", "RR", "Rank", "RR", "RR, same topics", *others]
    assertContains(page, "Means over 1 topic of the older export and 2 topics of the newer one")
    assertContains(page, "By RR, 1 of 3 pairs of runs is the other way round")
    assertContains(page, "On the same topics, none of 3 pairs of runs is the other way round")
    assert lena.get(PAGE, two(scored, measure="odd")).status_code == 400


def test_runs_of_one_facet_are_measured_on_its_topics_alone(lena, scored):
    page = lena.get(PAGE, two(scored, facet="method"))

    assertContains(page, "Means over 1 topic of both exports, under Method.")
    assertNotContains(page, "same topics")


def test_a_facet_of_no_topic_is_refused_with_those_there_are(lena, scored):
    expected = "facet is 'odd'; expected one of all, method, result."
    program = program_of(scored.members["lena"])

    answer = program.get(address_of_program(scored), {"facet": "odd"})

    assert (answer.status_code, answer.json()["detail"]) == (400, expected)
    refused = lena.get(FILE, two(scored, facet="odd"))
    assertContains(refused, escape(expected), status_code=400)
    refused = lena.get(PAGE, two(scored, facet="odd"))
    assertContains(refused, "expected one of all, background, method, result", status_code=400)
    assert lena.get(PAGE, two(scored, facet="all")).status_code == 200


def address_of_program(study):
    older, newer = study.older.public_id, study.newer.public_id
    return f"/api/v1/collections/study/exports/{newer}/changes/runs?since={older}"


def test_files_programs_and_the_command_have_the_same_scores(lena, scored, capsys):
    ids = [str(scored.older.public_id), str(scored.newer.public_id)]
    program = program_of(scored.members["lena"])
    address = f"{address_of_program(scored)}&measure=AP"

    text = lena.get(FILE, two(scored, measure="AP")).content.decode()
    answer = program.get(address).json()
    call_command("erratum", *ids, "--runs", "--measure", "AP", "--format", "csv")

    assert capsys.readouterr().out == text
    moves = moves_of(scored)
    assert answer["rows"] == list(rows_of(moves.table(moves.measure("AP"))).values())
    assert (
        answer["rows"]
        == json.loads(lena.get(FILE.replace("csv", "json"), two(scored, measure="AP")).content)[
            "rows"
        ]
    )
    assert [answer["older"], answer["newer"]] == ids
    assert [row["run"] for row in csv.DictReader(io.StringIO(text))] == [
        row["run"] for row in answer["rows"]
    ]


def test_the_command_prints_a_line_for_each_run_and_what_becomes_of_their_order(scored, capsys):
    ids = [str(scored.older.public_id), str(scored.newer.public_id)]

    call_command("erratum", *ids, "--runs", "--measure", "RR")

    assert capsys.readouterr().out.splitlines()[:4] == [
        "up     100.00 -> 100.00    0.00",
        "down    50.00 ->  66.67   16.67",
        "lacks  100.00 ->  16.67  \u221283.33",
        "By RR, 1 of 3 pairs of runs is the other way round; Kendall's tau-b 0.00. On the same "
        "topics, none of 3 pairs of runs is the other way round; Kendall's tau-b 0.50.",
    ]
    with pytest.raises(CommandError, match="measure is 'odd'; expected one of nDCG@10"):
        call_command("erratum", *ids, "--runs", "--measure", "odd")


def test_programs_need_the_scope_of_scores_as_well(scored):
    program = program_of(scored.members["lena"], Scope.EXPORT)
    address = f"/api/v1/collections/study/exports/{scored.newer.public_id}/changes"

    assert program.get(address).status_code == 200
    assert program.get(f"{address}/runs").status_code == 403


def test_without_runs_there_is_nothing_to_ask_for(client, corrected):
    client.force_login(corrected.lena)

    page = client.get(PAGE, two(corrected))

    assertNotContains(page, "Scores of the runs")
    moves = moves_of(corrected)
    assert moves.remarks(moves.measure())[0] == "There are no runs of topics."


def test_a_single_run_has_no_order(corrected):
    add_run(collection=corrected.collection, run=run_of(RANKINGS["up"]), by=corrected.lena)

    moves = moves_of(corrected)

    assert moves.remarks(moves.measure()) == [
        "Means over 1 topic of the older export and 2 topics of the newer one; both have 1 topic."
    ]
    assert moves.facts(moves.measure())["order"]["tau_b"] is None


def test_different_scales_are_measured_one_facet_at_a_time(db, tmp_path):
    study = make_study(definition="litsearch", facets=("quality", "specificity"))
    for topic in study.topics:
        pairs = topic.pairs.all()
        low, high = study.scheme.scale_of(topic.facet).option_list[:2]
        for name, pair in product(("alice", "bob"), pairs):
            option = high if pair == pairs[0] else low
            study.rate(name, pair, None, option=option, cannot_judge="")
        for name in ("alice", "bob"):
            study.hand_in(name, pairs[0].batch)
    write_export(collection=study.collection, export_format="csv", folder=tmp_path)
    folder = Exported.in_folder(tmp_path)
    erratum = Erratum(study.collection, folder, folder)

    moves, others = (
        RunMoves.of(erratum, study.collection, facet=facet) for facet in ("", "specificity")
    )

    assert moves.facts(moves.measure())["facet"] == "quality"
    assert moves.remarks(moves.measure())[1] == "Means over 1 topic of both exports, under Quality."
    assert others.facts(moves.measure())["facet"] == "specificity"
    with pytest.raises(BadRequest, match="expected one of quality, specificity"):
        RunMoves.of(erratum, study.collection, facet="all")


@pytest.mark.parametrize(
    "sums",
    [
        # S is 5, 3 and 0 over four aspects: of their averages one alone is relevant.
        [[2, 1, 0], [2, 0, 0]],
        # 1, 2 and 0, which might be averages as well.
        [[0, 0, 0], [0, 0, 0]],
    ],
    ids=["high", "low"],
)
def test_exports_of_queries_measure_the_runs_of_queries_as_gold_does(db, tmp_path, sums):
    study = make_aspect_study(annotators=("alice",), overlap=1)
    grades = {"0": sums[0], "1": sums[1], "2": [1, 1, 0], "3": [0, 1, 0]}
    for batch in study.collection.batches.all():
        study.finish(batch, alice=grades[batch.pairs.first().topic.external_id])
    run = run_of({"0": ["d2", "d3", "d1"]})
    add_run(collection=study.collection, run=run, level="queries", by=study.lena)
    formats = {"birco": {}, "beir": {"level": "queries"}}
    for name, options in formats.items():
        write_export(
            collection=study.collection, export_format=name, folder=tmp_path / name, **options
        )
    exports = [Exported.in_folder(tmp_path / name) for name in formats]

    of_averages, of_sums = (
        RunMoves.of(Erratum(study.collection, export, export), study.collection)
        for export in exports
    )

    gold = Evaluation(study.collection, of_sums.evaluation.protocol, level=Level.QUERIES)
    by_gold = gold.together(gold.measured.counted(gold.protocol))
    assert {export.unit for export in exports} == {"queries"}
    np.testing.assert_equal(of_averages.rescored.older.means, by_gold)
    np.testing.assert_equal(of_sums.rescored.newer.shared, by_gold)
    apart = r"birco grades queries by averages over their aspects, and the .*beir by sums"
    for two in (exports, exports[::-1]):
        with pytest.raises(NotComparable, match=apart):
            Erratum(study.collection, *two)


def test_a_page_of_three_runs_asks_as_much_as_one_of_one(
    client, corrected, django_assert_num_queries
):
    client.force_login(corrected.lena)
    up, *others = (run_of(rankings, tag=tag) for tag, rankings in RANKINGS.items())

    for runs in ([up], others):
        for run in runs:
            add_run(collection=corrected.collection, run=run, by=corrected.lena)
        client.get(PAGE, two(corrected))
        with django_assert_num_queries(38):
            client.get(PAGE, two(corrected))
