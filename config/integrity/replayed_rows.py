"""Decisions, first grades, waivers, answers to flags, batches, seats, texts, collections, schemes,
machine scores, pools, locks and roles compared with the trail."""

from collections import defaultdict
from datetime import timedelta
from decimal import Decimal
from itertools import compress
from uuid import UUID

from django.db.models import Count

from adjudication.models import Decision, FirstValue
from annotation.models import (
    Batch,
    FlagAnswer,
    MachineScore,
    Pair,
    Rating,
    Scheme,
    SchemeVersion,
    Seat,
    Tenure,
    Waiver,
)
from annotation.reading.text_hashes import SEAT_FIELDS, in_words, judged_texts
from config.integrity.trail_state import ROWS_AT_ONCE, is_near
from datasets.models import Collection, Import, Membership, Query, Role, RolePeriod, Topic
from datasets.pool_hashes import pool_hashes
from imports.evidence import DECISION_FIELDS, RowsHash, score_rows

A_MOMENT = timedelta(milliseconds=1)


def decision_findings(trail, using):
    by_import = defaultdict(RowsHash)
    decided = dict(trail.decisions)
    rows = Decision.objects.using(using).order_by("pk")
    for *row, user, decided_at, superseded_at, superseded_by, reason, imported in rows.values_list(
        *DECISION_FIELDS,
        *("adjudicator__user", "decided_at", "superseded_at", "superseded_by", "reopening_reason"),
        "pair__batch__imported__public_id",
    ).iterator(chunk_size=ROWS_AT_ONCE):
        public_id = str(row[0])
        began, ended = decided.pop(public_id, (None, None))
        if began is None:
            if imported is None:
                yield f"Decision {public_id} has 0 events in the trail."
                continue
            by_import[str(imported)].add(row)
        else:
            in_event = [began.after[name] for name in DECISION_FIELDS[3:] if name != "option__key"]
            in_event = [began.subject_id, began.after["option"], *in_event]
            # A decision that an import brought names its adjudicator, who may have no account.
            decider = began.after.get("adjudicator", began.actor_id)
            decided_by = str(row[2]) if "adjudicator" in began.after else user
            if [*in_event, decider] != [str(row[1]), *row[3:], decided_by]:
                yield f"Decision {public_id} is not what the trail says."
            if not is_near(decided_at, began.at):
                yield f"Decision {public_id} was made at another time than the trail says."
        if (ended is None) != (superseded_at is None):
            yield f"Decision {public_id} stands where the trail has ended it, or the reverse."
        elif ended and (
            (superseded_by, reason) != (ended.actor_id, ended.reason)
            or not is_near(superseded_at, ended.at)
        ):
            yield f"Decision {public_id} was not ended as the trail says."
    for public_id in decided:
        yield f"The trail knows decision {public_id}, which is gone."
    for imported, evidence in trail.imports.items():
        if by_import[imported].sha256 != evidence["decisions"]:
            yield f"The decisions of import {imported} are not those that it brought."


def first_value_findings(trail, using):
    """The grades that adjudicators gave before they saw the ratings."""
    in_trail = dict(trail.first_values)
    rows = FirstValue.objects.using(using).order_by("pk")
    for pair, account, option in rows.values_list(
        "pair__public_id", "adjudicator__user", "option__key"
    ).iterator():
        if in_trail.pop((str(pair), account), None) != option:
            yield f"The first grade by account {account} of pair {pair} is not in the trail so."
    for pair, account in in_trail:
        yield f"The trail knows a first grade by account {account} of pair {pair}, which is gone."


def waiver_findings(trail, using):
    """The people whom a lead let rate although they could have read ratings, and the reasons."""
    in_trail = dict(trail.waivers)
    for public_id, *row in Waiver.objects.using(using).values_list(
        "public_id", "batch__public_id", "member__public_id", "reason", "given_by"
    ):
        event = in_trail.pop(str(public_id), None)
        if event is None:
            if row[-1] is not None:  # else of a seat that was taken before there was the rule
                yield f"Waiver {public_id} has no event in the trail."
            continue
        in_event = [event.subject_id, event.after["member"], event.reason, event.actor_id]
        if in_words(row) != in_event:
            yield f"Waiver {public_id} is not what the trail says."
    for public_id in in_trail:
        yield f"The trail knows waiver {public_id}, which is gone."


