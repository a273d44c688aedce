"""A malformed request is refused with a sentence, whatever it holds."""

import json
import uuid

import httpx
import pytest
from django.core.exceptions import BadRequest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.asserts import assertContains

from api.parsing import read
from config.wsgi import Handler
from datasets.actions import change_programs
from jobs.models import Job
from tests.api.conftest import HOME
from tests.api.test_authentication import problem_of
from tests.factories.tokens import program_of

pytestmark = pytest.mark.once

JSON = "application/json"
WRITES = [
    ("post", f"{HOME}/invitations"),
    ("post", f"{HOME}/members"),
    ("post", f"{HOME}/batches"),
    ("post", f"{HOME}/exports"),
    ("put", f"{HOME}/scheme"),
]
BODIES = [
    (b"{", 400),
    (b"\xff\xfe", 400),
    (b"[" * 100_000, 400),
    (b'{"role": NaN}', 400),
    (b'{"role": "lead\\u0000", "definition": {}}', 400),
    (b'{"definition": {"title": "\\ud800"}}', 400),
    (b'{"definition": {"\\u0000": 1}}', 400),
    (b"[]", 422),
    (b"null", 422),
    (b'"text"', 422),
    (b"1" * 300, 422),
    (b"1" * 301, 400),
    (b"1e400", 400),
    (b'{"role": "lead", "role": "annotator"}', 400),
    (b'{"definition": {"title": "a", "title": "b"}}', 400),
    (b'{"a": ' * 64 + b"1" + b"}" * 64, 422),
    (b'{"a": ' * 65 + b"1" + b"}" * 65, 400),
    (b'{"role": {}, "people": 1e300, "topics": 7, "format": [], "definition": null}', 422),
]


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("exports", [], "The body is no JSON object. Send its fields in one."),
        (
            "exports",
            {"format": "xlsx"},
            "format: Select a valid choice. xlsx is not one of the available choices. "
            "Expected one of trec, ",
        ),
        # This study has no text queries, nor ratings by programs.
        (
            "exports",
            {"format": "birco", "level": "aspect", "allow_incomplete": True},
            "level: Select a valid choice. aspect is not one of the available choices. "
            "Expected one of queries, aspects, ",
        ),
        ("exports", {"format": "trec", "channel": "page"}, "channel: Select a valid choice."),
        ("pools/from-runs/preview", {"level": "topic"}, "level: Select a valid choice."),
        (
            "invitations",
            {"role": "boss"},
            "role: “boss” is none of annotator, adjudicator, lead.",
        ),
    ],
)
def test_what_cannot_be_accepted_is_refused_with_what_can(study, lena, path, body, sentence):
    answer = lena.post(f"{HOME}/{path}", body, content_type=JSON)

    assert problem_of(answer)[0] == 422
    assert problem_of(answer)[1].startswith(sentence)


@pytest.mark.parametrize(("path", "known"), [("zzz/table", "overview"), ("overview/zzz", "table")])
def test_a_table_that_there_is_not_is_refused_with_those_that_there_are(study, lena, path, known):
    status, sentence = problem_of(lena.get(f"{HOME}/agreement/{path}"))

    assert (status, "; expected one of " in sentence) == (404, True)
    assert known in sentence.partition("expected one of")[2]


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (b'{"a":\n tru}', "line 2, column 2: broken JSON: Expecting value. Fix it at this place"),
        (b'{"a": "caf\xe9"}', "line 1, byte 11: byte 0xe9 is not UTF-8."),
        ("", "line 1, column 1: broken JSON: Expecting value."),
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice in one object. Keep one of the two."),
        ("[NaN]", "NaN is not a number in JSON. Write null, or leave the key out."),
        ("[-1e400]", "the number '-1e400' is too large."),
        ('{"k": "a\\u0000"}', "a NUL character (U+0000) at position 2 of "),
        ('["\\ud800"]', "half a character (lone surrogate U+D800) at position 1 of "),
        ("[" * 100_000, "the JSON is nested too deeply."),
        ("[" * 65 + "]" * 65, "the JSON is nested deeper than 64 levels."),
    ],
)
def test_what_json_would_lose_or_no_database_keeps_is_told_with_its_place(sent, sentence):
    with pytest.raises(BadRequest) as refused:
        read(sent, "mapping")

    assert str(refused.value).startswith(f"mapping cannot be read: {sentence}")


def test_a_field_of_a_form_that_was_sent_as_a_file_is_refused():
    with pytest.raises(BadRequest, match="settings is a file; send it as text"):
        read(SimpleUploadedFile("settings", b"{}"), "settings")


def test_a_field_of_a_form_holds_letters_of_any_language():
    assert read('{"note": "Größe 漢字 😀"}', "mapping") == {"note": "Größe 漢字 😀"}


@pytest.mark.parametrize(("body", "status"), BODIES)
def test_a_body_that_is_no_object_of_the_schema(lena, body, status):
    for method, address in WRITES:
        answer = getattr(lena, method)(address, body, content_type=JSON)
        assert problem_of(answer)[0] == status, address


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "x"])
def test_a_body_of_another_type(lena, kind):
    for method, address in WRITES:
        answer = getattr(lena, method)(address, b"role=lead", content_type=kind)
        assert problem_of(answer)[0] == 415, address


