"""A DORIS-MAE file with the ratings of three annotators, played by pages that name no abstract.

The ratings are those of `synthetic-ratings.json`, in the structure of the file's own `Annotation`
and `Test_set`. They give values; of the options that share a value, the annotators choose in turn.
Pairs without a majority go to the adjudicator, who decides for the median.
"""

import json
import uuid
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import fmean, median

from annotation.reading.formulas import plain_formulas
from bench.replaying.steps import bring_in, export, give_seats, open_seats, pair_at, save
from bench.replaying.study import Study
from bench.visitor import UnexpectedAnswer, find_form, path_of
from tests.agreement.statistics import reference

RATINGS = "synthetic-ratings.json"
BATCH = "test"
MACHINE = "recorded"
OPTIONS = {0: ["disagree"], 1: ["dispute", "agree"], 2: ["concur"]}
MEASURES = {"macro_f1": reference.macro_f1, "percent": reference.percent, "rho": reference.rho}


def is_recorded_in(folder):
    return (folder / RATINGS).exists()


@dataclass
class RecordedPair:
    aspect: str
    abstract: str
    ratings: dict[str, int]

    @property
    def key(self):
        return self.aspect, self.abstract

    @property
    def gold(self):
        """The majority, or the median where there is none."""
        values = list(self.ratings.values())
        won = reference.majority(values)
        return median(values) if won is None else won


@dataclass
class Recording:
    folder: Path
    study: dict
    pairs: list[RecordedPair]
    scheme: str = "doris-mae"
    adjudicators: tuple[str, ...] = ("adjudicator",)
    by_text: dict[tuple[str, str], RecordedPair] = field(default_factory=dict)

    @property
    def annotators(self):
        return list(self.pairs[0].ratings)

    @property
    def summary(self):
        queries, machine = len(self.study["Query"]), len(self.study["Annotation"])
        return (
            f"{queries} queries, {len(self.pairs)} pairs, {len(self.annotators)} annotators, "
            f"{machine:,} machine answers"
        )


def read_recording(folder):
    [path] = folder.glob("DORIS-MAE_dataset*.json")
    study = json.loads(path.read_text("utf-8"))
    recorded = json.loads((folder / RATINGS).read_text("utf-8"))
    study["Annotation"] = recorded["Annotation"]
    pairs = [
        RecordedPair(entry["aspect_id"], str(entry["abstract_id"]), entry["human_annotation"])
        for entry in recorded["Test_set"]
    ]
    recording = Recording(folder, study, pairs)
    abstracts = {str(a["abstract_id"]): a["original_abstract"] for a in study["Corpus"]}
    for pair in pairs:
        texts = study["aspect_id2aspect"][pair.aspect], abstracts[pair.abstract]
        recording.by_text[tuple(map(squeezed, texts))] = pair
    return recording


def squeezed(text):
    """A text as pages print it, without white space: they break it into sentences."""
    return "".join(plain_formulas(text).split())


class FolderStudy(Study):
    def prepare(self):
        self.bring_in_file()
        self.hand_out()

    def bring_in_file(self):
        """Import queries, pools and machine answers, and none of the ratings."""
        lead = self.visitor("lead")
        content = json.dumps(self.recording.study, ensure_ascii=False).encode()
        files = [("files", ("DORIS-MAE_dataset_v1.json", content))]
        bring_in(lead, self.home, files, **{"ask:run": MACHINE})

    def hand_out(self):
        """One batch of the recorded pairs, its seats in the recorded order."""
        lead = self.visitor("lead")
        page = lead.submit(
            lead.page(f"{self.home}samples/given/"),
            "/samples/given/",
            name=BATCH,
            overlap=str(len(self.recording.annotators)),
            pairs="\n".join(" ".join(pair.key) for pair in self.recording.pairs),
        )
        self.batch = path_of(page.base_url).split("/")[2]
        page = lead.page(f"{self.home}assign/")
        [batch] = page.xpath("//li[starts-with(@id, 'batch-')]")
        give_seats(lead, page, batch, self.recording.annotators)

    def recognise(self, page):
        """The recorded pair that a rating or adjudication page shows."""
        aspect = page.xpath("string(//li[@aria-current='step']/p)")
        sentences = page.xpath(
            "//section[contains(@class, 'candidate')]//li//*[contains(@class, 'txt')]"
        )
        text = "".join(sentence.text_content() for sentence in sentences)
        return self.recording.by_text[squeezed(aspect), squeezed(text)]

    def option_decided(self, page, form):
        return OPTIONS[self.recognise(page).gold][0]


