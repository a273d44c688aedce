"""Forms for writing a query and gathering its pool."""

from django import forms

from annotation.authoring.actions.aspects import MAX_ASPECT_LENGTH
from annotation.authoring.actions.pools import MAX_SOURCE_LENGTH
from annotation.authoring.actions.queries import MAX_TEXT_LENGTH
from annotation.forms import CheckedForm

# Pasted lists of ids are read whole; the published pools have 99 to 138 candidates.
MAX_IDS_LENGTH = 500_000
MAX_CORPUS_BYTES = 32 * 2**20


def _lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


class AboutQueryForm(CheckedForm):
    """Details of a query that annotators do not see."""

    query_type = forms.CharField(
        label="Type",
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"list": "query-types", "autocomplete": "off"}),
        help_text="Samples can be drawn in proportion to it. DORIS-MAE has ML, NLP, CV, AI and "
        "Composite.",
    )
    notes = forms.CharField(
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For leads: where the idea came from, who asked. Annotators do not see them.",
    )


class NewQueryForm(AboutQueryForm):
    text = forms.CharField(
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 9}),
        help_text="What somebody looks for, in their own words. The published queries have 95 to "
        "226 words. It is split into sentences, which you can correct next.",
        error_messages={"required": "Write the query's text."},
    )

    field_order = ["text", "query_type", "notes"]


class SentencesForm(CheckedForm):
    """The text of a query, one sentence a line; `seen` is the token of what was shown."""

    sentences = forms.CharField(
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 10}),
        error_messages={"required": "Write the query's text."},
    )
    seen = forms.CharField(required=False)

    def clean_sentences(self):
        return _lines(self.cleaned_data["sentences"])


class AspectForm(CheckedForm):
    text = forms.CharField(
        max_length=MAX_ASPECT_LENGTH,
        error_messages={
            "required": "Write what the aspect asks for.",
            "max_length": f"An aspect has at most {MAX_ASPECT_LENGTH} characters.",
        },
    )


class _SourceForm(forms.Form):
    source = forms.CharField(
        label="Source",
        required=False,
        max_length=MAX_SOURCE_LENGTH,
        help_text="What found them: a run, a method, a person. Annotators do not see it.",
    )


class CandidatesForm(_SourceForm):
    ids = forms.CharField(
        label="Ids of documents",
        max_length=MAX_IDS_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Of this collection, one a line.",
        error_messages={"required": "Paste the ids of documents, one a line."},
    )

    field_order = ["ids", "source"]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, auto_id="ids-%s", **kwargs)

    def clean_ids(self):
        return _lines(self.cleaned_data["ids"])


class CorpusForm(_SourceForm):
    file = forms.FileField(
        label="File of documents",
        help_text='JSON lines in BEIR\'s shape: {"_id": …, "title": …, "text": …}. Documents that '
        "the collection does not have are added to it.",
        widget=forms.ClearableFileInput(attrs={"accept": ".jsonl,.json"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )

    field_order = ["file", "source"]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, auto_id="file-%s", **kwargs)
