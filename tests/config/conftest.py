import logging

import pytest

from config.logs import LineFormatter


@pytest.fixture
def lines():
    """The lines that the process logs, as its own handler writes them."""
    written = []

    class Kept(logging.Handler):
        def emit(self, entry):
            written.append(self.format(entry))

    handler = Kept()
    handler.setFormatter(LineFormatter())
    loggers = [logging.getLogger(name) for name in ("", "django")]
    for logger in loggers:
        logger.addHandler(handler)
    yield written
    for logger in loggers:
        logger.removeHandler(handler)
