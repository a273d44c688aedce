"""Runs and judgments as readers give them."""

from formats.records import Judgment, JudgmentSet, Place, Run, RunLine


def run_of(rankings, *, tag="bm25"):
    """A run of {topic: documents, best first}, or of {topic: [(document, rank, score), ...]}."""
    lines = []
    for topic, ranked in rankings.items():
        for rank, entry in enumerate(ranked, start=1):
            document, rank, score = (
                (entry, rank, len(ranked) - rank + 1) if isinstance(entry, str) else entry
            )
            lines.append(RunLine(topic, document, rank, float(score), len(lines) + 1))
    return Run(tag=tag, file=f"{tag}.run", sha256="a" * 64, lines=lines)


def judgments_of(grades, *, name="nist", note="", sizes=()):
    """Judgments of {topic or query: {document: literal}}."""
    rows = []
    for subject, literals in grades.items():
        for document, literal in literals.items():
            place = Place("qrels.txt", len(rows) + 1)
            rows.append(Judgment(subject, document, literal, dict(sizes).get(subject, ""), place))
    return JudgmentSet(
        name=name, level="topic", file="qrels.txt", sha256="b" * 64, note=note, judgments=rows
    )
