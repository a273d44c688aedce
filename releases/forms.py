"""What a lead chooses of an export."""

from django import forms

from releases.models import Export


class ExportForm(forms.Form):
    format = forms.ChoiceField(
        choices=[
            (Export.Format.TREC, "TREC qrels, per facet and in all"),
            (Export.Format.CSFCUBE, "CSFCube: the release's JSON, CSV and readable text files"),
            (Export.Format.CSV, "CSV: ratings, decisions and gold, people under pseudonyms"),
        ],
        initial=Export.Format.TREC,
        widget=forms.RadioSelect,
    )
    with_notes = forms.BooleanField(
        label="CSV: with notes and rationales",
        required=False,
        help_text="They are free text and may name people. Read them before you publish them.",
    )
    allow_incomplete = forms.BooleanField(
        label="Also when gold is missing",
        required=False,
        help_text="File names and manifest then say that it is incomplete.",
    )
