"""The adjudicator's screens, and a lead's reopening."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.outcomes import outcome_as_message
from adjudication import actions
from adjudication.access import get_pair, get_topic
from adjudication.audits.querysets import waiting_audits
from adjudication.desk import QueueDesk
from adjudication.kinds import kind_lists
from adjudication.queue import first_to_open, next_topic, rows, topic_strip
from adjudication.scale import Scale
from adjudication.sequence import Sequence
from adjudication.walk import disputes_of, raters_of, sequence_strip
from annotation.access import get_pair_for_lead
from annotation.closing import is_closed
from annotation.forms import ReasonForm
from annotation.schemes.examples import guidelines_for
from annotation.schemes.guidelines import render as render_guidelines
from audit.refusals import NotAllowed, raised_as
from datasets.access import get_membership, of_member
from datasets.models import Role


@require_safe
def queue(request, slug):
    """Topics with disputes, whoever has one open, and the adjudicator's finished topics. A script
    that has finished a topic comes here with `?after=` it, and is sent on to the next.
    """
    member = get_membership(request.user, slug, Role.ADJUDICATOR)
    done = _topic_named(member, request.GET.get("after", ""))
    following = next_topic(member, after=done) if done else None
    if following:
        return redirect("adjudication:topic", slug, following.public_id)
    waiting, decided = rows(member)
    lists, causes = _kinds(member, request.GET) if waiting or decided else ([], None)
    context = {
        **of_member(member),
        "lists": lists,
        "causes": causes,
        "waiting": waiting,
        "first": first_to_open(waiting, member),
        "opens_widest_first": any(row.widest for row in waiting),
        "decided": decided,
        "audits": waiting_audits(member),
        # As long as anything waits, it is not.
        "is_closed": not waiting and is_closed(member.collection),
        "total": sum(row.waiting_count for row in waiting),
    }
    return render(request, "adjudication/queue.html", context)


def _kinds(member, limits):
    scheme = member.collection.scheme
    return kind_lists(disputes_of(member, scheme), raters_of(member.collection), scheme, limits)


@require_safe
def sequence(request, slug):
    """To the first pair that waits of a kind; back to the queue where there is none."""
    member = get_membership(request.user, slug, Role.ADJUDICATOR)
    scheme = member.collection.scheme
    limits = Sequence.read(request.GET, hides_ratings=scheme.hides_ratings)
    if limits is None:
        return redirect("adjudication:queue", slug)
    strip = sequence_strip(
        member=member,
        sequence=limits,
        version=scheme.current,
        gap_key=request.GET.get("show", ""),
    )
    first = strip.next if limits.is_of_decided else strip.next_open
    if first:
        return redirect(strip.address_of(first))
    messages.success(request, "Nothing of this kind waits for a decision now.")
    return redirect(strip.home)


def _topic_named(member, public_id):
    try:
        return member.collection.topics.filter(public_id=public_id).first()
    except ValidationError:
        return None


@require_safe
def topic(request, slug, public_id):
    """To the topic's first waiting pair; once all are decided, to the first decided one."""
    member, topic = get_topic(request.user, slug, public_id)
    strip = topic_strip(
        member=member, topic=topic, scale=Scale(topic.collection.scheme, topic.facet)
    )
    return redirect((strip.next_open or strip.places[0]).address)


@require_POST
def take_topic(request, slug, public_id):
    """Open a topic: others see for half an hour that it is being worked on."""
    _, topic = get_topic(request.user, slug, public_id)
    hold = actions.take_topic(topic=topic, by=request.user)
    if hold.adjudicator.user_id != request.user.pk:
        messages.warning(
            request,
            f"{hold.adjudicator} has this topic open too. Where you both decide a pair, "
            "the first decision counts.",
        )
    return redirect("adjudication:topic", slug, public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def decide_pair(request, public_id):
    """A pair with everything that the decision needs, and the decision.

    Scripts get fragments: the pair as fetched ahead; for a save, which one was kept, with the pair
    that `ahead` names.
    """
    return QueueDesk(request).answer(public_id)


@require_safe
def guidelines(request, public_id):
    """The guidelines on a page of their own, for browsers without script."""
    member, _ = get_pair(request.user, public_id)
    back = reverse("adjudication:decide-pair", args=[public_id])
    return show_guidelines(request, member, back)


def show_guidelines(request, member, back):
    """The guidelines, and the way `back` to a pair."""
    text = guidelines_for(request.user, member.collection.scheme.current)
    context = {**of_member(member), "back": back, "guidelines": render_guidelines(text)}
    return render(request, "adjudication/guidelines.html", context)


@require_POST
def reopen_pair(request, public_id):
    """A lead withdraws a decision, with a reason."""
    pair, _ = get_pair_for_lead(request.user, public_id)
    done = "The decision is reopened. It stays in the history."
    with outcome_as_message(request, done), raised_as(Http404, NotAllowed):
        actions.reopen(pair=pair, by=request.user, **ReasonForm(request.POST).checked())
    return redirect("agreement:pair", public_id)
