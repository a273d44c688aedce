"""Kill the web server again and again while annotators rate: no acknowledged rating may be lost.

    python bench/kill_under_load.py [--ratings 10000] [--annotators 16] [--kills 20]
        [--think 0.5 2]
    script/with-postgres python bench/kill_under_load.py ...

A study is made in a database of its own and served by gunicorn as shipped. The annotators rate
over HTTP, all at once, with a change of mind now and then; each save that the server acknowledges
goes to a log on disk before the next one is sent. Meanwhile SIGKILL ends the server's whole
process group at random moments, and it is started again; the annotators send the same save until
it is answered. In the end the log is compared with the database and with an export. Exits with 1
on any difference, any answer of 5xx and any invariant that does not hold.

`--kills 0` with `--think` measures how long a save takes. Needs what the tests need.
"""

import argparse
import csv
import json
import logging
import math
import os
import random
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.visitor import Visitor, Workbench

LARGEST = 125  # pairs of a topic: CSFCube's have about 120
CHANGED = 0.1  # share of the ratings that their annotator changes once
NOT_JUDGED = 0.05


# --- what was saved, and the verdict -------------------------------------------------------------


@dataclass(frozen=True)
class Save:
    """One save. `answer` is an option's key, or the reason why the pair cannot be judged.

    The note of each rating is the save's id, so that a rating tells which save it comes from.
    """

    save_id: str
    topic: str
    seat: int
    document: str
    answer: str

    @property
    def place(self):
        return self.topic, self.seat, self.document


class Log:
    """Saves as they are sent and acknowledged, one JSON object per line.

    What is acknowledged is on disk before the annotator goes on.
    """

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.acknowledged_count = 0
        self.file = path.open("a", encoding="utf-8")

    def sent(self, save):
        with self.lock:
            self._write({"sent": asdict(save)})

    def acknowledged(self, save):
        with self.lock:
            self._write({"acknowledged": save.save_id})
            os.fsync(self.file.fileno())
            self.acknowledged_count += 1

    def _write(self, entry):
        self.file.write(json.dumps(entry) + "\n")
        self.file.flush()

    def close(self):
        self.file.close()


def read_log(path):
    """(the saves sent, the ids of those acknowledged), each in their order."""
    sent, acknowledged = [], []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if "sent" in entry:
                sent.append(Save(**entry["sent"]))
            else:
                acknowledged.append(entry["acknowledged"])
    return sent, acknowledged


def judge_saves(sent, acknowledged, kept):
    """Sentences about what differs between the log and the saves that the server kept.

    Each acknowledged save is kept once and as it was sent; one that was not acknowledged may be
    kept or not, but not otherwise than it was sent.
    """
    findings = []
    by_id = {save.save_id: save for save in sent}
    count = Counter(save.save_id for save in kept)
    for save_id in acknowledged:
        if not count[save_id]:
            findings.append(f"lost: {by_id[save_id]}")
    findings += [f"kept {n} times: save {save_id}" for save_id, n in count.items() if n > 1]
    for save in kept:
        if save.save_id not in by_id:
            findings.append(f"never sent: {save}")
        elif save != by_id[save.save_id]:
            findings.append(f"changed: {by_id[save.save_id]} is kept as {save}")
    return findings


def judge_ratings(sent, acknowledged, ratings):
    """The same for the ratings that stand: of each place exactly one, from the last save.

    Where a save was sent after the last one that was acknowledged, either may stand.
    """
    findings = []
    acknowledged = set(acknowledged)
    possible, is_owed = defaultdict(list), set()
    for save in sent:
        if save.save_id in acknowledged:
            possible[save.place] = [save]
            is_owed.add(save.place)
        else:
            possible[save.place].append(save)
    found = defaultdict(list)
    for rating in ratings:
        found[rating.place].append(rating)
    for place in is_owed - found.keys():
        findings.append(f"lost: no rating for {possible[place][0]}")
    for place, standing in found.items():
        if len(standing) > 1:
            findings.append(f"{len(standing)} ratings at {place}")
        for rating in standing:
            if rating not in possible[place]:
                findings.append(f"changed: {rating} stands; sent was {possible[place]}")
    return findings


# --- the annotators ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Desk:
    """A seat as its annotator needs it: where it is, and what is rated there."""

    address: str
    topic: str
    ordinal: int
    size: int


