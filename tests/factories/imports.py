"""Bringing in a release in one step: read, compared, written and activated."""

from imports import csfcube, doris_mae
from imports.run import carry_out, no_progress


def import_csfcube(
    *, sources, collection, by, with_ratings=False, progress=no_progress, effect=None
):
    moving = csfcube.read_moving(
        sources, collection, by, with_ratings=with_ratings, progress=progress
    )
    return carry_out(moving, progress=progress, effect=effect)


def import_doris_mae(
    *, path, name, collection, by, model="", run="", progress=no_progress, effect=None
):
    moving = doris_mae.read_moving(
        path, name, collection, by, model=model, run=run, progress=progress
    )
    return carry_out(moving, progress=progress, effect=effect)
