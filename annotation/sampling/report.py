"""The drawing of a sample, told in words."""

from annotation.sampling.drawing import Stratum
from annotation.sampling.strata import By


def drawn_as(batch):
    """`Batch.drawn` with its strata, and in words what it is in `proportion` to; both are empty
    unless the sample is stratified. None if the batch is no sample."""
    if batch.drawn is None:
        return None
    by = By(batch.drawn["stratified_by"])
    is_stratified = by != By.NOTHING
    return batch.drawn | {
        "proportion": by.label if is_stratified else "",
        "strata": [Stratum(*row) for row in batch.drawn["strata"]] if is_stratified else [],
    }
