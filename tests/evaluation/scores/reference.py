"""Scores and sub-queries once more, slowly and from the paper's words alone.

A query is a dictionary as in the published file: `aspects` {id: [sub-aspect ids]}, `links`
{sentence: [ids]} in reading order, `pool` [documents]. `values` is {(id, document): value}.
"""

from fractions import Fraction
from itertools import combinations


def ids_of(query, aspects):
    found = []
    for aspect in aspects:
        for one in [aspect, *query["aspects"][aspect]]:
            if one not in found:
                found.append(one)
    return found


def scores(query, aspects, values):
    """{document: (S, S/|Q|, is relevant)} of documents with a value for every id."""
    ids = ids_of(query, aspects)
    found = {}
    for document in query["pool"]:
        if all((one, document) in values for one in ids):
            total = sum((Fraction(values[one, document]) for one in ids), Fraction(0))
            found[document] = (total, total / len(ids), total / len(ids) >= 1)
    return found


def rank_of(document, found):
    return 1 + sum(1 for other in found.values() if other[0] > found[document][0])


def aspects_of_link(query, one):
    if one in query["aspects"]:
        return {one}
    return {aspect for aspect, below in query["aspects"].items() if one in below}


def sub_queries(query, size):
    """{(aspects): text} of the combinations that the rule keeps."""
    found = {}
    for aspects in combinations(query["aspects"], size):
        texts, spoken_of = [], []
        for aspect in aspects:
            for sentence, links in query["links"].items():
                of_link = [aspects_of_link(query, one) for one in links]
                if any(aspect in spoken for spoken in of_link):
                    spoken_of += of_link
                    if sentence not in texts:
                        texts.append(sentence)
        asks_for_more = any(spoken and not spoken & set(aspects) for spoken in spoken_of)
        if texts and not asks_for_more:
            found[aspects] = " ".join(texts)
    return found


def published_sub_queries(query, size):
    """The same as the published code has it, for links to aspects alone: it counts the aspects
    that the sentences of a combination are linked to, and leaves it out if they are more."""
    found = {}
    for aspects in combinations(query["aspects"], size):
        texts = []
        for aspect in aspects:
            texts += [
                sentence
                for sentence, links in query["links"].items()
                if aspect in links and sentence not in texts
            ]
        linked = {one for sentence in texts for one in query["links"][sentence]}
        if texts and len(linked) <= size:
            found[aspects] = " ".join(texts)
    return found
