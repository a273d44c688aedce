"""The form of a page as the body of a request: what must be sent, and what is refused."""

import pytest
from django import forms
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from api.writes.bodies import filled, of_form, shape
from datasets.forms import FilesField

KINDS = [("topic", "By topic"), ("document", "By document")]


class BatchForm(forms.Form):
    """As a page has it: some fields needed, some filled, some free."""

    name = forms.CharField(max_length=5)
    size = forms.IntegerField(initial=2)
    share = forms.DecimalField(required=False)
    way = forms.ChoiceField(choices=KINDS, help_text="The order of pairs.")
    is_open = forms.BooleanField(required=False)
    topics = forms.MultipleChoiceField(choices=KINDS, required=False)
    reason = forms.CharField(required=False, label="Why")
    files = FilesField(required=False)
    note = forms.FileField(required=False)


BODY = {"name": "a", "way": "topic"}


def fields_of(form=BatchForm, usual=()):
    return of_form("Batch", form, usual)().fields


def errors_of(form, body, **options):
    with pytest.raises(ValidationError) as refused:
        filled(form, body, **options)
    return {name: [str(words) for words in some] for name, some in refused.value.detail.items()}


def test_a_field_is_needed_where_the_page_needs_it_and_does_not_fill_it():
    needed = [name for name, field in fields_of().items() if field.required]

    assert needed == ["name", "way"]


def test_a_field_that_has_a_usual_value_may_be_left_out():
    needed = [name for name, field in fields_of(usual={"way"}).items() if field.required]

    assert needed == ["name"]


def test_fields_have_the_types_of_json():
    kinds = {name: type(field) for name, field in fields_of().items()}

    assert kinds == {
        "name": serializers.CharField,
        "size": serializers.IntegerField,
        "share": serializers.FloatField,
        "way": serializers.CharField,
        "is_open": serializers.BooleanField,
        "topics": serializers.ListField,
        "reason": serializers.CharField,
        "files": serializers.ListField,
        "note": serializers.FileField,
    }


def test_null_is_no_value_where_the_page_needs_none():
    fields = fields_of()

    may_be_null = [name for name, field in fields.items() if field.allow_null]
    assert may_be_null == ["share", "is_open", "topics", "reason"]


def test_texts_come_to_the_form_as_they_were_sent():
    """The form itself says what an empty one is, and whether blanks count."""
    serializer = of_form("Batch", BatchForm, ())(data=BODY | {"name": "", "reason": " x "})

    assert serializer.is_valid()
    assert (serializer.validated_data["name"], serializer.validated_data["reason"]) == ("", " x ")


def test_a_field_is_described_in_the_words_of_its_page_with_its_choices():
    fields = fields_of()

    assert fields["way"].help_text == "Way. The order of pairs. One of topic, document."
    assert fields["reason"].help_text == "Why. Kept in the history."


def test_choices_that_rows_of_a_study_give_are_not_in_the_schema():
    class OfRows(forms.Form):
        run = forms.ChoiceField(choices=lambda: [("bm25", "bm25")])
        some = forms.ChoiceField(choices=[(str(n), str(n)) for n in range(12)])
        many = forms.ChoiceField(choices=[(str(n), str(n)) for n in range(13)])

    fields = fields_of(OfRows)

    assert ["One of" in fields[name].help_text for name in ("run", "some", "many")] == [
        False,
        True,
        False,
    ]


def test_what_is_not_sent_keeps_the_value_that_the_page_begins_with():
    form = filled(BatchForm, BODY)

    assert form.cleaned_data["size"] == 2
    assert filled(BatchForm, BODY, initial={"reason": "as before"}).cleaned_data["reason"] == (
        "as before"
    )


def test_what_is_sent_goes_before_the_value_that_the_page_begins_with():
    form = filled(BatchForm, BODY | {"size": 7, "reason": ""}, initial={"reason": "as before"})

    assert (form.cleaned_data["size"], form.cleaned_data["reason"]) == (7, "")


def test_every_field_that_is_wrong_is_told_in_the_words_of_the_page():
    assert errors_of(BatchForm, {"name": "too long", "way": "topic", "size": "x"}) == {
        "name": ["Ensure this value has at most 5 characters (it has 8)."],
        "size": ["Enter a whole number."],
    }


def test_a_choice_that_there_is_not_is_told_with_those_that_there_are():
    errors = errors_of(BatchForm, BODY | {"way": "pair"})

    assert errors == {
        "way": [
            "Select a valid choice. pair is not one of the available choices.",
            "Expected one of topic, document.",
        ]
    }


def test_a_field_that_is_empty_is_not_told_the_choices():
    assert errors_of(BatchForm, {"name": "a", "way": ""}) == {"way": ["This field is required."]}


class WithoutWay(BatchForm):
    """As of a collection that has no use for a field."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.fields["way"]


@pytest.mark.parametrize("way", ["topic", "", None])
def test_a_field_without_use_in_a_collection_takes_its_own_values(way):
    assert filled(WithoutWay, BODY | {"way": way}).cleaned_data["name"] == "a"


def test_a_field_without_use_in_a_collection_takes_no_other_value():
    errors = errors_of(WithoutWay, BODY | {"way": "pair"})

    assert errors["way"][1] == "Expected one of topic, document."


def test_fields_that_are_a_serializer_already_stay_it():
    made = shape("Made", {"n": serializers.IntegerField()})

    assert shape("Other", made) is made
    assert list(made().fields) == ["n"]
