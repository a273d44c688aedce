"""The adjudicator's screens, and a lead's reopening."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from adjudication import actions
from adjudication.access import get_pair_to_decide, get_pair_to_read, get_topic
from adjudication.forms import LEAVE_OUT, DecisionForm
from adjudication.queue import Case, Scale, Strip, rows
from annotation.access import get_pair_for_lead
from annotation.guidelines import render as render_guidelines
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale
from datasets.access import get_membership
from datasets.models import Role


@login_required
@require_safe
def queue(request, slug):
    """Topics with disputes, who has one open, and the topics one is through with."""
    member = get_membership(request.user, slug, Role.ADJUDICATOR)
    waiting, decided = rows(member)
    context = {
        "collection": member.collection,
        "member": member,
        "waiting": waiting,
        "decided": decided,
        "total": sum(row.waiting_count for row in waiting),
    }
    return render(request, "adjudication/queue.html", context)


@login_required
@require_safe
def topic(request, slug, public_id):
    """To the topic's first waiting pair; once all are decided, to the first decided one."""
    member, topic = get_topic(request.user, slug, public_id)
    strip = Strip(member=member, topic=topic, scale=Scale(topic.collection.scheme))
    return redirect(_address((strip.next_open or strip.places[0]).pair))


@login_required
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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decide_pair(request, public_id):
    """A pair with everything that the decision needs, and the decision.

    Scripts get fragments: the pair as fetched ahead; for a save, which one was kept, with the pair
    that `ahead` names.
    """
    if request.method == "POST":
        return _save(request, public_id)
    member, pair = get_pair_to_read(request.user, public_id)
    case = _case(request, member, pair)
    form = _form(case)
    return _render_case(request, case, form)


def _save(request, public_id):
    member, pair = get_pair_to_decide(request.user, public_id)
    case = _case(request, member, pair)
    form = _form(case, request.POST)
    if not form.is_valid():
        return _refuse(request, case, form, status=422)
    if not request.htmx:
        # Kept from now on: after the decision the pair may be gone from the strip.
        _ = case.strip.next_open
    if not case.is_shown and not form.leaves_out:
        return _give_first_value(request, case, form)
    try:
        decision = actions.decide(pair=pair, by=request.user, **form.decision)
    except NotAllowed as refusal:
        raise Http404(str(refusal)) from refusal
    except Stale as refusal:
        return _refuse_stale(request, case, refusal)
    except actions.RationaleMissing as refusal:
        form.add_error("reason", str(refusal))
        return _refuse(request, case, form, status=refusal.status)
    except (Invalid, Locked) as refusal:
        form.add_error(None, str(refusal))
        return _refuse(request, case, form, status=refusal.status)
    if request.htmx:
        context = {"decision": decision, "words": case.words(decision)}
        ahead = form.cleaned_data["ahead"]
        if ahead and (following := _case_ahead(request, ahead)):
            context |= _context(following, _form(following))
        return render(request, "adjudication/saved.html", context)
    return _go_on(request, case)


def _give_first_value(request, case, form):
    try:
        actions.give_first_value(pair=case.pair, by=request.user, option=form.chosen)
    except NotAllowed as refusal:
        raise Http404(str(refusal)) from refusal
    except Stale as refusal:
        return _refuse_stale(request, case, refusal)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _refuse(request, case, form, status=refusal.status)
    return redirect(_address(case.pair, case.strip.shown))


def _go_on(request, case):
    if case.strip.next_open:
        return redirect(_address(case.strip.next_open.pair, case.strip.shown))
    topic = case.pair.topic
    everything = Strip(member=case.member, topic=topic, scale=case.scale)
    if everything.open_count:
        messages.success(request, "That was the last pair here. These of the topic still wait.")
        return redirect(_address(everything.next_open.pair))
    messages.success(
        request,
        f"Every dispute of {topic.external_id} is decided. You can change your decisions "
        "until the lead locks the topic.",
    )
    return redirect("adjudication:queue", topic.collection.slug)


