from django.core.exceptions import BadRequest
from django.db import Error, connection
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe


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
    """The page of a 500 names the request, so that whoever reads the log finds its lines.

    It is rendered without the request, since what failed may be the session or the database.
    """
    page = render_to_string("500.html", {"request_id": getattr(request, "id", None)})
    return HttpResponse(page, status=500)


def bad_request(request, exception):
    """The page of a 400 says what could not be read, where the refusal has a sentence of ours."""
    sentence = str(exception) if type(exception) is BadRequest else ""
    return HttpResponse(render_to_string("400.html", {"sentence": sentence}), status=400)
