"""What leads type of a mapping."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.utils.text import slugify

from evaluation.models import MappingVersion
from formats.decimals import plain

LONGEST_KEY = 60


@dataclass(frozen=True)
class OptionRow:
    """An option of a scale with its field; `values` are its name and its value."""

    name: str
    value: str
    field: forms.BoundField


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
        version = self.scheme.current
        for scale in self.scheme.all_scales:
            words = version.options_for(scale.facet)
            rows = [
                OptionRow(
                    words.get(option.key, {}).get("name", option.key),
                    plain(option.value),
                    self[_field(scale, option)],
                )
                for option in scale.option_list
            ]
            name = version.words_for(scale.facet).get("name", scale.facet) if scale.facet else ""
            yield name, rows

    @property
    def grades(self):
        """{facet of the scale: {option: grade}}"""
        return {
            scale.facet: {
                option.key: self.cleaned_data[_field(scale, option)] for option in scale.option_list
            }
            for scale in self.scheme.all_scales
        }

    @property
    def key(self) -> str:
        """What a new mapping is called in addresses; empty where the name has no letter."""
        return slugify(self.cleaned_data["name"])[:LONGEST_KEY].strip("-")


def _field(scale, option) -> str:
    return f"grade {scale.facet} {option.key}"
