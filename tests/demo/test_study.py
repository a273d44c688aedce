"""The demo study is a CSFCube-shaped folder with a story; both must fit together."""

import csv
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STUDY = ROOT / "demo" / "study"
FRONT_MATTER = "fw1031"
STATES = ["adjudicated", "handed_in", "in_progress", "unassigned"]


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def papers():
    lines = (STUDY / "abstracts-csfcube-preds.jsonl").read_text(encoding="utf-8").splitlines()
    return {paper["paper_id"]: paper for paper in map(json.loads, lines)}


@pytest.fixture(scope="module")
def pools():
    return read_json(STUDY / "test-pid2pool-csfcube.json")


@pytest.fixture(scope="module")
def queries():
    with (STUDY / "queries-release.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def story():
    return read_json(STUDY / "story.json")


@pytest.fixture(scope="module")
def people():
    return read_json(ROOT / "demo" / "people.json")


@pytest.fixture(scope="module")
def scheme():
    return read_json(ROOT / "annotation" / "schemes" / "shipped" / "csfcube.json")


def labels_of(scheme, facet_key):
    (facet,) = [facet for facet in scheme["facets"] if facet["key"] == facet_key]
    return set(facet["sentence_labels"])


def topics_in_state(story, state):
    return [topic for topic in story["batches"] if topic["state"] == state]


def is_disputed(answers):
    first, second = answers
    return "option" not in first or first.get("option") != second.get("option")


def disputed_documents(topic):
    return {document for document, answers in topic["ratings"].items() if is_disputed(answers)}


def test_queries_have_the_official_header_and_line_ends():
    content = (STUDY / "queries-release.csv").read_bytes()

    assert content.startswith(b"pid,facet,year,title,paper type\r\n")
    assert content.count(b"\n") == content.count(b"\r\n")


def test_queries_repeat_title_and_year_of_their_paper(queries, papers):
    for row in queries:
        paper = papers[row["pid"]]

        assert (row["title"], row["year"]) == (paper["title"], str(paper["metadata"]["year"]))


def test_papers_are_numbered_once_and_without_white_space(papers):
    lines = (STUDY / "abstracts-csfcube-preds.jsonl").read_text(encoding="utf-8").splitlines()

    assert len(lines) == len(papers) == 46
    assert all(identifier == "".join(identifier.split()) for identifier in papers)


def test_every_sentence_has_a_known_label(papers):
    known = {f"{name}_label" for name in ("background", "objective", "method", "result", "other")}

    for paper in papers.values():
        assert len(paper["abstract"]) == len(paper["pred_labels"]) >= 4
        assert set(paper["pred_labels"]) <= known


def test_every_query_has_a_pool_of_twelve_papers_with_text(pools, papers, queries):
    assert set(pools) == {row["pid"] for row in queries}
    for query, pool in pools.items():
        assert len(set(pool["cands"])) == len(pool["cands"]) == 12
        assert set(pool["cands"]) <= set(papers) - {query}
        assert len(pool["cand_source"]) == 12
        assert all(pool["cand_source"])


def test_every_judged_paper_says_something_about_the_facet(queries, pools, papers, scheme):
    for row in queries:
        labels = labels_of(scheme, row["facet"])

        for identifier in [row["pid"], *pools[row["pid"]]["cands"]]:
            says = labels & set(papers[identifier]["pred_labels"])
            # A missing facet is met with "cannot judge" once; a wrong label hides none.
            assert bool(says) is not (identifier == FRONT_MATTER), identifier


def test_no_sentence_is_taken_from_csfcube(papers, shared_data):
    corpus = (shared_data / "csfcube-half" / "abstracts-csfcube-preds.jsonl").read_text()
    theirs = [json.loads(line) for line in corpus.splitlines()]
    taken = {sentence for paper in theirs for sentence in paper["abstract"]}
    titles = {paper["title"] for paper in theirs}

    for paper in papers.values():
        assert not taken & set(paper["abstract"])
        assert paper["title"] not in titles


def test_the_people_fill_every_role_at_invented_addresses(people):
    roles = [person["role"] for person in people]

    assert sorted(roles) == ["adjudicator"] + ["annotator"] * 4 + ["lead", "site_admin"]
    assert all(person["email"].endswith("@example.org") for person in people)


def test_the_story_tells_of_every_topic_in_every_state(story, queries):
    topics = sorted(topic["topic"] for topic in story["batches"])

    assert topics == sorted(f"{row['pid']}_{row['facet']}" for row in queries)
    assert [len(topics_in_state(story, state)) for state in STATES] == [2, 1, 2, 1]


def test_seats_are_held_by_two_different_annotators(story, people):
    annotators = {person["key"] for person in people if person["role"] == "annotator"}

    for topic in story["batches"]:
        holders = [seat["annotator"] for seat in topic["seats"]]
        assert len(set(holders)) == len(holders) == (0 if topic["state"] == "unassigned" else 2)
        assert set(holders) <= annotators


def test_a_seat_is_handed_in_only_when_it_is_complete(story):
    for topic in story["batches"]:
        for seat in topic["seats"]:
            assert seat["rated"] <= len(topic["ratings"]) == 12
            assert not seat["handed_in"] or seat["rated"] == 12
    for topic in topics_in_state(story, "in_progress"):
        first, second = topic["seats"]
        assert first["rated"] != second["rated"]


def test_ratings_cover_the_pool_with_answers_of_the_scheme(story, pools, scheme):
    options = {option["key"] for option in scheme["options"]}
    reasons = {reason["key"] for reason in scheme["cannot_judge_reasons"]}

    for topic in story["batches"]:
        if topic["state"] == "unassigned":
            continue
        query, _, _ = topic["topic"].rpartition("_")
        assert list(topic["ratings"]) == pools[query]["cands"]
        for answers in topic["ratings"].values():
            assert len(answers) == 2
            for answer in answers:
                assert ("option" in answer) is not ("cannot_judge" in answer)
                assert answer.get("option") in {*options, None}
                assert answer.get("cannot_judge") in {*reasons, None}
                assert 8 <= answer["active_seconds"] <= 180


def test_annotators_differ_as_often_as_people_do(story):
    for topic in story["batches"]:
        if topic["ratings"]:
            share = len(disputed_documents(topic)) / len(topic["ratings"])
            assert 0.25 <= share <= 0.35, topic["topic"]


def test_decisions_settle_exactly_the_disputed_pairs(story, scheme):
    causes = {cause["key"] for cause in scheme["causes"]}

    for topic in topics_in_state(story, "adjudicated"):
        decided = [d["pair"] for d in topic["decisions"] if "reopened" not in d]
        assert len(decided) == len(set(decided))
        assert set(decided) == disputed_documents(topic)
        for decision in topic["decisions"]:
            assert ("option" in decision) is not ("exclude" in decision)
            assert decision.get("cause") in {*causes, None}
    for state in ("handed_in", "in_progress", "unassigned"):
        assert all(topic["decisions"] == [] for topic in topics_in_state(story, state))


def test_one_decision_overrules_both_with_a_rationale_and_one_excludes(story):
    overruling, excluding = [], []
    for topic in story["batches"]:
        for decision in topic["decisions"]:
            given = {answer.get("option") for answer in topic["ratings"][decision["pair"]]}
            if "exclude" in decision:
                excluding.append(decision["exclude"])
            elif decision["option"] not in given:
                overruling.append(decision["rationale"])

    assert len(overruling) == len(excluding) == 1
    assert all(overruling + excluding)
