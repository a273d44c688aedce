"""CAsT's conversations: each turn is a topic that knows what was said before."""

import json

import pytest

from formats.files import open_files
from formats.strict import BadTextError
from formats.trec.conversations import looks_like_conversations, read_conversations
from formats.trec.read import recognise

TURNS = [
    {"number": 1, "raw_utterance": "What is a door opener?"},
    {
        "number": 2,
        "raw_utterance": "It stopped.",
        "manual_rewritten_utterance": "The door stopped.",
    },
]


@pytest.fixture
def conversations(tmp_path):
    def read(content, name="topics.json"):
        (tmp_path / name).write_text(json.dumps(content))
        with open_files([tmp_path]) as files:
            assert looks_like_conversations(files.all[0])
            assert recognise(files).parts[0].key == "topics"
            return list(read_conversations(files.all[0]))

    return read


def test_turn_is_a_topic_that_asks_as_it_was_rewritten(conversations):
    first, second = conversations([{"number": 81, "turn": TURNS}])

    assert (first.id, first.title, first.narrative) == ("81_1", "What is a door opener?", "")
    assert (second.id, second.title) == ("81_2", "The door stopped.")
    assert second.description == "It stopped."
    assert second.narrative == "Said before: What is a door opener?"
    assert str(second.place) == "topics.json, entry 1, turn 2"


def test_turns_of_the_system_ask_nothing(conversations):
    turns = [
        {"number": "1-1", "participant": "User", "utterance": "Why?"},
        {"number": "1-2", "participant": "System", "response": "So."},
    ]

    assert [topic.id for topic in conversations([{"number": 132, "turn": turns}])] == ["132_1-1"]


@pytest.mark.parametrize(
    ("turns", "place", "message"),
    [
        (None, "entry 2", "the conversation has no list of turns."),
        (["Why?"], "entry 2, turn 1", "the conversation has no list of turns."),
        ([*TURNS, {"number": 3}], "entry 2, turn 3", "a turn lacks its number or its words."),
        ([{"raw_utterance": "Why?"}], "entry 2, turn 1", "a turn lacks its number or its words."),
        ([{"number": 1, "raw_utterance": ["Why?"]}], "entry 2, turn 1",
         "the words of a turn are no text."),
        ([{"number": 1.5, "raw_utterance": "Why?"}], "entry 2, turn 1",
         "the identifier 1.5 is a decimal number; expected text."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_turn(conversations, turns, place, message):
    with pytest.raises(BadTextError) as caught:
        conversations([{"number": 1, "turn": TURNS}, {"number": 2, "turn": turns}])

    assert (caught.value.place, caught.value.message) == (place, message)


@pytest.mark.parametrize(
    ("name", "text", "are_some"),
    [
        ("a.json", '[{"number": 81, "turn": []}]', True),
        ("a.json", '\ufeff \n[ {"turn": []}]', True),
        ("a.json", '[{"number": 81}]', False),
        ("a.json", '{"turn": []}', False),
        ("a.json", '["turn"]', False),
        ("a.json", "", False),
        ("a.jsonl", '[{"turn": []}]', False),
    ],
)
def test_conversations_are_a_list_of_objects_with_turns(tmp_path, name, text, are_some):
    (tmp_path / name).write_text(text)

    with open_files([tmp_path]) as files:
        assert looks_like_conversations(files.all[0]) is are_some


def test_a_turn_that_was_rewritten_as_it_was_said_says_it_once(conversations):
    turn = {"number": 1, "raw_utterance": "Why?", "manual_rewritten_utterance": "Why?"}
    said = {"number": 2, "utterance": " So? "}

    first, second = conversations([{"number": 81, "turn": [turn, said]}])

    assert (first.title, first.description) == ("Why?", "")
    assert (second.title, second.description, second.narrative) == ("So?", "", "Said before: Why?")
