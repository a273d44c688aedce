"""Settings of the floor: the product's, so that the same server starts on the same database after
the same checks; but nothing stands between a request and its view."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "bench.floor"]
MIDDLEWARE = []
ROOT_URLCONF = "bench.floor.urls"
