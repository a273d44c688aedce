"""LitSearch (Ajith et al. 2024) reports recall at 20 for broad questions, at 5 for specific ones.

So it is one measure on the questions of one kind; on the others it has no value and is left out.
"""

from dataclasses import replace

from evaluation.measures import standard
from evaluation.measures.measure import Measure

# The key of a question's specificity in its metadata.
TAG = "specificity"
BROAD, SPECIFIC = "0", "1"


def recall(kind: str, depth: int) -> Measure:
    return replace(
        standard.recall(1, depth),
        name=f"LitSearch R@{depth} ({kind})",
        words=f"recall in the first {depth}, over {kind} questions alone",
        only=(TAG, {"broad": BROAD, "specific": SPECIFIC}[kind]),
    )
