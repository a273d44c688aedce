"""What the pages and fragments of a seat print."""

from decimal import Decimal
from statistics import median

from annotation import guidelines
from annotation.models import Pair, Rating, RatingRevision, Seat
from annotation.reading import sentences, shown_query
from annotation.workbench.answers import (
    Components,
    answer_of_form,
    answer_of_rating,
    choices,
    plain_save_id,
    reasons,
)


def pair_context(bench, place, *, form=None, reason=""):
    """Context of one pair, for the page and for the fragment that is fetched ahead.

    `form` is a RatingForm refused for `reason`: its input is shown instead of the stored answer.
    """
    pair = Pair.objects.select_related("topic", "document").get(pk=place.pair_id)
    rating = None if place.is_open else Rating.objects.get(pair=pair, seat=bench.seat)
    answer = answer_of_form(bench, form) if form else answer_of_rating(bench, rating)
    facet_key = pair.topic.facet
    words = bench.version.words_for(facet_key)
    read = {"facets": bench.facets, "wording": bench.wording}
    shown = shown_query(pair, **read)
    document_sentences = sentences(pair.document, **read, marked=facet_key)
    version = rating.version if rating else 0
    return {
        "bench": bench,
        "seat": bench.seat,
        "place": place,
        "previous": bench.beside(place, -1),
        "following": bench.beside(place, 1),
        # Which of the seat's topics and documents this is: a script keeps on the page what two
        # pairs share.
        "topic_number": bench.rank_of(place, "topic_id"),
        "document_number": bench.rank_of(place, "document_id"),
        "facet_key": facet_key,
        "facet_name": words.get("name", "") if facet_key else "",
        "question": words.get("question", "") or pair.topic.text,
        "shown": shown,
        "aspect_rows": shown.rows(own=bench.of_document(pair.document_id)),
        "document": pair.document,
        "document_sentences": document_sentences,
        "document_is_marked": any(sentence.is_marked for sentence in document_sentences),
        "choices": choices(bench, facet_key),
        "reasons": reasons(bench),
        "components": _components(bench, pair, answer),
        "answer": answer,
        "based_on": version,
        "save_id": plain_save_id(bench.seat, place, version),
        "reason": reason,
        "seconds": rating.active_seconds if rating else Decimal(0),
    }


def _components(bench, pair, answer):
    """The panel for key components; None where the scheme does not ask for any."""
    if not bench.version.asks_components:
        return None
    remembered = [] if answer.components or bench.is_read_only else _remembered(bench, pair)
    return Components(bench, answer, remembered)


def _remembered(bench, pair):
    """How the holder last split this aspect in this seat: the texts of its components."""
    last = (
        RatingRevision.objects.filter(
            rating__seat=bench.seat,
            rating__annotator=bench.seat.holder,
            rating__pair__topic=pair.topic,
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
    return {
        "bench": bench,
        "seat": bench.seat,
        "place": place,
        "title": Pair.objects.select_related("document").get(pk=place.pair_id).document.title,
        "stored": answer_of_rating(bench, rating),
        "mine": answer_of_form(bench, form),
        "based_on": version,
        "save_id": plain_save_id(bench.seat, place, version),
        "scheme_version": form.cleaned_data["scheme_version"],
        "active_seconds": form.cleaned_data["active_seconds"],
    }


def guidelines_context(bench, facet_key, *, top):
    """The guidelines with the definitions for one facet before them.

    `top` is the level of their first headings: they are a page, or a drawer in one.
    """
    return {
        "bench": bench,
        "seat": bench.seat,
        "words_name": bench.version.words_for(facet_key).get("name", ""),
        "choices": choices(bench, facet_key),
        "guidelines": guidelines.render(bench.version.guidelines, top=top),
    }


def hand_in_context(bench):
    """What the holder checks before handing in: their own answers' state, and their own time."""
    seconds = list(
        Rating.objects.filter(
            seat=bench.seat, annotator=bench.seat.holder, active_seconds__gt=0
        ).values_list("active_seconds", flat=True)
    )
    return {
        "bench": bench,
        "seat": bench.seat,
        "places": bench.places,
        "open_places": [place for place in bench.places if place.is_open],
        "cannot_judge_places": [p for p in bench.places if p.state == "cannot-judge"],
        "flagged_places": [place for place in bench.places if place.is_flagged],
        "median_seconds": median(seconds) if seconds else None,
        "total_minutes": int(sum(seconds) // 60),
        "next_seat": _next_seat(bench.seat),
    }


def _next_seat(seat):
    """Another open seat of the same person in the collection, for when this one is done."""
    own = Seat.objects.of(seat.holder.user_id).open()
    others = own.filter(batch__collection=seat.batch.collection_id)
    return others.exclude(pk=seat.pk).order_by("batch__position", "batch_id").first()
