"""Headers of every answer that is not a static file."""

from django.utils.cache import patch_cache_control


def no_store(get_response):
    """No browser and no proxy keeps a page: what it shows may be blind tomorrow.

    Applies to signed-out pages too, which saves asking who is there. A view that wants otherwise
    sets Cache-Control itself.
    """

    def middleware(request):
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, no_store=True)
        return response

    return middleware
