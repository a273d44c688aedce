"""Request ids, the access log, compressed pages, and refusals that no view expects."""

import gzip
import re
import uuid
from io import BytesIO
from types import SimpleNamespace

import pytest
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.db import OperationalError
from django.http import FileResponse, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django.asserts import assertContains

from accounts.models import User
from audit.actions import record
from audit.models import Event
from audit.refusals import Locked
from config import middleware, urls
from config.middleware import CompressPages, bare_heads, content_security_policy
from jobs.models import Job
from jobs.registry import HANDLERS, Handler
from jobs.running import run_job
from tests.factories.studies import make_study, make_user

pytestmark = pytest.mark.django_db


@login_not_required
def fail(request):
    raise RuntimeError("The disk is on fire.")


@login_not_required
def refuse(request):
    raise Locked("The topic is locked.")


@login_not_required
def miss(request):
    User.objects.get(name="Nobody")


urlpatterns = [
    *urls.urlpatterns,
    path("fails/", fail),
    path("refuses/", refuse),
    path("misses/", miss),
]
handler500 = urls.handler500


def test_every_answer_has_an_id_of_its_own(client):
    answers = [client.get(address) for address in ("/sign-in/", "/", "/missing/", "/healthz")]

    ids = {uuid.UUID(answer["X-Request-ID"]) for answer in answers}
    assert len(ids) == len(answers)


def test_a_request_cannot_take_an_id(client):
    wanted = str(uuid.uuid4())

    assert client.get("/healthz", headers={"X-Request-ID": wanted})["X-Request-ID"] != wanted


def test_an_event_names_the_request_that_caused_it(client):
    client.force_login(make_user("Alice"))

    answer = client.post("/settings/", {"name": "Alice B.", "shortcuts": "alt"})

    assert str(Event.objects.latest("id").request_id) == answer["X-Request-ID"]


def test_an_event_of_the_shell_names_no_request():
    alice = make_user("Alice")

    assert record("create account", alice, by=None).request_id is None


FORM = {"format": "trec", "allow_incomplete": "on"}


def test_a_job_works_for_the_request_that_queued_it(client, monkeypatch):
    study = make_study()
    client.force_login(study.lena)
    answer = client.post(f"/collections/{study.collection.slug}/exports/", FORM)
    job = Job.objects.get()
    monkeypatch.setitem(HANDLERS, job.kind, Handler(job.kind, "Export", note))

    run_job(job.public_id)

    assert str(job.request_id) == answer["X-Request-ID"]
    assert Event.objects.latest("id").request_id == job.request_id


def test_a_job_of_nobody_works_under_its_own_id(monkeypatch):
    monkeypatch.setitem(HANDLERS, "note", Handler("note", "Note", note))
    job = Job.objects.create(kind="note", created_by=make_user("Alice"))

    run_job(job.public_id)

    assert Event.objects.latest("id").request_id == job.public_id


def note(run):
    record("create account", run.by, by=run.by)


@pytest.mark.urls("tests.config.test_middleware")
def test_the_page_of_an_error_and_its_log_lines_name_the_request(lines):
    answer = Client(raise_request_exception=False).get("/fails/")

    number = answer["X-Request-ID"]
    assert answer.status_code == 500
    assert number in answer.content.decode()
    error, access = lines
    assert f"ERROR django.request [{number}]: Internal Server Error: /fails/" in error
    assert "The disk is on fire." in error
    assert f"INFO facetwise.access [{number}]: GET /fails/ 500" in access


def test_the_access_log_tells_who_by_number_and_no_query(client, lines):
    alice = make_user("Alice")
    client.force_login(alice)

    client.get("/settings/", {"state": "needle"})

    [line] = lines
    assert "GET /settings/ 200 " in line
    assert line.endswith(f" ms user {alice.pk}")
    assert "needle" not in line
    assert "example.org" not in line


def test_the_access_log_leaves_out_what_says_nothing(client, lines):
    client.get("/healthz")
    client.get("/static/missing.css")

    assert lines == []


def test_a_path_cannot_forge_a_line_of_the_log(client, lines):
    client.get("/x%0A2026-11-22 INFO facetwise.access [-]: GET /forged/ 200")

    [line] = lines
    assert "\n" not in line


