"""Kill what is running, again and again, while people work: nothing acknowledged may be lost.

    python bench/kill_under_load.py [--ratings 10000] [--annotators 16] [--kills 20]
        [--think 0.5 2]
    script/with-postgres python bench/kill_under_load.py ...

A study is made in a database of its own and served by gunicorn and a worker as shipped. The
annotators rate over HTTP, all at once, with a change of mind now and then, and hand their batches
in; an adjudicator decides what is disputed; a lead makes one export after another. Each save,
hand-in and decision that the server acknowledges goes to a log on disk before the next one is sent.
Meanwhile SIGKILL ends the web server's or the worker's whole process group, or all of PostgreSQL,
at random moments while a rating, a hand-in, a decision or an export is under way, and it is started
again; people send the same thing until it is answered. In the end the log is compared with the
database and with an export. Exits with 1 on any difference, any answer of 5xx but a 503 with
Retry-After while PostgreSQL is away, and any invariant that does not hold.

It shows what the death of processes does. A loss of power is another matter: what a killed process
had handed to the operating system is still written. For that we rest on `synchronous = FULL` and
`fsync`, which config/checks.py insists on.

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

from bench.visitor import (
    UnexpectedAnswer,
    Visitor,
    Workbench,
    find_form,
    path_of,
    words_of,
)

LARGEST = 40  # pairs of a topic: small enough that hand-ins and disputes come all along
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

    def fact(self, kind, **details):
        """Something else that was acknowledged: a hand-in, a decision."""
        with self.lock:
            self._write({"fact": kind, **details})
            os.fsync(self.file.fileno())

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
            elif "acknowledged" in entry:
                acknowledged.append(entry["acknowledged"])
    return sent, acknowledged


def read_facts(path, kind):
    """The details of every fact of that kind."""
    with path.open(encoding="utf-8") as lines:
        entries = map(json.loads, lines)
        return [entry for entry in entries if entry.get("fact") == kind]


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
    standing_at = defaultdict(list)
    for rating in ratings:
        standing_at[rating.place].append(rating)
    for place in is_owed - standing_at.keys():
        findings.append(f"lost: no rating for {possible[place][0]}")
    for place, stored in standing_at.items():
        if len(stored) > 1:
            findings.append(f"{len(stored)} ratings at {place}")
        for rating in stored:
            if rating not in possible[place]:
                findings.append(f"changed: {rating} stands; sent was {possible[place]}")
    return findings


def judge_decisions(sent, acknowledged, kept):
    """The same for decisions, each of them (save_id, pair, option)."""
    sent_ids = {decision[0]: decision for decision in sent}
    kept_ids = {decision[0]: decision for decision in kept}
    findings = [
        f"lost: decision {sent_ids[save_id]}" for save_id in acknowledged if save_id not in kept_ids
    ]
    findings += [
        f"changed: decision {sent_ids.get(save_id)} is kept as {decision}"
        for save_id, decision in kept_ids.items()
        if decision != sent_ids.get(save_id)
    ]
    pairs = Counter(pair for _, pair, _ in kept)
    return findings + [f"{count} decisions on pair {p}" for p, count in pairs.items() if count > 1]


# --- the people ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Desk:
    """A seat as its annotator needs it: where it is, and what is rated there."""

    address: str
    topic: str
    ordinal: int
    size: int


class Steps:
    """Tells who waits for it that a step of some kind is under way: a request is being sent."""

    def __init__(self):
        self.condition = threading.Condition()
        self.counts = Counter()

    def under_way(self, kind):
        with self.condition:
            self.counts[kind] += 1
            self.condition.notify_all()

    def wait_for(self, kind, seconds):
        """Whether another step of that kind began in time."""
        with self.condition:
            before = self.counts[kind]
            return self.condition.wait_for(lambda: self.counts[kind] > before, seconds)


class Load:
    """People at work. `troubles` is what none of them should ever have seen."""

    def __init__(self, url, log, *, think=(0, 0), seed=0):
        self.url, self.log, self.think, self.seed = url, log, think, seed
        self.steps = Steps()
        self.troubles = []
        self.waited = 0  # answers that told to come again
        self.away_until = 0.0  # until then the database may be away
        self.annotators_are_done = threading.Event()
        self.seconds = []  # of the saves that were answered at the first attempt
        self.answered_at = []

    def annotate(self, number, cookie, desks):
        """One annotator's evening; `cookie` is (name, value) of their session."""
        chance = random.Random(f"{self.seed} {number}")

        def rate_all(visitor):
            for desk in desks:
                self._rate(visitor, desk, chance)
                self._hand_in(visitor, desk)

        self._visit(f"annotator {number}", cookie, rate_all)

    def adjudicate(self, cookie, slug):
        """Decide what is disputed until nothing comes any more."""
        chance = random.Random(f"{self.seed} adjudicator")

        def decide_all(visitor):
            while True:
                is_last_look = self.annotators_are_done.is_set()
                page = visitor.page(f"/collections/{slug}/adjudicate/")
                opening = [form for form in page.forms if (form.action or "").endswith("/take/")]
                if opening and not is_last_look:
                    self._decide_topic(visitor, page, path_of(opening[0].action), chance)
                elif is_last_look:
                    return
                else:
                    time.sleep(0.2)

        self._visit("the adjudicator", cookie, decide_all)

    def export(self, cookie, slug):
        """Make one export after another while the annotators work."""

        def export_all(visitor):
            address = f"/collections/{slug}/exports/"
            while not self.annotators_are_done.is_set():
                page = visitor.page(address)
                [form] = [form for form in page.forms if form.xpath(".//input[@name='format']")]
                job = visitor.submit(
                    page, path_of(form.action or address), format="csv", allow_incomplete="on"
                )
                while job.xpath("//*[@id='job']//progress"):
                    if self.annotators_are_done.is_set():
                        return
                    time.sleep(0.2)
                    job = visitor.page(path_of(job.base_url))
                if job.xpath("//*[@id='job']//*[@role='alert']"):
                    self.troubles.append(f"an export failed: {words_of(job)[:300]}")
                    return

        self._visit("the lead", cookie, export_all)

    def _visit(self, who, cookie, work):
        visitor = Visitor(self.url)
        visitor.client.cookies.set(*cookie)
        visitor.client.event_hooks["response"] = [self._look_at]
        try:
            work(visitor)
        except Exception as error:
            self.troubles.append(f"{who}: {error!r}")
        finally:
            visitor.close()

    def _look_at(self, answer):
        if answer.status_code < 500:
            return
        may_wait = answer.status_code == 503 and "Retry-After" in answer.headers
        if may_wait and time.monotonic() < self.away_until:
            self.waited += 1
        else:
            self.troubles.append(f"{answer.status_code} from {answer.request.url}")

    def _rate(self, visitor, desk, chance):
        workbench = Workbench(visitor, desk.address, desk.size)
        for position in range(1, desk.size + 1):
            times = 2 if chance.random() < CHANGED else 1
            for version in range(times):
                time.sleep(chance.uniform(*self.think))
                self._save(workbench, desk, position, version, chance)

    def _save(self, workbench, desk, position, version, chance):
        """Send one save until it is acknowledged."""
        save_id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        answer = {"answer": chance.choice(workbench.form.options)}
        if chance.random() < NOT_JUDGED:
            answer = {"answer": "cannot-judge:own", "own_reason": f"Reason {save_id}"}
        save = Save(
            save_id,
            desk.topic,
            desk.ordinal,
            workbench.title(position).removeprefix("Title of "),
            answer.get("own_reason", answer["answer"]),
        )
        self.log.sent(save)
        attempts, start = workbench.visitor.requests, time.monotonic()
        self.steps.under_way("rating")
        workbench.save(position, save_id=save_id, based_on=version, note=save_id, **answer)
        end = time.monotonic()
        self.log.acknowledged(save)
        self.answered_at.append(end)
        if workbench.visitor.requests == attempts + 1:
            self.seconds.append(end - start)

    def _hand_in(self, visitor, desk):
        page = visitor.page(f"{desk.address}hand-in/")
        self.steps.under_way("hand-in")
        page = visitor.submit(page, "/hand-in/")
        # Forms that only filter what was handed in stay.
        posts = [form for form in page.forms if form.method == "POST"]
        if [form for form in posts if (form.action or "").endswith("/hand-in/")]:
            raise UnexpectedAnswer(f"{desk.address} is not handed in.")
        self.log.fact("handed in", seat=desk.address)

    def _decide_topic(self, visitor, page, action, chance):
        page = visitor.submit(page, action)
        while path_of(page.base_url).startswith("/adjudicate/"):
            if self.annotators_are_done.is_set():
                return
            form = find_form(page, path_of(page.base_url))
            decision = {
                "save_id": form.fields["save_id"],
                "pair": path_of(page.base_url).split("/")[2],
                "option": chance.choice(form.xpath(".//input[@name='option'][@data-words]/@value")),
            }
            self.log.fact("decision sent", **decision)
            self.steps.under_way("decision")
            page = visitor.submit(
                page,
                path_of(form.action or page.base_url),
                option=decision["option"],
                reason="As it is.",
            )
            self.log.fact("decided", **decision)


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

    from annotation.assigning.actions.assign import assign_seat
    from annotation.assigning.actions.batches import make_batches
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


