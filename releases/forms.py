"""What a lead chooses of an export."""

from django import forms

from releases.formats.registry import FORMATS


class ExportForm(forms.Form):
    format = forms.ChoiceField(
        choices=[(one.key, one.description) for one in FORMATS.values()],
        initial=next(iter(FORMATS)),
        widget=forms.RadioSelect,
    )
    with_notes = forms.BooleanField(
        label="CSV: with notes and rationales",
        required=False,
        help_text="They are free text and may name people. Read them before you publish them.",
    )
    allow_incomplete = forms.BooleanField(
        label="Also when gold is missing",
        required=False,
        help_text="File names and manifest then say that it is incomplete.",
    )
