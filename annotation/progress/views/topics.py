"""One topic, its pairs, and what nobody may decide."""

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.fragments import render_page
from accounts.listing import chosen, listing
from accounts.outcomes import outcome_as_message
from annotation.access import get_topic_for_lead
from annotation.assigning.actions import batches
from annotation.forms import ReasonForm, RefusedForm
from annotation.models import Pair
from annotation.progress.attention import undecidable_pairs
from annotation.progress.figures import Figures, facet_names, titles
from annotation.progress.overview import topic_rows
from annotation.progress.pairs import list_pairs, pair_rows, text_of
from annotation.reading.texts import Sentence, sentences
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Role
from formats.words import counted


@require_safe
def topic(request, slug, public_id):
    member, topic_shown = _get_topic(request, slug, public_id)
    context = topic_context(request, member, topic_shown)
    return render_page(request, "annotation/topic.html", context, part="pairs")


def topic_context(request, member, topic_shown, **more):
    figures = Figures(member, topic=topic_shown)
    [row] = topic_rows(figures, topic=topic_shown)
    ordinals = [seats_list.ordinal for seats_list in row.lists]
    pairs = topic_shown.pairs.visible_to_lead(request.user)
    scheme = member.collection.scheme
    state = chosen(request.GET, "state", Pair.State.values)
    listed = list_pairs(
        pairs, request.GET, scheme=scheme, user=request.user, ordinals=ordinals, state=state
    )
    counts = [(value, listed.states.count(value)) for value in Pair.State]
    return {
        **of_member(member),
        "row": row,
        "topic": topic_shown,
        "batches": [
            figures.batches[pk] for pk in figures.batches if topic_shown.pk in figures.sizes[pk]
        ],
        "all_pairs": len(listed.states),
        **listed.listing.context(state=state),
        "pair_rows": listed.rows,
        "left_out": row.pairs - len(listed.states),
        "has_pool": bool(row.pairs)
        or topic_shown.queries.filter(candidates__isnull=False).exists(),
        "state": state,
        "state_counts": [(value, count) for value, count in counts if count],
        "ordinals": ordinals,
        "query": _query_text(member.collection, topic_shown),
    } | more


def _query_text(collection, topic_shown):
    """The query's text with the topic's sentences marked: of the query paper, or of the first
    query that is a text; None where nobody has split it."""
    query = topic_shown.queries.select_related("document").first()
    if query is None:
        return None
    if query.document is None:
        marked_sentences = [_sentence_for(sentence, topic_shown) for sentence in query.sentences]
        return marked_sentences and {
            "is_text": True,
            "title": f"Query {query.external_id}",
            "sentences": marked_sentences,
        }
    scheme = collection.scheme
    words = scheme.current.words
    marked = sentences(
        query.document, facets=scheme.facets.all(), words=words, marked=topic_shown.facet
    )
    return {"title": query.document.title, "sentences": marked}


def _sentence_for(sentence, topic):
    asks = topic.external_id in sentence["topics"]
    return Sentence(sentence["text"], tag="asks for it" if asks else "", facet="", is_marked=asks)


@require_POST
def lock_topic(request, slug, public_id):
    _, topic_shown = _get_topic(request, slug, public_id)
    with outcome_as_message(request, "The topic is locked. Its gold is final."):
        batches.lock_topic(topic=topic_shown, by=request.user)
    return redirect("annotation:topic", slug, public_id)


@require_POST
def lock_done_topics(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    locked = batches.lock_done_topics(collection=member.collection, by=request.user)
    if locked:
        topics = counted(len(locked), "topic is", "topics are")
        whose = "Its" if len(locked) == 1 else "Their"
        messages.success(request, f"{topics} locked. {whose} gold is final.")
    else:
        messages.info(request, "No topic is done and not locked.")
    return redirect("annotation:collection", slug)


@require_POST
def unlock_topic(request, slug, public_id):
    member, topic_shown = _get_topic(request, slug, public_id)
    form = ReasonForm(request.POST)
    try:
        batches.unlock_topic(topic=topic_shown, by=request.user, **form.checked())
    except Refused as refused:
        refused_form = RefusedForm("unlock", str(refused), request.POST)
        context = topic_context(request, member, topic_shown, refused=refused_form)
        return render(request, "annotation/topic.html", context, status=refused.status)
    messages.success(request, "The topic is unlocked. Its decisions can change again.")
    return redirect("annotation:topic", slug, public_id)


@require_POST
def unlock_topics(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    with outcome_as_message(request):
        unlocked = batches.unlock_topics(
            collection=member.collection, by=request.user, **ReasonForm(request.POST).checked()
        )
        topics = counted(len(unlocked), "topic")
        messages.success(request, f"Unlocked {topics}. Decisions can change again.")
    return redirect("annotation:collection", slug)


def _get_topic(request, slug, public_id):
    topic_shown, member = get_topic_for_lead(request.user, public_id)
    if member.collection.slug != slug:
        raise Http404("There is no such topic.")
    return member, topic_shown


@require_safe
def undecidable(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    collection = member.collection
    title_of, facet_name_of = titles(collection), facet_names(collection.scheme)
    rows = pair_rows(undecidable_pairs(collection), scheme=collection.scheme, user=request.user)
    for row in rows:
        row.query = title_of.get(row.pair.topic_id, row.pair.topic.external_id)
        row.facet_name = facet_name_of.get(row.pair.topic.facet, "")
    searched = listing(rows, request.GET, text=lambda row: f"{text_of(row)} {row.query}")
    context = {**of_member(member), **searched.context(), "rows": searched.page}
    return render(request, "annotation/undecidable.html", context)
