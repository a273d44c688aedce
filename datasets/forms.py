"""What leads type about members."""

from django import forms

from datasets.models import Role


class InvitationForm(forms.Form):
    role = forms.ChoiceField(
        choices=[
            (Role.ANNOTATOR, "Annotator: rates pairs"),
            (Role.ADJUDICATOR, "Adjudicator: decides where ratings differ"),
            (Role.LEAD, "Lead: runs the collection"),
        ],
    )
    email = forms.EmailField(
        label="E-mail address",
        required=False,
        max_length=254,
        help_text="A new account made by the link gets this address. Nothing is mailed.",
    )


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=Role.choices, required=False, widget=forms.CheckboxSelectMultiple
    )
