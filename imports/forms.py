"""What a lead uploads."""

from django import forms

from datasets.uploads import base_name
from formats import csfcube, doris_mae
from formats.csfcube.read import find_sources

# Pools and ratings are read whole; the release's own have some hundred kilobytes each.
MAX_WHOLE_BYTES = 32 * 2**20
REQUIRED = [csfcube.QUERIES, csfcube.ABSTRACTS, csfcube.POOLS]


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files at once."""

    widget = FilesInput

    def clean(self, data, initial=None):
        files = data if isinstance(data, (list, tuple)) else [data]
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


class CsfcubeForm(forms.Form):
    """The files of a CSFCube release; `options` are what its job is told beside them."""

    files = FilesField(
        label="Files of a CSFCube release",
        help_text="Choose them all at once.",
        error_messages={
            "required": "Choose the files.",
            "empty": "One of the files is empty.",
        },
        widget=FilesInput(attrs={"accept": ".csv,.json,.jsonl,.txt"}),
    )
    with_ratings = forms.BooleanField(
        label="Also import the ratings and adjudications",
        required=False,
        help_text="Needs the rating files. For a finished study that moves in.",
    )

    def clean_files(self):
        files = self.cleaned_data["files"]
        names = [base_name(file.name) for file in files]
        sources = find_sources(zip(names, files, strict=True))
        given = {name for name, _ in sources.parts()}
        for name in REQUIRED:
            if name not in given:
                self.add_error("files", f"{name} is missing.")
        for name in sources.unknown:
            self.add_error("files", f"{ascii(name)[1:-1]} is no file of a CSFCube release.")
        for name in {name for name in names if names.count(name) > 1}:
            self.add_error("files", f"{ascii(name)[1:-1]} was chosen twice.")
        for file in files:
            if base_name(file.name) != csfcube.ABSTRACTS and file.size > MAX_WHOLE_BYTES:
                self.add_error(
                    "files",
                    f"{ascii(base_name(file.name))[1:-1]} is larger than "
                    f"{MAX_WHOLE_BYTES // 2**20} MB. Use `python manage.py import_csfcube` on the "
                    "server, which has no such limit.",
                )
        return files

    @property
    def options(self):
        return {"with_ratings": self.cleaned_data["with_ratings"]}


class DorisMaeForm(forms.Form):
    """A DORIS-MAE file, and how its machine answers are called."""

    files = FilesField(
        label="The DORIS-MAE file",
        help_text=f"Such as {doris_mae.FILE_NAME}.",
        error_messages={"required": "Choose the file.", "empty": "The file is empty."},
        widget=forms.ClearableFileInput(attrs={"accept": ".json"}),
    )
    model = forms.CharField(
        label="Model that gave the answers in Annotation",
        max_length=120,
        required=False,
        help_text="The file does not say. Its answers are kept apart from people's ratings.",
    )
    run = forms.CharField(
        label="Name of this run of the model",
        max_length=120,
        required=False,
        help_text="If left empty, as in an earlier import, else the name of the file.",
    )

    @property
    def options(self):
        return {"model": self.cleaned_data["model"], "run": self.cleaned_data["run"]}