def cookie_of(email):
    """(name, value) of a session of that person."""
    from django.conf import settings
    from django.test import Client

    from accounts.models import User

    client = Client()
    client.force_login(User.objects.get(email=email))
    name = settings.SESSION_COOKIE_NAME
    return name, client.cookies[name].value


# What is killed while what is under way. In SQLite the database is part of the web server.
KILLS = [
    ("web server", "rating"),
    ("worker", "export"),
    ("web server", "hand-in"),
    ("web server", "decision"),
]
KILLS_OF_POSTGRESQL = [
    ("database", "rating"),
    ("database", "hand-in"),
    ("database", "export"),
    ("database", "decision"),
]
PATIENCE_SECONDS = 20  # with a step that does not come; then the kill comes between steps


class Victims:
    """What can be killed, and how it comes back."""

    def __init__(self, installation, load):
        from django.db import connection

        self.installation, self.load = installation, load
        self.web, self.url = installation.start_web()
        self.port = int(self.url.rsplit(":", 1)[1])
        self.worker = installation.start_worker()
        self.database = None
        if connection.vendor == "postgresql":
            from tests.processes import PostgreSQL

            self.database = PostgreSQL()

    def kill(self, name):
        """Kill and start again; returns when it serves again."""
        if name == "database":
            from django.db import connection

            self.load.away_until = math.inf
            self.database.kill()
            connection.close()
            self.database.start()
            self.load.away_until = time.monotonic() + RECOVERY_SECONDS
        elif name == "worker":
            self.worker.kill()
            self.worker = self.installation.start_worker()
        else:
            self.web.kill()
            self.web, _ = self.installation.start_web(self.port)


