"""`manage.py restore FILE`: a backup into an empty installation."""

from pathlib import Path

from django.core.management import BaseCommand, CommandError

from audit.chain import seal_trail
from audit.refusals import raised_as
from audit.witness import write_down
from config.backups import BackupError
from config.backups.restoring import check_backup, restore_backup
from config.integrity import findings

LISTED = 100


class Command(BaseCommand):
    help = "Restore a backup into an empty installation, bring it up to date and verify it."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, help="a file that `backup` wrote")
        parser.add_argument("--check", action="store_true", help="only look at the file")
        parser.add_argument(
            "--no-verify", action="store_true", help="leave verify_integrity for later"
        )

    def handle(self, *, file, check, no_verify, **options):
        with raised_as(CommandError, BackupError):
            content = check_backup(file) if check else restore_backup(file)
        rows = sum(content["rows"].values())
        summary = f"{rows:,} rows, made at {content['made_at']} with {content['made_with']}"
        if check:
            self.stdout.write(f"{file} is whole: {summary}.")
            return
        self.stdout.write(f"Restored {summary}. Everybody signs in anew.")
        self.stdout.write("Webhooks are off until a lead turns each on; programs need new tokens.")
        if newest := seal_trail():
            write_down(newest)
        broken = [] if no_verify else findings()
        for sentence in broken[:LISTED]:
            self.stdout.write(sentence)
        if broken:
            raise CommandError(
                f"{len(broken):,} findings in the restored rows; the first {LISTED} are listed "
                "above. It is as the backup has it."
            )
        if not no_verify:
            self.stdout.write("Every invariant holds.")
