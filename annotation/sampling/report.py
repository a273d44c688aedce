"""How a sample was drawn, in words."""

from dataclasses import dataclass

from annotation.sampling.drawing import Stratum
from annotation.sampling.strata import By


@dataclass
class Drawn:
    """What `Batch.drawn` says; `strata` is empty for a sample that is not stratified."""

    sample: str
    size: int
    waiting: int
    seed: str
    parts: int
    part: int
    proportion: str
    strata: list[Stratum]


def drawn_as(batch):
    """How the batch was drawn; None where it is no sample."""
    drawn = batch.drawn
    if drawn is None:
        return None
    by = By(drawn["stratified_by"])
    return Drawn(
        sample=drawn["sample"],
        size=drawn["size"],
        waiting=drawn["waiting"],
        seed=drawn["seed"],
        parts=drawn["parts"],
        part=drawn["part"],
        proportion="" if by == By.NOTHING else by.label,
        strata=[] if by == By.NOTHING else [Stratum(*stratum) for stratum in drawn["strata"]],
    )
