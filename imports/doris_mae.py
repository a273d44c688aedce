"""Importing a DORIS-MAE file: queries with their aspects, pools and abstracts; the ratings of its
test set, and its machine answers, which become a run of their own."""

from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Invalid, Refused
from datasets.models import Document, Topic
from formats import doris_mae
from formats.doris_mae.read import read_dataset
from formats.doris_mae.study import KIND, noted_run, study_of
from imports.answers import options_by_value
from imports.documents import keys_of
from imports.run import no_progress
from imports.study.importing import StudyMoving

# The name of a machine run whose file does not say what made it.
DEFAULT_MODEL = doris_mae.ANNOTATION
MAX_RUN_NAME_LENGTH = 120


def read_moving(path, name, collection, by, *, model="", run="", progress=no_progress):
    """The file, read and ready to be compared and written.

    `name` is that of the file. Its machine answers go to the run of that `model` and `run` name;
    without them to the one of earlier files, or one called after this file.
    """
    collection.refresh_from_db()
    scheme = _scheme(collection, by)
    before = collection.extra.get(KIND, {})
    model, run = _run_name(before, name, model, run)
    dataset = read_dataset(
        path,
        name=name,
        values=options_by_value(scheme.scale_of("")),
        progress=lambda done, total: progress(done, total, "Reading the file"),
    )
    study = study_of(
        dataset,
        model=model,
        run=run,
        before=before,
        known_documents=keys_of(Document.objects.filter(collection=collection)),
        known_aspects=keys_of(Topic.objects.filter(collection=collection)),
    )
    return StudyMoving(study, collection, by, reading={"run": [model, run]})


def _scheme(collection, by):
    """The collection's scheme, if it judges aspects; one of its own where it has none."""
    scheme = getattr(collection, "scheme", None)
    if scheme is None:
        return create_scheme(collection=collection, definition=load_definition(KIND), by=by)
    if scheme.facets.exists():
        raise Refused(
            f"{collection} judges facets of papers, and a DORIS-MAE file brings aspects of "
            "queries. Import it into a collection with a scheme for aspects."
        )
    return scheme


def _run_name(before, name, model, run):
    """(model, name) of the run to which the file's answers go."""
    noted = noted_run(before)
    if noted and not model and not run:
        return noted
    names = model.strip() or DEFAULT_MODEL, run.strip() or name.rpartition(".")[0] or name
    if max(map(len, names)) > MAX_RUN_NAME_LENGTH:
        raise Invalid(
            f"The names of the model and of its run have at most {MAX_RUN_NAME_LENGTH} characters."
        )
    return names
