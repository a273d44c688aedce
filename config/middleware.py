"""Rules for every answer of every page."""

import codecs
import logging
import time
import uuid
from http import HTTPStatus

from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import BadRequest, ObjectDoesNotExist, RequestDataTooBig
from django.http import HttpResponseNotAllowed
from django.middleware.gzip import GZipMiddleware
from django.urls import resolve
from django.utils.cache import patch_cache_control
from django.utils.encoding import escape_uri_path

from api.problem import is_for_programs
from audit.refusals import NotAllowed, Refused
from audit.request_ids import working_for
from config import metrics
from config.outages import outage_of
from config.views import method_refused, refused, signed_out_here, unavailable
from datasets import uploads

HEALTH = "/healthz"
ERRORS_SHOWN = {HTTPStatus.NOT_FOUND, HTTPStatus.INTERNAL_SERVER_ERROR}
SIGN_OUT = "accounts:sign-out"
READING = {"GET", "HEAD", "OPTIONS"}
GONE = "This was removed a moment ago, so nothing was changed."
logger = logging.getLogger(__name__)
access_log = logging.getLogger("facetwise.access")


def request_ids(get_response):
    """Number every request: in its answer, on its log lines, on the events that it causes.

    The number is always our own, so that nobody can give their request another's.
    """

    def middleware(request):
        request.id = uuid.uuid4()
        with working_for(request.id):
            response = get_response(request)
        response["X-Request-ID"] = str(request.id)
        return response

    return middleware


def log_access(get_response):
    """A line for every request but those for static files and for the answer that all is well.

    It has no query string; `config.logs` masks what is secret in the path. The account is named by
    its number, and only where the answer needed it.
    """

    def middleware(request):
        began = time.perf_counter()
        response = get_response(request)
        is_well = request.path == HEALTH and response.status_code == HTTPStatus.OK
        if not is_well and not request.path.startswith(settings.STATIC_URL):
            account = getattr(request, "_cached_user", None)
            access_log.info(
                "%s %s %d %d ms user %s",
                request.method,
                escape_uri_path(request.path),
                response.status_code,
                round((time.perf_counter() - began) * 1000),
                account.pk if account and account.pk else "-",
            )
        return response

    return middleware


def count_answers(get_response):
    """Count every answer but those for static files, and how long it took."""

    def middleware(request):
        began = time.perf_counter()
        response = get_response(request)
        metrics.count(
            method=request.method,
            route=getattr(request.resolver_match, "view_name", ""),
            status=response.status_code,
            seconds=time.perf_counter() - began,
        )
        return response

    return middleware


class CompressPages(GZipMiddleware):
    """Compresses what GET shows; not files that are streamed, nor answers to POST.

    BREACH: somebody makes a browser send a request again and again, with words of their own in it,
    and sees the size of each answer. So they may guess the text beside those words. Such a request
    is a GET. The token against forged forms is in every page that GET shows, and Django masks it
    anew each time; pages with another secret are not compressed (`accounts.access.uncompressed`).
    An invitation or reset link stands in the answer to a POST, once. Beyond that, Django adds a
    random number of bytes.
    """

    def process_response(self, request, response):
        if request.method != "GET" or response.streaming:
            return response
        return super().process_response(request, response)


def bare_heads(get_response):
    """The answer to HEAD is that to GET without its body, which the web server would throw away
    with a warning for each."""

    def middleware(request):
        response = get_response(request)
        if request.method == "HEAD":
            if response.streaming:
                response.file_to_stream, response.streaming_content = None, ()
            else:
                response.content = b""
        return response

    return middleware


def content_security_policy(get_response):
    """Every page may load and send the same, whatever it shows.

    So its policy is put together once; the package's own middleware does it twice for each answer.
    """
    policy = build_policy()

    def middleware(request):
        response = get_response(request)
        # Django's own pages about errors, for developers, have their style inside.
        if not settings.DEBUG or response.status_code not in ERRORS_SHOWN:
            response["Content-Security-Policy"] = policy
        return response

    return middleware


def readable_alone(get_response):
    """Refuse a request that Django would misread. It decodes other encodings than UTF-8, some of
    which are none of text; and of a body in chunks it reads nothing."""

    def middleware(request):
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            raise BadRequest(f"The request says it is in {request.encoding}. Send it as UTF-8.")
        if "Transfer-Encoding" in request.headers and not request.META.get("CONTENT_LENGTH"):
            raise BadRequest(
                "The request is sent in chunks, without its length. Send it with its length."
            )
        return get_response(request)

    return middleware


def known_parameters(get_response):
    """An address with a parameter that no page reads is refused (config/parameters.py)."""

    def middleware(request):
        # Imported by the first request: it knows pages, which need all apps to be ready.
        from config.parameters import KNOWN

        unknown = [name for name in request.GET if name not in KNOWN]
        if unknown and not (is_for_programs(request) and _is_endpoint(request)):
            raise BadRequest(f"This server knows no parameter {unknown[0]!r}.")
        return get_response(request)

    return middleware


def _is_endpoint(request):
    """Whether an endpoint answers, which refuses parameters itself and names those it takes."""
    return hasattr(resolve(request.path_info).func, "cls")


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


class SmallBodies:
    """Leaves a large body unread where no large file is expected: whatever else reads it, such as
    the check for forgery, would first store all the files in it, also for strangers.

    Who takes large files looks at the size before the check for forgery, and is exempt from it for
    so long; so is the API, which looks at it by itself.
    """

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_view(self, request, view, args, kwargs):
        if getattr(view, "csrf_exempt", False):
            return
        if uploads.size_of(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("Request body exceeded settings.DATA_UPLOAD_MAX_MEMORY_SIZE.")


class AnswerErrors:
    """Answers what a view raises, and a method that an address does not take. A full disk or an
    absent database is 503, a refusal its sentence. A row that somebody else removed a moment ago is
    404 for a request that changes something; for one that only reads, a missing row is an error of
    the program.

    What fails outside a view, such as reading an upload for its CSRF token, comes to
    `config.views.server_error`.
    """

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed):
            return method_refused(request, response["Allow"])
        return response

    def process_exception(self, request, exception):
        if outage := outage_of(exception):
            if getattr(request.resolver_match, "view_name", "") == SIGN_OUT:
                return signed_out_here(request, outage, exception)
            return unavailable(request, outage, exception)
        if isinstance(exception, Refused):
            return refused(request, exception)
        if isinstance(exception, ObjectDoesNotExist) and request.method not in READING:
            logger.warning("404 for a row that is gone", exc_info=exception)
            return refused(request, NotAllowed(GONE))
        return None
