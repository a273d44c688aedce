"""Seals written down outside the database, in a file of the state folder.

Somebody who can write only to the database could rebuild the chain from some point on, or remove
its last seals. The file of each sealing machine still has them.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS

from audit.models import Seal

# A full disk or a loss of power may leave a part of a line, which says nothing.
LINE = re.compile(r"\d+ [0-9a-f]{64}")


def file() -> Path:
    return Path(settings.STATE_DIR) / "seals.txt"


def write_down(seal: Seal) -> None:
    """Add a seal to this machine's file, unless it is the one that was added last."""
    line = f"{seal.number} {seal.sha256}"
    if _lines()[-1:] != [line]:
        begins_anew = _text()[-1:] not in {"", "\n"}
        with file().open("a", encoding="ascii") as target:
            target.write("\n" * begins_anew + f"{line}\n")


def _text() -> str:
    return file().read_text("ascii", errors="replace") if file().exists() else ""


def _lines() -> list[str]:
    return [line for line in _text().splitlines() if LINE.fullmatch(line)]


def witness_findings(*, using: str = DEFAULT_DB_ALIAS) -> Iterator[str]:
    """Yield a sentence where the chain lacks a seal that this machine wrote down."""
    lines = _lines()
    if not lines:
        return
    rows = Seal.objects.using(using).values_list("number", "sha256")
    seals = {f"{number} {sha256}" for number, sha256 in rows.iterator()}
    lacking = [line for line in lines if line not in seals]
    if lacking:
        number, sha256 = lacking[0].split()
        noun, verb = ("seal", "is") if len(lacking) == 1 else ("seals", "are")
        yield (
            f"{len(lacking):,} {noun} of {file()} {verb} not in the chain, first seal {number} "
            f"({sha256}): the trail was rewritten, or the database is an earlier one."
        )
