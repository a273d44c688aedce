"""Signing in and out, passwords, settings, the first admin."""

import contextvars
import logging
import threading

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import actions, second_factor
from accounts.access import secret_address
from accounts.forms import (
    ChangePasswordForm,
    CodeForm,
    NewAccountForm,
    NewPassword,
    ResetForm,
    SettingsForm,
    SignInForm,
)
from accounts.models import User
from accounts.sessions import half_signed_in, wait_for_code
from accounts.throttle import attempted, count_attempt, forgive
from accounts.tokens import reset_tokens

log = logging.getLogger(__name__)

FORM = ["GET", "HEAD", "POST"]

# The same for an unknown address, a wrong password and a deactivated account.
NO_MATCH = "The e-mail address and the password do not match an account that can sign in."


@login_not_required
@require_http_methods(FORM)
@sensitive_post_parameters("password")
def sign_in(request):
    back_to = safe_next(request)
    if request.user.is_authenticated:
        return redirect(back_to)
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        attempt = attempted(request, "sign-in", email)
        if seconds := count_attempt(attempt):
            return too_many_attempts(request, "accounts/sign_in.html", form, seconds)
        account = authenticate(request, username=email, password=form.cleaned_data["password"])
        if account is not None:
            forgive(attempt)
            if account.has_second_factor:
                wait_for_code(request, account)
                return redirect(
                    f"{reverse('accounts:sign-in-code')}?{urlencode({'next': back_to})}"
                )
            login(request, account)
            return redirect(back_to)
        form.refuse(NO_MATCH)
    return _form_page(request, "accounts/sign_in.html", form, next=back_to)


@login_not_required
@require_http_methods(FORM)
def sign_in_code(request):
    """The second step of signing in, for people with a second factor who have shown the
    password."""
    account = half_signed_in(request)
    if account is None:
        return redirect("accounts:sign-in")
    back_to = safe_next(request)
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        attempt = attempted(request, "code", account.email)
        if seconds := count_attempt(attempt):
            return too_many_attempts(request, "accounts/sign_in_code.html", CodeForm(), seconds)
        if second_factor.use_code(account=account, code=form.cleaned_data["code"]):
            forgive(attempt)
            login(request, account, backend=settings.AUTHENTICATION_BACKENDS[0])
            return redirect(back_to)
        form.add_error("code", second_factor.WRONG_CODE)
    return _form_page(request, "accounts/sign_in_code.html", form, next=back_to)


@login_not_required
@require_POST
def sign_out(request):
    back_to = safe_next(request)
    logout(request)
    return redirect(back_to)


@require_http_methods(FORM)
@sensitive_post_parameters()
def change_password(request):
    form = ChangePasswordForm(request.POST or None, account=request.user)
    if request.method == "POST":
        attempt = attempted(request, "password", request.user.email)
        if seconds := count_attempt(attempt):
            blank = ChangePasswordForm(account=request.user)
            return too_many_attempts(request, "accounts/change_password.html", blank, seconds)
        valid = form.is_valid()
        if "old_password" not in form.errors:
            # Trying new passwords until one is accepted is no guessing.
            forgive(attempt)
        if valid:
            password = form.cleaned_data["password1"]
            actions.change_password(account=request.user, password=password, by=request.user)
            update_session_auth_hash(request, request.user)
            messages.success(request, "Your password is changed. Other devices are signed out.")
            return redirect("accounts:settings")
    return _form_page(request, "accounts/change_password.html", form)


@login_not_required
@require_http_methods(FORM)
def request_reset(request):
    """Mail a link, and answer alike whether there is an account or not."""
    if not settings.MAIL_CONFIGURED:
        return render(request, "accounts/reset_by_admin.html")
    form = ResetForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        if seconds := count_attempt(attempted(request, "reset", email)):
            return too_many_attempts(request, "accounts/request_reset.html", form, seconds)
        account = User.objects.filter(email=email.lower(), is_active=True).first()
        if account is not None:
            mail_reset_link(request, account, reset_tokens.make_token(account))
        return render(request, "accounts/reset_sent.html", {"email": email})
    return _form_page(request, "accounts/request_reset.html", form)


