"""The agreement of a closed collection, for all of its members."""

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.subjects.overview.closed import closed_of, closed_table
from datasets.access import get_membership, of_member


@require_safe
def closed(request, slug):
    """Before it is closed there is no such page, for anybody."""
    member = get_membership(request.user, slug)
    summary = closed_of(member.collection, viewer=request.user)
    if summary is None:
        raise Http404("There is no such page.")
    scheme = member.collection.scheme
    context = {
        **of_member(member),
        "summary": summary,
        "table": closed_table(summary),
        "unit": summary.unit,
        "consensus_rule": scheme.rule_in_words,
    }
    return render(request, "agreement/closed.html", context)