def _refuse(request, case, form, *, status):
    if request.htmx:
        return render(
            request, "adjudication/refused.html", {"refusal": form.sentence}, status=status
        )
    return _render_case(request, case, form, status=status)


def _refuse_stale(request, case, refusal):
    """Another tab, the lead or another adjudicator was quicker: nothing was saved, say so."""
    if request.htmx:
        context = {"refusal": refusal}
        return render(request, "adjudication/refused.html", context, status=refusal.status)
    try:
        member, pair = get_pair_to_read(request.user, case.pair.public_id)
    except Http404:
        context = {
            "collection": case.pair.topic.collection,
            "member": case.member,
            "refusal": refusal,
            "title": case.pair.document.title,
            "next_address": _address_of(case.strip.next_open, case.strip),
        }
        return render(request, "adjudication/taken.html", context, status=refusal.status)
    case = _case(request, member, pair)
    data = request.POST.copy()
    data["save_id"] = str(case.save_id)
    data["based_on"] = str(case.decision.public_id) if case.decision else ""
    context = {"refusal": refusal}
    return _render_case(request, case, _form(case, data), status=refusal.status, **context)


@login_required
@require_safe
def guidelines(request, public_id):
    """The guidelines on a page of their own, for browsers without script."""
    member, pair = get_pair_to_read(request.user, public_id)
    version = pair.topic.collection.scheme.current
    context = {
        "collection": pair.topic.collection,
        "member": member,
        "pair": pair,
        "guidelines": render_guidelines(version.guidelines),
    }
    return render(request, "adjudication/guidelines.html", context)


@login_required
@require_POST
def reopen_pair(request, public_id):
    """A lead withdraws a decision, with a reason."""
    pair = get_pair_for_lead(request.user, public_id)
    try:
        actions.reopen(pair=pair, by=request.user, reason=request.POST.get("reason", ""))
    except NotAllowed as refusal:
        raise Http404(str(refusal)) from refusal
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, "The decision is reopened. It stays in the history.")
    return redirect("annotation:pair-history", public_id)


def _case(request, member, pair):
    scale = Scale(pair.topic.collection.scheme)
    strip = Strip(
        member=member,
        topic=pair.topic,
        scale=scale,
        current=pair,
        shown=request.GET.get("show", ""),
    )
    decision = (
        pair.decisions.select_related("option")
        .filter(superseded_at=None, adjudicator=member)
        .first()
    )
    return Case(pair=pair, member=member, decision=decision, strip=strip, scale=scale)


def _form(case, data=None):
    shown = None
    if data is None:
        shown = {"save_id": case.save_id} | DecisionForm.showing(case.decision, case.first_value)
    return DecisionForm(
        data,
        options=case.scale.options,
        causes=case.scale.causes,
        member=case.member,
        initial=shown,
    )


def _case_ahead(request, public_id):
    try:
        return _case(request, *get_pair_to_read(request.user, public_id))
    except Http404:
        return None


def _render_case(request, case, form, *, status=200, **context):
    context |= _context(case, form)
    if request.htmx:
        return render(request, "adjudication/pair.html#pair", context, status=status)
    context["guidelines"] = render_guidelines(case.scale.version.guidelines, top=3)
    return render(request, "adjudication/pair.html", context, status=status)


def _context(case, form):
    return {
        "collection": case.pair.topic.collection,
        "member": case.member,
        "case": case,
        "strip": case.strip,
        "form": form,
        "address": _address(case.pair, case.strip.shown),
        "show": f"?show={case.strip.shown}" if case.strip.shown else "",
        "previous_address": _address_of(case.strip.previous, case.strip),
        "following_address": _address_of(case.strip.next, case.strip),
        "leave_out": LEAVE_OUT,
    }


def _address_of(place, strip):
    return _address(place.pair, strip.shown) if place else ""


def _address(pair, shown=""):
    address = reverse("adjudication:decide-pair", args=[pair.public_id])
    return f"{address}?show={shown}" if shown else address
