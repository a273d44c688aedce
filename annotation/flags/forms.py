"""The form of a lead's answer to a flag."""

from django import forms

from annotation.flags.actions import MAX_ANSWER_LENGTH
from annotation.forms import CheckedForm, LinesField
from annotation.models import FlagAnswer


class FlagAnswerForm(CheckedForm):
    kind = forms.ChoiceField(
        choices=FlagAnswer.Kind.choices, error_messages={"required": "Say what became of it."}
    )
    text = LinesField(required=False, max_length=MAX_ANSWER_LENGTH)
    with_example = forms.BooleanField(required=False)