RECOVERY_SECONDS = 10


@dataclass
class Outcome:
    """`waits`: by victim, seconds from its start after a kill to the next acknowledged save."""

    log: Path
    count: int  # of acknowledged saves
    seconds: list[float]
    troubles: list[str]
    kills: Counter  # by (victim, what was under way)
    waited: int
    waits: dict[str, list[float]]
    duration: float


def run(installation, people, *, kills, think=(0, 0), seed=None, slug="killed", with_database=True):
    """Let people work while parts of `installation` are killed, `kills` times in all.

    Without `with_database` PostgreSQL is left alone, as where other tests use it too.
    """
    seed = random.randrange(10**9) if seed is None else seed
    chance = random.Random(seed)
    log = Log(installation.state / "acknowledged.jsonl")
    load = Load("", log, think=think, seed=seed)
    victims = Victims(installation, load)
    load.url = victims.url
    expected = sum(desk.size for _, desks in people for desk in desks)
    kinds = list(KILLS)
    if victims.database and with_database:
        kinds = [kind for both in zip(KILLS, KILLS_OF_POSTGRESQL, strict=True) for kind in both]
    killed, starts = Counter(), []
    begun = time.monotonic()
    with ThreadPoolExecutor(len(people) + 2) as pool:
        working = [
            pool.submit(load.annotate, number, *person) for number, person in enumerate(people)
        ]
        if kills:
            pool.submit(load.adjudicate, cookie_of("carol@example.org"), slug)
            pool.submit(load.export, cookie_of("lena@example.org"), slug)
        for number in range(kills):
            # One kill in each of as many equal parts of the work, at a random moment of it.
            moment = expected * (number + chance.uniform(0.1, 0.9)) / kills
            while log.acknowledged_count < moment and not all(worker.done() for worker in working):
                time.sleep(0.01)
            victim, step = kinds[number % len(kinds)]
            under_way = wait_for_step(load, step)
            time.sleep(chance.uniform(0, 0.03))
            victims.kill(victim)
            killed[victim, step if under_way else "nothing in particular"] += 1
            starts.append((victim, time.monotonic()))
        while not all(worker.done() for worker in working):
            time.sleep(0.05)
        load.annotators_are_done.set()
    duration = time.monotonic() - begun
    log.close()
    waits = defaultdict(list)
    for victim, start in starts:
        if later := [at for at in load.answered_at if at > start]:
            waits[victim].append(min(later) - start)
    return Outcome(
        log=log.path,
        count=log.acknowledged_count,
        seconds=load.seconds,
        troubles=[*load.troubles, *unfinished_jobs()],
        kills=killed,
        waited=load.waited,
        waits=waits,
        duration=duration,
    )


