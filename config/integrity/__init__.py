"""Whether everything that must hold does hold, recomputed from what is stored.

Nothing here goes through the actions that wrote it. Everything is read from one state, while
people go on rating.
"""

from audit.chain import chain_findings, seal_trail
from audit.triggers import trigger_findings
from audit.witness import witness_findings
from config.integrity.evaluated import evaluated_findings
from config.integrity.exports import export_findings
from config.integrity.hooks import hook_findings
from config.integrity.readers import reader_findings
from config.integrity.replay import replay_findings
from config.integrity.rows import row_findings
from config.integrity.texts import text_findings
from releases.snapshot import snapshot


def findings():
    """One sentence for everything that breaks an invariant, after sealing the trail."""
    seal_trail()
    with snapshot() as using:
        return [
            *trigger_findings(using=using),
            *chain_findings(using=using),
            *witness_findings(using=using),
            *row_findings(using),
            *replay_findings(using),
            *text_findings(using),
            *evaluated_findings(using),
            *export_findings(using),
            *reader_findings(using),
            *hook_findings(using),
        ]