class Load:
    """Annotators at work. `troubles` is what no annotator should ever have seen."""

    def __init__(self, url, log, *, think=(0, 0), seed=0):
        self.url, self.log, self.think, self.seed = url, log, think, seed
        self.troubles = []
        self.seconds = []  # of the saves that were answered at the first attempt
        self.answered_at = []

    def annotate(self, number, cookie, desks):
        """One annotator's evening; `cookie` is (name, value) of their session."""
        chance = random.Random(f"{self.seed} {number}")
        visitor = Visitor(self.url)
        visitor.client.cookies.set(*cookie)
        visitor.client.event_hooks["response"] = [self._look_at]
        try:
            for desk in desks:
                self._rate(visitor, desk, chance)
        except Exception as error:
            self.troubles.append(f"annotator {number}: {error!r}")
        finally:
            visitor.close()

    def _look_at(self, answer):
        if answer.status_code >= 500:
            self.troubles.append(f"{answer.status_code} from {answer.request.url}")

    def _rate(self, visitor, desk, chance):
        workbench = Workbench(visitor, desk.address)
        for position in range(1, desk.size + 1):
            times = 2 if chance.random() < CHANGED else 1
            for version in range(times):
                time.sleep(chance.uniform(*self.think))
                self._save(workbench, desk, position, version, chance)

    def _save(self, workbench, desk, position, version, chance):
        """Send one save until it is acknowledged."""
        pair = workbench.pair(position)
        save_id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        answer = {"answer": chance.choice(pair.options)}
        if chance.random() < NOT_JUDGED:
            answer = {"answer": "cannot-judge:own", "own_reason": f"Reason {save_id}"}
        save = Save(
            save_id,
            desk.topic,
            desk.ordinal,
            pair.title.removeprefix("Title of "),
            answer.get("own_reason", answer["answer"]),
        )
        self.log.sent(save)
        attempts, start = workbench.visitor.requests, time.monotonic()
        workbench.save(position, save_id=save_id, based_on=version, note=save_id, **answer)
        end = time.monotonic()
        self.log.acknowledged(save)
        self.answered_at.append(end)
        if workbench.visitor.requests == attempts + 1:
            self.seconds.append(end - start)


# --- the study and its server --------------------------------------------------------------------


def build(*, ratings, annotators, slug="killed"):
    """A study for so many ratings, two for each pair; returns [(cookie, desks)], one for each.

    `ratings` is rounded up to topics of one size. Annotators 1 and 2 share topics, 3 and 4, and
    so on.
    """
    from django.conf import settings
    from django.db import transaction
    from django.test import Client
    from django.urls import reverse

    from annotation.actions.assign import assign_seat
    from annotation.actions.batches import make_batches
    from tests.factories.studies import make_member, make_study, make_topic

    assert annotators % 2 == 0, "an even number of annotators"
    topics = max(math.ceil(ratings / 2 / LARGEST), annotators // 2)
    size = math.ceil(ratings / 2 / topics)
    with transaction.atomic():
        study = make_study(slug=slug, facets=(), assign=False)
        for number in range(topics):
            make_topic(study.collection, query_id=f"q{number}", candidates=size)
        members = [
            make_member(study.collection, f"Annotator{number}", "annotator")
            for number in range(annotators)
        ]
        desks = {member: [] for member in members}
        for number, batch in enumerate(make_batches(collection=study.collection, by=study.lena)):
            first = 2 * number % annotators
            for seat, member in zip(batch.seats.all(), members[first : first + 2], strict=True):
                assign_seat(seat=seat, member=member, by=study.lena)
                address = reverse("annotation:seat", args=[seat.public_id])
                desks[member].append(Desk(address, batch.name, seat.ordinal, size))
    cookies = {}
    for member in members:
        client = Client()
        client.force_login(member.user)
        name = settings.SESSION_COOKIE_NAME
        cookies[member] = (name, client.cookies[name].value)
    return [(cookies[member], desks[member]) for member in members]


@dataclass
class Outcome:
    """`waits`: seconds from each start after a kill to the first save that was acknowledged."""

    log: Path
    count: int  # of acknowledged saves
    seconds: list[float]
    troubles: list[str]
    kills: int
    waits: list[float]
    duration: float


def run(installation, people, *, kills, think=(0, 0), seed=None):
    """Let the annotators rate while the server of `installation` is killed `kills` times."""
    seed = random.randrange(10**9) if seed is None else seed
    chance = random.Random(seed)
    server, url = installation.start_web()
    port = int(url.rsplit(":", 1)[1])
    log = Log(installation.state / "acknowledged.jsonl")
    load = Load(url, log, think=think, seed=seed)
    expected = sum(desk.size for _, desks in people for desk in desks)
    # One kill in each of as many equal parts of the work, at a random moment of it.
    moments = [expected * (part + chance.uniform(0.1, 0.9)) / kills for part in range(kills)]
    starts = []
    begun = time.monotonic()
    with ThreadPoolExecutor(len(people)) as pool:
        working = [
            pool.submit(load.annotate, number, *person) for number, person in enumerate(people)
        ]
        while not all(one.done() for one in working):
            time.sleep(chance.uniform(0.005, 0.05))
            if len(starts) < len(moments) and log.acknowledged_count >= moments[len(starts)]:
                server.kill()
                starts.append(time.monotonic())
                server, _ = installation.start_web(port)
    duration = time.monotonic() - begun
    log.close()
    waits = [min(at for at in load.answered_at if at > start) - start for start in starts]
    return Outcome(
        log=log.path,
        count=log.acknowledged_count,
        seconds=load.seconds,
        troubles=load.troubles,
        kills=len(starts),
        waits=waits,
        duration=duration,
    )


def kept_saves():
    """Every revision in the database."""
    from annotation.models import RatingRevision

    return [
        Save(str(save_id), topic, seat, document, option or reason)
        for save_id, topic, seat, document, option, reason in RatingRevision.objects.values_list(
            "save_id",
            "rating__pair__topic__external_id",
            "rating__seat__ordinal",
            "rating__pair__document__external_id",
            "option__key",
            "cannot_judge",
        )
    ]


def standing_ratings():
    """Every rating in the database, with the save that its note names."""
    from annotation.models import Rating

    return [
        Save(note, topic, seat, document, option or reason)
        for note, topic, seat, document, option, reason in Rating.objects.values_list(
            "note",
            "pair__topic__external_id",
            "seat__ordinal",
            "pair__document__external_id",
            "option__key",
            "cannot_judge",
        )
    ]


def exported_ratings(folder, slug="killed"):
    """Every rating in a CSV export."""
    from django.core.management import call_command

    with open(os.devnull, "w") as silence:
        call_command(
            *("export", slug, "--format", "csv", "--out", str(folder)),
            *("--allow-incomplete", "--with-notes"),
            stdout=silence,
        )
    [path] = folder.rglob("*ratings*.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Save(
                row["note"],
                row["topic"],
                int(row["seat"]),
                row["document"],
                row["option"] or row["cannot_judge"],
            )
            for row in csv.DictReader(file)
        ]


