"""Deciding pair after pair: what a page, its form and a script's save have in common."""

from abc import ABC, abstractmethod

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render

from adjudication import actions
from adjudication.access import get_pair
from adjudication.case import Case
from adjudication.forms import LEAVE_OUT, DecisionForm
from adjudication.queue import QueueCase, next_topic, topic_strip
from adjudication.scale import Scale
from adjudication.sequence import Sequence
from adjudication.walk import sequence_strip
from annotation.schemes.examples import guidelines_for
from annotation.schemes.guidelines import render as render_guidelines
from audit.refusals import NotAllowed, Refused, Stale


class Desk(ABC):
    """One request for a pair, or with a decision on it.

    Queue and audits differ in how a case is found by its public id, and in what comes after the
    last one.
    """

    def __init__(self, request):
        self.request = request

    @abstractmethod
    def case_of(self, public_id, *, to_decide=False) -> Case:
        """The case that waits for this adjudicator or that they decided; `to_decide` also one that
        was taken from them since they opened it. Http404 for others."""

    @abstractmethod
    def after_the_last(self, case):
        """The response after the last case."""

    def answer(self, public_id):
        if self.request.method == "POST":
            return self._save(self.case_of(public_id, to_decide=True))
        case = self.case_of(public_id)
        return self._render(case, form_of(case))

    def _save(self, case):
        form = form_of(case, self.request.POST)
        if not form.is_valid():
            return self._refuse(case, form, status=422)
        if not self.request.htmx:
            # Kept from now on: after the decision the pair may be gone from the strip.
            _ = case.strip.next_open
        try:
            if case.asks_first_value and not form.leaves_out:
                actions.give_first_value(pair=case.pair, by=self.request.user, option=form.chosen)
                return redirect(case.address)
            decision = case.decide(by=self.request.user, **form.decision)
        except NotAllowed as refusal:
            raise Http404(str(refusal)) from refusal
        except Stale as refusal:
            return self._refuse_stale(case, refusal)
        except Refused as refusal:
            is_of_reason = isinstance(refusal, actions.RationaleMissing)
            form.add_error("reason" if is_of_reason else None, str(refusal))
            return self._refuse(case, form, status=refusal.status)
        if self.request.htmx:
            context = {"decision": decision, "words": case.words(decision)}
            ahead = form.cleaned_data["ahead"]
            if ahead and (following := self._case_ahead(ahead)):
                context |= context_of(following, form_of(following))
            return render(self.request, "adjudication/saved.html", context)
        if case.strip.next_open:
            return redirect(case.strip.address_of(case.strip.next_open))
        return self.after_the_last(case)

    def _refuse(self, case, form, *, status):
        if self.request.htmx:
            context = {"refusal": form.sentence}
            return render(self.request, "adjudication/refused.html", context, status=status)
        return self._render(case, form, status=status)

    def _refuse_stale(self, case, refusal):
        """Say that nothing was saved, since another tab, the lead or another adjudicator was
        quicker."""
        if self.request.htmx:
            context = {"refusal": refusal}
            return render(self.request, "adjudication/refused.html", context, status=refusal.status)
        try:
            now = self.case_of(case.key)
        except Http404:
            return self._show_taken(case, refusal=refusal, status=refusal.status)
        data = self.request.POST.copy()
        data["save_id"] = str(now.save_id)
        data["based_on"] = str(now.decision.public_id) if now.decision else ""
        return self._render(now, form_of(now, data), status=refusal.status, refusal=refusal)

    def _show_taken(self, case, *, status, refusal=None):
        context = {
            "collection": case.pair.topic.collection,
            "member": case.member,
            "refusal": refusal,
            "title": case.pair.document.heading,
            "next_address": case.strip.address_of(case.strip.next_open),
            "home": case.strip.home,
        }
        return render(self.request, "adjudication/taken.html", context, status=status)

    def _case_ahead(self, public_id):
        try:
            return self.case_of(public_id)
        except Http404:
            return None

    def _render(self, case, form, *, status=200, **context):
        context |= context_of(case, form)
        if self.request.htmx:
            return render(self.request, "adjudication/pair.html#pair", context, status=status)
        text = guidelines_for(self.request.user, case.scale.version)
        context["guidelines"] = render_guidelines(text, top=3)
        return render(self.request, "adjudication/pair.html", context, status=status)


class QueueDesk(Desk):
    """Disputed pairs, topic by topic, with the ratings."""

    def answer(self, public_id):
        """Also to somebody who comes back to a pair that another adjudicator has decided."""
        try:
            return super().answer(public_id)
        except Http404:
            if self.request.method == "POST" or self.request.htmx:
                raise
            return self._show_taken(self.case_of(public_id, to_decide=True), status=404)

    def case_of(self, public_id, *, to_decide=False):
        member, pair = get_pair(self.request.user, public_id, to_decide=to_decide)
        scale = Scale(pair.topic.collection.scheme, pair.topic.facet)
        gap_key = self.request.GET.get("show", "")
        sequence = Sequence.read(self.request.GET, hides_ratings=scale.scheme.hides_ratings)
        if sequence:
            strip = sequence_strip(
                member=member,
                sequence=sequence,
                version=scale.version,
                current=pair,
                gap_key=gap_key,
            )
        else:
            strip = topic_strip(
                member=member, topic=pair.topic, scale=scale, current=pair, gap_key=gap_key
            )
        decision = (
            pair.decisions.select_related("option")
            .filter(superseded_at=None, adjudicator=member)
            .first()
        )
        return QueueCase(pair=pair, member=member, decision=decision, strip=strip, scale=scale)

    def after_the_last(self, case):
        if case.strip.query_string:
            return redirect(case.strip.beyond)
        topic = case.pair.topic
        everything = topic_strip(member=case.member, topic=topic, scale=case.scale)
        if everything.open_count:
            messages.success(
                self.request, "That was the last pair here. These of the topic still wait."
            )
            return redirect(everything.next_open.address)
        messages.success(
            self.request,
            f"Every dispute of {topic.external_id} is decided. You can change your decisions "
            "until the lead locks the topic.",
        )
        following = next_topic(case.member, after=topic)
        if following:
            return redirect("adjudication:topic", topic.collection.slug, following.public_id)
        return redirect(case.strip.home)


def form_of(case, data=None):
    initial = None
    if data is None:
        initial = {"save_id": case.save_id} | DecisionForm.showing(case.decision, case.first_value)
    return DecisionForm(
        data,
        options=case.scale.options,
        causes=case.scale.words.causes,
        member=case.member,
        initial=initial,
    )


def context_of(case, form):
    return {
        "collection": case.pair.topic.collection,
        "member": case.member,
        "case": case,
        "strip": case.strip,
        "form": form,
        "address": case.address,
        "previous_address": case.strip.address_of(case.strip.previous),
        "following_address": case.strip.address_of(case.strip.next),
        "leave_out": LEAVE_OUT,
    }
