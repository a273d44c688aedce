"""Settings. What differs between installations comes from the environment; README lists it."""

import sqlite3
from pathlib import Path

from csp.constants import NONE, SELF

from config import env
from config.secret_key import secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

# Everything an installation keeps beside its database: key, uploads, broker, collected static
# files. Readable by its owner only.
STATE_DIR = env.folder("FACETWISE_STATE", env.path("FACETWISE_STATE", BASE_DIR / "var"))

# A bucket, where several machines serve one installation; else files lie in the state folder.
FILES_BUCKET = env.bucket("FACETWISE_FILES")
# Machines that share an installation share its key, so it cannot be made by each of them.
SECRET_KEY = secret_key("SECRET_KEY", None if FILES_BUCKET else STATE_DIR / "secret-key")
DEBUG = env.boolean("DEBUG")
HOST = env.host("HOST", "127.0.0.1")
PORT = env.integer("PORT", 8000, minimum=1, maximum=65535)
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", {"localhost", "127.0.0.1", "[::1]", HOST})
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "config",
    "webhooks",
    "releases",
    "evaluation",
    "agreement",
    "imports",
    "adjudication",
    "annotation",
    "datasets",
    "accounts",
    "jobs",
    "audit",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
]
MIDDLEWARE = [
    "config.middleware.request_ids",
    "config.middleware.log_access",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.content_security_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.count_answers",
    "config.middleware.bare_heads",
    "config.middleware.CompressPages",
    "config.middleware.no_store",
    "config.middleware.AnswerErrors",
    "config.middleware.readable_alone",
    "config.middleware.known_parameters",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "config.middleware.SmallBodies",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.middleware.SignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "accounts.middleware.known_device",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.whole_page_sign_in",
    "accounts.middleware.LastingSession",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"

# The database. No request opens a transaction by itself: with IMMEDIATE each one takes SQLite's
# write lock, which a page that only reads must not do. Actions open their own.
DATABASES = {
    "default": env.database("DATABASE_URL", f"sqlite:///{STATE_DIR / 'facetwise.sqlite3'}")
    # A connection serves the requests of its thread for a minute: to open one costs a fifth of a
    # save, also on SQLite.
    | {"ATOMIC_REQUESTS": False, "CONN_MAX_AGE": 60}
}
# SQLite before 3.51.3 may corrupt a database in WAL mode (sqlite.org/wal.html, the reset bug).
SQLITE_JOURNAL_MODE = env.choice(
    "FACETWISE_SQLITE_JOURNAL",
    "wal" if sqlite3.sqlite_version_info >= (3, 51, 3) else "truncate",
    {"wal", "truncate"},
)
if DATABASES["default"]["ENGINE"] == env.SQLITE:
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,  # seconds to wait for another writer
        # FULL: a rating that was answered with "saved" survives a loss of power.
        "init_command": f"PRAGMA journal_mode={SQLITE_JOURNAL_MODE}; PRAGMA synchronous=FULL;",
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] |= {
        # Milliseconds. Nothing a page does may hold others up for longer. And one plan for each
        # statement that a connection prepares: without it the first five uses are planned anew.
        "options": "-c statement_timeout=30000 -c lock_timeout=5000 "
        "-c idle_in_transaction_session_timeout=60000 -c plan_cache_mode=force_generic_plan",
        # Seconds, and milliseconds until a server that vanished from the network is given up.
        "connect_timeout": 5,
        "tcp_user_timeout": 15000,
    }

# The owner of the database, where that is another user than the application's: migrations run so.
DATABASE_OWNER = env.owner("DATABASE_OWNER_URL", DATABASES["default"])

# Background work. Without REDIS_URL the broker is a folder (config/broker.py).
REDIS_URL = env.redis("REDIS_URL")
JOB_WORKERS = env.integer("FACETWISE_WORKERS", 1, minimum=1, maximum=64)
# Starts although the newest entry of the trail lies ahead: the clock was wrong when it was written.
CLOCK_IS_RIGHT = env.boolean("FACETWISE_CLOCK_IS_RIGHT")
# A running job whose heart was silent for so long has lost its worker.
JOB_STALE_SECONDS = env.integer("FACETWISE_JOB_STALE_SECONDS", 30, minimum=2, maximum=3600)
JOB_HEARTBEAT_SECONDS = JOB_STALE_SECONDS / 6

