"""`manage.py backup FILE`: everything an installation keeps but its key, while people rate."""

from pathlib import Path

from django.core.management import BaseCommand, CommandError

from audit.refusals import raised_as
from config.backups import BackupError
from config.backups.making import make_backup
from releases.writing import digest_of


class Command(BaseCommand):
    help = "Write the database, the uploads and the exports to one new file. The key is not in it."

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, help="where to write it; nothing is replaced")

    def handle(self, *, file, **options):
        path = file.absolute()
        with raised_as(CommandError, BackupError):
            content = make_backup(path)
        self.stdout.write(f"{sum(content['rows'].values()):,} rows are in {path}.")
        if seal := content["seal"]:
            self.stdout.write(f"Seal {seal['number']} of the trail has the hash {seal['sha256']}.")
        self.stdout.write(f"SHA-256 of the file: {digest_of(path)}")
