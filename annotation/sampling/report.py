"""The drawing of a sample, told in words."""

from dataclasses import dataclass

from annotation.sampling.drawing import Stratum
from annotation.sampling.strata import By


@dataclass
class Drawn:
    """The record of a drawing in `Batch.drawn`; `strata` is empty unless the sample is
    stratified."""

    sample: str
    size: int
    waiting: int
    seed: str
    parts: int
    part: int
    proportion: str
    strata: list[Stratum]


def drawn_as(batch):
    """The record of the batch's drawing; None if the batch is no sample."""
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
