"""The demo's aspects are a DORIS-MAE-shaped file with a story; both must fit together."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from annotation.rating.components import Met
from annotation.rating.consensus import judge
from formats import doris_mae
from formats.sentences import split_sentences

ROOT = Path(__file__).resolve().parents[2]
STUDY = ROOT / "demo" / "aspects"
SCORE_OF = {"DISAGREE": 0, "DISPUTE": 1, "AGREE": 1, "CONCUR": 2}


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def dataset():
    return read_json(STUDY / doris_mae.FILE_NAME)


@pytest.fixture(scope="module")
def queries(dataset):
    return dataset["Query"]


@pytest.fixture(scope="module")
def story():
    return read_json(STUDY / "story.json")


@pytest.fixture(scope="module")
def scheme():
    return read_json(ROOT / "annotation" / "schemes" / "shipped" / "doris-mae.json")


def places_of(query):
    """The aspect ids of a query's tree, one for each place."""
    return [aspect for root, below in query["aspects"].items() for aspect in [root, *below]]


def question_pairs(queries):
    return {
        (aspect, abstract)
        for query in queries
        for aspect in places_of(query)
        for abstract in query["candidate_pool"]
    }


def values_of(answers, scheme):
    value_of = {option["key"]: Decimal(option["value"]) for option in scheme["options"]}
    return [value_of.get(answer.get("option")) for answer in answers]


def is_disputed(answers, scheme):
    return not judge(values_of(answers, scheme), rule=scheme["rule"]["name"]).agreed


def test_the_file_has_the_official_keys_in_their_order(dataset, queries):
    assert list(dataset) == doris_mae.KEYS
    assert all(list(query) == doris_mae.QUERY_KEYS for query in queries)
    assert all(list(entry) == doris_mae.ABSTRACT_KEYS for entry in dataset["Corpus"])
    assert all(list(answer) == doris_mae.MACHINE_KEYS for answer in dataset["Annotation"])
    assert dataset["Test_set"] == []


def test_queries_are_as_long_as_the_paper_asks(queries):
    assert [query["query_type"] for query in queries] == ["ML", "NLP"]
    assert all(95 <= len(query["query_text"].split()) <= 226 for query in queries)


def test_sentences_give_the_text_of_their_query(queries):
    for query in queries:
        sentences = list(query["sent2aspect_id"])

        assert " ".join(sentences) == query["query_text"]
        assert split_sentences(query["query_text"]) == sentences


def test_every_aspect_has_one_text_and_a_place(dataset, queries):
    texts = dataset["aspect_id2aspect"]

    assert {text: aspect for aspect, text in texts.items()} == dataset["aspect2aspect_id"]
    assert len(dataset["aspect2aspect_id"]) == len(texts)
    assert {aspect for query in queries for aspect in places_of(query)} == set(texts)


def test_trees_have_the_size_of_small_ones_of_the_paper(queries):
    for query in queries:
        assert 4 <= len(query["aspects"]) <= 5
        assert all(0 <= len(below) <= 3 for below in query["aspects"].values())


def test_one_text_stands_twice_in_a_tree_and_one_aspect_in_both(queries):
    first, second = map(places_of, queries)

    assert max(Counter(first).values()) == 1
    assert [aspect for aspect, count in Counter(second).items() if count == 2] == ["9"]
    assert set(first) & set(second) == {"6"}


def test_links_between_sentences_and_aspects_say_the_same_both_ways(queries):
    for query in queries:
        links = query["sent2aspect_id"]

        assert set(query["aspect_id2sent"]) == set(places_of(query))
        for aspect, sentences in query["aspect_id2sent"].items():
            assert (
                sentences
                == [sentence for sentence, aspects in links.items() if aspect in aspects]
                != []
            )
        assert {aspect for aspects in links.values() for aspect in aspects} <= set(places_of(query))
        assert [] in links.values()


def test_pools_name_abstracts_of_the_corpus_and_share_some(dataset, queries):
    known = [entry["abstract_id"] for entry in dataset["Corpus"]]
    pools = [query["candidate_pool"] for query in queries]

    assert known == list(range(len(known)))
    assert set().union(*pools) == set(known)
    for pool in pools:
        assert 8 <= len(set(pool)) == len(pool) <= 10
    assert len(set.intersection(*map(set, pools))) == 3


def test_abstracts_have_four_to_seven_sentences(dataset):
    for entry in dataset["Corpus"]:
        assert 4 <= len(split_sentences(entry["original_abstract"])) <= 7, entry["title"]


