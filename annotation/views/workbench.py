"""Rating: the pages of an annotator's seat. Everybody else's answer here is 404."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import get_seat
from annotation.actions.assign import hand_in as hand_in_seat
from annotation.actions.rate import SaveIdReused
from annotation.actions.rate import rate_pair as keep_rating
from annotation.forms import RatingForm
from annotation.models import Pair, Rating
from annotation.workbench.bench import open_bench
from annotation.workbench.pages import (
    conflict_context,
    guidelines_context,
    hand_in_context,
    pair_context,
)
from audit.refusals import Invalid, Locked, NotAllowed, Refused, Stale


@login_required
@require_safe
def seat(request, seat_id):
    """To the first pair without an answer, or to the hand-in page when there is none."""
    bench = open_bench(get_seat(request.user, seat_id))
    first = None if bench.is_read_only else bench.first_open()
    return redirect(first.url if first else bench.hand_in_url)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rate_pair(request, seat_id, position):
    """One pair: the page, or for a script the part that changes from pair to pair; and its save."""
    bench = open_bench(get_seat(request.user, seat_id))
    place = bench.place(position)
    if place is None:
        raise Http404("This batch has no such pair.")
    if request.method == "POST":
        return _save(request, bench, place)
    return _show(request, bench, place)


def _show(request, bench, place, *, status=200, **more):
    context = pair_context(bench, place, **more)
    if request.htmx:
        return render(request, "annotation/workbench/pair.html", context, status=status)
    context |= guidelines_context(bench, context["facet_key"], top=3)
    saved = bench.place(_integer(request.GET.get("saved")))
    context["just_saved"] = saved if saved and not saved.is_open else None
    return render(request, "annotation/workbench/rate.html", context, status=status)


def _save(request, bench, place):
    form = RatingForm(request.POST, bench=bench)
    if not form.is_valid():
        return _refuse(request, bench, place, form, form.sentence, status=422)
    try:
        revision = keep_rating(
            seat=bench.seat,
            pair=Pair(pk=place.pair_id),  # loaded by the action, under its lock
            by=request.user,
            position=place.number,
            **form.rating,
        )
    except NotAllowed as refusal:
        raise Http404(str(refusal)) from refusal
    except Stale as refusal:
        return _show_both(request, bench, place, form, refusal)
    except SaveIdReused as refusal:
        if request.htmx:
            return _refuse(request, bench, place, form, str(refusal), status=refusal.status)
        return _show_both(request, bench, place, form, refusal)
    except (Invalid, Locked) as refusal:
        return _refuse(request, bench, place, form, str(refusal), status=refusal.status)

    bench = bench.with_answer(place, revision)
    if not request.htmx:
        following = bench.url_after(place, is_new=revision.version == 1)
        return redirect(f"{following}?saved={place.position}")
    ahead = bench.place(form.cleaned_data["ahead"] or 0)
    context = pair_context(bench, ahead) if ahead else {"bench": bench}
    context |= {"saved": bench.place(place.position), "revision": revision}
    return render(request, "annotation/workbench/saved.html", context)


def _refuse(request, bench, place, form, reason, *, status):
    """Say why nothing was saved; what was chosen and typed stays on the page."""
    if request.htmx:
        context = {"place": place, "reason": reason}
        return render(request, "annotation/workbench/refused.html", context, status=status)
    bench.seat.refresh_from_db(fields=["handed_in_at"])
    return _show(request, bench, place, status=status, form=form, reason=reason)


def _show_both(request, bench, place, form, refusal):
    """The answer was based on a version that no longer stands: show both, the person picks."""
    rating = Rating.objects.filter(pair=place.pair_id, seat=bench.seat).first()
    context = conflict_context(bench, place, form, rating)
    name = "versions" if request.htmx else "conflict"
    return render(request, f"annotation/workbench/{name}.html", context, status=refusal.status)


@login_required
@require_safe
def guidelines(request, seat_id):
    """The guidelines as a page of their own, for those without script; `?facet=` puts one first."""
    bench = open_bench(get_seat(request.user, seat_id))
    context = guidelines_context(bench, request.GET.get("facet", ""), top=2)
    context["place"] = bench.place(_integer(request.GET.get("pair")))
    return render(request, "annotation/workbench/guidelines.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_in(request, seat_id):
    """All pairs with the state of their answers; handing in closes the seat."""
    bench = open_bench(get_seat(request.user, seat_id))
    refusal = None
    if request.method == "POST":
        try:
            hand_in_seat(seat=bench.seat, by=request.user)
            return redirect(bench.hand_in_url)
        except NotAllowed as error:
            raise Http404(str(error)) from error
        except Refused as error:
            refusal = error
    context = hand_in_context(bench) | {"refusal": refusal}
    status = refusal.status if refusal else 200
    return render(request, "annotation/workbench/hand_in.html", context, status=status)


def _integer(text):
    """A small number from an address, 0 for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else 0
