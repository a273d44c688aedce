"""The first page of a collection."""

from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from accounts.fragments import render_page
from accounts.listing import chosen, listing
from annotation.progress.overview import overview
from annotation.progress.rows import TopicState
from annotation.progress.setting_up import setting_up
from datasets.access import get_membership, of_member

# A published collection has some thousand aspects, and each row a drawing.
PAGE_SIZE = 50
ORDERS = {
    "disputes": ("most differ first", lambda row: -(row.disputes or 0)),
    "pairs": ("most pairs first", lambda row: -row.pairs),
    "title": ("title", lambda row: row.title.casefold()),
}


@require_safe
def collection(request, slug):
    """The lead's overview; other members are sent to where their own work is."""
    member = get_membership(request.user, slug)
    if not member.is_lead:
        only_adjudicates = member.is_adjudicator and not member.is_annotator
        return redirect("adjudication:queue", slug) if only_adjudicates else redirect("home")
    report = overview(member)
    state = chosen(request.GET, "state", list(TopicState))
    scheme = member.collection.scheme
    rows = [row for row in report.topics if state in ("", row.state)]
    topics = listing(rows, request.GET, text=_text_of, orders=ORDERS, size=PAGE_SIZE)
    context = {
        **of_member(member),
        "scheme": scheme,
        "version": scheme.current,
        "rule": scheme.rule_in_words,
        "report": report,
        "setup": setting_up(report, scheme, has_runs=member.has_runs),
        "state": state,
        **topics.context(state=state),
        "rows": topics.page,
    }
    return render_page(request, "annotation/collection.html", context, part="topics")


def _text_of(row):
    """The searchable text of a topic: its names, its queries, and the people who rate it."""
    people = " ".join(person.name for person in row.people)
    names = [row.title, row.topic.external_id, row.facet_name, *row.queries, people]
    return " ".join(names)
