"""Lists of pairs behind a number, and the page of one pair."""

from urllib.parse import parse_qsl

from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.listing import listing
from agreement.pages.frame import AT_A_TIME, get_selection
from agreement.pairs.lists import PairList, read_list
from agreement.pairs.reading import PairPage
from agreement.study.selection import selection_of
from annotation.access import get_pair_for_lead
from annotation.models import Pair
from annotation.progress.figures import facet_names, titles
from annotation.progress.pairs import pair_rows
from datasets.access import of_member

# Pairs drawn as ticks in the bar of a list; more would be narrower than a pixel.
MOST_TICKS = 300


@require_safe
def pairs(request, slug):
    """The pairs behind a number, with what was said of them."""
    selection = get_selection(request, slug)
    pair_list = read_list(selection, request.GET)
    if pair_list is None:
        # Lists are opened from numbers; most of these stand there.
        return redirect("agreement:disagreements", slug)
    collection = selection.collection
    title_of, facet_name_of = titles(collection), facet_names(collection.scheme)
    texts = _texts(collection, request.user, title_of) if request.GET.get("words") else {}
    searched = listing(
        pair_list.pairs, request.GET, text=lambda pk: texts.get(pk, ""), size=AT_A_TIME
    )
    shown = {pk: number for number, pk in enumerate(searched.page.object_list)}
    rows = pair_rows(
        Pair.objects.filter(pk__in=shown).visible_to_lead(request.user),
        scheme=collection.scheme,
        user=request.user,
        ordinals=range(1, len(selection.everything.values) + 1),
    )
    for row in rows:
        row.query = title_of.get(row.pair.topic_id, row.pair.topic.external_id)
        row.facet_name = facet_name_of.get(row.pair.topic.facet, "")
    context = {
        **of_member(selection.member),
        "list": pair_list,
        "filters_in_words": selection.filters_in_words,
        **searched.context(**dict(parse_qsl(pair_list.address))),
        "pair_rows": sorted(rows, key=lambda row: shown[row.pair.pk]),
        "ordinals": range(1, len(selection.everything.values) + 1),
    }
    return render(request, "agreement/pairs.html", context)


def _texts(collection, user, title_of):
    """{pair: the text that a search looks through}"""
    rows = (
        Pair.objects.filter(topic__collection=collection)
        .visible_to_lead(user)
        .values_list("pk", "document__title", "document__external_id", "topic")
    )
    return {
        pk: f"{title} {external_id} {title_of.get(topic, '')}"
        for pk, title, external_id, topic in rows.iterator()
    }


@require_safe
def pair(request, public_id):
    """Both texts, what was said of them and what became of it, and the list they stand in."""
    opened_pair, member = get_pair_for_lead(request.user, public_id)
    pair_list = None
    if "list" in request.GET:
        selection = selection_of(member, request.user, request.GET)
        pair_list = read_list(selection, request.GET)
    context = {
        **of_member(member),
        "pair": opened_pair,
        "page": PairPage(opened_pair, request.user),
        "bar": pair_list and ListBar(pair_list, opened_pair),
    }
    return render(request, "agreement/pair.html", context)


@require_safe
def pair_history(request, public_id):
    """The old address of a pair's history, which leads to its page."""
    get_pair_for_lead(request.user, public_id)
    return redirect(reverse("agreement:pair", args=[public_id]) + "#history")


class ListBar:
    """A pair's place in the list that it was opened from."""

    def __init__(self, pair_list: PairList, pair: Pair) -> None:
        self.list = pair_list
        self.place = pair_list.place(pair.pk)
        self.count = len(pair_list.pairs)
        beside = {by: pair_list.beside(pair.pk, by) for by in (-1, 1)}
        neighbours = [pk for pk in beside.values() if pk]
        public_ids = dict(Pair.objects.filter(pk__in=neighbours).values_list("pk", "public_id"))
        self.previous, self.next = (
            pk and f"{reverse('agreement:pair', args=[public_ids[pk]])}?{pair_list.address}"
            for pk in beside.values()
        )

    @property
    def ticks(self) -> list[tuple[str, str, bool]]:
        """(left, width, whether it is this pair) of each tick, in per cent."""
        if self.count > MOST_TICKS:
            return []
        step = 100 / max(self.count, 24)
        return [
            (f"{number * step:.2f}%", f"{0.8 * step:.2f}%", number + 1 == self.place)
            for number in range(self.count)
        ]
