"""Reading a CSFCube release: everything is checked here, before anything is written anywhere.

Problems are collected over all files and raised together as BadInputError.
"""

import hashlib

from formats import csfcube
from formats.csfcube.annotations import read_annotations
from formats.csfcube.cross_checks import check_together, read_splits
from formats.csfcube.papers import read_papers
from formats.csfcube.pools import read_pools
from formats.csfcube.queries import read_queries
from formats.csfcube.readable import read_readable
from formats.csfcube.reading import Progress, Reading, Scales
from formats.csfcube.records import Release
from formats.csfcube.sources import Sources
from formats.csfcube.write import write_annotations, write_pools, write_queries, write_splits
from formats.records import Place


def read_release(sources: Sources, *, scales: Scales, progress: Progress | None = None) -> Release:
    """Read and check a whole release; raises BadInputError with everything that is wrong.

    `scales` are the values of the scheme into which it goes, by the key of a facet.
    `progress(done, total)` is told the bytes of the abstracts file that were read.
    """
    reading = Reading(sources, scales=scales, progress=progress)
    _require_files(reading)
    reading.problems.raise_any()
    read_queries(reading)
    read_pools(reading)
    for facet, path in sorted(reading.sources.annotations.items()):
        read_annotations(reading, facet, path)
    read_papers(reading)
    # What follows compares the files with each other, which only makes sense of whole ones.
    reading.problems.raise_any()
    check_together(reading)
    read_splits(reading)
    reading.problems.raise_any()
    read_readable(reading)
    reading.problems.raise_any()
    _note_what_is_not_restored(reading)
    reading.release.fingerprint = hashlib.sha256("\n".join(reading.digests).encode()).hexdigest()
    return reading.release


def _require_files(reading: Reading) -> None:
    required = {
        csfcube.QUERIES: reading.sources.queries,
        csfcube.ABSTRACTS: reading.sources.abstracts,
        csfcube.POOLS: reading.sources.pools,
    }
    for name, path in required.items():
        if path is None or not path.is_file():
            reading.refuse(Place(name), "the file is missing.", "Add it under exactly this name.")


def _note_what_is_not_restored(reading: Reading) -> None:
    """Write each file anew and note those whose bytes an export cannot give back."""
    release, raw = reading.release, reading.raw
    anew = {
        csfcube.QUERIES: write_queries(
            release.rows, columns=release.columns, line_end=release.line_end
        ),
        csfcube.POOLS: write_pools(release.pools),
    }
    for facet, judged in release.annotations.items():
        anew[csfcube.annotations_name(facet)] = write_annotations(judged)
    if release.splits is not None:
        anew[csfcube.SPLITS] = write_splits(release.splits)
    different = [name for name, text in anew.items() if raw[name] != text]
    if reading.has_changed_lines:
        different.append(csfcube.ABSTRACTS)
    if different:
        release.notes.append(
            f"Spaced or quoted otherwise than in the official release: {', '.join(different)}. "
            "An export gives the same content in the official spelling."
        )
