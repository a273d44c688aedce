"""The page on which somebody sets their second factor up, and turns it off."""

import io

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts import second_factor, sessions
from accounts.access import uncompressed
from accounts.forms import CodeForm, FirstCodeForm, PasswordForm
from accounts.models import RecoveryCode, SecondFactor
from accounts.outcomes import outcome_as_message
from accounts.throttle import attempted, count_attempt, forgive
from audit.refusals import Refused


@uncompressed
@require_safe
def factor_page(request):
    return _page(request)


@require_POST
@sensitive_post_parameters("password")
def begin(request):
    """A new secret, for somebody who typed the password a moment ago or types it here."""
    if not sessions.is_fresh(request):
        attempt = attempted(request, "password", request.user.email)
        if seconds := count_attempt(attempt):
            return _wait(request, seconds, password_form=PasswordForm(account=request.user))
        form = PasswordForm(request.POST, account=request.user)
        if not form.is_valid():
            return _page(request, status=422, password_form=form)
        forgive(attempt)
    with outcome_as_message(request):
        second_factor.begin_enrolment(account=request.user)
    return redirect("accounts:second-factor")


@uncompressed
@require_safe
def qr_code(request):
    """The picture that an authenticator app reads; only while the factor is being set up."""
    import segno

    factor = second_factor.unconfirmed_factor(request.user)
    if factor is None:
        raise Http404("No second factor is being set up.")
    picture = io.BytesIO()
    segno.make(second_factor.address_of(factor), micro=False).save(
        picture, kind="svg", scale=5, border=4, dark="#000", light="#fff"
    )
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")


@require_POST
def confirm(request):
    """The first code turns the factor on. The answer is the page itself, not a redirect, so that
    the recovery codes are nowhere stored."""
    form = FirstCodeForm(request.POST)
    if not form.is_valid():
        return _page(request, status=422, form=form)
    try:
        codes = second_factor.confirm_enrolment(
            account=request.user, code=form.cleaned_data["code"]
        )
    except Refused as refused:
        form.add_error("code", str(refused))
        return _page(request, status=refused.status, form=form)
    update_session_auth_hash(request, request.user)
    sessions.refresh(request, request.user)
    return _page(request, recovery_codes=codes, is_new=True)


@require_POST
def replace_codes(request):
    refusal = _check_code(request)
    if refusal:
        return refusal
    codes = second_factor.replace_recovery_codes(account=request.user)
    return _page(request, recovery_codes=codes)


@require_POST
def turn_off(request):
    if sessions.rules_for(request.user).needs_second_factor:
        messages.error(request, "Your role needs a second factor, so it cannot be turned off.")
        return redirect("accounts:second-factor")
    refusal = _check_code(request)
    if refusal:
        return refusal
    second_factor.remove_second_factor(account=request.user, by=request.user)
    messages.success(request, "Your second factor is off.")
    return redirect("accounts:second-factor")


def _check_code(request):
    """None for a good code of a factor that is on, else the page that says what is wrong."""
    if not request.user.has_second_factor:
        return redirect("accounts:second-factor")
    attempt = attempted(request, "code", request.user.email)
    if seconds := count_attempt(attempt):
        return _wait(request, seconds, form=CodeForm())
    form = CodeForm(request.POST)
    if form.is_valid():
        if second_factor.use_code(account=request.user, code=form.cleaned_data["code"]):
            forgive(attempt)
            return None
        form.add_error("code", second_factor.WRONG_CODE)
    return _page(request, status=422, form=form)


def _wait(request, seconds, **context):
    response = _page(request, status=429, wait_seconds=seconds, **context)
    response["Retry-After"] = str(seconds)
    return response


def _page(request, *, status=200, form=None, password_form=None, **context):
    account = request.user
    factor = SecondFactor.objects.confirmed().filter(account=account).first()
    context |= {
        "factor": factor,
        "is_needed": sessions.rules_for(account).needs_second_factor,
        "is_fresh": sessions.is_fresh(request),
        "password_form": password_form or PasswordForm(account=account),
    }
    if factor:
        context["form"] = form or CodeForm()
        codes = RecoveryCode.objects.filter(factor=factor, used_at=None)
        context["codes_left"] = codes.count()
    elif pending := second_factor.unconfirmed_factor(account):
        context["form"] = form or FirstCodeForm()
        secret = second_factor.secret_of(pending)
        context["secret"] = " ".join(secret[n : n + 4] for n in range(0, len(secret), 4))
    return render(request, "accounts/second_factor.html", context, status=status)
