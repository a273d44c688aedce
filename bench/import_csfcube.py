"""Import a made-up CSFCube folder with a corpus of any size, and tell time and memory.

    python bench/import_csfcube.py [--documents 800000] [--pooled 100] [--with-ratings]
                                    [--keep FOLDER]

The folder and a database of its own are made in a temporary folder and deleted afterwards. The
import runs in a process of its own, whose peak memory is measured. Beside it a second process
writes one small transaction after the other to the same database, as raters do, and tells how
long the slowest had to wait.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from config import sqlite3

ROOT = Path(__file__).resolve().parent.parent
FACETS = ("background", "method", "result")
LABELS = ["background_label", "objective_label", "method_label", "result_label", "other_label"]
QUERIES = 34
SENTENCE = "We study how {} can be found in collections whose readers ask for one facet alone. "


def paper(number):
    """About 1.5 kB, as long as a line of the release."""
    return {
        "paper_id": f"p{number}",
        "metadata": {"year": 1990 + number % 30, "doi": None, "venue": "Nowhere", "authors": []},
        "title": f"Finding thing {number} in large collections",
        "abstract": [(SENTENCE * 2).format(number, number) for _ in LABELS],
        "pred_labels": LABELS,
        "pred_labels_truncated": False,
    }


def make_folder(folder, documents, pooled):
    """Queries are p0, p1 ...; their pools are spread over the whole corpus."""
    step = max(1, documents // (QUERIES * pooled))
    pools = {
        f"p{query}": [f"p{(query * pooled + rank) * step + QUERIES}" for rank in range(pooled)]
        for query in range(QUERIES)
    }
    last = max(int(name[1:]) for pool in pools.values() for name in pool)
    with (folder / "abstracts-csfcube-preds.jsonl").open("w") as file:
        for number in range(max(documents, last + 1)):
            file.write(json.dumps(paper(number), ensure_ascii=False) + "\n")
    with (folder / "queries-release.csv").open("w", newline="") as file:
        file.write("pid,facet,year,title,paper type\r\n")
        for query in pools:
            for facet in FACETS:
                file.write(f"{query},{facet},2020,Finding things,theoretical\r\n")
    (folder / "test-pid2pool-csfcube.json").write_text(
        json.dumps(
            {
                query: {"cands": pool, "cand_source": [["specter"]] * len(pool)}
                for query, pool in pools.items()
            }
        )
    )
    for facet in FACETS:
        (folder / f"test-pid2anns-csfcube-{facet}.json").write_text(
            json.dumps({query: ratings(pool) for query, pool in pools.items()})
        )


def ratings(pool):
    """Two thirds agree; the adjudicator follows the second annotator."""
    first = [rank % 4 for rank in range(len(pool))]
    second = [(rank + (rank % 3 == 0)) % 4 for rank in range(len(pool))]
    pairs = list(zip(first, second, strict=True))
    return {
        "cands": pool,
        "relevance_max": [max(pair) for pair in pairs],
        "relevance_min": [min(pair) for pair in pairs],
        "relevance_ann1": first,
        "relevance_ann2": second,
        "relevance_adju": second,
    }


class Writer(threading.Thread):
    """Writes small transactions all the time; `waits` are their durations in seconds."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.waits, self.is_over = path, [], threading.Event()

    def run(self):
        database = sqlite3.connect(self.path, timeout=20, isolation_level=None)
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE bench_writes (n INTEGER)")
        while not self.is_over.wait(0.05):
            started = time.monotonic()
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO bench_writes VALUES (1)")
            database.execute("COMMIT")
            self.waits.append(time.monotonic() - started)
        database.close()


def told_waits(writer):
    waits = sorted(writer.waits)
    return (
        f"writes beside it: {len(waits):,}, median {statistics.median(waits) * 1000:.0f} ms, "
        f"95% {waits[int(len(waits) * 0.95)] * 1000:.0f} ms, slowest {waits[-1] * 1000:.0f} ms"
    )


def manage(state, *arguments):
    """Run a management command; (its output, seconds, its peak memory in MB)."""
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={
                "PATH": os.environ["PATH"],
                "FACETWISE_STATE": str(state),
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            stdout=output,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(process.returncode)
        output.seek(0)
        # ru_maxrss is in kilobytes on Linux.
        return output.read(), time.monotonic() - started, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=800_000)
    parser.add_argument("--pooled", type=int, default=100, help="candidates per query")
    parser.add_argument("--with-ratings", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of the database")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name:
        folder, state = Path(name) / "folder", options.keep or Path(name) / "state"
        folder.mkdir()
        state.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        make_folder(folder, options.documents, options.pooled)
        size = (folder / "abstracts-csfcube-preds.jsonl").stat().st_size
        print(
            f"{options.documents:,} documents, {size / 1e6:,.0f} MB, "
            f"written in {time.monotonic() - started:.0f} s"
        )
        manage(state, "migrate", "--verbosity", "0")
        writer = Writer(state / "facetwise.sqlite3")
        writer.start()
        command = ["import_csfcube", str(folder), "--collection", "bench", "--create", "Bench"]
        if options.with_ratings:
            command.append("--with-ratings")
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
