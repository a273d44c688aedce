"""Importing a CSFCube release: documents, queries, pools and topics; on request also its ratings
and the decisions on them, so that a finished study can be moved in."""

from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Refused
from formats.csfcube.read import read_release
from formats.csfcube.study import KIND, study_of
from imports.answers import options_by_value
from imports.run import no_progress
from imports.study.importing import StudyMoving


def read_moving(sources, collection, by, *, with_ratings, progress=no_progress):
    """The release, read and ready to be compared and written.

    `sources` is what `find_in_folder` or `find_sources` made of the files.
    """
    collection.refresh_from_db()
    if not hasattr(collection, "scheme"):
        create_scheme(collection=collection, definition=load_definition(KIND), by=by)
    release = read_release(
        sources,
        scales=_scales(collection),
        progress=lambda done, total: progress(done, total, "Reading the files"),
    )
    before = collection.extra.get(KIND, {})
    study = study_of(release, with_ratings=with_ratings, before=before)
    return StudyMoving(study, collection, by, reading={"with_ratings": with_ratings})


def _scales(collection):
    """{facet: its values} of the collection's scheme."""
    scheme = collection.scheme
    facets = list(scheme.facets.values_list("key", flat=True))
    if not facets:
        raise Refused(
            f"{collection} judges aspects of queries, and a CSFCube release brings facets of "
            "papers. Import it into a collection with a scheme for facets."
        )
    return {facet: set(options_by_value(scheme.scale_of(facet))) for facet in facets}
