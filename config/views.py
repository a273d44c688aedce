import logging
import sys

from django.core.exceptions import BadRequest
from django.db import Error, connection
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from config.outages import outage_of

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5


def unavailable(request, outage, error):
    """503 with a sentence: a page, or the sentence alone for a script."""
    # The route, not the path: the path of an invitation is a secret.
    route = getattr(request.resolver_match, "view_name", "no route")
    logger.warning("503 for %s %s: %s", request.method, route, str(error).strip())
    if "HX-Request" in request.headers:
        response = HttpResponse(outage.sentence, content_type="text/plain; charset=utf-8")
    else:
        # Without the request: the account that a page's head asks for may be away too.
        response = HttpResponse(render_to_string("503.html", {"sentence": outage.sentence}))
    response.status_code = 503
    response["Retry-After"] = RETRY_SECONDS
    return response


@require_safe
def healthz(request):
    """Whether this process can reach its database. Says nothing else, for anyone may ask."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return HttpResponse("unavailable\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")


def server_error(request):
    """The answer to an error that no view answered: its page names the request, so that whoever
    reads the log finds its lines.

    It is rendered without the request, since what failed may be the session or the database.
    """
    error = sys.exc_info()[1]
    if outage := outage_of(error):
        return unavailable(request, outage, error)
    page = render_to_string("500.html", {"request_id": getattr(request, "id", None)})
    return HttpResponse(page, status=500)


def bad_request(request, exception):
    """The page of a 400 says what could not be read, where the refusal has a sentence of ours."""
    sentence = str(exception) if type(exception) is BadRequest else ""
    return HttpResponse(render_to_string("400.html", {"sentence": sentence}), status=400)
