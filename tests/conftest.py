"""What all tests share. Keep it small: what one app needs stands in that app's folder."""

import gc
import itertools
import os
import shutil
import zlib
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.middleware import csrf
from pytest_django.plugin import blocking_manager_key

from tests import slow
from tests.chromium import DESK, STEADY, Browsers, launch_chromium
from tests.databases import (
    RUN,
    copy_database,
    empty,
    make_once,
    on_sqlite,
    other_database,
    remove_migrated,
    set_up,
    undone_in,
)
from tests.shelf import SHELF, shelved_builds
from tests.templates import names_missed
from tests.trail import watch_actions


def is_whole():
    """Whether this is `script/test --full`."""
    return os.environ.get("FACETWISE_STRESS") == "full"


# Examples that build a study take as long as the machine lets them; none is wrong for that. A push
# sees the same few examples each time, so that it fails for what it changes; --full draws new ones.
hypothesis.settings.register_profile(
    "facetwise",
    max_examples=200 if is_whole() else 25,
    deadline=None,
    derandomize=not is_whole(),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("facetwise")

# In forms' random tokens, else of all letters, stands every few hundred pages a "Bob" or an "Ada".
csrf.CSRF_ALLOWED_CHARS = "QXZqxz"

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "live_server"}

# Pages, and whole real studies whose figures are compared: seen once, on one database.
ONCE_FIXTURES = {"client", "browser", "half", "half_with_runs", "sample"}


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    """Mark what needs a browser, one database or any, and leave out what is about the other
    database or waits for --full; order what the marks leave."""
    other = "postgres_only" if on_sqlite() else "sqlite_only"
    kept, left_out = [], []
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if "browser" in fixtures:
            item.add_marker("browser")
        if fixtures & ONCE_FIXTURES and not item.get_closest_marker("both"):
            item.add_marker("once")
        if fixtures & DATABASE_FIXTURES or item.get_closest_marker("django_db"):
            item.add_marker("database")
        is_left_out = item.get_closest_marker(other) or (
            item.get_closest_marker("full") and not is_whole()
        )
        (left_out if is_left_out else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept
    yield
    items[:] = long_first(items)


# Walks over every page, real browsers and tools in processes of their own.
LONG = (
    "tests/annotation/test_migrations.py",
    "tests/api/test_fuzz.py",
    "tests/bench/",
    "tests/browser/",
    "tests/config/backups/",
    "tests/evaluation/management/",
    "tests/imports/test_deaths.py",
    "tests/proof/",
)


def long_first(items):
    """Each process begins with a share of the long tests, so that none of them is left for the
    end, where the other processes would wait for it."""
    is_long = [item.nodeid.startswith(LONG) for item in items]
    long = [item for item, is_long in zip(items, is_long, strict=True) if is_long]
    short = [item for item, is_long in zip(items, is_long, strict=True) if not is_long]
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    return [
        item
        for number in range(count)
        for part in (long, short)
        for item in part[len(part) * number // count : len(part) * (number + 1) // count]
    ]


def pytest_sessionstart(session):
    if slow.SEED:
        slow.hold_up_live_server()


def pytest_collection(session):
    gc.disable()


def pytest_collection_finish(session):
    """What was loaded so far stays to the end, the little garbage in it too: looking through it
    again and again takes a tenth of the processor's time, and once more than half a second."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker):
    """The database of this process, in place of pytest-django's own, which migrates each."""
    with django_db_blocker.unblock():
        remove = set_up()
    yield
    # What is kept goes with the database: where a browser was used, its loop has ended by now, and
    # with it the connection of the tests is out of reach.
    with django_db_blocker.unblock():
        remove()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """What the test before began with is gone, unless this one is of the same file and begins with
    it as well."""
    if SHELF.levels and (item.path != SHELF.path or not shelved_builds(item)):
        with item.config.stash[blocking_manager_key].unblock():
            SHELF.keep(0)
    SHELF.path = item.path


@pytest.fixture
def shelf(request, django_db_setup, django_db_blocker):
    """What the kept fixtures of this test returned (tests/shelf.py)."""
    with django_db_blocker.unblock():
        return SHELF.hold(shelved_builds(request.node), request.getfixturevalue)


@pytest.fixture
def _django_db_helper(shelf, _django_db_helper):
    """pytest-django's own, which begins the test's transaction: inside that of what is kept."""
    return _django_db_helper


def pytest_sessionfinish(session):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with session.config.stash[blocking_manager_key].unblock():
            remove_migrated()


@pytest.fixture(scope="session", autouse=True)
def emptied_past_append_only_tables():
    """Tests that commit empty all tables afterwards, which the trail's triggers refuse."""
    from django.test import TransactionTestCase

    before = TransactionTestCase._fixture_teardown
    TransactionTestCase._fixture_teardown = lambda test_case: empty()
    yield
    TransactionTestCase._fixture_teardown = before


@pytest.fixture(scope="session", autouse=True)
def events_of_actions():
    """An action that changes what kept figures rest on, and writes no event, fails its test."""
    with watch_actions():
        yield


@pytest.fixture(scope="session")
def missed_names():
    with pytest.MonkeyPatch.context() as patch:
        yield names_missed(patch)


@pytest.fixture(autouse=True)
def no_template_misses_a_name(missed_names):
    """What a template reads of an object that does not have it is shown as nothing: a mistake."""
    missed_names.clear()
    yield
    assert not missed_names


@pytest.fixture(autouse=True)
def unused_tokens():
    """No token has been used: those of different tests may have the same number."""
    from api import limits

    limits.forget()


@pytest.fixture
def lena(client, study):
    """The browser of the lead Lena, for a file with a `study`; alike below."""
    client.force_login(study.lena)
    return client


@pytest.fixture
def carol(client, study):
    """The browser of the adjudicator."""
    client.force_login(study.carol)
    return client


@pytest.fixture
def alice(client, study):
    """The browser of an annotator."""
    client.force_login(study.alice)
    return client


@pytest.fixture(scope="session")
def shared_data():
    """The folder of real data that FACETWISE_DATA names; without it the test is not run."""
    if not os.environ.get("FACETWISE_DATA"):
        pytest.skip("not run: needs real data; set FACETWISE_DATA to its folder")
    folder = Path(os.environ["FACETWISE_DATA"]).resolve()
    assert folder.is_dir(), f"FACETWISE_DATA is {str(folder)!r}; expected a folder."
    return folder


def import_half(folder):
    """CSFCube's half, imported with its ratings; Lena leads it."""
    from django.core.management import call_command

    from annotation.schemes.actions import create_scheme, load_definition
    from datasets.models import Collection
    from tests.factories.studies import make_member

    collection = Collection.objects.create(slug="half", name="CSFCube, half")
    create_scheme(collection=collection, definition=load_definition("csfcube"), by=None)
    call_command(
        "import_csfcube",
        str(folder / "csfcube-half"),
        collection=collection.slug,
        with_ratings=True,
        verbosity=0,
    )
    make_member(collection, "Lena", "lead")


@pytest.fixture(scope="session")
def half_file(django_db_setup, django_db_blocker, shared_data):
    """A copy of the empty test database with the half in it: the import takes seconds, so a run
    makes it once, and each process has its own copy."""

    def make(path):
        copy_database(path)
        with other_database(path):
            import_half(shared_data)

    with django_db_blocker.unblock():
        made = make_once(RUN / "half.sqlite3", make)
    return shutil.copyfile(made, django_settings.STATE_DIR / "half.sqlite3")


@pytest.fixture
def file_of_its_own(transactional_db, tmp_path):
    """A copy of the empty test database for this test alone: its journal can be changed, which
    any other connection to the file would prevent. PostgreSQL has no such thing."""
    if not on_sqlite():
        yield
        return
    copy_database(tmp_path / "own.sqlite3")
    with other_database(tmp_path / "own.sqlite3"):
        yield


@pytest.fixture
def half(request, shared_data):
    """CSFCube's half, imported with its ratings; Lena leads it. What a test changes is undone."""
    from datasets.models import Collection

    if not on_sqlite():
        request.getfixturevalue("db")
        import_half(shared_data)
        yield Collection.objects.get()
        return
    path = request.getfixturevalue("half_file")
    request.getfixturevalue("db")
    with undone_in(path):
        yield Collection.objects.get()


@pytest.fixture
def stress():
    """`stress(small, full)` is `small`, or `full` under `script/test --full`."""
    return lambda small, full: full if is_whole() else small


@pytest.fixture
def eager_jobs():
    """A job that is enqueued runs at once, in the process that enqueued it."""
    from config.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.fixture(scope="session")
def static_root():
    """The static files as an installation serves them, with hashed names, once for a whole run."""
    from tests.processes import collect_static

    return make_once(RUN / "collected", collect_static) / "static"


@pytest.fixture
def installation(transactional_db, tmp_path, static_root):
    """`installation(**environment)`: Facetwise as processes of its own (tests/processes.py)."""
    from tests.processes import Installation

    made = []

    def make(**environment):
        state = tmp_path / f"installation-{len(made)}"
        state.mkdir()
        made.append(Installation(state, FACETWISE_STATIC=str(static_root), **environment))
        return made[-1]

    yield make
    for installed in made:
        installed.stop()


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory):
    """A real Redis: the one FACETWISE_TEST_REDIS_URL names, or one of our own."""
    from tests.processes import Redis

    if given := os.environ.get("FACETWISE_TEST_REDIS_URL"):
        yield given
        return
    redis = Redis(tmp_path_factory.mktemp("redis"))
    redis.start()
    yield redis.url
    redis.stop()


@pytest.fixture(scope="session")
def object_store(tmp_path_factory):
    """A store of the S3 kind; `object_store.bucket()` is the environment for a new bucket."""
    from tests.processes import ObjectStore

    server = ObjectStore(tmp_path_factory.mktemp("object-store"))
    server.start()
    yield server
    server.stop()


# Milliseconds. A limit ends a test that would never end; on a busy machine a page takes long.
AT_MOST = 60_000


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=AT_MOST)

    # Playwright's loop runs in this thread, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def browsers(browser):
    return Browsers(browser)


