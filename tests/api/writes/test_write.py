"""One declared write: in which order a request is checked, and what it is answered with."""

import uuid
from types import MappingProxyType, SimpleNamespace

import pytest
from django import forms
from django.core.exceptions import BadRequest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404, QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from api.writes.call import Call, Target, calling
from api.writes.write import HOME, Write
from datasets.forms import FilesField
from datasets.models import Role, Scope
from jobs.models import Job

NAME = {"name": serializers.CharField()}


class NameForm(forms.Form):
    name = forms.CharField(max_length=5)


def write(act=lambda call: None, at=f"{HOME}/batches", **options):
    batch = Target("batch", lambda call: "the batch")
    return Write("make-batch", "Make one.", at, act, options.pop("target", batch), **options)


def answer_of(declared, data=MappingProxyType({}), **headers):
    """The answer to a request without a key, which needs no database."""
    request = SimpleNamespace(data=data, headers=headers, build_absolute_uri=lambda path: path)
    return declared.answered(Call(request, member=None, arguments={"slug": "study"}))


def test_nothing_to_tell_is_an_answer_without_a_body():
    answer = answer_of(write())

    assert (answer.status_code, answer.data) == (204, None)


def test_what_was_made_is_told_as_it_was_declared():
    made = write(lambda call: {"size": 3, "secret": 1}, answer={"size": serializers.IntegerField()})

    answer = answer_of(made)

    assert (answer.status_code, answer.data) == (201, {"size": 3})


def test_a_change_may_answer_with_another_status():
    changed = write(
        lambda call: {"size": 3}, answer={"size": serializers.IntegerField()}, status=200
    )

    assert answer_of(changed).status_code == 200


def test_a_job_is_accepted_whatever_else_is_declared():
    job = Job(public_id=uuid.uuid4(), state="queued")

    answer = answer_of(write(lambda call: job, answer={"size": serializers.IntegerField()}))

    assert (answer.status_code, answer.data["id"]) == (202, job.public_id)


def test_the_action_gets_its_object_and_the_checked_fields():
    calls = []
    declared = write(lambda call: calls.append((call.noun, call.target, call.fields)), fields=NAME)

    answer_of(declared, {"name": " a "})

    assert calls == [("batch", "the batch", {"name": "a"})]


def test_the_action_of_a_page_is_called_by_names():
    def action(*, batch, by, name):
        return [batch, by, name]

    call = Call(SimpleNamespace(user="Lena"), None, {}, "batch", "it", fields={"name": "a"})

    assert calling(action)(call) == ["it", "Lena", "a"]
    assert calling(action, tell=len)(call) == 3


def test_an_object_that_is_not_there_is_told_before_what_is_wrong_with_the_body():
    def missing(call):
        raise Http404("There is no such batch.")

    with pytest.raises(Http404):
        answer_of(write(target=Target("batch", missing), fields=NAME), {})


def test_a_wrong_body_reads_no_files_and_changes_nothing():
    steps = []
    declared = write(
        lambda call: steps.append("acted"),
        fields=NAME,
        prepare=lambda call: steps.append("prepared"),
    )

    with pytest.raises(ValidationError):
        answer_of(declared, {})

    assert steps == []


def test_slow_work_is_done_before_the_action_which_finds_it():
    calls = []
    declared = write(lambda call: calls.append(call.prepared), prepare=lambda call: "read")

    answer_of(declared)

    assert calls == ["read"]


def test_a_page_s_form_checks_the_body_in_its_words():
    calls = []
    declared = write(lambda call: calls.append(call.fields), form=NameForm)

    answer_of(declared, {"name": "a"})
    with pytest.raises(ValidationError, match="at most 5 characters"):
        answer_of(declared, {"name": "too long"})

    assert calls == [{"name": "a"}]


def test_a_usual_value_stands_for_what_is_not_sent():
    calls = []
    declared = write(
        lambda call: calls.append(call.fields["name"]),
        form=NameForm,
        usual={"name": lambda call: "usual"},
    )

    answer_of(declared, {})
    answer_of(declared, {"name": "mine"})

    assert calls == ["usual", "mine"]


def test_a_form_with_options_of_the_collection_is_made_with_them():
    class OptionForm(NameForm):
        def __init__(self, *args, longest, **kwargs):
            super().__init__(*args, **kwargs)
            self.fields["name"].validators[0].limit_value = longest

    declared = write(form=OptionForm, options=lambda call: {"longest": 9})

    assert answer_of(declared, {"name": "too long"}).status_code == 204


