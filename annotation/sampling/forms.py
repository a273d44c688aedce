"""The form of a sample."""

from django import forms

from annotation.models import Batch
from annotation.sampling.actions import MAX_NAME_LENGTH, MAX_PARTS
from annotation.sampling.strata import By
from formats.records import MAX_OVERLAP

# The samples of the paper (Wang et al. 2023): 90 pairs to develop the guidelines on, 250 to test.
PRESETS = {
    "development": {"name": "Development", "size": 90, "overlap": 2},
    "test": {"name": "Test", "size": 250, "overlap": 3},
}


class SampleForm(forms.Form):
    name = forms.CharField(
        max_length=MAX_NAME_LENGTH, help_text="Development, test, pilot, or a name of your own."
    )
    size = forms.IntegerField(label="Pairs", min_value=1)
    overlap = forms.IntegerField(
        label="Annotators a pair",
        min_value=1,
        max_value=MAX_OVERLAP,
        help_text="Each batch has so many seats.",
    )
    stratify = forms.ChoiceField(label="In proportion to", choices=By.choices)
    parts = forms.IntegerField(
        label="Batches",
        min_value=1,
        max_value=MAX_PARTS,
        help_text="More than one lets groups of annotators share the work.",
    )
    way = forms.ChoiceField(label="Way to work", choices=Batch.Way.choices)
    seed = forms.CharField(
        max_length=60,
        help_text="The same seed on the same pairs draws the same sample. It is kept.",
    )
