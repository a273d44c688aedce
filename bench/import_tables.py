"""Import a made-up study from tables, with a dry run before it, and tell time and memory.

    python bench/import_tables.py [--queries 1600] [--pooled 103] [--documents 10300]
                                   [--keep FOLDER]

The tables and a database of its own are made in a temporary folder and deleted afterwards. Beside
the import a second process writes one small transaction after the other to the same database, as
raters do, and tells how long the slowest had to wait. As it stands there are 164,800 pairs, about
as many as DORIS-MAE has.
"""

import argparse
import csv
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.import_csfcube import SENTENCE, Writer, manage, told_waits

SEED = 20260101
SENTENCES = 5


def make_tables(folder, queries, pooled, documents):
    """Documents, queries with a text under one facet, and pools spread over all documents."""
    draw = random.Random(SEED)
    write(
        folder / "documents.csv",
        ["id", "title", "text"],
        (
            (f"d{number}", f"Finding thing {number}", SENTENCE.format(number) * SENTENCES)
            for number in range(documents)
        ),
    )
    write(
        folder / "queries.csv",
        ["id", "text"],
        ((f"q{number}", f"How is thing {number} found?") for number in range(queries)),
    )
    write(
        folder / "pool.csv",
        ["query", "document", "source"],
        (
            (f"q{query}", f"d{document}", "bm25")
            for query in range(queries)
            for document in draw.sample(range(documents), min(pooled, documents))
        ),
    )


def write(path, columns, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=1600)
    parser.add_argument("--pooled", type=int, default=103)
    parser.add_argument("--documents", type=int, default=10_300)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of the database")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name:
        folder, state = Path(name) / "tables", options.keep or Path(name) / "state"
        folder.mkdir()
        state.mkdir(parents=True, exist_ok=True)
        make_tables(folder, options.queries, options.pooled, options.documents)
        manage(state, "migrate", "--verbosity", "0")
        command = ["import", "tables", str(folder), "--collection", "bench"]
        command += ["--create", "Bench", "--scheme", "trec-graded"]
        printed, seconds, peak = manage(state, *command, "--dry-run")
        print(printed.strip().splitlines()[1])
        print(f"dry run: {seconds:.1f} s, peak memory {peak:.0f} MB")
        writer = Writer(state / "facetwise.sqlite3")
        writer.start()
        printed, seconds, peak = manage(state, *command)
        writer.is_over.set()
        writer.join()
        print(printed.strip())
        print(f"import: {seconds:.1f} s, peak memory {peak:.0f} MB")
        print(told_waits(writer))
        printed, seconds, _ = manage(state, *command)
        print(f"again: {seconds:.1f} s. {printed.strip().splitlines()[0]}")


if __name__ == "__main__":
    main()
