"""DORIS-MAE files, with the scores of a machine run."""