def test_citations_say_the_same_both_ways(dataset):
    corpus = dataset["Corpus"]

    for entry in corpus:
        cited_by = [
            paper["abstract_id"]
            for paper in corpus
            if entry["abstract_id"] in paper["outgoing_citations"]
        ]
        assert entry["incoming_citations"] == cited_by


def test_the_machine_has_answered_every_question_pair(dataset, queries):
    answers = dataset["Annotation"]

    question_keys = [(answer["aspect_id"], answer["abstract_id"]) for answer in answers]
    assert len(question_keys) == len(set(question_keys)) == 140
    assert set(question_keys) == question_pairs(queries)
    assert sum(answer["score"] == doris_mae.UNPARSED for answer in answers) == 2


def test_the_machine_scores_what_it_says(dataset):
    for answer in dataset["Annotation"]:
        label, _, reason = answer["gpt_response"].partition(". ")
        assert SCORE_OF.get(label, doris_mae.UNPARSED) == answer["score"]
        assert reason
        assert "\n" not in reason


def test_nothing_is_taken_from_doris_mae(dataset, queries, shared_data):
    theirs = read_json(shared_data / "doris-mae-sample" / doris_mae.FILE_NAME)
    taken = json.dumps([theirs["Query"], theirs["Corpus"]], ensure_ascii=False)

    ours = [entry["original_abstract"] for entry in dataset["Corpus"]]
    ours += [query["query_text"] for query in queries]
    for text in ours:
        assert not any(sentence in taken for sentence in split_sentences(text))
    assert not set(dataset["aspect2aspect_id"]) & set(theirs["aspect2aspect_id"])


def test_the_story_rates_as_many_question_pairs_as_are_drawn(story, queries):
    questions = {f"{aspect} / {abstract}" for aspect, abstract in question_pairs(queries)}
    rated = [pair for chapter in story["batches"] for pair in chapter["ratings"]]

    assert len(rated) == len(set(rated))
    assert set(rated) <= questions
    for chapter in story["batches"]:
        assert len(chapter["ratings"]) == chapter["sample"]["size"]


def test_seats_are_held_by_as_many_annotators_as_the_sample_asks_for(story):
    annotators = {
        person["key"]
        for person in read_json(ROOT / "demo" / "people.json")
        if person["role"] == "annotator"
    }

    for chapter in story["batches"]:
        holders = {seat["annotator"] for seat in chapter["seats"]}
        assert holders <= annotators
        assert len(chapter["seats"]) == len(holders) == chapter["sample"]["overlap"]
        for seat in chapter["seats"]:
            assert seat["handed_in"] is (seat["rated"] == chapter["sample"]["size"])


def test_ratings_are_answers_of_the_scheme(story, scheme):
    options = {option["key"] for option in scheme["options"] if not option.get("import_only")}
    reasons = {reason["key"] for reason in scheme["cannot_judge_reasons"]}

    for chapter in story["batches"]:
        for answers in chapter["ratings"].values():
            assert len(answers) == chapter["sample"]["overlap"]
            for answer in answers:
                assert ("option" in answer) is not ("cannot_judge" in answer)
                assert answer.get("option") in {*options, None}
                assert answer.get("cannot_judge") in {*reasons, None}
                assert 30 <= answer["active_seconds"] <= 300
                for part in answer.get("components", []):
                    assert part["text"]
                    assert part["met"] in set(Met)


def test_the_finished_sample_has_every_kind_of_outcome(story, scheme):
    finished, _ = story["batches"]
    kinds = Counter()
    for answers in finished["ratings"].values():
        options = {answer.get("option") for answer in answers}
        values = set(values_of(answers, scheme))
        kinds["three values"] += {0, 1, 2} <= values
        kinds["one value, two options"] += {"dispute", "agree"} == options
        kinds["majority"] += len(values) == 2 and not is_disputed(answers, scheme)
        kinds["cannot judge, outvoted"] += None in values and not is_disputed(answers, scheme)

    assert kinds["three values"] == 2
    assert kinds["cannot judge, outvoted"] == 1
    assert kinds["one value, two options"] >= 2
    assert kinds["majority"] >= 3


def test_one_dispute_is_decided_with_rationale_and_cause_and_one_waits(story, scheme):
    finished, in_progress = story["batches"]
    disputed = {
        pair for pair, answers in finished["ratings"].items() if is_disputed(answers, scheme)
    }

    (decision,) = finished["decisions"]
    assert decision["pair"] in disputed
    assert decision["cause"] in {cause["key"] for cause in scheme["causes"]}
    assert decision["rationale"]
    assert len(disputed) == 2
    assert in_progress["decisions"] == []
