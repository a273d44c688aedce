"""What comes out of a replayed CSFCube folder, held against the folder."""

import json
import re
from collections import Counter
from itertools import combinations, zip_longest

from bench.replaying.steps import export
from tests.agreement.statistics import reference

MEASURES = ("rho", "alpha", "kappa", "percent")
OVERRULING = ("overruled", "outside_range", "against_agreement")
GRADES = range(4)


def compare(study, differences):
    """Hold the agreement table and the exports against the folder."""
    compare_agreement(study, differences)
    compare_confusions(study, differences)
    compare_crossed_facets(study, differences)
    compare_exports(study, differences)


def compare_agreement(study, differences):
    """Every figure of the table, for both rules and all summaries over the queries."""
    for rule in ("lowest", "drop"):
        queries = {
            topic.key: reference.Query(topic.facet, *topic.ratings.values(), topic.gold, rule)
            for topic in study.recording.topics
        }
        for how in ("median", "mean", "pooled"):
            address = f"{study.home}agreement.json?cannot-judge={rule}&summary={how}"
            table = study.visitor("lead").get(address).json()
            for facet in (*study.recording.facets, "all"):
                chosen = [q for q in queries.values() if facet in ("all", q.facet)]
                figures = table["all"] if facet == "all" else table["facets"][facet]
                place = f"agreement {rule} {how} {facet}"
                compare_measures(place, figures, reference.table(chosen, rule, how), differences)
                compare_overruling(place, figures["overruling"], chosen, differences)
            if how == "median":
                compare_queries(f"agreement {rule}", table["topics"], queries, differences)


def compare_measures(place, figures, expected, differences):
    for when in ("before", "after"):
        for name in MEASURES:
            value = figures[when]["measures"][name]["value"]
            differences.same(f"{place} {when} {name}", value, expected[when][name])


def compare_overruling(place, figures, queries, differences):
    shares = [query.overruled / len(query.gold) for query in queries]
    mean = reference.summarise(shares, "mean")
    differences.same(f"{place} overruling", figures["mean_share"]["value"], mean)
    for name in OVERRULING:
        count = sum(getattr(query, name) for query in queries)
        differences.same(f"{place} {name}", figures[name], count)


def compare_queries(place, topics, queries, differences):
    for key, query in queries.items():
        expected = {
            when: {name: getattr(query, when)(name) for name in MEASURES}
            for when in ("before", "after")
        }
        compare_measures(f"{place} {key}", topics[key], expected, differences)
        overruled = topics[key]["overruling"]["overruled"]
        differences.same(f"{place} {key} overruled", overruled, query.overruled)


def compare_confusions(study, differences):
    """How often each value of the first seat met each of the second, per facet and in all."""
    lead = study.visitor("lead")
    for rule in ("lowest", "drop"):
        for facet in (*study.recording.facets, ""):
            counts = Counter()
            for topic in study.recording.topics:
                if facet in ("", topic.facet):
                    query = reference.Query(topic.facet, *topic.ratings.values(), topic.gold, rule)
                    counts.update(zip(query.first, query.second, strict=True))
            address = f"disagreements/confusion.json?cannot-judge={rule}&facet={facet}"
            rows = lead.get(f"{study.home}agreement/{address}").json()["rows"]
            compare_grid(f"confusion {rule} {facet or 'all'}", rows, "value", counts, differences)


def compare_crossed_facets(study, differences):
    """Figure 2: documents by their gold under each two facets of a query paper."""
    lead = study.visitor("lead")
    gold = {
        (topic.facet, topic.paper): dict(zip(topic.candidates, topic.gold, strict=True))
        for topic in study.recording.topics
    }
    for first, second in combinations(study.recording.facets, 2):
        papers = {paper for facet, paper in gold if facet == first and (second, paper) in gold}
        counts = Counter(
            (grade, gold[second, paper][document])
            for paper in papers
            for document, grade in gold[first, paper].items()
            if document in gold[second, paper]
        )
        if counts:
            address = f"{study.home}agreement/facets/{first}-{second}.json"
            rows = lead.get(address).json()["rows"]
            compare_grid(f"{first} and {second}", rows, "grade", counts, differences)


def compare_grid(place, rows, name, counts, differences):
    """Rows of a table of counts against {(row's value, column's value): count}."""
    for row in rows:
        for grade in GRADES:
            cell = int(row[name]), grade
            differences.same(f"{place} {cell}", row[f"{name}_{grade}"], counts[cell])


def compare_exports(study, differences):
    compare_qrels(study, export(study, "trec"), differences)
    files = export(study, "csfcube")
    for facet in study.recording.facets:
        compare_ratings(study, facet, files, differences)
    compare_readable_texts(study, files, differences)


def compare_qrels(study, qrels, differences):
    for facet in (*study.recording.facets, "all"):
        [text] = [
            content.decode()
            for name, content in qrels.items()
            if name.endswith((".txt", ".qrels"))
            if re.search(rf"\b{facet}\b", name.replace("_", "-"))
        ]
        grades = {}
        for line in text.splitlines():
            topic, _, document, grade = line.split()
            grades[topic, document] = int(grade)
        expected = {
            (topic.key, document): grade
            for topic in study.recording.topics
            if facet in ("all", topic.facet)
            for document, grade in zip(topic.candidates, topic.gold, strict=True)
        }
        differences.same(f"qrels {facet}: number of lines", len(text.splitlines()), len(expected))
        for pair, grade in expected.items():
            differences.same(f"qrels {facet} {pair}", grades.get(pair), grade)


def compare_ratings(study, facet, files, differences):
    """The rating file of a facet."""
    [content] = [
        content
        for name, content in files.items()
        if name.rsplit("/", 1)[-1] == f"test-pid2anns-csfcube-{facet}.json"
    ]
    rating_lists = json.loads(content)
    recorded = [topic for topic in study.recording.topics if topic.facet == facet]
    differences.same(f"{facet}: papers", list(rating_lists), [topic.paper for topic in recorded])
    for topic in recorded:
        lists = rating_lists[topic.paper]
        people = [key for key in lists if re.fullmatch(r"relevance_ann.+", key)]
        first, second = topic.ratings.values()
        expected = {
            "cands": topic.candidates,
            people[0]: first,
            people[1]: second,
            "relevance_adju": topic.gold,
            "relevance_max": list(map(max, first, second)),
            "relevance_min": list(map(min, first, second)),
        }
        for name, values in expected.items():
            differences.same(f"{topic.key} in the rating files: {name}", lists[name], values)


def compare_readable_texts(study, files, differences):
    """The text files for people, but for the numbers that a folder gives its annotators."""
    for path in sorted((study.recording.folder / "readable_annotations").glob("*.txt")):
        name = f"readable_annotations/{path.name}"
        exported = nameless(files.get(name, b"").decode()).splitlines()
        recorded = nameless(path.read_text("utf-8")).splitlines()
        for number, (line, expected) in enumerate(zip_longest(exported, recorded), start=1):
            differences.same(f"{name}, line {number}", line, expected)


def nameless(text):
    """A text file without the numbers of its annotators."""
    return re.sub(r"(?m)^(difference: \d+; )annotator\S+: (\S+); annotator\S+: ", r"\1\2; ", text)
