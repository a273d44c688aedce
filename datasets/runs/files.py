"""Runs from files: TREC's six columns, or rankings as BIRCO publishes them."""

from collections.abc import Sequence
from typing import Any

from accounts.models import User
from audit.refusals import Refused
from audit.transactions import one_transaction
from datasets.models import Collection
from datasets.runs.actions import StoredRun, add_run
from datasets.runs.strangers import KnownDocuments
from formats import records
from formats.birco.rankings import looks_like_ranking, read_ranking
from formats.credits import data_files
from formats.files import Files
from formats.problems import Problems
from formats.trec.runs import read_run


def read_runs(files: Files) -> list[records.Run]:
    """The runs of files; the content of each tells its format. A README or licence beside them is
    passed over. BadInputError lists everything that is wrong."""
    problems, runs = Problems(), []
    for file in data_files(files) or files:
        read_file = read_ranking if looks_like_ranking(file) else read_run
        run = read_file(file, problems)
        if run is not None:
            runs.append(run)
    problems.raise_any()
    return runs


@one_transaction
def add_runs(
    *, collection: Collection, runs: Sequence[records.Run], by: User | None, **options: Any
) -> list[StoredRun]:
    """Store several runs, all of them or none; `options` are those of `add_run`. A run that ranks
    no document of the collection is refused.

    Raises BadInputError that names every file which the collection refuses.
    """
    problems, stored, known = Problems(), [], KnownDocuments(collection)
    for run in runs:
        try:
            row = add_run(collection=collection, run=run, by=by, known=known, **options)
            if row.is_new:  # also of further topics alone
                known.refuse_strangers_alone(run.lines)
            stored.append(row)
        except Refused as refused:
            problems.add(run.file, "", str(refused))
    problems.raise_any()
    return stored