def flag_answer_findings(trail, using):
    """What leads answered to flags. A rule among them says which examples are hidden."""
    in_trail = dict(trail.flag_answers)
    fields = ["rating__pair__public_id", "rating__public_id", "kind", "text"]
    fields += ["scheme_version__number", "given_by"]
    for public_id, *row in FlagAnswer.objects.using(using).values_list("public_id", *fields):
        event = in_trail.pop(str(public_id), None)
        if event is None:
            yield f"The answer {public_id} to a flag has no event in the trail."
            continue
        answer = [event.after[name] for name in ("rating", "kind", "text", "guidelines")]
        if in_words(row) != [event.subject_id, *answer, event.actor_id]:
            yield f"The answer {public_id} to a flag is not what the trail says."
    for public_id in in_trail:
        yield f"The trail knows the answer {public_id} to a flag, which is gone."


def batch_findings(trail, using):
    pairs = dict(
        Pair.including_inactive.using(using)
        .filter(batch__isnull=False)
        .order_by()
        .values_list("batch")
        .annotate(Count("pk"))
    )
    events = dict(trail.batches)
    for row in Batch.including_inactive.using(using).values(
        "pk", "public_id", "name", "overlap", "way", "drawn", "imported"
    ):
        event = events.pop(str(row["public_id"]), None)
        if row["imported"] is None and (event is None or "name" not in event):
            yield f"Batch {row['pk']} has no event in the trail."
            continue
        row["pairs"] = pairs.get(row["pk"], 0)
        for name in ("name", "overlap", "way", "pairs", "drawn"):
            if event and name in event and event[name] != row[name]:
                yield f"Batch {row['pk']} has {name} {row[name]!r}; the trail says {event[name]!r}."
    for public_id in events:
        yield f"The trail knows batch {public_id}, which is gone."


def seat_findings(trail, using):
    """The holders of each seat, present and past, and the seats that are handed in."""
    by_import = defaultdict(RowsHash)
    tenures = dict(trail.tenures)
    rows = Tenure.objects.using(using).order_by("pk")
    for *row, since, imported in rows.values_list(
        *SEAT_FIELDS, "since", "batch__imported__public_id"
    ).iterator():
        tenure = str(row[2]), str(row[5])
        if tenure in tenures:
            if not is_near(since, tenures.pop(tenure)):
                yield (
                    f"Member {tenure[1]} took seat {tenure[0]} at another time than the trail says."
                )
        elif imported:
            by_import[str(imported)].add(row)
        else:
            yield f"A tenure gives seat {tenure[0]} to member {tenure[1]}; the trail does not."
    for seat, member in tenures:
        yield f"The trail gave seat {seat} to member {member}, and no tenure says so."
    for imported, evidence in trail.imports.items():
        if by_import[imported].sha256 != evidence["seats"]:
            yield f"The seats of import {imported} are not those that it brought."
    handed_in = dict(trail.handed_in)
    holders = dict(trail.holders)
    for public_id, holder, handed_in_at, imported in (
        Seat.objects.using(using)
        .values_list("public_id", "holder__public_id", "handed_in_at", "batch__imported")
        .iterator()
    ):
        seat = str(public_id)
        at = handed_in.pop(seat, imported and handed_in_at)
        if (at is None) != (handed_in_at is None):
            yield f"Seat {seat} is handed in where the trail says it is not, or the reverse."
        elif at and not is_near(handed_in_at, at):
            yield f"Seat {seat} was handed in at another time than the trail says."
        said_holder = holders.pop(seat, str(holder) if imported and holder else None)
        if said_holder != (str(holder) if holder else None):
            yield f"Seat {seat} is held by {holder or 'nobody'}; the trail says {said_holder}."
    for seat in holders.keys() | handed_in.keys():
        yield f"The trail knows seat {seat}, which is gone."