@pytest.fixture
def open_page(browser, browsers, live_server, settings):
    """`open_page(user)`: a page of a browser of its own, signed in as that user. `viewport`,
    `color_scheme` and `forced_colors` are those of the page; any other option is for a context that
    no other test uses.

    An error in a script or a refusal by the Content-Security-Policy fails the test at its end.
    """
    pages, contexts, troubles = [], [], []

    def opened(user=None, *, viewport=DESK, color_scheme=None, forced_colors=None, **options):
        if options:
            context = browser.new_context(base_url=live_server.url, **STEADY, **options)
            contexts.append(context)
            page = context.new_page()
        else:
            page = browsers.open_page(live_server.url)
        pages.append(page)
        page.context.set_default_timeout(AT_MOST)
        if viewport != DESK:
            page.set_viewport_size(viewport)
        if color_scheme or forced_colors:
            page.emulate_media(color_scheme=color_scheme, forced_colors=forced_colors)
        if user is not None:
            from django.test import Client

            client = Client()
            client.force_login(user)
            name = settings.SESSION_COOKIE_NAME
            page.context.add_cookies(
                [{"name": name, "value": client.cookies[name].value, "url": live_server.url}]
            )
        if slow.SEED:
            slow.slow_down(page)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console",
            lambda message: (
                troubles.append(message.text) if "Content Security Policy" in message.text else None
            ),
        )
        return page

    yield opened
    for page in pages:
        page.close()
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def page(open_page):
    """A page of a visitor who is not signed in, 1440 by 900."""
    return open_page()


