"""Fields that the forms of several rooms share."""

from django import forms

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
