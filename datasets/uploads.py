"""Files that somebody uploaded, kept until the job that reads them is done.

They lie under random names in a folder of their own; the names they came with stand in an index
and are never used as a path.
"""

import json
import secrets
import shutil
import time
from pathlib import Path, PurePosixPath

from django.conf import settings

INDEX = "index.json"
# An upload whose job was lost is of no use after a day.
KEPT_SECONDS = 24 * 60 * 60


def folder():
    return settings.STATE_DIR / "uploads"


def keep(files):
    """Store uploaded files; returns the token by which a job finds them."""
    token = secrets.token_hex(16)
    place = folder() / token
    place.mkdir(mode=0o700, parents=True)
    index = []
    for number, file in enumerate(files):
        stored = f"{number:03}-{secrets.token_hex(8)}"
        with (place / stored).open("xb") as target:
            for chunk in file.chunks():
                target.write(chunk)
        index.append([base_name(file.name), stored])
    (place / INDEX).write_text(json.dumps(index), encoding="utf-8")
    return token


def base_name(name):
    """The last part of a name, however the browser's system writes paths."""
    return PurePosixPath(name.replace("\\", "/")).name


def named_files(token):
    """[(the name it came with, path), ...] of an upload; empty when it is gone."""
    place = folder() / _checked(token)
    try:
        index = json.loads((place / INDEX).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return [(name, place / stored) for name, stored in index]


def discard(token):
    shutil.rmtree(folder() / _checked(token), ignore_errors=True)


def sweep():
    """Delete uploads that no job can still want."""
    if not folder().is_dir():
        return
    for place in folder().iterdir():
        if place.stat().st_mtime < time.time() - KEPT_SECONDS:
            shutil.rmtree(place, ignore_errors=True)


def _checked(token):
    if Path(token).name != token or not token.isalnum():
        raise ValueError(f"{token!r} is no token of an upload.")
    return token
