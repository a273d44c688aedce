"""Audits: drawing and closing them. Their pairs are decided as those of the queue are."""

import secrets

from rest_framework import serializers

from adjudication.audits.actions import close_audit, draw_audit
from agreement.pages.forms import AuditForm
from api.writes.call import calling
from api.writes.targets import AUDIT, JUDGED
from api.writes.write import HOME, ROW, Write

WRITES = [
    Write(
        "draw-audit",
        "Draw agreed pairs that adjudicators decide without seeing the ratings.",
        f"{HOME}/audits",
        calling(draw_audit),
        JUDGED,
        form=AuditForm,
        options=lambda call: {"collection": call.collection},
        usual={"seed": lambda call: str(secrets.randbelow(10**8))},
        answer={
            "id": serializers.UUIDField(source="public_id", help_text="The audit's public id.")
        },
    ),
    Write(
        "close-audit",
        "Make the figures of an audit final.",
        f"{HOME}/audits/{ROW}/close",
        calling(close_audit),
        AUDIT,
    ),
]
