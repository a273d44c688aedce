import uuid

from adjudication.actions import decide, reopen
from annotation.assigning.actions.batches import make_batches
from releases.actions import make_export
from tests.factories.studies import assign_all, make_study
from tests.shelf import shelved


def exported(study, export_format="csv", **options):
    return make_export(
        collection=study.collection,
        export_format=export_format,
        by=study.lena,
        allow_incomplete=True,
        **options,
    )


def decided(study, pair, value=None, reason="", **choice):
    if value is not None:
        choice["option"] = study.option(value)
    return decide(
        pair=pair,
        by=study.carol,
        save_id=uuid.uuid4(),
        cause="granularity",
        rationale="Because",
        exclusion_reason=reason,
        **choice,
    )


@shelved
def corrected(db):
    """Two topics of three pairs, and two exports as CSV. Between them a decided pair of the first
    is reopened and decided again, another one left out; the second is rated for the first time."""
    study = make_study(facets=("method", "result"), assign=False)
    first, second = make_batches(collection=study.collection, by=study.lena)
    assign_all(study, [first, second], ["alice", "bob"])
    study.finish(first, alice=[2, 0, 0], bob=[2, 1, 1])
    study.same, study.redone, study.cut = first.pairs.all()
    decided(study, study.redone, 1)
    decided(study, study.cut, 0)
    study.older = exported(study)
    for pair in (study.redone, study.cut):
        reopen(pair=pair, by=study.lena, reason="Ann read another task")
    decided(study, study.redone, 0)
    decided(study, study.cut, reason="The abstract is cut off")
    study.finish(second, alice=[1, 1, 2], bob=[1, 1, 2])
    study.newer = exported(study)
    return study
