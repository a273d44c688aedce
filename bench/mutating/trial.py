"""Which faults the tests of a layer notice.

The tests are gathered once. A first process runs them all and writes down which functions each of
them enters, and how long it takes. Then each fault has a process of its own, with only the tests
that enter its function, the quickest first, until one fails.
"""

import os
import pickle
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import hypothesis
import pytest

from bench.mutating.faults import Fault, put

Function = tuple[str, int]  # a file and the first line of a function in it

SURVIVED, NOTICED, NOT_TRIED = 0, 1, 2


@dataclass
class Reach:
    """What a run of all tests without a fault found."""

    seconds: dict[str, float] = field(default_factory=dict)
    tests_of: dict[Function, set[str]] = field(default_factory=lambda: defaultdict(set))
    failed: list[str] = field(default_factory=list)


class Trial:
    """A plugin of pytest that tries faults with the gathered tests, in place of running them."""

    def __init__(self, faults: list[tuple[Fault, str]], told: Callable[[Fault, int], None]) -> None:
        self.faults = faults  # each with its file
        self.told = told
        self.failed: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        reach = _in_process(lambda: _explore(session, {file for _, file in self.faults}))
        self.failed = reach.failed
        if reach.failed:
            return True
        items = {item.nodeid: item for item in session.items}
        for item in session.items:
            _draw_alike(item)
        for fault, file in self.faults:
            tests = sorted(reach.tests_of[file, fault.function], key=lambda t: reach.seconds[t])
            at_most = 20 + 5 * sum(reach.seconds[test] for test in tests)
            self.told(fault, _try(session, [items[test] for test in tests], fault, at_most))
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
    entered: set[Function] = set()

    def notice(frame: FrameType, event: str, _: Any) -> None:
        code: CodeType = frame.f_code
        if code.co_filename in files:
            entered.add((code.co_filename, code.co_firstlineno))

    class Noter:
        """What a fixture enters counts for all tests of its file, which may share it."""

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
            entered.clear()
            yield
            for function in entered:
                shared_by[item.path].add(function)

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
            entered.clear()
            yield
            for function in entered:
                reach.tests_of[function].add(item.nodeid)

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            seconds = reach.seconds.get(report.nodeid, 0.0)
            reach.seconds[report.nodeid] = seconds + report.duration
            if report.failed:
                reach.failed.append(f"{report.nodeid}\n{report.longreprtext}")

    shared_by: defaultdict[Any, set[Function]] = defaultdict(set)
    session.config.pluginmanager.register(Noter())
    threading.settrace(notice)
    sys.settrace(notice)
    _run(session, session.items)
    sys.settrace(None)
    for item in session.items:
        for function in shared_by[item.path]:
            reach.tests_of[function].add(item.nodeid)
    return reach


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


def _try(session: pytest.Session, items: list[pytest.Item], fault: Fault, at_most: float) -> int:
    """Tests that hang have noticed the fault, too."""
    if not items:
        return SURVIVED
    process = os.fork()
    if process == 0:
        _be_silent()
        try:
            put(fault)
        except BaseException:
            os._exit(NOT_TRIED)
        try:
            status = NOTICED if _run(session, items, until_one_fails=True) else SURVIVED
        except BaseException:
            status = NOTICED
        os._exit(status)
    deadline = time.monotonic() + at_most
    while time.monotonic() < deadline:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return NOTICED


def _be_silent() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
