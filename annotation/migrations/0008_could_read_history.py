from collections import defaultdict

from django.db import migrations
from django.db.models import Max, Min

BEFORE_THE_RULE = "The seat was taken before this rule was kept."
CHANGES = ["hand in seat", "return seat", "raise overlap"]


def finished_periods(batch, seats, events):
    """[(since, until)] in which every seat of a batch was handed in; `until` None: it still is.

    `seats` are the public ids of its seats, `events` (verb, subject, after, at) in order. An
    imported batch begins with every seat handed in.
    """
    periods, handed_in, overlap, since = [], set(), len(seats), None
    if batch.imported_id:
        handed_in, since = set(seats), batch.created_at
    raised = [before["overlap"] for verb, _, before, _, _ in events if verb == "raise overlap"]
    if raised:
        overlap = raised[0]
    for verb, subject, _, after, at in events:
        if verb == "hand in seat":
            handed_in.add(subject)
        elif verb == "return seat":
            handed_in.discard(subject)
        else:
            overlap = after["overlap"]
        is_finished = len(handed_in) >= overlap
        if is_finished and since is None:
            since = at
        elif not is_finished and since is not None:
            periods.append((since, at))
            since = None
    return [*periods, (since, None)] if since else periods


def meet(period, other):
    """When two periods first overlap, or None."""
    since = max(period[0], other[0])
    ends = [until for _, until in (period, other) if until is not None]
    return since if all(since <= until for until in ends) else None


def write_history(apps, schema_editor):
    """Whoever held a seat and was a lead while its batch was finished could read it since then;
    or, where they changed a rating later, since that: what is done stays as it is."""
    Tenure = apps.get_model("annotation", "Tenure")
    RolePeriod = apps.get_model("datasets", "RolePeriod")
    led = defaultdict(list)
    for member, *period in RolePeriod.objects.filter(role="lead").values_list(
        "member", "since", "until"
    ):
        led[member].append(period)
    tenures = Tenure.objects.filter(member__in=list(led)).select_related("batch")
    batches = {tenure.batch_id: tenure.batch for tenure in tenures}
    finished = _finished(apps, batches)
    Revision = apps.get_model("annotation", "RatingRevision")
    revisions = Revision.objects.filter(rating__annotator__in=list(led)).order_by()
    rated = {
        (batch, member): at
        for batch, member, at in revisions.values_list(
            "rating__seat__batch", "rating__annotator"
        ).annotate(Max("saved_at"))
    }
    for tenure in tenures:
        moments = [
            moment
            for period in finished[tenure.batch_id]
            for leading in led[tenure.member_id]
            if (moment := meet(period, leading))
        ]
        if moments:
            last = rated.get((tenure.batch_id, tenure.member_id))
            tenure.could_read_since = max(filter(None, [min(moments), last]))
            tenure.save(update_fields=["could_read_since"])


def waive_what_was(apps, schema_editor):
    """Seats whose holders could read ratings when they took them; reports tell of it from now."""
    Tenure = apps.get_model("annotation", "Tenure")
    Waiver = apps.get_model("annotation", "Waiver")
    Rating = apps.get_model("annotation", "Rating")
    RolePeriod = apps.get_model("datasets", "RolePeriod")
    read = defaultdict(list)
    for member, *period in RolePeriod.objects.filter(role__in=["lead", "adjudicator"]).values_list(
        "member", "since", "until"
    ):
        read[member].append(period)
    tenures = list(Tenure.objects.filter(member__in=list(read)))
    first = defaultdict(dict)
    ratings = Rating.objects.filter(seat__batch__in={tenure.batch_id for tenure in tenures})
    for batch, author, at in (
        ratings.order_by().values_list("seat__batch", "annotator").annotate(Min("created_at"))
    ):
        first[batch][author] = at
    for tenure in tenures:
        others = [
            at
            for author, at in first[tenure.batch_id].items()
            if author != tenure.member_id and at < tenure.since
        ]
        if others and any(meet((min(others), tenure.since), one) for one in read[tenure.member_id]):
            Waiver.objects.create(
                batch_id=tenure.batch_id, member_id=tenure.member_id, reason=BEFORE_THE_RULE
            )


def _finished(apps, batches):
    Seat = apps.get_model("annotation", "Seat")
    Event = apps.get_model("audit", "Event")
    seats, events, batch_of = defaultdict(list), defaultdict(list), {}
    for batch, seat in Seat.objects.filter(batch__in=batches).values_list("batch", "public_id"):
        seats[batch].append(str(seat))
        batch_of[str(seat)] = batch
    batch_of |= {str(batch.public_id): pk for pk, batch in batches.items()}
    for verb, subject, before, after, at in (
        Event.objects.filter(verb__in=CHANGES)
        .order_by("id")
        .values_list("verb", "subject_id", "before", "after", "at")
    ):
        if subject in batch_of:
            events[batch_of[subject]].append((verb, subject, before, after, at))
    return {pk: finished_periods(batch, seats[pk], events[pk]) for pk, batch in batches.items()}


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_waivers"),
        ("audit", "0002_append_only"),
        ("datasets", "0007_role_periods_kept"),
    ]

    operations = [
        migrations.RunPython(write_history, migrations.RunPython.noop),
        migrations.RunPython(waive_what_was, migrations.RunPython.noop),
    ]