def test_files_that_are_sent_as_json(lena):
    for name in ["imports", "machine-scores", "runs", "judgments"]:
        assert problem_of(lena.post(f"{HOME}/{name}", "{}", content_type=JSON)) == (
            415,
            "The body is of no type that is taken here: multipart/form-data.",
        )


@pytest.mark.parametrize("settings", ["{", "[" * 100_000, '{"a": "\\u0000"}', "[]", "1e9"])
def test_settings_of_an_import_that_are_none(lena, settings):
    assert problem_of(lena.post(f"{HOME}/imports", {"settings": settings}))[0] == 400


@pytest.mark.parametrize(
    "settings",
    [
        {"format": ["tables"]},
        {"mapping": {"documents.csv": "documents"}},
        {"mapping": {"files": {"documents.csv": {"columns": {}}}}},
        {"grades": {"2": "same"}},
        {"people": {"ann": "annotator 1"}},
        {"settings": "with_ratings"},
    ],
)
def test_settings_of_another_shape_are_refused_by_their_name(lena, settings):
    sent = {"settings": json.dumps(settings), "files": [SimpleUploadedFile("a.csv", b"id\n1\n")]}

    status, sentence = problem_of(lena.post(f"{HOME}/imports", sent))

    assert (status, sentence.partition(":")[0]) == (422, *settings)
    assert not Job.objects.exists()


def test_a_number_beyond_what_a_database_counts(study, lena):
    change_programs(collection=study.collection, by=study.lena, programs_may_rate=True)
    alice = program_of(study.members["alice"])
    address = f"{HOME}/own-seats/{study.seat('alice').public_id}/pairs/1"
    answer = {"answer": study.option(2).key, "based_on": 10**30, "scheme_version": 1}
    key = {"Idempotency-Key": str(uuid.uuid4())}

    for change in [{}, {"based_on": 0, "scheme_version": 10**30}]:
        sent = alice.put(address, answer | change, content_type=JSON, headers=key)
        assert problem_of(sent)[0] in {409, 422}
    assert problem_of(alice.get(address[:-1] + "9" * 5_000))[0] == 404
    aspect = f"{HOME}/queries/{study.topics[0].queries.get().public_id}/aspects/{10**30}"
    key = {"Idempotency-Key": str(uuid.uuid4())}
    assert problem_of(lena.put(aspect, {"text": "x"}, JSON, headers=key))[0] == 409


@pytest.mark.parametrize("name", ["imports", "machine-scores"])
def test_an_import_under_a_key_that_is_no_uuid(lena, name):
    answer = lena.post(f"{HOME}/{name}", {}, headers={"Idempotency-Key": "today"})

    assert problem_of(answer)[0] == 400


@pytest.mark.parametrize("path", ["a%0Ab", "documents%0A", "exports/%00", "%01"])
def test_an_address_of_strange_characters(lena, path):
    assert problem_of(lena.get(f"{HOME}/{path}"))[0] == 404


def test_a_change_is_answered_in_json_alone(lena):
    """Lists are also files, but what a change answers is no table."""
    people = {"people": "new@example.org"}
    csv = lena.post(f"{HOME}/members", people, JSON, headers={"Accept": "text/csv"})
    any_format = lena.post(f"{HOME}/members", people, JSON, headers={"Accept": "*/*"})

    assert problem_of(csv)[0] == 406
    assert (any_format.status_code, any_format["Content-Type"]) == (201, JSON)


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["rot13", "undefined", "idna", "utf-16", "latin-1"])
def test_what_is_not_sent_as_utf_8_is_refused_with_a_sentence(kept_connection, charset):
    site = httpx.Client(transport=httpx.WSGITransport(Handler()), base_url="http://testserver")
    sentence = f"The request says it is in {charset}. Send it as UTF-8."

    for kind in ["application/json", "multipart/form-data; boundary=x", "text/plain"]:
        headers = {"Content-Type": f"{kind}; charset={charset}"}
        for method in ["GET", "POST"]:
            page = site.request(method, "/sign-in/?next=%2F", content=b"{}", headers=headers)
            assert (page.status_code, sentence in page.text) == (400, True)
        answer = site.post("/api/v1/collections", content=b"{}", headers=headers)
        assert (answer.status_code, answer.json()["detail"]) == (400, sentence)
    assert site.get("/sign-in/", headers={"Content-Type": "x; charset=UTF8"}).status_code == 200


def test_a_body_in_chunks_of_which_nothing_would_be_read_is_refused(lena):
    in_chunks = {"Transfer-Encoding": "chunked"}
    sentence = "The request is sent in chunks, without its length. Send it with its length."

    for method, address in WRITES:
        answer = lena.generic(method.upper(), address, b"", JSON, headers=in_chunks)
        assert problem_of(answer) == (400, sentence)
    page = lena.generic("POST", "/sign-in/", b"", headers=in_chunks)
    assertContains(page, sentence, status_code=400)
