"""Rating: the pages of an annotator's seat. Everybody else's answer here is 404."""

from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.known_sessions import tried_in_known_session
from annotation.access import get_seat
from annotation.assigning.actions.assign import hand_in as hand_in_seat
from annotation.models import Rating
from annotation.rating.rate import SaveIdReused, SeatMoved
from annotation.rating.rate import rate_pair as keep_rating
from annotation.reading.texts import PAIRS_AT_ONCE
from annotation.workbench import cache
from annotation.workbench.bench import Bench, position_of
from annotation.workbench.forms import RatingForm
from annotation.workbench.hand_in import compare_context, hand_in_context
from annotation.workbench.markup import save_answer, text_ahead
from annotation.workbench.pages import (
    conflict_context,
    guidelines_context,
    pair_context,
    text_contexts,
)
from annotation.workbench.recent import recent_ratings
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale


@require_safe
def seat(request, seat_id):
    """To the first pair without an answer, or to the hand-in page when there is none."""
    bench = Bench(get_seat(request.user, seat_id))
    first = None if bench.is_read_only else bench.first_open()
    return redirect(first.url if first else bench.hand_in_url)


def _save_as_known(request, seat_id, position, *, session):
    """The answer to a script's save in the session and the seat as this process knows them.

    None where anything is in the way of the save. Then nothing was changed, and both are read as
    they are now, to save there or to say what is in the way.
    """
    if not request.htmx:
        return None
    try:
        bench = Bench(cache.seat_for_save(request.user, seat_id))
        step = bench.walk.at(position)
        form = step and RatingForm(request.POST, terms=bench.terms, facet=step.facet)
        if form and form.is_valid():
            revision = _keep(request, bench, step, form, session=session)
            return _answer_script(bench, step, revision)
    except (Http404, Refused):
        pass
    cache.forget_seat(request.user, seat_id)
    return None


@tried_in_known_session(_save_as_known)
@require_http_methods(["GET", "HEAD", "POST"])
def rate_pair(request, seat_id, position):
    """The page of one pair, and its save."""
    bench = Bench(get_seat(request.user, seat_id))
    step = bench.walk.at(position)
    if step is None:
        raise Http404("This batch has no such pair.")
    if request.method == "POST":
        return _save(request, bench, step)
    return _show(request, bench, step)


@require_safe
def texts(request, seat_id):
    """Up to a dozen pairs for a script, which fetches them before they are needed.

    `at` names their positions, `known` the queries and papers that need not be sent again.
    """
    bench = Bench(get_seat(request.user, seat_id))
    positions = [position_of(text) for text in request.GET.getlist("at")]
    steps = [step for position in positions if (step := bench.walk.at(position))]
    if len(steps) != len(positions) or not 0 < len(steps) <= PAIRS_AT_ONCE:
        return HttpResponseBadRequest(f"Name 1 to {PAIRS_AT_ONCE} positions of this batch.")
    contexts = text_contexts(bench, steps, known_keys=request.GET.getlist("known"))
    return HttpResponse("".join(text_ahead(context, request.user) for context in contexts))


def _show(request, bench, step, *, status=200, **more):
    context = pair_context(bench, bench.place(step.position), **more)
    context |= guidelines_context(bench, context["facet_key"], top=3)
    saved = bench.place(position_of(request.GET.get("saved", "")))
    context["just_saved"] = saved if saved and not saved.is_open else None
    return render(request, "annotation/workbench/rate.html", context, status=status)


def _save(request, bench, step):
    form = RatingForm(request.POST, terms=bench.terms, facet=step.facet)
    if not form.is_valid():
        return _refuse(request, bench, step, form, form.sentence, status=422)
    try:
        revision = _keep(request, bench, step, form)
    except NotAllowed as refusal:
        raise Http404(str(refusal)) from refusal
    except Stale as refusal:
        return _show_both(request, bench, step, form, refusal)
    except SaveIdReused as refusal:
        if request.htmx:
            return _refuse(request, bench, step, form, str(refusal), status=refusal.status)
        return _show_both(request, bench, step, form, refusal)
    except (Invalid, Locked, SeatMoved) as refusal:
        return _refuse(request, bench, step, form, str(refusal), status=refusal.status)

    if request.htmx:
        return _answer_script(bench, step, revision)
    if request.POST.get("then", "").startswith(f"{bench.hand_in_url}?"):
        return redirect(request.POST["then"])  # to the two pairs side by side
    following = bench.url_after(step, is_new=revision.version == 1)
    return redirect(f"{following}?saved={step.position}")


def _keep(request, bench, step, form, *, session=None):
    return keep_rating(
        seat=bench.seat,
        pair_id=step.pair_id,
        by=request.user,
        position=step.number,
        session=session,
        **form.rating,
    )


def _answer_script(bench, step, revision):
    return HttpResponse(save_answer(revision, step, bench.edition))


def _refuse(request, bench, step, form, reason, *, status):
    """Say why nothing was saved; what was chosen and typed stays on the page."""
    if request.htmx:
        context = {"step": step, "reason": reason}
        return render(request, "annotation/workbench/refused.html", context, status=status)
    bench.seat.refresh_from_db(fields=["handed_in_at"])
    return _show(request, bench, step, status=status, form=form, reason=reason)


def _show_both(request, bench, step, form, refusal):
    """The answer was based on a version that no longer stands: show both, the person picks."""
    rating = Rating.objects.filter(pair=step.pair_id, seat=bench.seat).first()
    context = conflict_context(bench, bench.place(step.position), form, rating)
    name = "versions" if request.htmx else "conflict"
    return render(request, f"annotation/workbench/{name}.html", context, status=refusal.status)


@require_safe
def guidelines(request, seat_id):
    """The guidelines as a page of their own, for those without script; `?facet=` puts one first."""
    bench = Bench(get_seat(request.user, seat_id))
    context = guidelines_context(bench, request.GET.get("facet", ""), top=2)
    context["place"] = bench.place(position_of(request.GET.get("pair", "")))
    return render(request, "annotation/workbench/guidelines.html", context)


@require_safe
def recent(request, seat_id):
    """The holder's last ten ratings in the seat: a page, or the list for a script."""
    bench = Bench(get_seat(request.user, seat_id))
    name = "recent_list" if request.htmx else "recent"
    context = {"seat": bench.seat, "recent": recent_ratings(bench)}
    return render(request, f"annotation/workbench/{name}.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def hand_in(request, seat_id):
    """The holder's own pairs by answer, two of them side by side with `?compare=`; handing in
    closes the seat."""
    bench = Bench(get_seat(request.user, seat_id))
    refusal = None
    if request.method == "POST":
        try:
            hand_in_seat(seat=bench.seat, by=request.user)
            return redirect(bench.hand_in_url)
        except NotAllowed as error:
            raise Http404(str(error)) from error
        except Refused as error:
            refusal = error
    if request.method != "POST" and (compared := compare_context(bench, request.GET)):
        return render(request, "annotation/workbench/compare.html", compared)
    context = hand_in_context(bench, request.GET) | {"refusal": refusal}
    status = refusal.status if refusal else 200
    return render(request, "annotation/workbench/hand_in.html", context, status=status)
