from django.db import migrations
from django.db.models.functions import Now

ROLES = ["annotator", "adjudicator", "lead"]
CHANGES = ["accept invitation", "set roles", "remove member"]


def held_by_the_trail(since, events):
    """[(role, since, until)] of a membership that began at `since`, from its events in order.

    Each event says which roles the member had from then on, or had until then.
    """
    periods, standing = [], {}

    def change(roles, at):
        for role in [role for role in standing if role not in roles]:
            periods.append((role, standing.pop(role), at))
        for role in roles:
            standing.setdefault(role, at)

    for verb, before, after, at in events:
        if not periods and not standing and before:
            change(before["roles"], since)
        change(after["roles"] if verb != "remove member" else [], at)
    return [*periods, *((role, began, None) for role, began in standing.items())]


def write_history(apps, schema_editor):
    """From the trail where it knows of a membership; else from the membership's own row."""
    Membership = apps.get_model("datasets", "Membership")
    RolePeriod = apps.get_model("datasets", "RolePeriod")
    Event = apps.get_model("audit", "Event")
    trail = {}
    for subject, *event in (
        Event.objects.filter(subject_type="datasets.membership", verb__in=CHANGES)
        .order_by("id")
        .values_list("subject_id", "verb", "before", "after", "at")
    ):
        trail.setdefault(subject, []).append(event)
    for member in Membership.objects.order_by("pk").iterator():
        has = {role for role in ROLES if getattr(member, f"is_{role}") and not member.removed_at}
        periods = held_by_the_trail(member.created_at, trail.get(str(member.public_id), []))
        periods = [
            (role, since, until or (None if role in has else member.removed_at or Now()))
            for role, since, until in periods
        ]
        standing = {role for role, _, until in periods if until is None}
        # What no event tells of was so from the beginning.
        periods += [(role, member.created_at, None) for role in sorted(has - standing)]
        known = {role for role, *_ in periods}
        if member.removed_at:
            periods += [
                (role, member.created_at, member.removed_at)
                for role in ROLES
                if getattr(member, f"is_{role}") and role not in known
            ]
        RolePeriod.objects.bulk_create(
            RolePeriod(member=member, role=role, since=since, until=until)
            for role, since, until in periods
        )


def forget_history(apps, schema_editor):
    apps.get_model("datasets", "RolePeriod").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("datasets", "0005_role_periods"), ("audit", "0002_append_only")]

    operations = [migrations.RunPython(write_history, forget_history)]
