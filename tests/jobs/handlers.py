"""Handlers that a real worker imports (`celery worker --include tests.jobs.handlers`)."""

import time
from pathlib import Path

from accounts.models import User
from jobs.registry import job_handler


@job_handler("tests-make-account", title="An account")
def make_account(run):
    """Makes one account. Its first attempt hangs when told to, until its worker is killed."""
    Path(run.params["folder"], f"attempt-{run.job.attempts}").touch()
    if run.params.get("hang") and run.job.attempts == 1:
        time.sleep(600)
    with run.effect() as result:
        User.objects.create_user("effect@example.org", name="Effect")
        result["url"] = "/made/"
