"""Reading the conversations of TREC CAsT: a JSON list, each with its turns, each turn a topic.

A topic is called `<conversation>_<turn>`, as in the track's qrels. It asks as a person rewrote the
turn, if the file has that; the narrative has what was said before. Turns of the system ask nothing.
"""

import re
from collections.abc import Iterator
from typing import Any

from formats.files import SourceFile
from formats.literals import identifier_of
from formats.records import Place
from formats.strict import BadTextError
from formats.tables.json_rows import JsonList
from formats.trec.topics import TrecTopic

FIRST_BYTES = 16384
START = re.compile(r"\s*\[\s*\{")
# From the first track to the last, the best first.
REWRITTEN = ("manual_rewritten_utterance",)
SAID = ("raw_utterance", "utterance")
NO_TURNS = (
    "the conversation has no list of turns.",
    'Write {"number": …, "turn": [{"number": …, "raw_utterance": …}]}.',
)


def looks_like_conversations(file: SourceFile) -> bool:
    """Whether a file is called JSON and begins with a list of objects that have turns."""
    if file.suffix != ".json":
        return False
    start = file.start(FIRST_BYTES).decode("utf-8-sig", "replace")
    return bool(START.match(start)) and '"turn"' in start


def read_conversations(file: SourceFile) -> Iterator[TrecTopic]:
    """Yield the turns as topics; raises BadTextError."""
    conversations = JsonList(file)
    for row in conversations.rows():
        place = conversations.place(row.line)
        turns = row.cells.get("turn")
        if not isinstance(turns, list):
            raise BadTextError(*NO_TURNS, place.inside)
        before: list[str] = []
        for number, turn in enumerate(turns, start=1):
            of_turn = place._replace(key=f"{place.key}, turn {number:,}")
            try:
                topic = _topic(row.cells, turn, before, of_turn)
            except BadTextError as error:
                raise BadTextError(error.message, error.remedy, of_turn.inside) from None
            if topic:
                yield topic
                before.append(topic.description or topic.title)


def _topic(
    conversation: dict[str, Any], turn: Any, before: list[str], place: Place
) -> TrecTopic | None:
    if not isinstance(turn, dict):
        raise BadTextError(*NO_TURNS)
    if turn.get("participant") == "System":
        return None
    numbers = [identifier_of(part.get("number")) for part in (conversation, turn)]
    said, rewritten = _text(turn, SAID), _text(turn, REWRITTEN)
    if not (all(numbers) and (said or rewritten)):
        raise BadTextError("a turn lacks its number or its words.", NO_TURNS[1])
    return TrecTopic(
        place,
        "_".join(numbers),
        rewritten or said,
        said if rewritten and said != rewritten else "",
        f"Said before: {' '.join(before)}" if before else "",
    )


def _text(turn: dict[str, Any], names: tuple[str, ...]) -> str:
    value = next((turn[name] for name in names if turn.get(name)), "")
    if not isinstance(value, str):
        raise BadTextError("the words of a turn are no text.", NO_TURNS[1])
    return value.strip()
