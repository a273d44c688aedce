"""What the database, an export and the log say of each other in the end."""

import csv
import os

from bench.killing.saves import (
    Save,
    judge_decisions,
    judge_ratings,
    judge_saves,
    read_facts,
    read_log,
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


def exported_ratings(folder):
    """Every rating in a CSV export."""
    from django.core.management import call_command

    with open(os.devnull, "w") as silence:
        call_command(
            *("export", "killed", "--format", "csv", "--out", str(folder)),
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
