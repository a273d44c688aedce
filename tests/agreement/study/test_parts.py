"""The parts that figures are divided by."""

from types import SimpleNamespace

import pytest

from agreement.study.filters import Choices
from agreement.study.parts import parts_of
from tests.factories.ratings import facts, ratings_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_facet_that_is_called_as_a_level_of_aspects_keeps_its_name_and_place():
    facets = {"method": "Method", "aspect": "Aspect of the study", "result": "Result"}
    topics = [facts("q1", "aspect"), facts("q2", "method"), facts("q3", "aspect")]
    ratings = ratings_of([1, 2, 3], topics=topics, topic=[0, 1, 2])
    selection = SimpleNamespace(collection=None, choices=Choices(facets, {}, {}, {}, [1]))

    parts = parts_of(selection, ratings)

    assert [(part.key, part.name, part.pairs(ratings).tolist()) for part in parts] == [
        ("method", "Method", [False, True, False]),
        ("aspect", "Aspect of the study", [True, False, True]),
        ("", "All", [True, True, True]),
    ]
