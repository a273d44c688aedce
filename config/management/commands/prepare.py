"""Prepare an installation for serving. Quick if nothing changed."""

import hashlib
from io import StringIO

from django.apps import apps
from django.conf import settings
from django.core.management import BaseCommand, call_command

from config.checks import pending_migrations
from config.private import close_database_to_others, keep_private

FIRST_ADMIN = "first-admin.txt"


class Command(BaseCommand):
    # The web server checks before it serves; here it would only take time.
    requires_system_checks = ()
    help = "Migrate, collect static files and, on the very first start, load the demo."

    def add_arguments(self, parser):
        parser.add_argument("--empty", action="store_true", help="do not load the demo")

    def handle(self, *, empty, **options):
        if pending_migrations():
            self.stdout.write("Bringing the database up to date ...")
            call_command("migrate", interactive=False, verbosity=0)
        close_database_to_others()
        self.collect_static()
        # An installation that began empty stays empty, even if it stopped before the first admin.
        began_empty = settings.STATE_DIR / "began-empty"
        if apps.get_model("accounts.User").objects.exists():
            return
        if empty or began_empty.exists():
            began_empty.touch()
            address = StringIO()
            call_command("setup_link", stdout=address)
            words = "The first admin is made at this address, which works once:"
            # The supervisor prints it once the server answers there, and forgets it.
            keep_private(settings.STATE_DIR / FIRST_ADMIN, f"{words}\n  {address.getvalue()}")
        else:
            self.stdout.write("Loading the demo ...")
            # The supervisor prints the sign-ins beside the address, at every start.
            call_command("load_demo", stdout=self.stdout, verbosity=0)

    def collect_static(self):
        """Hash and compress the static files, unless the same ones were collected before."""
        # Packages bring static files too, so a new version of one counts as a change; and so does
        # how files are collected.
        digest = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
        digest.update((settings.BASE_DIR / "config/static_files.py").read_bytes())
        for folder in settings.STATICFILES_DIRS:
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    digest.update(f"{file.relative_to(folder)}\0".encode())
                    digest.update(file.read_bytes())
        stamp = settings.STATE_DIR / "static.sha256"
        if stamp.exists() and stamp.read_text() == digest.hexdigest():
            return
        self.stdout.write("Collecting the static files ...")
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(digest.hexdigest())
