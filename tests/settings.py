"""The product's settings, with changes for tests.

Every run has a state folder and a test database of its own, so that several may run at once.
`FACETWISE_TEST_STATE` hands the folder to the processes that a run starts.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# In memory where there is room: databases sync at each commit, and no test pulls the plug.
memory = Path("/dev/shm")
has_room = memory.is_dir() and shutil.disk_usage(memory).free > 2 * 10**9

if "FACETWISE_TEST_STATE" not in os.environ:
    os.environ["FACETWISE_TEST_STATE"] = tempfile.mkdtemp(
        prefix="facetwise-tests-", dir=memory if has_room else None
    )
    atexit.register(shutil.rmtree, os.environ["FACETWISE_TEST_STATE"], ignore_errors=True)
run = Path(os.environ["FACETWISE_TEST_STATE"])
# A folder for each process of pytest-xdist, so that none sees the uploads of another.
os.environ["FACETWISE_STATE"] = str(run / os.environ.get("PYTEST_XDIST_WORKER", "main"))

from config import env
from config.settings import *  # noqa: F403
from config.settings import DATABASES, STATE_DIR, STATIC_ROOT, STORAGES

if DATABASES["default"]["ENGINE"] == env.SQLITE:
    # A file, not memory: connections of several threads and processes must meet in it, with the
    # locks and the journal that an installation has.
    DATABASES["default"]["TEST"] = {"NAME": str(STATE_DIR / "tests.sqlite3")}
else:
    DATABASES["default"]["TEST"] = {"NAME": f"test_{run.name}"}

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# Argon2 is slow on purpose; test_settings.py looks at the product's own hashers.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Files straight from static/: the manifest's names need collectstatic first.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True
# Looked for when asked for: every test client would list them all first.
WHITENOISE_AUTOREFRESH = True
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
