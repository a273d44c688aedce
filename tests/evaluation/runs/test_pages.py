"""The pages of runs: what a lead sees, and what is kept from them."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from django.urls import reverse

from agreement.study import selection
from annotation.assigning.actions.batches import make_batches
from audit.models import Event
from audit.shelf import Shelf
from datasets.actions import change_scoring_guard
from datasets.models import Document
from datasets.runs.actions import add_run
from evaluation.pages import frame
from evaluation.runs import disagreement
from evaluation.runs.evaluation import Evaluation
from tests.factories.definitions import add_binary, add_ours
from tests.factories.runs import run_of
from tests.factories.studies import assign_all, make_member, make_study
from tests.factories.tokens import program_of
from tests.shelf import shelved

PAGES = ["evaluation:runs", "evaluation:compare", "evaluation:stability"]


@shelved
def study(db):
    """One topic, rated 2, 0, 1 by the first and 2, 1, 1 by the second; one pair to decide."""
    return make_study()


def add(study, **runs):
    for tag, documents in runs.items():
        add_run(
            collection=study.collection,
            run=run_of({"q1_method": documents}, tag=tag),
            by=study.lena,
        )


def documents_of(study):
    return [pair.document.external_id for pair in study.batch.pairs.all()]


def finish(study):
    study.finish(alice=[2, 0, 1], bob=[2, 0, 1])
    return documents_of(study)


def get(client, study, route="evaluation:runs", **parameters):
    client.force_login(study.lena)
    return client.get(reverse(route, args=[study.collection.slug]), parameters)


def test_a_grade_with_decimals_beside_a_document_is_written_as_everywhere(client, study):
    study.finish(alice=[2, 0, 1], bob=[2, 1, 1])
    documents = documents_of(study)
    add(study, one=documents, other=documents[::-1])

    page = get(client, study, "evaluation:compare", values="median", protocol="trec")

    assert re.findall(r'<td class="gr"><span class="h\d">(.+?)<', page.content.decode())[:3] == [
        "2", "0.5", "1",
    ]  # fmt: skip
    # A title may be in a script that runs from the right.
    assert re.findall(r'dir="auto"[^>]*>(Title of [^<]+)<', page.content.decode())[:3] == [
        "Title of q1", "Title of q1", "Title of q1c1",
    ]  # fmt: skip


@pytest.mark.parametrize("route", PAGES)
def test_without_runs_every_page_says_so(client, study, route):
    assert "No runs yet" in get(client, study, route).content.decode()


def test_scores_of_a_decided_topic_are_shown_in_order(client, study):
    best, worst, middle = finish(study)
    add(study, good=[best, middle, worst], bad=[worst, middle, best])

    response = get(client, study, protocol="trec", measure="RR")

    rows = response.context["scores"].rows
    assert [(row.name, row.rank) for row in rows] == [("good", "1"), ("bad", "2")]
    assert [row.cell(response.context["scores"].by).value for row in rows] == [1, 0.5]
    # On a phone the rest scrolls: the number comes first, its picture after it.
    page = response.content.decode()
    assert page.index('<td class="num lead-col">') < page.index('<td class="plot">')


def test_how_many_topics_have_no_value_stands_below_the_scores_and_in_their_file(client, study):
    study.finish(alice=0, bob=0)
    add(study, one=documents_of(study))

    page = get(client, study, protocol="trec").content.decode()
    table = client.get(reverse("evaluation:table", args=["study", "scores", "json"]))

    without = "nDCG@10, AP, R@100, Rprec, Bpref on 1 topic"
    assert f"<dt>Without a value</dt><dd>{without}</dd>" in page
    assert f"Without a value: {without}." in json.loads(table.content)["notes"]


def test_a_topic_with_a_seat_open_has_no_figures_and_the_page_warns_of_steering(client, study):
    add(study, good=documents_of(study))

    page = get(client, study).content.decode()

    assert "No topic has figures yet" in page
    assert "Looking at scores may steer the study" in page
    assert "q1_method" in page


def test_a_collection_can_keep_scores_closed_until_all_is_locked(client, study):
    documents = finish(study)
    add(study, good=documents, bad=documents[::-1])
    change_scoring_guard(collection=study.collection, by=study.lena, scores_wait_for_locking=True)

    for route in PAGES:
        response = get(client, study, route)
        assert "Scores are closed" in response.content.decode()
        assert "scores" not in response.context
    table = reverse("evaluation:table", args=[study.collection.slug, "scores", "csv"])
    assert client.get(table).status_code == 404


def test_two_runs_are_compared_with_the_topics_that_decide(client, study):
    best, worst, middle = finish(study)
    add(study, good=[best, middle, worst], bad=[worst, middle, best])
    untitled = Document.objects.filter(external_id=middle)
    untitled.update(title="", sentences=[{"text": "We sort."}])

    response = get(client, study, "evaluation:compare", a="good", b="bad", measure="RR")

    comparison = response.context["comparison"]
    assert comparison.difference.mean == 0.5
    assert (comparison.difference.wins, comparison.difference.losses) == (1, 0)
    [panel] = response.context["panels"]
    assert [entry.document for entry in panel.topic.first] == [best, middle, worst]
    assert [entry.other_rank for entry in panel.topic.first] == [3, 2, 1]
    assert panel.topic.first[1].title == "“We sort.”"
    assert "most extreme" not in response.content.decode()  # there is no other topic


def heads(page, table):
    [row] = re.findall(
        rf'aria-label="{table}".*?<thead><tr>(.*?)</tr></thead>', page.content.decode(), re.DOTALL
    )
    return [
        re.sub(r"<svg.*?</svg>|<[^>]+>", "", head).strip()
        for head in re.findall(r"<th.*?</th>", row, re.DOTALL)
    ]


def test_a_number_stands_before_its_chart(client, db):
    study = make_study(facets=("method", "result"))
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[2, 0, 1], bob=[2, 0, 1])
    documents = [pair.document.external_id for pair in study.collection.batches.first().pairs.all()]
    for tag, ranked in {"best": documents, "worst": documents[::-1]}.items():
        rankings = dict.fromkeys(("q1_method", "q1_result"), ranked)
        add_run(collection=study.collection, run=run_of(rankings, tag=tag), by=study.lena)

    compared = get(client, study, "evaluation:compare", protocol="trec")

    by_source = ["Values of", "Difference", "Chart", "p", "Won / tied / lost"]
    assert heads(compared, "Table of differences") == by_source
    by_topic = ["Topic", "Facet", "Relevant", "best", "worst", "Difference", "Chart"]
    assert heads(compared, "Table of topics") == by_topic
    by_facet = heads(get(client, study), "By facet: Method")
    assert by_facet == ["Run", "Score", "Chart", "Rank", "in all"]


def test_tests_say_that_they_are_not_of_the_means_of_folds(client, study):
    best, worst, middle = finish(study)
    add(study, good=[best, middle, worst], bad=[worst, middle, best])
    study.collection.extra = {"csfcube": {"splits": '{"all": {"fold1_test": ["q1_method"]}}'}}
    study.collection.save(update_fields=["extra"])

    pages = [
        get(client, study, "evaluation:compare", protocol=protocol).content.decode()
        for protocol in ("csfcube", "csfcube-topics")
    ]

    words = "Tests are of the plain mean over topics, not of the mean of the means of two folds."
    assert [words in page for page in pages] == [True, False]


def test_a_document_that_the_protocol_leaves_out_is_in_no_ranking_beside_another(client, study):
    best, worst, middle = finish(study)
    add(study, good=[best, middle, worst], bad=[worst, best, middle])
    add_ours(study.collection, by=study.lena, measures=("RR",), left_out=(best,))

    response = get(client, study, "evaluation:compare", a="good", b="bad", protocol="ours")

    [panel] = response.context["panels"]
    assert [(entry.rank, entry.document) for entry in panel.topic.first] == [
        (1, middle),
        (2, worst),
    ]
    assert (panel.topic.line.relevant, panel.topic.line.documents) == (1, 2)


def test_a_topic_that_one_of_two_runs_does_not_rank_says_so(client, db):
    study = make_study(facets=["method", "background"])
    for batch in study.collection.batches.all():
        study.finish(batch, alice=[2, 0, 1], bob=[2, 0, 1])
    documents = documents_of(study)
    add(study, method=documents)
    both = run_of({"q1_method": documents, "q1_background": documents}, tag="both")
    add_run(collection=study.collection, run=both, by=study.lena)

    page = get(
        client, study, "evaluation:compare", a="both", b="method", measure="RR"
    ).content.decode()

    assert page.count("no ranking") == 1
    assert page.count("It does not rank this topic, which counts as 0.") == 1


def test_two_runs_are_too_few_for_an_order(client, study):
    documents = finish(study)
    add(study, good=documents, bad=documents[::-1])

    page = get(client, study, "evaluation:stability").content.decode()

    assert "This takes three runs. There are two." in page
    assert reverse("evaluation:compare", args=[study.collection.slug]) in page


def test_runs_of_which_one_has_no_value_have_no_order(client, study):
    """LitSearch's first measure is of questions alone that this study has none of."""
    documents = finish(study)
    add(study, good=documents, fair=documents[1:], bad=documents[::-1])

    page = get(client, study, "evaluation:stability", protocol="litsearch").content.decode()
    compared = get(client, study, "evaluation:compare", protocol="litsearch").content.decode()
    table = reverse("evaluation:table", args=["study", "ranks", "json"])

    why = "good has no LitSearch R@20 (broad) on these topics, so there is no order by gold"
    assert why in page
    assert not re.search(r"\bnan\b", page)
    assert "One of the two has no LitSearch R@20 (broad) on these topics." in compared
    assert client.get(table, {"protocol": "litsearch"}).status_code == 404