def mail_reset_link(request, account, token):
    link = reset_address(request, account, token)
    message = EmailMessage(
        "Set a new password for Facetwise",
        render_to_string("accounts/reset_mail.txt", {"account": account, "link": link}),
        to=[account.email],
    )
    # Not waited for: how long a mail server takes would tell who has an account.
    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=[_send, message], daemon=True).start()


def _send(message):
    try:
        message.send()
    except (OSError, ValueError) as error:
        # Not the error's own words: they may repeat the person's address, or the message.
        code = getattr(error, "smtp_code", "") or getattr(error, "errno", "") or ""
        log.error("A password reset could not be mailed: %s %s", type(error).__name__, code)


def reset_address(request, account, token):
    path = reverse("accounts:password-set", args=[account.public_id, token])
    return request.build_absolute_uri(path)


@login_not_required
@secret_address
@require_http_methods(FORM)
@sensitive_post_parameters()
def set_password(request, public_id, token):
    """Use a reset link. The person then signs in, which shows that the password works."""
    account = User.objects.filter(public_id=public_id, is_active=True).first()
    if account is None or not reset_tokens.check_token(account, token):
        return render(request, "accounts/link_spent.html", status=404)
    form = NewPassword(request.POST or None, account=account)
    if request.method == "POST" and form.is_valid():
        try:
            actions.reset_password(
                account=account, token=token, password=form.cleaned_data["password1"]
            )
        except actions.LinkSpent:
            return render(request, "accounts/link_spent.html", status=404)
        # Whoever can read the account's mail is its owner: strangers' guesses hold them up no more.
        request.remembered_email = account.email
        messages.success(request, "Your password is set. Sign in with it.")
        return redirect("accounts:sign-in")
    return _form_page(request, "accounts/set_password.html", form, account=account)


@login_not_required
@secret_address
@require_http_methods(FORM)
@sensitive_post_parameters()
def set_up(request, token):
    """Make the first admin of a fresh installation."""
    try:
        actions.find_setup_link(token)
        form = NewAccountForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            account = actions.create_first_admin(token=token, **form.details())
            login(request, account, backend=settings.AUTHENTICATION_BACKENDS[0])
            return redirect("home")
    except actions.LinkSpent:
        return render(request, "accounts/link_spent.html", status=404)
    return _form_page(request, "accounts/set_up.html", form)


@require_http_methods(FORM)
def edit_settings(request):
    account = request.user
    initial = {
        "name": account.name,
        "one_key_mode": account.one_key_mode,
        "shortcuts": account.shortcuts,
        **account.display,
    }
    form = SettingsForm(request.POST or None, initial=initial, account=account)
    if request.method == "POST" and form.is_valid():
        actions.change_settings(by=account, **form.settings())
        messages.success(request, "Your settings are saved.")
        return redirect("accounts:settings")
    return _form_page(request, "accounts/settings.html", form)


@require_POST
def save_display(request):
    """One setting of the display popover; an unknown value means the default."""
    display = {key: request.POST[key] for key in actions.DISPLAY if key in request.POST}
    actions.set_display(by=request.user, **display)
    return HttpResponse(status=204)


def _form_page(request, template, form, **context):
    """The page of a form: blank, or with what was wrong."""
    status = 422 if form.errors else 200
    return render(request, template, {"form": form, **context}, status=status)


def too_many_attempts(request, template, form, seconds):
    """The page with a sentence about waiting. `form` must not look at a password by itself."""
    wait = f"Too many attempts. Try again in {_in_words(seconds)}."
    context = {"form": form, "next": safe_next(request), "wait": wait}
    response = render(request, template, context, status=429)
    response["Retry-After"] = str(seconds)
    return response


def _in_words(seconds):
    if seconds <= 90:
        return f"{seconds} second{'s' if seconds > 1 else ''}"
    return f"{-(-seconds // 60)} minutes"


def safe_next(request):
    """The address after sign-in: a path, never one of another host, nor a word that might be a name
    of Django's."""
    next_url = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = next_url.startswith("/") and url_has_allowed_host_and_scheme(
        next_url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return next_url if is_ours else resolve_url(settings.LOGIN_REDIRECT_URL)
