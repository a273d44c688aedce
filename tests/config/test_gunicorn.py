"""How the web server is started: on which address, with how many processes."""

import gc
import runpy
from pathlib import Path

import pytest
from gunicorn.util import parse_address

from config import settings

FILE = Path(settings.__file__).with_name("gunicorn.py")


@pytest.fixture
def configuration(monkeypatch):
    """`configuration(HOST=…)`: the settings of gunicorn in this environment."""

    def run(**environment):
        for name in ("HOST", "PORT", "WEB_CONCURRENCY", "FACETWISE_LOG_LEVEL"):
            monkeypatch.setenv(name, environment.get(name, ""))
        return runpy.run_path(str(FILE))

    yield run
    gc.enable()  # the web server does without


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("", "", ("127.0.0.1", 8000)),
        ("0.0.0.0", "8001", ("0.0.0.0", 8001)),
        ("::1", "", ("::1", 8000)),
        ("[::]", "80", ("::", 80)),
    ],
)
def test_it_serves_on_the_address_that_was_named(configuration, host, port, address):
    assert parse_address(configuration(HOST=host, PORT=port)["bind"]) == address


@pytest.mark.parametrize(("value", "workers"), [("", 2), ("1", 1), ("12", 12)])
def test_it_has_as_many_processes_as_were_named(configuration, value, workers):
    assert configuration(WEB_CONCURRENCY=value)["workers"] == workers


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5"])
def test_a_number_of_processes_that_there_cannot_be_stops_it_with_a_sentence(configuration, value):
    with pytest.raises(SystemExit, match=f"^WEB_CONCURRENCY is '{value}'; expected a whole number"):
        configuration(WEB_CONCURRENCY=value)


@pytest.mark.parametrize(
    ("value", "level"), [("", "warning"), ("debug", "debug"), ("INFO", "info")]
)
def test_it_tells_as_much_as_was_named(configuration, value, level):
    assert configuration(FACETWISE_LOG_LEVEL=value)["loglevel"] == level


def test_a_level_that_there_is_not_stops_it_with_a_sentence(configuration):
    with pytest.raises(SystemExit, match=r"^FACETWISE_LOG_LEVEL is 'loud'; expected one of debug,"):
        configuration(FACETWISE_LOG_LEVEL="loud")
