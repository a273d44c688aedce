"""Every row that an import may write."""

from adjudication.models import Decision
from annotation.models import (
    Batch,
    MachineRun,
    MachineScore,
    Pair,
    Rating,
    RatingRevision,
    Seat,
    Tenure,
)
from datasets.models import Candidate, Document, Membership, Query, Topic, TopicPlace

EVERYTHING = [
    Document, Query, Candidate, Topic, TopicPlace, Batch, Pair, Seat, Tenure, Rating,
    RatingRevision, Decision, MachineRun, MachineScore,
]  # fmt: skip


def count_rows():
    """All of them, those that nobody may see included."""
    managers = [getattr(model, "including_inactive", model.objects) for model in EVERYTHING]
    counts = {manager.model.__name__: manager.count() for manager in managers}
    return counts | {"Membership": Membership.objects.exclude(external_id="").count()}


def count_visible_rows():
    """Those that pages, exports and figures start from."""
    models = [Document, Query, Candidate, Topic, Batch, Pair, MachineRun, MachineScore]
    counts = {model.__name__: model.objects.count() for model in models}
    members = Membership.objects.current().exclude(external_id="")
    return counts | {"Membership": members.count()}


NO_ROWS = dict.fromkeys([*(model.__name__ for model in EVERYTHING), "Membership"], 0)