def test_identical_raters_keep_every_order(client, study):
    best, worst, middle = finish(study)
    add(
        study,
        good=[best, middle, worst],
        fair=[middle, best, worst],
        bad=[worst, middle, best],
    )

    response = get(client, study, "evaluation:stability", claims="1", measure="nDCG@10")

    assert response.context["tau"].mean == 1
    assert response.context["never"] == 3
    assert set(response.context["changes"].cells("swaps")) == {0}
    assert "agrees with the order by a random rater to <b>tau 1.00</b>" in response.content.decode()


@pytest.mark.parametrize(
    "parameters",
    [
        {"protocol": "none"},
        {"values": "seat:7"},
        {"values": "machine:nobody"},
        {"measure": "nonsense"},
        {"facet": "none"},
        {"fold": "fold9"},
        {"tag": "a=b"},
        {"level": "queries"},
    ],
)
def test_an_unknown_choice_is_refused(client, study, parameters):
    add(study, good=documents_of(study))

    assert get(client, study, **parameters).status_code == 400


FORMATS = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
OF_RUNS = FORMATS.partition("## Out: the tables of the pages of runs")[2].partition("\n## ")[0]
TABLES = {
    name: set(re.findall(r"`([a-z][a-z_]*)`", columns))
    for names, columns in re.findall(r"^\| (`[^|]+`) \| [^|]+ \| (.+) \|$", OF_RUNS, re.MULTILINE)
    for name in re.findall(r"`([\w-]+)`", names)
}


