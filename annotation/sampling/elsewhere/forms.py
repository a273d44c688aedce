"""The form for handing out pairs that were chosen elsewhere."""

from django import forms

from annotation.models import Batch
from annotation.sampling.actions import MAX_NAME_LENGTH
from formats.records import MAX_OVERLAP

MAX_TEXT_LENGTH = 2_000_000


class GivenPairsForm(forms.Form):
    name = forms.CharField(max_length=MAX_NAME_LENGTH, initial="Test")
    overlap = forms.IntegerField(label="Annotators a pair", min_value=1, max_value=MAX_OVERLAP)
    way = forms.ChoiceField(
        label="Way to work", choices=Batch.Way.choices, initial=Batch.Way.BY_TOPIC, required=False
    )
    pairs = forms.CharField(
        label="Pairs",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
        help_text="One a line: the topic's id, a space, the document's id.",
    )

    def clean_way(self):
        return self.cleaned_data["way"] or Batch.Way.BY_TOPIC

    def clean_pairs(self):
        """[(topic, document)]; empty lines are passed over."""
        lines = [line.split() for line in self.cleaned_data["pairs"].splitlines()]
        for number, ids in enumerate(lines, start=1):
            if len(ids) not in (0, 2):
                raise forms.ValidationError(
                    f"Line {number} is “{' '.join(ids)[:80]}”; expected a topic and a document."
                )
        return [tuple(ids) for ids in lines if ids]
