"""Contexts of a seat's pages and fragments."""

import hashlib
import json
from decimal import Decimal

from accounts.tokens import plain_save_id
from annotation.models import Pair, Rating, RatingRevision
from annotation.reading.lens import candidate_lens, query_lens
from annotation.reading.texts import PAIRS_AT_ONCE, sentences, shown_queries
from annotation.schemes import guidelines
from annotation.schemes.examples import guidelines_for
from annotation.workbench.answers import Components, answer_of_form, answer_of_rating, reasons
from annotation.workbench.bench import Place
from audit.statements import Select, padded

PAIRS = Select(
    lambda *pairs: (
        Pair.objects.with_query()
        .filter(pk__in=pairs)
        .select_related("topic", "document", "side_text")
        .defer("document__metadata", "document__extra")
    ),
    *[int] * PAIRS_AT_ONCE,
)
OWN_RATINGS = Select(
    lambda seat, annotator, *pairs: Rating.objects.filter(
        seat=seat, annotator=annotator, pair__in=pairs
    ),
    *[int] * (2 + PAIRS_AT_ONCE),
)


def pair_context(bench, place, *, form=None, reason=""):
    """Context of the page of one pair.

    `form` is a RatingForm refused for `reason`: its input is shown instead of the stored answer.
    """
    [context] = _contexts(bench, [place.step], lambda step: bench.places[step.number - 1], form)
    return context | {
        "place": place,
        "previous": bench.beside(place.step, -1),
        "following": bench.beside(place.step, 1),
        "standing": _standing(context),
        "save_id": _save_id(bench.seat, place, context["based_on"]),
        "reason": reason,
    }


def text_contexts(bench, steps, *, known_keys):
    """Contexts of pairs that a script fetches ahead, in as many statements as for one.

    `known_keys` are the keys of the queries and papers that the script has already. Every other one
    comes with the first pair that needs it.
    """
    known_keys = set(known_keys)
    for context in _contexts(bench, steps, lambda step: Place(step, bench.url(step))):
        yield context | {
            "standing": _standing(context),
            "brings_query": context["query_key"] not in known_keys,
            "brings_paper": context["paper_key"] not in known_keys,
        }
        known_keys |= {context["query_key"], context["paper_key"]}


def pair_contexts(bench, steps):
    """Contexts of pairs that are shown beside each other."""
    for context in _contexts(bench, steps, lambda step: bench.places[step.number - 1]):
        place = bench.places[context["step"].number - 1]
        yield context | {"save_id": _save_id(bench.seat, place, context["based_on"])}


def _standing(context):
    """A pair's standing in the holder's seat, as data for scripts."""
    answer, components = context["answer"], context["components"]
    rows = components.rows if components else []
    return json.dumps(
        {
            "version": context["based_on"],
            "seconds": float(context["seconds"]),
            "schemeVersion": context["bench"].version.number,
            "answer": {
                "choice": answer.choice,
                "own_reason": answer.own_reason,
                "note": answer.note,
                "is_flagged": answer.is_flagged,
                "components": [row for row in rows if row["text"]],
            },
        }
    )


def _contexts(bench, steps, place_of, form=None):
    """The context of each pair: its texts, and its standing in this seat.

    At most PAIRS_AT_ONCE. `place_of` gives the place of a step, for the links in a tree of aspects.
    """
    keys = padded((step.pair_id for step in steps), PAIRS_AT_ONCE)
    pairs = {pair.pk: pair for pair in PAIRS.rows(*keys)}
    ratings = {
        rating.pair_id: rating
        for rating in OWN_RATINGS.rows(bench.seat.pk, bench.seat.holder_id, *keys)
    }
    shown = shown_queries(pairs.values(), facets=bench.facets, words=bench.version.words)
    splits = {}
    for step in steps:
        pair, rating = pairs[step.pair_id], ratings.get(step.pair_id)
        yield {
            "bench": bench,
            "seat": bench.seat,
            "step": step,
            "url": bench.url(step),
            **_text_context(bench, step, pair, shown[pair.pk], place_of),
            **_answer_context(bench, pair, rating, form, splits),
        }


