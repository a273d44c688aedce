"""Files that somebody uploaded, stored until what reads them is done.

They lie under random names in a folder of their own, where the workers of every machine find them.
Who stores them keeps the index of their original names, which are never used as a path.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from django.core.files.storage import Storage, storages
from django.http import HttpRequest

from datasets import stores

# [name, stored name, size in bytes] of each file: lists, since an index is kept as JSON.
Index = list[list[Any]]


def store() -> Storage:
    return storages["uploads"]


def size_of(request: HttpRequest) -> int:
    """The number of bytes that a request announces, 0 without one; Django reads no more."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def new_token() -> str:
    return secrets.token_hex(16)


def add(token: str, files: Iterable[Any], *, names: Mapping[int, str] | None = None) -> Index:
    """Store files under a token; returns their index, which only the caller keeps. `names` are
    paths inside a folder, parallel to the files, where somebody chose one."""
    index = []
    for number, file in enumerate(files):
        stored = secrets.token_hex(16)
        store().save(f"{_checked(token)}/{stored}", file)
        name = (names or {}).get(number) or base_name(file.name)
        index.append([name, stored, file.size])
    return index


def remove(token: str, stored: str) -> None:
    """Delete one stored file; harmless where it is gone."""
    store().delete(f"{_checked(token)}/{stored}")


@contextmanager
def kept_files(token: str, index: Index) -> Iterator[list[tuple[str, Path]]]:
    """[(name, path), ...] of stored files; FileNotFoundError where one is gone."""
    names = [f"{_checked(token)}/{stored}" for _, stored, _ in index]
    if not all(store().exists(name) for name in names):
        raise FileNotFoundError(token)
    with stores.local_paths(store(), names) as paths:
        yield [(entry[0], path) for entry, path in zip(index, paths, strict=True)]


def base_name(name: str) -> str:
    """The last part of a name, however the browser's system writes paths."""
    return PurePosixPath(name.replace("\\", "/")).name


def discard(token: str) -> None:
    stores.remove(store(), _checked(token))


def sweep(*, keep: Collection[str] = ()) -> None:
    """Delete uploads that are older than a day, but for those of these tokens."""
    stores.sweep(store(), keep=keep)


def _checked(token: str) -> str:
    if not token.isalnum():
        raise ValueError(f"{token!r} is no token of an upload.")
    return token
