"""TREC qrels: four columns, `topic 0 document grade`, sorted, LF.

Excluded pairs and pairs without gold are left out, which to trec_eval means unjudged.
"""

from releases.formats import ExportFile, whole


def trec_files(study):
    """One file per facet, in the scheme's order, and one of all topics."""
    facets = [
        facet
        for facet in study.scheme["facets"]
        if any(topic.facet == facet for topic in study.topics)
    ]
    files = [
        ExportFile(
            f"qrels-{facet}.txt",
            [qrels([topic for topic in study.topics if topic.facet == facet])],
        )
        for facet in facets
    ]
    return [*files, ExportFile("qrels-all.txt", [qrels(study.topics)])]


def qrels(topics):
    lines = sorted(
        (topic.topic_id, pair.document, whole(pair.value, topic.topic_id, pair.document))
        for topic in topics
        for pair in topic.gold
    )
    return "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in lines)
