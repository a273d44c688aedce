"""Scores and sub-queries once more, slowly and from the paper's words alone.

A query is a dictionary as in the published file: `aspects` {id: [sub-aspect ids]}, `links`
{sentence: [ids]} in reading order, `pool` [documents]. `values` is {(id, document): value}.
"""

from fractions import Fraction
from itertools import combinations


def ids_of(query, aspects):
    ids = []
    for aspect in aspects:
        for id_ in [aspect, *query["aspects"][aspect]]:
            if id_ not in ids:
                ids.append(id_)
    return ids


def scores(query, aspects, values):
    """{document: (S, S/|Q|, is relevant)} of documents with a value for every id."""
    ids = ids_of(query, aspects)
    scores_of = {}
    for document in query["pool"]:
        if all((id_, document) in values for id_ in ids):
            total = sum((Fraction(values[id_, document]) for id_ in ids), Fraction(0))
            scores_of[document] = (total, total / len(ids), total / len(ids) >= 1)
    return scores_of


def rank_of(document, by_document):
    return 1 + sum(1 for other in by_document.values() if other[0] > by_document[document][0])


def aspects_of_link(query, id_):
    if id_ in query["aspects"]:
        return {id_}
    return {aspect for aspect, below in query["aspects"].items() if id_ in below}


def sub_queries(query, size):
    """{(aspects): text} of the combinations that the rule keeps."""
    kept = {}
    for aspects in combinations(query["aspects"], size):
        texts, spoken_of = [], []
        for aspect in aspects:
            for sentence, links in query["links"].items():
                of_link = [aspects_of_link(query, link) for link in links]
                if any(aspect in spoken for spoken in of_link):
                    spoken_of += of_link
                    if sentence not in texts:
                        texts.append(sentence)
        asks_for_more = any(spoken and not spoken & set(aspects) for spoken in spoken_of)
        if texts and not asks_for_more:
            kept[aspects] = " ".join(texts)
    return kept


def published_sub_queries(query, size):
    """The same as the published code has it, for links to aspects alone: it counts the aspects
    that the sentences of a combination are linked to, and leaves it out if they are more."""
    kept = {}
    for aspects in combinations(query["aspects"], size):
        texts = []
        for aspect in aspects:
            texts += [
                sentence
                for sentence, links in query["links"].items()
                if aspect in links and sentence not in texts
            ]
        linked = {aspect_id for sentence in texts for aspect_id in query["links"][sentence]}
        if texts and len(linked) <= size:
            kept[aspects] = " ".join(texts)
    return kept
