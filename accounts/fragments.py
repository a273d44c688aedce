"""Parts of pages that htmx swaps."""

from django.http import HttpRequest


def is_fragment(request: HttpRequest) -> bool:
    """Whether the part of a page is asked for that changes, and not the whole, as htmx also does
    when somebody goes back in the browser's history."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.history_restore_request
