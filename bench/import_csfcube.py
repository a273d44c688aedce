"""Import a made-up CSFCube folder with a corpus of any size, and tell time and memory.

    python bench/import_csfcube.py [--documents 800000] [--pooled 100] [--with-ratings]
                                    [--keep FOLDER]

The folder and a database of its own are made in a temporary folder and deleted afterwards.
bench/shared/importing.py says what is measured.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.shared.importing import folders, measure, read_options

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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=800_000)
    parser.add_argument("--pooled", type=int, default=100, help="candidates per query")
    parser.add_argument("--with-ratings", action="store_true")
    options = read_options(parser)
    with folders(options.keep) as (folder, state):
        started = time.monotonic()
        make_folder(folder, options.documents, options.pooled)
        size = (folder / "abstracts-csfcube-preds.jsonl").stat().st_size
        print(
            f"{options.documents:,} documents, {size / 1e6:,.0f} MB, "
            f"written in {time.monotonic() - started:.0f} s"
        )
        with_ratings = ["--with-ratings"] * options.with_ratings
        measure(state, "import_csfcube", str(folder), *with_ratings)


if __name__ == "__main__":
    main()
