"""Which faults the tests of a layer notice.

The tests are gathered once. A first process runs them all and writes down which lines each of them
runs, and how long it takes. Then each fault has a process of its own, with only the tests that run
its statement, the quickest first, until one fails.
"""

import gc
import os
import pickle
import resource
import signal
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from types import FrameType
from typing import Any

import hypothesis
import pytest

from bench.mutating.faults import Fault, forget, put

Line = tuple[str, int]  # a file and the number of a line in it

SURVIVED, NOTICED, NOT_TRIED, HUNG = range(4)


@dataclass
class Reach:
    """What a run of all tests without a fault found."""

    seconds: dict[str, float] = field(default_factory=dict)
    tests_of: dict[Line, set[str]] = field(default_factory=lambda: defaultdict(set))
    failed: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)  # loaded by then

    def by_time(self, file: str, lines: range) -> list[str]:
        """The tests that run any of these lines, the quickest first."""
        tests = {test for line in lines for test in self.tests_of[file, line]}
        return sorted(tests, key=lambda test: (self.seconds[test], test))


class Trial:
    """A plugin of pytest that tries faults with the gathered tests, in place of running them."""

    def __init__(
        self, faults: list[tuple[Fault, str]], report: Callable[[Fault, int], None]
    ) -> None:
        self.faults = faults  # each with its file
        self.report = report
        self.failed: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        reach = _in_process(lambda: _explore(session, {file for _, file in self.faults}))
        self.failed = reach.failed
        if reach.failed:
            return True
        _load(reach.modules)
        items = {item.nodeid: item for item in session.items}
        for item in session.items:
            _draw_alike(item)
        for fault, file in self.faults:
            tests = reach.by_time(file, fault.lines)
            at_most = 5 + int(5 * sum(reach.seconds[test] for test in tests))
            self.report(fault, _try(session, [items[test] for test in tests], fault, at_most))
        return True


def _draw_alike(item: pytest.Item) -> None:
    """Hypothesis draws the same examples for every fault, and looks for no simpler one."""
    test = getattr(item, "obj", None)
    drawing = getattr(test, "_hypothesis_internal_use_settings", None)
    if drawing is not None:
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        test._hypothesis_internal_use_settings = hypothesis.settings(  # type: ignore[union-attr]
            drawing, phases=phases, database=None, derandomize=True
        )


def _explore(session: pytest.Session, files: set[str]) -> Reach:
    reach = Reach()
    passed: set[Line] = set()

    def enter(frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        return notice if frame.f_code.co_filename in files else None

    def notice(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        passed.add((frame.f_code.co_filename, frame.f_lineno))
        return notice

    class Noter:
        """What a fixture runs counts for all tests of its file, which may share it."""

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
            passed.clear()
            # What a test before this one had computed would keep its lines from being run.
            forget()
            yield
            shared_by[item.path] |= passed

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
            passed.clear()
            yield
            for line in passed:
                reach.tests_of[line].add(item.nodeid)

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            seconds = reach.seconds.get(report.nodeid, 0.0)
            reach.seconds[report.nodeid] = seconds + report.duration
            if report.failed:
                reach.failed.append(f"{report.nodeid}\n{report.longreprtext}")

    shared_by: defaultdict[Any, set[Line]] = defaultdict(set)
    session.config.pluginmanager.register(Noter())
    threading.settrace(enter)
    sys.settrace(enter)
    _run(session, session.items)
    sys.settrace(None)
    for item in session.items:
        for line in shared_by[item.path]:
            reach.tests_of[line].add(item.nodeid)
    reach.modules = list(sys.modules)
    return reach


def _load(modules: list[str]) -> None:
    """What the tests load on the way is loaded once, and not again for every fault."""
    for name in modules:
        # Not every name in sys.modules is that of a file.
        with suppress(Exception):
            import_module(name)
    gc.collect()
    gc.freeze()


def _run(
    session: pytest.Session, items: list[pytest.Item], *, until_one_fails: bool = False
) -> int:
    for item, after in zip(items, [*items[1:], None], strict=True):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if until_one_fails and session.testsfailed:
            break
    return session.testsfailed


def _in_process(work: Callable[[], Any]) -> Any:
    """What some work gives, done in a process of its own, so that nothing here remembers it."""
    here, there = os.pipe()
    process = os.fork()
    if process == 0:
        _be_silent()
        with os.fdopen(there, "wb") as pipe:
            pickle.dump(work(), pipe)
        os._exit(0)
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        result = pipe.read()
    os.waitpid(process, 0)
    if not result:
        sys.exit("The tests ended before they were all run.")
    return pickle.loads(result)  # noqa: S301


def _try(session: pytest.Session, items: list[pytest.Item], fault: Fault, at_most: int) -> int:
    """Tests that hang have noticed the fault, too: after so many seconds of the processor, or ten
    times as many of the clock where they wait."""
    if not items:
        return SURVIVED
    process = os.fork()
    if process == 0:
        _be_silent()
        resource.setrlimit(resource.RLIMIT_CPU, (at_most, at_most))
        signal.alarm(10 * at_most)
        try:
            put(fault)
        except BaseException:
            os._exit(NOT_TRIED)
        try:
            status = NOTICED if _run(session, items, until_one_fails=True) else SURVIVED
        except BaseException:
            status = NOTICED
        os._exit(status)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else HUNG


def _be_silent() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
