#!/usr/bin/env python
"""Django's command line for Facetwise."""

import gc
import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, ManagementUtility
from django.core.management.base import SystemCheckError


class Commands(ManagementUtility):
    """Django's, but a command that fails says its sentence alone, without the name of a class."""

    def fetch_command(self, subcommand):
        command = super().fetch_command(subcommand)
        execute = command.execute

        def execute_or_say(*args, **options):
            try:
                return execute(*args, **options)
            except SystemCheckError:
                raise
            except CommandError as error:
                if options["traceback"]:
                    raise
                command.stderr.write(str(error))
                sys.exit(error.returncode)

        command.execute = execute_or_say
        return command


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # A command begins with loading everything. With the usual 700 objects between two looks for
    # garbage, a sixth of its start is looking.
    gc.set_threshold(50_000)
    try:
        _ = settings.SECRET_KEY  # loads the settings
    except ImproperlyConfigured as error:
        sys.exit(f"Facetwise is not set up rightly: {error}")
    try:
        Commands(sys.argv).execute()
    except Exception as error:
        from config.outages import outage_of

        if outage := outage_of(error):
            sys.exit(f"{outage.sentence} ({str(error).strip()})")
        raise
