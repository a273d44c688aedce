"""Log lines: each carries the id of its request, and none carries a secret.

Both are done where a record is made, and so hold for every logger and every handler in the
process: ours, Django's, gunicorn's and Celery's.
"""

import io
import logging
import re
import traceback

from audit.request_ids import current_request_id

# Addresses whose last part opens a door. In a `next=` they are percent-encoded. What has the form
# of a public id is none. A row of slashes is looked at once: anybody may send thousands.
_SECRET_PATHS = re.compile(
    r"(?<!/)(?<!%2F)((?:/|%2F)++"
    r"(?:setup|invitations|password(?:/|%2F)++reset(?:/|%2F)++[^/%\s]++)(?:/|%2F)++)"
    r"(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)[^/%\s?#'\"<>&,;]+",
    re.IGNORECASE,
)
# Our tokens wherever else they stand: 256 bits in base64 (as are those of programs and the secrets
# of webhooks), and those that set a password.
_TOKENS = re.compile(r"(?<![\w-])(?:(?:fw_|whsec_)?[\w-]{43}|[0-9a-z]{6,7}-[0-9a-f]{32})(?![\w-])")
# Refusals of requests that are Django's to make: where in Django says nothing.
_REFUSALS = {
    f"django.security.{kind}"
    for kind in ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
}
FORMAT = "{asctime} {levelname} {name} [{request_id}]: {message}"


def without_secrets(text: str) -> str:
    """The text with the token of every secret address in it masked."""
    return _TOKENS.sub("***", _SECRET_PATHS.sub(r"\1***", text))


class LineFormatter(logging.Formatter):
    """One line for a record; records made before `install` have no request."""

    def __init__(self) -> None:
        super().__init__(FORMAT, style="{", defaults={"request_id": "-"})


def install() -> None:
    """Let every record that is made from now on know its request and hide secrets."""
    make = logging.getLogRecordFactory()
    if getattr(make, "hides_secrets", False):
        return

    def make_record(*args, **kwargs):
        record = make(*args, **kwargs)
        record.request_id = current_request_id() or "-"
        if record.name in _REFUSALS:
            record.exc_info = None
        _hide_secrets(record)
        return record

    make_record.hides_secrets = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(make_record)


def _hide_secrets(record: logging.LogRecord) -> None:
    try:
        message = record.getMessage()
    except (TypeError, ValueError, KeyError):
        return  # a malformed call, which logging itself reports
    if (masked := without_secrets(message)) != message:
        record.msg, record.args = masked, None
    if record.exc_info and record.exc_info[0]:
        output = io.StringIO()
        traceback.print_exception(*record.exc_info, file=output)
        record.exc_text = without_secrets(output.getvalue().rstrip("\n"))
