"""Answers of the whole site: refusals and errors, an outage, the health check, metrics."""

import hmac
import logging
import sys

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import (
    BadRequest,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe
from django.views.defaults import page_not_found

from accounts.parameters import is_yes
from annotation.access import TakenBack
from api.problem import is_for_programs, problem
from config import health, metrics
from config.outages import outage_of

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
# Requests that Django gives up reading, whichever page they are for.
TOO_MUCH = {
    RequestDataTooBig: (
        f"More than {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20:.1f} MB were sent. "
        "Only data files may be larger."
    ),
    TooManyFieldsSent: (
        f"More than {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:,} fields were sent at once. "
        "Send fewer files at a time."
    ),
    TooManyFilesSent: (
        f"More than {settings.DATA_UPLOAD_MAX_NUMBER_FILES:,} files were sent at once. "
        "Pack them into a zip."
    ),
}


def holds_metrics_token(request):
    """Whether the request carries FACETWISE_METRICS_TOKEN; without the variable none does."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    is_same = hmac.compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode())
    return bool(settings.METRICS_TOKEN) and scheme.lower() == "bearer" and is_same


def unavailable(request, outage, error, *, page="503.html"):
    """503 with a sentence."""
    # The route, not the path: the path of an invitation is a secret.
    route = getattr(request.resolver_match, "view_name", "no route")
    logger.warning("503 for %s %s: %s", request.method, route, str(error).strip())
    try:
        response = _sentence(request, outage.sentence, page=page, status=503)
    except OSError:  # as where no more files can be opened, not even the page's template
        response = HttpResponse(outage.sentence, content_type="text/plain", status=503)
    response["Retry-After"] = RETRY_SECONDS
    # That line is enough: Django would add where in the program it was, some eighty lines for each
    # request that comes while the database is away.
    response._has_been_logged = True
    return response


def refused(request, error):
    """The answer to a refusal that no view answered."""
    return _sentence(request, str(error), page="refused.html", status=error.status)


def method_refused(request, allowed):
    """The answer to a method that an address does not take; people come by GET to where a form is
    sent, when they load it again."""
    sentence = (
        "This address shows no page: it takes what a form sends."
        if request.method == "GET"
        else f"This address takes {allowed} alone, not {request.method}."
    )
    response = _sentence(request, sentence, page="refused.html", status=405)
    response["Allow"] = allowed
    return response


def _sentence(request, sentence, *, page, status):
    """A problem for programs, the sentence alone for a script, and else a page of it.

    The page is rendered without the request: the account that a page's head asks for may be away.
    """
    if is_for_programs(request):
        return problem(status, sentence)
    if "HX-Request" in request.headers:
        return HttpResponse(sentence, content_type="text/plain; charset=utf-8", status=status)
    return HttpResponse(render_to_string(page, {"sentence": sentence}), status=status)


def signed_out_here(request, outage, error):
    """Sign out as far as can be while the session cannot be removed from the database: the browser
    forgets it."""
    # For a session without a key its middleware takes the cookie away, and stores nothing.
    request.session = type(request.session)()
    return unavailable(request, outage, error, page="signed_out_here.html")


@login_not_required
@require_safe
def healthz(request):
    """Whether this server can take ratings, and which parts of the installation are not well.

    200 as long as ratings can be stored, for proxies and container engines: rating goes on while
    jobs wait. With `?all`, for monitors, 503 as soon as any part is not well. Anyone may ask and
    learns the names of parts; the reasons are for holders of the metrics' token.
    """
    is_strict = is_yes(request.GET, "all", bare=True)
    troubles = health.troubles()
    is_serving = not troubles.keys() & set(health.VITAL)
    status = 503 if troubles and (is_strict or not is_serving) else 200
    words = f"not well: {', '.join(troubles)}\n" if troubles else "ok\n"
    if troubles and holds_metrics_token(request):
        words += "".join(f"{part}: {reason}\n" for part, reason in troubles.items())
    return HttpResponse(words, content_type="text/plain", status=status)


@login_not_required
@require_safe
def figures(request):
    """The metrics, for holders of their token; for everybody else the address does not exist."""
    if not holds_metrics_token(request):
        raise Http404
    return HttpResponse(metrics.exposition(), content_type=metrics.CONTENT_TYPE)


def not_found(request, exception):
    """The page of a 404; who asks for a seat that a lead took back from them is told so."""
    if isinstance(exception, TakenBack):
        return render(request, "annotation/workbench/taken_back.html", status=404)
    return page_not_found(request, exception)


def server_error(request):
    """The answer to an error that no view answered: its page names the request, so that whoever
    reads the log finds its lines.

    It is rendered without the request, since what failed may be the session or the database.
    """
    error = sys.exc_info()[1]
    if outage := outage_of(error):
        return unavailable(request, outage, error)
    if is_for_programs(request):
        words = f"This failed because of an error in Facetwise itself. Its log names {request.id}."
        return problem(500, words)
    page = render_to_string("500.html", {"request_id": getattr(request, "id", None)})
    return HttpResponse(page, status=500)


def bad_request(request, exception):
    """The page of a 400 says what could not be read, where the refusal has a sentence of ours."""
    kind = type(exception)
    sentence = str(exception) if kind is BadRequest else TOO_MUCH.get(kind, "")
    if is_for_programs(request):
        return problem(400, sentence or "This request cannot be read.")
    return HttpResponse(render_to_string("400.html", {"sentence": sentence}), status=400)
