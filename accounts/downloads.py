"""Files that the browser keeps."""

from django.http import HttpResponse

CSV = "text/csv; charset=utf-8"


def attached(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """A file that the browser keeps under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
