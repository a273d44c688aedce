"""People at work over HTTP: annotators, an adjudicator, and a lead who exports."""

import random
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass

from bench.killing.saves import Save
from bench.visitor import (
    UnexpectedAnswer,
    Visitor,
    Workbench,
    find_form,
    path_of,
    words_of,
)

CHANGED = 0.1  # share of the ratings that their annotator changes once
NOT_JUDGED = 0.05


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
            while not self.annotators_are_done.is_set():
                job = order_export(visitor, slug)
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


def order_export(visitor, slug):
    """Ask for an export as tables; returns the page of its job."""
    address = f"/collections/{slug}/exports/"
    page = visitor.page(address)
    [form] = [form for form in page.forms if form.xpath(".//input[@name='format']")]
    return visitor.submit(
        page, path_of(form.action or address), format="csv", allow_incomplete="on"
    )
