"""The form of a token."""

from django import forms

from datasets.models import Membership, Scope
from datasets.tokens.actions import MOST_DAYS, scopes_for


class TokenForm(forms.Form):
    name = forms.CharField(
        label="What it is for", max_length=80, help_text="Such as “notebook on my laptop”."
    )
    days = forms.TypedChoiceField(
        label="It expires after",
        coerce=int,
        choices=[(7, "7 days"), (30, "30 days"), (90, "90 days"), (MOST_DAYS, "a year")],
        initial=30,
    )
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.READ],
        error_messages={"required": "Choose what the token may do."},
    )

    def __init__(self, *args, membership: Membership | None, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["scopes"].choices = [  # type: ignore[attr-defined]
            (scope.value, f"{scope.label} ({scope.value})") for scope in scopes_for(membership)
        ]
        if membership is None:
            self.initial["scopes"] = [Scope.COLLECTIONS]
