"""Sentences as they are read: of a paper or a query, those about the topic marked."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """`facet` is the key of the facet its label counts as, empty for none; `tag` is printed."""

    text: str
    tag: str
    facet: str
    is_marked: bool


def sentences(document, *, facets, wording, marked=""):
    """The sentences of a document in reading order; those of the facet `marked` are marked.

    Several labels may count as one facet (objective as background), and then carry its name.
    """
    facet_of = {label: facet.key for facet in facets for label in facet.sentence_labels}
    return [
        Sentence(
            text=sentence["text"],
            tag=_tag(sentence.get("label"), facet_of, wording),
            facet=facet_of.get(sentence.get("label"), ""),
            is_marked=bool(marked) and facet_of.get(sentence.get("label")) == marked,
        )
        for sentence in document.sentences
    ]


def _tag(label, facet_of, wording):
    if label in facet_of:
        return wording["facets"][facet_of[label]]["name"]
    return (label or "").removesuffix("_label").replace("_", " ").capitalize()


def asked_sentences(query, topic, mark):
    """The sentences of a query that is a text; those that ask for the topic carry its mark.

    Empty where nobody has split the text into sentences.
    """
    return [
        Sentence(
            text=sentence["text"],
            tag=mark if topic.external_id in sentence["topics"] else "",
            facet="",
            is_marked=topic.external_id in sentence["topics"],
        )
        for sentence in query.sentences
    ]
