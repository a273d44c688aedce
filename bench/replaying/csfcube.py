"""A recorded CSFCube folder: who rated what, played by pages that name no paper."""

import json
import re
import uuid
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, zip_longest
from pathlib import Path

from annotation.reading.formulas import plain_formulas
from bench.replaying.steps import bring_in, export, open_seats, pair_at, save
from bench.replaying.study import Study
from bench.visitor import UnexpectedAnswer, find_form, path_of, words_of
from tests.agreement.statistics import reference

MEASURES = ("rho", "alpha", "kappa", "percent")
OVERRULING = ("overruled", "outside_range", "against_agreement")
GRADES = range(4)
MISSING = -1


@dataclass
class RecordedTopic:
    """A topic as the folder has it; `ratings` by annotator in the order first, second."""

    paper: str
    facet: str
    candidates: list[str]
    ratings: dict[str, list[int]]
    gold: list[int]

    @property
    def key(self):
        return f"{self.paper}_{self.facet}"


@dataclass
class Recording:
    folder: Path
    topics: list[RecordedTopic] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    scheme = "csfcube"
    adjudicators = ("adjudicator",)

    @property
    def summary(self):
        pairs = sum(len(topic.candidates) for topic in self.topics)
        return f"{len(self.topics)} topics, {pairs:,} pairs, {len(self.annotators)} annotators"

    @property
    def annotators(self):
        return sorted({name for topic in self.topics for name in topic.ratings})

    @property
    def facets(self):
        return list(dict.fromkeys(topic.facet for topic in self.topics))


