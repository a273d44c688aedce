"""What the forms of several rooms share."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from audit.refusals import Invalid

MAX_REASON_LENGTH = 1_000


class LinesField(forms.CharField):
    """A text of several lines: browsers send CRLF from a form, and LF from a script."""

    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "").replace("\r\n", "\n")


class CheckedForm(forms.Form):
    """A form of a page that tells a refusal in one line, whoever refuses: the form or an action."""

    def checked(self) -> dict[str, Any]:
        """What was typed; Invalid with all that is wrong with it."""
        if not self.is_valid():
            raise Invalid(
                " ".join(str(error) for errors in self.errors.values() for error in errors)
            )
        return self.cleaned_data


class ReasonForm(CheckedForm):
    """Why a lead undoes something that people rely on; kept in the trail."""

    reason = LinesField(
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": "Say why. The reason is kept in the history."},
    )


@dataclass
class RefusedForm:
    """A form that comes back on a page with several: which one, why, and what was typed."""

    at: str
    sentence: str
    typed: QueryDict

    @property
    def lacks_reason(self) -> bool:
        return not self.typed.get("reason", "").strip()
