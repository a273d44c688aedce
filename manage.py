#!/usr/bin/env python
"""Django's command line for Facetwise."""

import gc
import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

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
        execute_from_command_line(sys.argv)
    except Exception as error:
        from config.outages import outage_of

        if outage := outage_of(error):
            sys.exit(f"{outage.sentence} ({str(error).strip()})")
        raise
