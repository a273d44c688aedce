from django.db import Error, connection
from django.http import HttpResponse
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
