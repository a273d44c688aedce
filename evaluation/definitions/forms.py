"""Forms for mappings and protocols."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms

from evaluation.models import MappingVersion
from evaluation.protocols import Missing, Protocol, Summary, Undefined
from evaluation.protocols.protocol import MISSING, SUMMARIES, UNDEFINED
from formats.decimals import plain, printed_grade


@dataclass(frozen=True)
class OptionRow:
    """An option of a scale, with its field in the form."""

    name: str
    value: str
    field: forms.BoundField


class Choice(forms.ChoiceField):
    """A choice from a list, in the product's look."""

    widget = forms.Select(attrs={"class": "select"})


class MappingForm(forms.Form):
    """A name, and a grade for every option of the scheme; at first the values that they have, or
    the grades of an earlier version."""

    name = forms.CharField(max_length=160, widget=forms.TextInput(attrs={"class": "input"}))

    def __init__(self, *args, scheme, version: MappingVersion | None = None, **kwargs):
        super().__init__(*args, **kwargs)
        self.scheme = scheme
        if version:
            self.fields["name"].initial = version.name
        for scale in scheme.all_scales:
            earlier = version.grades.get(scale.facet, {}) if version else {}
            for option in scale.option_list:
                self.fields[_field(scale, option)] = forms.DecimalField(
                    label=option.key,
                    max_digits=6,
                    decimal_places=3,
                    initial=earlier.get(option.key, plain(option.value)),
                    widget=forms.NumberInput(attrs={"class": "input grade", "step": "any"}),
                    error_messages={"required": f"The mapping lacks a grade for {option.key}."},
                )

    @property
    def scales(self) -> Iterator[tuple[str, list[OptionRow]]]:
        """(name of the facet or "", its options) in the order of the scheme."""
        wording = self.scheme.current.words
        for scale in self.scheme.all_scales:
            rows = [
                OptionRow(
                    wording.option_name(scale.facet, option.key, unnamed=option.key),
                    printed_grade(option.value),
                    self[_field(scale, option)],
                )
                for option in scale.option_list
            ]
            yield wording.facet_name(scale.facet) if scale.facet else "", rows

    @property
    def mapping(self):
        """The valid form as arguments of `add_mapping`; grades are {facet of the scale: {option:
        grade}}."""
        grades = {
            scale.facet: {
                option.key: self.cleaned_data[_field(scale, option)] for option in scale.option_list
            }
            for scale in self.scheme.all_scales
        }
        return {"name": self.cleaned_data["name"], "grades": grades}


class ProtocolForm(forms.Form):
    """A protocol as people write it: a measure to a line, a document that is left out to a line."""

    name = forms.CharField(max_length=160, widget=forms.TextInput(attrs={"class": "input"}))
    measures = forms.CharField(
        max_length=4_000,
        widget=forms.Textarea(attrs={"class": "input", "rows": 8, "spellcheck": "false"}),
        help_text="One to a line, in the notation of ir-measures (nDCG@10, P(rel=2)@20) or by the "
        "name of a published one (CSFCube NDCG%20). Runs are sorted by the first.",
    )
    least = forms.FloatField(
        label="Least relevant grade",
        widget=forms.NumberInput(attrs={"class": "input", "step": "any"}),
        help_text="For every measure that names no other.",
    )
    undefined = Choice(
        label="A topic on which a measure has no value",
        choices=[(str(choice), UNDEFINED[choice]) for choice in Undefined],
    )
    missing = Choice(
        label="A pair without a value from the source",
        choices=[(str(choice), MISSING[choice]) for choice in Missing],
    )
    summary = Choice(
        label="Topics are put together as",
        choices=[(str(choice), SUMMARIES[choice]) for choice in Summary],
    )
    errors_shown = forms.BooleanField(label="Show standard errors", required=False)
    query_paper_counts = forms.BooleanField(
        label="A query paper that is judged counts", required=False
    )
    left_out = forms.CharField(
        label="Documents that are left out",
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"class": "input", "rows": 3, "spellcheck": "false"}),
        help_text="One identifier to a line. No ranking and no topic then has them.",
    )

    def __init__(self, *args, protocol: Protocol, **kwargs):
        data = protocol.data
        self._shown_key = protocol.key
        initial = data | {
            "measures": "\n".join(data["measures"]),
            "left_out": "\n".join(data["left_out"]),
            "errors_shown": data["errors"],
        }
        super().__init__(*args, **{"initial": initial} | kwargs)

    def clean(self):
        fields = super().clean()
        if not self.errors:
            try:
                self.protocol = self._protocol(fields)
            except ValueError as error:
                self.add_error(None, str(error))
        return fields

    def _protocol(self, fields) -> Protocol:
        """ValueError with a sentence for a measure that there is not."""
        read = {**fields, "key": self._shown_key}
        read["errors"] = read.pop("errors_shown")
        for name in ("measures", "left_out"):
            read[name] = [line.strip() for line in fields[name].split("\n") if line.strip()]
        return Protocol.read(read)


def _field(scale, option) -> str:
    return f"grade:{scale.facet}:{option.key}"
