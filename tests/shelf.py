"""Studies that many tests begin with: built once, and undone to that point after each test.

Building a study through the product's own actions takes longer than most of what is then asked of
it. A fixture that is `shelved` is built in a transaction of its own, outside that of the test. It
stands there as long as the next test of the file begins with it as well, and each test gets a copy
of what the fixture returned.
"""

import functools
import inspect
from copy import deepcopy
from dataclasses import dataclass

import pytest
from django.db import transaction

TRANSACTIONAL = {"transactional_db", "live_server"}


def shelved(build):
    """A fixture whose rows are kept for the next test. It may ask for `db`, for other such fixtures
    and for those of a whole run, and what it returns must bear to be copied. In a test that commits
    it is built as any other."""
    parameters = inspect.signature(build).parameters

    @functools.wraps(build)
    def value(shelf, **others):
        if build in shelf:
            return shelf[build]
        return build(**{name: others[name] for name in parameters})

    value.build = build
    value.__signature__ = inspect.Signature(
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in ("shelf", *parameters)
    )
    return pytest.fixture(value)


def shelved_builds(item):
    """{name: build} of the kept fixtures of a test, each after those that it rests on."""
    marker = item.get_closest_marker("django_db")
    commits = bool(marker and (marker.kwargs.get("transaction") or marker.args[:1] == (True,)))
    if commits or TRANSACTIONAL & set(getattr(item, "fixturenames", ())):
        return {}
    builds = {}

    def add(name):
        definitions = item._fixtureinfo.name2fixturedefs.get(name)
        build = getattr(definitions[-1].func, "build", None) if definitions else None
        if build is None or name in builds:
            return
        for other in inspect.signature(build).parameters:
            add(other)
        builds[name] = build

    for name in getattr(item, "fixturenames", ()):
        add(name)
    return builds


@dataclass
class Level:
    """What one fixture built, in a savepoint of its own on those below."""

    build: object
    savepoint: transaction.Atomic
    values: dict  # what this fixture and those below returned, by name


class Shelf:
    def __init__(self):
        self.levels = []
        self.path = None  # the file of the test that it was last held for

    def hold(self, builds, fixture_value):
        """Let exactly these be there; return {build: a copy of what it returned}."""
        wanted = list(builds.items())
        shared = 0
        for level, (_, build) in zip(self.levels, wanted, strict=False):
            if level.build is not build:
                break
            shared += 1
        self.keep(shared)
        for name, build in wanted[shared:]:
            self._add(name, build, fixture_value)
        if not self.levels:
            return {}
        values = deepcopy(self.levels[-1].values)
        return {build: values[name] for name, build in wanted}

    def _add(self, name, build, fixture_value):
        savepoint = transaction.atomic()
        savepoint.__enter__()
        try:
            values = deepcopy(self.levels[-1].values) if self.levels else {"db": None}
            parameters = inspect.signature(build).parameters
            values[name] = build(
                **{
                    other: values[other] if other in values else fixture_value(other)
                    for other in parameters
                }
            )
        except BaseException:
            _undo(savepoint)
            raise
        self.levels.append(Level(build, savepoint, values))

    def keep(self, count):
        """Undo all but so many levels."""
        while len(self.levels) > count:
            _undo(self.levels.pop().savepoint)


def _undo(savepoint):
    transaction.set_rollback(True)
    savepoint.__exit__(None, None, None)


SHELF = Shelf()
