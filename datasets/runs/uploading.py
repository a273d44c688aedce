"""Uploaded files of a form, opened and read within the request."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest

from datasets import uploads
from formats.files import Files, open_files

# Read while the page waits: some thirty runs of 50 times 1,000 lines.
MAX_BYTES = 64 * 2**20


def limit() -> int:
    return min(MAX_BYTES, settings.FACETWISE_MAX_UPLOAD)


def is_too_large(request: HttpRequest) -> bool:
    return uploads.size_of(request) > limit()


@contextmanager
def opened(uploaded: list) -> Iterator[Files]:
    """The files of a form's field, unpacked; they are gone afterwards.

    Raises BadInputError with what is refused of them.
    """
    token = uploads.new_token()
    try:
        index = uploads.add(token, uploaded)
        with (
            uploads.kept_files(token, index) as sources,
            open_files(sources, limit=limit()) as files,
        ):
            yield files
    finally:
        uploads.discard(token)
