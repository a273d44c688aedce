"""Forms for members, and the field for several files."""

from django import forms

from datasets.models import Role


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files at once."""

    widget = FilesInput

    def clean(self, data, initial=None):
        files = data if isinstance(data, (list, tuple)) else [data]
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


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