def judge(outcome, folder, server_log):
    """Sentences about everything that is not as it must be; `folder` takes an export."""
    from config.integrity import findings

    sent, acknowledged = read_log(outcome.log)
    return [
        *outcome.troubles,
        *judge_saves(sent, acknowledged, kept_saves()),
        *judge_ratings(sent, acknowledged, standing_ratings()),
        *(f"export: {f}" for f in judge_ratings(sent, acknowledged, exported_ratings(folder))),
        *findings(),
        *(line for line in server_log.read_text().splitlines() if "database is locked" in line),
    ]


# --- by hand -------------------------------------------------------------------------------------


def report(outcome):
    print(
        f"{outcome.count:,} saves acknowledged in {outcome.duration:.0f} s "
        f"({outcome.count / outcome.duration:.0f} per second), {outcome.kills} kills"
    )
    if len(outcome.seconds) > 1:
        cuts = statistics.quantiles(outcome.seconds, n=100)
        shown = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(outcome.seconds)}
        figures = ", ".join(f"{name} {seconds * 1000:.0f}" for name, seconds in shown.items())
        print(f"Milliseconds for a save answered at once: {figures}")
    if outcome.waits:
        print(
            "Seconds from a restart to the first save: "
            f"median {statistics.median(outcome.waits):.1f}, max {max(outcome.waits):.1f}"
        )
    print(f"Load of the machine in the last minute: {os.getloadavg()[0]:.1f}")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ratings", type=int, default=10_000)
    parser.add_argument("--annotators", type=int, default=16)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--think", type=float, nargs=2, default=(0, 0), metavar="SECONDS")
    parser.add_argument("--seed", type=int)
    return parser.parse_args()


def measure(options, folder):
    """Build, run, report; returns what is not as it must be."""
    # The tests' settings make a database beside those in use; the server has the product's own.
    # On disk, where the tests would have it in memory: a commit must cost what it costs.
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ["FACETWISE_TEST_STATE"] = str(folder / "database")
    import django

    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from django.test.utils import setup_databases, teardown_databases

    from tests.processes import Installation, collect_static

    databases = setup_databases(verbosity=0, interactive=False)
    state = folder / "state"
    state.mkdir()
    static = collect_static(folder)
    installation = Installation(state, FACETWISE_STATIC=str(static))
    try:
        people = build(ratings=options.ratings, annotators=options.annotators)
        outcome = run(
            installation, people, kills=options.kills, think=options.think, seed=options.seed
        )
        report(outcome)
        return judge(outcome, folder / "export", state / "processes.log")
    finally:
        installation.stop()
        teardown_databases(databases, verbosity=0)


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name:
        found = measure(options, Path(name))
    for sentence in found[:100]:
        print(sentence)
    print(f"{len(found):,} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
