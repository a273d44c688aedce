"""The trail replayed: each event is compared with the rows, field by field."""

from config.integrity import replayed_rows
from config.integrity.checking import sentences_of
from config.integrity.replayed_answers import answer_findings, rating_findings
from config.integrity.trail_state import TrailState

CHECKS = [
    answer_findings,
    replayed_rows.decision_findings,
    replayed_rows.first_value_findings,
    replayed_rows.waiver_findings,
    replayed_rows.flag_answer_findings,
    replayed_rows.batch_findings,
    replayed_rows.seat_findings,
    replayed_rows.judged_text_findings,
    replayed_rows.collection_findings,
    replayed_rows.scheme_findings,
    replayed_rows.import_findings,
    replayed_rows.score_findings,
    replayed_rows.pool_findings,
    replayed_rows.lock_findings,
    replayed_rows.role_findings,
]


def replay_findings(using):
    """Yield a sentence wherever the trail and the rows differ."""
    trail = TrailState(using)
    yield from trail.oddities
    yield from sentences_of(rating_findings, using)
    for check in CHECKS:
        yield from sentences_of(check, trail, using)
