"""Runs measured on topics, put together, and their intervals. Pure functions on arrays."""

from evaluation.results.intervals import Interval, bootstrap
from evaluation.results.measured import Judged, Measured, measure_runs
from evaluation.results.summaries import Folds, Together, means
