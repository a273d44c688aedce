"""The trail replayed: each event is compared with the rows, field by field."""

from config.integrity.replayed_answers import answer_findings, rating_findings
from config.integrity.replayed_rows import (
    batch_findings,
    decision_findings,
    first_value_findings,
    flag_answer_findings,
    judged_text_findings,
    lock_findings,
    role_findings,
    scheme_findings,
    score_findings,
    seat_findings,
    waiver_findings,
)
from config.integrity.trail_state import TrailState


def replay_findings(using):
    """Yield a sentence wherever the trail and the rows differ."""
    trail = TrailState(using)
    yield from trail.oddities
    yield from answer_findings(trail, using)
    yield from rating_findings(using)
    yield from decision_findings(trail, using)
    yield from first_value_findings(trail, using)
    yield from waiver_findings(trail, using)
    yield from flag_answer_findings(trail, using)
    yield from batch_findings(trail, using)
    yield from seat_findings(trail, using)
    yield from judged_text_findings(trail, using)
    yield from scheme_findings(trail, using)
    yield from score_findings(trail, using)
    yield from lock_findings(trail, using)
    yield from role_findings(trail, using)
