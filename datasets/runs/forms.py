"""Forms for runs, systems and judgments."""

from django import forms

from datasets.forms import FilesField, FilesInput
from datasets.models import Collection, JudgmentSet, Level, Run, System

LEVELS = [
    ("", "As their ids tell"),
    (Level.TOPICS, "Topics"),
    (Level.QUERIES, "Whole queries"),
    (Level.SUB_QUERIES, "Sub-queries"),
]


class RunsForm(forms.Form):
    """Files of runs, and what to note of their systems where these are new."""

    files = FilesField(
        label="Files of runs",
        help_text="TREC runs of six columns, also gzipped or in a zip; or rankings of BIRCO. "
        "A file holds the run of one system.",
        error_messages={
            "required": "Choose the files.",
            "empty": "One of the files is empty. Take it out, or choose the right one.",
        },
        widget=FilesInput(),
    )
    kind = forms.ChoiceField(label="Kind of the systems", choices=System.Kind)
    order = forms.ChoiceField(
        label="Order of documents",
        choices=Run.Order,
        help_text="trec_eval ignores ranks: higher scores first, ties by the document's id.",
    )
    level = forms.ChoiceField(label="They rank for", choices=LEVELS, required=False)


class SystemForm(forms.ModelForm):
    class Meta:
        model = System
        fields = ["name", "key", "kind", "model_family", "is_pooled"]


class JudgmentsForm(forms.Form):
    """A file of judgments that were made elsewhere."""

    files = FilesField(
        label="File of judgments",
        help_text="TREC qrels of four columns. Grades stay as they are written.",
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
        widget=FilesInput(),
    )
    name = forms.CharField(label="Name", max_length=160, help_text="Such as NIST 2019.")
    note = forms.CharField(
        label="Note on the scale",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The meaning of the grades, and the least relevant one.",
    )
    level = forms.ChoiceField(label="They are about", choices=LEVELS[:3], required=False)


class JudgmentSetForm(forms.ModelForm):
    class Meta:
        model = JudgmentSet
        fields = ["name", "key", "scale_note"]


class GuardForm(forms.ModelForm):
    class Meta:
        model = Collection
        fields = ["scores_wait_for_locking"]
