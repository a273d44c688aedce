"""Whether everything that must hold does hold, recomputed from what is stored.

Nothing here goes through the actions that wrote it. Everything is read from one state, while
people go on rating.
"""

from audit.chain import chain_findings, seal_trail
from audit.triggers import trigger_findings
from audit.witness import witness_findings
from config.integrity.checking import sentences_of
from config.integrity.evaluated import evaluated_findings
from config.integrity.exports import export_findings
from config.integrity.hooks import hook_findings
from config.integrity.readers import reader_findings
from config.integrity.replay import replay_findings
from config.integrity.rows import row_findings
from config.integrity.texts import text_findings
from releases.snapshot import snapshot

CHECKS = [
    trigger_findings,
    chain_findings,
    witness_findings,
    row_findings,
    replay_findings,
    text_findings,
    evaluated_findings,
    export_findings,
    reader_findings,
    hook_findings,
]


def findings():
    """One sentence for everything that breaks an invariant, after sealing the trail."""
    sentences = list(sentences_of(_sealing))
    with snapshot() as using:
        for check in CHECKS:
            sentences += sentences_of(check, using=using)
    return sentences


def _sealing():
    seal_trail()
    return ()