def test_the_documents_name_every_table(study):
    add(study, a=finish(study))
    program = program_of(study.members["lena"])

    none = program.get("/api/v1/collections/study/scores/none").json()

    assert none["detail"].endswith(f"expected one of {', '.join(TABLES)}.")


@pytest.mark.parametrize("table", TABLES)
def test_every_table_can_be_taken_as_csv_json_and_latex(client, study, table):
    best, worst, middle = finish(study)
    add(study, a=[best, middle, worst], b=[middle, best, worst], c=[worst, middle, best])
    client.force_login(study.lena)

    def file(suffix):
        return client.get(reverse("evaluation:table", args=["study", table, suffix]))

    content = json.loads(file("json").content)
    lines = file("csv").content.decode().splitlines()
    columns = [key for key in lines[0].split(",")[1:] if re.fullmatch("[a-z_]+", key)]
    assert {re.sub("_(low|high)$", "", key) for key in columns} == TABLES[table]
    assert content["protocol"]["key"] == "trec"
    assert len(lines) == 1 + len(content["rows"])
    assert "\\toprule" in file("tex").content.decode()


def test_a_lead_who_rates_finds_their_topics_left_out_and_named(client, db):
    """Nora leads, and holds a seat of the second batch, which is still rated."""
    study = make_study(facets=("method", "result"), assign=False)
    study.members["nora"] = make_member(study.collection, "Nora", "lead", "annotator")
    finished, running = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [finished], ["alice", "bob"])
    study.finish(finished, alice=[0, 1, 2], bob=[0, 1, 2])
    assign_all(study, [running], ["alice", "nora"])
    rankings = {
        batch.pairs.first().topic.external_id: [
            pair.document.external_id for pair in batch.pairs.all()
        ]
        for batch in (finished, running)
    }
    for tag in ("a", "b", "c"):
        add_run(collection=study.collection, run=run_of(rankings, tag=tag), by=study.lena)
    client.force_login(study.nora.user if hasattr(study.nora, "user") else study.nora)

    for route in PAGES:
        response = client.get(reverse(route, args=[study.collection.slug]))

        evaluation = response.context["evaluation"]
        assert [unit.id for unit in evaluation.all_units] == [
            finished.pairs.first().topic.external_id
        ]
        assert f"Left out for you: the topics of <b>{running.name}</b>" in (
            response.content.decode()
        )


def test_the_lab_names_the_relevant_document_that_one_run_alone_found(client, study):
    best, worst, middle = finish(study)
    add(study, one=[best, worst], other=[middle, worst])

    response = get(client, study, "evaluation:lab", protocol="trec", depth="1", measure="P@10")

    rows = {row.name: row for row in response.context["rows"]}
    assert [(row.relevant_alone, row.alone) for row in rows.values()] == [(1, 1), (1, 1)]
    pair = study.batch.pairs.get(document__external_id=best)
    [find] = rows["one"].finds
    assert (find.document, find.pair) == (best, str(pair.public_id))
    assert reverse("agreement:pair", args=[pair.public_id]) in response.content.decode()
    assert rows["one"].without == 0