@pytest.mark.parametrize("address", ["/sign-in/", "/settings/"])
def test_a_page_without_large_files_reads_no_large_body(settings, address):
    """The check for forgery would store every file in it."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    stranger = Client(enforce_csrf_checks=True)
    stranger.cookies["csrftoken"] = "x" * 32

    answer = stranger.post(address, {"file": BytesIO(b"x" * 1000)})

    assert answer.status_code == 400
    assert not answer.wsgi_request.FILES


COMPRESSED = {"Accept-Encoding": "gzip"}


def test_a_page_is_compressed_and_its_token_masked_anew_each_time(client):
    answers = [client.get("/sign-in/", headers=COMPRESSED) for _ in range(2)]

    assert [answer["Content-Encoding"] for answer in answers] == ["gzip", "gzip"]
    assert "Accept-Encoding" in answers[0]["Vary"]
    pages = [gzip.decompress(answer.content).decode() for answer in answers]
    tokens = [re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)[1] for page in pages]
    assert tokens[0] != tokens[1]


def test_the_size_of_a_page_tells_nothing_exact(rf):
    """Else who chooses words of a page learns which of them stand there already (BREACH)."""
    show = CompressPages(lambda request: HttpResponse("The same words. " * 100))

    sizes = {len(show(rf.get("/", headers=COMPRESSED)).content) for _ in range(20)}

    assert len(sizes) > 5


def test_the_answer_to_a_post_is_not_compressed(client):
    """An invitation or reset link stands in one."""
    answer = client.post("/sign-in/", {"email": "a@b.org"}, headers=COMPRESSED)

    assert answer.status_code == 422
    assert len(answer.content) > 1000
    assert not answer.has_header("Content-Encoding")


@pytest.mark.parametrize("answer", [HttpResponse(b"whole"), FileResponse(BytesIO(b"whole"))])
def test_the_answer_to_head_has_the_headers_of_get_and_no_body(rf, answer):
    answer["Content-Length"] = "5"
    response = bare_heads(lambda request: answer)(rf.head("/"))

    assert b"".join(response) == b""
    assert response["Content-Length"] == "5"
    assert getattr(response, "file_to_stream", None) is None


def test_a_file_is_not_compressed_on_its_way(rf):
    request = rf.get("/", headers=COMPRESSED)
    compressed = CompressPages(lambda request: FileResponse(BytesIO(b"x" * 5000)))

    answer = compressed(request)

    assert not answer.has_header("Content-Encoding")
    assert answer["Content-Length"] == "5000"


def test_only_django_s_own_pages_for_developers_may_have_their_style_inside(settings):
    def answer(status):
        return content_security_policy(lambda request: HttpResponse(status=status))(None)

    assert all("Content-Security-Policy" in answer(status) for status in (200, 404, 500))

    settings.DEBUG = True
    assert ["Content-Security-Policy" in answer(status) for status in (200, 404, 500)] == [
        True,
        False,
        False,
    ]


@pytest.mark.urls("tests.config.test_middleware")
def test_a_refusal_that_no_view_expects_is_a_page_of_its_sentence(client):
    page = client.post("/refuses/")
    by_script = client.post("/refuses/", headers={"HX-Request": "true"})

    assertContains(page, "The topic is locked. Go back", status_code=423)
    assert (by_script.status_code, by_script.content) == (423, b"The topic is locked.")
    assert by_script["Content-Type"].startswith("text/plain")


@pytest.mark.urls("tests.config.test_middleware")
def test_a_row_that_is_missing_was_removed_for_who_changes_it_alone():
    client = Client(raise_request_exception=False)

    assertContains(client.post("/misses/"), "This was removed a moment ago", status_code=404)
    assert client.get("/misses/").status_code == 500


def test_a_form_s_own_address_says_that_it_has_no_page(client):
    """People come there by its reload, or by a sign-in that interrupted it."""
    sentence = "This address shows no page: it takes what a form sends."

    assertContains(client.get("/sign-out/"), sentence, status_code=405)
    assertContains(
        client.put("/sign-in/"), "takes GET, HEAD, POST alone, not PUT.", status_code=405
    )
    answer = client.post("/api/v1/openapi.json")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert "GET, HEAD alone" in answer.json()["detail"]


# One rule each, without a page


def answered(middleware, request, answer=None):
    """The answer of a middleware in front of a view that gives this one."""
    return middleware(lambda request: answer or HttpResponse("shown"))(request)


@pytest.fixture
def a_second_and_a_quarter(monkeypatch):
    """What a request takes."""
    moments = iter([10.0, 11.25])
    monkeypatch.setattr(middleware.time, "perf_counter", lambda: next(moments))


def test_the_access_log_says_how_many_milliseconds_it_took(rf, lines, a_second_and_a_quarter):
    answered(middleware.log_access, rf.get("/settings/"))

    assert lines[0].endswith(": GET /settings/ 200 1250 ms user -")


def test_a_health_check_that_finds_something_is_logged(rf, lines):
    answered(middleware.log_access, rf.get("/healthz"), HttpResponse(status=503))

    assert "GET /healthz 503" in lines[0]


def test_an_answer_is_counted_by_its_route_with_its_time(rf, monkeypatch, a_second_and_a_quarter):
    counted = []
    monkeypatch.setattr(middleware.metrics, "count", lambda **facts: counted.append(facts))
    request = rf.post("/seats/1/1/rate/")
    request.resolver_match = SimpleNamespace(view_name="annotation:rate-pair")

    answered(middleware.count_answers, request, HttpResponse(status=409))

    assert counted == [
        {"method": "POST", "route": "annotation:rate-pair", "status": 409, "seconds": 1.25}
    ]


def test_an_address_without_a_route_is_counted_too(rf, monkeypatch):
    counted = []
    monkeypatch.setattr(middleware.metrics, "count", lambda **facts: counted.append(facts))
    request = rf.post("/nowhere/")
    request.resolver_match = None

    answered(middleware.count_answers, request)

    assert counted[0]["route"] == ""


@pytest.mark.parametrize("charset", ["utf-8", "UTF8", "U8", '"utf-8"', ""])
def test_a_request_in_utf_8_is_read_however_it_spells_that(rf, charset):
    request = rf.post("/", b"{}", content_type=f"text/plain; charset={charset}")

    assert answered(middleware.readable_alone, request).content == b"shown"


def test_a_body_in_chunks_with_a_length_is_read(rf):
    request = rf.post("/", b"{}", "text/plain", headers={"Transfer-Encoding": "chunked"})

    assert answered(middleware.readable_alone, request).content == b"shown"


@pytest.mark.parametrize(
    ("address", "is_read"),
    [
        ("/settings/?state=x", True),
        ("/settings/?pair__ratings__option=1", False),
        ("/settings/?state=x&stat=y", False),
        # An endpoint says itself which parameters it takes.
        ("/api/v1/collections?anything=1", True),
        ("/api/v1/openapi.json?anything=1", False),
    ],
)
def test_a_parameter_that_no_page_reads_is_refused_by_name(rf, address, is_read):
    request = rf.get(address)

    if is_read:
        assert answered(middleware.known_parameters, request).content == b"shown"
    else:
        with pytest.raises(BadRequest, match="This server knows no parameter '"):
            answered(middleware.known_parameters, request)


def test_nothing_is_kept_unless_a_view_says_for_how_long(rf):
    own = HttpResponse(headers={"Cache-Control": "max-age=60"})

    assert answered(middleware.no_store, rf.get("/"))["Cache-Control"] == "no-store"
    assert answered(middleware.no_store, rf.get("/"), own)["Cache-Control"] == "max-age=60"


@pytest.mark.parametrize(
    ("size", "is_exempt", "is_read"),
    [("1000", False, True), ("1001", False, False), ("1001", True, True), ("", False, True)],
)
def test_a_body_is_left_unread_from_its_limit_on(rf, settings, size, is_exempt, is_read):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    view = SimpleNamespace(csrf_exempt=is_exempt)
    check = middleware.SmallBodies(None)

    if is_read:
        assert check.process_view(rf.post("/", CONTENT_LENGTH=size), view, (), {}) is None
    else:
        with pytest.raises(RequestDataTooBig):
            check.process_view(rf.post("/", CONTENT_LENGTH=size), view, (), {})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("database is locked"), 503),
        (Locked("The topic is locked."), 423),
        (User.DoesNotExist(), 404),
        (ValueError("x"), None),
    ],
)
def test_an_error_of_a_change_is_answered_where_it_can_pass_or_be_said(rf, error, status):
    request = rf.post("/api/v1/x")
    request.resolver_match = None

    answer = middleware.AnswerErrors(None).process_exception(request, error)

    assert getattr(answer, "status_code", None) == status


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_a_row_that_is_missing_is_an_error_of_who_only_reads(rf, method):
    request = getattr(rf, method)("/api/v1/x")
    request.resolver_match = None

    assert middleware.AnswerErrors(None).process_exception(request, User.DoesNotExist()) is None