def rate_everything(study, name):
    """One annotator's work: the whole batch, pair after pair, then hand in."""
    visitor = study.visitor(name)
    [seat] = open_seats(visitor)
    page = visitor.page(f"{seat}1/")
    size = int(page.xpath("string(//h1)").rsplit(" ", 1)[1])
    for position in range(1, size + 1):
        address = f"{seat}{position}/"
        page = pair_at(visitor, seat, position)
        pair = study.recognise(page)
        options = OPTIONS[pair.ratings[name]]
        fields = dict(find_form(page, address).form_values()) | {
            "save_id": str(uuid.uuid4()),
            "answer": options[position % len(options)],
            "active_seconds": "4.0",
        }
        save(visitor, study.url, address, fields)
    visitor.submit(visitor.page(f"{seat}hand-in/"), "/hand-in/")
    return size


def compare(study, differences):
    compare_agreement(study, differences)
    compare_exports(study, differences)


def compare_agreement(study, differences):
    """The human part of the paper's Table 1, and alpha over all three."""
    recording = study.recording
    lists = [[pair.ratings[name] for pair in recording.pairs] for name in recording.annotators]
    won = [reference.majority(list(pair.ratings.values())) for pair in recording.pairs]
    decided = [n for n, value in enumerate(won) if value is not None]
    address = f"{study.home}agreement.json?batch={study.batch}"
    figures = study.visitor("lead").get(address).json()["several_raters"]
    for name, measure in MEASURES.items():
        between = [measure(x, y) for x, y in combinations(lists, 2)]
        value = figures["every_two"][name]["value"]
        differences.same(f"between raters: {name}", value, fmean(between))
        against = [
            measure([ratings[n] for n in decided], [won[n] for n in decided]) for ratings in lists
        ]
        value = figures["with_majority"][name]["value"]
        differences.same(f"with the majority: {name}", value, fmean(against))
    units = list(zip(*lists, strict=True))
    for level in ("ordinal", "nominal"):
        value = figures["together"][f"alpha_{level}"]["value"]
        differences.same(f"alpha, {level}", value, reference.alpha(units, level))
    differences.same("pairs without a majority", figures["pairs_without_majority"], won.count(None))


def compare_exports(study, differences):
    recording = study.recording
    files = export(study, "doris-mae", allow_incomplete="on")
    [content] = [text for name, text in files.items() if name.startswith("DORIS-MAE")]
    dataset = json.loads(content)
    rated = {
        (entry["aspect_id"], str(entry["abstract_id"])): entry["human_annotation"]
        for entry in dataset["Test_set"]
    }
    differences.same("Test_set: number of pairs", len(rated), len(recording.pairs))
    for pair in recording.pairs:
        values = list(rated.get(pair.key, {}).values())
        differences.same(f"Test_set {pair.key}", values, list(pair.ratings.values()))
    for key in ("aspect2aspect_id", "aspect_id2aspect", "Query", "Annotation"):
        differences.same(f"{key} as imported", dataset[key] == recording.study[key], True)

    qrels = export(study, "trec", allow_incomplete="on")
    lines = [
        line.split()
        for name, text in qrels.items()
        if name.endswith((".txt", ".qrels")) and "aspect" in name
        for line in text.decode().splitlines()
    ]
    grades = {(aspect, document): int(grade) for aspect, _, document, grade in lines}
    expected = {pair.key: int(pair.gold) for pair in recording.pairs}
    if len(lines) != len(grades):
        raise UnexpectedAnswer("A pair is in the qrels twice.")
    differences.same("qrels: number of pairs", len(grades), len(expected))
    for key, grade in expected.items():
        differences.same(f"qrels {key}", grades.get(key), grade)
