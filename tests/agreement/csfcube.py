"""CSFCube's rating files, read without the product's importer."""

import json

FACETS = ("background", "method", "result")


def read_ratings(folder):
    """Yield (facet, paper id, first, second, adjudicated) in the files' order; -1 is missing.

    Which of the four people are first and second is the order of the keys in the file.
    """
    for facet in FACETS:
        path = folder / f"test-pid2anns-csfcube-{facet}.json"
        for paper, lists in json.loads(path.read_text(encoding="utf-8")).items():
            first, second = (key for key in lists if key.startswith("relevance_ann"))
            yield facet, paper, lists[first], lists[second], lists["relevance_adju"]
