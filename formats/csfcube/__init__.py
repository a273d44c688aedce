"""The official CSFCube release: what is in its files, reading it, writing it.

Mysore, O'Gorman, McCallum, Zamani: CSFCube, a test collection of computer science research
articles for faceted query by example. NeurIPS 2021 Datasets and Benchmarks.
https://github.com/iesl/CSFCube
"""

import re

QUERIES = "queries-release.csv"
ABSTRACTS = "abstracts-csfcube-preds.jsonl"
POOLS = "test-pid2pool-csfcube.json"
SPLITS = "evaluation_splits.json"
READABLE_FOLDER = "readable_annotations"
ANNOTATIONS = re.compile(r"test-pid2anns-csfcube-(?P<facet>[A-Za-z0-9_-]+)\.json\Z")
READABLE = re.compile(r"(?P<topic>.+)-adju\.txt\Z")

QUERY_COLUMNS = ["pid", "facet", "year", "title", "paper type"]
PAPER_KEYS = ["paper_id", "metadata", "title", "abstract", "pred_labels", "pred_labels_truncated"]
SENTENCE_LABELS = {
    "background_label", "objective_label", "method_label", "result_label", "other_label",
}  # fmt: skip
RATING_KEY = "relevance_ann"
# What a rating file holds where an annotator gave no rating.
CANNOT_JUDGE = -1


def annotations_name(facet: str) -> str:
    return f"test-pid2anns-csfcube-{facet}.json"
