"""Files that somebody uploaded, kept until the job that reads them is done.

They lie under random names in a folder of their own, where the workers of every machine find them.
Their original names stand in an index and are never used as a path.
"""

import json
import secrets
from contextlib import contextmanager
from pathlib import PurePosixPath

from django.core.files.base import ContentFile
from django.core.files.storage import storages

from datasets import stores

INDEX = "index.json"


def store():
    return storages["uploads"]


def size_of(request):
    """The bytes that a request announces; Django reads no more, and none where it is no number."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def keep(files):
    """Store uploaded files; returns the token by which a job finds them."""
    token = secrets.token_hex(16)
    index = []
    for number, file in enumerate(files):
        stored = f"{number:03}-{secrets.token_hex(8)}"
        store().save(f"{token}/{stored}", file)
        index.append([base_name(file.name), stored])
    # Last, so that whoever finds it finds all files.
    store().save(f"{token}/{INDEX}", ContentFile(json.dumps(index).encode()))
    return token


def add(token, files, *, names=None):
    """Store more files under a token; [[name, stored name, size], ...]. The caller keeps the
    index. `names` are paths inside a folder, parallel to the files, where somebody chose one."""
    index = []
    for number, file in enumerate(files):
        stored = secrets.token_hex(16)
        store().save(f"{_checked(token)}/{stored}", file)
        name = (names or {}).get(number) or base_name(file.name)
        index.append([name, stored, file.size])
    return index


def remove(token, stored):
    """Delete one stored file; harmless where it is gone."""
    store().delete(f"{_checked(token)}/{stored}")


@contextmanager
def kept_files(token, index):
    """[(name, path), ...] of stored files; FileNotFoundError where one is gone."""
    names = [f"{_checked(token)}/{stored}" for _, stored, _ in index]
    if not all(store().exists(name) for name in names):
        raise FileNotFoundError(token)
    with stores.local_paths(store(), names) as paths:
        yield [(entry[0], path) for entry, path in zip(index, paths, strict=True)]


def new_token():
    return secrets.token_hex(16)


def base_name(name):
    """The last part of a name, however the browser's system writes paths."""
    return PurePosixPath(name.replace("\\", "/")).name


@contextmanager
def named_files(token):
    """[(the name it came with, path), ...] of an upload, to read inside the block; empty when the
    upload is gone."""
    try:
        with store().open(f"{_checked(token)}/{INDEX}") as file:
            index = json.loads(file.read())
    except FileNotFoundError:
        index = []
    with stores.local_paths(store(), [f"{token}/{stored}" for _, stored in index]) as paths:
        yield [(name, path) for (name, _), path in zip(index, paths, strict=True)]


def discard(token):
    stores.remove(store(), _checked(token))


def sweep(*, keep=()):
    """Delete uploads that are older than a day, but for those of these tokens."""
    stores.sweep(store(), keep=keep)


def _checked(token):
    if not token.isalnum():
        raise ValueError(f"{token!r} is no token of an upload.")
    return token
