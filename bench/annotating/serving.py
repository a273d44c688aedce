"""A served study with annotators at work, for tools that measure somebody beside them."""

import logging
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.annotating.load import Annotator, Target, observe
from bench.annotating.study import build

LONGEST_SECONDS = 600


@contextmanager
def served(*, annotators: int, pairs: int, slug: str) -> Iterator[tuple[str, object, list]]:
    """A study in a database of its own, served by gunicorn as shipped.

    Gives its address, the server's process, and (session key, desks) of each annotator.
    """
    with tempfile.TemporaryDirectory(prefix="facetwise-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        # A database on disk beside those in use; the server has the product's own settings.
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        os.environ["FACETWISE_TEST_STATE"] = str(folder / "database")
        # Playwright's loop runs in this thread, which Django would take for asynchronous code.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        import django

        django.setup()
        logging.getLogger("httpx").setLevel(logging.WARNING)
        from tests.databases import remove_migrated, set_up
        from tests.processes import Installation, collect_static

        stack.callback(remove_migrated)
        stack.callback(set_up())
        people = build(size=pairs, annotators=annotators, pairs_each=pairs, slug=slug)
        state = folder / "facetwise"
        state.mkdir()
        installation = Installation(state, FACETWISE_STATIC=str(collect_static(folder)))
        stack.callback(installation.stop)
        server, url = installation.start_web()
        yield url, server, people


@contextmanager
def at_work(
    url: str, server: object, people: list, *, think: tuple[float, float]
) -> Iterator[None]:
    """These people save, with time to think, until the block is over."""
    from django.conf import settings

    annotators = [
        Annotator(url, (settings.SESSION_COOKIE_NAME, session), desks, number)
        for number, (session, desks) in enumerate(people)
    ]
    is_over = threading.Event()
    work = threading.Thread(
        target=observe,
        args=(Target("beside", annotators, server), len(annotators), LONGEST_SECONDS),
        kwargs={"think": think, "is_over": is_over.is_set},
        daemon=True,
    )
    if annotators:
        work.start()
    try:
        yield
    finally:
        is_over.set()
        if annotators:
            work.join(60)
