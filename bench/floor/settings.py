"""Settings of the floor: the product's database, and nothing else."""

from config.settings import (  # noqa: F401
    ALLOWED_HOSTS,
    DATABASES,
    LOGGING,
    SECRET_KEY,
    SQLITE_JOURNAL_MODE,
    USE_TZ,
)

INSTALLED_APPS = ["bench.floor"]
MIDDLEWARE = []
ROOT_URLCONF = "bench.floor.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
