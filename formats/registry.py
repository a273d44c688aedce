"""Every format that can be imported in the neutral form: a row each.

A new format is a module with `recognise` and `read` (`formats.reading.Reader`) and a row here;
the import page and the command know no format by name.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from formats.reading import Reader


@dataclass(frozen=True)
class Row:
    """A format. `module` is imported when first needed; `reads` describes it to people.
    `needs_command` is true of formats that are not files, so that the page does not offer them;
    `switches` are the names of its settings, each yes or no.
    """

    key: str
    name: str
    reads: str
    module: str
    needs_command: bool = False
    switches: tuple[str, ...] = ()

    @property
    def reader(self) -> Reader:
        return cast(Reader, import_module(self.module))


ROWS: tuple[Row, ...] = (
    Row(
        "tables",
        "Tables",
        "CSV, TSV, JSON lines, Excel or Parquet: documents, queries, aspects, pools, ratings, "
        "decisions, judgments; TREC runs and qrels beside them",
        "formats.tables.read",
        switches=("pools",),
    ),
    Row(
        "trec",
        "TREC",
        "topics (XML, SGML, JSON, TSV), documents as JSON lines, runs as pools, qrels as judgments",
        "formats.trec.read",
        switches=("pools",),
    ),
    Row(
        "beir",
        "BEIR",
        "a folder or zip: corpus.jsonl, queries.jsonl, qrels as judgments; TREC runs beside them",
        "formats.beir.read",
    ),
    Row(
        "birco",
        "BIRCO",
        "JSON with query, corpus and qrel; rankings as runs",
        "formats.birco.read",
    ),
    Row(
        "litsearch",
        "LitSearch",
        "rows of questions and of the corpus, as JSON lines or Parquet",
        "formats.litsearch.read",
    ),
    Row(
        "label-studio",
        "Label Studio",
        "an export as JSON, JSON-MIN, CSV or snapshot; users.json beside it says who rated",
        "formats.peers.label_studio",
    ),
    Row(
        "doccano",
        "doccano",
        "an export as JSON lines, JSON or CSV, a file for each annotator",
        "formats.peers.doccano",
    ),
    Row(
        "potato",
        "Potato",
        "its data file and each person's user_state.json, or an export",
        "formats.peers.potato",
    ),
    Row(
        "ir_datasets",
        "ir_datasets",
        "a dataset by its id, where that library is installed",
        "formats.irds",
        needs_command=True,
    ),
)
