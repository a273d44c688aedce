"""Forms for seats and batches."""

from django import forms

from annotation.forms import MAX_REASON_LENGTH, CheckedForm, LinesField, ReasonForm
from formats.records import MAX_OVERLAP


class SeatForm(CheckedForm):
    """The new holder of a seat and the one that was seen, by public ids; empty is nobody."""

    holder = forms.UUIDField(required=False)
    member = forms.UUIDField(required=False)
    reason = LinesField(required=False, max_length=MAX_REASON_LENGTH)


class WaiverForm(ReasonForm):
    """Permission for a member to rate although they could have read the ratings, with the
    reason."""

    member = forms.ChoiceField(
        error_messages={"required": "Choose a person.", "invalid_choice": "Choose a person."}
    )

    def __init__(self, *args, members, **kwargs):
        super().__init__(*args, **kwargs)
        self.members = {str(member.public_id): member for member in members}
        self.fields["member"].choices = list(self.members.items())

    def clean_member(self):
        return self.members[self.cleaned_data["member"]]


class OverlapForm(ReasonForm):
    overlap = forms.IntegerField(min_value=1, max_value=MAX_OVERLAP)


class HandOverForm(ReasonForm):
    """The next holder of all open seats of somebody who leaves; without one the seats become
    free."""

    member = forms.ChoiceField(required=False, label="Give them to")
    field_order = ["member", "reason"]

    def __init__(self, *args, people, **kwargs):
        super().__init__(*args, **kwargs)
        self._people = {str(member.public_id): member for member in people}
        self.fields["member"].choices = [
            ("", "nobody: free them, for the plan to spread"),
            *((key, member.name) for key, member in self._people.items()),
        ]
        self.fields["member"].widget.attrs["class"] = "select"
        self.fields["reason"].widget.attrs["class"] = "input"

    @property
    def chosen(self):
        return self._people.get(self.cleaned_data["member"])
