"""What the bodies of several endpoints share: keys, unknown fields, choices, sizes."""

import json
import uuid
from types import SimpleNamespace

import pytest
from django.core.exceptions import BadRequest
from django.http import Http404, QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from api.writes import fields
from audit.refusals import Invalid
from datasets.models import Role

KEY = uuid.UUID("0b1f3a52-6f0e-4a43-9a53-9d6d54c6f7a1")


class Row(serializers.Serializer):
    text = serializers.CharField()


class Body(serializers.Serializer):
    name = serializers.CharField(max_length=5)
    rows = Row(many=True, required=False)
    tags = fields.texts(required=False)


def request(data=None, **headers):
    return SimpleNamespace(data=data, headers=headers)


def refusal_of(function, *args):
    with pytest.raises(ValidationError) as refused:
        function(*args)
    return refused.value.detail


@pytest.mark.parametrize("text", [str(KEY), f'"{KEY}"', KEY.hex.upper()])
def test_a_key_may_be_in_quotes_as_a_structured_header_is(text):
    assert fields.key_of(request(**{"Idempotency-Key": text})) == KEY


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": ""}, {"Idempotency-Key": '""'}])
def test_no_key_is_none(headers):
    assert fields.key_of(request(**headers)) is None


@pytest.mark.parametrize("text", ["1", "today", str(KEY)[:-1], f"{KEY}, {KEY}"])
def test_a_key_that_is_no_uuid_is_refused_with_what_was_sent(text):
    with pytest.raises(BadRequest) as refused:
        fields.key_of(request(**{"Idempotency-Key": text}))

    assert str(refused.value) == (
        f"Idempotency-Key is {text!r}; expected a UUID of your own for this request."
    )


@pytest.mark.parametrize("entry", [{"text": "t"}, ["t"], None, True])
def test_a_list_of_texts_takes_texts_alone(entry):
    refusal = refusal_of(fields.sent, request({"name": "a", "tags": ["t", entry]}), Body)

    assert list(refusal["tags"]) == [1]


def test_the_checked_fields_are_those_that_were_sent():
    sent = fields.sent(request({"name": "a", "rows": [{"text": "x"}], "tags": ["t"]}), Body)

    assert sent == {"name": "a", "rows": [{"text": "x"}], "tags": ["t"]}


@pytest.mark.parametrize("body", [[], None, "name", 7])
def test_a_body_that_is_no_object_is_refused(body):
    assert refusal_of(fields.sent, request(body), Body) == [
        "The body is no JSON object. Send its fields in one."
    ]


def test_a_misspelt_field_is_refused_with_those_that_there_are():
    assert refusal_of(fields.sent, request({"name": "a", "tag": "t"}), Body) == {
        "tag": ["There is no such field. The fields are name, rows, tags."]
    }


def test_a_misspelt_field_of_any_row_is_refused_with_those_of_a_row():
    body = {"name": "a", "rows": [{"text": "x"}, {"text": "x", "met": "y"}]}

    assert refusal_of(fields.sent, request(body), Body) == {
        "met": ["There is no such field. The fields are text."]
    }


def test_what_is_wrong_is_told_before_what_is_unknown():
    body = {"name": "too long", "tag": "t"}

    assert list(refusal_of(fields.sent, request(body), Body)) == ["name"]


def test_a_list_may_be_sent_in_parts_and_a_field_once():
    form = QueryDict("name=a&tags=x&tags=y")
    fields.refuse_unread(form, Body().fields)

    twice = QueryDict("name=a&name=b")
    assert refusal_of(fields.refuse_unread, twice, Body().fields) == {
        "name": ["It is sent 2 times. Send one."]
    }


def test_a_request_without_a_body_has_no_part_to_refuse():
    fields.refuse_unread({}, Body().fields)


def test_an_unknown_part_is_refused_however_often_it_is_sent():
    form = QueryDict("name=a&x=1&x=2")

    assert list(refusal_of(fields.refuse_unread, form, Body().fields)) == ["x"]


@pytest.mark.parametrize("value", ["boss", "Lead", ""])
def test_a_choice_is_one_of_the_words_exactly(value):
    field = fields.choice(Role)
    assert field.run_validation("lead") == "lead"

    assert refusal_of(field.run_validation, value) == [
        f"“{value}” is none of annotator, adjudicator, lead."
    ]


def test_a_value_that_an_object_does_not_give_is_refused_with_those_that_it_gives():
    fields.refuse_no_choice("cause", "slip", iter(["slip"]))

    with pytest.raises(Invalid, match=r"^cause is 'x'; expected one of slip, text\.$"):
        fields.refuse_no_choice("cause", "x", ["slip", "text"])
    with pytest.raises(Invalid, match=r"^cause is 'x', but there is none yet\.$"):
        fields.refuse_no_choice("cause", "x", [])


@pytest.mark.parametrize("value", ["", None])
def test_no_value_is_none_of_the_choices_and_not_refused(value):
    fields.refuse_no_choice("cause", value, ["slip"])


@pytest.mark.parametrize(
    ("value", "is_taken"), [(str(KEY), True), (KEY.hex, True), ("1", False), (None, False)]
)
def test_a_list_of_ids_holds_uuids(value, is_taken):
    field = fields.ids()

    if is_taken:
        assert field.run_validation([value]) == [KEY]
    else:
        assert list(refusal_of(field.run_validation, [value])) == [0]


@pytest.mark.parametrize(("length", "is_taken"), [("100", True), ("101", False), ("", True)])
def test_an_upload_is_taken_up_to_its_limit(rf, length, is_taken):
    upload = rf.post("/", CONTENT_LENGTH=length)

    answer = fields.too_large(upload, 100)

    assert (answer is None) == is_taken
    if answer:
        assert answer.status_code == 413
        assert "larger than the 100 bytes" in json.loads(answer.content)["detail"]


def test_a_job_is_accepted_with_the_address_to_ask_at(rf):
    job = SimpleNamespace(public_id=KEY, state="queued")

    answer = fields.accepted(rf.post("/api/v1/collections/study/exports"), "study", job)

    address = f"http://testserver/api/v1/collections/study/jobs/{KEY}"
    assert answer.status_code == 202
    assert answer.data == {"id": KEY, "state": "queued", "address": address}
    assert (answer["Location"], answer["Retry-After"]) == (address, "1")


def test_an_object_of_another_collection_does_not_exist_at_this_address():
    fields.of_collection(SimpleNamespace(slug="study"), "study")

    with pytest.raises(Http404, match="no such object"):
        fields.of_collection(SimpleNamespace(slug="other"), "study")
