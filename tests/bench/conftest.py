from contextlib import ExitStack

import pytest


@pytest.fixture
def exit_stack():
    """What is entered into it ends with the test."""
    with ExitStack() as stack:
        yield stack
