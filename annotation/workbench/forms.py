"""Forms of annotators and leads."""

from decimal import Decimal

from django import forms

from annotation.forms import LinesField
from annotation.rating.components import MAX_COMPONENT_LENGTH, MAX_COMPONENTS, Met
from annotation.rating.rate import CHOOSE, MAX_ACTIVE_SECONDS, MAX_NOTE_LENGTH, NO_SUCH_GRADE
from annotation.workbench.answers import OWN_REASON, reasons

COMPONENT = forms.CharField(
    required=False,
    max_length=MAX_COMPONENT_LENGTH,
    error_messages={
        "max_length": f"A key component is longer than {MAX_COMPONENT_LENGTH} characters."
    },
)


class SharedFields(dict):
    """Fields that no form changes: each use of the form would copy them, at the cost of a tenth of
    a save."""

    def __deepcopy__(self, memo):
        return self


class RatingForm(forms.Form):
    """One save. `answer` is an option's key, or `cannot-judge:` and a reason's key.

    Key components come as `component-1`, `met-1` and so on. Those of which none is marked are no
    part of the answer: the page may offer them, and nobody has to mark them.
    """

    save_id = forms.UUIDField()
    based_on = forms.IntegerField(min_value=0)
    scheme_version = forms.IntegerField(min_value=1)
    answer = forms.CharField(error_messages={"required": CHOOSE})
    own_reason = forms.CharField(
        required=False,
        max_length=200,
        error_messages={"max_length": "The reason is longer than 200 characters."},
    )
    note = LinesField(
        required=False,
        max_length=MAX_NOTE_LENGTH,
        error_messages={"max_length": f"The note is longer than {MAX_NOTE_LENGTH:,} characters."},
    )
    is_flagged = forms.BooleanField(required=False)
    active_seconds = forms.DecimalField(
        required=False, min_value=0, max_value=MAX_ACTIVE_SECONDS, decimal_places=1
    )

    def __init__(self, *args, terms, facet, **kwargs):
        super().__init__(*args, **kwargs)
        self.terms, self.facet = terms, facet

    def clean_active_seconds(self):
        return self.cleaned_data["active_seconds"] or Decimal(0)

    def clean_scheme_version(self):
        number = self.cleaned_data["scheme_version"]
        if number == self.terms.version.number:
            return self.terms.version
        version = self.terms.version.scheme.versions.filter(number=number).first()
        if version is None:
            raise forms.ValidationError("This version of the scheme does not exist.")
        return version

    @property
    def components_typed(self):
        """The rows for key components as they were sent; one without a text is none."""
        # One more than may be, so that too many are refused instead of cut off.
        rows = [
            {"text": self.data[f"component-{n}"], "met": self.data.get(f"met-{n}", "")}
            for n in range(1, MAX_COMPONENTS + 2)
            if f"component-{n}" in self.data
        ]
        return [row for row in rows if row["text"].strip()]

    def _clean_components(self):
        rows = self.components_typed
        if not any(row["met"] for row in rows):
            return []
        if any(row["met"] not in set(Met) for row in rows):
            raise forms.ValidationError(
                "Mark every key component as met, partly met or not met, or mark none of them."
            )
        return [{"text": COMPONENT.clean(row["text"]), "met": row["met"]} for row in rows]

    def clean(self):
        data = super().clean()
        try:
            data["components"] = self._clean_components()
        except forms.ValidationError as error:
            self.add_error(None, error)
        answer = data.get("answer")
        if not answer:
            return data
        options = {option.key: option for option in self.terms.options_of(self.facet)}
        reason_names = {reason.key: reason.name for reason in reasons(self.terms)}
        reason_names[OWN_REASON] = data.get("own_reason", "")
        data["option"] = options.get(answer)
        data["cannot_judge"] = reason_names.get(answer, "")
        if answer == OWN_REASON and not data["cannot_judge"] and "own_reason" in data:
            self.add_error("own_reason", "Say in your own words why you cannot judge the pair.")
        elif data["option"] is None and answer not in reason_names:
            self.add_error("answer", NO_SUCH_GRADE)
        return data

    @property
    def rating(self):
        """The arguments of `rate_pair` that were typed and chosen."""
        names = (
            *("save_id", "based_on", "scheme_version", "option", "cannot_judge"),
            *("note", "is_flagged", "active_seconds", "components"),
        )
        return {name: self.cleaned_data[name] for name in names}

    @property
    def sentence(self):
        """All that is wrong, as one line for people."""
        return " ".join(
            f"{error}" if name in TYPED else f"{name}: {error}"
            for name, errors in self.errors.items()
            for error in errors
        )


RatingForm.base_fields = SharedFields(RatingForm.base_fields)

# Fields people fill in; what is wrong with another is named, as only a program can send it.
TYPED = {"answer", "own_reason", "note", "__all__"}
