"""The trail alone gives back the table of ratings, field by field."""

import os
import uuid
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from annotation.models import Rating
from annotation.rating.components import Met
from audit.models import Event
from config.integrity import findings
from datasets.models import Membership
from tests.factories.studies import make_aspect_study

EXAMPLES = 100 if os.environ.get("FACETWISE_STRESS") == "full" else 12

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
SAVES = st.lists(
    st.fixed_dictionaries(
        {
            "who": st.sampled_from(["alice", "bob", "erin"]),
            "pair": st.integers(0, 2),
            "value": st.sampled_from([None, 0, 1, 2]),
            "note": TEXTS,
            "is_flagged": st.booleans(),
            "active_seconds": st.decimals(0, 86_400, places=1),
            "components": st.lists(
                st.fixed_dictionaries(
                    {"text": TEXTS.filter(str.strip), "met": st.sampled_from(list(map(str, Met)))}
                ),
                max_size=2,
            ),
        }
    ),
    max_size=8,
)


def rebuilt_ratings():
    """{rating: its row}, as the events tell it and nothing else."""
    members = dict(Membership.objects.values_list("user", "public_id"))
    rows = {}
    for event in Event.objects.filter(verb__in=["rate", "change rating"]).order_by("id"):
        after = event.after
        rows[uuid.UUID(after["rating"])] = (
            uuid.UUID(event.subject_id),
            uuid.UUID(after["seat"]),
            members[event.actor_id],
            after["position"],
            after["version"],
            after["option"],
            *(after[name] for name in ("cannot_judge", "note", "is_flagged", "components")),
            Decimal(after["active_seconds"]),
            after["scheme_version"],
        )
    return rows


def stored_ratings():
    rows = Rating.objects.values_list(
        "public_id",
        *("pair__public_id", "seat__public_id", "annotator__public_id", "position", "version"),
        *("option__key", "cannot_judge", "note", "is_flagged", "components", "active_seconds"),
        "scheme_version__number",
    )
    return {public_id: tuple(row) for public_id, *row in rows}


@pytest.mark.database
class TestReplay(TestCase):
    @settings(max_examples=EXAMPLES)
    @given(saves=SAVES)
    def test_replaying_the_trail_rebuilds_the_ratings_exactly(self, saves):
        study = make_aspect_study(in_one_batch=True)
        pairs = list(study.batch.pairs.all())
        for position, save in enumerate(saves):
            who, value = save.pop("who"), save.pop("value")
            study.rate(who, pairs[save.pop("pair")], value, position=position, **save)

        assert rebuilt_ratings() == stored_ratings()
        assert findings() == []
