"""The form of a hook."""

from django import forms

from webhooks.kinds import CHOICES
from webhooks.models import Hook


class HookForm(forms.Form):
    address = forms.CharField(
        label="Address",
        max_length=Hook._meta.get_field("address").max_length,
        help_text="Of your receiver, beginning with https://. It must be reachable from the "
        "internet.",
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    kinds = forms.MultipleChoiceField(
        label="Events",
        choices=CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one kind of event."},
    )