@pytest.fixture(scope="session")
def axe():
    """What axe-core has passed in this process; under --full it looks at every text anew."""
    from tests.axe import Axe

    return Axe(remembers=not is_whole())


@pytest.fixture
def assert_accessible(axe):
    """`assert_accessible(page)`: axe-core finds nothing; `of_colours=False` leaves contrast out."""

    def check(page, *, of_colours=True):
        report = axe.violations(page, of_colours=of_colours)
        assert report is None, report

    return check


WIDTHS = [1440, 1024, 390, 320]


@pytest.fixture
def assert_fits():
    """`assert_fits(page)`: at none of these widths does the page, as it stands, scroll sideways."""

    def check(page, widths=WIDTHS):
        for width in widths:
            # The page is laid out and painted anew even where its window stays as it is.
            if page.viewport_size["width"] != width:
                page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)

    return check


@pytest.fixture
def assert_accessible_and_fits(request, assert_accessible, assert_fits, stress):
    """Both; axe-core wide and light or narrow and dark, by turns, and under --full in both:
    contrast changes with the theme and layout with the width, so each theme is looked at in one of
    them. (tests/browser/test_every_page.py looks at every page in all.)"""
    turns = itertools.count(zlib.crc32(request.node.nodeid.encode()))

    def check(page):
        # What fits 320 fits 390, but for the few rules between the two.
        assert_fits(page, stress([1440, 1024, 320], WIDTHS))
        is_dark = stress(next(turns) % 2 == 1, True)
        if stress(not is_dark, True):
            page.set_viewport_size(DESK)
            assert_accessible(page)
        if is_dark:
            assert_accessible_in_the_dark(page)

    def assert_accessible_in_the_dark(page):
        page.emulate_media(color_scheme="dark")
        assert_fits(page, [390])
        assert_accessible(page)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(DESK)

    return check
