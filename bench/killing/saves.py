"""What was sent and acknowledged, and the verdict on what was kept. Without the server's code."""

import json
import os
import threading
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass


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