def judged_text_findings(trail, using):
    """Compare the texts of handed-in seats with the texts that were read."""
    seats = Seat.objects.using(using).values_list("public_id", "batch")
    batch_of = {str(seat): batch for seat, batch in seats}
    by_batch = defaultdict(list)
    for seat, texts in trail.judged:
        if seat in batch_of:
            by_batch[batch_of[seat]].append(texts)
    batches = Batch.including_inactive.using(using).filter(imported__isnull=False)
    imported = {str(public_id): pk for public_id, pk in batches.values_list("public_id", "pk")}
    for evidence in trail.imports.values():
        for public_id, texts in evidence["texts"].items():
            if public_id in imported:
                by_batch[imported[public_id]].append(texts)
            else:
                yield f"The trail knows batch {public_id}, which is gone."
    for batch, hashes in by_batch.items():
        now = judged_texts(batch, using)
        if any(texts["pairs"] != now["pairs"] for texts in hashes):
            yield f"The texts of the pairs of batch {batch} are not those that were rated."
        queries = {name: sha256 for texts in hashes for name, sha256 in texts["queries"].items()}
        changed = [name for name, sha256 in queries.items() if now["queries"].get(name) != sha256]
        if changed:
            yield (
                f"The text of query {', '.join(changed)} is not the one under which batch {batch} "
                "was rated."
            )


def collection_findings(trail, using):
    """What is set for the whole of a collection: every export of it carries some of that."""
    in_trail = dict(trail.collections)
    for collection in Collection.objects.using(using).order_by("pk"):
        values = in_trail.pop(str(collection.public_id), {})
        if others := [name for name in values if getattr(collection, name) != values[name]]:
            yield (
                f"The collection {collection.public_id} is not what the trail says "
                f"({', '.join(others)})."
            )
    for public_id in in_trail:
        yield f"The trail knows collection {public_id}, which is gone."


def scheme_findings(trail, using):
    for scheme in Scheme.objects.using(using).select_related("collection"):
        collection = str(scheme.collection.public_id)
        rules = trail.schemes.get(collection)
        if rules is None:
            yield f"The scheme of collection {collection} has no event in the trail."
            continue
        scales = {scale.facet: scale for scale in scheme.scales.all()}
        options = {facet: {} for facet in scales}
        stored = scheme.options.order_by("position", "id")
        for facet, key, value in stored.values_list("scale__facet", "key", "value"):
            options[facet][key] = f"{value:.3f}"
        of_scales = {
            "rule_distance": {facet: scale.distance for facet, scale in scales.items()},
            "is_ordinal": {facet: scale.is_ordinal for facet, scale in scales.items()},
            "options": options,
            "order": {facet: list(of_facet) for facet, of_facet in options.items()},
        }
        rows = {
            "rule": scheme.rule,
            "overlap": scheme.overlap,
            "hides_ratings": scheme.hides_ratings,
            "facets": {facet.key: facet.sentence_labels for facet in scheme.facets.all()},
            # A shared scale stands for itself, scales of facets stand by their facet.
            **{name: by_facet.get("", by_facet) for name, by_facet in of_scales.items()},
        }
        if "rule_distance" in rules:
            rules = rules | {"rule_distance": _decimals(rules["rule_distance"])}
        for name, value in rows.items():
            if name in rules and rules[name] != value:
                yield f"The scheme of collection {collection} has other {name} than the trail says."
    wording = dict(trail.wording)
    for collection, number, sha256 in SchemeVersion.objects.using(using).values_list(
        "scheme__collection__public_id", "number", "wording_sha256"
    ):
        version = f"Version {number} of the scheme of {collection}"
        if (str(collection), number) not in wording:
            yield f"{version} has no event in the trail."
        elif wording.pop((str(collection), number)) not in (None, sha256):
            yield f"{version} is not the one that was saved."
    for collection, number in wording:
        yield f"The trail knows version {number} of the scheme of {collection}, which is gone."


def _decimals(distance):
    if isinstance(distance, dict):
        return {facet: _decimals(of_facet) for facet, of_facet in distance.items()}
    return None if distance is None else Decimal(distance)


def import_findings(trail, using):
    """Imports whose rows are shown are those of the trail, and each brought its batches: what it
    is said to have brought has no events of its own."""
    shown = Import.objects.using(using).filter(state=Import.State.ACTIVE)
    shown_ids = {str(public_id) for public_id in shown.values_list("public_id", flat=True)}
    for imported in shown_ids - trail.imported.keys():
        yield f"Import {imported} has no event in the trail."
    for imported in trail.imported.keys() - shown_ids:
        yield f"The trail knows import {imported}, whose rows are gone or hidden."
    batches = Batch.including_inactive.using(using).filter(imported__in=shown)
    for batch, imported in batches.values_list("public_id", "imported__public_id"):
        summary = trail.imported.get(str(imported), {})
        if _left_no_evidence(summary):
            is_its = "name" not in trail.batches.get(str(batch), {})  # else it was made here
        else:
            is_its = str(batch) in summary.get("evidence", {}).get("texts", {})
        if not is_its:
            yield f"Batch {batch} is none of those that import {imported} brought."