def test_files_come_to_the_form_beside_the_fields_of_their_request():
    class RunsForm(NameForm):
        files = FilesField()

    calls = []
    declared = write(
        lambda call: calls.append(call.fields), form=RunsForm, most_bytes=lambda: 1_000
    )
    files = MultiValueDict({"files": [SimpleUploadedFile("a.run", b"x")]})
    request = SimpleNamespace(
        data=QueryDict("name=a"), FILES=files, META={"CONTENT_LENGTH": "100"}, headers={}
    )

    declared.answered(Call(request, member=None, arguments={}))

    [fields] = calls
    assert (fields["name"], [file.name for file in fields["files"]]) == ("a", ["a.run"])


def test_what_is_too_large_is_refused_before_its_object_is_looked_for():
    request = SimpleNamespace(META={"CONTENT_LENGTH": "101"})
    declared = write(target=Target("batch", pytest.fail), fields=NAME, most_bytes=lambda: 100)

    assert declared.answered(Call(request, member=None, arguments={})).status_code == 413


def test_a_save_needs_its_own_key():
    with pytest.raises(BadRequest, match="Idempotency-Key is ''; expected a UUID"):
        answer_of(write(has_save_id=True))


def test_a_preview_takes_no_key_since_it_stores_nothing():
    preview = write(at=f"{HOME}/batches/preview")

    assert not preview.takes_key
    assert answer_of(preview, **{"Idempotency-Key": "no uuid"}).status_code == 204
    assert write().takes_key


@pytest.mark.parametrize(
    ("scope", "roles"),
    [
        (Scope.RATE, (Role.ANNOTATOR,)),
        (Scope.ADJUDICATE, (Role.ADJUDICATOR,)),
        (Scope.COLLECTIONS, ()),
        (Scope.LEAD, (Role.LEAD,)),
        (Scope.WRITE_DATA, (Role.LEAD,)),
        (Scope.EXPORT, (Role.LEAD,)),
    ],
)
def test_a_scope_is_of_the_role_whose_work_it_is(scope, roles):
    assert write(scope=scope).roles == roles


def answers_described(declared):
    operation = declared.describe(lambda: None).operation
    return {status for status, _ in operation.answers if status < 300}, operation


@pytest.mark.parametrize(
    ("options", "statuses"),
    [
        ({}, {204}),
        ({"answer": NAME}, {201}),
        ({"answer": NAME, "status": 200}, {200}),
        ({"starts_job": True}, {202}),
        ({"starts_job": True, "answer": NAME}, {201, 202}),
    ],
)
def test_the_schema_names_the_answers_that_there_are(options, statuses):
    assert answers_described(write(**options))[0] == statuses


def test_the_schema_says_whether_a_key_is_taken_or_needed():
    def keys_of(declared):
        _, operation = answers_described(declared)
        return [(parameter.name, parameter.is_needed) for parameter in operation.parameters]

    assert keys_of(write()) == [("Idempotency-Key", False)]
    assert keys_of(write(has_save_id=True)) == [("Idempotency-Key", True)]
    assert keys_of(write(at=f"{HOME}/batches/preview")) == []


def test_the_schema_says_that_files_come_as_a_form_and_may_be_too_large():
    _, of_files = answers_described(write(fields=NAME, most_bytes=lambda: 100))
    _, of_json = answers_described(write(fields=NAME))

    assert list(of_files.request) == ["multipart/form-data"]
    assert 413 in {status for status, _ in of_files.answers}
    assert 413 not in {status for status, _ in of_json.answers}
    assert 415 in {status for status, _ in of_json.answers}


def test_the_schema_puts_each_write_with_the_work_that_it_is_part_of():
    tags = [
        write(scope=scope).describe(lambda: None).operation.tag
        for scope in (Scope.RATE, Scope.ADJUDICATE, Scope.LEAD, Scope.COLLECTIONS, Scope.WRITE_RUNS)
    ]

    assert tags == ["Rate", "Adjudicate", "Lead", "Lead", "Data"]


def test_every_field_of_a_patch_may_be_left_out():
    def needed(method):
        body = write(form=NameForm, method=method).describe(lambda: None).operation.request
        return [name for name, field in body().fields.items() if field.required]

    assert (needed("post"), needed("patch")) == (["name"], [])
