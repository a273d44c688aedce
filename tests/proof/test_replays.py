"""The same submission sent again, however often and by whatever way, is one rating."""

import os
import uuid

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Rating, RatingRevision
from audit.models import Event
from tests.factories.studies import make_study
from tests.proof.test_blindness import masked

pytestmark = pytest.mark.both

EXAMPLES = 500 if os.environ.get("FACETWISE_STRESS") == "full" else 12
SENDS = st.lists(st.booleans(), min_size=2, max_size=8)  # by script, or as a plain form
VALUES = st.integers(0, 3)


@given(sends=SENDS, value=VALUES, other=VALUES, note=st.text("ab\n é", max_size=20))
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_submission_sent_again_is_answered_alike_and_kept_once(db, sends, value, other, note):
    with transaction.atomic():
        study = make_study()
        seat = study.seat("alice")
        alice = Client()
        alice.force_login(study.alice)

        def send(grade, by_script):
            return alice.post(
                f"/seats/{seat.public_id}/1/",
                {
                    "save_id": uuid.UUID(int=7),
                    "based_on": 0,
                    "scheme_version": 1,
                    "answer": study.option(grade).key,
                    "note": note,
                    "active_seconds": "2.5",
                },
                headers={"HX-Request": "true"} if by_script else {},
            )

        answers = {True: set(), False: set()}
        for by_script in sends:
            status, _, _, body = masked(send(value, by_script))
            answers[by_script].add((status, body))
        refused = send(other, True) if other != value else None

        assert all(len(alike) <= 1 for alike in answers.values())
        assert refused is None or refused.status_code == 422
        assert [rating.option.value for rating in Rating.objects.all()] == [value]
        assert RatingRevision.objects.count() == 1
        assert Event.objects.filter(verb__in=["rate", "change rating"]).count() == 1
        transaction.set_rollback(True)
