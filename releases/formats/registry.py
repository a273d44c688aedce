"""The registry of export formats. A new one is a module beside this one and a line below."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from releases.formats import Choices, ExportFile, Level
from releases.formats.beir import beir_files, beir_notes
from releases.formats.birco import birco_files
from releases.formats.csfcube import csfcube_files, csfcube_notes
from releases.formats.doris_mae import doris_mae_files, doris_mae_notes
from releases.formats.levels import levels_of
from releases.formats.tables import csv_files
from releases.formats.trec import trec_files
from releases.records import Study


class Holds(StrEnum):
    """What a format holds alone, as a sentence says it."""

    PAPERS = "query papers under facets"
    TEXTS = "texts with aspects"


@dataclass(frozen=True)
class ExportFormat:
    """A format by its key.

    `files` are what it writes, `notes` the sentences that the manifest says of them.
    `takes_sources`: its grades may be those of any source of values. `has_levels`: it holds one
    level of queries.
    `needs_gold`: it holds gold; another one can be made as long as some is missing.
    `has_answers`: it holds single ratings or decisions, which are read for such a format alone.
    `holds` says which collections it has words for, where not all: those of query papers under
    facets, or those of texts with aspects. `numbers_documents`: their ids are whole numbers.
    `levels(study, choices)` are those of which the manifest counts what was left out.
    """

    key: str
    name: str
    description: str
    files: Callable[[Study, Choices], Iterable[ExportFile]]
    notes: Callable[[Study, Choices], list[str]] = lambda study, choices: []
    levels: Callable[[Study, Choices], Iterable[Level]] = lambda study, choices: []
    takes_sources: bool = False
    has_levels: bool = False
    needs_gold: bool = True
    has_answers: bool = False
    holds: Holds | None = None
    numbers_documents: bool = False


FORMATS = {
    export_format.key: export_format
    for export_format in [
        ExportFormat(
            "trec",
            "TREC",
            "TREC: qrels per facet and in all; of text queries per aspect, query and sub-query",
            trec_files,
            levels=lambda study, choices: levels_of(study, choices.rule),
            takes_sources=True,
        ),
        ExportFormat(
            "csfcube",
            "CSFCube",
            "CSFCube: the release's JSON, CSV and readable text files",
            csfcube_files,
            csfcube_notes,
            has_answers=True,
            holds=Holds.PAPERS,
        ),
        ExportFormat(
            "doris-mae",
            "DORIS-MAE",
            "DORIS-MAE: the release's JSON, with the ratings of test batches and no gold",
            doris_mae_files,
            doris_mae_notes,
            needs_gold=False,
            holds=Holds.TEXTS,
            numbers_documents=True,
        ),
        ExportFormat(
            "csv",
            "CSV",
            "CSV: ratings, decisions and gold, people under pseudonyms",
            csv_files,
            has_answers=True,
        ),
        ExportFormat(
            "birco",
            "BIRCO",
            "BIRCO: JSON with one level of queries and normalised scores, which may be decimals",
            birco_files,
            levels=lambda study, choices: [choices.level],
            takes_sources=True,
            has_levels=True,
        ),
        ExportFormat(
            "beir",
            "BEIR",
            "BEIR: a folder with corpus, one level of queries, and qrels",
            beir_files,
            beir_notes,
            levels=lambda study, choices: [choices.level],
            takes_sources=True,
            has_levels=True,
        ),
    ]
}
# The formats whose files hold grades.
GRADED = [key for key, export_format in FORMATS.items() if export_format.needs_gold]
