"""Protocols as data. Pure, no Django; `*.json` beside this file are those that are shipped."""

from evaluation.protocols.protocol import (
    SUMMARIES,
    Missing,
    Protocol,
    Summary,
    Undefined,
    shipped,
)
