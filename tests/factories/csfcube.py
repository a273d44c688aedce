"""A small CSFCube-shaped folder, written without the product's own writers."""

import csv
import io
import json

FACETS = ("background", "method", "result")
SENTENCES = [
    ("Why it matters.", "background_label"),
    ("What it sets out to do.", "objective_label"),
    ("How it does it.", "method_label"),
    ("What it finds.", "result_label"),
]


def make_paper(paper_id, **more):
    return {
        "paper_id": paper_id,
        "metadata": {"year": 2014, "doi": None, "venue": "Secret Venue", "authors": []},
        "title": f"Title of {paper_id}",
        "abstract": [f"{text} {paper_id}" for text, _ in SENTENCES],
        "pred_labels": [label for _, label in SENTENCES],
        "pred_labels_truncated": False,
    } | more


class Folder:
    """What the files hold, to be changed by a test and written with `write`.

    q1 is judged under background and method, q2 under background. Every pool names `textless`,
    which has no text and is not judged. Ratings: first and second annotator agree on the first
    candidate, differ on the second, and one gave none for the third.
    """

    def __init__(self):
        self.columns = ["pid", "facet", "year", "title", "paper type"]
        self.queries = [
            ["q1", "background", "2014", "Title of q1", "theoretical"],
            ["q2", "background", "2015", 'Title, "quoted"', "resources/evaluation"],
            ["q1", "method", "2014", "Title of q1", "theoretical"],
        ]
        self.papers = {
            paper_id: make_paper(paper_id)
            for paper_id in ["q1", "q1c1", "q1c2", "q1c3", "q2", "q2c1", "q2c2", "q2c3", "other"]
        }
        self.pools = {
            query: {
                "cands": ["textless", f"{query}c3", f"{query}c1", f"{query}c2"],
                "cand_source": [["cited"], ["specter", "cited"], ["abs_tfidf"], ["title_tfidf"]],
            }
            for query in ["q1", "q2"]
        }
        self.annotations = {
            "background": {"q2": self.judged("q2", "4", "2"), "q1": self.judged("q1", "1", "2")},
            "method": {"q1": self.judged("q1", "3", "2")},
        }
        self.splits = {
            "background": {"fold1_dev": ["q1_background"], "fold2_dev": ["q2_background"]},
            "all": {"fold1_dev": ["q1_background", "q1_method"], "fold2_dev": ["q2_background"]},
        }
        self.readable_numbers = {"1": "4", "2": "3", "3": "1", "4": "2"}
        self.readable = {}
        self.text_of = {}  # bytes to write in place of a file's own

    @staticmethod
    def judged(query, first, second):
        return {
            "cands": [f"{query}c1", f"{query}c2", f"{query}c3"],
            "relevance_max": [1, 3, 2],
            "relevance_min": [1, 0, -1],
            f"relevance_ann{first}": [1, 0, -1],
            f"relevance_ann{second}": [1, 3, 2],
            "relevance_adju": [1, 3, 0],
        }

    def files(self):
        """{name: bytes} of all files."""
        table = io.StringIO(newline="")
        csv.writer(table).writerows([self.columns, *self.queries])
        files = {
            "queries-release.csv": table.getvalue(),
            "abstracts-csfcube-preds.jsonl": "".join(
                json.dumps(paper, ensure_ascii=False) + "\n" for paper in self.papers.values()
            ),
            "test-pid2pool-csfcube.json": json.dumps(self.pools),
        }
        for facet, judged in self.annotations.items():
            files[f"test-pid2anns-csfcube-{facet}.json"] = json.dumps(judged)
        if self.splits is not None:
            files["evaluation_splits.json"] = json.dumps(self.splits, indent=1)
        for name, text in self.readable.items():
            files[f"readable_annotations/{name}"] = text
        # Lone surrogates stand for themselves, as bytes that are not UTF-8.
        encoded = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
        return encoded | self.text_of

    def write(self, path):
        for name, data in self.files().items():
            file = path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return path
