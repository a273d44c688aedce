"""A recorded CSFCube folder: who rated what, played by pages that name no paper."""

import json
import re
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from annotation.reading.formulas import plain_formulas
from bench.replaying.csfcube_compared import compare as compare
from bench.replaying.steps import bring_in, give_seats, open_seats, pair_at, save
from bench.replaying.study import Study
from bench.visitor import UnexpectedAnswer, find_form, path_of, words_of

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
            give_seats(lead, page, batch, topic.ratings)

    def option_decided(self, page, form):
        """The option of the recorded gold of the pair that is adjudicated."""
        topic = self.recogniser.topic(page)
        [index, *twins] = self.recogniser.candidates(topic, page)
        if twins:
            pair = path_of(page.base_url).split("/")[2]
            [index] = [
                index
                for index, row in enumerate(self.rows(topic))
                if row.xpath(".//a[contains(@href, $pair)]", pair=pair)
            ]
        [option] = form.xpath(
            f".//input[@name='option'][@data-shortcut='{topic.gold[index]}']/@value"
        )
        return option

    def rows(self, topic):
        """The lead's table of a topic's pairs, page by page, in the recorded order of the pool."""
        lead, address = self.visitor("lead"), path_of(self.batch_pages[topic.key])
        rows = []
        while address:
            page = lead.page(address)
            rows += page.xpath("//table//th//a[contains(@href, '/pairs/')]/ancestor::tr")
            following = page.xpath("//nav[@class='pages']/a[normalize-space()='Next']/@href")
            address = path_of(following[0]) if following else ""
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
