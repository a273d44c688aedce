"""Measured runs that are computed once, by the hash of all that they come from."""

import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from django.db import OperationalError

from datasets.models import Collection
from evaluation.measures import Measure
from evaluation.models import KnownResult
from evaluation.protocols import Protocol
from evaluation.results import Judged, Measured, measure_runs
from evaluation.results.measured import Rankings

KEPT = 200  # per collection, the newest
MOST_BYTES = 8_000_000
ARRAYS = ("values", "judged", "lacks")
# The packages whose code decides what comes out.
PROGRAM = ("evaluation.measures", "evaluation.results", "evaluation.protocols")


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
    if collection is None:
        return measure_runs(topics, rankings(), protocol, measures)
    key = key_of(topics, hashes, protocol, measures)
    known = KnownResult.objects.filter(collection=collection, key=key).first()
    if known is not None:
        arrays = _arrays(bytes(known.content))
        return Measured(tuple(measures), tuple(hashes), tuple(topics), *arrays)
    measured = measure_runs(topics, rankings(), protocol, measures)
    _keep(collection, key, measured)
    return measured


def key_of(
    topics: Sequence[Judged],
    hashes: Mapping[str, str],
    protocol: Protocol,
    measures: Sequence[Measure],
) -> str:
    """A hash of everything that the values depend on."""
    found = hashlib.sha256(program_hash().encode())
    names = [measure.name for measure in measures]
    said = [list(hashes.items()), protocol.data, names]
    found.update(json.dumps(said, sort_keys=True).encode())
    for topic in topics:
        grades = topic.grades
        about = [topic.id, dict(topic.tags), grades.size, grades.query_paper, grades.values.shape]
        found.update(json.dumps([about, grades.documents], sort_keys=True).encode())
        found.update(np.ascontiguousarray(grades.values).tobytes())
    return found.hexdigest()


@cache
def program_hash() -> str:
    """A hash of the code that measures, and of the numpy that it computes with."""
    found = hashlib.sha256(np.__version__.encode())
    for package in PROGRAM:
        for file in sorted(files(package).iterdir(), key=lambda file: file.name):
            if file.name.endswith(".py"):
                found.update(file.read_bytes())
    return found.hexdigest()


def _arrays(content: bytes) -> list[np.ndarray]:
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        return [stored[name] for name in ARRAYS]


def _keep(collection: Collection, key: str, measured: Measured) -> None:
    if measured.values.nbytes > MOST_BYTES:
        return
    file = io.BytesIO()
    np.savez(file, **{name: getattr(measured, name) for name in ARRAYS})
    row = KnownResult(collection=collection, key=key, content=file.getvalue())
    try:
        KnownResult.objects.bulk_create([row], ignore_conflicts=True)
        rows = KnownResult.objects.filter(collection=collection).order_by("-pk")
        if oldest := list(rows.values_list("pk", flat=True)[KEPT : KEPT + 1]):
            KnownResult.objects.filter(collection=collection, pk__lte=oldest[0]).delete()
    except OperationalError:
        # Locked: the figures are at hand all the same.
        return
