from django.db import migrations

# How an import ended a problem that quotes what is stored.
QUOTING = ("Stored ratings are never replaced.", "Stored decisions are never replaced.")
INSTEAD = "Some problems quoted stored ratings and are not kept. Import again to see them."


def drop_quotes(apps, schema_editor):
    """What was stored before does not say which ratings it quotes, so that nobody is shown it."""
    jobs = apps.get_model("jobs", "Job").objects.filter(kind__startswith="import-", state="failed")
    for job in jobs.iterator():
        errors = job.result.get("errors", [])
        kept = [error for error in errors if not str(error).endswith(QUOTING)]
        if kept != errors:
            job.result["errors"] = [*kept, INSTEAD]
            job.save(update_fields=["result"])


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_request_id")]

    operations = [migrations.RunPython(drop_quotes, migrations.RunPython.noop)]
