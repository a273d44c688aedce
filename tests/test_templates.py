"""That the tests see what a template misses."""

from dataclasses import dataclass

import pytest
from django.template import Context, Engine


@dataclass
class Rater:
    name: str = "Ada"
    seats: tuple = ()


@pytest.mark.parametrize(
    ("template", "missed"),
    [
        ("{{ rater.name }}{{ rater.is_taken }}", ["Rater: rater.is_taken"]),
        ("{% if rater.is_taken and rater.name %}yes{% endif %}", ["Rater: rater.is_taken"]),
        ("{{ rater.role.label }}", ["Rater: rater.role.label"]),
        ("{{ rater.name }}{{ rater.seats.0 }}{{ words.role }}{{ nobody.name }}", []),
    ],
)
def test_a_name_is_missed_in_an_object_alone(missed_names, template, missed):
    Engine().from_string(template).render(Context({"rater": Rater(), "words": {}}))

    assert missed_names == missed
    missed_names.clear()
