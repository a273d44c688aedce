"""Measured runs, their intervals and the tests of draws, computed once by the hash of all that they
come from."""

import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db import OperationalError

from agreement.study.intervals import keep_newest
from agreement.study.program import program_hash
from datasets.models import Collection
from evaluation.measures import Measure, Values
from evaluation.models import KnownResult
from evaluation.orders import differences
from evaluation.protocols import Protocol
from evaluation.results import Interval, Judged, Measured, Together, bootstrap, measure_runs
from evaluation.results.intervals import RESAMPLES, SEED
from evaluation.results.measured import Rankings

KEPT = 500  # per collection, the newest
MOST_BYTES = 8_000_000
Array = npt.NDArray[Any]
# What decides the results.
PROGRAM = (
    "evaluation.measures",
    "evaluation.results",
    "evaluation.protocols",
    "evaluation.orders",
)
LIBRARIES = ("numpy", "scipy", "ir-measures", "pytrec-eval-terrier")


def known_or_measured(
    collection: Collection | None,
    topics: Sequence[Judged],
    hashes: Mapping[str, str],
    rankings: Callable[[], Rankings],
    protocol: Protocol,
    measures: Sequence[Measure],
) -> Measured:
    """The runs measured on the topics; `hashes` are those of the contents of the runs, by name.

    Without a collection nothing is looked up and nothing is kept. Rankings are read where something
    has to be measured.
    """

    def measure() -> tuple[Array, ...]:
        measured = measure_runs(topics, rankings(), protocol, measures)
        return measured.values, measured.judged, measured.lacks

    arrays = known_arrays(collection, lambda: key_of(topics, hashes, protocol, measures), measure)
    return Measured(tuple(measures), tuple(hashes), tuple(topics), *arrays)


def known_interval(collection: Collection | None, values: Values, together: Together) -> Interval:
    """The bootstrap interval of a summary of (..., topics)."""

    def key() -> str:
        return _key_of_arrays(["interval", RESAMPLES, SEED], (values, *together.parts))

    def resample() -> tuple[Array, ...]:
        interval = bootstrap(values, together)
        return interval.low, interval.high

    return Interval(*known_arrays(collection, key, resample))


def known_tests(collection: Collection | None, values: Values, test: Callable[[], Array]) -> Array:
    """The significant differences in each of many draws (draws, systems, topics)."""

    def key() -> str:
        return _key_of_arrays(
            ["significance", differences.FLIPS, differences.SEED, differences.ALPHA], (values,)
        )

    return known_arrays(collection, key, lambda: (test(),))[0]


def _key_of_arrays(words: list[Any], arrays: Sequence[Array]) -> str:
    shapes = [array.shape for array in arrays]
    digest = hashlib.sha256(json.dumps([_program(), *words, shapes]).encode())
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def known_arrays(
    collection: Collection | None,
    key: Callable[[], str],
    make: Callable[[], tuple[Array, ...]],
) -> tuple[Array, ...]:
    """The arrays that `make` returns, from the database where the same inputs were computed
    before."""
    if collection is None:
        return make()
    hashed = key()
    kept_result = KnownResult.objects.filter(collection=collection, key=hashed).first()
    if kept_result is not None:
        with np.load(io.BytesIO(bytes(kept_result.content)), allow_pickle=False) as stored:
            return tuple(stored[name] for name in stored.files)
    arrays = make()
    _keep(collection, hashed, arrays)
    return arrays


def key_of(
    topics: Sequence[Judged],
    hashes: Mapping[str, str],
    protocol: Protocol,
    measures: Sequence[Measure],
) -> str:
    """A hash of everything that the values depend on."""
    digest = hashlib.sha256(_program().encode())
    names = [measure.name for measure in measures]
    inputs = [list(hashes.items()), protocol.data, names]
    digest.update(json.dumps(inputs, sort_keys=True).encode())
    for topic in topics:
        grades = topic.grades
        about = [topic.id, dict(topic.tags), grades.size, grades.query_paper, grades.values.shape]
        digest.update(json.dumps([about, grades.documents], sort_keys=True).encode())
        digest.update(np.ascontiguousarray(grades.values).tobytes())
    return digest.hexdigest()


def _program() -> str:
    return program_hash(PROGRAM, LIBRARIES)


def _keep(collection: Collection, key: str, arrays: tuple[Array, ...]) -> None:
    if sum(array.nbytes for array in arrays) > MOST_BYTES:
        return
    file = io.BytesIO()
    np.savez(file, *arrays)
    row = KnownResult(collection=collection, key=key, content=file.getvalue())
    try:
        keep_newest(collection, [row], KEPT)
    except OperationalError:
        # Locked: the figures are at hand all the same.
        return
