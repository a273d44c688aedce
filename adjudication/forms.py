"""The decision on a pair, as it is sent."""

from django import forms

from adjudication.actions import MAX_REASON_LENGTH
from annotation.forms import LinesField

# Not a slug, so that no option can have this key.
LEAVE_OUT = "!leave-out"


class DecisionForm(forms.Form):
    """A grade or "leave out", a cause, and one reason: the rationale, or why it is left out."""

    option = forms.ChoiceField(
        error_messages={"required": "Choose a grade, or leave the pair out."},
    )
    cause = forms.ChoiceField(required=False)
    reason = LinesField(required=False, max_length=MAX_REASON_LENGTH)
    save_id = forms.UUIDField()
    based_on = forms.UUIDField(required=False)
    # Who filled the form in: a save kept on a shared computer is nobody else's.
    adjudicator = forms.UUIDField(required=False)
    # A pair that the answer to the save brings along; no part of the decision.
    ahead = forms.UUIDField(required=False)

    def __init__(self, *args, options, causes, member, **kwargs):
        super().__init__(*args, **kwargs)
        self.member = member
        self.options = {option.key: option for option in options}
        self.fields["option"].choices = [*((key, key) for key in self.options), (LEAVE_OUT, "")]
        self.fields["cause"].choices = [("", ""), *((cause.key, cause.name) for cause in causes)]

    @classmethod
    def showing(cls, decision, first_value):
        """The initial values of the form: the standing decision, or a first value."""
        if decision is None:
            return {"option": first_value.option.key if first_value else "", "based_on": ""}
        return {
            "option": decision.option.key if decision.option else LEAVE_OUT,
            "cause": decision.cause,
            "reason": decision.reason,
            "based_on": decision.public_id,
        }

    def clean_adjudicator(self):
        adjudicator = self.cleaned_data["adjudicator"]
        if adjudicator and adjudicator != self.member.public_id:
            raise forms.ValidationError("Somebody else made this decision. Sign in as them.")
        return adjudicator

    def clean(self):
        cleaned = super().clean()
        if self.leaves_out and not cleaned.get("reason") and "reason" not in self.errors:
            self.add_error("reason", "Say why the pair is left out.")
        return cleaned

    @property
    def leaves_out(self):
        return self.cleaned_data.get("option") == LEAVE_OUT

    @property
    def chosen(self):
        return self.options.get(self.cleaned_data["option"])

    @property
    def decision(self):
        """The valid form as arguments of `adjudication.actions.decide`."""
        reason = self.cleaned_data["reason"]
        return {
            "option": self.chosen,
            "exclusion_reason": reason if self.leaves_out else "",
            "rationale": "" if self.leaves_out else reason,
            "cause": self.cleaned_data["cause"],
            "save_id": self.cleaned_data["save_id"],
            "based_on": self.cleaned_data["based_on"],
        }

    @property
    def sentence(self):
        """All that is wrong, as one line for people."""
        return " ".join(error for errors in self.errors.values() for error in errors)