# For tests and trials: hooks may name this machine, also by plain http. Elsewhere nobody may make
# the server call what stands beside it.
WEBHOOKS_TO_LOOPBACK = env.boolean("FACETWISE_WEBHOOKS_TO_LOOPBACK")

# A request with this bearer token may read the metrics and the reasons of the health check.
METRICS_TOKEN = env.token("FACETWISE_METRICS_TOKEN")

# People and sessions.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.Backend"]
SESSION_ENGINE = "accounts.session_store"
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = "home"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email", "name")},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
# Proxies whose X-Forwarded-For the sign-in limits believe, as gunicorn their X-Forwarded-Proto.
# With `*` whoever calls counts as the one proxy, for a server that nobody else can reach.
TRUSTED_PROXIES = env.networks("FORWARDED_ALLOW_IPS")
DEVICE_COOKIE_NAME = "device"
# Sessions: a longest time for all; idle times are the collections' (accounts/sessions.py).
SESSION_DAYS = env.integer("FACETWISE_SESSION_DAYS", 30, minimum=1, maximum=365)
ADMIN_IDLE_HOURS = env.integer("FACETWISE_ADMIN_IDLE_HOURS", 24, minimum=1, maximum=14 * 24)
SESSION_COOKIE_AGE = SESSION_DAYS * 24 * 60 * 60
# Who must have a second factor whatever their collections say.
SECOND_FACTOR_REQUIRED = env.several("FACETWISE_SECOND_FACTOR", {"site-admins", "leads"})
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"

# Mail is optional: where it is not configured, an admin hands reset links over.
MAIL_SETTINGS = env.email("EMAIL_URL")
MAIL_CONFIGURED = bool(MAIL_SETTINGS)
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend"
    if MAIL_CONFIGURED
    else "django.core.mail.backends.dummy.EmailBackend"
)
globals().update(MAIL_SETTINGS)
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "facetwise@localhost")

# Uploads. Django's own limit on bodies (2.5 MB) stays; it does not count files.
FACETWISE_MAX_UPLOAD = env.size("FACETWISE_MAX_UPLOAD", 200 * 10**6)
# As many files as an import takes, since a folder is sent at once; and the selects by which the
# columns of as many are matched.
DATA_UPLOAD_MAX_NUMBER_FILES = 2000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
# Large files on their way in or out wait in the state folder, for /tmp may be memory.
FILE_UPLOAD_TEMP_DIR = env.folder("FACETWISE_STATE", STATE_DIR / "scratch")

# Static files, hashed and compressed, served by WhiteNoise.
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.path("FACETWISE_STATIC", STATE_DIR / "static")


def _shared_files(folder):
    """A storage of files that several processes need, on whatever machine they run."""
    if not FILES_BUCKET:
        return {"BACKEND": "config.storage.StateFolder", "OPTIONS": {"folder": folder}}
    location = f"{FILES_BUCKET['location']}/{folder}".lstrip("/")
    return {"BACKEND": "config.bucket.Bucket", "OPTIONS": FILES_BUCKET | {"location": location}}


STORAGES = {
    "staticfiles": {"BACKEND": "config.static_files.StaticFiles"},
    "uploads": _shared_files("uploads"),
    "exports": _shared_files("exports"),
}

# Programs. The framework is imported with the first request to an address of theirs.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.negotiation.ByQuality",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsing.Body"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.problems.handler",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Facetwise",
    "DESCRIPTION": "The data of the pages for programs: under the same rules, by the same actions.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
}

# What browsers are told.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True

# The production profile. Off by default, so that sign-in works on plain http at home. Whether a
# request came by https is gunicorn's to say: it believes X-Forwarded-Proto only from the
# addresses in FORWARDED_ALLOW_IPS.
if env.boolean("FACETWISE_HTTPS"):
    SECURE_SSL_REDIRECT = True
    # Asked on this machine, past the proxy that ends TLS.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # No `preload` (W021): it asks browsers to keep a whole domain on https for good, which is for
    # its owner to ask (hstspreload.org).
    SILENCED_SYSTEM_CHECKS = ["security.W021"]
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    DEVICE_COOKIE_NAME = "__Host-device"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "config.logs.LineFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        # A request for an address that does not exist is not worth a line.
        "django.request": {"level": "ERROR"},
        "facetwise.access": {
            "level": "INFO" if env.boolean("FACETWISE_ACCESS_LOG", default=True) else "WARNING"
        },
    },
}
