"""Django REST framework without the modules of features that nobody uses here. It imports those
that are installed: some for its browsable pages, fields of PostgreSQL for serializers of models.
With them the first request costs a web server a fifth of its memory.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

NOT_NEEDED = ["requests", "pygments", "markdown", "yaml", "django.contrib.postgres.fields"]


@contextmanager
def _hidden(names: list[str]) -> Iterator[None]:
    """As if modules that nobody has imported yet were not installed."""
    absent = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


with _hidden(NOT_NEEDED):
    import rest_framework.compat  # noqa: F401 - the one module that looks for them
