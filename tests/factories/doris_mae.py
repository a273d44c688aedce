"""A small file in the form of DORIS-MAE, written without the product's own writers."""

import json

TEXTS = {
    "a": "The paper listens to machines.",
    "a1": "The method works on sound.",
    "b": "The method is cheap.",
    "c": "The paper says how sure it is.",
}


def make_abstract(number, **more):
    return {
        "original_abstract": f"Abstract {number} says why. It says how, e.g. by ear. It ends.",
        "masked_abstract": f"Abstract {number} says [MASK].",
        "title": f"Title of {number}",
        "url": f"https://example.org/{number}",
        "primary_category": "cs.SD",
        "categories": ["cs.SD", "cs.LG"],
        "ss_id": f"s{number}",
        "incoming_citations": [number + 1],
        "outgoing_citations": [],
        "abstract_id": number,
    } | more


def make_query(sentences, aspects, pool, **more):
    """A query of {sentence: aspects} and {aspect: sub-aspects}."""
    return {
        "query_text": " ".join(sentences),
        "query_type": "ML",
        "idea_from": 900,
        "candidate_pool": pool,
        "sent2aspect_id": sentences,
        "aspect_id2sent": {
            aspect: [sentence for sentence, linked in sentences.items() if aspect in linked]
            for aspect in aspects
        },
        "aspects": aspects,
    } | more


def rated(aspect, abstract, *scores, **more):
    return {
        "aspect_id": aspect,
        "abstract_id": abstract,
        "human_annotation": {f"annotator_{n}": score for n, score in enumerate(scores, start=1)},
    } | more


def answer(aspect, abstract, score, **more):
    return {
        "aspect_id": aspect,
        "abstract_id": abstract,
        "gpt_response": f"I would say {score}.",
        "score": score,
    } | more


def make_dataset():
    """Two queries. "a1" stands under two aspects of the first, "b" in both queries, and no query
    has 900 in its pool. Three annotators agree, have a majority, and all differ; one machine answer
    could not be read."""
    return {
        "aspect2aspect_id": {text: aspect for aspect, text in TEXTS.items()},
        "aspect_id2aspect": dict(TEXTS),
        "Query": [
            make_query(
                {"I look after machines.": [], "I want to hear them.": ["a"], "Be cheap.": ["b"]},
                {"a": ["a1"], "b": ["a1"]},
                [20, 10],
            ),
            make_query({"I need a number.": ["c", "b"]}, {"c": ["b"]}, [10, 30]),
        ],
        "Corpus": [make_abstract(number) for number in [900, 30, 10, 20]],
        "Annotation": [answer("c", 10, 2), answer("a", 20, -1), answer("b", 30, 0)],
        "Test_set": [rated("b", 30, 2, 2, 2), rated("a", 20, 0, 1, 1), rated("b", 10, 0, 1, 2)],
    }


def write_dataset(dataset, folder):
    path = folder / "DORIS-MAE_dataset_v1.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(dataset))
    return path
