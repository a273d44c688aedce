"""Gunicorn's configuration: `gunicorn --config config/gunicorn.py config.wsgi`.

Two processes of four threads suit two cores and SQLite, whose writers queue anyway;
WEB_CONCURRENCY changes the processes. Addresses whose X-Forwarded-Proto is believed are named by
FORWARDED_ALLOW_IPS (default 127.0.0.1 and ::1).
"""

import gc
import os
import pathlib
import sys

_host = (os.environ.get("HOST") or "127.0.0.1").strip("[]")
_processes = os.environ.get("WEB_CONCURRENCY") or "2"
if not _processes.isdecimal() or not int(_processes):
    sys.exit(f"WEB_CONCURRENCY is {_processes!r}; expected a whole number from 1 on.")
loglevel = (os.environ.get("FACETWISE_LOG_LEVEL") or "warning").lower()
_levels = ("debug", "info", "warning", "error", "critical")
if loglevel not in _levels:  # gunicorn would take it for info
    sys.exit(f"FACETWISE_LOG_LEVEL is {loglevel!r}; expected one of {', '.join(_levels)}.")

bind = f"{f'[{_host}]' if ':' in _host else _host}:{os.environ.get('PORT') or '8000'}"
workers = int(_processes)
worker_class = "gthread"
threads = 4
# The application is loaded once and forked: a quicker start, and less memory.
preload_app = True
timeout = 60
graceful_timeout = 10
keepalive = 5
# A worker's heartbeat is a file; on a busy disk it must not wait for the database's fsync.
if pathlib.Path("/dev/shm").is_dir():  # noqa: S108
    worker_tmp_dir = "/dev/shm"  # noqa: S108
control_socket_disable = True
umask = 0o077  # what is written is for its owner alone
# Loaded modules are never searched for garbage: not now, which would be a sixth of the start, and
# not later, since `when_ready` sets them aside. Searching them costs a fifth of the time of a long
# page, and makes copies of memory that the processes share.
gc.disable()


def when_ready(server):
    """Serve nothing on a database that would lose ratings or lacks a migration."""
    from django.db import connections

    from config.checks import refuse_to_serve
    from config.loading import load_code
    from config.memory import give_back

    give_back()
    load_code()
    try:
        refuse_to_serve()
    finally:
        connections.close_all()  # the workers are forked next
    gc.freeze()
    gc.enable()


def pre_fork(server, worker):
    """Each process counts in a row of its own (config/metrics.py)."""
    from config.metrics import rows

    worker.row = rows.take()


def post_fork(server, worker):
    from config.metrics import rows

    rows.use(worker.row)
    # A save gives the interpreter away at each of its statements, and holds its locks until it gets
    # it back. With the usual 5 ms, beside a thread that makes a page, this takes a hundred
    # milliseconds.
    sys.setswitchinterval(0.0005)


def child_exit(server, worker):
    from config.metrics import rows

    rows.free(worker.row)
