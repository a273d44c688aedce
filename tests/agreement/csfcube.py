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


def read_gold(folder):
    """{(paper id, facet): {candidate: adjudicated grade}}."""
    gold = {}
    for facet in FACETS:
        path = folder / f"test-pid2anns-csfcube-{facet}.json"
        for paper, lists in json.loads(path.read_text(encoding="utf-8")).items():
            gold[paper, facet] = dict(zip(lists["cands"], lists["relevance_adju"], strict=True))
    return gold


def read_sources(folder):
    """Yield (facet, paper id, candidate, adjudicated grade, its sources) from the texts for people;
    what is not such a line of a candidate is passed over."""
    for path in sorted((folder / "readable_annotations").glob("*.txt")):
        query, facet, _ = path.stem.split("-")
        _, *candidates = path.read_text(encoding="utf-8").split(f"\n{'=' * 35}\n")
        for text in candidates:
            paper, grade, _, sources = text.split("\n")[:4]
            yield (
                facet,
                query,
                paper.removeprefix("paper_id: ").split(";")[0],
                int(grade.rstrip(")").split("(")[1]),
                sources.removeprefix("sources: ").split(" - "),
            )