def test_a_depth_that_is_no_number_is_refused(client, study):
    finish(study)

    for depth in ("0", "x", "10001", "\u0661"):
        assert get(client, study, "evaluation:lab", depth=depth).status_code == 400


def test_ranked_papers_lead_to_the_page_of_their_pair(client, study):
    best, worst, _ = finish(study)
    add(study, one=[best, worst], other=[worst, best, "unknown"])

    page = get(client, study, "evaluation:compare", protocol="trec", measure="RR").content.decode()

    for pair in study.batch.pairs.filter(document__external_id__in=[best, worst]):
        assert page.count(reverse("agreement:pair", args=[pair.public_id])) == 2
    assert "unknown" in page


@pytest.fixture
def memory(monkeypatch):
    """Figures are kept as in a server, although each test is a transaction."""

    def version(collection):
        return Event.objects.of_collection(collection).count()

    monkeypatch.setattr(frame, "version_of", version)
    monkeypatch.setattr(selection, "version_of", version)
    monkeypatch.setattr(selection, "_figures", Shelf(1000))


@pytest.mark.usefixtures("memory")
def test_draws_are_made_once_until_something_changes(client, study, monkeypatch):
    best, worst, middle = finish(study)
    add(study, a=[best, middle, worst], b=[middle, best, worst], c=[worst, middle, best])
    draws, draw = [], disagreement.seats_by_topic
    monkeypatch.setattr(
        disagreement, "seats_by_topic", lambda *of, **how: draws.append(of) or draw(*of, **how)
    )
    pages = [get(client, study, "evaluation:stability")]

    with monkeypatch.context() as nothing_is_measured:
        nothing_is_measured.setattr(Evaluation, "measure", None)
        pages.append(get(client, study, "evaluation:stability"))
    add(study, d=[worst, best, middle])
    pages.append(get(client, study, "evaluation:stability"))

    assert len(draws) == 2
    assert [len(page.context["lots"]) for page in pages] == [3, 3, 4]
    assert pages[0].context["sentence"] == pages[1].context["sentence"]


@pytest.mark.usefixtures("memory")
def test_figures_of_another_measure_or_draw_are_not_those_kept_before(client, study):
    best, worst, middle = finish(study)
    add(study, a=[best, middle, worst], b=[middle, best, worst], c=[worst, middle, best])

    measures = ["nDCG@10", "AP", "nDCG@10"]
    pages = [
        get(client, study, "evaluation:stability", protocol="trec", measure=measure)
        for measure in measures
    ]
    per_pair = get(client, study, "evaluation:stability", draws="pair")

    assert [
        [f"measure={quote(measure)}" in page.context["swaps"]["to_all"] for measure in measures]
        for page in pages
    ] == [[True, False, True], [False, True, False], [True, False, True]]
    assert "draws=pair" in per_pair.context["swaps"]["to_all"]


def test_any_source_can_be_the_reference_of_stability(client, study):
    best, worst, middle = finish(study)
    add(study, a=[best, middle, worst], b=[middle, best, worst], c=[worst, middle, best])

    response = get(client, study, "evaluation:stability", protocol="trec", values="seat:1")

    page = response.content.decode()
    assert "the order by the first seat agrees" in page
    assert "significant by the first seat" in page
    assert "no p after Holm can be below 1.00 here" in page
    names = [column.name for column in response.context["columns"]]
    assert names == ["Gold", "First seat", "Second seat"]


def test_scores_by_a_mapping_say_so_and_measure_from_its_least_grade(client, study):
    best, worst, middle = finish(study)
    add(study, good=[best, middle, worst], bad=[worst, middle, best])
    add_binary(study.collection)

    response = get(
        client, study, protocol="trec", measure="RR", mapping="binary", least="1", values="seat:2"
    )

    assert [row.cells[0].value for row in response.context["scores"].rows]
    page = response.content.decode()
    assert "second seat, by the mapping Binary, version 1" in page
    assert get(client, study, mapping="no-such").status_code == 400
    assert get(client, study, least="much").status_code == 400


def test_scores_are_shown_beside_those_by_another_source(client, study):
    documents = [pair.document.external_id for pair in study.batch.pairs.all()]
    study.finish(alice=[2, 0, 0], bob=[0, 0, 2])
    first, _, last = documents
    add(study, a=[first, last], b=[last, first])

    response = get(client, study, protocol="trec", measure="RR", values="seat:1", against="seat:2")

    assert response.context["by_other"] == {"a": (0.5, "2"), "b": (1, "1")}
    page = response.content.decode()
    assert "By the second seat, on 1 topic with values from both, 1 of 1 pair of runs is" in page
    assert get(client, study, against="seat:9").status_code == 400