def wait_for_step(load, step):
    """Whether a step of that kind is under way now."""
    if step != "export":
        return load.steps.wait_for(step, PATIENCE_SECONDS)
    from jobs.models import Job

    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if Job.objects.filter(state=Job.State.RUNNING).exists():
            return True
        time.sleep(0.005)
    return False


def unfinished_jobs():
    """Sentences about jobs that the worker does not bring to an end in two minutes."""
    from jobs.models import Job

    deadline = time.monotonic() + 120
    while Job.objects.active().exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    return [f"job {job} is {job.state}: {job.error}" for job in Job.objects.exclude(state="done")]


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


def kept_decisions():
    """Every standing decision in the database, as (save_id, pair, option)."""
    from adjudication.models import Decision

    return [
        (str(save_id), str(pair), option)
        for save_id, pair, option in Decision.objects.filter(superseded_at=None).values_list(
            "save_id", "pair__public_id", "option__key"
        )
    ]


def count_exports():
    from releases.models import Export

    return Export.objects.count()


def judge_exports():
    """A sentence where a finished job made no export, or two."""
    from jobs.models import Job

    count = Job.objects.filter(kind="export", state=Job.State.DONE).count()
    if count_exports() == count:
        return []
    return [f"{count_exports()} exports of {count} finished jobs"]


def judge_invariants(installation):
    """What `verify_integrity` finds, also in the files that the installation keeps."""
    from django.test import override_settings

    from config.integrity import findings

    with override_settings(STATE_DIR=installation.state):
        return list(findings())


def judge_hand_ins(path):
    """Sentences about seats whose hand-in was acknowledged and that are open."""
    from annotation.models import Seat

    acknowledged = {
        fact["seat"].strip("/").split("/")[-1] for fact in read_facts(path, "handed in")
    }
    closed = Seat.objects.filter(handed_in_at__isnull=False).values_list("public_id", flat=True)
    return [f"lost: hand-in of seat {seat}" for seat in acknowledged - set(map(str, closed))]


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


def judge(outcome, folder, installation):
    """Sentences about everything that is not as it must be; `folder` takes an export."""
    sent, acknowledged = read_log(outcome.log)
    decisions = [
        (fact["save_id"], fact["pair"], fact["option"])
        for fact in read_facts(outcome.log, "decision sent")
    ]
    decided = [fact["save_id"] for fact in read_facts(outcome.log, "decided")]
    server_log = (installation.state / "processes.log").read_text()
    return [
        *outcome.troubles,
        *judge_saves(sent, acknowledged, kept_saves()),
        *judge_ratings(sent, acknowledged, standing_ratings()),
        *(f"export: {f}" for f in judge_ratings(sent, acknowledged, exported_ratings(folder))),
        *judge_hand_ins(outcome.log),
        *judge_decisions(decisions, decided, kept_decisions()),
        *judge_exports(),
        *judge_invariants(installation),
        *(line for line in server_log.splitlines() if "database is locked" in line),
    ]


# --- by hand -------------------------------------------------------------------------------------


def report(outcome):
    print(
        f"{outcome.count:,} saves acknowledged in {outcome.duration:.0f} s "
        f"({outcome.count / outcome.duration:.0f} per second), {outcome.kills.total()} kills"
    )
    for (victim, step), count in sorted(outcome.kills.items()):
        print(f"  {victim} killed {count} times, under way: {step}")
    for kind in ("handed in", "decided"):
        print(f"  acknowledged, {kind}: {len(read_facts(outcome.log, kind)):,}")
    print(f"  exports made: {count_exports():,}")
    if outcome.waited:
        print(f"  answers 503 with Retry-After while PostgreSQL was away: {outcome.waited:,}")
    if len(outcome.seconds) > 1:
        cuts = statistics.quantiles(outcome.seconds, n=100)
        shown = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(outcome.seconds)}
        figures = ", ".join(f"{name} {seconds * 1000:.0f}" for name, seconds in shown.items())
        print(f"Milliseconds for a save answered at once: {figures}")
    for victim, waits in outcome.waits.items():
        print(
            f"Seconds from a start of the {victim} to the next save: "
            f"median {statistics.median(waits):.1f}, max {max(waits):.1f}"
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
        return judge(outcome, folder / "export", installation)
    finally:
        installation.stop()
        teardown_databases(databases, verbosity=0)


def main():
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name:
        findings = measure(options, Path(name))
    for sentence in findings[:100]:
        print(sentence)
    print(f"{len(findings):,} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
