import uuid

from adjudication.actions import decide
from tests.factories.studies import make_study, make_user
from tests.shelf import shelved


@shelved
def study(db):
    make_user("Dave")
    return make_study()


@shelved
def finished(study):
    """One topic, three pairs: agreed on 2, disputed and decided as 1, and one left out."""
    study.finish(alice=[2, 0, None], bob=[2, 1, 1])
    _, disputed, cut_off = study.batch.pairs.all()
    decide(
        pair=disputed,
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(1),
        cause="granularity",
        rationale="Secret rationale",
    )
    decide(
        pair=cut_off,
        by=study.carol,
        save_id=uuid.uuid4(),
        exclusion_reason="The abstract is cut off",
    )
    return study