def _left_no_evidence(summary):
    """Whether an import brought ratings when the trail named no batches of imports. Its summary
    knew of no runs then either."""
    return bool(summary.get("ratings")) and not summary.keys() & {"evidence", "runs"}


def score_findings(trail, using):
    """Machine scores are those that their import brought."""
    scores = MachineScore.including_inactive.using(using).exclude(
        imported__state__in=[Import.State.INACTIVE, Import.State.DEAD]
    )
    importers = scores.order_by().values_list("imported__public_id", flat=True).distinct()
    for imported in {*importers, *map(UUID, trail.imports)}:
        stored = RowsHash.over(score_rows(imported, using)).sha256
        said = trail.imported.get(str(imported), {})
        # Earlier imports left no hash of the scores that they say they brought.
        unhashed = stored if said.get("machine_scores") else RowsHash().sha256
        if trail.imports.get(str(imported), {}).get("scores", unhashed) != stored:
            yield f"The machine scores of import {imported} are not those that it brought."


def pool_findings(trail, using):
    """Who is in a pool, in which order and from which sources. Earlier trails know of no pool."""
    stored = pool_hashes(Query.objects.using(using), using=using) if trail.pools else {}
    for query, sha256 in trail.pools.items():
        if query not in stored:
            yield f"The trail knows the pool of query {query}, which is gone."
        elif stored[query] != sha256:
            yield f"The pool of query {query} is not what the trail says."


def lock_findings(trail, using):
    locked = {
        str(public_id)
        for public_id in Topic.including_inactive.using(using)
        .filter(locked_at__isnull=False)
        .values_list("public_id", flat=True)
    }
    locked_in_trail = {topic for topic, is_locked in trail.locked.items() if is_locked}
    for topic in locked ^ locked_in_trail:
        yield f"Topic {topic} is locked where the trail says it is not, or the reverse."


def role_findings(trail, using):
    in_trail = dict(trail.roles)
    flags = [f"is_{role}" for role in Role.values]
    fields = ["public_id", "removed_at", "imported", "user", "user__public_id"]
    for public_id, removed_at, imported, user, account, *role_flags in Membership.objects.using(
        using
    ).values_list(*fields, *flags):
        if str(public_id) not in in_trail:
            # Of an import's people, who cannot sign in, the times of roles speak.
            if imported is None or user is not None:
                yield f"Member {public_id} has no event in the trail."
            continue
        roles_in_trail = in_trail.pop(str(public_id))
        roles = list(compress(Role.values, role_flags))
        if (roles_in_trail is None) != (removed_at is not None) or (
            roles_in_trail and sorted(roles_in_trail) != sorted(roles)
        ):
            yield f"Member {public_id} has other roles than the trail says."
        # Who was given a place, or a role by a list, was not named in earlier trails.
        if trail.accounts.get(str(public_id), user) not in (user, str(account)):
            yield f"Member {public_id} is of another account than the trail says."
    for public_id in in_trail:
        yield f"The trail knows member {public_id}, who is gone."
    for public_id, collection, created_at, since, until in RolePeriod.objects.using(
        using
    ).values_list(
        *("member__public_id", "member__collection", "member__created_at", "since", "until")
    ):
        changes = trail.role_changes.get(str(public_id), [])
        began = any(is_near(since, at) for at in [created_at, *changes])
        ended = until is None or any(is_near(until, at) for at in changes)
        if not began or not (ended or (changes and _is_of_a_seat(until, collection, using))):
            yield f"A role of member {public_id} has other times than the trail says."


def _is_of_a_seat(moment, collection, using):
    """Whether a seat of the collection was taken or a pair rated at this moment: a role ends no
    earlier, also where the clock was set back."""
    ratings = Rating.objects.using(using).filter(seat__batch__collection=collection)
    tenures = Tenure.objects.using(using).filter(batch__collection=collection)
    # SQLite compares moments as texts, and writes those of its own clock with fewer digits.
    near = moment - A_MOMENT, moment + A_MOMENT
    return (
        ratings.filter(created_at__range=near).exists()
        or tenures.filter(since__range=near).exists()
    )
