"""The WSGI entry point."""

import os

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest


class Request(WSGIRequest):
    """Keeps the encoding that it names. Django would read its address in that before anything can
    refuse it, as `config.middleware.readable_alone` does."""

    encoding = ""


class Handler(WSGIHandler):
    request_class = Request


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)
application = Handler()