def _text_context(bench, step, pair, shown, place_of):
    """What is read of a pair: its query and its document under the lens."""
    facet_key, words = pair.topic.facet, bench.version.words
    is_labelled = bench.is_labelled(facet_key)
    facet_name = words.shown_name(facet_key)
    labelled = facet_name if is_labelled else ""
    document_sentences = sentences(
        pair.document, facets=bench.facets, words=words, marked=facet_key
    )
    of_document = bench.walk.of_document(pair.document_id)
    side_text = getattr(pair, "side_text", None)
    # Which of the seat's topics and documents this is, counted from 1.
    topic = bench.walk.topic_numbers[pair.topic_id]
    document = bench.walk.document_numbers[pair.document_id]
    return {
        # A script keeps on the page what two pairs share, and fetches it once.
        "topic_number": topic,
        "document_number": document,
        "query_key": f"{topic}-{_number_of_query(bench, pair)}",
        # A side text is of the pair, and so the paper with it.
        "paper_key": f"{facet_key}-{document}" + (f"-{topic}" if side_text else ""),
        "side_text": side_text,
        "facet_key": facet_key,
        "facet_name": facet_name,
        "facet_is_labelled": is_labelled,
        "question": words.judged(facet_key).question or pair.topic.text,
        "shown": shown,
        "aspect_rows": shown.rows(
            own_places={topic: place_of(other) for topic, other in of_document.items()}
        ),
        "document": pair.document,
        # Where documents are walked through one by one, each under all its topics.
        "candidate_number": f"{step.group} of {bench.group_count}" if bench.is_by_document else "",
        "query_lens": query_lens(shown, labelled),
        "candidate_lens": candidate_lens(document_sentences, shown, labelled),
    }


def _answer_context(bench, pair, rating, form, splits):
    """What is chosen from for a pair, and how it stands in this seat; `splits` as `_components`
    takes them."""
    facet_key = pair.topic.facet
    answer = answer_of_form(form) if form else answer_of_rating(bench.terms, facet_key, rating)
    return {
        "choices": bench.terms.choices_of(facet_key),
        "reasons": reasons(bench.terms),
        "components": _components(bench, pair.topic_id, answer, splits),
        "answer": answer,
        "based_on": rating.version if rating else 0,
        "seconds": rating.active_seconds if rating else Decimal(0),
    }


def _number_of_query(bench, pair):
    """A number for the query that the pair is shown with, since a topic may stand in several. It
    says nothing else."""
    digest = hashlib.sha256(f"{bench.seat.seed} {pair.query_id}".encode())
    return digest.hexdigest()[:8]


def _components(bench, topic_id, answer, splits):
    """The panel for key components; None where the scheme does not ask for any.

    `splits` are those remembered so far, by topic, which many pairs may share.
    """
    if not bench.version.asks_components:
        return None
    if answer.components or bench.is_read_only:
        return Components(bench, answer, [])
    if topic_id not in splits:
        splits[topic_id] = _remembered(bench, topic_id)
    return Components(bench, answer, splits[topic_id])


def _remembered(bench, topic_id):
    """The holder's last split of this aspect in this seat: the texts of its components."""
    last = (
        RatingRevision.objects.filter(
            rating__seat=bench.seat,
            rating__annotator=bench.seat.holder_id,
            rating__pair__topic=topic_id,
        )
        .exclude(components=[])
        .order_by("-pk")
        .values_list("components", flat=True)
        .first()
    )
    return [component["text"] for component in last or []]


def conflict_context(bench, place, form, rating):
    """The stored answer beside the one that was sent, and what sending the latter again takes."""
    version = rating.version if rating else 0
    pair = Pair.objects.select_related("document").get(pk=place.step.pair_id)
    return {
        "bench": bench,
        "seat": bench.seat,
        "place": place,
        "title": pair.document.heading,
        "stored": answer_of_rating(bench.terms, place.step.facet, rating),
        "mine": answer_of_form(form),
        "based_on": version,
        # A version never goes back, unless the database does.
        "is_older": version < form.cleaned_data["based_on"],
        "save_id": _save_id(bench.seat, place, version),
        "scheme_version": form.cleaned_data["scheme_version"],
        "active_seconds": form.cleaned_data["active_seconds"],
    }


def guidelines_context(bench, facet_key, *, top):
    """The guidelines with the definitions for one facet before them.

    `top` is the level of their first headings: they are a page, or a drawer in one.
    """
    text = guidelines_for(bench.seat.holder.user_id, bench.version)
    return {
        "bench": bench,
        "seat": bench.seat,
        "words_name": bench.version.words.judged(facet_key).name,
        "choices": bench.terms.choices_of(facet_key),
        "guidelines": guidelines.render(text, top=top),
    }


def _save_id(seat, place, version):
    identity = seat.public_id, seat.holder.public_id, place.position, version
    return plain_save_id("annotation.workbench.save_id", *identity)