def read_recording(folder):
    recording = Recording(folder)
    for path in sorted(folder.glob("test-pid2anns-csfcube-*.json")):
        facet = path.stem.rsplit("-", 1)[1]
        for paper, lists in json.loads(path.read_text("utf-8")).items():
            people = [key for key in lists if re.fullmatch(r"relevance_ann\d+", key)]
            recording.topics.append(
                RecordedTopic(
                    paper=paper,
                    facet=facet,
                    candidates=lists["cands"],
                    ratings={name.removeprefix("relevance_"): lists[name] for name in people},
                    gold=lists["relevance_adju"],
                )
            )
    with (folder / "abstracts-csfcube-preds.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            paper = json.loads(line)
            recording.texts[paper["paper_id"]] = recognised(paper["title"], paper["abstract"])
    return recording


def recognised(title, sentences):
    """What a page shows of a paper, with white space folded: pages name no paper otherwise."""
    return "\n".join(" ".join(plain_formulas(text).split()) for text in (title, *sentences))


def shown(page, pane):
    """The same of a pane of a rating or adjudication page."""
    [title] = page.xpath(f"{pane}//*[contains(@class, 'doc-title')]")
    sentences = page.xpath(f"{pane}//li//*[contains(@class, 'txt')]")
    return "\n".join(words_of(element) for element in (title, *sentences))


QUERY = "//section[contains(@class, 'query')]"
CANDIDATE = "//section[contains(@class, 'candidate')]"


class Recogniser:
    """From the texts on a page to the recorded topic and candidate."""

    def __init__(self, recording):
        self.topics = {}
        for topic in recording.topics:
            self.topics[recording.texts[topic.paper], topic.facet] = topic
        self.places = {}
        for topic in recording.topics:
            for index, candidate in enumerate(topic.candidates):
                place = self.places.setdefault((topic.key, recording.texts[candidate]), [])
                place.append(index)

    def topic(self, page):
        [chip] = page.xpath(f"{QUERY}//*[contains(@class, 'chip')]")
        facet = next(name for name in chip.get("class").split() if name != "chip")
        return self.topics[shown(page, QUERY), facet]

    def candidates(self, topic, page):
        """Indices of the shown candidate: several when a pool holds one text twice."""
        return self.places[topic.key, shown(page, CANDIDATE)]


class FolderStudy(Study):
    """A replay of one folder: recognises its texts, knows the lead's page of each topic."""

    def __init__(self, recording, url):
        super().__init__(recording, url)
        self.recogniser = Recogniser(recording)
        self.batch_pages = {}

    def prepare(self):
        self.bring_in_texts()
        self.assign()

    def bring_in_texts(self):
        """Import everything but the ratings, as a lead who begins the study does."""
        lead = self.visitor("lead")
        folder = self.recording.folder
        names = [
            "queries-release.csv",
            "abstracts-csfcube-preds.jsonl",
            "test-pid2pool-csfcube.json",
            "evaluation_splits.json",
            *(f"test-pid2anns-csfcube-{facet}.json" for facet in self.recording.facets),
        ]
        paths = [folder / name for name in names if (folder / name).exists()]
        files = [("files", (path.name, path.read_bytes())) for path in paths]
        bring_in(lead, self.home, files)

    def assign(self):
        """One batch per topic; seat 1 and seat 2 go to the recorded first and second."""
        lead = self.visitor("lead")
        page = lead.submit(lead.page(f"{self.home}assign/"), "/assign/batches/")
        topics = {topic.key: topic for topic in self.recording.topics}
        for batch in page.xpath("//li[starts-with(@id, 'batch-')]"):
            topic = topics[batch.xpath("string(.//*[@class='id'])")]
            [self.batch_pages[topic.key]] = batch.xpath(".//div[@class='about']/a/@href")
            forms = [form for form in batch.iter("form") if "member" in form.fields]
            for form, name in zip(forms, topic.ratings, strict=True):
                [member] = [
                    option.get("value") for option in form.iter("option") if option.text == name
                ]
                lead.submit(page, path_of(form.action), member=member)

    def rows(self, topic):
        """The lead's table of a topic's pairs, which has the recorded order of the pool."""
        page = self.visitor("lead").page(path_of(self.batch_pages[topic.key]))
        rows = page.xpath("//table//th//a[contains(@href, '/pairs/')]/ancestor::tr")
        if len(rows) != len(topic.candidates):
            raise UnexpectedAnswer(f"{topic.key}: {len(rows)} rows, not {len(topic.candidates)}.")
        return rows


def rate_everything(study, name):
    """One annotator's evening: every seat on the home page, pair after pair, then hand in."""
    visitor = study.visitor(name)
    count = 0
    for seat in open_seats(visitor):
        count += rate_seat(study, visitor, name, seat)
        visitor.submit(visitor.page(f"{seat}hand-in/"), "/hand-in/")
    return count


def rate_seat(study, visitor, name, seat):
    page = visitor.page(f"{seat}1/")
    topic = study.recogniser.topic(page)
    size = int(page.xpath("string(//h1)").rsplit(" ", 1)[1])
    twins = {}
    for position in range(1, size + 1):
        page = pair_at(visitor, seat, position)
        indices = study.recogniser.candidates(topic, page)
        # A pool may hold one text twice; a note tells the lead's table which of them this was.
        note = f"position {position}" if len(indices) > 1 else ""
        value = topic.ratings[name][indices[0]]
        fields = fill_in(page, f"{seat}{position}/", value, note)
        if note:
            twins.setdefault(tuple(indices), {})[position] = value
        save(visitor, study.url, f"{seat}{position}/", fields)
    if twins:
        tell_twins_apart(study, visitor, name, seat, topic, twins)
    return size


def tell_twins_apart(study, visitor, name, seat, topic, twins):
    """Give each of several candidates with one text the rating recorded for it."""
    rows = study.rows(topic)
    for indices, values in twins.items():
        for index in indices:
            position = next(
                position
                for position in values
                if rows[index].xpath(
                    ".//td[contains(., $name)]//*[normalize-space()=$note]",
                    name=name,
                    note=f"note: position {position}",
                )
            )
            recorded = topic.ratings[name][index]
            if values[position] != recorded:
                address = f"{seat}{position}/"
                fields = fill_in(visitor.page(address), address, recorded, "")
                save(visitor, study.url, address, fields)


def fill_in(page, address, value, note):
    """The fields of a rating form, with a recorded rating chosen."""
    form = find_form(page, address)
    choices = form.xpath(".//input[@name='answer']")
    if value == MISSING:
        answers = (c.get("value") for c in choices if c.get("value").startswith("cannot-judge:"))
    else:
        answers = (c.get("value") for c in choices if c.get("data-key") == str(value))
    return dict(form.form_values()) | {
        "save_id": str(uuid.uuid4()),
        "answer": next(answers),
        "note": note,
        "active_seconds": "4.0",
    }


def decide_everything(study):
    """The adjudicator opens topic after topic and gives each disputed pair its recorded gold."""
    visitor = study.visitor("adjudicator")
    queue = f"{study.home}adjudicate/"
    count = 0
    while True:
        page = visitor.page(queue)
        opening = [form for form in page.forms if (form.action or "").endswith("/take/")]
        if not opening:
            return count
        page = visitor.submit(page, path_of(opening[0].action))
        while path_of(page.base_url).startswith("/adjudicate/"):
            topic = study.recogniser.topic(page)
            [index, *twins] = study.recogniser.candidates(topic, page)
            if twins:
                pair = path_of(page.base_url).split("/")[2]
                [index] = [
                    index
                    for index, row in enumerate(study.rows(topic))
                    if row.xpath(".//a[contains(@href, $pair)]", pair=pair)
                ]
            value = topic.gold[index]
            address = path_of(page.base_url).split("?")[0]
            form = find_form(page, path_of(page.base_url))
            [choice] = form.xpath(f".//input[@name='option'][@data-shortcut='{value}']/@value")
            page = visitor.submit(
                page, path_of(form.action or address), option=choice, reason="As recorded."
            )
            count += 1


def compare(study, differences):
    """Hold the agreement table and the exports against the folder."""
    compare_agreement(study, differences)
    compare_confusions(study, differences)
    compare_crossed_facets(study, differences)
    compare_exports(study, differences)


def compare_agreement(study, differences):
    """Every figure of the table, for both rules and both summaries over the queries."""
    lead = study.visitor("lead")
    for rule in ("lowest", "drop"):
        queries = {
            topic.key: reference.Query(topic.facet, *topic.ratings.values(), topic.gold, rule)
            for topic in study.recording.topics
        }
        for how in ("median", "mean", "pooled"):
            address = f"{study.home}agreement.json?cannot-judge={rule}&summary={how}"
            table = lead.get(address).json()
            for facet in (*study.recording.facets, "all"):
                chosen = [q for q in queries.values() if facet in ("all", q.facet)]
                figures = table["all"] if facet == "all" else table["facets"][facet]
                place = f"agreement {rule} {how} {facet}"
                expected = reference.table(chosen, rule, how)
                for when in ("before", "after"):
                    for name in MEASURES:
                        differences.same(
                            f"{place} {when} {name}",
                            figures[when]["measures"][name]["value"],
                            expected[when][name],
                        )
                shares = [q.overruled / len(q.gold) for q in chosen]
                differences.same(
                    f"{place} overruling",
                    figures["overruling"]["mean_share"]["value"],
                    reference.summarise(shares, "mean"),
                )
                for name in OVERRULING:
                    differences.same(
                        f"{place} {name}",
                        figures["overruling"][name],
                        sum(getattr(q, name) for q in chosen),
                    )
            if how != "median":
                continue
            for key, query in queries.items():
                figures = table["topics"][key]
                for name in MEASURES:
                    for when in ("before", "after"):
                        differences.same(
                            f"agreement {rule} {key} {when} {name}",
                            figures[when]["measures"][name]["value"],
                            getattr(query, when)(name),
                        )
                differences.same(
                    f"agreement {rule} {key} overruled",
                    figures["overruling"]["overruled"],
                    query.overruled,
                )


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
    qrels = export(study, "trec")
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

    files = export(study, "csfcube")
    for facet in study.recording.facets:
        [content] = [
            content
            for name, content in files.items()
            if name.rsplit("/", 1)[-1] == f"test-pid2anns-csfcube-{facet}.json"
        ]
        rating_lists = json.loads(content)
        recorded = [topic for topic in study.recording.topics if topic.facet == facet]
        differences.same(
            f"{facet}: papers", list(rating_lists), [topic.paper for topic in recorded]
        )
        for topic in recorded:
            lists = rating_lists[topic.paper]
            people = [key for key in lists if re.fullmatch(r"relevance_ann.+", key)]
            first, second = topic.ratings.values()
            place = f"{topic.key} in the rating files"
            differences.same(f"{place}: candidates", lists["cands"], topic.candidates)
            differences.same(f"{place}: first", lists[people[0]], first)
            differences.same(f"{place}: second", lists[people[1]], second)
            differences.same(f"{place}: adjudicated", lists["relevance_adju"], topic.gold)
            for name, choose in (("max", max), ("min", min)):
                chosen_grades = [choose(pair) for pair in zip(first, second, strict=True)]
                differences.same(f"{place}: {name}", lists[f"relevance_{name}"], chosen_grades)
    compare_readable_texts(study, files, differences)


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
