"""The product's settings, with what tests need otherwise.

Every run has a state folder and a test database of its own, so that several may run at once.
`FACETWISE_TEST_STATE` hands the folder to the processes that a run starts.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

if "FACETWISE_TEST_STATE" not in os.environ:
    os.environ["FACETWISE_TEST_STATE"] = tempfile.mkdtemp(prefix="facetwise-tests-")
    atexit.register(shutil.rmtree, os.environ["FACETWISE_TEST_STATE"], ignore_errors=True)
os.environ["FACETWISE_STATE"] = os.environ["FACETWISE_TEST_STATE"]

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, FACETWISE_STATE, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, not memory: connections of several threads and processes must meet in it, with the
    # locks and the journal that an installation has.
    DATABASES["default"]["TEST"] = {"NAME": str(FACETWISE_STATE / "tests.sqlite3")}
else:
    DATABASES["default"]["TEST"] = {"NAME": f"test_{Path(FACETWISE_STATE).name}"}

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# Argon2 is slow on purpose; test_settings.py looks at the product's own hashers.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# The manifest's names need collectstatic first.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
