"""The models of judging: schemes, batches with seats, and the ratings that fill them."""

from annotation.models.batches import Batch, Pair, Seat, SideText, Tenure, Waiver
from annotation.models.flags import FlagAnswer
from annotation.models.machine import MachineRun, MachineScore
from annotation.models.ratings import ProgramSave, Rating, RatingRevision
from annotation.models.schemes import Facet, Option, Scale, Scheme, SchemeVersion
