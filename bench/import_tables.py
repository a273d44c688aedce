"""Import a made-up study from tables, with a dry run before it, and tell time and memory.

    python bench/import_tables.py [--queries 1600] [--pooled 103] [--documents 10300]
                                   [--keep FOLDER]

The tables and a database of its own are made in a temporary folder and deleted afterwards.
bench/shared/importing.py says what is measured. As it stands there are 164,800 pairs, about as many
as DORIS-MAE has.
"""

import argparse
import csv
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.import_csfcube import SENTENCE
from bench.shared.importing import folders, manage, measure, read_options

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
    options = read_options(parser)
    with folders(options.keep) as (folder, state):
        make_tables(folder, options.queries, options.pooled, options.documents)
        command = ["import", "tables", str(folder), "--scheme", "trec-graded"]
        look = manage(state, *command, "--collection", "bench", "--create", "Bench", "--dry-run")
        print(look.printed.splitlines()[1], f"dry run: {look}", sep="\n")
        measure(state, *command)


if __name__ == "__main__":
    main()
