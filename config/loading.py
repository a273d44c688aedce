"""Loads the code that the web server serves, and prepares the installation meanwhile."""

import os
import sys
from multiprocessing import get_context


def load_code():
    """Load all views, once, instead of at the first request to each, and what jobs run."""
    from django.urls import get_resolver

    from jobs.registry import handlers

    _ = get_resolver().url_patterns
    handlers()


def prepared_application(options):
    """The WSGI application, once `manage.py prepare` with these options has run.

    That runs in a process of its own, a fork of this one: Django is loaded once, and what the demo
    takes in memory ends with it.
    """
    import django
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup(set_prefix=False)
    command = ["manage.py", "prepare", *options]
    preparing = get_context("fork").Process(target=execute_from_command_line, args=[command])
    preparing.start()
    load_code()
    preparing.join()
    if preparing.exitcode:
        sys.exit(preparing.exitcode)

    from config.wsgi import application  # reads the static files that were collected just now

    return application
