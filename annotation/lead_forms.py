"""What leads type and choose about seats, batches, topics and a collection's details."""

from django import forms

from annotation.actions.batches import MAX_OVERLAP
from datasets.actions import DETAILS, SIGN_IN_RULES
from datasets.models import Collection

MAX_REASON_LENGTH = 1_000


class OneLine:
    """All that is wrong with a form, as one line for people."""

    @property
    def sentence(self):
        return " ".join(error for errors in self.errors.values() for error in errors)


class ReasonForm(OneLine, forms.Form):
    """Why a lead undoes something that people rely on; kept in the trail."""

    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": "Say why. The reason is kept in the history."},
    )


class SeatForm(OneLine, forms.Form):
    """Who gets a seat; nobody chosen frees it."""

    member = forms.ChoiceField(required=False, label="Give it to")
    reason = forms.CharField(required=False, max_length=MAX_REASON_LENGTH)

    def __init__(self, *args, eligible, needs_reason, **kwargs):
        super().__init__(*args, **kwargs)
        self.eligible = {str(member.public_id): member for member in eligible}
        self.needs_reason = needs_reason
        self.fields["member"].choices = [("", "nobody"), *self.eligible.items()]
        self.fields["member"].error_messages["invalid_choice"] = (
            "This person cannot take the seat: not an annotator, a rater of the batch already, or "
            "one who could have read its ratings."
        )

    def clean_member(self):
        return self.eligible.get(self.cleaned_data["member"])

    def clean_reason(self):
        reason = self.cleaned_data["reason"]
        if self.needs_reason and not reason:
            raise forms.ValidationError("Say why the seat changes hands.")
        return reason


class WaiverForm(ReasonForm):
    """Who may rate in a batch although they could have read its ratings, and why."""

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


class DetailsForm(forms.ModelForm):
    class Meta:
        model = Collection
        fields = DETAILS
        widgets = {
            name: forms.Textarea(attrs={"rows": rows})
            for name, rows in [("description", 2), ("source", 2), ("citation", 3)]
        }
        help_texts = {
            "licence": "Of the data. Every export carries it.",
            "source": "Where queries, pools and abstracts come from.",
            "citation": "How others should cite the collection.",
        }


class SignInRulesForm(forms.ModelForm):
    class Meta:
        model = Collection
        fields = SIGN_IN_RULES
        help_texts = {
            "lead_idle_hours": "The strictest of all the collections and roles of a person counts.",
            "leads_need_second_factor": "At their next sign-in, leads without one set it up: a "
            "code of an authenticator app besides the password.",
        }
