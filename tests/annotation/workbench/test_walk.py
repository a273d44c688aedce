"""The order in which a holder walks through a seat: what follows, and what shares a text."""

import pytest

from annotation.workbench.bench import position_of
from annotation.workbench.cache import Step, Walk


def walk(*rows):
    """A walk through (position, topic, document), in this order."""
    return Walk(
        Step(
            position=position,
            number=number,
            group=number,
            starts_group=True,
            pair_id=1_000 + position,
            topic_id=topic,
            document_id=document,
            facet="",
        )
        for number, (position, topic, document) in enumerate(rows, start=1)
    )


# Positions are addresses; a walk by document goes through them in another order.
BY_DOCUMENT = walk((2, 8, 50), (4, 9, 50), (1, 8, 60), (3, 9, 70))


def test_a_position_leads_to_its_step_wherever_that_stands():
    assert BY_DOCUMENT.at(4).number == 2
    assert BY_DOCUMENT.at(1).number == 3


@pytest.mark.parametrize("position", [0, 5, None, -1])
def test_a_position_that_the_batch_has_not_leads_nowhere(position):
    assert BY_DOCUMENT.at(position) is None


def test_after_a_step_come_those_that_follow_and_then_those_before_it():
    following = [step.position for step in BY_DOCUMENT.after(BY_DOCUMENT.at(4))]
    assert following == [1, 3, 2]


def test_after_the_last_step_the_walk_begins_again_without_it():
    assert [step.position for step in BY_DOCUMENT.after(BY_DOCUMENT.at(3))] == [2, 4, 1]


def test_a_walk_of_one_pair_has_nothing_after_it():
    alone = walk((1, 8, 50))
    assert list(alone.after(alone.at(1))) == []


def test_the_pairs_of_a_document_are_found_by_topic():
    of_document = BY_DOCUMENT.of_document(50)
    assert {topic: step.position for topic, step in of_document.items()} == {8: 2, 9: 4}


def test_topics_and_documents_are_numbered_by_position_whatever_the_way():
    by_topic = walk((1, 8, 60), (2, 8, 50), (3, 9, 70), (4, 9, 50))
    assert BY_DOCUMENT.topic_numbers == by_topic.topic_numbers == {8: 1, 9: 2}
    assert BY_DOCUMENT.document_numbers == by_topic.document_numbers == {60: 1, 50: 2, 70: 3}


@pytest.mark.parametrize(
    ("text", "position"),
    [("1", 1), ("99999", 99_999), ("100000", None), ("", None), ("-1", None), ("1.0", None)],
)
def test_an_address_names_a_position_by_digits_alone(text, position):
    assert position_of(text) == position
